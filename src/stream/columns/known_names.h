// The feature of each name in the columns of a schema: categories, tokens, the features of Vowpal Wabbit's text.
//
// A name is found by a hash of 64 bits, which whoever asks has computed, and by its bytes. The names stand in the schema's
// columns, and are not kept twice.
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
  // Fetches what find will look at.
  void prefetch(std::uint64_t hash) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[hash & (slots_.size() - 1)]);
  }
  std::uint32_t find(const Schema& schema, std::uint32_t column, std::uint64_t hash, std::string_view text) const;
  // Takes the last name of a column.
  void insert(std::uint32_t column, std::uint32_t place, std::uint64_t hash);

 private:
  struct Slot {
    std::uint64_t hash;
    std::uint32_t column;  // no_feature: free
    std::uint32_t place;   // among the column's categories
  };
  void put(const Slot& slot);

  std::vector<Slot> slots_;  // a power of two, at most half full
  std::size_t used_ = 0;
};

}  // namespace halfspace::stream
