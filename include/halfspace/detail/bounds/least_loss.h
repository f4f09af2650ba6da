// A lower bound on the loss of every linear model on a stream, from the sums of one run (detail/game/loss_sums.h).
//
// Theorem. For every u with |u| <= B, over all rounds,
//   sum of c l(y <u, x>)  >=  K - B |G|,
// and with FTRL's penalties, once over the whole sum and of the features' weights w alone (G_b is that of the bias),
//   sum of c l(y <u, x>) + l2 |w|^2 / 2 + l1 |w|_1  >=  K - sum of max(0, |G_j| - l1)^2 / (2 l2) - B |G_b|.
// Proof. Tangents: the sum is at least K - <G, u>. Then Cauchy and Schwarz; or the least of each feature's parabola.
// It holds for any rows in any order, any player, any length.
//
// Rounding: the bound is rounded down. K and G were summed to nearest, and a sum of n terms is wrong by at most n 2^-53
// / (1 - n 2^-53) of their magnitudes (Higham 2002, section 4.2), which for G add up to at most the sum of c q |x|.
// Twice that is taken off: products may be rounded by themselves.
//
// Thread-safety: pure functions (they change the rounding mode of the calling thread, and restore it).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "halfspace/detail/game/loss_sums.h"

namespace halfspace {

struct Penalties {
  double l1 = 0, l2 = 0;
};

struct LeastLoss {
  MarginLoss loss = MarginLoss::logistic;
  std::uint64_t rounds = 0;
  double weight = 0;                // of the rows: means are over it
  double suffered = 0;              // the run's own loss, to nearest
  double constant = 0;              // K, rounded down
  double gradient_norm = 0;         // |G|, rounded up
  double norm = 0;                  // B
  bool norm_of_weights = false;     // B is that of the result, rounded up to three digits
  std::optional<double> bound;      // no u with |u| <= B has a smaller mean loss; above 0
  std::optional<double> penalised;  // nor a smaller mean with the penalties, divided by the weight of the rows too
  Penalties penalties;              // where there is an l2
  std::string why_no_bound;         // if there is none

  double mean() const { return suffered / weight; }
};

// Returns the bound for a norm of at least 0.
LeastLoss least_loss(const LossSums& sums, double norm, Penalties penalties = {});

// Returns the least number of three significant digits that is not below a norm.
double rounded_up_norm(double norm);

}  // namespace halfspace
