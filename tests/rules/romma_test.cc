// ROMMA and aggressive ROMMA: their steps against the definition in long doubles, and their theorem.
#include "halfspace/detail/rules/romma.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <vector>

#include "halfspace/base/error.h"
#include "halfspace/base/random.h"
#include "halfspace/bounds/formulas.h"
#include "halfspace/model/model_file.h"
#include "halfspace/rules/rule_entry.h"
#include "halfspace/train/train.h"
#include "rules/family.h"
#include "support/points.h"
#include "support/temporary_folder.h"

namespace halfspace::testing {
namespace {

Vector weights_of(const ClassWeightVector& w, BiasOptions bias) {
  Vector all(w.w.begin(), w.w.end());
  if (bias.position != Bias::none) all.push_back(w.bias[0]);
  return all;
}

// The shortest vector that meets <v, w> >= |w|^2 and y <v, x> >= 1, found by trying each demand alone and both.
Vector shortest(const Vector& w, const Vector& yx) {
  const Real ww = dot(w, w), xx = dot(yx, yx), wx = dot(w, yx);
  Vector v = yx;
  for (Real& value : v) value /= xx;
  if (dot(v, w) >= ww) return v;
  const Real lowest = ww * xx - wx * wx;  // w a + yx b, with a ww + b wx = ww and a wx + b xx = 1
  const Real a = (ww * xx - wx) / lowest, b = (ww - ww * wx) / lowest;
  for (std::size_t j = 0; j < v.size(); ++j) v[j] = a * w[j] + b * yx[j];
  return v;
}

struct RommaCase {
  Composition c;
  Points points;
  Vector teacher;
};

// A teacher u that is sure of its rows; `noise` turns some labels.
RommaCase romma_case(RuleName rule, std::uint64_t seed, bool noise) {
  Generator draws(seed);
  RommaCase made;
  made.c.rule = rule;
  made.c.tie = static_cast<Tie>(pick(draws, 3));
  made.c.bias = {static_cast<Bias>(pick(draws, 3)), pick(draws, 2) == 0 ? 1.0 : 0.5};
  const std::size_t d = 2 + pick(draws, 5);
  Vector u;
  for (std::size_t j = 0; j <= d; ++j) u.push_back(gaussian(draws));
  while (made.points.size() < 30) {
    Point point;
    for (std::size_t j = 0; j < d; ++j) point.x.push_back(pick(draws, 4) == 0 ? 0 : 3 * gaussian(draws));
    const Vector x = row_of(point, made.c.bias);
    Real score = 0;
    for (std::size_t j = 0; j < x.size(); ++j) score += u[j] * x[j];
    if (std::abs(score) < 0.2L) continue;
    point.label = (score > 0) != (noise && pick(draws, 6) == 0);
    point.weight = pick(draws, 4) == 0 ? 0.5 * static_cast<double>(pick(draws, 3)) : 1;
    made.points.push_back(point);
  }
  made.teacher = u;
  made.teacher.resize(row_of(made.points[0], made.c.bias).size());
  return made;
}

class RommaOf : public ::testing::TestWithParam<RuleName> {};

// Every step is the shortest vector that meets both demands, and the mean is that of the weights.
TEST_P(RommaOf, EveryStepIsTheShortestVectorThatMeetsBothDemands) {
  std::uint64_t updates = 0, compared = 0;
  for (std::uint64_t seed = 1; seed <= 150 && !HasFailure(); ++seed) {
    RommaCase made = romma_case(GetParam(), seed, seed % 2 == 0);
    made.c.keep = KeepName::average;
    const auto learner = make_learner(made.c, 2);
    learner->grow(features_of(made.points));
    Ledger ledger;
    Vector sum;
    Real longest = 0, counted = 0;  // a row of weight 0 is no round
    for (std::size_t i = 0; i < 90; ++i) {
      const Point& point = made.points[i % 30];
      const Vector w = weights_of(learner->present(), made.c.bias);
      Vector yx = row_of(point, made.c.bias);
      for (Real& value : yx) value *= point.label == 0 ? -1 : 1;
      learner->play(StoredPoints({point}, ValueType::float64, false).block(), 0, {}, ledger);
      const Vector now = weights_of(learner->present(), made.c.bias);
      const Real margin = dot(w, yx), one = made.c.rule == rule::romma ? 0 : 1;
      sum.resize(now.size(), 0.0L);
      counted += point.weight > 0;
      for (std::size_t j = 0; j < now.size(); ++j) sum[j] += point.weight > 0 ? now[j] : 0;
      longest = std::max(longest, std::sqrt(dot(now, now)));
      if (dot(w, w) > 0 && std::abs(margin - one) < 1e-9L) continue;
      const bool tie_moves =
          margin == 0 && (made.c.rule != rule::romma || is_mistake(made.c.tie, point.label == 0 ? -1 : 1, 0));
      const Vector wanted = point.weight > 0 && (margin == 0 ? tie_moves : margin < one) ? shortest(w, yx) : w;
      const Real length = std::sqrt(dot(wanted, wanted)), size = dot(w, w) * dot(yx, yx);
      const Real sine = size > 0 ? 1 - margin * margin / size : 1;  // the worse the angle, the more rounding counts
      if (sine < 1e-9L) continue;                                   // passed over, or all digits lost
      for (std::size_t j = 0; j < now.size(); ++j) {
        EXPECT_NEAR(static_cast<double>(now[j] - wanted[j]), 0, static_cast<double>(1e-10L * (length + 1e-9L) / sine))
            << seed << " round " << i;
      }
      ++compared;
    }
    const Vector mean = weights_of(learner->result(), made.c.bias);
    for (std::size_t j = 0; j < mean.size(); ++j) {
      EXPECT_NEAR(static_cast<double>(mean[j] - sum[j] / counted), 0, static_cast<double>(1e-10L * longest)) << seed;
    }
    updates += ledger.updates;
  }
  EXPECT_GT(updates, 1000U);
  EXPECT_GT(compared, 10000U);
}

// mistakes <= R^2 |u|^2 / margin^2 for every u that separates, and |w| <= |u| / margin after every round.
TEST_P(RommaOf, MistakesNeverExceedTheTheorem) {
  for (std::uint64_t seed = 1; seed <= 200 && !HasFailure(); ++seed) {
    RommaCase made = romma_case(GetParam(), seed, false);
    const auto learner = make_learner(made.c, 2);
    learner->grow(features_of(made.points));
    Rows rows = rows_of(made.points);
    Ledger ledger;
    Generator draws(seed);
    made.c.order = seed % 2 == 0 ? OrderName::cyclic : OrderName::random_mistake;
    Game game{.order = made.c.order, .until = {Clean::pass, 100, 300, {}}};
    play(*learner, rows, game, draws, ledger);
    const LearnerState state = learner->save();
    const std::vector<std::uint32_t> visits(made.points.size(), 1);
    RunForBound run{.ledger = &ledger, .bias = made.c.bias, .tie = made.c.tie, .rows = &rows};
    run.visits = [](std::uint64_t) { return 1.0; };
    run.state = &state;
    const std::size_t d = made.points[0].x.size();
    ClassWeightVector teacher{1, {}, {made.teacher.size() > d ? static_cast<double>(made.teacher[d]) : 0.0}};
    for (std::size_t j = 0; j < d; ++j) teacher.w.push_back(static_cast<double>(made.teacher[j]));
    const auto bound = bound_of_run(made.c, run, {{"teacher", teacher}});
    ASSERT_TRUE(bound);
    EXPECT_EQ(bound->theorem, "romma");
    EXPECT_FALSE(bound->exceeded);
    Real margin = INFINITY, radius = 0;
    for (const Point& point : made.points) {
      const Vector x = row_of(point, made.c.bias);
      if (point.weight == 0) continue;
      margin = std::min(margin, dot(made.teacher, x) * (point.label == 0 ? -1 : 1));
      radius = std::max(radius, dot(x, x));
    }
    const Real length = dot(made.teacher, made.teacher) / (margin * margin);
    const Vector w = weights_of(learner->present(), made.c.bias);
    EXPECT_LE(static_cast<Real>(ledger.mistakes), radius * length * (1 + 1e-9L)) << seed;
    EXPECT_LE(static_cast<Real>(ledger.mistakes) / radius, dot(w, w) * (1 + 1e-9L)) << seed;
    EXPECT_LE(dot(w, w), length * (1 + 1e-9L)) << seed;
    EXPECT_GE(bound->value, static_cast<double>(radius * length * (1 - 1e-9L))) << seed;
    EXPECT_GE(whole_mistakes(bound->value), ledger.mistakes) << seed;
  }
}

// On rows that nothing separates, however long, the weights stay finite; what stands against them is passed over.
TEST_P(RommaOf, NoiseContradictionsAndHugeRowsLeaveFiniteWeights) {
  Composition c;
  c.rule = GetParam();
  c.bias.position = Bias::none;
  c.keep = KeepName::average;
  const auto learner = make_learner(c, 2);
  learner->grow(2);
  Ledger ledger;
  const auto play_row = [&](double a, double b, int label) {
    learner->play(StoredPoints({{{a, b}, label}}, ValueType::float64, false).block(), 0, {}, ledger);
  };
  play_row(0, 0, 0);
  EXPECT_EQ(ledger.updates, 0U);
  play_row(2, 0, 0);
  const ClassWeightVector before = learner->present();
  EXPECT_EQ(before.w[0], -0.5);
  play_row(3, 0, 1);
  EXPECT_EQ(ledger.updates, 1U);
  EXPECT_EQ(learner->present(), before);
  for (const double size : {1e150, 1e200, 1e-150, 1e-200}) {
    play_row(size, size, 0);
    play_row(size, -size, 1);
    play_row(-size, size, 1);
  }
  Generator draws(5);
  for (int i = 0; i < 5000; ++i) play_row(gaussian(draws), gaussian(draws), static_cast<int>(pick(draws, 2)));
  for (const double w : learner->present().w) EXPECT_TRUE(std::isfinite(w));
  for (const double w : learner->result().w) EXPECT_TRUE(std::isfinite(w));
  EXPECT_GT(ledger.updates, 1000U);
}

TEST_P(RommaOf, ARunTakenUpAgainHasTheSameBits) {
  const RommaCase made = romma_case(GetParam(), 8, true);
  for (const KeepName keep : {KeepName::last, KeepName::average, KeepName::pocket}) {
    Composition c = made.c;
    c.keep = keep;
    const auto whole = make_learner(c, 2), first = make_learner(c, 2), second = make_learner(c, 2);
    Ledger ledger, parts;
    const std::uint32_t d = features_of(made.points);
    whole->grow(d);
    first->grow(d);
    for (std::size_t i = 0; i < 300; ++i) {
      const StoredPoints row({made.points[i % 30]}, ValueType::float64, false);
      whole->play(row.block(), 0, {}, ledger);
      if (i == 101) {
        second->grow(d);
        second->restore(first->save());
      }
      (i < 101 ? first : second)->play(row.block(), 0, {}, parts);
    }
    EXPECT_EQ(whole->save(), second->save());
    EXPECT_EQ(whole->result(), second->result());
  }
}

TEST_P(RommaOf, WhatMakesNoSenseIsRefused) {
  Composition c;
  c.rule = GetParam();
  EXPECT_NO_THROW(validate(c));
  EXPECT_THROW(validate(Composition(c).set(parameter::rate, 1)), Error);
  Composition vote = c, small = c;
  vote.keep = KeepName::vote;
  small.start.small = true;
  EXPECT_THROW(validate(vote), Error);
  EXPECT_THROW(validate(small), Error);
}

// Where the weights separate, the bound is shown; not where they do not, nor of a run taken up again.
TEST_P(RommaOf, OnlyASeparatorBoundsARun) {
  const TemporaryFolder folder;
  const std::string path = folder.path("d.svm");
  for (const bool separable : {true, false}) {
    std::ofstream(path) << "+1 1:1 2:2\n-1 1:-1\n" << (separable ? "+1" : "-1") << " 1:1 2:2\n";
    TrainOptions options;
    options.read.path = path;
    options.composition.rule = GetParam();
    const TrainResult result = train(options);
    ASSERT_EQ(result.bound.has_value(), separable);
    if (separable) {
      EXPECT_EQ(result.bound->theorem, "romma");
    }
    save_model(result.model, path + ".model");
    const Model again = load_model(path + ".model");
    EXPECT_EQ(encode(again), encode(result.model));
    options.resume = &again;
    EXPECT_FALSE(train(options).bound);
  }
}

INSTANTIATE_TEST_SUITE_P(Rules, RommaOf, ::testing::Values(rule::romma, rule::aggressive_romma),
                         [](const auto& rule) { return rule.param == rule::romma ? "Plain" : "Aggressive"; });

}  // namespace
}  // namespace halfspace::testing
