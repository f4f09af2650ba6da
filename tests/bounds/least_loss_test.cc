// The lower bound on the loss of linear models: its tangents, its theorem on random runs against models that were found
// slowly, and its rounding against exact sums.
#include "halfspace/detail/bounds/least_loss.h"

#include <gtest/gtest.h>

#include <cmath>

#include "halfspace/detail/rules/coin.h"
#include "halfspace/detail/rules/ftrl.h"
#include "halfspace/detail/rules/nag.h"
#include "halfspace/detail/rules/tournament.h"
#include "support/every.h"
#include "support/exact.h"
#include "support/world.h"

namespace halfspace::testing {
namespace {

using Real = long double;
using Vector = std::vector<Real>;

Real loss_at(MarginLoss loss, Real margin) {
  const Real short_by = std::max<Real>(0, 1 - margin);
  if (loss == MarginLoss::hinge) return short_by;
  if (loss == MarginLoss::squared_hinge) return short_by * short_by;
  return margin > 0 ? std::log1p(std::exp(-margin)) : std::log1p(std::exp(margin)) - margin;
}
Real steepness(MarginLoss loss, Real margin) {
  if (loss == MarginLoss::logistic) return 1 / (1 + std::exp(margin));
  if (margin >= 1) return 0;
  return loss == MarginLoss::hinge ? 1 : 2 * (1 - margin);
}

// The least of l(z) + q z.
Real conjugate(MarginLoss loss, Real q) {
  if (loss == MarginLoss::hinge) return q;
  if (loss == MarginLoss::squared_hinge) return q - q * q / 4;
  return (q > 0 ? -q * std::log(q) : 0) + (q < 1 ? -(1 - q) * std::log1p(-q) : 0);
}

TEST(LossTangents, LieBelowTheirLoss) {
  Chance chance(1);
  for (const MarginLoss loss : every<MarginLoss>()) {
    for (int i = 0; i < 20000; ++i) {
      const double size = chance.of({1e-9, 1e-3, 1.0, 10.0, 40.0, 800.0});
      const double margin = i < 5 ? i - 2 : chance.real(-size, size);
      const LossTangent tangent = tangent_of(loss, margin);
      const Real slack = 0x1p-50L * tangent.magnitude + 0x1p-51L;
      EXPECT_LE(tangent.value, conjugate(loss, tangent.slope) + slack) << name_of(loss) << " at " << margin;
      const Real touches = loss_at(loss, margin) + steepness(loss, margin) * margin;
      EXPECT_NEAR(tangent.value, static_cast<double>(touches), 1e-14 * (1 + std::abs(margin)) * (1 + tangent.magnitude))
          << margin;
    }
    for (const double beyond : {-HUGE_VAL, HUGE_VAL, -1e300, 1e300}) {
      const LossTangent tangent = tangent_of(loss, beyond);
      EXPECT_FALSE(std::isnan(tangent.slope));
      EXPECT_TRUE(beyond < 0 || tangent.slope == 0);
    }
  }
}

// What is asked of a linear model: its loss on rounds, weighted by how often they were played.
struct Stream {
  std::vector<Vector> x;  // with the bias coordinate, times the label
  Vector weight;
  MarginLoss loss = MarginLoss::logistic;

  Real value(const Vector& u) const {
    Real sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += weight[i] * loss_at(loss, inner(u, x[i]));
    return sum;
  }
  static Real inner(const Vector& a, const Vector& b) {
    Real sum = 0;
    for (std::size_t j = 0; j < a.size(); ++j) sum += a[j] * b[j];
    return sum;
  }
  Vector downhill(const Vector& u) const {
    Vector sum(u.size(), 0);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const Real q = weight[i] * steepness(loss, inner(u, x[i]));
      for (std::size_t j = 0; j < u.size(); ++j) sum[j] += q * x[i][j];
    }
    return sum;
  }
  // A model in the ball whose loss is about the least there: projected steps downhill, doubled after success and halved
  // until one goes down.
  Vector best(Real ball, int steps) const {
    Vector u(x.empty() ? 0 : x[0].size(), 0);
    Real now = value(u), length = 1;
    for (int step = 0; step < steps && length > 1e-18L; ++step) {
      const Vector along = downhill(u);
      const Real steep = std::sqrt(inner(along, along));
      if (steep == 0) break;
      Vector next = u;
      for (std::size_t j = 0; j < u.size(); ++j) next[j] += length * ball / steep * along[j];
      const Real norm = std::sqrt(inner(next, next));
      if (norm > ball) {
        for (Real& coordinate : next) coordinate *= ball / norm * (1 - 1e-18L);
      }
      const Real then = value(next);
      length *= then < now ? 2 : 0.5L;
      if (then < now) u = next, now = then;
    }
    return u;
  }
};

Stream stream_of(const Points& points, const std::vector<double>& times, BiasOptions bias, MarginLoss loss) {
  Stream stream;
  stream.loss = loss;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Real sign = points[i].label == 1 ? 1 : -1;
    Vector x;
    for (const double value : with_bias(points[i], bias)) x.push_back(sign * value);
    stream.x.push_back(x);
    stream.weight.push_back(static_cast<Real>(times[i]) * points[i].weight);
  }
  return stream;
}

struct AnyRun {
  Composition c;
  MarginLoss loss = MarginLoss::logistic;
  Points points;
  double scale = 1;  // of the values
  int passes = 1;
};

AnyRun any_run(Chance& chance) {
  AnyRun run;
  run.c.rule = chance.of({rule::ftrl, rule::nag, rule::coin, rule::tournament});
  run.c.order = chance.of({OrderName::cyclic, OrderName::shuffled, OrderName::random});
  run.c.tie = Tie::positive;
  run.c.bias = {chance.of({Bias::none, Bias::first, Bias::last}), chance.of({1.0, 0.5, 4.0})};
  if (run.c.rule != rule::tournament) {
    run.loss = chance.of({MarginLoss::hinge, MarginLoss::squared_hinge, MarginLoss::logistic});
    run.c.set(parameter::loss, run.loss);
  }
  if (run.c.rule == rule::ftrl) {
    run.c.set(parameter::alpha, chance.of({0.1, 1.0, 10.0}));
    run.c.set(parameter::l1, chance.of({0.0, 0.5, 2.0}));
    run.c.set(parameter::l2, chance.of({0.0, 0.1, 3.0}));
  }
  run.points = binary_world(chance, run.c.bias, chance.one_in(3), chance.one_in(2)).points;
  run.scale = chance.of({1e-3, 1.0, 1.0, 30.0});
  for (Point& point : run.points) {
    for (double& value : point.x) value *= run.scale;
    if (chance.one_in(3)) point.weight = chance.of({0.0, 0.1, 2.0, 7.5});
  }
  run.passes = chance.of({1, 1, 2, 5});
  return run;
}

Real penalties_of(const Vector& u, Penalties penalties, bool biased) {
  Real sum = 0;
  for (std::size_t j = 0; j + (biased ? 1 : 0) < u.size(); ++j)
    sum += penalties.l2 / 2 * u[j] * u[j] + penalties.l1 * std::abs(u[j]);
  return sum;
}

TEST(LeastLoss, IsBelowThatOfEveryModelInTheBall) {
  int bounded = 0, close = 0, penalised = 0;
  for (std::uint64_t seed = 1; seed <= 2500 && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Chance chance(seed);
    const AnyRun run = any_run(chance);
    if (run.points.empty()) continue;
    const Rows rows = rows_of(run.points);
    const auto learner = make_learner(run.c, 2);
    learner->grow(features_of(run.points));
    std::vector<double> times(run.points.size(), 0);
    double suffered = 0;
    learner->observer = [&](const RoundView& round) {
      times[round.row - 1] += 1;
      const double weight = run.points[round.row - 1].weight;
      if (weight > 0) suffered += weight * value_of(run.loss, round.outcome.margin);
    };
    const bool biased = run.c.bias.position != Bias::none;
    Ledger ledger;
    ledger.losses = LossSums(entry_of(run.c.rule).loss(run.c), biased ? run.c.bias.scale : 0);
    Game game{.order = run.c.order, .until = {.passes = static_cast<std::uint64_t>(run.passes)}};
    halfspace::play(*learner, rows, game, chance.draws(), ledger, {});

    const LossSums& sums = *ledger.losses;
    ASSERT_EQ(sums.rounds, ledger.rounds);
    EXPECT_EQ(sums.suffered, suffered) << "the loss is that of the prediction";
    const double norm = chance.of({0.01, 0.1, 0.3, 1.0, 4.0}) / run.scale;
    Penalties penalties;
    if (run.c.rule == rule::ftrl) penalties = {run.c.value(parameter::l1), run.c.value(parameter::l2)};
    const LeastLoss found = least_loss(sums, norm, penalties);
    const Stream stream = stream_of(run.points, times, run.c.bias, run.loss);
    Real weight = 0;
    for (const Real one : stream.weight) weight += one;
    EXPECT_EQ(found.bound.has_value() || found.penalised.has_value(), found.why_no_bound.empty());
    if (!found.bound && !found.penalised) continue;
    const Vector best = stream.best(norm, 300);
    const Real least = stream.value(best);
    if (found.bound) {
      EXPECT_LE(*found.bound * weight, least);
      ++bounded;
      close += *found.bound * weight > 0.9L * least;
    }
    if (!found.penalised) continue;
    ++penalised;
    EXPECT_GE(*found.penalised, found.bound.value_or(0));
    for (Real part = 0; part <= 1; part += 0.05L) {
      Vector u = best;
      for (Real& coordinate : u) coordinate *= part;
      EXPECT_LE(*found.penalised * weight, stream.value(u) + penalties_of(u, penalties, biased)) << part;
    }
  }
  EXPECT_GT(bounded, 1000);
  EXPECT_GT(close, 200);
  EXPECT_GT(penalised, 100);
}

// Takes rounds whose margins are those of u.
LossSums sums_of(const Points& points, BiasOptions bias, MarginLoss loss, const Vector& u) {
  LossSums sums(loss, bias.position == Bias::none ? 0.0 : bias.scale);
  const StoredPoints stored(points, ValueType::float64, true);
  const Stream stream = stream_of(points, std::vector<double>(points.size(), 1), bias, loss);
  for (std::size_t i = 0; i < points.size(); ++i)
    sums.add(stored.block().example<double, true>(i), static_cast<double>(Stream::inner(u, stream.x[i])),
             features_of(points));
  return sums;
}

TEST(LeastLoss, IsReachedByWhoPredictsWithTheBestModelInTheBall) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    Chance chance(seed);
    const BiasOptions bias{chance.of({Bias::none, Bias::last}), chance.of({1.0, 0.5})};
    const MarginLoss loss = chance.of({MarginLoss::squared_hinge, MarginLoss::logistic});
    Points points = binary_world(chance, bias, false, true).points;
    points.push_back(points[0]);
    points.back().label = 1 - points[0].label;  // so that the least loss is not 0
    for (Point& point : points) point.weight = chance.of({1.0, 1.0, 0.5, 3.0});
    const double norm = chance.of({0.1, 1.0, 3.0});
    const Stream stream = stream_of(points, std::vector<double>(points.size(), 1), bias, loss);
    const Vector best = stream.best(norm, 100000);
    const LossSums sums = sums_of(points, bias, loss, best);
    const LeastLoss found = least_loss(sums, norm);
    ASSERT_TRUE(found.bound) << found.why_no_bound;
    const Real least = stream.value(best) / sums.weight;
    EXPECT_LE(*found.bound, least);
    EXPECT_GT(*found.bound, least * 0.999L - 1e-6L);
  }
}

// One feature: the least is looked for point by point.
TEST(LeastLoss, WithPenaltiesIsReachedOnALine) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    Chance chance(seed);
    Points points;
    for (int i = 0; i < 6; ++i) points.push_back({{chance.normal()}, chance.between(0, 1), chance.of({1.0, 2.0})});
    const MarginLoss loss = chance.of({MarginLoss::squared_hinge, MarginLoss::logistic});
    const Penalties penalties{chance.of({0.0, 0.5, 3.0}), chance.of({0.5, 2.0, 10.0})};
    const Stream stream = stream_of(points, std::vector<double>(points.size(), 1), {Bias::none, 1}, loss);
    Vector best{0};
    Real least = stream.value(best);
    for (Real step = 0.1L, middle = 0; step > 1e-12L; step /= 10, middle = best[0]) {
      for (int k = -100; k <= 100; ++k) {
        const Vector u{middle + k * step};
        const Real value = stream.value(u) + penalties_of(u, penalties, false);
        if (value < least) least = value, best = u;
      }
    }
    const LossSums sums = sums_of(points, {Bias::none, 1}, loss, best);
    const LeastLoss found = least_loss(sums, 100, penalties);
    ASSERT_TRUE(found.penalised) << found.why_no_bound;
    EXPECT_LE(*found.penalised, least / sums.weight * (1 + 1e-15L));
    EXPECT_NEAR(*found.penalised, static_cast<double>(least / sums.weight), 1e-9);
  }
}

// Rows whose steps nearly cancel, judged for long models: what G is wrong by is then all there is of it.
TEST(LeastLoss, IsBelowItsFormulaOfTheExactSums) {
  int wrong = 0, bounded = 0;
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    Chance chance(seed);
    const BiasOptions bias{chance.of({Bias::none, Bias::last}), 0.3};
    const MarginLoss loss = chance.of({MarginLoss::hinge, MarginLoss::squared_hinge});
    Points points;
    const int pairs = chance.between(1, 12);
    for (int i = 0; i < pairs; ++i) {
      const double a = chance.real(0, 1), b = chance.real(0, 1);
      points.push_back({{a}, 1, 1});
      points.push_back({{b}, 1, 1});
      points.push_back({{a + b}, 0, 1});
      if (bias.position != Bias::none) points.push_back({{0}, 0, 1});
    }
    const double norm = chance.of({1.0, 1e6, 1e13, 1e14});
    LossSums sums(loss, bias.position == Bias::none ? 0.0 : bias.scale);
    const StoredPoints stored(points, ValueType::float64, true);
    const double margin = chance.of({0.0, 0.3, -0.2});
    Rational constant = 0, along = 0, along_bias = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      sums.add(stored.block().example<double, true>(i), margin, 1);
      const Rational q = exact(tangent_of(loss, margin).slope), sign = points[i].label == 1 ? 1 : -1;
      constant += loss == MarginLoss::hinge ? q : q - q * q / 4;
      along += sign * q * exact(points[i].x[0]);
      if (bias.position != Bias::none) along_bias += sign * q * exact(bias.scale);
    }
    const LeastLoss found = least_loss(sums, norm);
    EXPECT_LE(exact(found.constant), constant);
    const Rational squares = along * along + along_bias * along_bias;
    EXPECT_GE(exact(found.gradient_norm) * exact(found.gradient_norm), squares) << seed;
    wrong += exact(sums.gradient.w[0]) != along;
    if (!found.bound) continue;
    ++bounded;
    const Rational rest = constant - exact(*found.bound) * static_cast<int>(points.size());
    EXPECT_GE(rest, 0);
    EXPECT_GE(rest * rest, exact(norm) * exact(norm) * squares) << seed;
  }
  EXPECT_GT(wrong, 300) << "the sums are rounded somewhere";
  EXPECT_GT(bounded, 500);
}

TEST(LeastLoss, SaysWhyThereIsNone) {
  const auto why = [](const LossSums& sums, double norm) { return least_loss(sums, norm).why_no_bound; };
  EXPECT_EQ(why(LossSums(), 1), "no round was played");
  const auto played = [](double x, double weight, double margin, MarginLoss loss = MarginLoss::squared_hinge) {
    LossSums sums(loss, 1);
    const Points points{{{x}, 1, weight}};
    const StoredPoints stored(points, ValueType::float64, true);
    sums.add(stored.block().example<double, true>(0), margin, 1);
    return sums;
  };
  EXPECT_EQ(why(played(1, 0, 0), 1), "every row weighs 0");
  const std::string lost = "its sums left the range of doubles: scale the values, or the weights of the rows";
  EXPECT_EQ(why(played(1, 1, -1e200), 1), lost);
  EXPECT_EQ(why(played(1, 1, -HUGE_VAL), 1), lost);
  EXPECT_EQ(why(played(1e200, 1, 0), 1), lost);
  EXPECT_EQ(why(played(1, 1, 0), HUGE_VAL), "the norm of the weights is beyond the doubles");
  EXPECT_EQ(why(played(1, 1, 0), 1e30), "nothing above 0 is proved for |w| <= 1e+30; a smaller norm may have a bound");
  EXPECT_EQ(why(played(1, 1, 0), 0), "");
  EXPECT_EQ(why(played(1e-200, 1e-250, 0), 0.25), "") << "numbers that are small, but there";
  EXPECT_EQ(why(played(1, 1, -800, MarginLoss::logistic), 0.1),
            "nothing above 0 is proved for |w| <= 0.1; a smaller norm may have a bound");
}

TEST(LeastLoss, RoundsNormsUpToThreeDigits) {
  EXPECT_EQ(rounded_up_norm(0), 0);
  EXPECT_EQ(rounded_up_norm(4.62), 4.62);
  EXPECT_EQ(rounded_up_norm(4.611), 4.62);
  EXPECT_EQ(rounded_up_norm(9.991), 10);
  EXPECT_EQ(rounded_up_norm(std::nextafter(1.0, 2)), 1.01);
  Chance chance(1);
  for (int i = 0; i < 10000; ++i) {
    const double norm = std::ldexp(chance.real(0.5, 1), chance.between(-1070, 1023)), up = rounded_up_norm(norm);
    EXPECT_GE(up, norm);
    EXPECT_TRUE(norm < 1e-300 || up <= norm * 1.0101) << norm;
  }
}

}  // namespace
}  // namespace halfspace::testing
