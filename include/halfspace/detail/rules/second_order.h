// The second-order perceptron: a perceptron in the geometry of the rows it erred on.
//
//   A = a I + the sum of x x' over the mistakes so far, v = the sum of y x over them;  w = A^-1 v
//   mistake  =>  A <- A + x x',  v <- v + y x
//
// The paper's score of x is <v, (A + x x')^-1 x>, that is <w, x> / (1 + <x, A^-1 x>): its sign is that of <w, x>, which
// is computed instead. With A = a C^-1 a mistake is one step of CovarianceWeights of length 1 - y s: w moves along C x,
// far in directions of few mistakes, little in those of many.
//
// Guarantee (Cesa-Bianchi, Conconi and Gentile 2005), from w = 0 and for every u, sums over the mistakes:
//   mistakes <= sum of hinge(u) + sqrt((a |u|^2 + sum of <u, x>^2) * ln det(I + S S' / a)),  S S' = sum of x x'
// Against the perceptron's radius^2 |u|^2 it gains when most of the rows' lengths, and u, lie in few directions.
// Cost: O(stored values) a round, O(d^2) a mistake, 8 d^2 bytes.
// Source: "A second-order perceptron algorithm", SIAM Journal on Computing 34 (2005).
#pragma once

#include "halfspace/detail/linear/weights/covariance.h"
#include "halfspace/detail/rules/rule_name.h"
#include "halfspace/linear/rule.h"

namespace halfspace {

namespace rule {
inline constexpr RuleName second_order{7};
}  // namespace rule

struct SecondOrder {
  Tie tie = Tie::positive;

  double step(double sign, double score, double /*squared_norm*/, double weight) const {
    return weight > 0 && is_mistake(tie, sign, score) ? 1 - sign * score : 0.0;
  }
};

}  // namespace halfspace
