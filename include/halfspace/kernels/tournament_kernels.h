// The arithmetic of a tournament of four rules (tournament.h) that read every row once: records of 16 numbers a feature,
// two cache lines.
//
//   0 to 3    weights of AROW, SCW-I, NAG and coin betting
//   4 to 7    what is taken from them, divided by the rounds, for their means
//   8, 9      variances of AROW and SCW-I
//   10, 11    NAG: the largest |x|, the sum of squared gradients
//   12 to 15  coin betting: theta, largest, total, reward
//
// Sums are taken in the row's order, member by member, with fused products: the same bits at every level with fused
// multiply-add. Preconditions as in record_kernels.h. No allocation.
#pragma once

#include <cstddef>

#include "halfspace/kernels/record_kernels.h"

namespace halfspace::kernels {

inline constexpr std::size_t tournament_members = 4;
inline constexpr std::size_t tournament_numbers = 16;
inline constexpr std::size_t tournament_candidates = 8;  // each member's weights, and their means

struct TournamentSums {
  double of[tournament_candidates] = {};  // <w, x>, and what is taken from it
  double variance[2] = {};                // sum of v x^2
};
// Adds those of a row.
template <class Value>
void tournament_scores(const double* records, RowView<Value> x, TournamentSums& sums);

struct TournamentSteps {
  double arow_along = 0, arow_share = 0;  // w += along v x,  v -= share (v x)^2
  double scw_along = 0, scw_share = 0;
  double nag_slope = 0;   // y g, times the root of the row's weight
  double coin_slope = 0;  // y g, times the row's weight
  double coin_alpha = 100;
  double rounds = 0;  // finished before this one: what a change counts in the means
};
struct TournamentNorms {
  double along = 0, squares = 0;  // sums of x^2 / (s sqrt(n)) and of (x / s)^2
};
// Takes the steps of all but NAG, whose length the sums that are added to `norms` tell; `normalised` gets its x / (s sqrt(n)).
template <class Value>
void tournament_step(double* records, RowView<Value> x, const TournamentSteps& steps, TournamentNorms& norms,
                     double* normalised);
// Takes NAG's step: w += along normalised.
void tournament_move(double* records, const std::uint32_t* index, const double* normalised, std::uint32_t size,
                     double along, double rounds);

// Hedge over every candidate at every scale, and over 0: cumulative losses are scale * loss[k]. Returns the logarithm of
// the sum of e^-(rate loss) over all; share[k] gets the sum over scales of scale times the expert's weight.
inline constexpr double tournament_scales[] = {1, 4, 16};
inline constexpr double tournament_experts = 25;
double tournament_hedge(const double* loss, double rate, double* share);

}  // namespace halfspace::kernels
