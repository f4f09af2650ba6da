// Prediction with expert advice: runs an algorithm on a table, with its regret and the theorem that covers it.
//
//   RoundTable table = ...;                       // rounds x experts, and the outcomes
//   FollowResult r = follow(table, {.algorithm = ExpertsAlgorithm::hedge});
//   r.ledger.regret(), r.bound->value, r.weights
//
// Two games. With outcomes, the values are advice (advice.h), and the loss of a forecast is `loss`; players of labels
// predict 0 or 1, and Hedge follows a random expert (zero-one loss) or forecasts the weighted mean (the convex losses).
// Without outcomes the values are losses, and Hedge plays a random choice.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "halfspace/detail/base/names.h"
#include "halfspace/detail/experts/littlestone.h"
#include "halfspace/detail/regret/regret_path.h"
#include "halfspace/experts/advice.h"
#include "halfspace/regret/regret.h"

namespace halfspace {

struct RoundTable {
  std::vector<std::string> names;  // of the columns: experts, or arms
  std::uint64_t rounds = 0;
  std::vector<double> values;    // rounds x names, row by row; NaN: sleeps
  std::vector<double> outcomes;  // one a round, in [0, 1]; empty: the values are losses in [0, 1]

  std::span<const double> round(std::uint64_t t) const { return {values.data() + t * names.size(), names.size()}; }
};

enum class ExpertsAlgorithm : std::uint8_t {
  consistent,
  halving,
  soa,
  weighted_majority,
  hedge,
  hedge_anytime,
  hedge_doubling,
  mixture,
  perceptron,
  minnow
};
template <>
struct NamesOf<ExpertsAlgorithm> {
  static constexpr Name<ExpertsAlgorithm> table[] = {
      {ExpertsAlgorithm::consistent, "consistent", "the first expert without a mistake"},
      {ExpertsAlgorithm::halving, "halving", "the majority of the experts without a mistake"},
      {ExpertsAlgorithm::soa, "soa",
       "the label whose experts have the larger Littlestone dimension: optimal mistake bound"},
      {ExpertsAlgorithm::weighted_majority, "weighted-majority", "a vote in which mistakes cost weight"},
      {ExpertsAlgorithm::hedge, "hedge", "draws an expert by weight, at the best rate for the number of rounds"},
      {ExpertsAlgorithm::hedge_anytime, "hedge-anytime", "the same with a decreasing rate, for any number of rounds"},
      {ExpertsAlgorithm::hedge_doubling, "hedge-doubling", "the same, restarted after 1, 2, 4, 8 ... rounds"},
      {ExpertsAlgorithm::mixture, "mixture", "the mean of the forecasts, by weights"},
      {ExpertsAlgorithm::perceptron, "perceptron", "learns weights of the experts by their mistakes"},
      {ExpertsAlgorithm::minnow, "minnow", "the same with normalised Winnow, for many experts with few relevant ones"}};
};
template <>
struct NamesOf<Loss> {
  static constexpr Name<Loss> table[] = {
      {Loss::zero_one, "zero-one", "1 for a mistake"},
      {Loss::absolute, "absolute", "the distance"},
      {Loss::squared, "squared", "the distance squared"},
      {Loss::logarithmic, "log", "minus the logarithm of the outcome's probability"}};
};

struct FollowOptions {
  ExpertsAlgorithm algorithm = ExpertsAlgorithm::hedge;
  Loss loss = Loss::zero_one;
  double beta = 0.5;                                   // weighted majority, in [0, 1)
  std::optional<double> rate;                          // hedge: instead of the best for the number of rounds
  std::uint64_t seed = 1;                              // of Hedge's draws
  std::uint64_t budget = Littlestone::default_budget;  // SOA
  bool record = false;                                 // the path of the regret, for figures
  const std::atomic<bool>* interrupt = nullptr;        // set from elsewhere: follow() throws Error(input_output)
};

// A theorem's bound on a run.
struct RegretBound {
  double value = 0;
  std::string theorem;
  std::string bounds;     // "mistakes", "regret", "expected regret", "pseudo-regret", "regret with probability 0.95"
  double observed = 0;    // the bounded quantity, if a run shows it
  bool exceeded = false;  // never, unless there is a bug; left false for bounds that a single run may exceed
};

struct FollowResult {
  RegretLedger ledger{0};
  std::vector<double> weights;       // final weights with all experts awake; they sum to 1, except the perceptron's
  std::optional<RegretBound> bound;  // empty: its assumption failed, see `note`
  std::string note;                  // what failed, in which round, and what still holds
  std::uint64_t emptied = 0;         // the round that left no perfect expert; 0: none
  std::optional<int> dimension;      // SOA: of the class
  std::optional<RegretPath> path;    // if recorded
};

// Returns why the algorithm does not accept this table, or empty.
std::string cannot_follow(const RoundTable& table, const FollowOptions& options);
// Throws Error(usage) if the algorithm does not accept the table, an option is out of range, or SOA's budget is spent.
FollowResult follow(const RoundTable& table, const FollowOptions& options);

}  // namespace halfspace
