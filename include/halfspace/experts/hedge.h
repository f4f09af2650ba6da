// Hedge, or randomised weighted majority: follows expert i with a probability that decreases exponentially in its past
// loss.
//
//   p_i = e^(-rate L_i) / sum_j e^(-rate L_j);   then L_i <- L_i + loss_i
//
// Guarantees for losses in [0, 1] and any adversary, regret = sum_t <p_t, loss_t> - min_i L_i (Cesa-Bianchi and Lugosi
// 2006):
//   FixedRate, rate = sqrt(8 ln N / T), T known      sqrt(T ln N / 2)                       Theorem 2.2
//   AnytimeRate, rate_t = sqrt(8 ln N / t)           2 sqrt(T ln N / 2) + sqrt(ln N / 8)    Theorem 2.3
//   DoublingRate, restarted at T = 1, 2, 4, 8 ...    sqrt(2) / (sqrt(2) - 1) sqrt(T ln N / 2)
// A player whose loss is convex in its forecast may forecast <p, advice> instead of drawing, for no more loss. If the
// loss is exp-concave, the mean forecast at the right constant rate has constant regret (Theorem 3.2): ln N for
// logarithmic loss at rate 1, 2 ln N for squared loss at rate 1/2.
//
// Sleeping experts (advice NaN) are left out of p, and are charged the player's expected loss, as if they had predicted
// like the player. Every guarantee then holds against each expert on the rounds in which it was awake.
//
// Stores totals, not weights: nothing underflows, whatever the number of rounds. Infinite losses (logarithmic) drop the
// expert for good. Cost: O(N), one exponential for each awake expert; no allocation in a round. N = 1: the rate is 0, p
// = 1.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "halfspace/detail/base/elementary.h"
#include "halfspace/detail/base/rate.h"
#include "halfspace/detail/base/softmax.h"
#include "halfspace/experts/advice.h"

namespace halfspace {

// Returns the scale of the rates above: rate_t = sqrt(scale / t), or / T.
inline double hedge_rate_scale(std::size_t experts) { return 8 * elementary::log(static_cast<double>(experts)); }

template <RateSchedule Rate>
class Hedge {
 public:
  Hedge(std::size_t experts, Rate rate) : rate_(rate), total_(experts), p_(experts) {}

  // Returns the distribution of the next round over the experts awake in `advice` (empty: all). All zeros if none is.
  std::span<const double> distribution(Advice advice = {}) {
    softmax(total_, -rate_.rate(round_), p_, advice);
    return p_;
  }

  // Takes the losses of the round of the last distribution(); NaN for sleepers. Returns the expected loss <p, loss>,
  // which sleepers are charged too.
  double reveal(std::span<const double> losses) {
    const double expected = expectation(losses);
    reveal(losses, expected);
    return expected;
  }
  // Does the same with another charge for sleepers: a player of mean forecasts charges its own loss.
  void reveal(std::span<const double> losses, double charge) {
    if (!std::isfinite(charge)) charge = 0;
    for (std::size_t i = 0; i < losses.size(); ++i) total_[i] += awake(losses[i]) ? losses[i] : charge;
    ++round_;
    if (rate_.restarts(round_)) std::fill(total_.begin(), total_.end(), 0.0);
  }
  double expectation(std::span<const double> losses) const {
    double expected = 0;
    for (std::size_t i = 0; i < losses.size(); ++i) {
      if (p_[i] > 0) expected += p_[i] * losses[i];
    }
    return expected;
  }

  std::span<const double> totals() const noexcept { return total_; }

 private:
  Rate rate_;
  std::vector<double> total_, p_;
  std::uint64_t round_ = 1;
};

}  // namespace halfspace
