// Bounds at any time, in directed rounding.
#include "halfspace/bandits/policy_value.h"

#include <algorithm>
#include <cmath>

#include "halfspace/base/error.h"
#include "halfspace/detail/base/elementary.h"
#include "halfspace/detail/base/rounding.h"

namespace halfspace {
namespace {

constexpr std::size_t bets = LeastSum::shares;
using Bets = std::array<double, bets>;

constexpr Bets make_bet_shares() {
  Bets all{};
  double share = 0.99;
  for (double& one : all) one = share /= 2;
  return all;
}
constexpr Bets bet_shares = make_bet_shares();
constexpr double bet_weight = 1.0 / bets;  // below the quotient
static_assert(bet_weight * bets <= 1);

constexpr double largest_product = 0x1p+300, least_product = 0x1p-300;
constexpr double largest_guess = 3;     // a value that counts in a guess
constexpr double part_of_centre = 0.7;  // of the largest centre: a factor near 0 costs much
constexpr double most_ratio = 1e100;    // a larger ratio counts as this one: without a centre that is a lower bound
constexpr double most_known = 1e15;     // a largest ratio beyond is as good as none

// Returns the mean of so many values, at most 1, known before the next; half without any.
double guess_of(double sum, std::uint64_t rounds) {
  return rounds == 0 ? 0.5 : std::min(1.0, sum / static_cast<double>(rounds));
}

double down_quotient(double a, double b) { return -(-a / b); }
double down_difference(double a, double b) { return -(b - a); }

// The weighted mean that is worth `value`; the bounds of a sum over so many rounds.
Interval mean_of(double value, double lower, double upper, std::uint64_t rounds) {
  const double n = static_cast<double>(rounds);
  return {value, rounding_up([&] { return down_quotient(lower, n); }), rounding_up([&] { return upper / n; })};
}

}  // namespace

double LeastSum::share(std::size_t k) noexcept { return bet_shares[k]; }

void LeastSum::add(const Bets& minus_x, double guess) noexcept {
  minus_guesses_ -= guess;
  for (std::size_t k = 0; k < bets; ++k) {
    const double minus_factor = bet_shares[k] * (guess + minus_x[k]) - 1;  // at least: the factor is at most that small
    minus_product_[k] *= -minus_factor;
  }
  for (std::size_t k = 0; k < bets; ++k) {
    const double product = -minus_product_[k];
    if (product > least_product && product < largest_product) continue;
    minus_log_[k] += halfspace::above(-elementary::log(product));
    minus_product_[k] = -1;
  }
}

// The sum falls in V: halving keeps a V for which it was found to be at least 1 / delta.
double LeastSum::above(double delta, double least, double most) const {
  return rounding_up([&] {
    const double needed = 1 / delta;
    Bets minus_exponent;  // without V, at least
    for (std::size_t k = 0; k < bets; ++k)
      minus_exponent[k] =
          minus_log_[k] + halfspace::above(-elementary::log(-minus_product_[k])) + bet_shares[k] * minus_guesses_;
    const auto holds = [&](double v) {
      double minus_sum = 0;
      for (std::size_t k = 0; k < bets; ++k) {
        const double term = elementary::exp(-(minus_exponent[k] + bet_shares[k] * v));
        minus_sum += -bet_weight * (term * (1 - 0x1p-48));
      }
      return -minus_sum >= needed;
    };
    double low = least, high = most;
    if (!holds(low)) return low;
    if (holds(high)) return high;
    for (int i = 0; i < 60; ++i) {
      const double middle = low + (high - low) / 2;
      if (middle <= low || middle >= high) break;
      (holds(middle) ? low : high) = middle;
    }
    return low;
  });
}

double LeastSum::most_grown() const {
  double most = -kInfinity;
  for (std::size_t k = 0; k < bets; ++k)
    most = std::max(most, elementary::log(-minus_product_[k]) - minus_log_[k] - bet_shares[k] * minus_guesses_);
  return most;
}

void PolicyValue::add(const PolicyRound& round) {
  const auto is_probability = [](double p) { return p >= 0 && p <= 1; };
  if (!is_probability(round.policy) || !is_probability(round.propensity) || round.propensity == 0)
    throw Error(ErrorKind::usage, "a round needs probabilities from 0 to 1, and a propensity above 0")
        .fix("leave out actions that could not have been drawn");
  if (!(round.reward >= 0 && round.reward <= 1))
    throw Error(ErrorKind::usage, "a reward must be a number from 0 to 1").fix("rescale it");
  const Guesses guess{guess_of(values_, rounds()), guess_of(losses_, rounds()), guess_of(rewards_, rounds())};
  rounding_up([&] {
    const double known = round.largest_ratio > most_known ? kInfinity : round.largest_ratio;
    const Ratio ratio{std::min(down_quotient(round.policy, round.propensity), most_ratio),
                      std::min(round.policy / round.propensity, most_ratio), known};
    if (!(ratio.least <= round.largest_ratio))
      throw Error(ErrorKind::usage, "the action's ratio of probabilities is above the largest of its round")
          .fix("state a least propensity that holds in all rounds, or none");
    add_value(ratio, round.reward, guess);
    add_gain(ratio, round.reward, guess);
    return 0;
  });
  const double ratio = round.policy / round.propensity;
  const double gain = (ratio - 1) * round.reward;
  values_ += std::min(ratio * round.reward, largest_guess);
  losses_ += std::min(ratio * (1 - round.reward), largest_guess);
  rewards_ += round.reward;
  gains_ += gain;
  gain_squares_ += gain * gain;
  doubly_robust_ += round.model_value + ratio * (round.reward - round.model_reward);
  estimate_.add(round.policy, round.propensity, round.reward);
  if (rounds() == next_look_) look();
}

// -x = w (b - r) - b: with the smallest w where b < r. For the upper bound 1 - r stands for r.
void PolicyValue::add_value(const Ratio& ratio, double reward, const Guesses& guess) {
  const auto add_one = [&](LeastSum& sum, double mean, double minus_reward) {
    Bets minus_x;
    for (std::size_t k = 0; k < bets; ++k) {
      const double most =
          ratio.known < kInfinity ? part_of_centre * (1 - bet_shares[k]) / (ratio.known * bet_shares[k]) : 0.0;
      const double centre = std::min(mean, most);
      const double below = centre + minus_reward;  // b - r
      minus_x[k] = (below > 0 ? ratio.most : ratio.least) * below - centre;
    }
    sum.add(minus_x, mean);
  };
  add_one(value_, guess.value, -reward);
  add_one(loss_, guess.loss, reward - 1);
}

// -x = (w - 1) (b - r): the largest product of two numbers that each lie between bounds.
void PolicyValue::add_gain(const Ratio& ratio, double reward, const Guesses& guess) {
  const double most = ratio.most - 1, least = down_difference(ratio.least, 1);
  const auto add_one = [&](LeastSum& sum, double mean, double most_reward, double minus_reward) {
    Bets minus_x;
    for (std::size_t k = 0; k < bets; ++k) {
      const double room = (ratio.known - 1) * bet_shares[k];
      const double centre = room > 0 ? std::min(mean, down_quotient(part_of_centre, room)) : mean;
      const double most_below = centre + minus_reward, least_below = down_difference(centre, most_reward);
      minus_x[k] = std::max({most * most_below, most * least_below, least * most_below, least * least_below});
    }
    sum.add(minus_x, 0);
  };
  add_one(gain_, guess.reward, reward, -reward);
  add_one(opposite_, down_difference(1, guess.reward), 1 - reward, reward - 1);
}

void PolicyValue::look() {
  std::uint64_t step = 1;
  while (next_look_ >= 16 * step) step *= 2;
  next_look_ += step;
  const Interval now = value();
  if (now.upper < change_.low) {
    change_.low = now.upper;
    change_.low_at = rounds();
  }
  if (now.lower > change_.high) {
    change_.high = now.lower;
    change_.high_at = rounds();
  }
}

Interval PolicyValue::value() const {
  if (rounds() == 0) return {0, 0, 1};
  const double n = static_cast<double>(rounds());
  Interval of = mean_of(estimate_.ips().value, value_.above(delta_, 0, n), -loss_.above(delta_, 0, n), rounds());
  of.upper = rounding_up([&] { return 1 + of.upper; });
  return of;
}

Interval PolicyValue::gain() const {
  if (rounds() == 0) return {0, -1, 1};
  const double n = static_cast<double>(rounds());
  return mean_of(gains_ / n, gain_.above(delta_, -n, n), -opposite_.above(delta_, -n, n), rounds());
}

double PolicyValue::doubly_robust() const noexcept {
  return rounds() == 0 ? 0.0 : doubly_robust_ / static_cast<double>(rounds());
}

// If the wealth goes on to grow as it has. Where it has not, as it would at best, by d^2 / (2 var) a round.
std::uint64_t PolicyValue::rounds_to_prove_a_gain() const {
  if (rounds() == 0 || gain().lower > 0) return 0;
  const double n = static_cast<double>(rounds()), d = gains_ / n;
  if (!(d > 0)) return 0;
  const double needed = elementary::log(static_cast<double>(bets) / delta_), grown = gain_.most_grown();
  const double rate = grown > 0 ? grown / n : d * d / (2 * (gain_squares_ / n));
  return static_cast<std::uint64_t>(std::clamp(std::ceil(needed / rate - n), 1.0, 1e18));
}

}  // namespace halfspace
