// Keepers against their definitions: everything they hand out is recomputed from the weights after every round.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "halfspace/detail/rules/multiclass.h"
#include "halfspace/linear/linear.h"
#include "halfspace/rules/margin_perceptron.h"
#include "halfspace/rules/minnow.h"
#include "halfspace/rules/passive_aggressive.h"
#include "halfspace/rules/perceptron.h"
#include "support/world.h"

namespace halfspace::testing {
namespace {

// A run of any composition, with the weights after every round.
struct Watched {
  Watched(const Composition& c, const World& world, std::uint32_t classes) : run(c, world, classes) {
    run.learner->observer = [this](const RoundView& view) {
      after.push_back(run.learner->present());
      updated.push_back(view.outcome.updated);
    };
  }
  Played run;
  std::vector<ClassWeightVector> after;
  std::vector<bool> updated;
};

Composition any(Chance& chance, KeepName keep) {
  Composition c;
  c.keep = keep;
  c.rule = chance.of({rule::perceptron, rule::margin, rule::pa1, rule::minnow, rule::multiclass});
  c.order = chance.of({OrderName::stream, OrderName::cyclic, OrderName::shuffled, OrderName::random});
  c.bias = {chance.of({Bias::none, Bias::first, Bias::last}), chance.of({1.0, 0.5, 3.0})};
  if (c.rule == rule::minnow) {
    c.set(parameter::both_signs, chance.one_in(2));
    if (chance.one_in(2)) c.set(parameter::rate, 0.2);
  } else {
    c.start.small = chance.one_in(3);
  }
  return c;
}
std::uint32_t classes_of(const Composition& c) { return c.rule == rule::multiclass ? 3 : 2; }
World world_of(Chance& chance, const Composition& c) {
  return c.rule == rule::multiclass ? multiclass_world(chance, c.bias, false, 3) : binary_world(chance, c.bias, false);
}

TEST(Average, IsTheMeanOfTheWeightsAfterEveryRound) {
  for (std::uint64_t seed = 1; seed <= 800 && !HasFailure(); ++seed) {
    Chance chance(seed);
    const Composition c = any(chance, KeepName::average);
    const World world = world_of(chance, c);
    if (world.points.empty()) continue;
    Watched watched(c, world, classes_of(c));
    watched.run.play({Clean::no, 4, {}, {}}, chance.draws());
    const ClassWeightVector mean = watched.run.learner->result();
    const auto check = [&](std::size_t i, double ours, auto&& of) {
      long double sum = 0;
      long double size = 0;
      for (const ClassWeightVector& w : watched.after) {
        sum += of(w, i);
        size = std::max(size, std::abs(static_cast<long double>(of(w, i))));
      }
      EXPECT_NEAR(ours, static_cast<double>(sum / static_cast<long double>(watched.after.size())),
                  1e-13 * static_cast<double>(size) + 1e-300)
          << seed << " " << name_of(c.rule);
    };
    for (std::size_t i = 0; i < mean.w.size(); ++i) {
      check(i, mean.w[i], [](const ClassWeightVector& w, std::size_t k) { return w.w[k]; });
    }
    for (std::size_t i = 0; i < mean.bias.size(); ++i) {
      check(i, mean.bias[i], [](const ClassWeightVector& w, std::size_t k) { return w.bias[k]; });
    }
  }
}

// Through the templates, built as linear.h shows.
TEST(Average, HasTheBiasOfItsWeights) {
  for (const BiasOptions bias :
       {BiasOptions{Bias::none, 1}, BiasOptions{Bias::first, 2}, BiasOptions{Bias::last, 0.5}}) {
    Linear<Perceptron> learner(Perceptron{}, Weights(bias), KeepName::average);
    learner.grow(1);
    const StoredPoints rows({{{2.0}, 1, 1.0}, {{1.0}, 0, 1.0}, {{3.0}, 1, 1.0}, {{-1.0}, 1, 1.0}}, ValueType::float64,
                            true);
    double sum = 0;
    double bias_sum = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      learner.round(rows.block().example<double, true>(i));
      sum += learner.weights().point().w[0];
      bias_sum += learner.weights().point().bias;
    }
    EXPECT_DOUBLE_EQ(learner.result().w[0], sum / 4);
    EXPECT_DOUBLE_EQ(learner.result().bias, bias_sum / 4);
  }
}

TEST(Vote, AgesAreTheRoundsAVectorStoodAndReplayGivesTheLastWeights) {
  for (std::uint64_t seed = 1; seed <= 400 && !HasFailure(); ++seed) {
    Chance chance(seed);
    Composition c = any(chance, KeepName::vote);
    if (c.rule == rule::multiclass) c.rule = rule::pa1;
    const World world = world_of(chance, c);
    if (world.points.empty()) continue;
    Watched watched(c, world, 2);
    watched.run.play({Clean::no, 3, {}, {}}, chance.draws());
    const VoteHistory history = watched.run.learner->save().votes;
    // A vector made by an update counts for that round.
    std::vector<std::uint64_t> stood{0}, ages{history.first_age};
    for (std::size_t i = 0; i < watched.after.size(); ++i) {
      if (watched.updated[i]) stood.push_back(0);
      ++stood.back();
    }
    for (const VoteStep& step : history.steps) ages.push_back(step.age);
    EXPECT_EQ(ages, stood) << seed;
    EXPECT_EQ(history.counted, watched.run.ledger.rounds);
    EXPECT_EQ(history.steps.size(), watched.run.ledger.updates) << seed;
    if (c.rule == rule::minnow) continue;
    Weights weights(c.bias, c.start);
    weights.grow(features_of(world.points));
    for (std::size_t k = 0; k < history.steps.size(); ++k) weights.add(history.steps[k].amount, history.row(k));
    EXPECT_EQ(weights.point().w, watched.run.learner->present().w) << seed;
    EXPECT_EQ(weights.point().bias, watched.run.learner->present().bias[0]) << seed;
  }
}

// For streams: the weights that went longest without an update; of equals the first; the start weights until any did.
TEST(Pocket, ByRunLengthIsTheLongestQuietStretch) {
  for (std::uint64_t seed = 1; seed <= 600 && !HasFailure(); ++seed) {
    Chance chance(seed);
    Composition c = any(chance, KeepName::pocket);
    const World world = world_of(chance, c);
    if (world.points.empty()) continue;
    Watched watched(c, world, classes_of(c));
    ClassWeightVector best = watched.run.learner->present();
    watched.run.play({Clean::no, 4, {}, {}}, chance.draws());
    std::uint64_t longest = 0;
    std::uint64_t quiet = 0;
    for (std::size_t i = 0; i < watched.after.size(); ++i) {
      quiet = watched.updated[i] ? 0 : quiet + 1;
      if (quiet > longest) {
        longest = quiet;
        best = watched.after[i];
      }
    }
    EXPECT_EQ(watched.run.learner->result(), best) << seed << " " << name_of(c.rule);
    EXPECT_EQ(watched.run.learner->save().kept_counts[3], longest) << seed;
  }
}

// By ratchet: exactly the training errors of what is handed out, never more than before, never more than any weights
// seen.
TEST(Pocket, ByRatchetCountsExactlyAndNeverRises) {
  for (std::uint64_t seed = 1; seed <= 400 && !HasFailure(); ++seed) {
    Chance chance(seed);
    Composition c;
    c.keep = KeepName::pocket;
    c.order = OrderName::random_mistake;
    c.tie = chance.of({Tie::positive, Tie::mistake, Tie::negative});
    const World world = binary_world(chance, c.bias, false);
    if (world.points.empty()) continue;
    Played run(c, world);
    const auto errors_of = [&](const ClassWeightVector& w) {
      double errors = 0;
      for (const Point& point : world.points) {
        double s = w.bias[0];
        for (std::size_t j = 0; j < point.x.size(); ++j) s += w.w[j] * point.x[j];
        errors += predicts_positive(c.tie, s) != (point.label == 1);
      }
      return errors;
    };
    double last = std::numeric_limits<double>::infinity();
    Game game{.order = c.order, .until = {Clean::pass, {}, 40, {}}};
    game.on_pause = [&](const Ledger&) {
      const auto now = std::bit_cast<double>(run.learner->save().kept_counts[2]);
      EXPECT_EQ(now, errors_of(run.learner->result())) << seed;
      EXPECT_LE(now, last);
      EXPECT_LE(now, errors_of(run.learner->present()));
      last = now;
    };
    play(*run.learner, run.rows, game, chance.draws(), run.ledger);
    EXPECT_LE(errors_of(run.learner->result()), last);
  }
}

TEST(Multiclass, ARowOfWeightZeroIsNoMistakeButShowsThePrediction) {
  Composition c;
  c.rule = rule::multiclass;
  World world;
  world.points = {{{1.0}, 0, 1.0}, {{1.0}, 1, 0.0}};
  Played run(c, world, 2);
  std::vector<std::int32_t> predicted;
  run.learner->observer = [&](const RoundView& view) { predicted.push_back(view.outcome.predicted); };
  RecordedDraws none({});
  run.play({}, none);
  EXPECT_EQ(predicted, (std::vector<std::int32_t>{0, 0}));
  EXPECT_EQ(run.ledger.mistakes, 1);
}

}  // namespace
}  // namespace halfspace::testing
