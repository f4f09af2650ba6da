// Turns cells of text columns into features: the count of each token, or run of tokens, in the cell.
//
// Thread-safety: one thread per object. Memory: the distinct tokens of a chunk, reused from chunk to chunk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "halfspace/kernels/example.h"
#include "stream/columns/column_plan.h"
#include "stream/columns/hashed_names.h"
#include "stream/text/cell_dictionary.h"
#include "stream/text/tokens.h"

namespace halfspace::stream {

// A store of texts whose addresses are stable.
class TextStore {
 public:
  void clear() noexcept { piece_ = used_ = 0; }
  std::string_view keep(std::string_view text);

 private:
  struct Piece {
    std::unique_ptr<char[]> bytes;
    std::size_t size;
  };
  std::vector<Piece> pieces_;
  std::size_t piece_ = 0, used_ = 0;  // position of the next text
};

class TextCells {
 public:
  // Begins a chunk; `dictionary` drops the chunk's texts as well.
  void clear() noexcept { store_.clear(); }
  // Adds the features of a cell, valid UTF-8, to the current row, by provisional number (category_numbers.h). Cost
  // O(bytes * ngrams).
  void add(const ColumnPlan::Feature& feature, std::string_view cell, CellDictionary& dictionary, BlockBuffer& rows);
  // Adds the features of a cell whose tokens are hashed.
  void add_hashed(const ColumnPlan::Feature& feature, std::string_view cell, const NameHasher& hasher,
                  HashedChunk& hashed, ParsedChunk& chunk);

 private:
  struct Mark {
    std::uint64_t cell = 0;  // the last cell that has it
    std::size_t place = 0;   // index of its value there
  };
  Tokens tokens_;
  TextStore store_;
  std::vector<Mark> marks_;  // by number in the dictionary
  std::uint64_t cells_ = 0;
  RowNamesBy<std::uint64_t> in_cell_;  // hashes
};

}  // namespace halfspace::stream
