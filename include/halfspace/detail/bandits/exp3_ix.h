// Exp3-IX: Exp3 with an estimate biased slightly downward, which provides the exploration.
//
//   p_i proportional to e^(-rate L_i);   draw I;   L_I <- L_I + loss_I / (p_I + rate / 2)
//
// Guarantee (Neu 2015, Theorem 1), losses in [0, 1], K arms: with probability at least 1 - delta the regret is at most
//   FixedRate, rate = sqrt(2 ln K / (K T)), T known   2 sqrt(2 K T ln K) + (sqrt(2 K T / ln K) + 1) ln(2 / delta)
//   AnytimeRate, rate_t = sqrt(ln K / (K t))          4 sqrt(K T ln K) + (2 sqrt(K T / ln K) + 1) ln(2 / delta)
// against any adversary, for every delta at once: no parameter depends on it. The constants are loose: informative only
// if T is far above 30 K ln(K / delta). Late feedback uses the rate of its own round. Cost: O(K) a round. Source:
// Kocak, Neu, Valko and Munos 2014; Neu 2015.
#pragma once

#include "halfspace/bandits/exp3.h"

namespace halfspace {

template <RateSchedule Rate>
class Exp3Ix : public EstimatesPlayer<Exp3Ix<Rate>> {
  using Base = EstimatesPlayer<Exp3Ix<Rate>>;
  using Base::estimates_;

 public:
  Exp3Ix(std::size_t arms, Rate rate) : Base(arms), rate_(rate) {}

  std::span<const double> distribution() { return estimates_.distribution(-rate_.rate(estimates_.rounds() + 1)); }
  // Begins a round in which another policy drew the arm with the given probability; for logs.
  Play logged_play(std::uint32_t arm, double probability) {
    distribution();
    return estimates_.begin_round_with(arm, probability);
  }
  void learn(const Play& play, double loss) {
    estimates_.add(play.arm, loss / (play.probability + rate_.rate(play.round) / 2));
  }

 private:
  Rate rate_;
};

}  // namespace halfspace
