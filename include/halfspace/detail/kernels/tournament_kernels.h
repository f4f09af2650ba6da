// The arithmetic of a tournament (tournament.h): four rules read every row once. A feature has a record of 16 numbers in
// single precision, one line of the cache.
//
//   0 to 3    weights of AROW, SCW-I, NAG and coin betting
//   4 to 7    their corrections: weight - correction / rounds is the mean over the rounds
//   8, 9      variances of AROW and SCW-I
//   10        NAG: the sum of squared gradients
//   11        the feature's unit: the upper half of the double 2^-exponent
//   12 to 15  coin betting: theta, largest, total, reward
//
// Every feature is measured in its own unit, the largest power of two that one of its values has reached: the numbers
// are about x = value / unit, below 2. So multiplying a column by a power of two gives the same bits, and nothing
// overflows. A larger value widens the unit: weights and variances (up to 1) are rescaled so that scores stay the same;
// NAG's weights shrink, as its rule asks.
//
// Scores are summed in the row's order, member by member, and norms in 16 lanes, product i fused into lane i mod 16: the
// same bits at every level with fused multiply-add. Preconditions as in record_kernels.h. No allocation.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "halfspace/detail/kernels/record_kernels.h"

namespace halfspace::kernels {

inline constexpr std::size_t tournament_members = 4;
inline constexpr std::size_t tournament_numbers = 16;
inline constexpr std::size_t tournament_candidates = 8;  // each member's weights, and their means

struct alignas(64) TournamentRecord {
  // Positions in `number`.
  static constexpr std::size_t arow = 0, scw = 1, nag = 2, coin = 3;  // weights
  static constexpr std::size_t correction = tournament_members;       // of member m: correction + m
  static constexpr std::size_t arow_variance = 8, scw_variance = 9, nag_squares = 10, unit = 11;
  static constexpr std::size_t coin_theta = 12, coin_largest = 13, coin_total = 14, coin_reward = 15;
  static constexpr int least = -1022, most = 1022, unseen = least - 1;  // exponents of units

  static float unit_of(int exponent) noexcept {
    return std::bit_cast<float>(static_cast<std::uint32_t>(1023 - exponent) << 20);
  }
  // Returns 2^-exponent.
  double inverse_unit() const noexcept {
    return std::bit_cast<double>(std::uint64_t{std::bit_cast<std::uint32_t>(number[unit])} << 32);
  }
  int exponent() const noexcept { return 1023 - static_cast<int>(std::bit_cast<std::uint32_t>(number[unit]) >> 20); }

  float number[tournament_numbers] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, unit_of(unseen), 0, 0, 0, 0};
};

// The number of spare elements that arrays of a row's values need at their end.
inline constexpr std::size_t tournament_room = 16;

struct TournamentSums {
  double of[tournament_candidates] = {};       // <w, x> of each weight and of each correction
  double arow_variance = 0, scw_variance = 0;  // sums of v x^2
};
// Adds the sums of a row to `sums` and writes the row's values in units to `scaled`; widens units where necessary.
template <class Value>
void tournament_scores(TournamentRecord* records, RowView<Value> x, TournamentSums& sums, float* scaled);

struct TournamentSteps {
  float arow_along = 0, arow_share = 0;  // w += along v x,  v -= share (v x)^2
  float scw_along = 0, scw_share = 0;
  float nag_slope = 0;   // the gradient is this times x
  float coin_slope = 0;  // likewise
  float coin_alpha = 100;
  float rounds = 0;  // before this one: the factor of a step in the correction
};
struct TournamentNorms {
  double along = 0, squares = 0;  // sums of x^2 / sqrt(n) and of x^2
};
// Takes the steps of all members but NAG on the row that was scored last. Writes NAG's x / sqrt(n) to `normalised` and
// adds the row's norms, from which the length of NAG's step follows.
void tournament_step(TournamentRecord* records, const std::uint32_t* index, const float* scaled, std::uint32_t size,
                     const TournamentSteps& steps, TournamentNorms& norms, float* normalised);
// Takes NAG's step: w += along normalised.
void tournament_move(TournamentRecord* records, const std::uint32_t* index, const float* normalised, std::uint32_t size,
                     float along, float rounds);

}  // namespace halfspace::kernels
