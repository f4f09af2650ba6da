// Exp3 with explicit mixing, as first published: on gains, with a share of the rounds for exploration.
//
//   p = (1 - mixing) softmax(mixing G / K) + mixing / K;   draw I;   G_I <- G_I + gain_I / p_I
//
// Guarantee (Auer, Cesa-Bianchi, Freund and Schapire 2002, Theorem 3.1), gains in [0, 1]: expected regret at most
//   (e - 1) mixing G_max + K ln K / mixing,
// and with mixing = min(1, sqrt(K ln K / ((e - 1) g))), g >= G_max (g = T will do), at most 2.63 sqrt(g K ln K).
// The mixing keeps estimates below K / mixing, so one exponent grows by at most 1. Cost: O(K) a round.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "halfspace/detail/bandits/estimates.h"
#include "halfspace/detail/base/elementary.h"

namespace halfspace {

class Exp3Mix : public EstimatesPlayer<Exp3Mix> {
 public:
  Exp3Mix(std::size_t arms, double mixing) : EstimatesPlayer(arms), mixing_(mixing) {}

  static double best_mixing(std::size_t arms, double largest_gain) {
    const double k = static_cast<double>(arms);
    if (!(largest_gain > 0)) return 1;
    return std::min(1.0, std::sqrt(k * elementary::log(k) / ((std::numbers::e - 1) * largest_gain)));
  }

  std::span<const double> distribution() {
    return estimates_.distribution(mixing_ / static_cast<double>(estimates_.arms()), mixing_);
  }
  void learn(const Play& play, double loss) { estimates_.add(play.arm, (1 - loss) / play.probability); }

 private:
  double mixing_;
};

}  // namespace halfspace
