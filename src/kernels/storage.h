// What a block needs to know of its values, found in one pass over them.
//
// Thread-safety: a pure function. Cost O(stored values).
#pragma once

#include <cstddef>
#include <cstdint>

namespace halfspace::kernels {

struct Storage {
  bool ones = true;            // every value is 1
  bool narrow = true;          // every value is a float
  bool dense = true;           // the indices of every row are 0, 1, 2 ...
  std::uint32_t features = 0;  // the largest index, and 1
  std::uint64_t zeros = 0;
};

// Row i of `rows` is [offset[i], offset[i + 1]). Fills squared_norm, by the contract of kernels.h, and, when the values
// are narrow, `narrow` with their floats; else its content is unspecified.
Storage look_at_values(std::size_t rows, const std::uint64_t* offset, const std::uint32_t* index, const double* value,
                       double* squared_norm, float* narrow);

}  // namespace halfspace::kernels
