// Bandits on a table of all losses, and on a log that another policy wrote.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "halfspace/bandits/bandit.h"
#include "halfspace/bandits/policy_value.h"
#include "halfspace/experts/experts_game.h"
#include "halfspace/regret/regret.h"

namespace halfspace {

struct PullResult {
  RegretLedger ledger{0};
  std::vector<std::uint64_t> pulls;  // of each arm
  std::vector<double> distribution;  // for the next round
  std::optional<RegretPath> path;    // if recorded
  // `observed` is the bounded quantity: expected regret, or the run's own. Where the table is shorter than options.rounds
  // the bound is that of the horizon; where it is longer, the number of rounds.
  RegretBound bound;
};

// Runs an algorithm on a table of losses in [0, 1] of every arm; the player sees only the loss of its own arm.
// `options.arms` and, if 0, `options.rounds` are taken from the table. Throws Error(usage) for NaN: an arm cannot
// sleep. `record`: also returns the path of the regret, for figures.
PullResult pull(const RoundTable& losses, BanditOptions options, std::uint64_t seed, bool record = false,
                const std::atomic<bool>* interrupt = nullptr);

// Returns the bound of an algorithm over this many rounds. `largest_gain`: of the best arm, or the number of rounds if
// unknown.
RegretBound bandit_bound(const BanditOptions& options, std::uint64_t rounds, double largest_gain);
// Returns the bound after the first rounds of a run, whose losses were all reported before the next round. Returns
// nothing before the first round, and beyond the horizon of an algorithm that needs one.
std::optional<RegretBound> bandit_bound_so_far(const BanditOptions& options, std::uint64_t rounds);

// A log: actions, rewards and propensities.
struct LoggedRounds {
  std::vector<std::string> arms;
  std::vector<std::uint32_t> action;
  std::vector<double> reward;      // in [0, 1]
  std::vector<double> propensity;  // in (0, 1]
  double floor = 0;                // every arm had at least this propensity in every round; 0: not known
  std::string action_column{}, reward_column{}, propensity_column{};  // of a file
};

struct LogResult {
  static constexpr std::size_t most_proved_arms = 100;

  PolicyValue logger;                   // the logger itself
  PolicyValue uniform;                  // always a uniform draw
  PolicyValue policy;                   // the learning policy
  std::vector<PolicyValue> proved_arm;  // always this arm; empty if there are more arms than most_proved_arms
  std::vector<OffPolicyEstimate> arm;   // always this arm
  std::vector<double> distribution;     // of the policy at the end
};

// Replays a log: the policy learns from every logged row, by Exp3-IX's estimate with the logger's propensity instead of
// its own probability, at the anytime rate. Its distribution for a row is fixed before it sees the row's reward, as the
// estimates of its value require. `delta`: the probability that any of the bounds ever fails. Cost: O(arms) a row.
LogResult replay_log(const LoggedRounds& log, double delta);

}  // namespace halfspace
