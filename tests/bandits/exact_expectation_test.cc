// Regret exactly in expectation: every path of arms a bandit can take on small tables, each with its probability.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "halfspace/bandits/exp3.h"
#include "halfspace/base/random.h"
#include "halfspace/detail/bandits/exp3_ix.h"
#include "halfspace/detail/bandits/exp3_mix.h"
#include "halfspace/detail/bandits/exp3_p.h"
#include "halfspace/regret/regret_bounds.h"

namespace halfspace {
namespace {

using Path = std::vector<std::uint32_t>;
// The adversary: losses of the coming round, from the arms played so far.
using Adversary = std::function<std::vector<double>(const Path&)>;

// A draw that lands on the arm: the middle of its stretch.
double draw_for(std::span<const double> p, std::size_t arm) {
  double before = 0;
  for (std::size_t i = 0; i < arm; ++i) before += p[i];
  return before + p[arm] / 2;
}

struct Expectation {
  double mass = 0, paid = 0;
  std::vector<double> arm;  // E of each arm's total loss
  double pseudo_regret() const { return paid - *std::min_element(arm.begin(), arm.end()); }
};

template <class Player>
void walk(const Player& player, const Adversary& adversary, std::size_t rounds, Path& path, double mass, double paid,
          std::vector<double>& arms, Expectation& sum) {
  if (path.size() == rounds) {
    sum.mass += mass;
    sum.paid += mass * paid;
    for (std::size_t i = 0; i < arms.size(); ++i) sum.arm[i] += mass * arms[i];
    return;
  }
  const std::vector<double> losses = adversary(path);
  Player asked = player;
  const auto span = asked.distribution();
  const std::vector<double> p(span.begin(), span.end());
  for (std::size_t i = 0; i < losses.size(); ++i) arms[i] += losses[i];
  for (std::size_t arm = 0; arm < p.size(); ++arm) {
    if (p[arm] < 1e-14) continue;  // no draw can land on it; paths that would are nothing in the mean
    Player next = player;
    const Play play = next.play(draw_for(p, arm));
    ASSERT_EQ(play.arm, arm);
    next.learn(play, losses[arm]);
    path.push_back(play.arm);
    walk(next, adversary, rounds, path, mass * p[arm], paid + losses[arm], arms, sum);
    path.pop_back();
  }
  for (std::size_t i = 0; i < losses.size(); ++i) arms[i] -= losses[i];
}

template <class Player>
Expectation expectation(const Player& player, std::size_t arms, std::size_t rounds, const Adversary& adversary) {
  Expectation sum;
  sum.arm.resize(arms);
  std::vector<double> totals(arms);
  Path path;
  walk(player, adversary, rounds, path, 1, 0, totals, sum);
  return sum;
}

// Fixed tables and adversaries that look at what was played.
std::vector<Adversary> adversaries(std::size_t arms) {
  std::vector<Adversary> all;
  all.push_back([arms](const Path& path) {  // one good arm
    std::vector<double> losses(arms, 1);
    losses[arms - 1] = path.size() % 5 == 0 ? 1 : 0;
    return losses;
  });
  all.push_back([arms](const Path& path) {  // punish the last arm played
    std::vector<double> losses(arms, 0);
    losses[path.empty() ? 0 : path.back()] = 1;
    return losses;
  });
  all.push_back([arms](const Path& path) {  // punish whoever was played most, the others a little
    std::vector<double> losses(arms, 0.25);
    std::vector<int> count(arms);
    for (const auto arm : path) ++count[arm];
    losses[static_cast<std::size_t>(std::max_element(count.begin(), count.end()) - count.begin())] = 1;
    return losses;
  });
  for (const std::uint64_t seed : {1, 2, 3}) {
    all.push_back([arms, seed](const Path& path) {  // a table drawn once
      Generator draws(seed * 1000 + path.size());
      std::vector<double> losses(arms);
      for (double& loss : losses) loss = draws.next() < 0.5 ? 0 : 1;
      return losses;
    });
  }
  return all;
}

struct Size {
  std::size_t arms, rounds;
};
constexpr Size sizes[] = {{1, 4}, {2, 1}, {2, 10}, {3, 7}, {4, 5}};

TEST(ExactExpectation, Exp3KeepsItsPseudoRegret) {
  for (const auto [arms, rounds] : sizes) {
    for (const Adversary& adversary : adversaries(arms)) {
      const Expectation e =
          expectation(Exp3(arms, FixedRate::for_horizon(2 * exp3_rate_scale(arms), rounds)), arms, rounds, adversary);
      EXPECT_NEAR(e.mass, 1, 1e-12);
      EXPECT_LE(e.pseudo_regret(), exp3_bound(rounds, arms) + 1e-12);
      const Expectation anytime = expectation(Exp3(arms, AnytimeRate{exp3_rate_scale(arms)}), arms, rounds, adversary);
      EXPECT_LE(anytime.pseudo_regret(), exp3_anytime_bound(rounds, arms) + 1e-12);
    }
  }
}

// Sharper than the theorem: its own last line, ln K / rate + rate / 2 * sum over rounds of K, holds at every rate, also
// where the tuned bound is slack.
TEST(ExactExpectation, Exp3KeepsTheBoundOfItsRate) {
  for (const double rate : {0.05, 0.3, 1.0, 3.0}) {
    for (const Adversary& adversary : adversaries(3)) {
      const Expectation e = expectation(Exp3(3, FixedRate{rate}), 3, 7, adversary);
      EXPECT_LE(e.pseudo_regret(), std::log(3.0) / rate + rate / 2 * 7 * 3) << rate;
    }
  }
}

// The estimate is unbiased: over all draws of a round the mean total of an arm is its loss.
TEST(ExactExpectation, Exp3EstimatesWithoutBias) {
  const std::vector<double> losses{0.5, 1, 0.25};
  Exp3 player(3, FixedRate{0.7});
  const Play first = player.play(0.1);
  player.learn(first, 1);
  const std::vector<double> before(player.totals().begin(), player.totals().end());
  const auto span = player.distribution();
  const std::vector<double> p(span.begin(), span.end());
  std::vector<double> mean(3);
  for (std::size_t arm = 0; arm < 3; ++arm) {
    auto next = player;
    const Play play = next.play(draw_for(p, arm));
    next.learn(play, losses[arm]);
    for (std::size_t i = 0; i < 3; ++i) mean[i] += p[arm] * (next.totals()[i] - before[i]);
  }
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(mean[i], losses[i], 1e-14);
}

TEST(ExactExpectation, Exp3MixKeepsItsRegret) {
  for (const auto [arms, rounds] : sizes) {
    for (const Adversary& adversary : adversaries(arms)) {
      for (const double mixing : {0.1, 0.5, 1.0}) {
        const Expectation e = expectation(Exp3Mix(arms, mixing), arms, rounds, adversary);
        const double best_gain = static_cast<double>(rounds) - *std::min_element(e.arm.begin(), e.arm.end());
        EXPECT_LE(e.pseudo_regret(), exp3_mix_bound(mixing, best_gain, arms) + 1e-12);
      }
    }
  }
}

// E R <= the high-probability bound with ln(2/delta) replaced by 1 + ln 2.
TEST(ExactExpectation, Exp3IxKeepsItsExpectedRegret) {
  for (const auto [arms, rounds] : sizes) {
    if (arms == 1) continue;
    for (const Adversary& adversary : adversaries(arms)) {
      const Expectation e =
          expectation(Exp3Ix(arms, FixedRate::for_horizon(2 * exp3_rate_scale(arms), rounds)), arms, rounds, adversary);
      EXPECT_LE(e.pseudo_regret(), exp3_ix_bound(rounds, arms, 2 / std::exp(1 + std::log(2.0))));
    }
  }
}

// The implicit exploration biases the estimate down by the factor p / (p + rate / 2), exactly.
TEST(ExactExpectation, Exp3IxEstimateIsBiasedByItsFactor) {
  Exp3Ix player(2, FixedRate{0.5});
  const Play play = player.play(0.2);
  player.learn(play, 1);
  EXPECT_EQ(player.totals()[play.arm], 1 / (0.5 + 0.25));
}

TEST(Bandits, LateFeedbackIsLearnedAtTheRateOfItsRound) {
  Exp3Ix player(2, AnytimeRate{exp3_rate_scale(2)});
  const Play first = player.play(0.2);
  const Play second = player.play(0.9);
  player.learn(second, 1);
  player.learn(first, 1);
  EXPECT_EQ(player.totals()[0], 1 / (0.5 + std::sqrt(std::log(2.0) / 2) / 2));
  EXPECT_EQ(player.totals()[1], 1 / (0.5 + std::sqrt(std::log(2.0) / 2 / 2) / 2));
}

}  // namespace
}  // namespace halfspace
