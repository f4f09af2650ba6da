// Finds the row to report if there are too many features.
//
// Thread-safety: pure function.
#pragma once

#include <cstdint>

#include "halfspace/kernels/example.h"

namespace halfspace::stream {

// Returns the number of the first row with the last of the block's features; 0 if that came earlier.
inline std::uint64_t widest_row(const Block& block) {
  std::uint64_t widest = 0;
  for (std::size_t i = 0; i < block.rows && widest == 0; ++i) {
    block.with_example(i, [&](const auto& x) {
      for (std::uint32_t k = 0; k < x.size; ++k) {
        if ((x.index == nullptr ? k : x.index[k]) + 1 == block.features) widest = x.row;
      }
    });
  }
  return widest;
}

}  // namespace halfspace::stream
