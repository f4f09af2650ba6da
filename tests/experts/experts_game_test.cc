// Advice and bandits on whole tables: bounds that hold on every random table, and what is said when an assumption
// fails.
#include "halfspace/experts/experts_game.h"

#include <gtest/gtest.h>

#include <cmath>

#include "experts/asleep.h"
#include "halfspace/bandits/bandit_game.h"
#include "halfspace/base/error.h"
#include "halfspace/base/random.h"
#include "halfspace/regret/regret_bounds.h"

namespace halfspace {
namespace {

RoundTable random_table(Generator& draws, std::size_t experts, std::uint64_t rounds, bool labels, bool perfect,
                        double asleep, bool outcomes = true) {
  RoundTable table;
  for (std::size_t i = 0; i < experts; ++i) table.names.push_back("e" + std::to_string(i));
  table.rounds = rounds;
  for (std::uint64_t t = 0; t < rounds; ++t) {
    if (outcomes) table.outcomes.push_back(draws.next() < 0.5 ? 0 : 1);
    for (std::size_t i = 0; i < experts; ++i) {
      double value = labels ? (draws.next() < 0.5 ? 0 : 1) : draws.next();
      if (perfect && i == experts / 2) value = table.outcomes.back();
      if (draws.next() < asleep) value = nan_value;
      table.values.push_back(value);
    }
  }
  return table;
}

TEST(Follow, EveryPlayerKeepsItsBoundOnEveryTable) {
  Generator draws(8);
  int checked = 0;
  for (int round = 0; round < 150; ++round) {
    const bool perfect = round % 3 == 0;
    const RoundTable table = random_table(draws, 1 + pick(draws, 9), pick(draws, 60), round % 2 == 0, perfect,
                                          round % 5 == 4 ? 0.3 : 0, round % 7 != 6 || perfect);
    for (const Loss loss : {Loss::zero_one, Loss::absolute, Loss::squared, Loss::logarithmic}) {
      for (const ExpertsAlgorithm algorithm : values<ExpertsAlgorithm>()) {
        const FollowOptions options{.algorithm = algorithm, .loss = loss, .beta = 0.3, .rate = {}, .seed = 4};
        if (!cannot_follow(table, options).empty()) {
          EXPECT_THROW(follow(table, options), Error);
          continue;
        }
        const FollowResult result = follow(table, options);
        EXPECT_EQ(result.ledger.rounds(), table.rounds);
        if (!result.bound) {
          EXPECT_TRUE(!result.note.empty() || table.rounds == 0) << name_of(algorithm);
          continue;
        }
        EXPECT_FALSE(result.bound->exceeded) << name_of(algorithm) << " " << name_of(loss) << " "
                                             << result.bound->observed << " > " << result.bound->value;
        ++checked;
      }
    }
  }
  EXPECT_GT(checked, 1500);
}

// A halving run whose experts all fail: the round is named, and the promise up to it is kept.
TEST(Follow, SaysWhenNobodyIsPerfectAnyMore) {
  RoundTable table;
  table.names = {"a", "b", "c", "d"};
  table.rounds = 4;
  table.values = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  table.outcomes = {1, 1, 0, 1};  // golden E09
  for (const ExpertsAlgorithm algorithm : {ExpertsAlgorithm::halving, ExpertsAlgorithm::soa}) {
    const FollowResult result =
        follow(table, {.algorithm = algorithm, .loss = Loss::zero_one, .beta = 0.5, .rate = {}});
    EXPECT_EQ(result.emptied, 2U);
    EXPECT_FALSE(result.bound.has_value());
    EXPECT_NE(result.note.find("round 2"), std::string::npos);
  }
  EXPECT_NE(follow(table, {.algorithm = ExpertsAlgorithm::halving, .loss = Loss::zero_one, .beta = 0.5, .rate = {}})
                .note.find("(1 mistake of at most 2)"),
            std::string::npos);
}

// The mean forecast of exp-concave losses pays a constant, however long the game: where Hedge's bound grows, this one
// does not.
TEST(Follow, TheMixtureIsWithinAConstantOfTheBest) {
  Generator draws(1);
  RoundTable table = random_table(draws, 4, 3000, false, false, 0);
  for (const Loss loss : {Loss::squared, Loss::logarithmic}) {
    const FollowResult result =
        follow(table, {.algorithm = ExpertsAlgorithm::mixture, .loss = loss, .beta = 0.5, .rate = {}});
    ASSERT_TRUE(result.bound.has_value());
    EXPECT_LE(result.ledger.regret(), (loss == Loss::squared ? 2 : 1) * std::log(4.0));
  }
}

TEST(Follow, CertaintyThatWasWrongIsForGood) {
  RoundTable table;
  table.names = {"sure", "careful"};
  table.rounds = 2;
  table.values = {1, 0.5, 1, 0.5};
  table.outcomes = {0, 1};
  const FollowResult result =
      follow(table, {.algorithm = ExpertsAlgorithm::mixture, .loss = Loss::logarithmic, .beta = 0.5, .rate = {}});
  EXPECT_EQ(result.weights, (std::vector<double>{0, 1}));
  EXPECT_EQ(result.ledger.best(), 1U);
  EXPECT_NEAR(result.ledger.paid(), -std::log(0.25) - std::log(0.5), 1e-15);
  EXPECT_NEAR(result.ledger.regret(), std::log(2.0), 1e-15);
}

TEST(Regret, TheBestSleeperIsTheOneRegrettedMost) {
  RegretLedger ledger(2);
  ledger.add(std::vector<double>{0.3, 0.2}, 1, 1);
  ledger.add(std::vector<double>{nan_value, 0.2}, 1, 0.9);
  ledger.add(std::vector<double>{nan_value, 0.2}, 0, 0.5);
  EXPECT_TRUE(ledger.slept());
  EXPECT_EQ(ledger.awake(0), 1U);
  EXPECT_NEAR(ledger.expected_regret(0), 0.7, 1e-15);
  EXPECT_NEAR(ledger.expected_regret(1), 1.8, 1e-15);
  EXPECT_EQ(ledger.best(), 1U);
}

TEST(Pull, PlaysATableAsThePlayerWould) {
  Generator draws(6);
  const RoundTable table = random_table(draws, 3, 200, false, false, 0, false);
  for (const BanditName name : values<BanditName>()) {
    const PullResult result = pull(table, {.name = name, .arms = 0, .rounds = 0, .delta = 0.05}, 9);
    Bandit player({.name = name, .arms = 3, .rounds = 200, .delta = 0.05});
    Generator twin(9);
    double paid = 0;
    for (std::uint64_t t = 0; t < 200; ++t) {
      const Play play = player.play(twin.next());
      player.learn(play, table.round(t)[play.arm]);
      paid += table.round(t)[play.arm];
    }
    EXPECT_EQ(result.ledger.paid(), paid) << name_of(name);
    EXPECT_EQ(result.pulls[0] + result.pulls[1] + result.pulls[2], 200U);
    EXPECT_LE(result.ledger.regret(), result.bound.value);
  }
}

TEST(Pull, ALogsEstimatesAreTheirFormulas) {
  OffPolicyEstimate estimate;
  estimate.add(0.5, 0.25, 1);  // weight 2
  estimate.add(0.5, 1, 0);     // weight 1/2
  EXPECT_DOUBLE_EQ(estimate.ips(1).value, 1);
  EXPECT_DOUBLE_EQ(estimate.ips(0.5).upper, 1);  // terms 2 and 0: variance 2, error sqrt(2 / 2) / 2
  EXPECT_DOUBLE_EQ(estimate.ips(0.5).lower, 0.5);
  EXPECT_DOUBLE_EQ(estimate.snips(1).value, 2 / 2.5);
  EXPECT_DOUBLE_EQ(estimate.snips(1).lower, 2 / 2.5 - std::sqrt(0.4 * 0.4 + 0.4 * 0.4) / 2.5);
  EXPECT_DOUBLE_EQ(estimate.effective_rows(), 2.5 * 2.5 / 4.25);
}

// A log by a known logger over arms of known worth: the intervals hold the truth, about as often as they say.
TEST(Pull, LogsAreWorthWhatTheirArmsAre) {
  const double worth[3] = {0.2, 0.5, 0.35};
  const double logger[3] = {0.6, 0.1, 0.3};
  int held[2] = {0, 0};
  constexpr int logs = 60;
  double mean = 0;
  for (int k = 0; k < logs; ++k) {
    Generator draws(static_cast<std::uint64_t>(k) + 1);
    LoggedRounds log{.arms = {"a", "b", "c"}, .action = {}, .reward = {}, .propensity = {}};
    for (int t = 0; t < 2000; ++t) {
      const auto arm = static_cast<std::uint32_t>(pick(draws.next(), logger));
      log.action.push_back(arm);
      log.reward.push_back(draws.next() < worth[arm] ? 1 : 0);
      log.propensity.push_back(logger[arm]);
    }
    const LogResult result = replay_log(log, 0.05);
    const Interval ips = result.arm[1].ips();
    const Interval snips = result.arm[1].snips();
    held[0] += ips.lower <= 0.5 && 0.5 <= ips.upper;
    held[1] += snips.lower <= 0.5 && 0.5 <= snips.upper;
    mean += result.uniform.estimate().ips().value / logs;
    EXPECT_NEAR(result.uniform.estimate().mean_weight(), 1, 0.15);
    EXPECT_GT(result.policy.estimate().ips().value, result.uniform.estimate().ips().value - 0.05);
  }
  EXPECT_NEAR(mean, (0.2 + 0.5 + 0.35) / 3, 0.01);
  for (const int count : held) EXPECT_GE(count, 0.85 * logs);
}

}  // namespace
}  // namespace halfspace
