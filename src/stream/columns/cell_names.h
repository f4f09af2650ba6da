// Turns the names in the cells of a chunk into features while the chunk is parsed: the parallel half of tables.
//
// A name that the pass knew when the chunk was begun gets its feature; any other a provisional number, which commit
// replaces (category_numbers.h). Cells of several rows are looked up at a time, so that the memory of many names is
// fetched at once: their values are in the rows before, with an index to come.
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
#include "stream/columns/category_numbers.h"
#include "stream/columns/chunk_names.h"
#include "stream/columns/hashed_names.h"
#include "stream/columns/known_names.h"
#include "stream/columns/name_hash.h"
#include "stream/columns/text_store.h"

namespace halfspace::stream {

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
    const std::uint32_t feature = hasher_->feature(hash);
    rows.add(feature, value);
    if (hashed_.wants_names()) hashed_.note(*chunk_, column, feature, store_.keep(text()));
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
