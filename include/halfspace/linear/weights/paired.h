// Weights with a second number each, kept beside one another: the state of diagonal AROW and of AdaGrad.
//
// PairedWeights holds what the two have in common; VarianceWeights (arow_diagonal.h) and AdaptiveWeights (adagrad.h)
// add the step. Moments start at 1 (a variance) or 0 (a sum of squares). Cost: O(stored values) a score or a step; 16
// bytes a feature.
//
// Thread-safety: value types.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "halfspace/kernels/pair_kernels.h"
#include "halfspace/linear/weights/plain.h"

namespace halfspace {

class PairedWeights {
 public:
  using Point = WeightVector;
  static constexpr bool moment_each = true;  // never negative

  PairedWeights(BiasOptions bias, double first_moment)
      : bias_(bias), first_moment_(first_moment), bias_moment_(first_moment) {}

  const BiasOptions& bias() const noexcept { return bias_; }
  std::uint32_t features() const noexcept { return static_cast<std::uint32_t>(pairs_.size() / 2); }
  void grow(std::uint32_t features);
  void extend(WeightVector& earlier) const { earlier.grow(features()); }

  // Returns <w, x>; the sum has the terms, the lanes and so the bits of the score by point().
  template <class Value, bool dense>
  double score(const Example<Value, dense>& x) const {
    return completed(kernels::dot_weights(pairs_.data(), kernels::view(x), first_term()), x);
  }

  // Adds the coordinates of the row, and the bias.
  template <class Value, bool dense>
  void accumulate(const Example<Value, dense>& x, double factor, WeightVector& sum) const {
    sum.grow(features());
    kernels::accumulate_weights(pairs_.data(), x.index, x.size, factor, sum.w.data());
    sum.bias = std::fma(factor, bias_weight_, sum.bias);
  }

  WeightVector point() const;
  WeightVector stored() const { return point(); }
  void restore(const WeightVector& stored);
  // Saves the moments, features first, the bias last when there is one.
  void save_moments(std::vector<double>& moments) const;
  // Throws Error(data) when they are not one a weight.
  void restore_moments(const std::vector<double>& moments);
  double moment(std::size_t feature) const { return pairs_[2 * feature + 1]; }
  double bias_moment() const noexcept { return bias_moment_; }

 protected:
  // Give the bias coordinate's part of a score, before the features' or after them.
  double first_term() const { return bias_.place == Bias::first ? bias_weight_ * bias_.scale : 0.0; }
  template <class Value, bool dense>
  double completed(double s, const Example<Value, dense>& x) const {
    if (bias_.place == Bias::last) s = std::fma(bias_weight_, bias_.scale, s);
    if (std::isfinite(s)) [[likely]]
      return s;
    return detail::rescued_score(point(), bias_, x);
  }

  BiasOptions bias_;
  double first_moment_;
  std::vector<double> pairs_;
  double bias_weight_ = 0, bias_moment_;
};

}  // namespace halfspace
