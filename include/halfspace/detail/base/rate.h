// Learning rates that change over the rounds: the schedules of exponential weights.
#pragma once

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>

namespace halfspace {

// rate(t) is the rate of round t = 1, 2 ...; restarts(t) is true if the player forgets everything before round t.
template <class R>
concept RateSchedule = requires(const R schedule, std::uint64_t round) {
  { schedule.rate(round) } -> std::same_as<double>;
  { schedule.restarts(round) } -> std::same_as<bool>;
};

struct FixedRate {
  double value = 0;

  // Returns sqrt(scale / T), for a known number of rounds; 0 for no rounds.
  static FixedRate for_horizon(double scale, std::uint64_t rounds) {
    return {rounds == 0 ? 0.0 : std::sqrt(scale / static_cast<double>(rounds))};
  }
  double rate(std::uint64_t /*round*/) const { return value; }
  bool restarts(std::uint64_t /*round*/) const { return false; }
};

// sqrt(scale / t): needs no horizon.
struct AnytimeRate {
  double scale = 0;

  double rate(std::uint64_t round) const { return std::sqrt(scale / static_cast<double>(round)); }
  bool restarts(std::uint64_t /*round*/) const { return false; }
};

// The doubling trick: phase k is rounds 2^k .. 2^(k+1) - 1, restarts, and has the rate for its own length.
struct DoublingRate {
  double scale = 0;

  double rate(std::uint64_t round) const { return std::sqrt(scale / static_cast<double>(std::bit_floor(round))); }
  bool restarts(std::uint64_t round) const { return std::has_single_bit(round); }
};

}  // namespace halfspace
