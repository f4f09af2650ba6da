// FTRL-proximal: follow the regularised leader, with a step of its own for every feature, and exact zeros.
//
//   g_j = l'(y <w, x>) y x_j,   sigma = (sqrt(n_j + g_j^2) - sqrt(n_j)) / alpha
//   z_j <- z_j + g_j - sigma w_j,   n_j <- n_j + g_j^2
//   w_j = 0 where |z_j| <= l1,  else  -(z_j - sign(z_j) l1) / ((beta + sqrt(n_j)) / alpha + l2)
//
// l is a loss of the margin (loss.h); a row of weight c has c l. The weights are those that minimise the linearised
// losses so far plus l1 |w|_1, l2 |w|^2 / 2 and the proximal terms sigma |w - w_t|^2 / 2; without penalties the steps
// are those of AdaGrad. The bias is not penalised.
//
// Guarantee: a bound of the regret, not of the mistakes (McMahan 2017, theorem 2): none is printed.
// Cost: O(stored values) a round, a quotient and two roots each; 24 bytes a feature.
// Source: McMahan et al., "Ad click prediction: a view from the trenches", KDD 2013; McMahan, "A survey of algorithms
// and analysis for adaptive online learning", JMLR 18 (2017).
#pragma once

#include "halfspace/detail/kernels/adaptive_kernels.h"
#include "halfspace/detail/linear/weights/records.h"
#include "halfspace/detail/rules/parameter.h"
#include "halfspace/detail/rules/rule_name.h"
#include "halfspace/detail/rules/slope.h"

namespace halfspace {

namespace rule {
inline constexpr RuleName ftrl{21};
}  // namespace rule

namespace parameter {
inline constexpr Parameter beta{.name = "beta", .placeholder = "B"};
inline constexpr Parameter l1{.name = "l1", .placeholder = "L1"};
inline constexpr Parameter l2{.name = "l2", .placeholder = "L2"};
}  // namespace parameter

// Keeps z and n for every weight.
class FtrlWeights : public RecordWeights<3> {
 public:
  FtrlWeights(BiasOptions bias, const kernels::FtrlSteps& steps) : RecordWeights(bias, 0.0), steps_(steps) {}

  template <class Value, bool dense>
  void add(double amount, const Example<Value, dense>& x) {
    kernels::ftrl_step(records_.data(), kernels::view(x), amount, steps_);
    if (bias_.position == Bias::none) return;
    const std::uint32_t first = 0;
    kernels::ftrl_step(bias_record_.data(), kernels::RowView<double>{&first, &bias_.scale, 1, 0}, amount,
                       {steps_.alpha, steps_.beta, 0, 0});
  }

 private:
  kernels::FtrlSteps steps_;
};

}  // namespace halfspace
