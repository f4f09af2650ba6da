// Exp3.P: mixing, and a larger bonus for less likely arms, for bounds with high probability.
//
//   p = (1 - mixing) softmax(rate G) + mixing / K;   draw I;   every i: G_i <- G_i + (gain_i [i = I] + bonus) / p_i
//
// Guarantee, gains in [0, 1], any adversary: with probability at least 1 - delta the regret is at most
//   bubeck (Bubeck and Cesa-Bianchi 2012, Theorem 3.2)  5.15 sqrt(T K ln(K / delta)), for
//            bonus = sqrt(ln(K / delta) / (T K)), rate = 0.95 sqrt(ln K / (T K)),
//            mixing = 1.05 sqrt(K ln K / T), at most 1
//   auer (Auer et al. 2002, Theorem 6.3)
//            4 sqrt(K T ln(K T / delta)) + 4 sqrt(5/3 K T ln K) + 8 ln(K T / delta)
// Both are loose: informative only if T is far above 27 K ln(K / delta).
// bubeck() and auer() compute these. Used as Exp3 is (exp3.h); a gain is 1 - loss.
// The bonus is added when the arm is drawn, the gain when it is known: feedback may be late. Cost: O(K) a round.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "halfspace/detail/bandits/estimates.h"
#include "halfspace/detail/base/elementary.h"

namespace halfspace {

class Exp3P : public EstimatesPlayer<Exp3P> {
 public:
  struct Parameters {
    double bonus, rate, mixing;
  };

  Exp3P(std::size_t arms, Parameters parameters) : EstimatesPlayer(arms), parameters_(parameters) {}

  static Parameters bubeck(std::size_t arms, std::uint64_t rounds, double delta) {
    const double k = static_cast<double>(arms);
    const double t = static_cast<double>(rounds);
    return {std::sqrt(elementary::log(k / delta) / (t * k)), 0.95 * std::sqrt(elementary::log(k) / (t * k)),
            std::min(1.0, 1.05 * std::sqrt(k * elementary::log(k) / t))};
  }
  static Parameters auer(std::size_t arms, std::uint64_t rounds, double delta) {
    const double k = static_cast<double>(arms);
    const double t = static_cast<double>(rounds);
    const double mixing = std::min(0.6, 2 * std::sqrt(3 * k * elementary::log(k) / (5 * t)));
    return {2 * std::sqrt(elementary::log(k * t / delta)) / std::sqrt(k * t), mixing / (3 * k), mixing};
  }

  std::span<const double> distribution() { return estimates_.distribution(parameters_.rate, parameters_.mixing); }
  Play play(double u) {
    const std::span<const double> p = distribution();
    for (std::size_t i = 0; i < p.size(); ++i) {
      if (p[i] > 0) estimates_.add(i, parameters_.bonus / p[i]);
    }
    return estimates_.begin_round(u);
  }
  void learn(const Play& play, double loss) { estimates_.add(play.arm, (1 - loss) / play.probability); }

 private:
  Parameters parameters_;
};

}  // namespace halfspace
