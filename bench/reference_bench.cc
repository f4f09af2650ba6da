// The players at the sizes they promise, held against extended precision in every round: the largest deviation of a
// probability, relative to it, and how small and how far from a sum of 1 the probabilities get.
//
// The reference is another computation altogether: long double weights without any shift (they reach down to e^-11000)
// and a sum of them all.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "halfspace/bandits/bandit.h"
#include "halfspace/base/random.h"
#include "halfspace/experts/hedge.h"

namespace halfspace {
namespace {

struct Deviation {
  double largest = 0, least = 1, from_one = 0;
  std::uint64_t zeros = 0;  // of the player, where the reference has none

  void look(std::span<const double> p, std::span<const long double> weight, long double sum) {
    double total = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
      const auto reference = static_cast<double>(weight[i] / sum);
      largest = std::max(largest, std::abs(p[i] - reference) / reference);
      least = std::min(least, p[i]);
      zeros += p[i] == 0 && weight[i] > 0 ? 1 : 0;
      total += p[i];
    }
    from_one = std::max(from_one, std::abs(total - 1));
  }
  void report(benchmark::State& state) const {
    state.counters["largest deviation"] = largest;
    state.counters["least p"] = least;
    state.counters["underflows"] = static_cast<double>(zeros);
    state.counters["sum from 1"] = from_one;
  }
};

long double sum_of(std::span<const long double> weight) {
  long double sum = 0;
  for (const long double w : weight) sum += w;
  return sum;
}

// Exp3-IX, a million rounds of 1,000 arms, one of them better. The reference is fed the arms and losses of the player,
// and estimates losses by the player's probabilities, which shows what rounding adds up to; or by its own, which shows
// how far whole runs part: an estimate by too large a p is too small, which makes p larger again, and an error of one
// round grows by up to e^(rate L) in all.
void exp3_ix_against_long_double(benchmark::State& state, bool own) {
  constexpr std::uint64_t rounds = 1'000'000;
  constexpr std::size_t arms = 1000;
  for (auto _ : state) {
    Bandit player({.name = BanditName::exp3_ix, .arms = arms, .rounds = rounds, .delta = 0.05});
    const long double rate =
        std::sqrt(2 * std::log(static_cast<long double>(arms)) / (static_cast<long double>(arms) * rounds));
    std::vector<long double> total(arms), weight(arms, 1);
    Generator draws(1);
    Generator world(2);
    Deviation deviation;
    for (std::uint64_t t = 0; t < rounds; ++t) {
      const Play play = player.play(draws.next());
      const long double sum = sum_of(weight);
      deviation.look(player.last_distribution(), weight, sum);
      const double loss = world.next() < (play.arm == 77 ? 0.1 : 0.6) ? 1 : 0;
      player.learn(play, loss);
      total[play.arm] += loss / ((own ? weight[play.arm] / sum : play.probability) + rate / 2);
      weight[play.arm] = std::exp(-rate * total[play.arm]);
    }
    deviation.report(state);
  }
}
BENCHMARK_CAPTURE(exp3_ix_against_long_double, same_estimates, false)->Unit(benchmark::kSecond)->Iterations(1);
BENCHMARK_CAPTURE(exp3_ix_against_long_double, own_estimates, true)->Unit(benchmark::kSecond)->Iterations(1);

// Hedge, 10,000 rounds of 10,000 experts.
void hedge_against_long_double(benchmark::State& state) {
  constexpr std::uint64_t rounds = 10'000;
  constexpr std::size_t experts = 10'000;
  for (auto _ : state) {
    Hedge player(experts, FixedRate::for_horizon(hedge_rate_scale(experts), rounds));
    const long double rate = std::sqrt(8 * std::log(static_cast<long double>(experts)) / rounds);
    std::vector<double> losses(experts);
    std::vector<long double> total(experts), weight(experts, 1);
    Generator world(2);
    Deviation deviation;
    for (std::uint64_t t = 0; t < rounds; ++t) {
      deviation.look(player.distribution(), weight, sum_of(weight));
      const double tilt = world.next();
      for (std::size_t i = 0; i < experts; ++i) {
        losses[i] = tilt * static_cast<double>(i % 101) / 100;
        total[i] += losses[i];
        weight[i] = std::exp(-rate * total[i]);
      }
      player.reveal(losses);
    }
    deviation.report(state);
  }
}
BENCHMARK(hedge_against_long_double)->Unit(benchmark::kSecond)->Iterations(1);

}  // namespace
}  // namespace halfspace
