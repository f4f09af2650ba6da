// Intervals of what a policy is worth: between 0 and 1, never of no length, and over the truth as often as they say.
#include "halfspace/bandits/off_policy.h"

#include <gtest/gtest.h>

#include "halfspace/base/random.h"

namespace halfspace {
namespace {

// A log of clicks over two arms, and the estimate of always pulling the second.
OffPolicyEstimate log_of(Generator& draws, int rows, double propensity, double rate) {
  OffPolicyEstimate estimate;
  for (int i = 0; i < rows; ++i) {
    const bool second = draws.next() < propensity;
    const bool click = draws.next() < rate;
    estimate.add(second ? 1 : 0, second ? propensity : 1 - propensity, click ? 1 : 0);
  }
  return estimate;
}

TEST(OffPolicy, IntervalsAreOfValuesThatThereAre) {
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    Generator draws(seed);
    const int rows = static_cast<int>(40 * draws.next());
    const OffPolicyEstimate estimate = log_of(draws, rows, 0.02 + 0.9 * draws.next(),
                                              draws.next() < 0.3 ? (draws.next() < 0.5 ? 0 : 1) : draws.next());
    for (const Interval& i : {estimate.ips(), estimate.snips(), estimate.ips(50), estimate.snips(50)}) {
      EXPECT_GE(i.lower, 0) << seed;
      EXPECT_LE(i.upper, 1) << seed;
      if (i.value <= 1) {
        EXPECT_LE(i.lower, i.value) << seed;
        EXPECT_GE(i.upper, i.value) << seed;
        EXPECT_LT(i.lower, i.upper) << seed;
      }
    }
  }
}

TEST(OffPolicy, NothingSeenIsNothingKnown) {
  OffPolicyEstimate estimate;
  EXPECT_EQ(estimate.snips().upper, 1);
  EXPECT_EQ(estimate.ips().upper, 1);
  estimate.add(0, 0.5, 1);  // a row that the policy would never have seen
  EXPECT_EQ(estimate.snips().lower, 0);
  EXPECT_EQ(estimate.snips().upper, 1);
}

// Wilson's interval by its definition: at its ends the rate seen is z standard errors away.
TEST(OffPolicy, EqualRewardsAreJudgedByTheirNumber) {
  for (const double reward : {0.0, 0.25, 1.0}) {
    OffPolicyEstimate estimate;
    for (int i = 0; i < 20; ++i) estimate.add(1, 0.5, reward);
    const Interval i = estimate.snips(2);
    EXPECT_EQ(i.value, reward);
    for (const double end : {i.lower, i.upper}) {
      if (end == reward) continue;
      EXPECT_NEAR((reward - end) * (reward - end), 4 * end * (1 - end) / 20, 1e-15) << reward;
    }
    EXPECT_LT(i.upper - i.lower, 0.5);
  }
}

// Rare clicks in short logs: half of these see none, and a spread of 0 would be an interval of 0.
TEST(OffPolicy, HoldTheTruthAsOftenAsTheySay) {
  int held_ips = 0, held_snips = 0;
  constexpr int logs = 2000;
  for (std::uint64_t seed = 1; seed <= logs; ++seed) {
    Generator draws(seed);
    const OffPolicyEstimate estimate = log_of(draws, 60, 0.5, 0.02);
    held_ips += estimate.ips().lower <= 0.02 && 0.02 <= estimate.ips().upper;
    held_snips += estimate.snips().lower <= 0.02 && 0.02 <= estimate.snips().upper;
  }
  EXPECT_GT(held_ips, 0.93 * logs);
  EXPECT_GT(held_snips, 0.93 * logs);
}

}  // namespace
}  // namespace halfspace
