// Choosers: probabilities that are those of the draw, rewards that are learned, a state that goes on bit for bit.
#include "halfspace/bandits/chooser.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "halfspace/base/error.h"
#include "halfspace/base/random.h"
#include "halfspace/detail/bandits/exploration.h"

namespace halfspace {
namespace {

const std::vector<std::string> all_policies{"greedy",         "epsilon:rate=0.2",
                                            "softmax:rate=5", "squarecb:scale=3",
                                            "thompson",       "linucb",
                                            "exp3-ix",        "uniform",
                                            "first",          "arm:b"};

// Three actions over four features: which is the best depends on the context.
struct Actions {
  explicit Actions(Generator& draws) {
    const std::uint64_t context = pick(draws, 3);
    for (std::uint32_t a = 0; a < 3; ++a) {
      rows.add(a, 1);
      rows.add(3 + 3 * a + static_cast<std::uint32_t>(context), 1);
      rows.end_row(0, a + 1);
    }
    best = context;
    block = rows.finish();
    block.features = 12;
  }
  Chooser::Actions all() const { return {block, names, {}}; }

  BlockBuffer rows;
  Block block;
  std::size_t best = 0;
  std::vector<std::string> names{"a", "b", "c"};
};

double reward_of(const Actions& actions, std::size_t action, Generator& draws) {
  return draws.next() < (action == actions.best ? 0.9 : 0.2) ? 1 : 0;
}

void play(Chooser& chooser, Generator& draws, int rounds, int from = 0) {
  for (int t = from; t < from + rounds; ++t) {
    const Actions actions(draws);
    const ChosenAction chosen = chooser.choose(actions.all(), "v" + std::to_string(t));
    chooser.learn(chosen, reward_of(actions, chosen.action, draws));
  }
}

// What a policy is expected to earn: the mean of the model's estimates under its distribution.
TEST(Chooser, TheGreedyPolicyHasTheLargestModelValue) {
  Chooser chooser({.policies = {"greedy", "epsilon:rate=0.5", "uniform"}});
  Generator draws(4);
  play(chooser, draws, 200);
  for (int t = 200; t < 300; ++t) {
    const Actions actions(draws);
    const ChosenAction chosen = chooser.choose(actions.all(), "v" + std::to_string(t));
    const double best = chosen.policies[0].model_value, mean = chosen.policies[2].model_value;
    EXPECT_GT(best, mean);
    EXPECT_GE(best, chosen.model_reward);
    EXPECT_NEAR(chosen.policies[1].model_value, best / 2 + mean / 2, 1e-12);
    if (chosen.policies[0].probability == 1) {
      EXPECT_EQ(chosen.model_reward, best);
    }
    chooser.learn(chosen, reward_of(actions, chosen.action, draws));
  }
  // The estimates are good by now: the gap of their mean to the truth is small.
  EXPECT_NEAR(chooser.value("uniform").doubly_robust(), 0.9 / 3 + 0.2 * 2 / 3, 0.1);
}

TEST(Chooser, ProbabilitiesAreThoseOfTheDraw) {
  for (const std::string& run : all_policies) {
    Chooser chooser({.policies = all_policies, .run = run, .floor = 0.3});
    Generator draws(1);
    play(chooser, draws, 30);
    const Actions actions(draws);
    std::map<std::size_t, int> drawn;
    double sum = 0;
    constexpr int times = 1000;
    for (int i = 0; i < times; ++i) {
      Chooser copy({.policies = all_policies, .run = run, .floor = 0.3});
      copy.restore(chooser.save());
      const ChosenAction chosen = copy.choose(actions.all(), std::to_string(i));
      ++drawn[chosen.action];
      sum = std::accumulate(chosen.probability.begin(), chosen.probability.end(), 0.0);
      EXPECT_NEAR(sum, 1, 1e-12);
      EXPECT_GE(*std::min_element(chosen.probability.begin(), chosen.probability.end()), 0.1 - 1e-12) << run;
      if (run == "thompson") break;  // its samples, and so its probabilities, are those of the id
    }
    if (run == "thompson") continue;
    Chooser copy({.policies = all_policies, .run = run, .floor = 0.3});
    copy.restore(chooser.save());
    const ChosenAction chosen = copy.choose(actions.all(), "any");
    for (std::size_t a = 0; a < 3; ++a) {
      const double p = chosen.probability[a];
      EXPECT_NEAR(drawn[a], times * p, 5 * std::sqrt(times * p * (1 - p)) + 1) << run << a;
    }
  }
}

TEST(Chooser, LearnsWhichActionIsBest) {
  for (const std::string run : {"squarecb:scale=3", "epsilon:rate=0.2", "thompson", "linucb", "exp4"}) {
    Chooser chooser({.policies = all_policies, .run = run});
    Generator draws(2);
    play(chooser, draws, 2000);
    EXPECT_GT(chooser.reward() / 2000, run == "exp4" ? 0.72 : 0.78) << run;
    EXPECT_GT(chooser.value("greedy").value().lower, 0.6) << run;
    for (const char* const policy : {"first", "uniform"}) {
      EXPECT_GT(chooser.value(policy).value().upper, 0.43) << run;
      EXPECT_LT(chooser.value(policy).value().lower, 0.44) << run;
    }
  }
}

// In hindsight exp4 loses no more to the best of its policies than the bound, on average over the draws.
TEST(Chooser, Exp4KeepsItsBound) {
  constexpr int rounds = 400, runs = 60;
  for (const bool switches : {false, true}) {
    double mean = 0, bound = 0;
    std::vector<double> policy(2);
    for (int seed = 1; seed <= runs; ++seed) {
      Chooser chooser({.policies = {"arm:a", "arm:b"}, .floor = 0.05, .seed = static_cast<std::uint64_t>(seed)});
      Generator draws(1);
      for (int t = 0; t < rounds; ++t) {
        const Actions actions(draws);
        const ChosenAction chosen = chooser.choose(actions.all(), std::to_string(t));
        const auto paid = [&](std::size_t a) { return a == (switches && t < rounds / 2 ? 1U : 0U) ? 1.0 : 0.0; };
        for (std::size_t a = 0; a < 3; ++a) mean += chosen.probability[a] * paid(a) / runs;
        for (std::size_t i = 0; i < 2; ++i) policy[i] += paid(i) / runs;
        chooser.learn(chosen, paid(chosen.action));
      }
      ASSERT_TRUE(chooser.regret_bound());
      bound = *chooser.regret_bound();
    }
    EXPECT_LE(*std::max_element(policy.begin(), policy.end()) - mean, bound);
    EXPECT_LT(bound, rounds / 2);
  }
}

TEST(Chooser, NoRegretBoundOnceARewardIsLate) {
  Chooser chooser({.policies = {"uniform", "first"}});
  Generator draws(1);
  const Actions actions(draws);
  const ChosenAction first = chooser.choose(actions.all(), "1");
  const ChosenAction second = chooser.choose(actions.all(), "2");
  chooser.learn(second, 1);
  EXPECT_FALSE(chooser.regret_bound());
  chooser.learn(first, 1);
  EXPECT_EQ(chooser.rewards(), 2U);
  EXPECT_THROW(chooser.learn(first, 1.5), Error);
}

// Successes are reported at once, failures late: until they are, no bound takes the former for all.
TEST(Chooser, LateRewardsDoNotSpeakForAll) {
  Chooser chooser({.policies = {"uniform"}, .run = "uniform"});
  Generator draws(1);
  std::vector<ChosenAction> late;
  for (int t = 0; t < 1000; ++t) {
    const Actions actions(draws);
    const ChosenAction chosen = chooser.choose(actions.all(), std::to_string(t));
    if (draws.next() < 0.3)
      chooser.learn(chosen, 1);
    else
      late.push_back(chosen);
    EXPECT_LT(chooser.value("uniform").rounds(), 20U);
  }
  for (std::size_t i = late.size(); i-- > 0;) {
    if (i % 2 == 0) chooser.learn(late[i], 0);
  }
  for (std::size_t i = 1; i < late.size(); i += 2) chooser.forget(late[i]);
  EXPECT_EQ(chooser.value("uniform").rounds(), chooser.rewards());
  EXPECT_LT(chooser.value("uniform").value().lower, 0.5);
  EXPECT_GT(chooser.value("uniform").value().lower, 0.3);
}

TEST(Chooser, AnIdThatComesAgainDrawsAnew) {
  Chooser chooser({.policies = {"uniform"}, .run = "uniform"});
  Generator draws(1);
  std::map<std::size_t, int> drawn;
  for (int t = 0; t < 300; ++t) ++drawn[chooser.choose(Actions(draws).all(), "the same").action];
  for (std::size_t a = 0; a < 3; ++a) EXPECT_NEAR(drawn[a], 100, 40);
}

TEST(Chooser, RestoredItGoesOnBitForBit) {
  const ChooserOptions options{.policies = all_policies};
  Chooser whole(options), first(options), second(options);
  Generator draws(3), more(3);
  play(whole, draws, 200);
  play(first, more, 120);
  second.restore(first.save());
  play(second, more, 80, 120);
  EXPECT_EQ(second.save(), whole.save());
  std::vector<std::uint8_t> bytes = first.save();
  for (std::size_t cut = 0; cut < bytes.size(); cut += 1 + bytes.size() / 97)
    EXPECT_THROW(Chooser(options).restore(std::span(bytes).first(cut)), Error);
  bytes.push_back(0);
  EXPECT_THROW(Chooser(options).restore(bytes), Error);
}

// The order of the actions and their names change nothing of what is learned, but for the draws.
TEST(Chooser, ExcludedActionsAreNeverDrawn) {
  Chooser chooser({.policies = all_policies, .run = "uniform"});
  Generator draws(4);
  for (int t = 0; t < 200; ++t) {
    const Actions actions(draws);
    const std::vector<std::uint8_t> excluded{0, 1, 0};
    const ChosenAction chosen = chooser.choose({actions.block, actions.names, excluded}, std::to_string(t));
    EXPECT_NE(chosen.action, 1U);
    EXPECT_EQ(chosen.probability[1], 0);
    EXPECT_EQ(chosen.actions, 2U);
    chooser.learn(chosen, 1);
  }
  const Actions actions(draws);
  const std::vector<std::uint8_t> all{1, 1, 1};
  EXPECT_THROW(chooser.choose({actions.block, actions.names, all}, "none"), Error);
}

TEST(Chooser, RefusesPoliciesThatThereAreNot) {
  for (const std::string wrong :
       {"", "best", "epsilon:rate=2", "epsilon:scale=1", "greedy:rate=1", "arm:", "softmax:rate=x"})
    EXPECT_THROW(Chooser({.policies = {wrong}, .run = wrong}), Error) << wrong;
  EXPECT_THROW(Chooser({.policies = std::vector<std::string>(33, "first")}), Error);
  EXPECT_THROW(Chooser({.policies = {"first", "first"}}), Error);
  EXPECT_THROW(Chooser({.policies = {"first"}, .run = "uniform"}), Error);
  EXPECT_THROW(Chooser({.policies = {"first"}, .floor = 1}), Error);
}

TEST(Exploration, SumsToOneAndFollowsTheEstimates) {
  Generator draws(5);
  for (int i = 0; i < 300; ++i) {
    std::vector<double> estimates(1 + pick(draws, 6)), variances(estimates.size(), 0.01), p(estimates.size());
    for (double& e : estimates) e = static_cast<double>(pick(draws, 4)) / 4;
    const double gamma = 100 * draws.next();
    const auto check = [&] {
      EXPECT_NEAR(std::accumulate(p.begin(), p.end(), 0.0), 1, 1e-12);
      for (std::size_t a = 0; a < p.size(); ++a) {
        for (std::size_t b = 0; b < p.size(); ++b) {
          EXPECT_TRUE(estimates[a] <= estimates[b] || p[a] >= p[b]);
          EXPECT_TRUE(estimates[a] != estimates[b] || p[a] == p[b]);
        }
      }
    };
    exploration::greedy(estimates, p);
    check();
    exploration::epsilon(estimates, 0.3, p);
    check();
    exploration::softmax(estimates, 4, p);
    check();
    exploration::inverse_gap(estimates, gamma, p);
    check();
    const auto best =
        static_cast<std::size_t>(std::max_element(estimates.begin(), estimates.end()) - estimates.begin());
    for (std::size_t a = 0; a < p.size(); ++a) {
      if (estimates[a] == estimates[best]) continue;
      EXPECT_DOUBLE_EQ(p[a], 1 / (static_cast<double>(p.size()) + gamma * (estimates[best] - estimates[a])));
    }
    exploration::thompson(estimates, variances, 20, draws, p);
    EXPECT_NEAR(std::accumulate(p.begin(), p.end(), 0.0), 1, 1e-12);
  }
}

}  // namespace
}  // namespace halfspace
