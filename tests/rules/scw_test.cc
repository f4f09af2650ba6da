// SCW-I and SCW-II against their definition in the papers' own words, in long doubles.
#include "halfspace/detail/rules/scw.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <vector>

#include "halfspace/base/error.h"
#include "halfspace/base/random.h"
#include "halfspace/model/model_file.h"
#include "halfspace/rules/rule_entry.h"
#include "halfspace/train/train.h"
#include "rules/family.h"
#include "support/points.h"
#include "support/temporary_folder.h"

namespace halfspace::testing {
namespace {

// Weights and variances of all coordinates, the bias last.
struct ScwBook {
  Composition c;
  std::vector<Real> w, s;

  void learn(const std::vector<Real>& x, Real y, Real weight) {
    const Real phi = c.value(parameter::deviations), big_c = c.value(parameter::aggressiveness) * weight;
    Real v = 0, m = 0;
    for (std::size_t j = 0; j < x.size(); ++j) {
      v += s[j] * x[j] * x[j];
      m += y * w[j] * x[j];
    }
    if (weight == 0 || v == 0 || !(phi * std::sqrt(v) - m > 0)) return;
    const Real psi = 1 + phi * phi / 2, zeta = 1 + phi * phi;
    Real alpha = 0;
    if (c.rule == rule::scw1) {
      alpha = (-m * psi + std::sqrt(m * m * phi * phi * phi * phi / 4 + v * phi * phi * zeta)) / (v * zeta);
      alpha = std::min(big_c, std::max(0.0L, alpha));
    } else {
      const Real n = v + 1 / (2 * big_c);
      const Real gamma = phi * std::sqrt(phi * phi * m * m * v * v + 4 * n * v * (n + v * phi * phi));
      alpha = std::max(0.0L, (-(2 * m * n + phi * phi * m * v) + gamma) / (2 * (n * n + n * v * phi * phi)));
    }
    const Real root = (-alpha * v * phi + std::sqrt(alpha * alpha * v * v * phi * phi + 4 * v)) / 2;
    const Real beta = alpha * phi / (root + v * alpha * phi);
    for (std::size_t j = 0; j < x.size(); ++j) {
      const Real g = s[j] * x[j];
      w[j] += alpha * y * g;
      s[j] -= beta * g * g;
    }
  }
};

struct ScwCase {
  Composition c;
  Points points;
};

ScwCase scw_case(RuleName rule, std::uint64_t seed) {
  Generator draws(seed);
  const auto of = [&](std::initializer_list<double> all) { return all.begin()[pick(draws, all.size())]; };
  ScwCase made;
  made.c.rule = rule;
  made.c.bias = {static_cast<Bias>(pick(draws, 3)), of({1, 0.5, 3})};
  made.c.set(parameter::deviations, of({0.01, 0.5, 1.28, 5}));
  made.c.set(parameter::aggressiveness, of({1e-3, 0.3, 1, 50}));
  const std::size_t d = 1 + pick(draws, 5);
  for (int i = 0; i < 40; ++i) {
    Point point;
    for (std::size_t j = 0; j < d; ++j) point.x.push_back(pick(draws, 3) == 0 ? 0 : 2 * gaussian(draws));
    point.label = pick(draws, 5) == 0 ? 1 : point.x[0] > 0;
    point.weight = pick(draws, 3) == 0 ? of({0, 0.5, 4}) : 1;
    made.points.push_back(point);
  }
  return made;
}

class Scw : public ::testing::TestWithParam<RuleName> {};

TEST_P(Scw, WeightsVariancesAndMeansFollowTheDefinition) {
  std::uint64_t updates = 0;
  for (std::uint64_t seed = 1; seed <= 200 && !HasFailure(); ++seed) {
    ScwCase made = scw_case(GetParam(), seed);
    made.c.keep = KeepName::average;
    const auto learner = make_learner(made.c, 2);
    learner->grow(features_of(made.points));
    Ledger ledger;
    const std::size_t n = row_of(made.points[0], made.c.bias).size(), d = made.points[0].x.size();
    ScwBook book{made.c, std::vector<Real>(n, 0.0L), std::vector<Real>(n, 1.0L)};
    std::vector<Real> sum(n, 0.0L);
    Real counted = 0;  // a row of weight 0 is no round
    for (const Point& point : made.points) {
      counted += point.weight > 0;
      learner->play(StoredPoints({point}, ValueType::float64, false).block(), 0, {}, ledger);
      book.learn(row_of(point, made.c.bias), point.label == 0 ? -1 : 1, point.weight);
      const LearnerState state = learner->save();
      const ClassWeightVector w = learner->present();
      for (std::size_t j = 0; j < n; ++j) {
        const double present = j < d ? w.w[j] : w.bias[0];
        if (point.weight > 0) sum[j] += present;
        EXPECT_NEAR(present, static_cast<double>(book.w[j]), 1e-9 * (1 + std::abs(static_cast<double>(book.w[j]))))
            << seed;
        EXPECT_NEAR(state.moments[j], static_cast<double>(book.s[j]), 1e-10) << seed;
        EXPECT_GT(state.moments[j], 0) << seed;
      }
    }
    const ClassWeightVector mean = learner->result();
    for (std::size_t j = 0; j < n; ++j) {
      EXPECT_NEAR(j < d ? mean.w[j] : mean.bias[0], static_cast<double>(sum[j] / counted), 1e-10) << seed;
    }
    updates += ledger.updates;
  }
  EXPECT_GT(updates, 2000U);
}

// After a step that C does not cut short the row is right by phi standard deviations; SCW-II lacks a / (2 C).
TEST_P(Scw, AStepReachesTheWantedConfidence) {
  Composition c;
  c.rule = GetParam();
  c.bias.position = Bias::none;
  c.set(parameter::aggressiveness, 100).set(parameter::deviations, 0.7);
  const auto learner = make_learner(c, 2);
  learner->grow(1);
  Ledger ledger;
  learner->play(StoredPoints({{{2}, 1}}, ValueType::float64, false).block(), 0, {}, ledger);
  const double w = learner->present().w[0], s = learner->save().moments[0], a = w / 2;
  const double lacking = GetParam() == rule::scw1 ? 0 : a / 200;
  EXPECT_NEAR(2 * w, 0.7 * 2 * std::sqrt(s) - lacking, 1e-12);
}

TEST_P(Scw, DegenerateRowsLeaveFiniteWeightsAndPositiveVariances) {
  for (const double big_c : {1e-300, 1.0, 1e300}) {
    Composition c;
    c.rule = GetParam();
    c.bias.position = Bias::none;
    c.set(parameter::aggressiveness, big_c);
    const auto learner = make_learner(c, 2);
    learner->grow(3);
    Ledger ledger;
    const Points points = {{{0, 0, 0}, 0},      {{1e200, 1, 0}, 1},  {{0, 1e150, 0}, 0}, {{0, 1e150, 0}, 1},
                           {{0, 0, 1e-160}, 1}, {{0, 0, 1e-200}, 0}, {{1, 1, 1}, 0},     {{1, 1, 1}, 1}};
    for (int pass = 0; pass < 3; ++pass) {
      for (const Point& point : points) {
        learner->play(StoredPoints({point}, ValueType::float64, false).block(), 0, {}, ledger);
      }
    }
    for (const double w : learner->present().w) EXPECT_TRUE(std::isfinite(w)) << big_c;
    for (const double s : learner->save().moments) EXPECT_GT(s, 0) << big_c;
  }
}

TEST_P(Scw, ARunTakenUpAgainHasTheSameBits) {
  const ScwCase made = scw_case(GetParam(), 7);
  for (const KeepName keep : {KeepName::last, KeepName::average, KeepName::pocket}) {
    Composition c = made.c;
    c.keep = keep;
    const auto whole = make_learner(c, 2), first = make_learner(c, 2), second = make_learner(c, 2);
    Ledger ledger, parts;
    const std::uint32_t d = features_of(made.points);
    whole->grow(d);
    first->grow(d);
    for (std::size_t i = 0; i < 40; ++i) {
      const StoredPoints row({made.points[i]}, ValueType::float64, false);
      whole->play(row.block(), 0, {}, ledger);
      if (i == 20) {
        second->grow(d);
        second->restore(first->save());
      }
      (i < 20 ? first : second)->play(row.block(), 0, {}, parts);
    }
    EXPECT_EQ(whole->save(), second->save());
    EXPECT_EQ(whole->result(), second->result());
    EXPECT_EQ(ledger, parts);
  }
}

TEST_P(Scw, WhatMakesNoSenseIsRefused) {
  const auto refused = [](Composition c) {
    try {
      validate(c);
    } catch (const Error& error) {
      return error.kind() == ErrorKind::usage && !error.hint().empty();
    }
    return false;
  };
  Composition c;
  c.rule = GetParam();
  EXPECT_FALSE(refused(c));
  EXPECT_TRUE(refused(Composition(c).set(parameter::alpha, 0.5)));
  EXPECT_TRUE(refused(Composition(c).set(parameter::deviations, 0)));
  EXPECT_TRUE(refused(Composition(c).set(parameter::aggressiveness, -1)));
  Composition vote = c, small = c;
  vote.keep = KeepName::vote;
  small.start.small = true;
  EXPECT_TRUE(refused(vote));
  EXPECT_TRUE(refused(small));
}

// No theorem is known, so no bound is shown; the file keeps every parameter.
TEST_P(Scw, ATrainedModelIsReadAgainAndShowsNoBound) {
  const TemporaryFolder folder;
  const std::string path = folder.path("d.svm");
  std::ofstream(path) << "+1 1:1 2:2\n-1 1:-1\n+1 2:0.5\n-1 1:-2 2:-1\n";
  TrainOptions options;
  options.read.path = path;
  options.composition.rule = GetParam();
  options.composition.set(parameter::deviations, 1.5);
  const TrainResult result = train(options);
  EXPECT_FALSE(result.bound);
  save_model(result.model, path + ".model");
  const Model again = load_model(path + ".model");
  EXPECT_EQ(again.composition.value(parameter::deviations), 1.5);
  EXPECT_EQ(encode(again), encode(result.model));
}

INSTANTIATE_TEST_SUITE_P(Rules, Scw, ::testing::Values(rule::scw1, rule::scw2),
                         [](const auto& rule) { return std::string(name_of(rule.param)); });

}  // namespace
}  // namespace halfspace::testing
