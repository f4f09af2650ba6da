// The feature names of Vowpal Wabbit text: those of one chunk that the pass does not know yet, their hashes, and those
// that are whole numbers.
//
// Names are found by a 64-bit hash, computed once while a chunk is parsed, and by their bytes. The names of a chunk are
// views of its text; those of the pass are stored in the schema's columns only (KnownNames).
//
// Thread-safety: one thread per object, except for SpaceColumns; constant members are safe. Cost O(1) a name.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "halfspace/stream/schema.h"
#include "stream/columns/known_names.h"
#include "stream/columns/name_hash.h"

namespace halfspace::stream {

class ChunkNames {
 public:
  struct Entry {
    std::uint64_t hash;
    std::string_view text;
    std::uint32_t space;  // the namespace, as its chunk numbers them
  };

  static constexpr std::uint32_t none = 0xffffffff;

  void clear();
  void prefetch(std::uint64_t hash) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[hash & (slots_.size() - 1)]);
  }
  // Returns the number of a name, or none: then insert_last assigns it the next number.
  std::uint32_t find(std::uint32_t space, std::uint64_t hash, std::string_view text);
  std::uint32_t insert_last(std::uint32_t space, std::uint64_t hash, std::string_view text);

  const std::vector<Entry>& entries() const { return entries_; }

 private:
  void grow();
  static std::uint64_t slot_of(std::uint64_t hash, std::size_t number) { return hash >> 32 << 32 | (number + 1); }

  std::vector<Entry> entries_;
  std::vector<std::uint64_t> slots_;  // half a hash, and 1 + a number; 0: free. A power of two, at most half full.
  std::size_t free_ = 0;              // the slot at which find gave up
};

// Returns the seed of the hashes of a namespace's names.
std::uint64_t seed_of_space(std::string_view space);

// The columns of namespaces, for all threads.
class SpaceColumns {
 public:
  // Returns the namespace's column, or Column::no_feature.
  std::uint32_t find(std::string_view space) const;
  void insert(std::string_view space, std::uint32_t column);

 private:
  mutable std::mutex mutex_;
  std::unordered_map<std::string, std::uint32_t> columns_;
};

// Finds the names that occur several times in a row.
class RowNames {
 public:
  static constexpr std::uint32_t none = 0xffffffff;

  // Begins a row.
  void clear();
  // Makes room for as many more.
  void expect(std::size_t count);
  // Returns the place of a name that is in the row; adds others there, and returns none.
  std::uint32_t find_or_insert(std::uint32_t name, std::uint32_t place);

 private:
  struct Slot {
    std::uint32_t row = 0, name = 0, place = 0;
  };
  Slot& slot_of(std::uint32_t name);

  std::vector<Slot> slots_ = std::vector<Slot>(64);  // a power of two, at most half full
  std::uint32_t row_ = 0;                            // slots of other rows are free
  std::size_t used_ = 0;
};

// The features of names in one column that are canonical whole numbers, in a table by number. It may lack numbers that
// are large for how many there are.
class IntegerNames {
 public:
  // Returns the number that a name of at most 8 digits is.
  static std::optional<std::uint32_t> integer(std::string_view name);

  // Returns features by number: no_feature if the table lacks it.
  std::span<const std::uint32_t> features() const { return features_; }
  // Adds the column's names since the last call.
  void take(const Column& column);

 private:
  std::vector<std::uint32_t> features_;  // by number
  std::size_t taken_ = 0;                // names of the column
  std::size_t integers_ = 0;             // among them
  std::uint32_t greatest_ = 0;
};

// Adds the names of all columns of a schema, which are namespaces.
void know_vw_names(const Schema& schema, KnownNames& known);

}  // namespace halfspace::stream
