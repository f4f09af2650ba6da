// A contextual bandit in worlds whose policies' values are known.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "base/stop.h"
#include "halfspace/bandits/chooser.h"
#include "halfspace/base/random.h"
#include "lab/labs.h"

namespace halfspace::lab {
namespace {

constexpr std::size_t world_contexts = 3, world_actions = 3;

// Rewards of 0 or 1; which action is the best depends on the context, and on the time.
struct ChooserWorld {
  const char* name;
  double (*mean)(std::size_t context, std::size_t action, double time);  // time: from 0 to 1
};

double steady(std::size_t context, std::size_t action, double) { return action == context ? 0.7 : 0.3; }
double falling(std::size_t context, std::size_t action, double time) {
  return steady(context, action, time) - (time > 0.5 ? 0.3 : 0);
}
double turning(std::size_t context, std::size_t action, double time) {
  return steady((context + static_cast<std::size_t>(10 * time)) % world_contexts, action, time);
}

struct ChooserRun {
  bool outside = false;  // some bound, at some time
  double regret = 0, bound = 0, width = 0;
};

ChooserRun choose_in(const ChooserWorld& world, std::uint64_t rounds, std::uint64_t seed) {
  const std::vector<std::string> names{"a", "b", "c"};
  const std::array<std::string, 3> known{"first", "arm:b", "uniform"};
  Chooser chooser({.policies = {"squarecb", known[0], known[1], known[2]}, .run = "exp4", .seed = seed});
  Generator draws(seed);
  std::array<double, known.size()> values{};
  double earned = 0;
  ChooserRun run;
  for (std::uint64_t t = 0; t < rounds; ++t) {
    const double time = static_cast<double>(t) / static_cast<double>(rounds);
    const auto context = static_cast<std::size_t>(pick(draws, world_contexts));
    BlockBuffer rows;
    std::array<double, world_actions> mean{};
    for (std::size_t a = 0; a < world_actions; ++a) {
      mean[a] = world.mean(context, a, time);
      rows.add(static_cast<std::uint32_t>(a), 1);
      rows.add(static_cast<std::uint32_t>(world_actions * (a + 1) + context), 1);
      rows.end_row(0, a + 1);
    }
    const ChosenAction chosen = chooser.choose({rows.finish(), names, {}}, std::to_string(t));
    for (std::size_t a = 0; a < world_actions; ++a) earned += chosen.probability[a] * mean[a];
    chooser.learn(chosen, draws.next() < mean[chosen.action] ? 1 : 0);
    values[0] += mean[0];
    values[1] += mean[1];
    values[2] += (mean[0] + mean[1] + mean[2]) / 3;
    if (t % 16 != 15 && t + 1 < rounds) continue;
    for (std::size_t i = 0; i < known.size(); ++i) {
      const Interval worth = chooser.value(known[i]).value(), gain = chooser.value(known[i]).gain();
      const double value = values[i] / static_cast<double>(t + 1);
      const double more = (values[i] - earned) / static_cast<double>(t + 1);
      run.outside |= value < worth.lower || value > worth.upper || more < gain.lower || more > gain.upper;
      run.width = worth.upper - worth.lower;
    }
  }
  run.regret = *std::max_element(values.begin(), values.end()) - earned;
  run.bound = chooser.regret_bound().value_or(0);
  return run;
}

}  // namespace

LabReport lab_chooser(const LabSettings& settings) {
  LabReport report(
      "chooser",
      "What a policy is worth lies between its bounds at every time, whatever drifts, in 95 % of runs; and "
      "exp4 earns as much as the best policy, but for its bound.",
      "Waudby-Smith et al. 2022; Auer et al. 2002 (Exp4); 40 runs, bounds of three policies looked at every "
      "16 rounds",
      {"world", "rounds", "runs outside", "of runs", "width at the end", "regret", "bound"});
  constexpr std::uint64_t runs = 40,
                          most_outside = 6;  // of 40 with probability 1/20 each: more in one lab of a hundred
  const std::uint64_t rounds = settings.n > 0 ? settings.n : 1000;
  for (const ChooserWorld& world : {ChooserWorld{"steady", steady}, ChooserWorld{"falls by 0.3 half-way", falling},
                                    ChooserWorld{"turns", turning}}) {
    ChooserRun sum;
    std::uint64_t outside = 0;
    for (std::uint64_t i = 0; i < runs; ++i) {
      stop_if(settings.interrupt);
      const ChooserRun one = choose_in(world, rounds, settings.seed + i);
      outside += one.outside;
      sum.regret += one.regret / runs;
      sum.width += one.width / runs;
      sum.bound = one.bound;
    }
    report.add({world.name, rounds, outside, runs, sum.width, sum.regret, sum.bound},
               outside <= most_outside && sum.regret <= sum.bound);
  }
  report.conclude("The bounds are of means over the rounds so far: they need no assumption on what comes.");
  return report;
}

}  // namespace halfspace::lab
