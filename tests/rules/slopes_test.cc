// FTRL-proximal, NAG and coin betting against their definitions, in long doubles; and what their papers promise of scales.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "halfspace/base/random.h"
#include "halfspace/detail/rules/coin.h"
#include "halfspace/detail/rules/ftrl.h"
#include "halfspace/detail/rules/nag.h"
#include "halfspace/rules/rule_entry.h"
#include "support/points.h"

namespace halfspace::testing {
namespace {

using Real = long double;

Real slope(MarginLoss loss, Real margin) {
  if (loss == MarginLoss::logistic) return 1 / (1 + std::exp(margin));
  if (margin >= 1) return 0;
  return loss == MarginLoss::hinge ? 1 : 2 * (1 - margin);
}

// Follows dm/dt = slope(m) in many small steps, by the midpoint rule; of the hinge, whose slope leaps, at once.
Real followed(MarginLoss loss, Real margin, Real time) {
  if (loss == MarginLoss::hinge) return margin < 1 ? std::min(time, 1 - margin) : 0;
  const int steps = 20000;
  const Real begin = margin;
  for (int i = 0; i < steps; ++i) {
    const Real half = margin + slope(loss, margin) * time / steps / 2;
    margin += slope(loss, half) * time / steps;
  }
  return margin - begin;
}

// One coordinate of each rule, with the numbers as the papers name them.
struct Coordinate {
  Real w = 0, z = 0, n = 0, s = 0, theta = 0, largest = 0, total = 0, reward = 0;
};

struct SlowLearner {
  Composition c;
  std::vector<Coordinate> all;  // the bias last
  Real rounds = 0, squares = 0;

  void learn(const std::vector<Real>& x, Real y, Real weight) {
    const auto loss = c.choice<MarginLoss>(parameter::loss);
    Real score = 0;
    for (std::size_t j = 0; j < x.size(); ++j) score += all[j].w * x[j];
    const Real g = weight > 0 ? slope(loss, y * score) : 0;
    if (g == 0) return;
    if (c.rule == rule::nag) return normalised(loss, x, y, y * score, g, weight);
    for (std::size_t j = 0; j < x.size(); ++j) {
      if (x[j] == 0) continue;
      const bool is_bias = c.bias.position != Bias::none && j + 1 == x.size();
      c.rule == rule::ftrl ? ftrl(all[j], -y * g * weight * x[j], is_bias) : bet(all[j], y * g * weight * x[j]);
    }
  }
  void ftrl(Coordinate& a, Real g, bool is_bias) const {
    const Real alpha = c.value(parameter::alpha), l1 = is_bias ? 0 : c.value(parameter::l1);
    a.z += g - (std::sqrt(a.n + g * g) - std::sqrt(a.n)) / alpha * a.w;
    a.n += g * g;
    const Real price = (c.value(parameter::beta) + std::sqrt(a.n)) / alpha + (is_bias ? 0 : c.value(parameter::l2));
    a.w = std::abs(a.z) <= l1 ? 0 : -(a.z - (a.z > 0 ? l1 : -l1)) / price;
  }
  void bet(Coordinate& a, Real coin) const {
    const Real alpha = c.value(parameter::alpha);
    a.largest = std::max(a.largest, std::abs(coin));
    a.total += std::abs(coin);
    a.reward = std::max(Real{0}, a.reward + a.w * coin);
    a.theta += coin;
    a.w = a.theta / (a.largest * std::max(a.total + a.largest, alpha * a.largest)) * (a.largest + a.reward);
  }
  void normalised(MarginLoss loss, const std::vector<Real>& x, Real y, Real margin, Real g, Real weight) {
    Real along = 0;
    for (std::size_t j = 0; j < x.size(); ++j) {
      Coordinate& a = all[j];
      if (x[j] == 0) continue;
      if (std::abs(x[j]) > a.s) {
        a.w *= a.s / std::abs(x[j]);
        a.s = std::abs(x[j]);
      }
      a.n += weight * g * x[j] * g * x[j];
      squares += weight * x[j] * x[j] / (a.s * a.s);
      along += x[j] * x[j] / (a.s * std::sqrt(a.n));
    }
    rounds += weight;
    const Real d = c.value(parameter::rate) * std::sqrt(rounds / squares);
    const Real length = followed(loss, margin, d * along * weight) / along;
    for (std::size_t j = 0; j < x.size(); ++j) {
      if (x[j] != 0) all[j].w += length * y * x[j] / (all[j].s * std::sqrt(all[j].n));
    }
  }
};

class Slopes : public ::testing::TestWithParam<RuleName> {};

std::vector<Real> coordinates_of(const Point& point, BiasOptions bias) {
  std::vector<Real> x(point.x.begin(), point.x.end());
  if (bias.position != Bias::none) x.push_back(bias.scale);
  return x;
}

TEST_P(Slopes, WeightsAndMeansFollowTheDefinition) {
  for (std::uint64_t seed = 1; seed <= 24 && !HasFailure(); ++seed) {
    Generator draws(seed);
    const auto of = [&](std::initializer_list<double> all) { return all.begin()[pick(draws, all.size())]; };
    Composition c;
    c.rule = GetParam();
    c.keep = KeepName::average;
    c.bias = {static_cast<Bias>(pick(draws, 3)), of({1, 0.5, 3})};
    c.set(parameter::loss, static_cast<double>(seed % 3));
    if (c.rule == rule::nag) c.set(parameter::rate, of({0.01, 0.5, 2}));
    if (c.rule == rule::coin) c.set(parameter::alpha, of({1, 10, 100}));
    if (c.rule == rule::ftrl) {
      c.set(parameter::alpha, of({0.05, 1})).set(parameter::beta, of({0, 1})).set(parameter::l1, of({0, 0.5}));
      c.set(parameter::l2, of({0, 2}));
    }
    const std::size_t d = 1 + pick(draws, 4), rounds = 30;
    const auto learner = make_learner(c, 2);
    learner->grow(static_cast<std::uint32_t>(d));
    Ledger ledger;
    SlowLearner slow{c, std::vector<Coordinate>(d + (c.bias.position == Bias::none ? 0 : 1)), 0, 0};
    std::vector<Real> sum(slow.all.size(), 0.0L);
    Real counted = 0;  // a row of weight 0 is no round
    for (std::size_t i = 0; i < rounds; ++i) {
      Point point;
      for (std::size_t j = 0; j < d; ++j) point.x.push_back(j > 0 && pick(draws, 3) == 0 ? 0 : 2 * gaussian(draws));
      point.label = pick(draws, 5) == 0 ? 1 : point.x[0] > 0;
      point.weight = pick(draws, 3) == 0 ? of({0, 0.5, 4}) : 1;
      counted += point.weight > 0;
      learner->play(StoredPoints({point}, ValueType::float64, false).block(), 0, {}, ledger);
      std::vector<Real> scales;
      for (const Coordinate& coordinate : slow.all) scales.push_back(coordinate.s);
      slow.learn(coordinates_of(point, c.bias), point.label == 0 ? -1 : 1, point.weight);
      const ClassWeightVector w = learner->present();
      for (std::size_t j = 0; j < sum.size(); ++j) {
        const double present = j < d ? w.w[j] : w.bias[0], wanted = static_cast<double>(slow.all[j].w);
        if (c.rule == rule::nag && slow.all[j].s != scales[j]) sum[j] *= scales[j] / slow.all[j].s;
        if (point.weight > 0) sum[j] += present;
        EXPECT_NEAR(present, wanted, 1e-7 * (1 + std::abs(wanted))) << seed << " round " << i;
      }
    }
    const ClassWeightVector mean = learner->result();
    for (std::size_t j = 0; j < sum.size(); ++j) {
      const double wanted = static_cast<double>(sum[j] / counted);
      EXPECT_NEAR(j < d ? mean.w[j] : mean.bias[0], wanted, 1e-9 * (1 + std::abs(wanted))) << seed;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Slopes, Slopes, ::testing::Values(rule::ftrl, rule::nag, rule::coin),
                         [](const auto& of) { return std::string(name_of(of.param)); });

TEST(Losses, SlopesAreThoseOfTheValues) {
  for (const Name<MarginLoss>& name : names<MarginLoss>()) {
    for (const double margin : {-30.0, -2.0, -0.3, 0.0, 0.7, 1.5, 20.0}) {
      const double h = 1e-6;
      const double difference = (value_of(name.value, margin - h) - value_of(name.value, margin + h)) / (2 * h);
      EXPECT_NEAR(slope_of(name.value, margin), difference, 1e-7) << name.name << " " << margin;
    }
    EXPECT_GE(value_of(name.value, 0), 0.69) << "a mistake costs something";
  }
}

TEST(Losses, AMarginFollowsTheSlopeAndNeverOvershoots) {
  for (const Name<MarginLoss>& name : names<MarginLoss>()) {
    for (const double margin : {-700.0, -5.0, -0.1, 0.9, 3.0, 40.0}) {
      for (const double time : {1e-9, 0.01, 1.0, 30.0}) {
        const double gained = margin_gained(name.value, margin, time);
        EXPECT_NEAR(gained, static_cast<double>(followed(name.value, margin, time)), 2e-6 * (1 + gained))
            << name.name << " " << margin << " " << time;
        EXPECT_LE(gained, slope_of(name.value, margin) * time * (1 + 1e-12));
        const double twice = margin_gained(name.value, margin + gained, time);
        EXPECT_NEAR(gained + twice, margin_gained(name.value, margin, 2 * time), 1e-9 * (1 + gained))
            << "two rows are one of weight 2";
      }
    }
  }
  EXPECT_EQ(margin_gained(MarginLoss::logistic, 800, 1), 0);
  EXPECT_NEAR(margin_gained(MarginLoss::logistic, -1e300, 1e299), 1e299, 1e284);
}

// A column in other units is told by its weight, and by nothing else.
TEST(Nag, PowersOfTwoOnColumnsLeaveEveryScore) {
  Generator draws(5);
  const std::vector<double> scale = {1, 0x1p40, 0x1p-60, 0x1p7};
  Composition c;
  c.rule = rule::nag;
  const auto plain = make_learner(c, 2), scaled = make_learner(c, 2);
  plain->grow(4);
  scaled->grow(4);
  Ledger ledger, other;
  for (int i = 0; i < 300; ++i) {
    Point point, stretched;
    for (std::size_t j = 0; j < 4; ++j) {
      point.x.push_back(gaussian(draws) * (pick(draws, 9) == 0 ? 20 : 1));
      stretched.x.push_back(point.x[j] * scale[j]);
    }
    point.label = stretched.label = point.x[0] + point.x[3] > gaussian(draws);
    plain->play(StoredPoints({point}, ValueType::float64, false).block(), 0, {}, ledger);
    scaled->play(StoredPoints({stretched}, ValueType::float64, false).block(), 0, {}, other);
  }
  const ClassWeightVector w = plain->present(), v = scaled->present();
  for (std::size_t j = 0; j < 4; ++j) EXPECT_EQ(w.w[j], v.w[j] * scale[j]) << j;
  EXPECT_EQ(ledger.mistakes, other.mistakes);
}

TEST(Ftrl, ThePriceOfAWeightMakesExactZeros) {
  std::size_t before = 31;
  for (const double l1 : {0.0, 2.0, 12.0, 1e6}) {
    Composition c;
    c.rule = rule::ftrl;
    c.set(parameter::l1, l1).set(parameter::alpha, 1);
    const auto learner = make_learner(c, 2);
    learner->grow(30);
    Ledger ledger;
    Generator rows(7);
    for (int i = 0; i < 400; ++i) {
      Point point;
      for (std::size_t j = 0; j < 30; ++j) point.x.push_back(gaussian(rows));
      point.label = point.x[0] - point.x[1] + 0.5 * gaussian(rows) > 0;
      learner->play(StoredPoints({point}, ValueType::float64, false).block(), 0, {}, ledger);
    }
    const ClassWeightVector w = learner->present();
    const auto kept = static_cast<std::size_t>(std::count_if(w.w.begin(), w.w.end(), [](double v) { return v != 0; }));
    EXPECT_LT(kept, before) << l1;
    before = kept + (l1 == 0 ? 1 : 0);
    if (l1 == 12) {
      EXPECT_NE(w.w[0], 0);
      EXPECT_NE(w.w[1], 0);
    }
    if (l1 == 1e6) {
      EXPECT_EQ(kept, 0U);
    }
  }
}

}  // namespace
}  // namespace halfspace::testing
