// Turns the names in the cells of a chunk into features while the chunk is parsed: the parallel half of tables.
//
// A name that the pass knew when the chunk was begun gets its feature; any other a provisional number, which commit
// replaces. Cells of several rows are looked up at a time, so that the memory of many names is fetched at once: their
// values are in the rows before, with an index to come.
//
// Hashed names get their features at once (hashed_names.h).
//
// Thread-safety: one thread per object. Memory: the new names of a chunk, reused from chunk to chunk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "halfspace/kernels/example.h"
#include "stream/columns/hashed_names.h"
#include "stream/formats/parser.h"
#include "stream/names/known_names.h"

namespace halfspace::stream {

class CellNames;

// A store of texts whose addresses are stable. Thread-safety: one thread per object. Memory: kept by clear().
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

// Provisional numbers of categories and missing values within their chunk: above every feature.
constexpr std::uint32_t first_provisional = 0x80000000;

// What tf-idf multiplies the values of tokens by: constant within a pass.
class TokenFactors {
 public:
  explicit TokenFactors(const Schema& schema);
  bool none() const { return unseen_.empty(); }
  double of(std::uint32_t column, std::uint32_t feature) const {
    if (feature < counted_.size()) return counted_[feature];
    return column < unseen_.size() ? unseen_[column] : 1;
  }

 private:
  std::vector<double> counted_;  // by feature
  std::vector<double> unseen_;   // by column: of a token that no counted row has; 1 where tokens are not counted
};

// Maps new categories and labels of a chunk to final numbers: the serial half of tables, in file order. One thread,
// except for `known` and `factors`, which are safe at any time.
//
// Resolves categories and missing values: index first_provisional + k is the k-th new name of the chunk, with a column
// of the schema and a text that is empty for a missing value.
class CategoryNumbers {
 public:
  // Loads the categories of the schema's columns, or its table of hashed names.
  void know(const Schema& schema, const ReadOptions& options);
  // Loads the factors, which may have been counted since the last pass.
  void begin_pass(const Schema& schema) { factors_ = std::make_shared<TokenFactors>(schema); }
  // Resolves the new names in the chunk's rows, numbered by first appearance in good rows; drops and counts those that
  // the schema may not grow by. Of hashed names keeps the first. `bad_row` is empty if there are none.
  void commit(ParsedChunk& chunk, const CellNames& cells, const std::vector<bool>& bad_row, const ReadOptions& options,
              Schema& schema);

  // Returns the names that are known by now.
  KnownNames::Snapshot known() const { return known_.snapshot(); }
  std::shared_ptr<const TokenFactors> factors() const { return factors_; }
  const NameHasher& hasher() const { return hasher_; }

 private:
  void look_up(const std::vector<ChunkNames::Entry>& names, std::uint32_t limit);
  std::uint32_t new_feature(const ChunkNames::Entry& name, const ReadOptions& options, Schema& schema);

  NameHasher hasher_;
  KnownNames known_;                    // a missing value has the empty name
  std::vector<std::uint32_t> numbers_;  // by provisional number
  std::shared_ptr<const TokenFactors> factors_ = std::make_shared<TokenFactors>(Schema());
};

// Good rows with a new label: what is needed to reject them.
struct NewLabelRow {
  std::size_t row;  // position in the buffer
  std::uint64_t column;
  std::string_view record;
};

// Rejects rows whose label exceeds the class limit. Returns which they are; nothing if there are none.
std::vector<bool> refuse_new_labels(ParsedChunk& chunk, const std::vector<NewLabelRow>& rows,
                                    const ReadOptions& options, Schema& schema);

class CellNames {
 public:
  // Begins a chunk, with the names that are known by now.
  void begin(const CategoryNumbers& numbers, const ParsedChunk& chunk);

  // Adds the value of a name, valid UTF-8, to the current row. The text outlives the commit of the chunk.
  void add(std::uint32_t column, std::string_view text, double value, BlockBuffer& rows) {
    add(column, text, value, false, rows);
  }
  // Adds the value of a name that is copied; returns the copy, which is valid until the row ends.
  std::string_view add_copy(std::uint32_t column, std::string_view text, double value, BlockBuffer& rows) {
    const std::string_view copy = copies_.keep(text);
    add(column, copy, value, true, rows);
    return copy;
  }
  // Ends a row of the buffer, which is in it already, or drops one.
  void end_row(BlockBuffer& rows) {
    if (hasher_ != nullptr) copies_.clear();
    if (cells_.size() >= enough_cells) resolve(rows);
    row_ = cells_.size();
  }
  void drop_row() {
    if (hasher_ != nullptr) copies_.clear();
    cells_.resize(row_);
  }
  // Ends the chunk, whose rows are all there.
  void finish(ParsedChunk& chunk) {
    if (hasher_ != nullptr) {
      hashed_.finish(*hasher_, chunk);
    } else {
      resolve(chunk.rows);
    }
    known_ = {};
  }

  // Returns whether nothing is left for commit.
  bool resolved() const { return names_.entries().empty() && hashed_.names().empty(); }

  // Returns how names are hashed; null if they are not.
  const NameHasher* hasher() const { return hasher_; }
  // Adds the value of a name with this hash; `text()` is called if it may be kept.
  template <class Text>
  void add_hashed(std::uint32_t column, std::uint64_t hash, double value, const Text& text, BlockBuffer& rows) {
    rows.add(hasher_->feature(hash), value);
    if (hashed_.wants(hash)) hashed_.note(*chunk_, column, hash, store_.keep(text()));
  }
  // Returns the names of the chunk that may be kept.
  const HashedChunk& hashed_names() const { return hashed_; }

  // Returns the index of a missing value.
  std::uint32_t missing(std::uint32_t column) {
    if (hasher_ != nullptr) return hasher_->missing(column);
    const NameKey key = key_of(column, {});
    const std::uint32_t feature = known_.find(key);
    return feature == KnownNames::none ? number_new(key, false) : feature;
  }

  // For tokens, which are looked up cell by cell: returns the key of a name, and writes the indices of names, whose
  // texts are copied.
  NameKey key_of(std::uint32_t column, std::string_view text) const {
    const NameKey key{hash_of_name(text, seed_of_names(column)), column, text};
    known_.prefetch(key.hash);
    return key;
  }
  void find_all(std::span<const NameKey> keys, std::uint32_t* indices);
  // Returns what the values of a known token are multiplied by.
  const TokenFactors& factors() const { return *factors_; }

  // Returns the new names, by provisional number; and the limit of the names to which they are new.
  const std::vector<ChunkNames::Entry>& new_names() const { return names_.entries(); }
  std::uint32_t limit() const { return limit_; }

 private:
  static constexpr std::size_t enough_cells = 128;

  struct Cell {
    NameKey key;
    std::size_t place;  // of its index
    bool copied;
  };

  void add(std::uint32_t column, std::string_view text, double value, bool copied, BlockBuffer& rows) {
    if (hasher_ != nullptr) {
      return add_hashed(
          column, hasher_->hash(column, text), value, [&] { return text; }, rows);
    }
    cells_.push_back({key_of(column, text), rows.indices().size(), copied});
    rows.add(first_provisional, value);
  }
  void resolve(BlockBuffer& rows);
  std::uint32_t number_new(const NameKey& key, bool copy);

  const NameHasher* hasher_ = nullptr;  // of the pass, if names are hashed
  const ParsedChunk* chunk_ = nullptr;
  HashedChunk hashed_;
  KnownNames::Snapshot known_;
  std::uint32_t limit_ = 0;
  std::shared_ptr<const TokenFactors> factors_;
  ChunkNames names_;  // that were unknown when the chunk was begun
  TextStore store_;   // their texts, if they are not in the chunk
  std::vector<Cell> cells_;
  std::size_t row_ = 0;  // cells before the current row
  TextStore copies_;     // of cells
  std::vector<std::uint32_t> features_;
};

}  // namespace halfspace::stream
