// The Cholesky factor of a symmetric matrix that is positive definite, or nearly so.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace halfspace::optimum {

// Row i of the lower triangle begins at i (i + 1) / 2.
inline std::size_t triangle_row(std::size_t i) { return i * (i + 1) / 2; }

class Cholesky {
 public:
  // Factors the matrix whose lower triangle this is, row by row. A pivot that rounding has eaten becomes a small part of
  // its diagonal.
  void factor(std::vector<double> triangle);
  std::size_t size() const { return size_; }
  // Solves A x = b in place.
  void solve(std::span<double> b) const;

 private:
  std::size_t size_ = 0;
  std::vector<double> lower_;
};

}  // namespace halfspace::optimum
