// Bounds of what a policy is worth: over the truth at every time, whatever drifts, and those of the theorem.
#include "halfspace/bandits/policy_value.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "halfspace/bandits/bandit_game.h"
#include "halfspace/base/error.h"
#include "halfspace/base/random.h"

namespace halfspace {
namespace {

constexpr double unknown = std::numeric_limits<double>::infinity();

// A world of contexts and actions, whose logger learns greedily, and the value of always taking the best action.
struct LoggedWorld {
  enum class Drift { none, falls, gone };

  explicit LoggedWorld(std::uint64_t seed, double floor, Drift how, bool binary)
      : draws(seed), least(floor), drift(how), clicks(binary) {
    for (auto& row : mean) {
      for (double& m : row) m = 0.3 + 0.5 * draws.next();
    }
  }

  PolicyRound next() {
    ++rounds;
    const auto context = static_cast<std::size_t>(pick(draws, contexts));
    double shift = 0;
    if (drift == Drift::falls && rounds > 300) shift = -0.25;
    if (drift == Drift::gone) shift = rounds % 100 < 50 ? 0.15 : -0.25;
    const auto best = [&](const auto& of) {
      return static_cast<std::size_t>(std::max_element(of.begin(), of.end()) - of.begin());
    };
    std::array<double, actions> learned{};
    for (std::size_t a = 0; a < actions; ++a)
      learned[a] = seen[context][a] > 0 ? paid[context][a] / seen[context][a] : 1;
    std::array<double, actions> p{};
    for (std::size_t a = 0; a < actions; ++a) p[a] = least + (a == best(learned) ? 1 - least * actions : 0.0);
    const std::size_t action = pick(draws.next(), p), wanted = best(mean[context]);
    const double m = mean[context][action] + shift;
    const double reward =
        clicks ? (draws.next() < m ? 1.0 : 0.0) : std::clamp(m + 0.2 * (draws.next() - 0.5), 0.0, 1.0);
    value += mean[context][wanted] + shift;
    gain += mean[context][wanted] + shift;
    for (std::size_t a = 0; a < actions; ++a) gain -= p[a] * (mean[context][a] + shift);
    paid[context][action] += reward;
    ++seen[context][action];
    return {action == wanted ? 1.0 : 0.0, p[action], reward, unknown};
  }

  static constexpr std::size_t contexts = 3, actions = 4;
  Generator draws;
  double least;
  Drift drift;
  bool clicks;
  std::array<std::array<double, actions>, contexts> mean{}, paid{}, seen{};
  std::uint64_t rounds = 0;
  double value = 0, gain = 0;  // sums
};

// Each of four bounds may fail once in twenty: of those of forty worlds eight, and 20 hardly ever.
TEST(PolicyValue, BoundsHoldAtEveryTimeWhateverDrifts) {
  for (const auto drift : {LoggedWorld::Drift::none, LoggedWorld::Drift::falls, LoggedWorld::Drift::gone}) {
    for (const bool known : {false, true}) {
      for (const bool clicks : {false, true}) {
        int fails = 0;
        for (std::uint64_t seed = 1; seed <= 40; ++seed) {
          LoggedWorld world(seed, 0.02, drift, clicks);
          PolicyValue value(0.05);
          std::array<bool, 4> failed{};
          for (int t = 1; t <= 600; ++t) {
            PolicyRound round = world.next();
            if (known) round.largest_ratio = 1 / 0.02;
            value.add(round);
            if (t > 32 && t % 24 != 0) continue;
            const Interval worth = value.value(), gain = value.gain();
            failed[0] |= world.value / t < worth.lower;
            failed[1] |= world.value / t > worth.upper;
            failed[2] |= world.gain / t < gain.lower;
            failed[3] |= world.gain / t > gain.upper;
          }
          for (const bool one : failed) fails += one;
        }
        EXPECT_LE(fails, 20);
      }
    }
  }
}

// The supermartingale of the theorem, in plain arithmetic: at the bound it is 1 / delta.
TEST(PolicyValue, BoundIsTheRootOfTheTheorem) {
  for (const bool known : {false, true}) {
    LoggedWorld world(7, 0.05, LoggedWorld::Drift::none, true);
    PolicyValue value(0.01);
    std::array<long double, LeastSum::shares> log{};
    long double guesses = 0, sum = 0;
    for (int t = 0; t < 500; ++t) {
      PolicyRound round = world.next();
      if (known) round.largest_ratio = 20;
      const long double w = round.policy / round.propensity;
      const long double m = t == 0 ? 0.5L : std::min(1.0L, sum / t);
      for (std::size_t k = 0; k < log.size(); ++k) {
        const long double l = LeastSum::share(k);
        const long double b = known ? std::min(m, 0.7L * (1 - l) / (20 * l)) : 0;
        log[k] += std::log(1 + l * (w * (round.reward - b) + b - m));
      }
      guesses += m;
      sum += std::min(w * round.reward, 3.0L);
      value.add(round);
    }
    const long double v = 500 * static_cast<long double>(value.value().lower);
    long double wealth = 0;
    for (std::size_t k = 0; k < log.size(); ++k)
      wealth += std::exp(log[k] - LeastSum::share(k) * (v - guesses)) / LeastSum::shares;
    EXPECT_NEAR(static_cast<double>(wealth), 100, 1e-6);
    EXPECT_GE(static_cast<double>(wealth), 100 * (1 - 1e-15));
    EXPECT_GT(value.value().lower, 0.1);
  }
}

// For the policy that pays 1 - reward the bounds are mirrored.
TEST(PolicyValue, UpperBoundsAreLowerOnesOfTheLosses) {
  LoggedWorld world(3, 0.1, LoggedWorld::Drift::none, true);
  PolicyValue value(0.01), mirrored(0.01);
  for (int t = 0; t < 400; ++t) {
    const PolicyRound round = world.next();
    value.add(round);
    mirrored.add({round.policy, round.propensity, 1 - round.reward, round.largest_ratio});
  }
  EXPECT_NEAR(value.value().lower, 1 - mirrored.value().upper, 1e-12);
  EXPECT_NEAR(value.value().upper, 1 - mirrored.value().lower, 1e-12);
  EXPECT_NEAR(value.gain().lower, -mirrored.gain().upper, 1e-12);
}

TEST(PolicyValue, KnowingTheLargestRatioNarrowsTheBounds) {
  LoggedWorld world(5, 0.01, LoggedWorld::Drift::none, false);
  PolicyValue plain(0.01), centred(0.01);
  for (int t = 0; t < 3000; ++t) {
    PolicyRound round = world.next();
    plain.add(round);
    round.largest_ratio = 100;
    centred.add(round);
  }
  const auto width = [](const Interval& i) { return i.upper - i.lower; };
  EXPECT_LT(width(centred.value()), width(plain.value()));
  EXPECT_LT(width(centred.gain()), width(plain.gain()));
}

// Every second round the policy's action is drawn, and pays: the bound is above 0 at round 41 or so, and says so early.
TEST(PolicyValue, RoundsToProveAGainAreForecast) {
  PolicyValue value(0.0025);
  std::uint64_t proved = 0, forecast = 0;
  for (std::uint64_t t = 1; proved == 0 && t < 100; ++t) {
    value.add({1, 0.5, 1, 2});
    value.add({0, 0.5, 0, 2});
    if (t == 5) forecast = 2 * t + value.rounds_to_prove_a_gain();
    if (value.gain().lower > 0) proved = 2 * t;
    EXPECT_EQ(value.rounds_to_prove_a_gain() == 0, proved > 0) << t;
  }
  EXPECT_GT(proved, 20U);
  EXPECT_NEAR(static_cast<double>(forecast), static_cast<double>(proved), 12);
}

// The expectation over the draws is exactly the policy's reward, whatever the model.
TEST(PolicyValue, DoublyRobustIsUnbiased) {
  const std::vector<double> drawn{0.5, 0.25, 0.25}, policy{0.125, 0.625, 0.25}, reward{0.25, 1, 0.5};
  for (const std::vector<double>& model : {std::vector<double>{0, 0, 0}, {0.25, 1, 0.5}, {1, 0.125, 0.75}}) {
    double expected = 0, truth = 0, model_value = 0, spread = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      model_value += policy[a] * model[a];
      truth += policy[a] * reward[a];
    }
    for (std::size_t a = 0; a < 3; ++a) {
      PolicyValue value;
      value.add({policy[a], drawn[a], reward[a], 3, model_value, model[a]});
      expected += drawn[a] * value.doubly_robust();
      spread += drawn[a] * std::abs(value.doubly_robust() - truth);
    }
    EXPECT_DOUBLE_EQ(expected, truth);
    EXPECT_EQ(spread == 0, model == reward);  // a model that is right leaves nothing to chance
  }
}

// What runs has no gain over itself, and rewards of 1 alone prove themselves.
TEST(PolicyValue, SimpleLogs) {
  PolicyValue same(0.01);
  for (int t = 0; t < 1000; ++t) same.add({0.3, 0.3, 1, 1});
  EXPECT_EQ(same.gain().value, 0);
  EXPECT_LE(same.gain().lower, 0);
  EXPECT_GE(same.gain().upper, 0);
  EXPECT_GT(same.value().lower, 0.97);
  EXPECT_EQ(same.value().upper, 1);
  const PolicyValue none(0.01);
  EXPECT_EQ(none.value().lower, 0);
  EXPECT_EQ(none.value().upper, 1);
  EXPECT_EQ(none.gain().lower, -1);
}

TEST(PolicyValue, ProvesThatTheValueHasChanged) {
  PolicyValue value(0.01);
  for (int t = 0; t < 2000; ++t) {
    value.add({1, 1, t < 1000 ? 0.8 : 0.2, 1});
    EXPECT_TRUE(t >= 1000 || !value.change().proved()) << t;
  }
  ASSERT_TRUE(value.change().proved());
  EXPECT_LT(value.change().low, 0.6);
  EXPECT_GT(value.change().high, 0.7);
  EXPECT_LE(value.change().high_at, 1024U);
}

// Numbers at the ends of the doubles: never more than is proved, never NaN.
TEST(PolicyValue, ExtremePropensities) {
  for (const double propensity : {1e-4, 1e-30, 1e-300, 5e-324}) {
    PolicyValue value(0.01);
    for (int t = 0; t < 50; ++t) value.add({1, propensity, t % 2 == 0 ? 0.0 : 1.0, unknown});
    const Interval worth = value.value();
    EXPECT_GE(worth.lower, 0);
    EXPECT_LE(worth.lower, 1);
    EXPECT_FALSE(std::isnan(worth.upper));
    EXPECT_FALSE(std::isnan(value.gain().lower));
  }
}

TEST(PolicyValue, BoundsOfALogShareDelta) {
  const LoggedRounds log{.arms = {"a", "b"}, .action = {0, 1}, .reward = {1, 0}, .propensity = {0.5, 0.5}};
  const LogResult result = replay_log(log, 0.1);
  for (const PolicyValue* const value :
       {&result.logger, &result.uniform, &result.policy, &result.proved_arm[0], &result.proved_arm[1]})
    EXPECT_DOUBLE_EQ(value->delta(), 0.1 / (4 * 5));  // four bounds of five policies
}

TEST(PolicyValue, RefusesWhatIsNoRound) {
  PolicyValue value(0.01);
  for (const PolicyRound& wrong : std::vector<PolicyRound>{{0.5, 0, 1, unknown},
                                                           {1.5, 1, 1, unknown},
                                                           {0.5, 0.5, 1.5, unknown},
                                                           {0.5, 0.5, std::nan(""), unknown},
                                                           {1, 0.1, 1, 5}})
    EXPECT_THROW(value.add(wrong), Error);
  EXPECT_EQ(value.rounds(), 0U);
}

}  // namespace
}  // namespace halfspace
