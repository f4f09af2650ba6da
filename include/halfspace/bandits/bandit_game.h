// Bandits on a table of all losses, and on a log that another policy wrote.
//
// Thread-safety: pure functions of their arguments.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "halfspace/bandits/bandit.h"
#include "halfspace/bandits/off_policy.h"
#include "halfspace/experts/experts_game.h"
#include "halfspace/regret/regret.h"

namespace halfspace {

struct PullResult {
  RegretLedger ledger{0};
  std::vector<std::uint64_t> pulls;  // of each arm
  std::vector<double> distribution;  // for the coming round
  std::optional<RegretPath> path;    // when it was to be recorded
  RegretBound bound;                 // `observed` is the quantity it is about: expected regret, or the run's own
};

// Plays an algorithm on a table, whose values are losses in [0, 1] of every arm; the player sees the loss of its own
// arm alone. `options.arms` and, when 0, `options.rounds` are taken from the table. Throws Error(usage) for NaN: an arm
// cannot sleep. `record`: also the path of the regret, for figures.
PullResult pull(const RoundTable& losses, BanditOptions options, std::uint64_t seed, bool record = false);

// Returns the bound of an algorithm over so many rounds. `largest_gain`: of the best arm, or the rounds when it is not
// known.
RegretBound bandit_bound(const BanditOptions& options, std::uint64_t rounds, double largest_gain);

// A log: what was done, what came of it, and how likely it was.
struct LoggedRounds {
  std::vector<std::string> arms;
  std::vector<std::uint32_t> action;
  std::vector<double> reward;      // in [0, 1]
  std::vector<double> propensity;  // in (0, 1]
};

struct LogResult {
  OffPolicyEstimate logger;            // what the log itself earned
  OffPolicyEstimate uniform;           // always a uniform draw
  OffPolicyEstimate policy;            // the learning policy
  std::vector<OffPolicyEstimate> arm;  // always this arm
  std::vector<double> distribution;    // of the policy at the end
};

// Replays a log: the policy learns from every logged row, by Exp3-IX's estimate with the logger's
// propensity instead of its own probability, at the anytime rate. Its distribution for a row is fixed before the row's
// reward is seen, which is what the estimates of its value need. Cost: O(arms) a row.
LogResult replay_log(const LoggedRounds& log);

}  // namespace halfspace
