// Turns cells of text columns into features: the count of each token, or run of tokens, in the cell.
//
// Thread-safety: one thread per object. Memory: the distinct tokens of a cell, reused from cell to cell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "halfspace/kernels/example.h"
#include "halfspace/stream/schema.h"
#include "stream/columns/cell_names.h"
#include "stream/columns/column_plan.h"
#include "stream/names/known_names.h"
#include "stream/text/tokens.h"

namespace halfspace::stream {

class TextCells {
 public:
  // Adds the features of a cell, valid UTF-8, to the current row. Cost O(bytes * ngrams).
  void add(const ColumnPlan::Feature& feature, std::string_view cell, CellNames& names, BlockBuffer& rows);

 private:
  void add_tokens(bool binary, CellNames& names, BlockBuffer& rows);
  void add_hashed(const ColumnPlan::Feature& feature, CellNames& names, BlockBuffer& rows);

  Tokens tokens_;
  std::size_t begin_ = 0;      // of the cell's values
  std::vector<NameKey> keys_;  // of tokens to be looked up
  std::vector<std::uint32_t> indices_;
  RowNames in_cell_;
  RowNamesBy<std::uint64_t> hashes_in_cell_;
};

// Counts the rows that contain each token of a text column, for tf-idf.
//
// Thread-safety: one thread. Memory: 8 bytes a feature.
class DocumentCounts {
 public:
  // Returns whether a new schema needs counts.
  static bool asked_for(const Schema& schema);

  void add(const Block& block);
  // Sets each token's factor, 1 + ln((1 + rows) / (1 + rows with it)), and unseen_factor to that of no rows.
  void finish(Schema& schema) const;

 private:
  std::uint64_t rows_ = 0;
  std::vector<std::uint64_t> rows_with_;  // by feature
};

}  // namespace halfspace::stream
