// Additive weights: the vector itself, one weight a feature and the bias coordinate.
//
// All kinds of weights (in this folder) have one interface to rules and keepers: the concept in weights.h.
//
// Shapes: `w` has one entry a feature. The bias coordinate of every example is the constant `scale` (c in the
// theorems); `first` and `last` are its position in the sum, which in doubles may decide a tie, and nothing else.
//
// Thread-safety: value types; concurrent reads are safe.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "halfspace/detail/kernels/kernels.h"
#include "halfspace/detail/linear/names.h"
#include "halfspace/detail/linear/state.h"
#include "halfspace/kernels/example.h"

namespace halfspace {

namespace detail {

// Returns <w, x> if the plain sum overflowed although the weights are finite: scales both factors by powers of two, so
// that the sign is right; the value may then be infinite. NaN only if a weight is not finite.
double rescued_score(const WeightVector& v, BiasOptions bias, const std::uint32_t* index, const double* value,
                     std::size_t size);

template <class Value, bool dense>
double rescued_score(const WeightVector& v, BiasOptions bias, const Example<Value, dense>& x) {
  std::vector<double> values(x.size);
  for (std::uint32_t i = 0; i < x.size; ++i) values[i] = x.value_at(i);
  return rescued_score(v, bias, x.index, values.data(), x.size);
}

}  // namespace detail

// Returns <v, x> with the bias coordinate. Finite unless the value itself overflows, or a weight is not finite.
template <class Value, bool dense>
double score(const WeightVector& v, BiasOptions bias, const Example<Value, dense>& x) {
  double s = 0;
  switch (bias.position) {
    case Bias::first:
      s = kernels::dot(v.w.data(), x, v.bias * bias.scale);
      break;
    case Bias::last:
      s = std::fma(v.bias, bias.scale, kernels::dot(v.w.data(), x, 0.0));
      break;
    case Bias::none:
      s = kernels::dot(v.w.data(), x, 0.0);
      break;
  }
  if (std::isfinite(s)) [[likely]]
    return s;
  return detail::rescued_score(v, bias, x);
}

class Weights {
 public:
  using Point = WeightVector;

  Weights() = default;
  explicit Weights(BiasOptions bias, Start start = {}) : bias_(bias), start_(start) {}

  const BiasOptions& bias() const noexcept { return bias_; }
  std::uint32_t features() const noexcept { return static_cast<std::uint32_t>(vector_.w.size()); }

  void grow(std::uint32_t features) { grow(vector_, features); }
  // Extends an earlier state of these weights to the current features.
  void extend(WeightVector& earlier) const { grow(earlier, features()); }

  template <class Value, bool dense>
  double score(const Example<Value, dense>& x) const {
    return halfspace::score(vector_, bias_, x);
  }

  template <class Value, bool dense>
  void add(double amount, const Example<Value, dense>& x) {
    kernels::add(vector_.w.data(), amount, x);
    if (bias_.position != Bias::none) vector_.bias = std::fma(amount, bias_.scale, vector_.bias);
  }
  template <class Value, bool dense>
  void move(double amount, const Example<Value, dense>& x, Moved) {
    add(amount, x);
  }

  // Steps are multiples of rows: a vote can replay them.
  void retrace(const VoteStep& step, const Example<double, false>& x) { add(step.amount, x); }

  // Returns these weights before their first step, without features.
  Weights at_start() const { return Weights(bias_, start_); }
  // Returns weights of the same shape that are 0, whatever the start weights.
  Weights zero() const { return Weights(bias_); }

  const WeightVector& vector() const noexcept { return vector_; }
  WeightVector& vector() noexcept { return vector_; }
  const WeightVector& point() const noexcept { return vector_; }
  const WeightVector& stored() const noexcept { return vector_; }
  void restore(WeightVector stored) { vector_ = std::move(stored); }

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

}  // namespace halfspace
