// AROW, adaptive regularisation of weights: a Gaussian over the weights, moved by every margin below 1.
//
//   s = <w, x>;  loss = max(0, 1 - y s) > 0  =>  b = 1 / (x'C x + r),  w <- w + b loss y C x,  C <- C - b C x x' C
//
// from w = 0, C = I. Weights that many rows have updated have a small variance and move little; those of rare features
// move far. The step is `loss` along y x of CovarianceWeights: the same as the second-order perceptron's, taken also if
// the row was right by less than 1.
//
// Guarantee (Crammer, Kulesza and Dredze 2009), for every u; M the mistakes, U the steps without one, sums over both:
//   M <= sqrt(r |u|^2 + sum of <u, x>^2) * sqrt(ln det(I + X / r) + U) + sum of hinge(u) - U,  X = sum of x x'
// Cost: O(stored values) a round, O(d^2) a step, 8 d^2 bytes.
// Source: "Adaptive regularization of weight vectors", NIPS 22 (2009); Machine Learning 91 (2013).
#pragma once

#include "halfspace/detail/linear/weights/covariance.h"
#include "halfspace/detail/rules/rule_name.h"
#include "halfspace/linear/rule.h"

namespace halfspace {

namespace rule {
inline constexpr RuleName arow{8};
}  // namespace rule

struct Arow {
  Tie tie = Tie::positive;

  double step(double sign, double score, double /*squared_norm*/, double weight) const {
    const double loss = 1 - sign * score;
    return weight > 0 && loss > 0 ? loss : 0.0;
  }
};

}  // namespace halfspace
