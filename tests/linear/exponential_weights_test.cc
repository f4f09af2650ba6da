// Exponential weights against the definition in long double, over long walks and huge swings.
#include <gtest/gtest.h>

#include <cmath>

#include "halfspace/detail/linear/weights/plain.h"
#include "support/world.h"

namespace halfspace::testing {
namespace {

// The weights from the logarithms, by definition.
std::vector<long double> by_definition(const std::vector<long double>& logarithms, bool both_signs) {
  long double largest = both_signs ? 0 : -INFINITY;
  for (const long double l : logarithms) largest = std::max(largest, both_signs ? std::abs(l) : l);
  long double total = 0;
  std::vector<long double> w;
  for (const long double l : logarithms) {
    const long double up = std::exp(l - largest);
    const long double down = both_signs ? std::exp(-l - largest) : 0;
    total += up + down;
    w.push_back(up - down);
  }
  for (long double& value : w) value /= total;
  return w;
}

struct Walk {
  Walk(bool signs, Bias place, std::uint32_t features) : both_signs(signs), weights(BiasOptions{place, 1}, signs) {
    weights.grow(features);
    logarithms.assign(features + (place == Bias::none ? 0 : 1), 0);
  }
  void add(double amount, const std::vector<double>& x) {
    const StoredPoints row({{x, 1, 1.0}}, ValueType::float64, true);
    weights.add(amount, row.block().example<double, true>(0));
    // The logarithms are doubles; so are ours, step by step.
    for (std::size_t j = 0; j < logarithms.size(); ++j) {
      const double step = amount * (j < x.size() ? x[j] : 1.0);
      logarithms[j] = static_cast<double>(logarithms[j]) + step;
    }
  }
  void expect_right(const std::vector<double>& x) {
    const std::vector<long double> wanted = by_definition(logarithms, both_signs);
    const WeightVector ours = weights.point();
    long double total = 0;
    for (std::size_t j = 0; j < wanted.size(); ++j) {
      const double value = j < ours.w.size() ? ours.w[j] : ours.bias;
      ASSERT_NEAR(value, static_cast<double>(wanted[j]), 1e-12) << j;
      total += std::abs(static_cast<long double>(value));
    }
    if (both_signs) {
      ASSERT_LE(total, 1 + 1e-12L);
    } else {
      ASSERT_NEAR(static_cast<double>(total), 1, 1e-12);
    }
    // The running normalisation, which a score divides by.
    const StoredPoints row({{x, 1, 1.0}}, ValueType::float64, true);
    long double score = 0;
    long double size = 1e-300L;
    for (std::size_t j = 0; j < wanted.size(); ++j) {
      score += wanted[j] * (j < x.size() ? x[j] : 1.0);
      size += std::abs(wanted[j] * (j < x.size() ? x[j] : 1.0));
    }
    ASSERT_NEAR(static_cast<double>((weights.score(row.block().example<double, true>(0)) - score) / size), 0, 1e-9);
  }
  bool both_signs;
  ExponentialWeights weights;
  std::vector<long double> logarithms;
};

TEST(ExponentialWeights, FollowTheDefinitionOverThousandsOfSteps) {
  for (const bool both_signs : {false, true}) {
    for (const Bias place : {Bias::none, Bias::first}) {
      for (const double size : {0.01, 1.0, 40.0, 900.0}) {
        Chance chance(static_cast<std::uint64_t>(size * 100) + both_signs);
        Walk walk(both_signs, place, 7);
        for (int step = 0; step < 4000; ++step) {
          std::vector<double> x;
          for (int j = 0; j < 7; ++j) x.push_back(chance.one_in(3) ? 0.0 : chance.normal());
          walk.add(size * chance.normal(), x);
          if (step % 7 == 0 || step < 300) walk.expect_right(x);
          if (HasFatalFailure()) {
            ADD_FAILURE() << "size " << size << ", step " << step;
            return;
          }
        }
      }
    }
  }
}

TEST(ExponentialWeights, KeepTheirDigitsWhenOneRisesByE500AndFallsAgain) {
  for (const bool both_signs : {false, true}) {
    for (const double step : {0.5, 10.0, 250.0, 500.0}) {
      Walk walk(both_signs, Bias::none, 3);
      const std::vector<double> all{1, -0.5, 0.25};
      walk.add(0.75, all);
      const auto move = [&](double by) {
        for (double gone = 0; gone < 500; gone += step) {
          walk.add(by, {1, 0, 0});
          walk.expect_right(all);
          if (HasFatalFailure()) return;
        }
      };
      move(step);
      EXPECT_NEAR(walk.weights.point().w[0], 1, 1e-12);
      move(-step);
      move(-step);
      move(step);
      ASSERT_FALSE(HasFatalFailure()) << both_signs << " " << step;
    }
  }
}

TEST(ExponentialWeights, WithoutACoordinateScoreZero) {
  const ExponentialWeights none(BiasOptions{Bias::none, 1});
  const StoredPoints row({{{}, 1, 1.0}}, ValueType::float64, true);
  EXPECT_EQ(none.score(row.block().example<double, true>(0)), 0);
}

TEST(ExponentialWeights, FeaturesThatAppearLaterHadTheirShareAllAlong) {
  Walk late(false, Bias::last, 2);
  late.add(3, {1, -1});
  late.weights.grow(5);
  late.logarithms.insert(late.logarithms.begin() + 2, 3, 0.0L);
  late.expect_right({1, 2, 3, 4, 5});
  EXPECT_EQ(late.weights.dimension(), 6U);
}

}  // namespace
}  // namespace halfspace::testing
