// Computes the bounds of experts and bandits. They are sums, products and quotients of positive terms only: rounded to
// nearest, the error is a few ulps of the result, which is added.
#include "halfspace/regret/regret_bounds.h"

#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

#include "halfspace/detail/base/elementary.h"
#include "halfspace/detail/base/rounding.h"

namespace halfspace {
namespace {

double real(std::uint64_t count) { return static_cast<double>(count); }

}  // namespace

double consistent_bound(std::uint64_t experts) { return experts == 0 ? 0 : real(experts - 1); }

double halving_bound(std::uint64_t experts) {
  return experts == 0 ? 0 : real(static_cast<std::uint64_t>(std::bit_width(experts)) - 1);
}

double weighted_majority_bound(std::uint64_t best_mistakes, std::uint64_t experts, double beta) {
  if (experts <= 1) return real(best_mistakes);
  if (!(beta > 0)) return best_mistakes == 0 ? halving_bound(experts) : std::numeric_limits<double>::infinity();
  // ln(2 / (1 + beta)) = -log1p((beta - 1) / 2), which keeps its digits near beta = 1.
  return above((real(best_mistakes) * -elementary::log(beta) + elementary::log(real(experts))) /
               -elementary::log1p((beta - 1) / 2));
}

double hedge_bound(std::uint64_t rounds, std::uint64_t experts) {
  return experts <= 1 ? 0 : above(std::sqrt(real(rounds) * elementary::log(real(experts)) / 2));
}

double hedge_anytime_bound(std::uint64_t rounds, std::uint64_t experts) {
  if (experts <= 1 || rounds == 0) return 0;
  return above(2 * std::sqrt(real(rounds) * elementary::log(real(experts)) / 2) +
               std::sqrt(elementary::log(real(experts)) / 8));
}

double hedge_doubling_bound(std::uint64_t rounds, std::uint64_t experts) {
  return above(std::numbers::sqrt2 / (std::numbers::sqrt2 - 1) * hedge_bound(rounds, experts));
}

double mixture_bound(std::uint64_t experts, double rate) {
  return experts <= 1 ? 0 : above(elementary::log(real(experts)) / rate);
}

double exp3_bound(std::uint64_t rounds, std::uint64_t arms) {
  return arms <= 1 ? 0 : above(std::sqrt(2 * real(rounds) * real(arms) * elementary::log(real(arms))));
}

double exp3_anytime_bound(std::uint64_t rounds, std::uint64_t arms) {
  return arms <= 1 ? 0 : above(2 * std::sqrt(real(rounds) * real(arms) * elementary::log(real(arms))));
}

double exp3_mix_bound(double mixing, double largest_gain, std::uint64_t arms) {
  if (arms <= 1) return 0;
  return above((std::numbers::e - 1) * mixing * largest_gain + real(arms) * elementary::log(real(arms)) / mixing);
}

double exp3p_bound(std::uint64_t rounds, std::uint64_t arms, double delta) {
  return arms <= 1 ? 0 : above(5.15 * std::sqrt(real(rounds) * real(arms) * elementary::log(real(arms) / delta)));
}

double exp3p_auer_bound(std::uint64_t rounds, std::uint64_t arms, double delta) {
  if (arms <= 1 || rounds == 0) return 0;
  const double product = real(rounds) * real(arms);
  const double surprise = elementary::log(product / delta);
  return above(4 * std::sqrt(product * surprise) + 4 * std::sqrt(5.0 / 3.0 * product * elementary::log(real(arms))) +
               8 * surprise);
}

double exp3_ix_bound(std::uint64_t rounds, std::uint64_t arms, double delta) {
  if (arms <= 1 || rounds == 0) return 0;
  const double product = 2 * real(rounds) * real(arms);
  const double log_arms = elementary::log(real(arms));
  return above(2 * std::sqrt(product * log_arms) + (std::sqrt(product / log_arms) + 1) * elementary::log(2 / delta));
}

double exp3_ix_anytime_bound(std::uint64_t rounds, std::uint64_t arms, double delta) {
  if (arms <= 1 || rounds == 0) return 0;
  const double product = real(rounds) * real(arms);
  const double log_arms = elementary::log(real(arms));
  return above(4 * std::sqrt(product * log_arms) +
               (2 * std::sqrt(product / log_arms) + 1) * elementary::log(2 / delta));
}

}  // namespace halfspace
