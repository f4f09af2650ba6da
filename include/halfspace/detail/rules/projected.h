// The projected perceptron: a perceptron with bounded weights, which can follow a changing concept.
//
//   mistake  =>  w <- the nearest point to w + rate * y * x with |w| <= U
//
// The rule is Perceptron over ScaledWeights. After about (U / (rate |x|))^2 mistakes, what was learned before them has
// faded. With a U larger than any |w| it is the perceptron.
//
// Guarantee (online gradient descent with projection, Zinkevich 2003), from w = 0 and for every sequence u_1 ... u_T
// with |u_t| <= U and path P = sum |u_(t+1) - u_t|, sums over the mistakes:
//   mistakes <= sum hinge_t(u_t) + (|u_1|^2 + 4 U P) / (2 rate) + rate / 2 * sum |x|^2
// Proof: |w - u_t|^2 falls on a mistake by at least 2 rate (1 - hinge_t(u_t)) - rate^2 |x|^2, as y <w, x> <= 0 and
// drawing back brings w no further from a point of the ball; moving u costs at most 4 U a unit of path. A fixed u has
// P = 0. Cost: O(stored values) a round.
// Source: Zinkevich, "Online convex programming and generalized infinitesimal gradient ascent", ICML 2003; Cavallanti,
// Cesa-Bianchi and Gentile, "Tracking the best hyperplane with a simple budget perceptron", Machine Learning 69 (2007).
#pragma once

#include "halfspace/detail/linear/weights/scaled.h"
#include "halfspace/detail/rules/rule_name.h"
#include "halfspace/rules/perceptron.h"

namespace halfspace {

namespace rule {
inline constexpr RuleName projected{12};
}  // namespace rule

}  // namespace halfspace
