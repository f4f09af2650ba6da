// The players of experts and bandits at the sizes they promise: time a round, and the memory of the process. The world
// is drawn on the fly, so that the time of its draws is in the figures; `world` says how much that is.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <cstdint>
#include <string>
#include <vector>

#include "halfspace/bandits/bandit.h"
#include "halfspace/base/random.h"
#include "halfspace/experts/hedge.h"
#include "halfspace/experts/littlestone.h"

namespace halfspace {
namespace {

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1e3;
}

// A million rounds of 1,000 arms, one of them better.
void bandit(benchmark::State& state, BanditName name) {
  constexpr std::uint64_t rounds = 1'000'000;
  constexpr std::size_t arms = 1000;
  for (auto _ : state) {
    Bandit player({.name = name, .arms = arms, .rounds = rounds, .delta = 0.05});
    Generator draws(1);
    Generator world(2);
    double paid = 0;
    for (std::uint64_t t = 0; t < rounds; ++t) {
      const Play play = player.play(draws.next());
      const double loss = world.next() < (play.arm == 77 ? 0.1 : 0.6) ? 1 : 0;
      player.learn(play, loss);
      paid += loss;
    }
    benchmark::DoNotOptimize(paid);
    state.counters["regret"] = paid - 0.1 * static_cast<double>(rounds);
    state.counters["p of the best"] = player.distribution()[77];
  }
  state.counters["rounds"] =
      benchmark::Counter(static_cast<double>(rounds), benchmark::Counter::kIsIterationInvariantRate);
  state.counters["peak MB"] = peak_megabytes();
}
BENCHMARK_CAPTURE(bandit, exp3_ix, BanditName::exp3_ix)->Unit(benchmark::kSecond)->Iterations(1);
BENCHMARK_CAPTURE(bandit, exp3_ix_anytime, BanditName::exp3_ix_anytime)->Unit(benchmark::kSecond)->Iterations(1);

// 10,000 rounds of 10,000 experts.
void hedge(benchmark::State& state) {
  constexpr std::uint64_t rounds = 10'000;
  constexpr std::size_t experts = 10'000;
  for (auto _ : state) {
    Hedge player(experts, FixedRate::for_horizon(hedge_rate_scale(experts), rounds));
    std::vector<double> losses(experts);
    Generator world(2);
    double paid = 0;
    for (std::uint64_t t = 0; t < rounds; ++t) {
      player.distribution();
      const double tilt = world.next();
      for (std::size_t i = 0; i < experts; ++i) losses[i] = tilt * static_cast<double>(i % 101) / 100;
      paid += player.reveal(losses);
    }
    benchmark::DoNotOptimize(paid);
  }
  state.counters["rounds"] =
      benchmark::Counter(static_cast<double>(rounds), benchmark::Counter::kIsIterationInvariantRate);
  state.counters["peak MB"] = peak_megabytes();
}
BENCHMARK(hedge)->Unit(benchmark::kSecond)->Iterations(1);

// Random classes of so many hypotheses over so many points.
void littlestone(benchmark::State& state) {
  Generator draws(3);
  std::vector<std::vector<std::uint8_t>> table(static_cast<std::size_t>(state.range(0)),
                                               std::vector<std::uint8_t>(static_cast<std::size_t>(state.range(1))));
  for (auto& h : table) {
    for (auto& label : h) label = draws.next() < 0.5 ? 1 : 0;
  }
  const FiniteClass of(table);
  for (auto _ : state) {
    Littlestone search(of, 20'000'000);
    const auto answer = search.dimension();
    state.counters["lower"] = answer.lower;
    state.counters["upper"] = answer.upper;
    state.counters["looked at"] = static_cast<double>(search.visited());
  }
  state.counters["peak MB"] = peak_megabytes();
}
BENCHMARK(littlestone)
    ->Unit(benchmark::kSecond)
    ->Iterations(1)
    ->Args({1024, 64})
    ->Args({16384, 64})
    ->Args({65536, 64})
    ->Args({131072, 24});

}  // namespace
}  // namespace halfspace
