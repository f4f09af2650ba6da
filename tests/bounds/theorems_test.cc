// The theorems themselves, on random streams: what is proved in the notes is asked of every run. Data are small
// integers and rates dyadic, so that the doubles of a run are exact; rationals judge.
#include <gtest/gtest.h>

#include <cmath>

#include "halfspace/detail/rules/multiclass.h"
#include "halfspace/rules/margin_perceptron.h"
#include "halfspace/rules/minnow.h"
#include "halfspace/rules/passive_aggressive.h"
#include "halfspace/rules/perceptron.h"
#include "halfspace/rules/rule_entry.h"
#include "support/exact.h"
#include "support/world.h"

namespace halfspace::testing {
namespace {

std::vector<double> with_bias(const ClassWeightVector& u, BiasOptions bias) {
  std::vector<double> all = u.w;
  if (bias.position != Bias::none) all.push_back(u.bias[0]);
  return all;
}
Rational inner(const std::vector<double>& a, const std::vector<double>& b) {
  Rational sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += exact(a[j]) * exact(b[j]);
  return sum;
}

// The data of a theorem, exactly.
struct Facts {
  Facts(const World& world, BiasOptions bias) : u(with_bias(world.teacher, bias)), norm_squared(inner(u, u)) {
    for (const Point& point : world.points) {
      const std::vector<double> x = testing::with_bias(point, bias);
      const Rational m = (point.label == 1 ? 1 : -1) * inner(u, x);
      if (margins.empty() || m < margin) margin = m;
      margins.push_back(m);
      squares.push_back(inner(x, x));
      radius_squared = std::max(radius_squared, squares.back());
    }
  }
  std::vector<double> u;
  Rational norm_squared, margin = 0, radius_squared = 0;
  std::vector<Rational> margins, squares;  // a row each
};

Composition any_walk(Chance& chance, RuleName rule) {
  Composition c;
  c.rule = rule;
  c.order = chance.of({OrderName::stream, OrderName::cyclic, OrderName::shuffled, OrderName::first_mistake,
                       OrderName::random_mistake, OrderName::random});
  c.tie = chance.of({Tie::positive, Tie::mistake, Tie::negative});
  c.bias = {chance.of({Bias::none, Bias::first, Bias::last}), chance.of({1.0, 0.5, 4.0})};
  return c;
}
const Until kLong{Clean::pass, 200, 3000, {}};

TEST(Novikoff, HoldsForEveryTieOrderAndRate) {
  int tight = 0;
  for (std::uint64_t seed = 1; seed <= 1500 && !HasFailure(); ++seed) {
    Chance chance(seed);
    Composition c = any_walk(chance, rule::perceptron);
    c.set(parameter::rate, chance.of({0.125, 1.0, 8.0}));
    World world = binary_world(chance, c.bias, true);
    if (world.points.empty()) continue;
    Played run(c, std::move(world));
    run.play(kLong, chance.draws());
    const Facts facts(run.world, c.bias);
    const Rational mistakes = static_cast<long>(run.ledger.mistakes);
    EXPECT_EQ(run.ledger.mistakes, run.ledger.updates);
    EXPECT_LE(mistakes * facts.margin * facts.margin, facts.radius_squared * facts.norm_squared) << seed;
    tight += run.ledger.mistakes > 0 &&
             mistakes * facts.margin * facts.margin * 4 >= facts.radius_squared * facts.norm_squared;

    // |w|^2 <= rate^2 times the squares of the rows learned from, and no margin beats |w| / (rate M).
    Rational squares = 0;
    for (const std::uint32_t i : run.moved) squares += facts.squares[i];
    const std::vector<double> w = with_bias(run.learner->present(), c.bias);
    const Rational rate = exact(c.value(parameter::rate));
    EXPECT_LE(inner(w, w), rate * rate * squares) << seed;
    EXPECT_LE(facts.margin * facts.margin * mistakes * mistakes * rate * rate, inner(w, w) * facts.norm_squared)
        << seed;
  }
  EXPECT_GT(tight, 20) << "some runs come within a factor of 4 of the bound";
}

TEST(Novikoff, IsAttainedOnOrthonormalRows) {
  World world;
  for (std::size_t i = 0; i < 9; ++i) {
    Point point{std::vector<double>(9, 0.0), static_cast<std::int32_t>(i % 2), 1.0};
    point.x[i] = 1;
    world.points.push_back(point);
    world.teacher.w.push_back(i % 2 == 1 ? 1 : -1);
  }
  world.teacher.classes = 1;
  world.teacher.bias = {0};
  Composition c;
  c.bias.position = Bias::none;
  Played run(c, world);
  RecordedDraws none({});
  run.play({}, none);
  EXPECT_EQ(run.ledger.mistakes, 9);
  const auto bound = bound_of_run(c, run.for_bound(), {{"teacher", world.teacher}});
  ASSERT_TRUE(bound);
  EXPECT_EQ(whole_mistakes(bound->value), 9);
  EXPECT_EQ(bound->theorem, "novikoff");
}

// The bound from a start, in the theorem's own words: no count beyond what they allow.
TEST(Novikoff, FromAnyStartAtAnyRate) {
  for (std::uint64_t seed = 1; seed <= 1500 && !HasFailure(); ++seed) {
    Chance chance(seed);
    Composition c = any_walk(chance, rule::perceptron);
    c.set(parameter::rate, chance.of({0.125, 1.0, 8.0}));
    World world = binary_world(chance, c.bias, true);
    if (world.points.empty()) continue;
    Played run(c, std::move(world));
    ClassWeightVector start = run.learner->present();
    for (double& value : start.w) value = 4 * chance.between(-5, 5);
    if (c.bias.position != Bias::none) start.bias[0] = 4 * chance.between(-5, 5);
    run.begin_at(start);
    run.play(kLong, chance.draws());
    const Facts facts(run.world, c.bias);
    const std::vector<double> w0 = with_bias(start, c.bias);
    const Rational rate = exact(c.value(parameter::rate));
    const Rational mistakes = static_cast<long>(run.ledger.mistakes);
    const Rational reach = inner(w0, facts.u) + mistakes * rate * facts.margin;
    EXPECT_TRUE(reach <= 0 ||
                reach * reach <= facts.norm_squared * (inner(w0, w0) + mistakes * rate * rate * facts.radius_squared))
        << seed;
    const double bound = start_bound(inner(w0, facts.u).get_d(), inner(w0, w0).get_d(), c.value(parameter::rate),
                                     facts.radius_squared.get_d(), facts.norm_squared.get_d(), facts.margin.get_d());
    EXPECT_LE(run.ledger.mistakes, whole_mistakes(bound)) << seed;
  }
}

// From 0 the rate changes nothing but the scale.
TEST(Novikoff, FromZeroTheRateChangesOnlyTheScale) {
  for (std::uint64_t seed = 1; seed <= 300 && !HasFailure(); ++seed) {
    Chance chance(seed);
    Composition c;
    c.order = OrderName::cyclic;
    c.tie = chance.of({Tie::positive, Tie::mistake, Tie::negative});
    World world = binary_world(chance, c.bias, false);
    if (world.points.empty()) continue;
    RecordedDraws none({});
    Played one(c, world);
    one.play({Clean::no, 5, {}, {}}, none);
    c.set(parameter::rate, 0.25);
    Played quarter(c, world);
    quarter.play({Clean::no, 5, {}, {}}, none);
    EXPECT_EQ(one.moved, quarter.moved);
    for (std::size_t j = 0; j < one.learner->present().w.size(); ++j) {
      EXPECT_EQ(one.learner->present().w[j], 4 * quarter.learner->present().w[j]);
    }
  }
}

// The margin perceptron's updates and final margin.
TEST(MarginPerceptron, UpdatesFewAndEndsWithAMargin) {
  int halted = 0;
  for (std::uint64_t seed = 1; seed <= 1000 && !HasFailure(); ++seed) {
    Chance chance(seed);
    Composition c = any_walk(chance, rule::margin);
    c.set(parameter::rate, chance.of({0.5, 1.0, 2.0}));
    c.set(parameter::margin, chance.of({0.0, 1.0, 5.0, 20.0}));
    World world = binary_world(chance, c.bias, true);
    if (world.points.empty()) continue;
    Played run(c, std::move(world));
    run.play(kLong, chance.draws());
    const Facts facts(run.world, c.bias);
    const Rational updates = static_cast<long>(run.ledger.updates);
    const Rational b = exact(c.value(parameter::margin)) / exact(c.value(parameter::rate));
    const Rational growth = facts.radius_squared + 2 * b;
    EXPECT_LE(updates * facts.margin * facts.margin, growth * facts.norm_squared) << seed;
    if (run.ledger.stopped != Stopped::clean || c.value(parameter::margin) == 0) continue;
    ++halted;
    // At halt: smallest margin / |w| > b g / (R^2 + 2 b), g = margin / |u|.
    const ClassWeightVector w = run.learner->present();
    const Evaluation e = evaluate(run.rows, w, c.bias);
    EXPECT_GT(e.smallest_margin, c.value(parameter::margin));
    const Rational smallest = exact(e.smallest_margin);
    EXPECT_GT(smallest * smallest * facts.norm_squared * growth * growth,
              b * b * facts.margin * facts.margin * inner(with_bias(w, c.bias), with_bias(w, c.bias)))
        << seed;
  }
  EXPECT_GT(halted, 300);
}

// The passive-aggressive bounds. The weights are no longer exact: a hair is allowed.
TEST(PassiveAggressive, LossesAreBounded) {
  int inseparable = 0;
  for (std::uint64_t seed = 1; seed <= 1500 && !HasFailure(); ++seed) {
    Chance chance(seed);
    const RuleName rule = chance.of({rule::pa, rule::pa1, rule::pa2});
    Composition c = any_walk(chance, rule);
    const double aggressiveness = chance.of({0.02, 0.5, 3.0});
    if (rule != rule::pa) c.set(parameter::aggressiveness, aggressiveness);
    World world = binary_world(chance, c.bias, rule == rule::pa);
    if (world.points.empty()) continue;
    Played run(c, std::move(world));
    const Facts facts(run.world, c.bias);
    const double hair = 1 + 1e-9;
    double squared_losses = 0;
    std::vector<double> times(run.world.points.size(), 0.0);
    run.learner->observer = [&](const RoundView& view) {
      const double loss = std::max(0.0, 1 - view.outcome.margin);
      squared_losses += loss * loss;
      times[view.row - 1] += 1;
      // No step goes further than mends the loss: the bound of PA-I alone would not notice.
      EXPECT_LE(view.outcome.step * facts.squares[view.row - 1].get_d(), loss * hair) << seed;
      if (rule == rule::pa1) {
        EXPECT_LE(view.outcome.step, aggressiveness) << seed;
      }
    };
    run.play({Clean::pass, 20, 200, {}}, chance.draws());
    const double radius = facts.radius_squared.get_d();
    // Any comparator: the teacher at many lengths, on streams that it need not separate.
    for (int k = -6; k <= 3; ++k) {
      double scale = std::exp2(k);
      if (rule == rule::pa) scale = 1 / facts.margin.get_d();
      const double norm = scale * scale * facts.norm_squared.get_d();
      double hinges = 0;
      double squared_hinges = 0;
      for (std::size_t i = 0; i < times.size(); ++i) {
        const double hinge = std::max(0.0, 1 - scale * facts.margins[i].get_d());
        hinges += times[i] * hinge;
        squared_hinges += times[i] * hinge * hinge;
      }
      const double C = c.value(parameter::aggressiveness);
      if (rule == rule::pa) {
        EXPECT_LE(squared_losses, radius * norm * hair) << seed;
      } else if (rule == rule::pa1) {
        EXPECT_LE(static_cast<double>(run.ledger.mistakes), std::max(radius, 1 / C) * (norm + 2 * C * hinges) * hair)
            << seed;
      } else {
        EXPECT_LE(squared_losses, (radius + 1 / (2 * C)) * (norm + 2 * C * squared_hinges) * hair) << seed;
      }
      inseparable += hinges > 0;
    }
  }
  EXPECT_GT(inseparable, 1000);
}

// The hinge bounds: every comparator, on streams that nothing separates.
TEST(HingeBounds, HoldForEveryComparator) {
  int close = 0;
  for (std::uint64_t seed = 1; seed <= 2000 && !HasFailure(); ++seed) {
    Chance chance(seed);
    Composition c = any_walk(chance, rule::perceptron);
    World world = binary_world(chance, c.bias, false);
    if (world.points.empty()) continue;
    const bool learned = chance.one_in(2);
    if (!learned) {
      for (double& value : world.teacher.w) value = chance.between(-4, 4);
    }
    Played run(c, std::move(world));
    run.play({Clean::pass, 8, 100, {}}, chance.draws());
    if (learned) run.world.teacher = run.learner->present();  // the run's own last weights
    const Facts facts(run.world, c.bias);
    if (facts.norm_squared == 0) continue;
    double update_squares = 0;
    for (const std::uint32_t i : run.moved) update_squares += facts.squares[i].get_d();
    EXPECT_EQ(update_squares, run.ledger.update_squares);
    const double radius = std::sqrt(facts.radius_squared.get_d());
    const auto on_mistakes = [&](std::uint64_t i) {
      return static_cast<double>(std::count(run.moved.begin(), run.moved.end(), i));
    };
    const auto on_all = [&](std::uint64_t i) { return run.times(i); };
    const double mistakes = static_cast<double>(run.ledger.mistakes);
    for (int k = -8; k <= 4; ++k) {
      const double scale = std::exp2(k);
      const double norm = scale * std::sqrt(facts.norm_squared.get_d()) * (1 + 1e-15);
      const double all = hinge_sum(run.rows, run.world.teacher, c.bias, scale, 1, on_all);
      const double some = hinge_sum(run.rows, run.world.teacher, c.bias, scale, 1, on_mistakes);
      EXPECT_LE(mistakes, hinge_bound(all, norm, radius)) << seed;
      EXPECT_LE(mistakes, hinge_bound(some, norm, radius)) << seed;
      close += mistakes >= 5 && hinge_bound(all, norm, radius) < 2 * mistakes;
    }
  }
  EXPECT_GT(close, 50) << "some bounds are within a factor of 2";
}

// Kesler's bound.
TEST(Multiclass, KeslersBound) {
  for (std::uint64_t seed = 1; seed <= 600 && !HasFailure(); ++seed) {
    Chance chance(seed);
    Composition c = any_walk(chance, rule::multiclass);
    World world = multiclass_world(chance, c.bias, true, 4);
    if (world.points.empty()) continue;
    Played run(c, std::move(world), 4);
    run.play(kLong, chance.draws());
    const Evaluation e = evaluate(run.rows, run.world.teacher, c.bias);
    ASSERT_GT(e.smallest_margin, 0);
    EXPECT_LE(run.ledger.mistakes,
              whole_mistakes(novikoff_bound(2 * e.radius_squared, e.squared_norm, e.smallest_margin)));
  }
}

// Minnow's bounds: sparse teachers among many coordinates of +-1.
TEST(Minnow, MistakesAreFewForEveryRate) {
  int informative = 0;
  for (std::uint64_t seed = 1; seed <= 400 && !HasFailure(); ++seed) {
    Chance chance(seed);
    const auto d = static_cast<std::size_t>(chance.of({4, 16, 64}));
    const int k = chance.of({1, 3});
    const double radius = chance.of({1.0, 0.25, 8.0});
    Composition c;
    c.rule = rule::minnow;
    c.bias.position = Bias::none;
    c.tie = chance.of({Tie::positive, Tie::mistake, Tie::negative});
    c.order = OrderName::cyclic;
    c.set(parameter::both_signs, chance.one_in(2));
    World world;
    world.teacher = {1, std::vector<double>(d, 0.0), {0}};
    for (int i = 0; i < k; ++i) {
      world.teacher.w[static_cast<std::size_t>(i)] = c.value(parameter::both_signs) != 0 && chance.one_in(2) ? -1 : 1;
    }
    for (int i = 0; i < 60; ++i) {
      Point point;
      double score = 0;
      for (std::size_t j = 0; j < d; ++j) {
        point.x.push_back(radius * chance.of({-1.0, 1.0}));
        score += world.teacher.w[j] * point.x[j];
      }
      point.label = score > 0 ? 1 : 0;
      world.points.push_back(point);
    }
    const double margin = radius;  // k odd: the vote is never closer than one
    const double relative = 1.0 / k;
    const std::uint64_t dimension = (c.value(parameter::both_signs) != 0 ? 2 : 1) * d;
    const int way = chance.between(0, 2);
    if (way == 0) c.set(parameter::rate, chance.real(0.2, 1.4) / (k * radius));
    if (way == 1) {
      c.set(parameter::relative_margin, std::min(relative, 0.9));
      c.set(parameter::radius, radius);
    }
    Played run(c, world);
    run.play({Clean::pass, 100, {}, {}}, chance.draws());
    double bound = 0;
    if (way == 0) {
      bound = minnow_bound(dimension, k, margin, radius, c.value(parameter::rate));
    } else if (way == 1) {
      bound = minnow_best_bound(c.value(parameter::relative_margin), dimension);
    } else {
      // Every phase up to the first guess that is right: its own bound and the mistake that ends it.
      for (double guess = 0.5;; guess /= 2) {
        bound += std::floor(minnow_best_bound(guess, dimension)) + 1;
        if (guess <= relative) break;
      }
      EXPECT_EQ(run.learner->save().numbers.at(4), radius);
      EXPECT_EQ(run.learner->save().numbers.at(7), 0);
    }
    EXPECT_LE(run.ledger.mistakes, whole_mistakes(bound)) << seed << " way " << way;
    EXPECT_EQ(run.ledger.stopped, Stopped::clean) << seed;
    informative += 2 * static_cast<double>(run.ledger.mistakes) > bound;
  }
  EXPECT_GT(informative, 10);
}

// Rows that grow: the radius is learned, a phase begins again whenever it was too small.
TEST(Minnow, TheGuessLearnsTheRadius) {
  Composition c;
  c.rule = rule::minnow;
  c.bias.position = Bias::none;
  c.set(parameter::both_signs, false);
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Chance chance(seed);
    World world;
    world.teacher = {1, {1, 0, 0, 0, 0, 0, 0, 0}, {0}};
    for (int i = 0; i < 200; ++i) {
      Point point;
      const double size = std::exp2(i / 25);
      for (int j = 0; j < 8; ++j) point.x.push_back(size * chance.of({-1.0, 1.0}));
      point.label = point.x[0] > 0 ? 1 : 0;
      world.points.push_back(point);
    }
    Played run(c, world);
    run.play({}, chance.draws());
    const RunForBound facts = run.for_bound();
    const auto bound = bound_of_run(c, facts, {{"teacher", world.teacher}});
    if (!bound) continue;  // the last radius is beyond the smallest margin
    EXPECT_LE(run.ledger.mistakes, whole_mistakes(bound->value)) << seed;
    EXPECT_LE(run.learner->save().numbers.at(7), 8) << seed;
  }
}

}  // namespace
}  // namespace halfspace::testing
