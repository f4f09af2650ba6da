// The options of a bandit.
#include "base/printable.h"
#include "halfspace/bandits/settings.h"
#include "halfspace/base/error.h"

namespace halfspace {

using takes::idle_with, takes::one_of, takes::usually;

std::vector<Option> options_of(BanditSettings& settings) {
  return {{"algorithm", "NAME", "the algorithm to run", &settings.algorithm, one_of(choices_of<BanditName>())},
          {"rounds", "N", "the horizon (default, of a table: its number of rounds)", &settings.rounds},
          usually("0.05", idle_with("algorithm", {"exp3", "exp3-anytime", "exp3-mix"},
                                    {"delta", "D",
                                     "probability that a high-probability bound, or one of a log, fails (default 0.05)",
                                     &settings.delta})),
          {"seed", "N", "seed of the draws (default 1)", &settings.seed}};
}

BanditOptions bandit_options(const BanditSettings& settings, std::uint64_t arms) {
  BanditOptions options{.arms = arms, .rounds = settings.rounds, .delta = settings.delta};
  if (settings.algorithm.empty()) return options;
  const auto named = bandit_named(settings.algorithm);
  if (!named) {
    std::string names;
    for (const BanditName name : values<BanditName>())
      names += (names.empty() ? "" : ", ") + std::string(name_of(name));
    throw Error(ErrorKind::usage, "no bandit algorithm is called '" + printable(settings.algorithm) + "'")
        .fix("use one of " + names);
  }
  options.name = *named;
  return options;
}

}  // namespace halfspace
