// ROMMA, the relaxed online maximum margin algorithm: the shortest w in a half-space that summarizes earlier rows, and
// right by 1 on the current row.
//
//   mistake (aggressive: y <w, x> < 1)  =>  w' = the shortest vector with <w', w> >= |w|^2 and y <w', x> >= 1
//
// from w = 0. With A = |w|^2 |x|^2 and m = y <w, x>:
//   m >= A:  w' = y x / |x|^2, which meets the first by itself (so the first step of all)
//   else:    w' = c w + d y x,   c = (A - m) / (A - m^2),   d = |w|^2 (1 - m) / (A - m^2),   |w'|^2 = c |w|^2 + d
//
// The rule is Romma over RommaWeights. A zero row moves nothing; neither does a row of weight 0, and other weights do
// not matter. Where nothing separates the rows, |w| grows by 1 / sin of the angle between w and x with every mistake:
// beyond 2^500 it is divided by 2^480, which changes no prediction. A row that points against w (sin^2 <= 2^-48)
// leaves no such w' and is skipped.
//
// Guarantee (Li and Long 2002): if y <u, x> >= 1 on every row,  mistakes <= R^2 |u|^2, R = max |x|; both variants.
// Proof: u meets both demands in every round, by induction: of w', being the shortest vector of a convex set that u is
// in, <u, w'> >= |w'|^2. So |w'| <= |u|. And |w'|^2 >= |w|^2 + |w' - w|^2, by the first demand; on a mistake m <= 0, so
// by the second w' is at least 1 / |x| away from w. No step makes w shorter. A row that is skipped, or a division,
// needs R^2 |u|^2 >= 2^48, or |u|^2 >= 2^1000: where u is so long, no bound is offered.
//
// Cost: O(stored values) a round; O(d) every few hundred steps (more often where angles are sharp), and where w
// begins anew.
// Source: Li and Long, "The relaxed online maximum margin algorithm", Machine Learning 46 (2002).
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "halfspace/detail/linear/weights/mean_by_mass.h"
#include "halfspace/detail/linear/weights/plain.h"
#include "halfspace/detail/rules/rule_name.h"
#include "halfspace/linear/keep.h"
#include "halfspace/linear/rule.h"

namespace halfspace {

namespace rule {
inline constexpr RuleName romma{19};
inline constexpr RuleName aggressive_romma{20};
}  // namespace rule

// w = scale * direction, and |w|^2; used by one thread, scores too.
class RommaWeights {
 public:
  using Point = WeightVector;

  explicit RommaWeights(BiasOptions bias) : bias_(bias) {}

  const BiasOptions& bias() const noexcept { return bias_; }
  std::uint32_t features() const noexcept { return static_cast<std::uint32_t>(direction_.w.size()); }
  void grow(std::uint32_t features) { direction_.grow(features); }
  void extend(WeightVector& earlier) const { earlier.grow(features()); }

  template <class Value, bool dense>
  double score(const Example<Value, dense>& x) const {
    return score_ = scale_ * halfspace::score(direction_, bias_, x);
  }

  // A step w' = kept * w + along * y x, |w'|^2, and the sin^2, by whose inverse an error of |w|^2 grows.
  struct Step {
    double kept = 1, along = 0, squared_norm = 0, sine_squared = 1;
  };
  // The step along the row that was scored last; `along` 0: none.
  template <class Value, bool dense>
  Step step_along(const Example<Value, dense>& x) const {
    const double squares = x.squared_norm + bias_.squared();
    const double length = std::sqrt(squared_norm_) * std::sqrt(squares);
    const double margin = x.sign() * score_;
    Step step{.kept = 0, .along = 1 / squares, .squared_norm = 1 / squares};
    if (length > 0 && margin < length * length) {
      const double cosine = margin / length;
      step.sine_squared = (1 - cosine) * (1 + cosine);
      if (!(step.sine_squared > 0x1p-48)) return {};
      step.kept = (1 - cosine / length) / step.sine_squared;
      step.along = (1 - margin) / (squares * step.sine_squared);
      step.squared_norm = step.kept * squared_norm_ + step.along;
    }
    if (step.squared_norm > 0x1p1000) {
      step = {step.kept * 0x1p-480, step.along * 0x1p-480, step.squared_norm * 0x1p-960, step.sine_squared};
    }
    return step.squared_norm <= std::numeric_limits<double>::max() ? step : Step{};
  }

  // Takes the step along the row that was scored last.
  template <class Value, bool dense>
  void add(double /*amount*/, const Example<Value, dense>& x) {
    const Step step = step_along(x);
    kept_ = step.kept;
    squared_norm_ = step.squared_norm;
    trust_ *= step.sine_squared * (1 - 0x1p-8);
    if (kept_ == 0) {
      begin_anew();
    } else {
      scale_ *= kept_;
      if (!(scale_ > 0x1p-250 && scale_ < 0x1p250)) multiply_in();
    }
    const double along = x.sign() * step.along / scale_;
    kernels::add(direction_.w.data(), along, x);
    if (bias_.position != Bias::none) direction_.bias = std::fma(along, bias_.scale, direction_.bias);
    if (trust_ < 0x1p-10) measure();
  }
  // Returns the factor of the last step on w.
  double kept() const noexcept { return kept_; }

  WeightVector point() const {
    WeightVector p = direction_;
    for (double& value : p.w) value *= scale_;
    p.bias *= scale_;
    return p;
  }
  const WeightVector& stored() const noexcept { return direction_; }
  void restore(WeightVector direction) { direction_ = std::move(direction); }
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive.number("scale", self.scale_, domain::positive);
    archive.number("squared norm", self.squared_norm_, domain::not_negative);
    archive.number("trust", self.trust_, Domain{.least = 0, .most = 1, .above = true});
  }

 private:
  void begin_anew() {
    direction_.w.assign(direction_.w.size(), 0.0);
    direction_.bias = 0;
    scale_ = 1;
  }
  void multiply_in() {
    direction_ = point();
    scale_ = 1;
  }
  // Recomputes |w|^2 before accumulated rounding errors become visible.
  void measure() {
    multiply_in();
    squared_norm_ = bias_.position == Bias::none ? 0.0 : direction_.bias * direction_.bias;
    for (const double value : direction_.w) squared_norm_ = std::fma(value, value, squared_norm_);
    trust_ = 1;
  }

  BiasOptions bias_;
  WeightVector direction_;
  double scale_ = 1, squared_norm_ = 0, kept_ = 1;
  double trust_ = 1;          // the product of sin^2 since |w|^2 was measured, a little less with every step
  mutable double score_ = 0;  // of the row that was scored last
};

// A step is w <- c w + a x: divides the mass first. A restarting step (c = 0) finds it in the sum.
template <>
struct Average<RommaWeights> : MeanByMass {
  explicit Average(const RommaWeights&) {}
  template <class X>
  void before_update(const RommaWeights& weights, const X& x, std::uint64_t finished) {
    count(weights, finished, weights.step_along(x).kept);
  }
  template <class X>
  void after_update(const RommaWeights& weights, const X& x, double amount, Moved, std::uint64_t) {
    if (mass == 0) return;
    mass /= weights.kept();
    take_off(weights.bias(), x, amount);
  }
};

struct Romma {
  static constexpr bool looks_at_weights = true;

  Tie tie = Tie::positive;
  bool aggressive = false;

  template <class X>
  double step(double sign, double score, const RommaWeights& weights, const X& x) const {
    if (!(x.weight > 0) || x.squared_norm + weights.bias().squared() == 0) return 0;
    const bool moves = is_mistake(tie, sign, score) || (aggressive && sign * score < 1);
    return moves ? weights.step_along(x).along : 0.0;
  }
};

}  // namespace halfspace
