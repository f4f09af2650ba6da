// The Cholesky factor L of a Gram matrix K = L L', extended row by row; for projections on the span of vectors whose
// inner products alone are known.
//
// Cost: O(n^2) a call; 4 n^2 bytes. Rows are contiguous, so both solves walk along rows: the forward one by dot
// products, the backward one by scaled additions (kernels.h). Invariant: the diagonal is positive.
// Thread-safety: value type; concurrent reads are safe.
#pragma once

#include <cstddef>
#include <vector>

namespace halfspace {

class GramFactor {
 public:
  std::size_t size() const noexcept { return size_; }

  // Solves L z = k, where k holds the inner products of a vector with the `size()` previous ones: |z| is the length of
  // its projection, and z, with the length of the residual, the next row of L.
  void forward(const std::vector<double>& k, std::vector<double>& z) const;
  // Solves L' d = z: the projection is the sum of d_i times vector i.
  void backward(const std::vector<double>& z, std::vector<double>& d) const;
  // Appends a vector: its row z, and its residual, > 0.
  void append(const std::vector<double>& z, double residual);

 private:
  const double* row(std::size_t i) const { return factor_.data() + i * (i + 1) / 2; }

  std::vector<double> factor_;
  std::size_t size_ = 0;
};

}  // namespace halfspace
