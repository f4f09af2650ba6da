// Hashed names: their features by a fixed rule, and the first of them for the schema.
//
// A name's feature is the first of the table plus the lowest bits of its hash, so that parse makes it final: no
// dictionary of the pass is needed, and nothing depends on the order of rows. Rows are parsed as usual; at the end of a
// chunk, values of a row that fall on one feature are added up.
//
// Thread-safety: NameHasher: keep() belongs to one thread, the rest is safe at any time; HashedChunk: one thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "halfspace/stream/read_options.h"
#include "halfspace/stream/schema.h"
#include "stream/formats/parser.h"
#include "stream/names/known_names.h"

namespace halfspace::stream {

class HashedChunk;

class NameHasher {
 public:
  // Takes the table and the kept names from the schema of the pass.
  void know(const Schema& schema, const ReadOptions& options);

  // Returns whether names are hashed.
  bool on() const noexcept { return mask_ != 0; }
  // Returns the first feature of the table.
  std::uint32_t first() const noexcept { return first_; }
  std::uint32_t feature(std::uint64_t hash) const noexcept {
    return first_ + (static_cast<std::uint32_t>(hash) & mask_);
  }
  // Returns the hash of a name in a column of the schema; the number after the last stands for a column without a name.
  std::uint64_t hash(std::uint32_t column, std::string_view name) const {
    return hash_of_name(name, columns_[column].seed);
  }
  // Returns the seed of a column, for hash_of_hashes.
  std::uint64_t seed(std::uint32_t column) const { return columns_[column].seed; }
  // Returns the feature of a missing value, which is none of the table.
  std::uint32_t missing(std::uint32_t column) const { return columns_[column].missing; }

  // Returns whether the schema may take more names. Once false, it stays so.
  bool wants_names() const noexcept { return wants_names_.load(std::memory_order_relaxed); }
  // Returns true only if the schema has a name of this hash: most of those that come again need no second look.
  bool has(std::uint64_t hash) const noexcept { return had_[hash % had].load(std::memory_order_relaxed) == hash; }
  // Adds the names of a chunk to the schema, until it has as many as it keeps. full_name(column, text) is called for
  // those. `bad_rows`: commit refused rows of the chunk.
  template <class FullName>
  void keep(const HashedChunk& names, const ParsedChunk& chunk, bool bad_rows, const FullName& full_name,
            Schema& schema);
  // Does the same for a table, whose columns are the schema's.
  void keep_of_table(const HashedChunk& names, const ParsedChunk& chunk, bool bad_rows, Schema& schema);

 private:
  struct OfColumn {
    std::uint64_t seed;
    std::uint32_t missing;
  };
  static bool is_bad(const ParsedChunk& chunk, std::uint64_t row);
  void add(const std::string& name, std::uint32_t feature, Schema& schema);

  static constexpr std::size_t had = 1 << 14;
  std::uint32_t first_ = 0, mask_ = 0;
  std::vector<OfColumn> columns_;
  std::atomic<bool> wants_names_ = false;
  std::vector<std::atomic<std::uint64_t>> had_;  // hashes of names of the schema, of which one replaces another
  KnownNames kept_;                              // in one column
};

// What parse of a chunk leaves for its end, and for commit.
class HashedChunk {
 public:
  // A name of a row in the chunk; its text lasts until commit.
  struct Name {
    std::uint64_t row;
    std::uint32_t column;  // of the schema; of Vowpal Wabbit's text a namespace of the chunk
    std::uint64_t hash;
    std::string_view text;
  };

  // `hasher`: null for rows that the schema is inferred from.
  void begin(const NameHasher* hasher) {
    names_.clear();
    hasher_ = hasher != nullptr && hasher->wants_names() ? hasher : nullptr;
  }
  // Returns whether to note a name with this hash.
  bool wants(std::uint64_t hash) const noexcept { return hasher_ != nullptr && !hasher_->has(hash); }
  // Notes a name of the row at hand, which may turn out to be bad.
  void note(const ParsedChunk& chunk, std::uint32_t column, std::uint64_t hash, std::string_view text) {
    names_.push_back({chunk.data_rows, column, hash, text});
  }
  // Ends the chunk: adds up the values of a row that have one feature, and leaves the names of good rows, in their
  // order. A sum that is too large makes its row bad.
  void finish(const NameHasher& hasher, ParsedChunk& chunk);

  const std::vector<Name>& names() const noexcept { return names_; }

 private:
  bool add_up(std::uint32_t first, std::span<std::uint32_t> indices, std::span<double> values, bool& any);
  static void refuse(std::size_t row, ParsedChunk& chunk);

  const NameHasher* hasher_ = nullptr;  // while it wants names
  std::vector<Name> names_;
  RowNames in_row_;
};

template <class FullName>
void NameHasher::keep(const HashedChunk& names, const ParsedChunk& chunk, bool bad_rows, const FullName& full_name,
                      Schema& schema) {
  for (const HashedChunk::Name& name : names.names()) {
    if (!wants_names()) return;
    if (has(name.hash) || (bad_rows && is_bad(chunk, name.row))) continue;
    add(full_name(name.column, name.text), feature(name.hash), schema);
    had_[name.hash % had].store(name.hash, std::memory_order_relaxed);
  }
}

// Whether and how a schema hashes names, from the options of reading.
//
// Thread-safety: pure functions.

// Adds the table of hashed names behind the features of a new schema, whose columns and numeric features are known;
// before it a feature for the missing values of each column. Nothing unless the options ask for it. Throws Error(usage)
// for what cannot be combined with it.
void hash_names(const ReadOptions& options, Schema& schema);

// Throws Error(usage) for options that contradict those of a model.
void check_hashing(const ReadOptions& options, const Schema& schema);

// Names of features that come from texts.
//
// Thread-safety: pure function.

// Returns the name of the feature of a category, token or name in a column: `colour=red`, `note^good`, `user^alice`.
std::string category_name(const Schema& schema, const Column& column, std::string_view category);

}  // namespace halfspace::stream
