// Long runs stay on the numbers: against an extended-precision reference, without underflow, and never on an impossible
// arm.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "halfspace/bandits/bandit.h"
#include "halfspace/bandits/bandit_game.h"
#include "halfspace/base/random.h"
#include "halfspace/detail/base/softmax.h"

namespace halfspace {
namespace {

TEST(Softmax, SurvivesTotalsThatWouldUnderflow) {
  const std::vector<double> totals{1e6, 1e6 + 1, 2e6};
  std::vector<double> p(3);
  softmax(totals, -1, p);
  EXPECT_NEAR(p[0], 1 / (1 + std::exp(-1)), 1e-15);
  EXPECT_NEAR(p[1], std::exp(-1) / (1 + std::exp(-1)), 1e-15);
  EXPECT_EQ(p[2], 0);
  softmax(totals, 1, p);
  EXPECT_EQ(p[2], 1);
}

TEST(Softmax, LeavesOutSleepersAndTheInfinite) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  std::vector<double> p(4);
  softmax(std::vector<double>{0, -5, inf, 0}, -2, p, std::vector<double>{1, nan, 1, 1});
  EXPECT_EQ(p, (std::vector<double>{0.5, 0, 0, 0.5}));
  softmax(std::vector<double>{inf, inf, inf, inf}, -2, p, std::vector<double>{1, nan, 1, nan});
  EXPECT_EQ(p, (std::vector<double>{0.5, 0, 0.5, 0}));
  softmax(std::vector<double>{1, 2, inf, 3}, -0.0, p);
  EXPECT_NEAR(p[0], 1.0 / 3, 1e-16);
  EXPECT_EQ(p[2], 0);
}

TEST(Pick, FallsBackOnTheLastArmThatIsPossible) {
  const std::vector<double> p{0.25, 0.5, 0.25 - 0x1p-50, 0};
  EXPECT_EQ(pick(0.0, p), 0U);
  EXPECT_EQ(pick(0.25, p), 1U);
  EXPECT_EQ(pick(std::nextafter(0.25, 0), p), 0U);
  EXPECT_EQ(pick(1 - 0x1p-53, p), 2U);
  EXPECT_EQ(pick(0.0, std::vector<double>{0, 0, 1}), 2U);
}

// Exp3-IX in long double, fed the same draws.
TEST(Stability, ManyRoundsFollowTheExtendedReference) {
  constexpr std::size_t arms = 50;
  constexpr std::uint64_t rounds = 20'000;
  const BanditOptions options{.name = BanditName::exp3_ix, .arms = arms, .rounds = rounds, .delta = 0.05};
  Bandit bandit(options);
  std::vector<long double> total(arms), weight(arms);
  const long double rate =
      std::sqrt(2 * std::log(static_cast<long double>(arms)) / (static_cast<long double>(arms) * rounds));
  Generator draws(3);
  Generator world(4);
  double worst = 0;
  for (std::uint64_t t = 0; t < rounds; ++t) {
    const Play play = bandit.play(draws.next());
    const long double least = *std::min_element(total.begin(), total.end());
    long double sum = 0;
    for (std::size_t i = 0; i < arms; ++i) sum += weight[i] = std::exp(-rate * (total[i] - least));
    for (std::size_t i = 0; i < arms; ++i) {
      const double p = static_cast<double>(weight[i] / sum);
      worst = std::max(worst, std::abs(bandit.last_distribution()[i] - p) / p);
    }
    const double loss = world.next() < (play.arm == 7 ? 0.2 : 0.6) ? 1 : 0;
    bandit.learn(play, loss);
    total[play.arm] += loss / (weight[play.arm] / sum + rate / 2);
  }
  EXPECT_LT(worst, 1e-10);
  EXPECT_GT(bandit.distribution()[7], 0.3);
}

// The most even and the most lopsided worlds, all algorithms: p is a distribution in every round.
TEST(Stability, DistributionsStayDistributions) {
  for (const BanditName name : values<BanditName>()) {
    for (const std::size_t arms : {1, 2, 9}) {
      Bandit bandit({.name = name, .arms = arms, .rounds = 3000, .delta = 0.01});
      Generator draws(5);
      for (int t = 0; t < 3000; ++t) {
        const Play play = bandit.play(t % 7 == 0 ? 1 - 0x1p-53 : draws.next());
        const auto p = bandit.last_distribution();
        ASSERT_NEAR(std::accumulate(p.begin(), p.end(), 0.0), 1, 1e-12) << name_of(name);
        ASSERT_GT(play.probability, 0) << name_of(name);
        for (const double entry : p) ASSERT_GE(entry, 0) << name_of(name);
        bandit.learn(play, play.arm == 0 ? 0 : 1);
      }
    }
  }
}

// High probability, where the bounds are not vacuous: the share of runs above may not exceed delta.
TEST(Stability, FewRunsExceedTheHighProbabilityBound) {
  constexpr std::uint64_t rounds = 3000;
  for (const BanditName name : {BanditName::exp3p, BanditName::exp3_ix, BanditName::exp3_ix_anytime}) {
    int above = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Bandit bandit({.name = name, .arms = 2, .rounds = rounds, .delta = 0.1});
      Generator draws(seed);
      double paid = 0;
      double arm[2] = {0, 0};
      for (std::uint64_t t = 0; t < rounds; ++t) {
        // Adaptive: the arm that the player trusts more has the larger loss, until arm 1 turns good.
        const Play play = bandit.play(draws.next());
        const auto p = bandit.last_distribution();
        const double losses[2] = {t < 500 ? (p[0] > 0.5 ? 1.0 : 0.0) : 1.0, t < 500 ? (p[1] > 0.5 ? 1.0 : 0.0) : 0.0};
        bandit.learn(play, losses[play.arm]);
        paid += losses[play.arm];
        for (const int i : {0, 1}) arm[i] += losses[i];
      }
      const double k = 2;
      const double t = rounds;
      const double bound =
          name == BanditName::exp3p ? 5.15 * std::sqrt(t * k * std::log(k / 0.1))
          : name == BanditName::exp3_ix
              ? 2 * std::sqrt(2 * k * t * std::log(k)) + (std::sqrt(2 * k * t / std::log(k)) + 1) * std::log(20.0)
              : 4 * std::sqrt(k * t * std::log(k)) + (2 * std::sqrt(k * t / std::log(k)) + 1) * std::log(20.0);
      above += paid - std::min(arm[0], arm[1]) > bound;
    }
    EXPECT_LE(above, 2) << name_of(name);
  }
}

// Rates are tuned for the horizon: what a table's bound says holds where that is shorter than the table, and longer.
TEST(Bandit, BoundsOfATableHoldWhateverTheHorizon) {
  constexpr std::uint64_t rounds = 60;
  RoundTable table;
  table.names = {"bad", "good", "bad, too"};
  for (std::uint64_t t = 0; t < rounds; ++t) table.values.insert(table.values.end(), {1, 0, 1});
  table.rounds = rounds;
  for (const BanditName name : values<BanditName>()) {
    for (const std::uint64_t horizon : {1, 6, 60, 600, 1'000'000}) {
      SCOPED_TRACE(std::string(name_of(name)) + " " + std::to_string(horizon));
      double mean = 0, least = 0;
      for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const PullResult run = pull(table, {.name = name, .arms = 0, .rounds = horizon, .delta = 0.05}, seed);
        mean += run.bound.observed / 20;
        least = run.bound.value;
      }
      EXPECT_LE(mean, least);
      if (needs_horizon(name) && name != BanditName::exp3_mix && horizon < rounds) {
        EXPECT_EQ(least, rounds);
      }
    }
  }
}

TEST(Bandit, RefusesOptionsOutOfRange) {
  EXPECT_ANY_THROW(Bandit({.name = BanditName::exp3, .arms = 3, .rounds = 0, .delta = 0.05}));
  EXPECT_ANY_THROW(Bandit({.name = BanditName::exp3_ix_anytime, .arms = 0, .rounds = 0, .delta = 0.05}));
  EXPECT_ANY_THROW(Bandit({.name = BanditName::exp3p, .arms = 3, .rounds = 9, .delta = 0}));
  EXPECT_ANY_THROW(Bandit({.name = BanditName::exp3p, .arms = std::uint64_t{1} << 60, .rounds = 9, .delta = 0.1}));
}

}  // namespace
}  // namespace halfspace
