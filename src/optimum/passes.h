// Passes over the rows, in parts: a function of the data, so that sums do not depend on threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "halfspace/stream/rows.h"
#include "optimum/row_view.h"

namespace halfspace::optimum {

class Passes {
 public:
  explicit Passes(const Rows& rows) : rows_(rows) {
    for (std::size_t b = 0; b < rows.blocks(); ++b) {
      stored_ += rows.block(b).stored();
      rows.release(b);
    }
  }

  const Rows& rows() const { return rows_; }
  std::size_t features() const { return rows_.features(); }
  std::uint64_t stored() const { return stored_; }
  // Passes over all rows, or some.
  std::uint64_t count() const { return count_; }

  // Returns into how many parts to cut work on so many stored values, whose sums of `size` numbers are to be added up
  // then: at most a quarter of the work.
  std::size_t parts(std::uint64_t stored, std::uint64_t size) const {
    const std::uint64_t most = std::clamp<std::uint64_t>(rows_.blocks(), 1, 16);
    return static_cast<std::size_t>(std::clamp<std::uint64_t>(stored / (4 * size), 1, most));
  }

  // Calls each(part, b, room) for every block b, in parallel; for the blocks of one part in order.
  template <class Each>
  void for_blocks(std::size_t parts, const Each& each) {
    ++count_;
    in_parallel(parts, 1, [&](std::size_t part, std::size_t) {
      UnpackBuffer room;
      const std::size_t begin = rows_.blocks() * part / parts, end = rows_.blocks() * (part + 1) / parts;
      for (std::size_t b = begin; b < end; ++b) {
        each(part, b, room);
        rows_.release(b);
      }
    });
  }

  // Returns the sum of the vectors that each(sum, b, room) adds to.
  template <class Each>
  std::vector<double> sum_of(std::uint64_t stored, std::size_t size, const Each& each) {
    const std::size_t count = parts(stored, size);
    std::vector<std::vector<double>> sums(count, std::vector<double>(size, 0.0));
    for_blocks(count, [&](std::size_t part, std::size_t b, UnpackBuffer& room) { each(sums[part], b, room); });
    for (std::size_t part = 1; part < count; ++part) {
      for (std::size_t j = 0; j < size; ++j) sums[0][j] += sums[part][j];
    }
    return std::move(sums[0]);
  }

 private:
  const Rows& rows_;
  std::uint64_t stored_ = 0, count_ = 0;
};

// Sums of products, in four lanes.
inline double inner(std::span<const double> a, std::span<const double> b) {
  double lane[4] = {0, 0, 0, 0};
  std::size_t j = 0;
  for (; j + 4 <= a.size(); j += 4) {
    for (std::size_t r = 0; r < 4; ++r) lane[r] += a[j + r] * b[j + r];
  }
  for (std::size_t r = 0; j < a.size(); ++j, ++r) lane[r] += a[j] * b[j];
  return (lane[0] + lane[2]) + (lane[1] + lane[3]);
}

// Sets a = a + t b.
inline void add_multiple(std::span<double> a, double t, std::span<const double> b) {
  for (std::size_t j = 0; j < a.size(); ++j) a[j] += t * b[j];
}

}  // namespace halfspace::optimum
