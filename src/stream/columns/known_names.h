// Maps each name in the columns of a schema to its feature: categories, tokens, features of Vowpal Wabbit text.
//
// Finds a name by a 64-bit hash, which the caller computes, and by its bytes. The names are stored in the schema's
// columns only.
//
// Thread-safety: one thread per object. Cost O(1) a name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "halfspace/stream/schema.h"

namespace halfspace::stream {

class KnownNames {
 public:
  // Prefetches what find will read.
  void prefetch(std::uint64_t hash) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[hash & (slots_.size() - 1)]);
  }
  std::uint32_t find(const Schema& schema, std::uint32_t column, std::uint64_t hash, std::string_view text) const;
  // Adds the last name of a column.
  void insert(std::uint32_t column, std::uint32_t place, std::uint64_t hash);

 private:
  struct Slot {
    std::uint64_t hash;
    std::uint32_t column;  // no_feature: free
    std::uint32_t place;   // index among the column's categories
  };
  void put(const Slot& slot);

  std::vector<Slot> slots_;  // a power of two, at most half full
  std::size_t used_ = 0;
};

}  // namespace halfspace::stream
