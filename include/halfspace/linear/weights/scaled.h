// Weights inside a ball: after every step, w is drawn back to the nearest point of |w|_2 <= U.
//
// Drawing back multiplies all weights, so w is kept as scale * direction, and |w|^2 beside it: O(stored values) a step,
// and O(d) now and then, when the scale has grown so small that it is multiplied in.
//
// The mean of such weights is kept as sum + mass * w (Average below), which a step changes along the row only.
//
// Thread-safety: value types.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "halfspace/linear/keep.h"
#include "halfspace/linear/weights/plain.h"

namespace halfspace {

class ScaledWeights {
 public:
  using Point = WeightVector;

  ScaledWeights(BiasOptions bias, double ball) : bias_(bias), ball_(ball) {}

  const BiasOptions& bias() const noexcept { return bias_; }
  std::uint32_t features() const noexcept { return static_cast<std::uint32_t>(direction_.w.size()); }
  void grow(std::uint32_t features) { direction_.grow(features); }
  void extend(WeightVector& earlier) const { earlier.grow(features()); }

  template <class Value, bool dense>
  double score(const Example<Value, dense>& x) const {
    return scale_ * halfspace::score(direction_, bias_, x);
  }

  template <class Value, bool dense>
  void add(double amount, const Example<Value, dense>& x) {
    const double squares = x.squared_norm + bias_.squared();
    squared_norm_ = std::max(0.0, squared_norm_ + amount * (2 * score(x) + amount * squares));
    const double along = amount / scale_;
    kernels::add(direction_.w.data(), along, x);
    if (bias_.place != Bias::none) direction_.bias = std::fma(along, bias_.scale, direction_.bias);
    drawn_ = 1;
    if (squared_norm_ > ball_ * ball_) draw_back();
  }

  // Returns what the last step multiplied the weights by, after it: at most 1.
  double drawn() const noexcept { return drawn_; }
  double squared_norm() const noexcept { return squared_norm_; }

  WeightVector point() const;

  // Gives the direction, and (fields) its scale and |w|^2.
  const WeightVector& stored() const noexcept { return direction_; }
  void restore(WeightVector direction) { direction_ = std::move(direction); }
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive.number("scale", self.scale_, domain::positive);
    archive.number("squared norm", self.squared_norm_, domain::not_negative);
  }

 private:
  void draw_back();

  BiasOptions bias_;
  double ball_;
  WeightVector direction_;
  double scale_ = 1, squared_norm_ = 0, drawn_ = 1;
};

// The sum of the weights after each round is sum + (mass + rounds not counted yet) * w: a step w <- c (w + a x) takes
// mass * a off along x, and divides the mass by c. When that has made the mass large, it goes into the sum, in O(d).
template <>
struct Average<ScaledWeights> {
  WeightVector sum;
  double mass = 0;
  std::uint64_t counted = 0;  // rounds in sum and mass

  explicit Average(const ScaledWeights&) {}
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive.number("mass", self.mass, domain::not_negative);
  }

  void grow(std::uint32_t features) { sum.grow(features); }
  template <class X>
  void before_update(const ScaledWeights& weights, const X&, std::uint64_t finished) {
    mass += static_cast<double>(finished - counted);
    counted = finished;
    if (mass > 16 * (static_cast<double>(finished) + 1)) {
      add(weights.point(), mass);
      mass = 0;
    }
  }
  template <class X>
  void after_update(const ScaledWeights& weights, const X& x, double amount, Moved, std::uint64_t) {
    kernels::add(sum.w.data(), -mass * amount, x);
    if (weights.bias().place != Bias::none) sum.bias = std::fma(-mass * amount, weights.bias().scale, sum.bias);
    mass /= weights.drawn();
  }
  WeightVector point(const ScaledWeights& weights, std::uint64_t finished) const {
    if (finished == 0) return weights.point();
    Average copy = *this;
    copy.add(weights.point(), mass + static_cast<double>(finished - counted));
    for (double& value : copy.sum.w) value /= static_cast<double>(finished);
    copy.sum.bias /= static_cast<double>(finished);
    return copy.sum;
  }
  WeightVector& kept() noexcept { return sum; }
  const WeightVector& kept() const noexcept { return sum; }

 private:
  void add(const WeightVector& w, double factor) {
    sum.grow(static_cast<std::uint32_t>(w.w.size()));
    for (std::size_t j = 0; j < w.w.size(); ++j) sum.w[j] += factor * w.w[j];
    sum.bias += factor * w.bias;
  }
};

}  // namespace halfspace
