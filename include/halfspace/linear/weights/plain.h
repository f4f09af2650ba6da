// The state of a linear learner: one weight a feature, and the bias coordinate.
//
// Weights is the vector itself (w moves by addition). ExponentialWeights is its multiplicative sister (the logarithm of
// the weights moves by addition): with it in place of Weights an additive rule becomes exponentiated gradient, that is,
// normalised Winnow. Both give the same interface to rules and keepers:
//
//   grow(features)       more features have appeared; their weights are the start weights
//   score(x)             <w, x>, bias coordinate included
//   add(amount, x)       one step along x
//   point()              the vector as it would be handed out (what a model stores and predicts with)
//
// Shapes: `w` has one entry a feature. The bias coordinate of every example is the constant `scale` (c in the
// theorems); `first` and `last` say where it stands in the sum, which in doubles may decide a tie, and nothing else.
//
// Thread-safety: value types; concurrent reads are safe.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "halfspace/kernels/example.h"
#include "halfspace/kernels/kernels.h"

namespace halfspace {

enum class Bias : std::uint8_t { none = 0, first = 1, last = 2 };

struct BiasOptions {
  Bias place = Bias::last;
  double scale = 1;

  // What the bias coordinate adds to the squared norm of an example.
  double squared() const noexcept { return place == Bias::none ? 0.0 : scale * scale; }
  bool operator==(const BiasOptions&) const = default;
};

// A point of weight space: what is handed out, compared, stored.
struct WeightVector {
  std::vector<double> w;
  double bias = 0;  // the weight of the bias coordinate; what it adds to a score is bias * scale

  void grow(std::uint32_t features) {
    if (features > w.size()) w.resize(features, 0.0);
  }
  // this - other / divisor, where other may be shorter.
  void subtract(const WeightVector& other, double divisor) {
    for (std::size_t j = 0; j < other.w.size(); ++j) w[j] -= other.w[j] / divisor;
    bias -= other.bias / divisor;
  }
  bool operator==(const WeightVector&) const = default;
};

namespace detail {

// <w, x> when the plain sum overflowed although the weights are finite: both factors scaled by powers of two, so that
// the sign is right; the value may then be infinite, never NaN. NaN only when a weight is not finite.
double rescued_score(const WeightVector& v, BiasOptions bias, const std::uint32_t* index, const double* value,
                     std::size_t size);

template <class Value, bool dense>
double rescued_score(const WeightVector& v, BiasOptions bias, const Example<Value, dense>& x) {
  std::vector<double> values(x.size, 1.0);
  if constexpr (!std::is_same_v<Value, One>) values.assign(x.value, x.value + x.size);
  return rescued_score(v, bias, x.index, values.data(), x.size);
}

}  // namespace detail

// <v, x> with the bias coordinate. Finite unless the value itself is beyond the doubles, or a weight is.
template <class Value, bool dense>
double score(const WeightVector& v, BiasOptions bias, const Example<Value, dense>& x) {
  double s;
  switch (bias.place) {
    case Bias::first:
      s = kernels::dot(v.w.data(), x, v.bias * bias.scale);
      break;
    case Bias::last:
      s = std::fma(v.bias, bias.scale, kernels::dot(v.w.data(), x, 0.0));
      break;
    default:
      s = kernels::dot(v.w.data(), x, 0.0);
  }
  if (std::isfinite(s)) [[likely]]
    return s;
  return detail::rescued_score(v, bias, x);
}

// Where the weights start: at zero, or small and random, each a function of the seed and its own coordinate alone, so
// that features may appear in any order. The bias coordinate starts at zero.
struct Start {
  bool small = false;
  std::uint64_t seed = 1;

  // The start weight of a coordinate: 0, or uniform in [-0.01, 0.01).
  double weight(std::uint64_t coordinate) const;
  bool operator==(const Start&) const = default;
};

// The classes that one update moved; both 0 outside multiclass learning.
struct Moved {
  std::uint32_t raised = 0, lowered = 0;
  bool operator==(const Moved&) const = default;
};

class Weights {
 public:
  Weights() = default;
  explicit Weights(BiasOptions bias, Start start = {}) : bias_(bias), start_(start) {}

  const BiasOptions& bias() const noexcept { return bias_; }
  std::uint32_t features() const noexcept { return static_cast<std::uint32_t>(vector_.w.size()); }

  void grow(std::uint32_t features) { grow(vector_, features); }
  // Brings an earlier state of these weights up to today's features.
  void extend(WeightVector& earlier) const { grow(earlier, features()); }

  template <class Value, bool dense>
  double score(const Example<Value, dense>& x) const {
    return halfspace::score(vector_, bias_, x);
  }

  template <class Value, bool dense>
  void add(double amount, const Example<Value, dense>& x) {
    kernels::add(vector_.w.data(), amount, x);
    if (bias_.place != Bias::none) vector_.bias = std::fma(amount, bias_.scale, vector_.bias);
  }
  template <class Value, bool dense>
  void move(double amount, const Example<Value, dense>& x, Moved) {
    add(amount, x);
  }

  // Weights of the same shape that are 0, whatever these start at.
  Weights zero() const { return Weights(bias_); }

  const WeightVector& vector() const noexcept { return vector_; }
  WeightVector& vector() noexcept { return vector_; }
  const WeightVector& point() const noexcept { return vector_; }

 private:
  void grow(WeightVector& vector, std::uint32_t features) const {
    const std::size_t old = vector.w.size();
    vector.grow(features);
    if (!start_.small) return;
    for (std::size_t j = old; j < vector.w.size(); ++j) vector.w[j] = start_.weight(j);
  }

  BiasOptions bias_;
  Start start_;
  WeightVector vector_;
};

// Weights proportional to e^L (positive), or to e^L - e^-L (`both_signs`: Winnow on (x, -x) in 2d coordinates), where
// the logarithms L start at 0 and move by addition. Scores and the point handed out are normalised: the (2)d weights
// sum to 1. A weight is kept as e^(L - shift); the shift follows the largest |L|, so that nothing overflows. Cost:
// O(stored values) a score or a step; O(d) now and then, when the shift moves, and for point().
class ExponentialWeights {
 public:
  ExponentialWeights() = default;
  explicit ExponentialWeights(BiasOptions bias, bool both_signs = false) : bias_(bias), both_signs_(both_signs) {
    rebuild();
  }

  const BiasOptions& bias() const noexcept { return bias_; }
  std::uint32_t features() const noexcept { return static_cast<std::uint32_t>(logarithm_.w.size()); }
  // The number of coordinates the weights are spread over: d or 2d, the bias coordinate counted.
  std::uint64_t dimension() const noexcept {
    return (both_signs_ ? 2 : 1) * (logarithm_.w.size() + (bias_.place == Bias::none ? 0 : 1));
  }

  void grow(std::uint32_t features) {
    if (features <= logarithm_.w.size()) return;
    const std::size_t old = logarithm_.w.size();
    logarithm_.w.resize(features, 0.0);
    weight_.w.resize(features, of(0.0));
    total_ += static_cast<double>(features - old) * mass(0.0);
  }

  // Brings an earlier state of these weights up to today's features: what was not there had no share.
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
      double value = 1.0;
      if constexpr (!std::is_same_v<Value, One>) value = static_cast<double>(x.value[i]);
      largest = std::max(largest, move(logarithm_.w[x.index[i]], weight_.w[x.index[i]], amount * value));
    }
    if (bias_.place != Bias::none) {
      largest = std::max(largest, move(logarithm_.bias, weight_.bias, amount * bias_.scale));
    }
    peak_ = std::max(peak_, total_);
    // The running total keeps its digits as long as it has neither fallen far below its peak nor seen many steps.
    if (largest > shift_ + 300 || total_ < 0.1 * peak_ || ++steps_ == 256) rebuild();
  }

  // Back to uniform weights: a new phase of the doubling guess.
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

  // What a model stores to continue bit for bit: the logarithms, and the numbers that say how the weights were last
  // rebuilt from them.
  const WeightVector& state() const noexcept { return logarithm_; }
  std::array<double, 4> numbers() const noexcept { return {shift_, total_, peak_, static_cast<double>(steps_)}; }
  void restore(WeightVector logarithm, const std::array<double, 4>& numbers);

 private:
  double of(double logarithm) const {
    if (!both_signs_) return std::exp(logarithm - shift_);
    if (std::abs(logarithm) < 1) return 2 * std::sinh(logarithm) * std::exp(-shift_);
    return std::exp(logarithm - shift_) - std::exp(-logarithm - shift_);
  }
  double mass(double logarithm) const {
    return both_signs_ ? std::exp(logarithm - shift_) + std::exp(-logarithm - shift_) : std::exp(logarithm - shift_);
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
    if (bias_.place != Bias::none) total += mass(logarithm_.bias);
    return total;
  }
  void rebuild();

  BiasOptions bias_;
  bool both_signs_ = false;
  WeightVector logarithm_, weight_;
  double shift_ = 0, total_ = 0, peak_ = 0;
  std::uint64_t steps_ = 0;
};

}  // namespace halfspace
