// EG+-, exponentiated gradient: Minnow's steps on every margin below 1, with weights of both signs and 1-norm U.
//
//   w = U (p+ - p-), p in the simplex of 2d coordinates;   y <w, x> < 1  =>  p+-_j <- p+-_j e^(+- rate y x_j) / Z
//
// Used with ExponentialWeights of both signs, whose scores and weights are those of p+ - p-: U scales them and sets
// the required margin, 1 / U. Minnow moves on mistakes alone, and its U does not matter.
//
// Guarantee (Kivinen and Warmuth 1997), for every u with |u|_1 <= U, |x_j| <= R, V steps, sums over them:
//   mistakes <= sum hinge(u) + U ln(2d) / rate + U rate R^2 V / 2
// Proof: KL(u / U || p) falls with each step by at least rate (y <u, x> - y <w, x>) / U - (rate R)^2 / 2 (Hoeffding),
// and y <u, x> - y <w, x> >= hinge(w) - hinge(u); a mistake has hinge(w) >= 1. A feature that appears raises ln Z by at
// most ln(d / (d - 1)), so d is the number at the end. Cost: O(stored values) a round, O(d) now and then. Source:
// "Exponentiated gradient versus gradient descent for linear predictors", Information and Computation 132 (1997).
#pragma once

#include "halfspace/detail/linear/weights/exponential.h"
#include "halfspace/detail/rules/rule_name.h"
#include "halfspace/linear/rule.h"

namespace halfspace {

namespace rule {
inline constexpr RuleName eg{15};
}  // namespace rule

struct ExponentiatedGradient {
  Tie tie = Tie::positive;
  double rate = 0.1;
  double ball = 1;  // U

  double step(double sign, double score, double /*squared_norm*/, double weight) const {
    return sign * score * ball < 1 ? rate * weight : 0.0;
  }
};

}  // namespace halfspace
