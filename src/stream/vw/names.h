// The feature names of Vowpal Wabbit text: those of one chunk, and those of the whole pass.
//
// Both find a name by a 64-bit hash, computed once while a chunk is parsed, and by its bytes. The names of a chunk are
// views of its text; those of the pass are stored in the schema's columns only.
//
// Thread-safety: one thread per object; `hash` is a pure function. Cost O(1) a name.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "halfspace/stream/schema.h"
#include "stream/columns/known_names.h"

namespace halfspace::stream {

class ChunkNames {
 public:
  struct Entry {
    std::uint64_t hash;
    std::string_view text;
    std::uint32_t space;    // the namespace, as its chunk numbers them
    std::uint32_t row = 0;  // the last row that had the name, counted from 1, and where among its values
    std::uint32_t place = 0;
  };

  static constexpr std::uint32_t none = 0xffffffff;

  // `seed` distinguishes namespaces: the hash of their name.
  static std::uint64_t hash(std::string_view text, std::uint64_t seed);

  void clear();
  // Returns the number of a name, or none: then insert_last assigns it the next number.
  std::uint32_t find(std::uint32_t space, std::uint64_t hash, std::string_view text);
  std::uint32_t insert_last(std::uint32_t space, std::uint64_t hash, std::string_view text);

  Entry& operator[](std::uint32_t number) { return entries_[number]; }
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  void grow();

  std::vector<Entry> entries_;
  std::vector<std::uint32_t> slots_;  // 1 + the number of an entry; 0: free. A power of two, at most half full.
  std::size_t free_ = 0;              // the slot at which find gave up
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

// Returns the names of all columns of a schema, which are namespaces.
KnownNames known_vw_names(const Schema& schema);

}  // namespace halfspace::stream
