// Regret and mistake bounds of experts and bandits: the theorems as formulas.
//
// Every function rounds up: it is never below the real value of the formula at the given doubles. T rounds, N experts,
// K arms, losses in [0, 1]. One choice (N = 1, K = 1) or no round (T = 0) gives 0. Three kinds, never to be confused:
//
//   expected     of sum_t <p_t, loss_t> - min_i L_i, against any adversary, always (Hedge)
//   pseudo       max_i E[...]: of the mean over the player's own draws (Exp3); a single run may exceed it
//   probability  of the run itself, except with probability delta (Exp3.P, Exp3-IX)
#pragma once

#include <cstdint>

namespace halfspace {

// Mistakes, if some expert is perfect.
double consistent_bound(std::uint64_t experts);  // N - 1
double halving_bound(std::uint64_t experts);     // floor(log2 N), exactly

// Littlestone and Warmuth 1994: (m ln(1/beta) + ln N) / ln(2 / (1 + beta)), beta in (0, 1); m: mistakes of the best
// expert.
double weighted_majority_bound(std::uint64_t best_mistakes, std::uint64_t experts, double beta);

// Cesa-Bianchi and Lugosi 2006, Theorem 2.2: sqrt(T ln N / 2).
double hedge_bound(std::uint64_t rounds, std::uint64_t experts);
// Theorem 2.3: 2 sqrt(T ln N / 2) + sqrt(ln N / 8).
double hedge_anytime_bound(std::uint64_t rounds, std::uint64_t experts);
// The doubling trick on Theorem 2.2: sqrt(2) / (sqrt(2) - 1) sqrt(T ln N / 2).
double hedge_doubling_bound(std::uint64_t rounds, std::uint64_t experts);
// Cesa-Bianchi and Lugosi 2006, Theorem 3.2: ln N / rate for a loss that is exp-concave at that rate.
double mixture_bound(std::uint64_t experts, double rate);

// Bubeck and Cesa-Bianchi 2012, Theorem 3.1. Pseudo-regret.
double exp3_bound(std::uint64_t rounds, std::uint64_t arms);          // sqrt(2 T K ln K)
double exp3_anytime_bound(std::uint64_t rounds, std::uint64_t arms);  // 2 sqrt(T K ln K)
// Auer et al. 2002, Theorem 3.1: (e - 1) mixing G_max + K ln K / mixing. Expected regret.
double exp3_mix_bound(double mixing, double largest_gain, std::uint64_t arms);
// Probability 1 - delta. Bubeck and Cesa-Bianchi 2012, Theorem 3.2: 5.15 sqrt(T K ln(K / delta)); Auer et al. 2002,
// Theorem 6.3.
double exp3p_bound(std::uint64_t rounds, std::uint64_t arms, double delta);
double exp3p_auer_bound(std::uint64_t rounds, std::uint64_t arms, double delta);
// Neu 2015, Theorem 1. Probability 1 - delta.
double exp3_ix_bound(std::uint64_t rounds, std::uint64_t arms, double delta);
double exp3_ix_anytime_bound(std::uint64_t rounds, std::uint64_t arms, double delta);

}  // namespace halfspace
