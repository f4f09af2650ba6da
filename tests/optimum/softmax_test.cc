// The minimum of the multinomial logistic loss: its bounds against sums of long doubles, and the equalities that it keeps.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "halfspace/base/error.h"
#include "halfspace/optimum/optimum.h"
#include "support/points.h"
#include "support/world.h"

namespace halfspace::testing {
namespace {

using Real = long double;

struct MulticlassProblem {
  Points points;
  OptimumOptions options;
  std::uint32_t classes = 3;
};

MulticlassProblem random_multiclass(Chance& chance) {
  MulticlassProblem problem;
  problem.classes = static_cast<std::uint32_t>(chance.between(3, 6));
  const int classes = static_cast<int>(problem.classes);
  const int rows = chance.between(classes, 40), features = chance.between(1, 5);
  const double scale = chance.of({1.0, 1.0, 100.0, 1e-3});
  const bool weighted = chance.one_in(3);
  for (int i = 0; i < rows; ++i) {
    Point point;
    for (int j = 0; j < features; ++j) point.x.push_back(chance.one_in(3) ? 0.0 : scale * chance.normal());
    // A class without rows has no best free bias.
    point.label = i < classes ? i : chance.between(0, classes - 1);
    if (weighted && i >= classes) point.weight = chance.one_in(5) ? 0 : chance.real(0, 3);
    problem.points.push_back(point);
  }
  problem.options = {.loss = MarginLoss::logistic,
                     .cost = chance.of({0.01, 0.3, 1.0, 10.0}),
                     .bias = chance.of({0.0, 1.0, 0.5}),
                     .penalize_bias = !chance.one_in(3),
                     .gap = chance.of({1e-1, 1e-3, 1e-6})};
  return problem;
}

Real score_of(const MulticlassProblem& problem, const Optimum& found, const Point& point, std::size_t k) {
  Real score = Real{found.biases[k]} * problem.options.bias;
  for (std::size_t j = 0; j < point.x.size(); ++j) score += Real{found.weights[j * problem.classes + k]} * point.x[j];
  return score;
}

Real primal_of(const MulticlassProblem& problem, const Optimum& found) {
  Real sum = 0;
  for (const double w : found.weights) sum += Real{w} * w / 2;
  for (const double b : found.biases) sum += problem.options.penalize_bias ? Real{b} * b / 2 : Real{0};
  for (const Point& point : problem.points) {
    const auto own = static_cast<std::size_t>(point.label);
    Real all = 0;
    for (std::size_t k = 0; k < problem.classes; ++k)
      all += std::exp(score_of(problem, found, point, k) - score_of(problem, found, point, own));
    sum += Real{problem.options.cost * point.weight} * std::log(all);
  }
  return sum;
}

TEST(Softmax, ProvesItsBounds) {
  Chance chance(1);
  for (int round = 0; round < 300; ++round) {
    const MulticlassProblem problem = random_multiclass(chance);
    const Rows rows = rows_of(problem.points);
    const Optimum found = minimize_softmax(rows, problem.options, problem.classes);
    ASSERT_EQ(found.biases.size(), problem.classes);
    const Real primal = primal_of(problem, found);
    EXPECT_GE(Real{found.primal} + primal * 1e-17L, primal) << round;
    EXPECT_LE(Real{found.primal}, primal * (1 + 1e-9L) + 1e-9L) << round;
    if (found.stopped == OptimumStop::gap) {
      EXPECT_LE(found.relative_gap(), problem.options.gap) << round;
    }
    // No other weights have less than the dual: those of a far smaller gap, and those nearby.
    OptimumOptions exact = problem.options;
    exact.gap = 1e-9;
    const Optimum best = minimize_softmax(rows, exact, problem.classes);
    EXPECT_LE(Real{found.dual}, primal_of(problem, best)) << round;
    EXPECT_LE(best.dual, found.primal) << round;
    Optimum other = best;
    for (double& w : other.weights) w += 1e-3 * chance.normal();
    EXPECT_LE(Real{best.dual}, primal_of(problem, other)) << round;
    if (!problem.options.penalize_bias) continue;
    Real apart = 0;
    for (std::size_t j = 0; j < best.weights.size(); ++j)
      apart += Real{best.weights[j] - found.weights[j]} * (best.weights[j] - found.weights[j]);
    EXPECT_LE(std::sqrt(apart), Real{found.radius} + best.radius) << round;
  }
}

// A gap that is asked for is nearly always proved, also of free biases and where rows are nearly separable.
TEST(Softmax, GetsToTheGap) {
  Chance chance(2);
  int reached = 0;
  constexpr int all = 100;
  for (int round = 0; round < all; ++round) {
    MulticlassProblem problem = random_multiclass(chance);
    problem.options.gap = 1e-6;
    reached += minimize_softmax(rows_of(problem.points), problem.options, problem.classes).stopped == OptimumStop::gap;
  }
  EXPECT_GE(reached, all - 1);
}

TEST(Softmax, OfAClassWithoutRowsProvesWhatItHas) {
  Chance chance(6);
  for (int round = 0; round < 20; ++round) {
    MulticlassProblem problem = random_multiclass(chance);
    problem.options.penalize_bias = round % 2 == 0;
    const Optimum found = minimize_softmax(rows_of(problem.points), problem.options, problem.classes + 1);
    EXPECT_LE(found.dual, found.primal);
    EXPECT_GE(found.dual, 0);
  }
}

// Two classes have one vector of weights, and each of a softmax has half of it: |w|^2 / 2 is twice as much.
TEST(Softmax, OfTwoClassesIsTheLogisticLossOfTwiceTheCost) {
  Chance chance(3);
  for (int round = 0; round < 30; ++round) {
    MulticlassProblem problem = random_multiclass(chance);
    problem.classes = 2;
    for (Point& point : problem.points) point.label %= 2;
    problem.options.gap = 1e-9;
    const Rows rows = rows_of(problem.points);
    const Optimum joint = minimize_softmax(rows, problem.options, 2);
    OptimumOptions doubled = problem.options;
    doubled.cost *= 2;
    const Optimum one = minimize(rows, doubled);
    EXPECT_NEAR(2 * joint.primal, one.primal, 1e-6 * one.primal) << round;
  }
}

TEST(Softmax, ARowOfTwiceTheWeightIsTwoRows) {
  Chance chance(4);
  for (int round = 0; round < 30; ++round) {
    MulticlassProblem problem = random_multiclass(chance), twice = problem;
    for (Point& point : problem.points) point.weight = 2;
    for (Point& point : twice.points) point.weight = 1;
    for (std::size_t i = 0; i < problem.points.size(); ++i) twice.points.push_back(twice.points[i]);
    const Optimum one = minimize_softmax(rows_of(problem.points), problem.options, problem.classes);
    const Optimum two = minimize_softmax(rows_of(twice.points), problem.options, problem.classes);
    EXPECT_LE(one.dual, two.primal) << round;
    EXPECT_LE(two.dual, one.primal) << round;
  }
}

TEST(Softmax, EndsWhenItIsToldAndProvesWhatItHas) {
  Chance chance(5);
  MulticlassProblem problem = random_multiclass(chance);
  problem.options.gap = 0;
  problem.options.passes = 6;
  const Optimum few = minimize_softmax(rows_of(problem.points), problem.options, problem.classes);
  EXPECT_EQ(few.stopped, OptimumStop::passes);
  EXPECT_LE(few.dual, few.primal);
  problem.options.loss = MarginLoss::squared_hinge;
  EXPECT_THROW(minimize_softmax(rows_of(problem.points), problem.options, problem.classes), Error);
}

}  // namespace
}  // namespace halfspace::testing
