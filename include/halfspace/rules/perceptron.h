// The perceptron: on a mistake, step along y x.
//
//   s = <w, x>;   mistake (Tie)  =>  w <- w + rate * weight * y * x
//
// Guarantee (Novikoff 1962; Block 1962): from w = 0, if some w* has y <w*, x> >= margin > 0 on every row, then for any
// rate, any order and any number of passes there are at most (radius * |w*| / margin)^2 mistakes. When no w* separates,
// see bound_search.h. The tie rules differ in the trace, not in the bound. Cost: O(stored values) a round, O(d) memory.
// Source: Rosenblatt, "The perceptron", Psychological Review 65 (1958).
#pragma once

#include "halfspace/detail/rules/rule_name.h"
#include "halfspace/linear/rule.h"

namespace halfspace {

namespace rule {
inline constexpr RuleName perceptron{0};
}  // namespace rule

struct Perceptron {
  static constexpr bool moves_by_sign = true;

  Tie tie = Tie::mistake;
  double rate = 1;

  double step(double sign, double score, double /*squared_norm*/, double weight) const {
    return is_mistake(tie, sign, score) ? rate * weight : 0.0;
  }
};

}  // namespace halfspace
