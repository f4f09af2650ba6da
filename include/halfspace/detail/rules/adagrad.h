// The AdaGrad perceptron: a perceptron with a rate of its own for every feature.
//
//   mistake  =>  G_j <- G_j + x_j^2,  w_j <- w_j + sqrt(2) D y x_j / sqrt(G_j), clipped to [-D, D]
//
// (for a row of weight c, c x in place of x). A feature that mistakes have often had moves little, a rare one far: its
// first step goes to the wall of the box. The box |w_j| <= D is what the bound needs; nothing is divided by a feature
// that no mistake has had.
//
// Guarantee (Duchi, Hazan and Singer 2011), for every u with |u_j| <= D:
//   mistakes <= sum over the mistakes of hinge(u) + 2 sqrt(2) D * the sum over features of sqrt(G_j)
// which for features that are rare is far less than |u| sqrt(sum of |x|^2) d^(1/2). From weights w0 and sums G0, the
// same proof gives sum hinge(u) + sum sqrt(G0_j) (w0_j - u_j)^2 / (2 sqrt(2) D) + 2 sqrt(2) D sum (sqrt(G_j) -
// sqrt(G0_j)). Cost: O(stored values) a round, 16 bytes a feature.
// Source: "Adaptive subgradient methods for online learning and stochastic optimization", JMLR 12 (2011).
#pragma once

#include <cmath>
#include <vector>

#include "halfspace/detail/linear/weights/records.h"
#include "halfspace/detail/rules/rule_name.h"
#include "halfspace/linear/rule.h"

namespace halfspace {

namespace rule {
inline constexpr RuleName adagrad{10};
}  // namespace rule

// A sum of squares G_j a weight, and a box. A step of size c to the side of `amount`'s sign:
//   G_j <- G_j + (c x_j)^2,   w_j <- w_j + sqrt(2) D amount x_j / sqrt(G_j), clipped to [-D, D].
class AdaptiveWeights : public PairedWeights {
 public:
  AdaptiveWeights(BiasOptions bias, double box) : PairedWeights(bias, 0.0), box_(box) {}

  template <class Value, bool dense>
  void add(double amount, const Example<Value, dense>& x) {
    const double along = std::sqrt(2.0) * box_ * amount;
    kernels::adagrad_step(records_.data(), kernels::view(x), amount, along, box_);
    if (bias_.position != Bias::none) {
      kernels::adagrad_step_one(bias_record_[0], bias_record_[1], bias_.scale, amount, along, box_);
    }
  }

 private:
  double box_;
};

struct AdaGrad {
  Tie tie = Tie::positive;

  double step(double sign, double score, double /*squared_norm*/, double weight) const {
    return is_mistake(tie, sign, score) ? weight : 0.0;
  }
};

}  // namespace halfspace
