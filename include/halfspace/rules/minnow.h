// Minnow: normalised Winnow. Exponentiated gradient, on mistakes only, with the true label.
//
//   s = <w, x>, w in the simplex;   mistake  =>  w_j <- w_j e^(rate * y * x_j) / Z
//
// Used with ExponentialWeights. Guarantee (Littlestone 1988; Kivinen and Warmuth 1997): w* >= 0 with
// y <w*, x> >= margin > 0 on every row and |x_j| <= R on every mistake. If rate * margin > |w*|_1 ln cosh(rate * R),
//   mistakes <= |w*|_1 ln d / (rate * margin - |w*|_1 ln cosh(rate * R)).
// The best rate, with r = margin / (|w*|_1 R), is artanh(r) / R; it gives ln d / KL((1+r)/2 || 1/2) <= 2 ln d / r^2:
// logarithmic in d where the perceptron pays R_2^2, but in the 1-norm of w*. Comparators of both signs: `both_signs` of
// ExponentialWeights runs the same on (x, -x) and replaces d by 2d.
//
// MinnowGuess is for an unknown margin: phases i = 0, 1, ... guess r = 2^-i, use the best rate for it, and restart with
// the next guess as soon as a phase makes more mistakes than its bound allows; the phase with a right guess never ends,
// so the mistakes stay O(ln d / r^2). The radius is learned too: a mistake on a row that exceeds it restarts the phase
// with the radius doubled until it suffices. Cost: O(stored values) a round; O(d) when a phase begins.
#pragma once

#include <cmath>
#include <cstdint>

#include "halfspace/detail/linear/weights/exponential.h"
#include "halfspace/detail/rules/parameter.h"
#include "halfspace/detail/rules/rule_name.h"
#include "halfspace/linear/rule.h"

namespace halfspace {

namespace rule {
inline constexpr RuleName minnow{5};
}  // namespace rule

namespace parameter {
inline constexpr Parameter relative_margin{.name = "relative-margin", .placeholder = "R"};
inline constexpr Parameter radius{.name = "radius", .placeholder = "R"};
inline constexpr Parameter both_signs{.name = "both-signs",
                                      .placeholder = "",
                                      .kind = Parameter::Kind::flag,
                                      .searchable = false,
                                      .off = "positive-weights"};
}  // namespace parameter

// Minnow (minnow.h): |u|_1 ln d / (rate * margin - |u|_1 ln cosh(rate * radius)); infinite when the denominator is
// not positive. `radius` is the largest |x_j|.
double minnow_bound(std::uint64_t dimension, double u_one_norm, double margin, double radius, double rate);

struct Minnow {
  Tie tie = Tie::positive;
  double rate = 1;

  double step(double sign, double score, double /*squared_norm*/, double weight) const {
    return is_mistake(tie, sign, score) ? rate * weight : 0.0;
  }
};

// The largest |x_j| of an example, bias coordinate included.
template <class Value, bool dense>
double infinity_norm(const Example<Value, dense>& x, BiasOptions bias) {
  double largest = bias.position == Bias::none ? 0.0 : std::abs(bias.scale);
  for (std::uint32_t i = 0; i < x.size; ++i) {
    largest = std::max(largest, std::abs(x.value_at(i)));
  }
  return largest;
}

// The bound above at its best rate: ln d / KL((1+r)/2 || 1/2), for relative margin r in (0, 1] and d >= 1.
double minnow_best_bound(double relative_margin, std::uint64_t dimension);
// artanh(r) / R; infinite at r = 1, where Minnow becomes halving.
double minnow_best_rate(double relative_margin, double radius);

struct MinnowGuess {
  static constexpr bool restarts = true;

  Tie tie = Tie::positive;
  // The state of the guessing; `radius` 0: no mistake yet.
  double radius = 0;
  std::uint32_t guess = 1;  // r = 2^-guess; r = 1 would need an infinite rate
  std::uint64_t phase_mistakes = 0;
  std::uint64_t radius_restarts = 0;

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive.number("radius", self.radius, domain::not_negative);
    archive.number("guess", self.guess, domain::count(1, 1023));
    archive.number("phase mistakes", self.phase_mistakes, domain::count(0));
    archive.number("radius restarts", self.radius_restarts, domain::count(0));
  }

  double rate() const { return radius > 0 ? minnow_best_rate(std::ldexp(1.0, -static_cast<int>(guess)), radius) : 0.0; }

  double step(double sign, double score, double /*squared_norm*/, double weight) const {
    return is_mistake(tie, sign, score) && weight > 0 ? 1.0 : 0.0;  // amount() turns the step into a rate
  }

  // Called by the learner on a mistake, before the step. Starts a new phase if the current one must end; returns the
  // amount to step by, 0 if the new phase absorbs the mistake.
  template <class Row>
  double amount(ExponentialWeights& weights, const Row& x, double step) {
    const double largest = infinity_norm(x, weights.bias());
    if (largest > radius) {
      // A row outside the radius of every phase so far. The first radius comes from the first mistake, at no cost.
      const bool first = radius == 0;
      radius = first ? largest : radius;
      while (radius < largest) radius *= 2;
      if (!first) {
        ++radius_restarts;
        phase_mistakes = 0;
        weights.reset();
        return 0;
      }
    }
    ++phase_mistakes;
    const double allowed =
        std::floor(minnow_best_bound(std::ldexp(1.0, -static_cast<int>(guess)), weights.dimension()));
    if (static_cast<double>(phase_mistakes) > allowed) {
      ++guess;
      phase_mistakes = 0;
      weights.reset();
      return 0;
    }
    return rate() * step;
  }
};

}  // namespace halfspace
