// Multiplicative weights: an additive rule over them is exponentiated gradient, that is, normalised Winnow.
//
// Thread-safety: value types; concurrent reads are safe.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "halfspace/detail/base/elementary.h"
#include "halfspace/detail/linear/weights/plain.h"
#include "halfspace/linear/keep.h"

namespace halfspace {

// Weights proportional to e^L (positive), or to e^L - e^-L (`both_signs`: Winnow on (x, -x) in 2d coordinates), where
// the logarithms L start at 0 and move by addition. Scores and results are normalised: the (2)d weights
// sum to 1. A weight is kept as e^(L - shift); the shift follows the largest |L|, so that nothing overflows. Cost:
// O(stored values) a score or a step; O(d) now and then, when the shift moves, and for point().
class ExponentialWeights {
 public:
  using Point = WeightVector;

  ExponentialWeights() = default;
  explicit ExponentialWeights(BiasOptions bias, bool both_signs = false) : bias_(bias), both_signs_(both_signs) {
    rebuild();
  }

  const BiasOptions& bias() const noexcept { return bias_; }
  std::uint32_t features() const noexcept { return static_cast<std::uint32_t>(logarithm_.w.size()); }
  // Returns the number of coordinates of the simplex: d or 2d, the bias coordinate included.
  std::uint64_t dimension() const noexcept {
    return (both_signs_ ? 2 : 1) * (logarithm_.w.size() + (bias_.position == Bias::none ? 0 : 1));
  }

  void grow(std::uint32_t features) {
    if (features <= logarithm_.w.size()) return;
    const std::size_t old = logarithm_.w.size();
    logarithm_.w.resize(features, 0.0);
    weight_.w.resize(features, of(0.0));
    total_ += static_cast<double>(features - old) * mass(0.0);
  }

  // Extends an earlier state of these weights to the current features: the missing ones had no share.
  void extend(WeightVector& earlier) const { earlier.grow(features()); }

  template <class Value, bool dense>
  double score(const Example<Value, dense>& x) const {
    const double s = halfspace::score(weight_, bias_, x);
    return s == 0 ? s : s / total_;  // as long as there is no coordinate, nothing to share: the total is 0 too
  }

  template <class Value, bool dense>
  void add(double amount, const Example<Value, dense>& x) {
    double largest = 0;
    for (std::uint32_t i = 0; i < x.size; ++i) {
      largest = std::max(largest, move(logarithm_.w[x.index[i]], weight_.w[x.index[i]], amount * x.value_at(i)));
    }
    if (bias_.position != Bias::none) {
      largest = std::max(largest, move(logarithm_.bias, weight_.bias, amount * bias_.scale));
    }
    peak_ = std::max(peak_, total_);
    // The running total keeps its digits unless it has fallen far below its peak or seen many steps.
    if (largest > shift_ + 300 || total_ < 0.1 * peak_ || ++steps_ == 256) rebuild();
  }

  // Resets to uniform weights: a new phase of the doubling guess.
  void reset() {
    std::fill(logarithm_.w.begin(), logarithm_.w.end(), 0.0);
    logarithm_.bias = 0;
    rebuild();
  }

  WeightVector point() const {
    WeightVector p = weight_;
    const double total = exact_total();
    if (total == 0) return p;
    for (double& value : p.w) value /= total;
    p.bias /= total;
    return p;
  }

  // Return the logarithms, and (fields) the numbers from which the weights were last rebuilt.
  const WeightVector& stored() const noexcept { return logarithm_; }
  void restore(WeightVector logarithm) { logarithm_ = std::move(logarithm); }
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive.number("shift", self.shift_, domain::finite);
    archive.number("total", self.total_, domain::not_negative);
    archive.number("peak", self.peak_, domain::not_negative);
    archive.number("steps", self.steps_, domain::count(0, 255));
  }
  // Finishes restoring, once numbers and logarithms are set.
  void restored();

  // Returns these weights before their first step, without features.
  ExponentialWeights at_start() const { return ExponentialWeights(bias_, both_signs_); }
  void retrace(const VoteStep& step, const Example<double, false>& x) {
    if (step.restart) return reset();
    add(step.amount, x);
  }

 private:
  double of(double logarithm) const {
    if (!both_signs_) return elementary::exp(logarithm - shift_);
    if (std::abs(logarithm) < 1) return 2 * elementary::sinh(logarithm) * elementary::exp(-shift_);
    return elementary::exp(logarithm - shift_) - elementary::exp(-logarithm - shift_);
  }
  double mass(double logarithm) const {
    return both_signs_ ? elementary::exp(logarithm - shift_) + elementary::exp(-logarithm - shift_)
                       : elementary::exp(logarithm - shift_);
  }
  double move(double& logarithm, double& weight, double by) {
    total_ -= mass(logarithm);
    logarithm += by;
    total_ += mass(logarithm);
    weight = of(logarithm);
    return both_signs_ ? std::abs(logarithm) : logarithm;
  }
  double exact_total() const {
    double total = 0;
    for (const double l : logarithm_.w) total += mass(l);
    if (bias_.position != Bias::none) total += mass(logarithm_.bias);
    return total;
  }
  void rebuild();

  BiasOptions bias_;
  bool both_signs_ = false;
  WeightVector logarithm_, weight_;
  double shift_ = 0, total_ = 0, peak_ = 0;
  std::uint64_t steps_ = 0;
};

// Multiplicative updates have no lazy form: the sum is updated before every step, in O(d).
template <>
struct Average<ExponentialWeights> {
  WeightVector sum;
  std::uint64_t counted = 0;  // rounds in `sum`

  explicit Average(const ExponentialWeights&) {}

  void grow(std::uint32_t features) {
    if (features > sum.w.size()) sum.w.resize(features, 0.0);
  }
  template <class X>
  void before_update(const ExponentialWeights& weights, const X&, std::uint64_t finished) {
    count(weights, finished);
  }
  template <class X>
  void after_update(const ExponentialWeights&, const X&, double, Moved, std::uint64_t) {}
  WeightVector point(const ExponentialWeights& weights, std::uint64_t finished) const {
    Average copy = *this;
    copy.count(weights, finished);
    if (finished == 0) return weights.point();
    for (double& value : copy.sum.w) value /= static_cast<double>(finished);
    copy.sum.bias /= static_cast<double>(finished);
    return copy.sum;
  }
  WeightVector& kept() noexcept { return sum; }
  const WeightVector& kept() const noexcept { return sum; }

 private:
  // Features that appeared later had their start share all along; the shares of those rounds are not rewritten.
  void count(const ExponentialWeights& weights, std::uint64_t finished) {
    if (finished == counted) return;
    const double rounds = static_cast<double>(finished - counted);
    const WeightVector now = weights.point();
    grow(static_cast<std::uint32_t>(now.w.size()));
    for (std::size_t j = 0; j < now.w.size(); ++j) sum.w[j] += rounds * now.w[j];
    sum.bias += rounds * now.bias;
    counted = finished;
  }
};

}  // namespace halfspace
