// Coin betting: every feature bets a share of its winnings, and there is no learning rate.
//
//   c = -l'(y <w, x>) y x_j: what the coin of feature j shows
//   m_j <- max(m_j, |c|),  a_j <- a_j + |c|,  r_j <- max(0, r_j + w_j c),  t_j <- t_j + c
//   w_j = t_j (m_j + r_j) / (m_j max(a_j + m_j, alpha m_j))
//
// The weight is a bet: the share t / (m max(a + m, alpha m)) of the capital m + r, where m is the largest coin so far
// and r the winnings. alpha limits the first bets. l is a loss of the margin (loss.h); a row of weight c has c l.
//
// Guarantee: a bound of the regret without a rate (Orabona and Tommasi 2017, theorem 1), for a known alpha and coins
// that are no larger than those before: no mistake bound is printed.
// Cost: O(stored values) a round, two quotients each; 40 bytes a feature.
// Source: Orabona and Pal, "Coin betting and parameter-free online learning", NIPS 29 (2016); Orabona and Tommasi,
// "Training deep networks without learning rates through coin betting", NIPS 30 (2017), algorithm 2.
#pragma once

#include "halfspace/detail/kernels/adaptive_kernels.h"
#include "halfspace/detail/linear/weights/records.h"
#include "halfspace/detail/rules/rule_name.h"
#include "halfspace/detail/rules/slope.h"

namespace halfspace {

namespace rule {
inline constexpr RuleName coin{23};
}  // namespace rule

// Keeps t, m, a and r for every weight.
class CoinWeights : public RecordWeights<5> {
 public:
  CoinWeights(BiasOptions bias, double alpha) : RecordWeights(bias, 0.0), alpha_(alpha) {}

  template <class Value, bool dense>
  void add(double amount, const Example<Value, dense>& x) {
    kernels::coin_step(records_.data(), kernels::view(x), amount, alpha_);
    if (bias_.position == Bias::none) return;
    const std::uint32_t first = 0;
    kernels::coin_step(bias_record_.data(), kernels::RowView<double>{&first, &bias_.scale, 1, 0}, amount, alpha_);
  }

 private:
  double alpha_;
};

}  // namespace halfspace
