// The certified minimum: its bounds against exact sums, its weights against far more accurate ones, and the equalities
// that a minimum keeps.
#include "halfspace/optimum/optimum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "halfspace/base/error.h"
#include "support/every.h"
#include "support/exact.h"
#include "support/world.h"

namespace halfspace::testing {
namespace {

using Real = long double;

struct Problem {
  Points points;
  OptimumOptions options;
};

Problem random_problem(Chance& chance, MarginLoss loss) {
  Problem problem;
  const int rows = chance.between(1, 30), features = chance.between(1, 5);
  const bool whole = chance.one_in(2), weighted = chance.one_in(3);
  for (int i = 0; i < rows; ++i) {
    Point point;
    for (int j = 0; j < features; ++j) {
      point.x.push_back(chance.one_in(3) ? 0.0 : whole ? chance.between(-3, 3) : chance.normal());
    }
    point.label = chance.between(0, 1);
    if (weighted) point.weight = chance.one_in(5) ? 0 : chance.real(0, 3);
    problem.points.push_back(point);
  }
  problem.options = {.loss = loss,
                     .cost = chance.of({0.01, 0.3, 1.0, 10.0}),
                     .bias = chance.of({0.0, 1.0, 0.5}),
                     .penalize_bias = !chance.one_in(3),
                     .gap = chance.of({1e-1, 1e-3, 1e-6, 1e-10}),
                     .passes = 1'000'000};
  problem.options.seed = static_cast<std::uint64_t>(chance.between(1, 1000));
  return problem;
}

// The objectives of a result, in exact fractions; of the logistic loss in long doubles.
class Exactly {
 public:
  Exactly(const Problem& problem, const Optimum& found) : problem_(problem), found_(found) {}

  Rational primal() const {
    Rational sum = half_square(penalised(weights()));
    each_row([&](const Point& point, double cost, double) {
      const Rational lack = 1 - margin(point);
      if (lack <= 0) return;
      sum += exact(cost) * (problem_.options.loss == MarginLoss::hinge ? lack : lack * lack);
    });
    return sum;
  }

  Rational dual() const {
    Rational sum = -half_square(combination());
    each_row([&](const Point& point, double cost, double a) {
      EXPECT_GE(a, 0);
      EXPECT_LE(a, problem_.options.loss == MarginLoss::hinge ? cost : HUGE_VAL);
      const Rational own = factor(point) * exact(a);
      sum += own;
      if (problem_.options.loss == MarginLoss::squared_hinge && cost > 0) sum -= own * own / (4 * exact(cost));
    });
    return sum;
  }

  Real logistic_primal() const {
    Real sum = real(half_square(penalised(weights())));
    each_row([&](const Point& point, double cost, double) {
      const Real m = real(margin(point));
      sum += Real{cost} * (std::max(Real{0}, -m) + std::log1p(std::exp(-std::abs(m))));
    });
    return sum;
  }

  Real logistic_dual() const {
    Real sum = -real(half_square(combination()));
    each_row([&](const Point& point, double cost, double dual) {
      EXPECT_GE(dual, 0);
      EXPECT_LE(dual, cost);
      const Real a = real(factor(point)) * Real{dual};
      if (a > 0) sum -= a * std::log(a / Real{cost});
      if (a < cost) sum -= (Real{cost} - a) * std::log1p(-a / Real{cost});
    });
    return sum;
  }

 private:
  static Real real(const Rational& number) {
    const double high = number.get_d();
    return Real{high} + Real{Rational(number - exact(high)).get_d()};
  }
  static Rational half_square(const std::vector<Rational>& v) {
    Rational sum = 0;
    for (const Rational& of_feature : v) sum += of_feature * of_feature;
    return sum / 2;
  }
  std::vector<Rational> weights() const {
    std::vector<Rational> all;
    for (const double w : found_.weights) all.push_back(exact(w));
    all.push_back(exact(found_.bias));
    return all;
  }
  // Without a bias that is not penalised.
  std::vector<Rational> penalised(std::vector<Rational> v) const {
    if (!problem_.options.penalize_bias) v.pop_back();
    return v;
  }
  // What scales a row's dual variable, so that both classes have the smaller of their sums.
  Rational factor(const Point& point) const {
    if (problem_.options.penalize_bias || problem_.options.bias == 0) return 1;
    Rational sums[2] = {0, 0};
    each_row([&](const Point& other, double, double a) { sums[other.label] += exact(a); });
    const Rational common = std::min(sums[0], sums[1]);
    return common > 0 ? Rational(common / sums[point.label]) : Rational(0);
  }
  std::vector<Rational> combination() const {
    std::vector<Rational> v(found_.weights.size() + 1, Rational(0));
    each_row([&](const Point& point, double, double a) {
      const Rational amount = factor(point) * exact(a) * (point.label == 1 ? 1 : -1);
      for (std::size_t j = 0; j < point.x.size(); ++j) {
        if (point.x[j] != 0) v[j] += amount * exact(point.x[j]);
      }
      v.back() += amount * exact(problem_.options.bias);
    });
    EXPECT_TRUE(problem_.options.penalize_bias || v.back() == 0);
    return penalised(v);
  }
  Rational margin(const Point& point) const {
    Rational score = exact(found_.bias) * exact(problem_.options.bias);
    for (std::size_t j = 0; j < point.x.size(); ++j) {
      if (point.x[j] != 0) score += exact(found_.weights[j]) * exact(point.x[j]);
    }
    return point.label == 1 ? score : Rational(-score);
  }
  template <class Use>
  void each_row(const Use& use) const {
    for (std::size_t i = 0; i < problem_.points.size(); ++i) {
      const Point& point = problem_.points[i];
      use(point, problem_.options.cost * point.weight, found_.dual_variables[i]);
    }
  }

  const Problem& problem_;
  const Optimum& found_;
};

// Returns the square of how far the weights can be from the best ones, by exact sums.
Real distance_bound(const Problem& problem, const Optimum& found) {
  const Exactly exactly(problem, found);
  if (problem.options.loss == MarginLoss::logistic) {
    return 2 * std::max(Real{0}, exactly.logistic_primal() - exactly.logistic_dual()) + 1e-17L;
  }
  return 2 * Real{Rational(exactly.primal() - exactly.dual()).get_d()};
}

class OptimumOf : public ::testing::TestWithParam<MarginLoss> {};
INSTANTIATE_TEST_SUITE_P(Losses, OptimumOf, ::testing::ValuesIn(every<MarginLoss>()), [](const auto& of) {
  return of.param == MarginLoss::squared_hinge ? "squared_hinge" : std::string(name_of(of.param));
});

// Every problem is solved to the gap asked for, but where a bias without a penalty leaves no loss at all: shares of a
// minimum of 0 are rounding.
bool reached(const Optimum& found) { return found.stopped == OptimumStop::gap || found.primal < 1e-9; }

// Dual variables to begin at, some of them impossible: none, or one a row.
std::vector<double> any_start(Chance& chance, const Problem& problem) {
  std::vector<double> start;
  if (chance.one_in(2)) return start;
  for (std::size_t i = 0; i < problem.points.size(); ++i)
    start.push_back(chance.one_in(9) ? chance.of({-1.0, double{NAN}, HUGE_VAL, 100.0})
                                     : problem.options.cost * chance.real(0, 1.2));
  return start;
}

TEST_P(OptimumOf, ProvesItsBounds) {
  Chance chance(2), starts(20);
  for (int i = 0; i < 1500; ++i) {
    Problem problem = random_problem(chance, GetParam());
    const std::vector<double> start = any_start(starts, problem);
    problem.options.start = start;
    const Optimum found = minimize(rows_of(problem.points), problem.options);
    const Exactly exactly(problem, found);
    if (GetParam() == MarginLoss::logistic) {
      const Real primal = exactly.logistic_primal(), dual = exactly.logistic_dual();
      EXPECT_GE(Real{found.primal}, primal * (1 - 1e-18L)) << i;
      EXPECT_LE(Real{found.dual}, dual + std::abs(dual) * 1e-18L) << i;
      EXPECT_LE(Real{found.primal}, primal * (1 + 1e-12L) + 1e-30L) << i;
      EXPECT_GE(Real{found.dual}, dual - primal * 1e-12L) << i;
    } else {
      const Rational primal = exactly.primal(), dual = exactly.dual();
      EXPECT_TRUE(exact(found.primal) >= primal) << i;
      EXPECT_TRUE(exact(found.dual) <= dual) << i;
      EXPECT_LE(found.primal, primal.get_d() * (1 + 1e-12) + 1e-14) << i;
      EXPECT_GE(found.dual, dual.get_d() - primal.get_d() * 1e-12 - 1e-14) << i;
    }
    EXPECT_LE(found.dual, found.primal) << i;
    EXPECT_GE(found.radius * found.radius * (1 + 1e-15), 2 * (found.primal - found.dual)) << i;
    EXPECT_TRUE(reached(found)) << i;
    EXPECT_EQ(found.stopped == OptimumStop::gap, found.relative_gap() <= problem.options.gap) << i;
  }
}

// More features than rows are descended on, and most rows leave the passes: those that must come back do.
TEST(Minimize, RowsThatLeftTooEarlyComeBack) {
  Chance chance(8);
  for (int i = 0; i < 12; ++i) {
    Problem problem;
    for (int row = 0; row < 120; ++row) {
      Point point;
      for (int j = 0; j < 160; ++j) point.x.push_back(chance.one_in(8) ? chance.normal() : 0.0);
      point.label = chance.between(0, 1);
      problem.points.push_back(point);
    }
    problem.options = {.loss = MarginLoss::hinge, .cost = chance.of({0.1, 1.0, 30.0}), .gap = 1e-9, .passes = 100'000};
    const Optimum found = minimize(rows_of(problem.points), problem.options);
    EXPECT_EQ(found.stopped, OptimumStop::gap) << i;
  }
}

TEST_P(OptimumOf, CertainDigitsAreNeverWrong) {
  Chance chance(3);
  int certain = 0;
  for (int i = 0; i < 2000; ++i) {
    Problem problem = random_problem(chance, GetParam());
    const Rows rows = rows_of(problem.points);
    const Optimum coarse = minimize(rows, problem.options);
    problem.options.gap = 1e-13;
    problem.options.seed += 1;
    const Optimum fine = minimize(rows, problem.options);
    const Real blur = std::sqrt(distance_bound(problem, fine));
    const auto check = [&](double weight, double best) {
      const Real apart = std::max(Real{0}, std::abs(Real{weight} - Real{best}) - blur);
      EXPECT_LE(apart, Real{coarse.radius}) << i;
      const int digits = certain_digits(weight, coarse.radius);
      certain += digits;
      if (digits == 0) return;
      const Real unit = std::pow(Real{10}, std::floor(std::log10(std::abs(Real{weight}))) + 1 - Real(digits));
      EXPECT_LE(apart, unit / 2) << i;
    };
    for (std::size_t j = 0; j < coarse.weights.size(); ++j) check(coarse.weights[j], fine.weights[j]);
    if (problem.options.penalize_bias) check(coarse.bias, fine.bias);
  }
  EXPECT_GT(certain, 2000);
}

TEST_P(OptimumOf, IsNearlyTheDistanceItProves) {
  // One row x = 1 of class 1 without bias: P(w) = w^2 / 2 + c l(w), whose minimum is known.
  Problem problem{{{.x = {1}, .label = 1}}, {.loss = GetParam(), .cost = 0.25, .bias = 0, .gap = 1e-14}};
  const Optimum found = minimize(rows_of(problem.points), problem.options);
  const double w = found.weights.at(0);
  switch (GetParam()) {
    case MarginLoss::hinge:
      EXPECT_NEAR(w, 0.25, 1e-7);
      break;
    case MarginLoss::squared_hinge:  // w = 2 c (1 - w)
      EXPECT_NEAR(w, 1.0 / 3, 1e-7);
      break;
    case MarginLoss::logistic:  // w = c / (1 + e^w)
      EXPECT_NEAR(w, 0.25 / (1 + std::exp(w)), 1e-7);
      break;
  }
  EXPECT_LE(found.radius, 2e-7);
}

TEST_P(OptimumOf, TwoRowsAreOneOfTwiceTheWeight) {
  Chance chance(4);
  for (int i = 0; i < 100; ++i) {
    Problem problem = random_problem(chance, GetParam());
    problem.options.gap = 1e-9;
    Points twice = problem.points;
    for (const Point& point : problem.points) twice.push_back(point);
    Points heavy = problem.points;
    for (Point& point : heavy) point.weight *= 2;
    const Optimum a = minimize(rows_of(twice), problem.options), b = minimize(rows_of(heavy), problem.options);
    EXPECT_GE(a.primal, b.dual) << i;
    EXPECT_GE(b.primal, a.dual) << i;
    for (std::size_t j = 0; j < a.weights.size(); ++j)
      EXPECT_LE(std::abs(a.weights[j] - b.weights[j]), (a.radius + b.radius) * (1 + 1e-12)) << i;
  }
}

Points many_points(Chance& chance, int rows, int features) {
  Points points;
  for (int i = 0; i < rows; ++i) {
    Point point;
    double score = 0;
    for (int j = 0; j < features; ++j) {
      point.x.push_back(chance.one_in(2) ? 0.0 : chance.between(-100, 100) / 100.0);
      score += point.x.back() * (j % 3 - 1);
    }
    point.label = score + chance.normal() / 2 > 0;
    points.push_back(point);
  }
  return points;
}

Rows stored(const Points& points, RowsOptions options) {
  Rows rows(std::move(options));
  rows.append(StoredPoints(points, ValueType::float64, false).block());
  rows.seal();
  return rows;
}

void expect_same(const Optimum& a, const Optimum& b) {
  EXPECT_EQ(a.weights, b.weights);
  EXPECT_EQ(a.bias, b.bias);
  EXPECT_EQ(a.dual_variables, b.dual_variables);
  EXPECT_EQ(a.primal, b.primal);
  EXPECT_EQ(a.dual, b.dual);
  EXPECT_EQ(a.passes, b.passes);
}

// The columns of a table with categories have indices in the order in which their values were met.
TEST_P(OptimumOf, TakesRowsWhoseIndicesDoNotAscend) {
  Chance chance(8);
  const Points points = many_points(chance, 300, 12);
  const StoredPoints stored_points(points, ValueType::float64, false);
  Block block = stored_points.block();
  std::vector<std::uint32_t> index(block.index, block.index + block.stored());
  std::vector<double> value(static_cast<const double*>(block.value),
                            static_cast<const double*>(block.value) + block.stored());
  for (std::size_t i = 0; i < block.rows; ++i) {
    const auto begin = static_cast<std::ptrdiff_t>(block.offset[i]),
               end = static_cast<std::ptrdiff_t>(block.offset[i + 1]);
    std::reverse(index.begin() + begin, index.begin() + end);
    std::reverse(value.begin() + begin, value.begin() + end);
  }
  block.index = index.data();
  block.value = value.data();
  Rows backwards;
  backwards.append(block);
  backwards.seal();
  const OptimumOptions options{.loss = GetParam(), .gap = 1e-9};
  const Optimum found = minimize(backwards, options), wanted = minimize(rows_of(points), options);
  EXPECT_EQ(found.stopped, OptimumStop::gap);
  EXPECT_LE(found.passes, wanted.passes + 20);
  for (std::size_t j = 0; j < wanted.weights.size(); ++j)
    EXPECT_NEAR(found.weights[j], wanted.weights[j], found.radius + wanted.radius) << j;
}

TEST_P(OptimumOf, IsTheSameWhateverTheThreadsAndTheStorage) {
  Chance chance(5);
  const Points points = many_points(chance, 13000, 12);
  const OptimumOptions options{.loss = GetParam(), .cost = 0.1, .gap = 1e-5};
  const Rows plain = stored(points, {}), packed = stored(points, {.folder = "", .packed = true});
  const Optimum parallel = minimize(plain, options);
  const Optimum of_packed = minimize(packed, options);
  const OneThread one;
  expect_same(parallel, minimize(plain, options));
  expect_same(parallel, of_packed);
  EXPECT_EQ(parallel.stopped, OptimumStop::gap);
}

TEST_P(OptimumOf, TakesRowsBeyondTheMemory) {
  Chance chance(6);
  const Points points = many_points(chance, 9000, 8);
  const OptimumOptions options{.loss = GetParam(), .cost = 0.05, .gap = 1e-5, .passes = 10'000};
  const Rows spilled = stored(points, {.memory = 0, .folder = ::testing::TempDir(), .packed = true});
  ASSERT_TRUE(spilled.spilled());
  const Optimum far = minimize(spilled, options), near = minimize(stored(points, {}), options);
  EXPECT_EQ(far.stopped, OptimumStop::gap);
  EXPECT_GE(far.primal, near.dual);
  EXPECT_GE(near.primal, far.dual);
}

TEST_P(OptimumOf, EndsWhenItIsTold) {
  Chance chance(7);
  const Rows rows = stored(many_points(chance, 5000, 8), {});
  OptimumOptions options{.loss = GetParam(), .gap = 0, .passes = 2};
  const Optimum two = minimize(rows, options);
  EXPECT_EQ(two.stopped, OptimumStop::passes);
  for (std::uint64_t most = 2; most < 12; ++most) {
    options.passes = most;
    EXPECT_LE(minimize(rows, options).passes, most);
  }
  // A run that was ended later has not come much less near.
  double least = HUGE_VAL;
  for (std::uint64_t most = 4; most < 150; most += 6) {
    options.passes = most;
    const double gap = minimize(rows, options).relative_gap();
    EXPECT_LE(gap, 2.001 * least) << most;
    least = std::min(least, gap);
  }
  EXPECT_GE(two.primal, two.dual);
  const std::atomic<bool> interrupt{true};
  options.interrupt = &interrupt;
  const Optimum none = minimize(rows, options);
  EXPECT_EQ(none.stopped, OptimumStop::interrupted);
  EXPECT_EQ(none.weights.size(), rows.features());
  options = {.loss = GetParam(), .gap = 0};
  const Optimum all = minimize(rows, options);
  EXPECT_EQ(all.stopped, OptimumStop::precision);
  EXPECT_LE(all.relative_gap(), 1e-12);
}

// A few passes are too few for Newton's method: the weights are then those of a coarser one, and not 0.
TEST_P(OptimumOf, LearnsInFewPasses) {
  Chance chance(8);
  for (const int features : {6, 700}) {
    const Rows rows = rows_of(many_points(chance, 900, features));
    for (const bool penalize_bias : {true, false}) {
      OptimumOptions options{.loss = GetParam(), .cost = 1, .penalize_bias = penalize_bias};
      const double least = minimize(rows, options).primal;
      const auto expect_learned = [&](const std::string& what) {
        const Optimum found = minimize(rows, options);
        double largest = 0;
        for (const double w : found.weights) largest = std::max(largest, std::abs(w));
        EXPECT_GT(largest, 0) << what;
        EXPECT_GE(found.primal, least * (1 - 1e-5)) << what;
        EXPECT_LE(found.dual, least) << what;
        EXPECT_GT(found.relative_gap(), 0) << what;
      };
      for (std::uint64_t passes = 1; passes < 40; passes += passes < 16 ? 1 : 6) {
        options.passes = passes;
        expect_learned(std::to_string(features) + " features, passes " + std::to_string(passes));
      }
      options.passes = {};
      options.seconds = 0;
      expect_learned("no time");
      const std::atomic<bool> interrupt{true};
      options.interrupt = &interrupt;
      expect_learned("interrupted");
    }
  }
}

// At the solution nothing is left to do but to prove it; near it the minimum is that of a start at 0.
TEST_P(OptimumOf, BeginsWhereItIsTold) {
  Chance chance(21);
  const Rows rows = rows_of(many_points(chance, 400, 6));
  OptimumOptions options{.loss = GetParam(), .cost = 0.5, .gap = 1e-9};
  const Optimum solution = minimize(rows, options);
  options.gap = 1e-3;
  const Optimum cold = minimize(rows, options);
  options.start = solution.dual_variables;
  const Optimum again = minimize(rows, options);
  EXPECT_LE(again.passes, 2U);
  EXPECT_GT(cold.passes, 2U);
  options.cost = 0.55;
  options.gap = 1e-7;
  const Optimum near = minimize(rows, options);
  options.start = {};
  const Optimum far = minimize(rows, options);
  EXPECT_LE(near.dual, far.primal);
  EXPECT_LE(far.dual, near.primal);
  const std::vector<double> short_of_one(rows.size() - 1, 0.0);
  options.start = short_of_one;
  EXPECT_THROW(minimize(rows, options), Error);
}

TEST_P(OptimumOf, IsZeroWithoutALoss) {
  const OptimumOptions options{.loss = GetParam()};
  for (const Points& points : {Points{}, Points{{.x = {1, 2}, .label = 1, .weight = 0}}}) {
    const Optimum found = minimize(rows_of(points), options);
    EXPECT_EQ(found.primal, 0);
    EXPECT_EQ(found.relative_gap(), 0);
    EXPECT_EQ(found.stopped, OptimumStop::gap);
  }
}

TEST_P(OptimumOf, RejectsWhatIsNoProblem) {
  const Rows rows = rows_of({{.x = {1}, .label = 1}});
  EXPECT_THROW(minimize(rows, {.loss = GetParam(), .cost = 0}), Error);
  EXPECT_THROW(minimize(rows, {.loss = GetParam(), .cost = HUGE_VAL}), Error);
  EXPECT_THROW(minimize(rows, {.loss = GetParam(), .bias = NAN}), Error);
  EXPECT_THROW(minimize(rows, {.loss = GetParam(), .gap = -1}), Error);
  const Points opposed{{.x = {1}, .label = 1}, {.x = {1}, .label = 0}, {.x = {1}, .label = 1}, {.x = {1}, .label = 0}};
  EXPECT_THROW(minimize(rows_of(opposed), {.loss = GetParam(), .cost = 1e308}), Error);
}

TEST(CertainDigits, CountHalfUnits) {
  EXPECT_EQ(certain_digits(123.4, 0), 17);
  EXPECT_EQ(certain_digits(123.4, 49), 1);
  EXPECT_EQ(certain_digits(123.4, 51), 0);
  EXPECT_EQ(certain_digits(-123.4, 4.9), 2);
  EXPECT_EQ(certain_digits(0.001, 4.9e-4), 1);
  EXPECT_EQ(certain_digits(0.00099999, 4.9e-4), 0);
  EXPECT_EQ(certain_digits(1000, 0.0049), 6);
  EXPECT_EQ(certain_digits(0, 1e-9), 0);
  EXPECT_EQ(certain_digits(1, NAN), 0);
}

}  // namespace
}  // namespace halfspace::testing
