// Passive-aggressive learning: whenever the hinge loss is positive, moves just far enough to remove it.
//
//   s = <w, x>;  loss = max(0, 1 - y s);  w <- w + step * y * x  with
//     PA     step = loss / |x|^2
//     PA-I   step = min(C, loss / |x|^2)
//     PA-II  step = loss / (|x|^2 + 1 / (2 C))
//
// C, the aggressiveness, is multiplied by the weight of the example; PA has none, and there only a weight of 0 matters
// (the row is skipped). A zero vector moves nothing.
//
// Guarantee (Crammer et al. 2006), from w = 0 and for every u with hinge losses l*_t:
//   PA     sum of loss^2 <= radius^2 |u|^2 when all l* = 0, hence as many mistakes at most; else, from the same proof,
//          radius^2 (sqrt(B) + sqrt(B + |u|^2))^2 with B the sum of l*^2 / |x|^2
//   PA-I   mistakes <= max(radius^2, 1/C) (|u|^2 + 2 C sum l*)
//   PA-II  sum of loss^2 <= (radius^2 + 1/(2C)) (|u|^2 + 2 C sum l*^2)
// Cost: O(stored values) a round. Source: Crammer, Dekel, Keshet, Shalev-Shwartz, Singer, JMLR 7 (2006).
#pragma once

#include <algorithm>
#include <cmath>

#include "halfspace/detail/bounds/passive_aggressive.h"
#include "halfspace/detail/rules/rule_name.h"
#include "halfspace/linear/rule.h"

namespace halfspace {

namespace rule {
inline constexpr RuleName pa{2};
inline constexpr RuleName pa1{3};
inline constexpr RuleName pa2{4};
}  // namespace rule

template <Aggression variant>
struct PassiveAggressive {
  Tie tie = Tie::positive;
  double aggressiveness = 1;  // C > 0; not used by PA

  double step(double sign, double score, double squared_norm, double weight) const {
    const double loss = 1 - sign * score;
    if (!(loss > 0) || squared_norm == 0 || weight == 0) return 0;
    if constexpr (variant == Aggression::full) return loss / squared_norm;
    if constexpr (variant == Aggression::capped) return std::min(aggressiveness * weight, loss / squared_norm);
    return loss / (squared_norm + 1 / (2 * aggressiveness * weight));
  }
};

}  // namespace halfspace
