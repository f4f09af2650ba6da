// Exp3: exponential weights on losses estimated from the one arm seen.
//
//   p_i proportional to e^(-rate L_i);   draw I;   L_I <- L_I + loss_I / p_I
//
// Guarantee (Bubeck and Cesa-Bianchi 2012, Theorem 3.1), losses in [0, 1], K arms: pseudo-regret
//   FixedRate, rate = sqrt(2 ln K / (T K)), T known     sqrt(2 T K ln K)
//   AnytimeRate, rate_t = sqrt(ln K / (t K))            2 sqrt(T K ln K)
// equal to the expected regret if the losses are fixed in advance. A single run may do much worse: the estimates have
// variance 1/p; see exp3_ix.h and exp3_p.h. The estimate is for losses: on gains the same formula is another algorithm
// (exp3_mix.h). Totals are stored and shifted by the least before the exponential, so nothing underflows.
// Cost: O(K) a round. Source: Auer, Cesa-Bianchi, Freund and Schapire 2002.
//
//   Exp3 player(arms, FixedRate{0.1});
//   const Play play = player.play(generator.next());  // draws an arm by a number in [0, 1)
//   player.learn(play, loss);                         // of that arm, in [0, 1]; may be late
//
// bandit.h has all algorithms behind one class, at the rates of their theorems. Thread-safety: one thread.
#pragma once

#include <cmath>

#include "halfspace/detail/bandits/estimates.h"
#include "halfspace/detail/base/elementary.h"
#include "halfspace/detail/base/rate.h"

namespace halfspace {

inline double exp3_rate_scale(std::size_t arms) {  // of the anytime rate; twice this with a horizon
  return elementary::log(static_cast<double>(arms)) / static_cast<double>(arms);
}

template <RateSchedule Rate>
class Exp3 : public EstimatesPlayer<Exp3<Rate>> {
  using Base = EstimatesPlayer<Exp3<Rate>>;
  using Base::estimates_;

 public:
  Exp3(std::size_t arms, Rate rate) : Base(arms), rate_(rate) {}

  std::span<const double> distribution() { return estimates_.distribution(-rate_.rate(estimates_.rounds() + 1)); }
  void learn(const Play& play, double loss) { estimates_.add(play.arm, loss / play.probability); }

 private:
  Rate rate_;
};

}  // namespace halfspace
