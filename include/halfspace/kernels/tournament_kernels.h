// The arithmetic of a tournament of four rules (tournament.h) that read every row once: records of 16 numbers a feature, in
// single precision, which is one line of the cache.
//
//   0 to 3    weights of AROW, SCW-I, NAG and coin betting
//   4 to 7    what is taken from them, divided by the rounds, for their means
//   8, 9      variances of AROW and SCW-I
//   10        NAG: the sum of squared gradients
//   11        the feature's unit: the upper half of the double 2^-exponent
//   12 to 15  coin betting: theta, largest, total, reward
//
// Every feature is measured in a unit of its own, the largest power of two that one of its values has reached: what is
// stored is about values x = value / unit, below 2. So a column times a power of two gives the same bits, and no number
// leaves the singles. A larger value widens the unit: weights keep what they say, variances, up to 1, too; those of NAG
// shrink, as its rule has it.
//
// Scores are summed in the row's order, member by member, and norms in 16 lanes, product i fused into lane i mod 16: the
// same bits at every level with fused multiply-add. Preconditions as in record_kernels.h. No allocation.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "halfspace/kernels/record_kernels.h"

namespace halfspace::kernels {

inline constexpr std::size_t tournament_members = 4;
inline constexpr std::size_t tournament_numbers = 16;
inline constexpr std::size_t tournament_candidates = 8;  // each member's weights, and their means

struct alignas(64) TournamentRecord {
  static constexpr std::size_t unit_place = 11;
  static constexpr int least = -1022, most = 1022, unseen = least - 1;  // exponents of units

  static float unit_of(int exponent) noexcept {
    return std::bit_cast<float>(static_cast<std::uint32_t>(1023 - exponent) << 20);
  }
  // Returns 2^-exponent.
  double inverse_unit() const noexcept {
    return std::bit_cast<double>(std::uint64_t{std::bit_cast<std::uint32_t>(number[unit_place])} << 32);
  }
  int exponent() const noexcept {
    return 1023 - static_cast<int>(std::bit_cast<std::uint32_t>(number[unit_place]) >> 20);
  }

  float number[tournament_numbers] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, unit_of(unseen), 0, 0, 0, 0};
};

// Room that a row's numbers need behind them.
inline constexpr std::size_t tournament_room = 16;

struct TournamentSums {
  double of[tournament_candidates] = {};  // <w, x>, and what is taken from it
  double variance[2] = {};                // sum of v x^2
};
// Adds those of a row, and writes its values in the units of their features, which are widened where they must be.
template <class Value>
void tournament_scores(TournamentRecord* records, RowView<Value> x, TournamentSums& sums, float* scaled);

struct TournamentSteps {
  float arow_along = 0, arow_share = 0;  // w += along v x,  v -= share (v x)^2
  float scw_along = 0, scw_share = 0;
  float nag_slope = 0;   // the gradient is this times x
  float coin_slope = 0;  // so it is
  float coin_alpha = 100;
  float rounds = 0;  // before this one: what a step counts in what is taken from the mean
};
struct TournamentNorms {
  double along = 0, squares = 0;  // sums of x^2 / sqrt(n) and of x^2
};
// Takes the steps of all but NAG along the row that was scored last, whose length the sums that are added to `norms` tell;
// `normalised` gets its x / sqrt(n).
void tournament_step(TournamentRecord* records, const std::uint32_t* index, const float* scaled, std::uint32_t size,
                     const TournamentSteps& steps, TournamentNorms& norms, float* normalised);
// Takes NAG's step: w += along normalised.
void tournament_move(TournamentRecord* records, const std::uint32_t* index, const float* normalised, std::uint32_t size,
                     float along, float rounds);

// Hedge over every candidate at every scale, and over 0: cumulative losses are scale * loss[k]. Returns the logarithm of
// the sum of e^-(rate loss) over all; share[k] gets the sum over scales of scale times the expert's weight.
inline constexpr double tournament_scales[] = {1, 4, 16};
inline constexpr double tournament_experts = 25;
double tournament_hedge(const double* loss, double rate, double* share);

}  // namespace halfspace::kernels
