// The bound printed beside a run holds: thousands of small runs of every composition, with every comparator at hand.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "halfspace/base/error.h"
#include "halfspace/detail/rules/multiclass.h"
#include "halfspace/rules/margin_perceptron.h"
#include "halfspace/rules/minnow.h"
#include "halfspace/rules/passive_aggressive.h"
#include "halfspace/rules/perceptron.h"
#include "halfspace/rules/rule_entry.h"
#include "support/every.h"
#include "support/world.h"

namespace halfspace::testing {
namespace {

// Returns the rules whose bounds are shown from any start, and minnow; tests/rules asks the same of the others.
std::vector<RuleName> first_order_rules() {
  std::vector<RuleName> rules;
  for (const RuleEntry& entry : all_rules()) {
    if (entry.against_small_start().empty() || entry.id == rule::minnow) rules.push_back(entry.id);
  }
  return rules;
}

Composition random_composition(Chance& chance) {
  static const std::vector<RuleName> rules = first_order_rules();
  Composition c;
  c.rule = rules[static_cast<std::size_t>(chance.between(0, static_cast<int>(rules.size()) - 1))];
  c.order = chance.of({OrderName::stream, OrderName::cyclic, OrderName::shuffled, OrderName::first_mistake,
                       OrderName::random_mistake, OrderName::random});
  c.keep = chance.of({KeepName::last, KeepName::average, KeepName::pocket, KeepName::vote});
  if (c.order == OrderName::first_mistake && c.keep == KeepName::pocket) c.keep = KeepName::last;
  c.tie = chance.of({Tie::positive, Tie::mistake, Tie::negative});
  c.bias = {chance.of({Bias::none, Bias::first, Bias::last}), chance.of({1.0, 1.0, 0.5, 3.0, 0.1})};
  c.set(parameter::margin, chance.of({0.0, 0.5, 1.0, 4.0}));
  c.set(parameter::aggressiveness, chance.of({0.01, 0.5, 1.0, 10.0}));
  if (c.rule == rule::multiclass) {
    c.set(parameter::class_update,
          chance.of({ClassUpdate::max_score, ClassUpdate::max_score, ClassUpdate::uniform, ClassUpdate::proportional,
                     ClassUpdate::pa, ClassUpdate::pa1, ClassUpdate::pa2}));
  }
  if (c.rule == rule::minnow) {
    c.set(parameter::both_signs, chance.one_in(2));
    const int known = chance.between(0, 2);
    if (known == 1) c.set(parameter::rate, chance.of({0.01, 0.1, 0.3}));
    if (known == 2) {
      c.set(parameter::relative_margin, chance.of({0.01, 0.1, 0.3}));
      c.set(parameter::radius, 3.0);
    }
  } else {
    if (chance.one_in(2)) c.set(parameter::rate, chance.of({0.001, 0.5, 2.0, 0.1}));
    c.start.small = chance.one_in(4);
    c.start.seed = static_cast<std::uint64_t>(chance.between(1, 1000));
  }
  keep_what_applies(c);
  return c;
}

void weigh(Points& points, Chance& chance) {
  for (Point& point : points) point.weight = chance.of({0.0, 0.5, 1.0, 1.0, 1.5, 4.0});
}

std::vector<Comparator> comparators_of(const Played& run, Chance& chance) {
  std::vector<Comparator> list{
      {"last", run.learner->present()}, {"handed out", run.learner->result()}, {"teacher", run.world.teacher}};
  ClassWeightVector any = run.world.teacher;
  for (double& value : any.w) value = chance.between(-3, 3);
  list.push_back({"any", any});
  if (run.composition.rule == rule::minnow && run.composition.value(parameter::both_signs) == 0) {
    for (double& value : any.w) value = std::abs(value);
    if (!any.bias.empty()) any.bias[0] = std::abs(any.bias[0]);
    list.push_back({"positive", any});
  }
  return list;
}

// What the bound counts. Of the margin rule the theorems bound every update, mistake or not, when no row is weighted.
std::uint64_t counted(const Played& run, const RunForBound& facts) {
  bool weighted = false;
  for (const Point& point : run.world.points) weighted |= point.weight != 1;
  if (run.composition.rule != rule::margin || weighted) return run.ledger.mistakes;
  return facts.before.mistakes + run.ledger.updates - facts.before.updates;
}

// Each comparator alone, so that no good one hides a wrong one.
int expect_every_bound_holds(const Played& run, const RunForBound& facts, Chance& chance, std::uint64_t seed) {
  int offered = 0;
  for (const Comparator& comparator : comparators_of(run, chance)) {
    const auto bound = bound_of_run(run.composition, facts, {comparator});
    if (!bound) continue;
    ++offered;
    EXPECT_LE(counted(run, facts), whole_mistakes(bound->value))
        << "seed " << seed << ", " << name_of(run.composition.rule) << ", " << name_of(run.composition.order) << ", "
        << bound->theorem << ", " << comparator.name;
    EXPECT_EQ(bound->exceeded, run.ledger.mistakes > whole_mistakes(bound->value));
  }
  return offered;
}

World world_for(const Composition& c, Chance& chance, bool separable) {
  return c.rule == rule::multiclass ? multiclass_world(chance, c.bias, separable, 3)
                                    : binary_world(chance, c.bias, separable);
}
std::uint32_t classes_of(const Composition& c) { return c.rule == rule::multiclass ? 3 : 2; }

TEST(BoundOfRun, IsNeverBelowTheMistakes) {
  int offered = 0;
  int runs = 0;
  for (std::uint64_t seed = 1; seed <= 6000; ++seed) {
    Chance chance(seed);
    const Composition c = random_composition(chance);
    World world = world_for(c, chance, chance.one_in(2));
    if (world.points.empty()) continue;
    if (chance.one_in(3)) weigh(world.points, chance);
    Played run(c, std::move(world), classes_of(c));
    run.play({chance.of({Clean::pass, Clean::cycle}), 6, 40, {}}, chance.draws());
    ++runs;
    offered += expect_every_bound_holds(run, run.for_bound(), chance, seed);
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(offered, 2 * runs);
}

// Starts far from 0, in which the sign of every term matters.
TEST(BoundOfRun, HoldsFromAnyStart) {
  int offered = 0;
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    Chance chance(seed);
    Composition c = random_composition(chance);
    if (c.rule == rule::minnow) continue;
    c.start.small = false;
    World world = world_for(c, chance, chance.one_in(2));
    if (world.points.empty()) continue;
    Played run(c, std::move(world), classes_of(c));
    ClassWeightVector start = run.learner->present();
    const double far = chance.of({0.1, 1.0, 10.0, 100.0});
    for (double& value : start.w) value = far * chance.between(-3, 3);
    if (c.bias.position != Bias::none) {
      for (double& value : start.bias) value = far * chance.between(-3, 3);
    }
    run.begin_at(start);
    run.play({Clean::pass, 30, 300, {}}, chance.draws());
    offered += expect_every_bound_holds(run, run.for_bound(), chance, seed);
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(offered, 2000);
}

// The second half of a run, covered by what was counted before and the weights it began at.
TEST(BoundOfRun, HoldsForARunTakenUpAgain) {
  int offered = 0;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    Chance chance(seed);
    const Composition c = random_composition(chance);
    World first = world_for(c, chance, chance.one_in(2));
    if (first.points.empty()) continue;
    Played run(c, first, classes_of(c));
    run.play({Clean::no, 2, 30, {}}, chance.draws());
    // Other rows come after.
    World second = first;
    for (Point& point : second.points) {
      for (double& value : point.x) value = chance.between(-3, 3);
    }
    if (chance.one_in(3)) weigh(second.points, chance);
    Played rest(c, second, classes_of(c));
    rest.learner->restore(run.learner->save());
    const Ledger before = run.ledger;
    rest.start = run.learner->present();
    rest.ledger = before;
    rest.ledger.passes = 0;
    rest.ledger.pass.assign(1, {});
    rest.ledger.last_update_round = rest.ledger.rounds;
    Until until{Clean::pass, 3, before.updates + 40, {}};
    rest.play(until, chance.draws());
    RunForBound facts = rest.for_bound();
    facts.before = before;
    facts.allowed_before = static_cast<double>(before.mistakes);
    facts.resumed = true;
    const std::uint64_t rounds = rest.ledger.rounds - before.rounds;
    const std::uint64_t n = rest.rows.size();
    facts.visits = [&](std::uint64_t i) {
      return c.order == OrderName::stream || c.order == OrderName::cyclic
                 ? static_cast<double>(rounds / n + (i < rounds % n ? 1 : 0))
                 : rest.times(i);
    };
    offered += expect_every_bound_holds(rest, facts, chance, seed);
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(offered, 1000);
}

// Where only the rows of the updates were kept.
TEST(BoundOfRun, HoldsWhenOnlyTheMistakesWereKept) {
  int offered = 0;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    Chance chance(seed);
    Composition c = random_composition(chance);
    c.order = OrderName::cyclic;
    World world = world_for(c, chance, false);
    if (world.points.empty()) continue;
    if (chance.one_in(3)) weigh(world.points, chance);
    Played run(c, std::move(world), classes_of(c));
    run.play({Clean::pass, 4, 60, {}}, chance.draws());
    Points kept;
    for (const std::uint32_t position : run.moved) kept.push_back(run.world.points[position]);
    const Rows rows = rows_of(kept);
    RunForBound facts = run.for_bound();
    facts.rows = &rows;
    facts.whole = false;
    facts.visits = [](std::uint64_t) { return 1.0; };
    offered += expect_every_bound_holds(run, facts, chance, seed);
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(offered, 500);
}

// Values of any size: where squares leave the doubles there is no bound, and elsewhere there is one, which holds.
TEST(BoundOfRun, HoldsAtEveryMagnitude) {
  int told = 0, untold = 0;
  for (std::uint64_t seed = 1; seed <= 4000; ++seed) {
    Chance chance(seed);
    Composition c = random_composition(chance);
    c.bias.scale = std::pow(10, chance.between(-160, 150));
    World world = world_for(c, chance, chance.one_in(2));
    if (world.points.empty()) continue;
    const double size = std::pow(10, chance.between(-300, 300));
    for (Point& point : world.points) {
      const double own = chance.one_in(2) ? size : std::pow(10, chance.between(-300, 300));
      for (double& value : point.x) value *= own;
    }
    Played run(c, std::move(world), classes_of(c));
    try {
      run.play({Clean::pass, 6, 40, {}}, chance.draws());
    } catch (const Error&) {
      continue;  // the weights left the doubles, and that was said
    }
    const int offered = expect_every_bound_holds(run, run.for_bound(), chance, seed);
    const bool can = bounds_can_tell(evaluate(run.rows, run.world.teacher, c.bias).radius_squared);
    if (!can) {
      EXPECT_EQ(offered, 0) << seed;
    } else if (c.rule == rule::perceptron) {
      EXPECT_GT(offered, 0) << seed;
    }
    ++(can ? told : untold);
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(told, 500);
  EXPECT_GT(untold, 500);
}

// Equal on average is not equal: two rows of weights 1/2 and 3/2 make two mistakes, and R^2 |u|^2 / margin^2 is
// below 2.
TEST(BoundOfRun, DoesNotTakeWeightsThatAverageToOneForNoWeights) {
  Composition c;
  c.bias.position = Bias::none;
  World world;
  world.points = {{{1.0, 0.0}, 1, 0.5}, {{-0.4, 1.0}, 1, 1.5}};
  world.teacher = {1, {1.4, 1.56}, {0}};
  Played run(c, world);
  RecordedDraws none({});
  run.play({}, none);
  EXPECT_EQ(run.ledger.mistakes, 2);
  const auto bound = bound_of_run(c, run.for_bound(), {{"teacher", world.teacher}});
  ASSERT_TRUE(bound);
  EXPECT_NE(bound->theorem, "novikoff");
  EXPECT_GE(bound->value, 2);
}

// Not trivially: on separable data, played until clean, the bound is mostly below the number of rounds or close to the
// mistakes.
TEST(BoundOfRun, SaysSomething) {
  int below_rounds = 0;
  int runs = 0;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    Chance chance(seed);
    Composition c;
    c.rule = chance.of({rule::perceptron, rule::pa1, rule::margin});
    c.order = OrderName::cyclic;
    if (c.rule == rule::margin) c.set(parameter::margin, 0.5);
    World world = binary_world(chance, c.bias, true);
    if (world.points.size() < 4) continue;
    Played run(c, std::move(world));
    run.play({Clean::no, 400, {}, {}}, chance.draws());
    const auto bound =
        bound_of_run(c, run.for_bound(), {{"last", run.learner->present()}, {"teacher", run.world.teacher}});
    ASSERT_TRUE(bound);
    ++runs;
    below_rounds += bound->value < static_cast<double>(run.ledger.rounds);
  }
  EXPECT_GT(below_rounds, 0.9 * runs);
}

}  // namespace
}  // namespace halfspace::testing
