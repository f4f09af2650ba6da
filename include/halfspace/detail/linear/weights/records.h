// Weights with additional numbers each: the state of the adaptive rules.
//
// RecordWeights is the common part; VarianceWeights (arow_diagonal.h), AdaptiveWeights (adagrad.h), those of FTRL
// (ftrl.h) and others add the step. A record is the weight and its moments; moments start at one number (1 for a
// variance, 0 for a sum). Cost: O(stored values) a score or a step; 8 * numbers bytes a feature.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "halfspace/detail/kernels/record_kernels.h"
#include "halfspace/detail/linear/weights/plain.h"

namespace halfspace {

// `numbers` a record: the weight first.
template <std::size_t numbers>
class RecordWeights {
 public:
  using Point = WeightVector;
  static constexpr std::size_t moments_each = numbers - 1;

  RecordWeights(BiasOptions bias, double first_moment) : bias_(bias) {
    bias_record_.fill(first_moment);
    bias_record_[0] = 0;
    first_ = bias_record_;
  }

  const BiasOptions& bias() const noexcept { return bias_; }
  std::uint32_t features() const noexcept { return static_cast<std::uint32_t>(records_.size() / numbers); }
  void grow(std::uint32_t features);
  void extend(WeightVector& earlier) const { earlier.grow(features()); }

  // Returns <w, x>; the sum has the same terms in the same lanes, and so the same bits, as the score by point().
  template <class Value, bool dense>
  double score(const Example<Value, dense>& x) const {
    return completed(kernels::dot_weights<numbers>(records_.data(), kernels::view(x), first_term()), x);
  }

  // Adds the coordinates of the row, and the bias.
  template <class Value, bool dense>
  void accumulate(const Example<Value, dense>& x, double factor, WeightVector& sum) const {
    sum.grow(features());
    kernels::accumulate_weights<numbers>(records_.data(), x.index, x.size, factor, sum.w.data());
    sum.bias = std::fma(factor, bias_record_[0], sum.bias);
  }

  WeightVector point() const;
  WeightVector stored() const { return point(); }
  void restore(const WeightVector& stored);
  // Saves the moments, those of a feature together, features first, then the bias, if there is one.
  void save_moments(std::vector<double>& moments) const;
  // Throws Error(data) if the number of moments does not match the weights.
  void restore_moments(const std::vector<double>& moments);
  double moment(std::size_t feature, std::size_t which = 0) const { return records_[numbers * feature + 1 + which]; }

 protected:
  // Return the bias coordinate's part of a score, before the features' or after them.
  double first_term() const { return bias_.position == Bias::first ? bias_record_[0] * bias_.scale : 0.0; }
  template <class Value, bool dense>
  double completed(double s, const Example<Value, dense>& x) const {
    if (bias_.position == Bias::last) s = std::fma(bias_record_[0], bias_.scale, s);
    if (std::isfinite(s)) [[likely]]
      return s;
    return detail::rescued_score(point(), bias_, x);
  }

  BiasOptions bias_;
  std::vector<double> records_;
  std::array<double, numbers> bias_record_, first_;
};

using PairedWeights = RecordWeights<2>;

}  // namespace halfspace
