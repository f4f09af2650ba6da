// The margin perceptron: step along y x whenever the functional margin y s is at most `margin`, a mistake or not.
//
//   s = <w, x>;   y s <= margin  =>  w <- w + rate * weight * y * x
//
// Guarantee, rate 1, from w = 0, on rows a unit w* separates with geometric margin g: at most (radius^2 + 2
// margin) / g^2 updates, and when it halts its geometric margin is above margin * g / (radius^2 + 2 margin), which
// tends to g / 2 as `margin` grows. Another rate acts as margin / rate. Cost: O(stored values) a round. Source: Krauth
// and Mézard (1987); Li et al., "The perceptron algorithm with uneven margins" (2002).
#pragma once

#include "halfspace/detail/rules/parameter.h"
#include "halfspace/detail/rules/rule_name.h"
#include "halfspace/linear/rule.h"

namespace halfspace {

namespace rule {
inline constexpr RuleName margin{1};
}  // namespace rule

namespace parameter {
inline constexpr Parameter margin{.name = "margin", .placeholder = "B"};
}  // namespace parameter

// The margin perceptron's updates (margin_perceptron.h): (radius^2 + 2 margin / rate) |u|^2 / u_margin^2.
double margin_perceptron_bound(double radius_squared, double margin, double rate, double u_squared_norm,
                               double u_margin);

struct MarginPerceptron {
  Tie tie = Tie::mistake;
  double rate = 1;
  double margin = 1;

  double step(double sign, double score, double /*squared_norm*/, double weight) const {
    return sign * score <= margin ? rate * weight : 0.0;
  }
};

}  // namespace halfspace
