// Weights inside a ball: after every step, w is projected to the nearest point of |w|_2 <= U.
//
// The projection multiplies all weights, so w is stored as scale * direction, with |w|^2: O(stored values) a step, and
// O(d) occasionally, when the scale has become so small that it is multiplied in.
//
// A step changes the mean of such weights (MeanByMass) along the row only, too.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "halfspace/detail/linear/weights/mean_by_mass.h"
#include "halfspace/detail/linear/weights/plain.h"
#include "halfspace/linear/keep.h"

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
    if (bias_.position != Bias::none) direction_.bias = std::fma(along, bias_.scale, direction_.bias);
    drawn_ = 1;
    if (squared_norm_ > ball_ * ball_) draw_back();
  }

  // Returns the factor that the last step applied to the weights after moving them: at most 1.
  double drawn() const noexcept { return drawn_; }
  double squared_norm() const noexcept { return squared_norm_; }

  WeightVector point() const;

  // Returns the direction, and (fields) its scale and |w|^2.
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

// A step is w <- c (w + a x): subtracts the mass along x first, and divides it afterwards.
template <>
struct Average<ScaledWeights> : MeanByMass {
  explicit Average(const ScaledWeights&) {}
  template <class X>
  void before_update(const ScaledWeights& weights, const X&, std::uint64_t finished) {
    count(weights, finished, 1);
  }
  template <class X>
  void after_update(const ScaledWeights& weights, const X& x, double amount, Moved, std::uint64_t) {
    take_off(weights.bias(), x, amount);
    mass /= weights.drawn();
  }
};

}  // namespace halfspace
