// Every labelling of every set of up to 4 points of a 3 x 3 grid, with and without a bias coordinate, under every tie
// rule: the library against the oracle, update by update.
#include <gtest/gtest.h>

#include <bit>
#include <functional>

#include "halfspace/detail/rules/multiclass.h"
#include "halfspace/game/game.h"
#include "halfspace/linear/linear.h"
#include "halfspace/rules/margin_perceptron.h"
#include "halfspace/rules/minnow.h"
#include "halfspace/rules/passive_aggressive.h"
#include "halfspace/rules/perceptron.h"
#include "halfspace/rules/rule_entry.h"
#include "support/every.h"
#include "support/oracle.h"
#include "support/test_name.h"
#include "support/world.h"

namespace halfspace::testing {
namespace {

constexpr std::uint64_t kMostUpdates = 25;
constexpr std::uint64_t kMostPasses = 8;

// Calls f(points) for all sets and labellings; `classes` labels each.
void for_every_universe(int most_points, int classes, const std::function<void(const Points&)>& f) {
  std::vector<std::vector<double>> grid;
  for (int a = -1; a <= 1; ++a) {
    for (int b = -1; b <= 1; ++b) grid.push_back({static_cast<double>(a), static_cast<double>(b)});
  }
  for (unsigned set = 1; set < 512; ++set) {
    Points points;
    for (unsigned p = 0; p < 9; ++p) {
      if ((set >> p & 1) != 0) points.push_back({grid[p], 0, 1.0});
    }
    if (static_cast<int>(points.size()) > most_points) continue;
    while (true) {
      f(points);
      std::size_t i = 0;
      while (i < points.size() && ++points[i].label == classes) points[i++].label = 0;
      if (i == points.size()) break;
    }
  }
}

oracle::Examples examples_of(const Points& points, Bias bias, bool binary = true) {
  oracle::Examples examples;
  for (const Point& point : points) {
    oracle::Vector x;
    for (const double value : point.x) x.push_back(static_cast<oracle::Integer>(value));
    if (bias != Bias::none) x.push_back(1);
    examples.push_back({x, binary ? (point.label == 1 ? 1 : -1) : point.label});
  }
  return examples;
}

oracle::Vector integers(const ClassWeightVector& w, Bias bias) {
  oracle::Vector all;
  for (const double value : w.w) {
    EXPECT_EQ(value, std::floor(value));
    all.push_back(static_cast<oracle::Integer>(value));
  }
  if (bias != Bias::none) all.push_back(static_cast<oracle::Integer>(w.bias[0]));
  return all;
}

void expect_same(const Played& run, const oracle::Run& truth, Bias bias) {
  ASSERT_EQ(run.moved, truth.updates);
  ASSERT_EQ(integers(run.learner->present(), bias), truth.w);
  ASSERT_EQ(run.ledger.rounds, truth.rounds);
  ASSERT_EQ(run.ledger.mistakes, truth.mistakes);
  ASSERT_EQ(run.ledger.updates, truth.updates.size());
  ASSERT_EQ(run.ledger.stopped == Stopped::clean, truth.clean);
}

class SmallUniverse : public ::testing::TestWithParam<Tie> {};

TEST_P(SmallUniverse, EveryOrderFollowsTheOracle) {
  const Tie tie = GetParam();
  for_every_universe(4, 2, [&](const Points& points) {
    if (HasFatalFailure()) return;
    for (const Bias bias : {Bias::none, Bias::last}) {
      for (const oracle::Integer margin : {-1, 0, 2}) {
        const oracle::Examples examples = examples_of(points, bias);
        const std::size_t dimension = examples[0].x.size();
        Composition c;
        c.rule = margin < 0 ? rule::perceptron : rule::margin;
        if (margin >= 0) c.set(parameter::margin, static_cast<double>(margin));
        c.tie = tie;
        c.bias.position = bias;
        World world;
        world.points = points;
        RecordedDraws none({});

        c.order = OrderName::cyclic;
        Played loop(c, world);
        loop.play({Clean::pass, kMostPasses, {}, {}}, none);
        expect_same(loop, oracle::batch(tie, margin, examples, dimension, kMostPasses), bias);
        Played walk(c, world);
        walk.play({Clean::cycle, {}, kMostUpdates, {}}, none);
        expect_same(walk, oracle::walk(tie, margin, examples, dimension, kMostUpdates), bias);

        c.order = OrderName::first_mistake;
        Played first(c, world);
        first.play({Clean::pass, {}, kMostUpdates, {}}, none);
        expect_same(first, oracle::by_mistakes(tie, margin, examples, dimension, kMostUpdates), bias);
      }
    }
  });
}

TEST_P(SmallUniverse, KeepersFollowTheOracle) {
  const Tie tie = GetParam();
  for_every_universe(3, 2, [&](const Points& points) {
    if (HasFatalFailure()) return;
    for (const Bias bias : {Bias::none, Bias::first}) {
      const oracle::Examples examples = examples_of(points, bias);
      const std::size_t dimension = examples[0].x.size();
      const oracle::Run truth = oracle::batch(tie, -1, examples, dimension, 3);
      Composition c;
      c.tie = tie;
      c.bias.position = bias;
      c.order = OrderName::cyclic;
      World world;
      world.points = points;
      RecordedDraws none({});

      c.keep = KeepName::average;
      Played average(c, world);
      average.play({Clean::pass, 3, {}, {}}, none);
      const ClassWeightVector mean = average.learner->result();
      for (std::size_t j = 0; j < dimension; ++j) {
        double sum = 0;
        for (const oracle::Vector& w : truth.after_round) sum += static_cast<double>(w[j]);
        const double ours = j < mean.w.size() ? mean.w[j] : mean.bias[0];
        ASSERT_NEAR(ours, sum / static_cast<double>(truth.rounds), 1e-14);
      }

      c.keep = KeepName::vote;
      Played vote(c, world);
      vote.play({Clean::pass, 3, {}, {}}, none);
      const VoteHistory history = vote.learner->save().votes;
      // The vectors, each as often as it stood at the end of a round.
      Weights weights(c.bias);
      weights.grow(2);
      std::vector<oracle::Vector> stood(history.first_age, oracle::Vector(dimension, 0));
      for (std::size_t k = 0; k < history.steps.size(); ++k) {
        weights.add(history.steps[k].amount, history.row(k));
        const ClassWeightVector now{1, weights.vector().w, {weights.vector().bias}};
        stood.insert(stood.end(), history.steps[k].age, integers(now, bias));
      }
      ASSERT_EQ(stood, truth.after_round);
    }
  });
}

TEST_P(SmallUniverse, ThePocketFollowsTheOracle) {
  const Tie tie = GetParam();
  std::uint64_t seed = 0;
  for_every_universe(4, 2, [&](const Points& points) {
    if (HasFatalFailure()) return;
    const oracle::Examples examples = examples_of(points, Bias::last);
    std::vector<double> draws;
    Generator generator(++seed);
    for (int k = 0; k < 12; ++k) draws.push_back(generator.next());
    const oracle::Run truth = oracle::by_mistakes(tie, -1, examples, 3, draws.size(), draws);
    // Predictions decide a tie under Tie::mistake, too.
    const Tie predicting = tie == Tie::mistake ? Tie::positive : tie;
    oracle::Vector pocket(3, 0);
    std::uint64_t fewest = oracle::errors(predicting, examples, pocket);
    for (const oracle::Vector& w : truth.after_round) {
      const std::uint64_t now = oracle::errors(predicting, examples, w);
      if (now < fewest) {
        fewest = now;
        pocket = w;
      }
    }
    Composition c;
    c.tie = tie;
    c.order = OrderName::random_mistake;
    c.keep = KeepName::pocket;
    World world;
    world.points = points;
    Played run(c, world);
    const auto kept = [&] {
      return static_cast<std::uint64_t>(std::bit_cast<double>(run.learner->save().kept_counts[2]));
    };
    std::uint64_t last = UINT64_MAX;
    Game game{.order = c.order, .until = {Clean::pass, {}, draws.size(), {}}};
    game.on_pause = [&](const Ledger&) {  // never rises, and is exactly the pocket's own errors
      EXPECT_LE(kept(), last);
      last = kept();
      EXPECT_EQ(last, oracle::errors(predicting, examples, integers(run.learner->result(), Bias::last)));
    };
    RecordedDraws recorded(draws);
    play(*run.learner, run.rows, game, recorded, run.ledger);
    ASSERT_EQ(run.moved, truth.updates);
    ASSERT_EQ(integers(run.learner->result(), Bias::last), pocket);
    ASSERT_EQ(kept(), fewest);
  });
}

TEST_P(SmallUniverse, ClassesFollowTheOracle) {
  const Tie tie = GetParam();
  for_every_universe(3, 3, [&](const Points& points) {
    if (HasFatalFailure()) return;
    for (const Bias bias : {Bias::none, Bias::last, Bias::first}) {
      const oracle::Examples examples = examples_of(points, bias, false);
      const std::size_t dimension = examples[0].x.size();
      const oracle::ClassRun truth = oracle::multiclass(tie, examples, dimension, 3, kMostPasses);
      Composition c;
      c.rule = rule::multiclass;
      c.order = OrderName::cyclic;
      c.tie = tie;
      c.bias.position = bias;
      World world;
      world.points = points;
      Played run(c, world, 3);
      RecordedDraws none({});
      run.play({Clean::pass, kMostPasses, {}, {}}, none);
      ASSERT_EQ(run.moved, truth.updates);
      ASSERT_EQ(run.ledger.stopped == Stopped::clean, truth.clean);
      const ClassWeightVector w = run.learner->present();
      for (std::size_t k = 0; k < 3; ++k) {
        for (std::size_t j = 0; j < 2; ++j) {
          ASSERT_EQ(w.w[j * 3 + k], static_cast<double>(truth.w[k][j]));
        }
        ASSERT_EQ(w.bias[k], bias == Bias::none ? 0.0 : static_cast<double>(truth.w[k][2]));
      }
    }
  });
}

TEST(UniformUpdates, FollowTheOracle) {
  for_every_universe(3, 3, [&](const Points& points) {
    if (HasFatalFailure()) return;
    const oracle::Examples examples = examples_of(points, Bias::last, false);
    const oracle::ClassRun truth = oracle::multiclass(Tie::mistake, examples, 3, 3, kMostPasses, true);
    Composition c;
    c.rule = rule::multiclass;
    c.set(parameter::class_update, ClassUpdate::uniform);
    c.order = OrderName::cyclic;
    World world;
    world.points = points;
    Played run(c, world, 3);
    RecordedDraws none({});
    run.play({Clean::pass, kMostPasses, {}, {}}, none);
    ASSERT_EQ(run.moved, truth.updates);
    const ClassWeightVector w = run.learner->present();
    for (std::size_t k = 0; k < 3; ++k) {
      for (std::size_t j = 0; j < 2; ++j) ASSERT_EQ(2 * w.w[j * 3 + k], static_cast<double>(truth.w[k][j]));
      ASSERT_EQ(2 * w.bias[k], static_cast<double>(truth.w[k][2]));
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Ties, SmallUniverse, ::testing::Values(Tie::positive, Tie::mistake, Tie::negative),
                         [](const auto& tie) { return std::string(name_of(tie.param)); });

// One stored row, five storages, the templates and the run-time learner: one result.
LearnerState play_stored(const Composition& c, std::uint32_t classes, const Block& block, Ledger& ledger, int passes) {
  const auto learner = make_learner(c, classes);
  learner->grow(block.features);
  for (int pass = 0; pass < passes; ++pass) learner->play(block, 0, {}, ledger);
  learner->finish();
  return learner->save();
}

TEST(Storage, GivesTheSameBits) {
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    Chance chance(seed);
    Composition c;
    c.rule = chance.of({rule::perceptron, rule::margin, rule::pa, rule::pa2, rule::minnow, rule::multiclass});
    c.keep = chance.of({KeepName::last, KeepName::average, KeepName::pocket, KeepName::vote});
    c.bias.position = chance.of({Bias::none, Bias::first, Bias::last});
    c.set(parameter::rate, 0.1);
    keep_what_applies(c);
    const std::uint32_t classes = c.rule == rule::multiclass ? 3 : 2;
    // All values 1, no zeros; floats without zeros.
    const bool ones = chance.one_in(2);
    const int d = chance.between(1, 40);
    Points points;
    for (int i = 0; i < 12; ++i) {
      Point point;
      const int size = ones ? chance.between(0, d) : d;
      for (int j = 0; j < size; ++j) {
        point.x.push_back(ones ? 1.0
                               : static_cast<double>(static_cast<float>(chance.real(0.1, 2) * chance.of({-1, 1}))));
      }
      point.label = chance.between(0, static_cast<int>(classes) - 1);
      points.push_back(point);
    }
    Ledger ledger;
    const LearnerState wanted =
        play_stored(c, classes, StoredPoints(points, ValueType::float64, false).block(), ledger, 3);
    const auto expect_same_as = [&](ValueType type, bool dense) {
      Ledger other;
      EXPECT_EQ(play_stored(c, classes, StoredPoints(points, type, dense).block(), other, 3), wanted) << seed;
      EXPECT_EQ(other, ledger) << seed;
    };
    expect_same_as(ValueType::float64, true);
    expect_same_as(ValueType::float32, false);
    expect_same_as(ValueType::float32, true);
    if (ones) expect_same_as(ValueType::ones, false);

    // Through kept rows, one by one; and through the templates.
    const Rows rows = rows_of(points);
    std::vector<std::uint32_t> order;
    for (int pass = 0; pass < 3; ++pass) {
      for (std::uint32_t i = 0; i < points.size(); ++i) order.push_back(i);
    }
    const auto one_by_one = make_learner(c, classes);
    one_by_one->grow(rows.features());
    Ledger other;
    one_by_one->play(rows, order, {}, other);
    one_by_one->finish();
    EXPECT_EQ(one_by_one->save(), wanted) << seed;
    if (c.rule == rule::perceptron && c.keep == KeepName::average) {
      Linear<Perceptron> learner(Perceptron{c.tie, 0.1}, Weights(c.bias), KeepName::average);
      learner.grow(rows.features());
      for (const std::uint32_t i : order) rows.with_row(i, [&](const auto& x) { learner.round(x); });
      EXPECT_EQ(learner.save(), wanted) << seed;
    }
  }
}

}  // namespace
}  // namespace halfspace::testing
