// Weights with a covariance: the state of the second-order rules.
//
// The covariance is a symmetric positive definite matrix C, at first the identity: the uncertainty of each weight, and
// how errors are correlated. A step of length `amount` along x moves w where it is uncertain, and shrinks C there:
//
//   g = C x,  q = <x, g>;   w <- w + amount * g / (q + r),   C <- C - g g' / (q + r)
//
// With A = r C^-1 this is A <- A + x x' (Sherman and Morrison), so that A = r I + the sum of x x' over all steps, and
// ln det(A / r) = the sum of ln(1 + q / r), which is kept for the bounds. A row of weight c counts as c such rows:
// r / c instead of r.
//
// Cost: O(stored values) a score; O(d x stored values + d^2) a step; 8 d^2 bytes for d coordinates, bias included.
// Rounding: both halves of C get the same numbers, so C is symmetric bit for bit. It stays positive definite in exact
// arithmetic only; a q that rounding made negative counts as 0.
//
// Shapes: coordinate 0 is the bias, when there is one; feature j then is coordinate j + 1.
// Throws Error(usage) if the matrix would exceed its memory.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "halfspace/detail/kernels/kernels.h"
#include "halfspace/detail/linear/weights/plain.h"

namespace halfspace {

class CovarianceWeights {
 public:
  using Point = WeightVector;
  static constexpr bool moment_matrix = true;

  // `memory`: limit of the matrix in bytes.
  CovarianceWeights(BiasOptions bias, double regularization, std::uint64_t memory);

  const BiasOptions& bias() const noexcept { return bias_; }
  std::uint32_t features() const noexcept { return static_cast<std::uint32_t>(vector_.w.size()); }
  void grow(std::uint32_t features);
  void extend(WeightVector& earlier) const { earlier.grow(features()); }

  template <class Value, bool dense>
  double score(const Example<Value, dense>& x) const {
    return halfspace::score(vector_, bias_, x);
  }

  template <class Value, bool dense>
  void add(double amount, const Example<Value, dense>& x) {
    std::fill(gain_.begin(), gain_.end(), 0.0);
    const std::size_t first = first_feature();
    for (std::uint32_t i = 0; i < x.size; ++i) add_row(first + x.index[i], x.value_at(i));
    double q = kernels::dot(gain_.data() + first, x, 0.0);
    if (first != 0) {
      add_row(0, bias_.scale);
      q = kernels::dot(gain_.data() + first, x, gain_[0] * bias_.scale);
    }
    step(amount, std::max(q, 0.0), x.weight);
  }

  // Adds every coordinate: each may change.
  template <class Value, bool dense>
  void accumulate(const Example<Value, dense>&, double factor, WeightVector& sum) const {
    sum.grow(features());
    for (std::size_t j = 0; j < vector_.w.size(); ++j) sum.w[j] = std::fma(factor, vector_.w[j], sum.w[j]);
    sum.bias = std::fma(factor, vector_.bias, sum.bias);
  }

  const WeightVector& point() const noexcept { return vector_; }

  // Return the sum of ln(1 + q / r), and the weight of the rows that were stepped along although they were no mistakes
  // (|amount| < 1).
  double unmistaken() const noexcept { return unmistaken_; }
  // Returns entry (i, k) of C, by coordinates.
  double covariance(std::size_t i, std::size_t k) const { return matrix_[i * stride_ + k]; }
  std::size_t coordinates() const noexcept { return size_; }

  // Returns w, the two sums (fields), and as moments the lower triangle of C, row by row.
  const WeightVector& stored() const noexcept { return vector_; }
  void restore(WeightVector w);
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive.number("log determinant", self.log_determinant_, domain::not_negative);
    archive.number("steps without a mistake", self.unmistaken_, domain::not_negative);
  }
  void save_moments(std::vector<double>& moments) const;
  // Throws Error(data) if the number of moments does not match the weights.
  void restore_moments(const std::vector<double>& moments);

 private:
  std::size_t first_feature() const noexcept { return bias_.position == Bias::none ? 0 : 1; }
  void add_row(std::size_t coordinate, double factor);
  void step(double amount, double q, double weight);
  void resize(std::size_t coordinates);

  BiasOptions bias_;
  double regularization_;
  std::uint64_t memory_;
  WeightVector vector_;
  std::size_t size_ = 0, stride_ = 0;  // coordinates, and the allocated number of them
  std::vector<double> matrix_;         // stride_ x stride_; rows and columns beyond size_ are 0
  std::vector<double> gain_;           // C x, of the current step
  double log_determinant_ = 0, unmistaken_ = 0;
};

}  // namespace halfspace
