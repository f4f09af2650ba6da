// The theorems on experts as properties, against adversaries that see the player's every move.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "experts/asleep.h"
#include "experts/combiner.h"
#include "halfspace/base/random.h"
#include "halfspace/bounds/formulas.h"
#include "halfspace/detail/bounds/bound_search.h"
#include "halfspace/experts/consistent.h"
#include "halfspace/experts/halving.h"
#include "halfspace/experts/hedge.h"
#include "halfspace/experts/weighted_majority.h"
#include "halfspace/regret/regret_bounds.h"

namespace halfspace {
namespace {

std::vector<double> random_advice(Generator& draws, std::size_t experts) {
  std::vector<double> advice(experts);
  for (double& a : advice) a = draws.next() < 0.5 ? 0 : 1;
  return advice;
}

// The adversary answers the opposite of the prediction as long as somebody would still be perfect.
template <class Player>
std::uint64_t forced_mistakes(std::size_t experts, std::uint64_t seed, int rounds) {
  Player player(experts);
  std::vector<bool> perfect(experts, true);
  Generator draws(seed);
  std::uint64_t mistakes = 0;
  for (int t = 0; t < rounds; ++t) {
    const auto advice = random_advice(draws, experts);
    const int predicted = player.predict(advice);
    int outcome = 1 - predicted;
    const auto somebody = [&](int label) {
      for (std::size_t i = 0; i < experts; ++i) {
        if (perfect[i] && label_of(advice[i]) == label) return true;
      }
      return false;
    };
    if (!somebody(outcome)) outcome = predicted;
    for (std::size_t i = 0; i < experts; ++i) perfect[i] = perfect[i] && label_of(advice[i]) == outcome;
    mistakes += predicted != outcome;
    player.reveal(advice, outcome);
  }
  return mistakes;
}

TEST(Experts, HalvingAndConsistentKeepTheirBounds) {
  for (const std::size_t experts : {1, 2, 3, 7, 8, 9, 64, 100}) {
    std::uint64_t most = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const std::uint64_t halving = forced_mistakes<Halving>(experts, seed, 200);
      most = std::max(most, halving);
      EXPECT_LE(halving, halving_bound(experts));
      EXPECT_LE(forced_mistakes<Consistent>(experts, seed, 200), consistent_bound(experts));
    }
    if (experts >= 2) {
      EXPECT_GE(most, 1U);
    }
  }
}

TEST(Experts, SleepersAreNeitherFollowedNorDropped) {
  Halving halving(3);
  const std::vector<double> advice{nan_value, 0, 0};
  EXPECT_EQ(halving.predict(advice), 0);
  halving.reveal(advice, 1);
  EXPECT_EQ(halving.space().count(), 1U);
  EXPECT_TRUE(halving.space().contains(0));
  EXPECT_EQ(Consistent(2).predict(std::vector<double>{nan_value, 0}), 0);
  halving.reveal(std::vector<double>{0, 1, 1}, 1);
  EXPECT_EQ(halving.space().emptied(), 2U);
  WeightedMajority majority(2);
  majority.reveal(std::vector<double>{nan_value, 0}, 1);
  EXPECT_EQ(majority.weights(), (std::vector<double>{1, 0.5}));
  EXPECT_EQ(majority.predict(std::vector<double>{nan_value, 0}), 0);
}

// Whatever the data: always the opposite of what the player says.
TEST(Experts, WeightedMajorityKeepsItsBoundAgainstAnAdaptiveAdversary) {
  for (const double beta : {0.05, 0.5, 0.9, 0.999}) {
    for (const std::size_t experts : {2, 5, 33}) {
      WeightedMajority player(experts, beta);
      Generator draws(experts);
      std::uint64_t mistakes = 0;
      std::vector<std::uint64_t> wrong(experts);
      for (int t = 0; t < 3000; ++t) {
        // The first two are constant and opposite: one of them is right, so m is at most half the rounds.
        auto advice = random_advice(draws, experts);
        advice[0] = 0;
        advice[1] = 1;
        const int outcome = 1 - player.predict(advice);
        ++mistakes;
        for (std::size_t i = 0; i < experts; ++i) wrong[i] += label_of(advice[i]) != outcome;
        player.reveal(advice, outcome);
      }
      const std::uint64_t best = *std::min_element(wrong.begin(), wrong.end());
      EXPECT_LE(mistakes, weighted_majority_bound(best, experts, beta)) << beta << " " << experts;
      EXPECT_GE(mistakes, 2 * best);
      for (std::size_t i = 0; i < experts; ++i) EXPECT_EQ(player.mistakes(i), wrong[i]);
    }
  }
}

// Weights far below the smallest double keep their ratios: the shift moves.
TEST(Experts, WeightedMajorityNeverUnderflows) {
  WeightedMajority player(3, 0.5);
  for (int t = 0; t < 5000; ++t) player.reveal(std::vector<double>{0, 0, 0}, 1);
  player.reveal(std::vector<double>{1, 0, 1}, 1);
  EXPECT_EQ(player.weights()[1] / player.weights()[0], 0.5);
  EXPECT_GT(player.weights()[0], 0);
}

// Adversaries that look at p: all on the favourite; the least bad for the rest; random.
template <class Rate>
double adaptive_regret(Rate rate, std::size_t experts, std::uint64_t rounds, int kind, double* least = nullptr) {
  Hedge hedge(experts, rate);
  Generator draws(17);
  double paid = 0;
  std::vector<double> total(experts);
  for (std::uint64_t t = 0; t < rounds; ++t) {
    const auto p = hedge.distribution();
    std::vector<double> losses(experts);
    const auto favourite = static_cast<std::size_t>(std::max_element(p.begin(), p.end()) - p.begin());
    for (std::size_t i = 0; i < experts; ++i) {
      losses[i] = kind == 0            ? (i == favourite ? 1 : 0)
                  : kind == 1          ? (p[i] * static_cast<double>(experts) >= 1 ? 1 : 0)
                  : draws.next() < 0.5 ? 1
                                       : 0;
      total[i] += losses[i];
    }
    paid += hedge.reveal(losses);
  }
  const double best = *std::min_element(total.begin(), total.end());
  if (least != nullptr) *least = best;
  return paid - best;
}

TEST(Experts, HedgeKeepsItsBoundsAgainstAdaptiveAdversaries) {
  double tightest = 0;
  for (const std::size_t experts : {1, 2, 3, 10, 100}) {
    for (const std::uint64_t rounds : {1, 7, 100, 2000}) {
      for (const int kind : {0, 1, 2}) {
        const double scale = hedge_rate_scale(experts);
        const double fixed = adaptive_regret(FixedRate::for_horizon(scale, rounds), experts, rounds, kind);
        EXPECT_LE(fixed, hedge_bound(rounds, experts) + 1e-9);
        EXPECT_LE(adaptive_regret(AnytimeRate{scale}, experts, rounds, kind),
                  hedge_anytime_bound(rounds, experts) + 1e-9);
        EXPECT_LE(adaptive_regret(DoublingRate{scale}, experts, rounds, kind),
                  hedge_doubling_bound(rounds, experts) + 1e-9);
        if (experts > 1) tightest = std::max(tightest, fixed / hedge_bound(rounds, experts));
      }
    }
  }
  EXPECT_GT(tightest, 0.7);  // an adversary worth its name
}

// The theorem for any rate: ln N / rate + rate T / 8. A wrong rate or a forgotten loss shows here.
TEST(Experts, HedgeKeepsTheBoundOfItsRate) {
  for (const double rate : {0.01, 0.1, 1.0, 4.0}) {
    for (const int kind : {0, 1, 2}) {
      EXPECT_LE(adaptive_regret(FixedRate{rate}, 5, 500, kind), std::log(5.0) / rate + rate * 500 / 8 + 1e-9);
    }
  }
}

TEST(Experts, DoublingForgetsAtPowersOfTwo) {
  const DoublingRate rate{8};
  EXPECT_EQ(rate.rate(1), std::sqrt(8.0));
  EXPECT_EQ(rate.rate(7), std::sqrt(2.0));
  EXPECT_EQ(rate.rate(8), 1.0);
  EXPECT_TRUE(rate.restarts(8));
  EXPECT_FALSE(rate.restarts(7));
  Hedge hedge(2, DoublingRate{hedge_rate_scale(2)});
  const std::vector<double> losses{0, 1};
  for (int t = 1; t < 4; ++t) {
    hedge.distribution();
    hedge.reveal(losses);
  }
  EXPECT_EQ(hedge.distribution()[0], 0.5);  // round 4 begins afresh
}

// Experts that sleep: the guarantee holds against each on the rounds in which it was awake.
TEST(Experts, HedgeKeepsItsBoundAgainstSleepersWhenAwake) {
  constexpr std::size_t experts = 6;
  constexpr std::uint64_t rounds = 1500;
  for (const std::uint64_t seed : {1, 2, 3}) {
    Hedge hedge(experts, FixedRate::for_horizon(hedge_rate_scale(experts), rounds));
    Generator draws(seed);
    std::vector<double> regret(experts);
    for (std::uint64_t t = 0; t < rounds; ++t) {
      std::vector<double> losses(experts);
      bool anyone = false;
      for (std::size_t i = 0; i < experts; ++i) {
        // Expert i is there in one round of i + 1, and the rarer it is the better.
        losses[i] = draws.next() * static_cast<double>(i + 1) < 1
                        ? (draws.next() < 1.0 / static_cast<double>(i + 2) ? 1 : 0)
                        : nan_value;
        anyone = anyone || awake(losses[i]);
      }
      const auto p = hedge.distribution(losses);
      double sum = 0;
      for (std::size_t i = 0; i < experts; ++i) {
        if (!awake(losses[i])) {
          EXPECT_EQ(p[i], 0);
        }
        sum += p[i];
      }
      EXPECT_NEAR(sum, anyone ? 1 : 0, 1e-12);
      const double paid = hedge.reveal(losses);
      for (std::size_t i = 0; i < experts; ++i) {
        if (awake(losses[i])) regret[i] += paid - losses[i];
      }
    }
    for (std::size_t i = 0; i < experts; ++i) EXPECT_LE(regret[i], hedge_bound(rounds, experts) + 1e-9) << i;
  }
}

// One who slept for the first half and is bad in the second must not look good for having slept.
TEST(Experts, SleepEarnsNoTrust) {
  constexpr std::uint64_t rounds = 4000;
  Hedge hedge(2, FixedRate::for_horizon(hedge_rate_scale(2), rounds));
  double regret = 0;
  for (std::uint64_t t = 0; t < rounds; ++t) {
    const std::vector<double> losses{0.5, t < rounds / 2 ? nan_value : 1.0};
    hedge.distribution(losses);
    regret += hedge.reveal(losses) - 0.5;
  }
  EXPECT_LE(regret, hedge_bound(rounds, 2));
}

// 2,000 rounds x 1,000 experts against long double.
TEST(Experts, HedgeFollowsTheExtendedReference) {
  constexpr std::size_t experts = 1000;
  constexpr std::uint64_t rounds = 2000;
  const double rate = FixedRate::for_horizon(hedge_rate_scale(experts), rounds).value;
  Hedge hedge(experts, FixedRate{rate});
  std::vector<long double> total(experts);
  std::vector<double> losses(experts);
  Generator draws(9);
  double worst = 0;
  for (std::uint64_t t = 0; t < rounds; ++t) {
    const auto p = hedge.distribution();
    if (t % 100 == 99) {
      const long double least = *std::min_element(total.begin(), total.end());
      long double sum = 0;
      for (const long double l : total) sum += std::exp(-static_cast<long double>(rate) * (l - least));
      for (std::size_t i = 0; i < experts; ++i) {
        const long double exact = std::exp(-static_cast<long double>(rate) * (total[i] - least)) / sum;
        worst = std::max(worst, static_cast<double>(std::abs(p[i] - exact) / exact));
      }
    }
    for (std::size_t i = 0; i < experts; ++i) total[i] += losses[i] = draws.next() * static_cast<double>(i) / experts;
    hedge.reveal(losses);
  }
  EXPECT_LT(worst, 1e-11);
}

TEST(Experts, LossesAreWhatTheySay) {
  EXPECT_EQ(loss_of(Loss::zero_one, 0.5, 1), 0);
  EXPECT_EQ(loss_of(Loss::zero_one, 0.4, 1), 1);
  EXPECT_EQ(loss_of(Loss::absolute, 0.25, 1), 0.75);
  EXPECT_EQ(loss_of(Loss::squared, 0.25, 0.75), 0.25);
  EXPECT_EQ(loss_of(Loss::logarithmic, 0.25, 0), -std::log(0.75));
  EXPECT_TRUE(std::isinf(loss_of(Loss::logarithmic, 0, 1)));
  EXPECT_EQ(loss_of(Loss::logarithmic, 1, 1), 0);
}

// The linear learners as combiners: their bounds with "follow one expert" as the comparator, against the opposite of
// what they say.
TEST(Experts, CombinersKeepTheirBounds) {
  for (const std::size_t experts : {2, 5, 20}) {
    auto perceptron = perceptron_combiner(experts);
    auto minnow = minnow_combiner(experts);
    Generator draws(experts);
    std::uint64_t perceptron_mistakes = 0;
    std::uint64_t minnow_mistakes = 0;
    double wrong = 0;
    for (int t = 0; t < 2000; ++t) {
      auto advice = random_advice(draws, experts);
      // Expert 0 is nearly always right for the perceptron's outcomes, and always for Minnow's.
      const int outcome = t % 2;
      advice[0] = outcome;
      minnow_mistakes += minnow.predict(advice) != outcome;
      minnow.reveal(advice, outcome);
      if (t % 50 == 49) {
        advice[0] = 1 - outcome;
        ++wrong;
      }
      perceptron_mistakes += perceptron.predict(advice) != outcome;
      perceptron.reveal(advice, outcome);
    }
    EXPECT_LE(perceptron_mistakes, whole_mistakes(hinge_bound(2 * wrong, 1, std::sqrt(static_cast<double>(experts)))));
    EXPECT_LE(minnow_mistakes, whole_mistakes(minnow_best_bound(0.5, experts)));
    const auto weights = minnow.weights();
    EXPECT_EQ(std::max_element(weights.begin(), weights.end()) - weights.begin(), 0);
  }
}

}  // namespace
}  // namespace halfspace
