// The orders, and when a run is over.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "halfspace/rules/margin_perceptron.h"
#include "halfspace/rules/minnow.h"
#include "halfspace/rules/passive_aggressive.h"
#include "halfspace/rules/perceptron.h"
#include "support/exact.h"
#include "support/world.h"

namespace halfspace::testing {
namespace {

std::uint64_t would_move(const Played& run) {
  double errors = 0;
  std::uint64_t found = 0;
  for (std::size_t b = 0; b < run.rows.blocks(); ++b)
    found += run.learner->find_updates(run.rows.block(b), nullptr, errors, false);
  return found;
}

// "clean" means: the rule would move on no row, whatever the order.
TEST(Clean, MeansThatNoRowWouldMoveTheRule) {
  int clean = 0;
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    Chance chance(seed);
    Composition c;
    c.rule = chance.of({rule::perceptron, rule::margin, rule::pa1});
    c.order = chance.of({OrderName::cyclic, OrderName::shuffled, OrderName::first_mistake, OrderName::random_mistake,
                         OrderName::random});
    c.tie = chance.of({Tie::positive, Tie::mistake, Tie::negative});
    World world = binary_world(chance, c.bias, chance.between(1, 4) > 1);
    if (world.points.empty()) continue;
    if (chance.one_in(4)) world.points[0].weight = 0;
    Played run(c, std::move(world));
    run.play({chance.of({Clean::pass, Clean::cycle}), {}, 60, {}}, chance.draws());
    if (run.ledger.stopped == Stopped::clean) {
      ++clean;
      ASSERT_EQ(would_move(run), 0) << seed << " " << name_of(c.order);
    } else {
      ASSERT_EQ(run.ledger.stopped, Stopped::updates) << seed;
      ASSERT_EQ(run.ledger.updates, 60);
    }
  }
  EXPECT_GT(clean, 1000);
}

TEST(Orders, NoRowsEndAtOnce) {
  for (const OrderName order : {OrderName::stream, OrderName::cyclic, OrderName::shuffled, OrderName::first_mistake,
                                OrderName::random_mistake, OrderName::random}) {
    for (const Clean clean : {Clean::no, Clean::pass, Clean::cycle}) {
      Composition c;
      c.order = order;
      Played run(c, World{});
      RecordedDraws none({});
      run.play({clean, {}, 3, {}}, none);
      EXPECT_NE(run.ledger.stopped, Stopped::running);
      EXPECT_EQ(run.ledger.rounds, 0);
    }
  }
}

// The walk that stops within a pass makes the same updates as the loop over passes, with fewer rounds.
TEST(Orders, CleanPassAndCleanCycleMakeTheSameUpdates) {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    Chance chance(seed);
    Composition c;
    c.order = OrderName::cyclic;
    c.rule = chance.of({rule::perceptron, rule::margin});
    const World world = binary_world(chance, c.bias, true);
    if (world.points.empty()) continue;
    RecordedDraws none({});
    Played passes(c, world);
    passes.play({Clean::pass, {}, {}, {}}, none);
    Played walk(c, world);
    walk.play({Clean::cycle, {}, {}, {}}, none);
    EXPECT_EQ(passes.moved, walk.moved);
    EXPECT_EQ(passes.learner->present(), walk.learner->present());
    EXPECT_LE(walk.ledger.rounds, passes.ledger.rounds);
    EXPECT_EQ(walk.ledger.rounds - walk.ledger.last_update_round, world.points.size());
    EXPECT_EQ(passes.ledger.pass.back().updates, 0);
    EXPECT_EQ(passes.ledger.rounds % world.points.size(), 0);
  }
}

TEST(Orders, AShuffledPassPlaysEveryRowOnceAndRoundsAddUp) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Chance chance(seed);
    Composition c;
    c.order = OrderName::shuffled;
    World world = binary_world(chance, c.bias, false);
    if (world.points.empty()) continue;
    Played run(c, std::move(world));
    std::vector<std::multiset<std::uint64_t>> rows(1);
    run.learner->observer = [&](const RoundView& view) {
      if (rows.back().size() == run.rows.size()) rows.emplace_back();
      rows.back().insert(view.row);
    };
    run.play({Clean::no, 3, {}, {}}, chance.draws());
    ASSERT_EQ(rows.size(), 3);
    for (const auto& pass : rows) EXPECT_EQ(std::set<std::uint64_t>(pass.begin(), pass.end()).size(), run.rows.size());
    EXPECT_EQ(run.ledger.rounds, 3 * run.rows.size());
    for (const std::uint32_t times : run.visits) EXPECT_EQ(times, 3);
  }
}

// Without a limit a walk without draws ends: clean, or, since integer weights stay bounded (the cycling theorem), when it
// has come back to weights it had at an earlier step. Which one is told apart rightly.
TEST(Orders, AnEndlessWalkStopsWhereItCameBack) {
  int cycles = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Chance chance(seed);
    Composition c;
    c.order = chance.of({OrderName::cyclic, OrderName::first_mistake});
    const World world = binary_world(chance, c.bias, chance.one_in(3));
    RecordedDraws none({});
    Played run(c, world);
    run.play({.clean = c.order == OrderName::cyclic ? Clean::cycle : Clean::pass}, none);
    if (run.ledger.stopped == Stopped::clean) {
      ASSERT_EQ(would_move(run), 0) << seed;
      continue;
    }
    ASSERT_EQ(run.ledger.stopped, Stopped::cycling) << seed;
    ASSERT_FALSE(world.separable) << seed;
    ++cycles;
    const bool passes = c.order == OrderName::cyclic;
    const std::uint64_t steps = passes ? run.ledger.passes : run.ledger.updates;
    int same = 0;
    for (std::uint64_t step = 1; step < steps && same == 0; ++step) {
      Played earlier(c, world);
      Until until{.clean = Clean::cycle};
      (passes ? until.passes : until.updates) = step;
      earlier.play(until, none);
      same += earlier.learner->present() == run.learner->present() ? 1 : 0;
    }
    ASSERT_EQ(same, 1) << seed;
  }
  EXPECT_GT(cycles, 30);
}

// What waits for updates that cannot come ends, too, whatever the order.
TEST(Orders, AnIdlePassIsTheEndWhereUpdatesAreWaitedFor) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Chance chance(seed);
    Composition c;
    c.order = chance.of({OrderName::cyclic, OrderName::shuffled, OrderName::random});
    World world = binary_world(chance, c.bias, true);
    Played run(c, std::move(world));
    run.play({.updates = 1'000'000}, chance.draws());
    ASSERT_EQ(run.ledger.stopped, run.rows.size() == 0 ? Stopped::end : Stopped::clean) << seed;
    ASSERT_EQ(would_move(run), 0);
  }
}

// However many passes there are, their records take little room, add up, and let the run be taken up again.
TEST(Orders, RecordsOfManyPassesAddUp) {
  const World world{.points = {{{1, 1}, 0}, {{-1, -1}, 0}, {{1, -1}, 1}, {{-1, 1}, 1}}, .teacher = {}};
  Composition c;
  c.order = OrderName::cyclic;
  RecordedDraws none({});
  Played parts(c, world);
  for (const std::uint64_t passes : {1, 2, 1023, 1024, 1025, 1026, 1027, 1028, 3000}) {
    parts.play({.passes = passes}, none);
    Played all(c, world);
    all.play({.passes = passes}, none);
    const Ledger& ledger = all.ledger;
    ASSERT_EQ(ledger, parts.ledger) << passes;
    EXPECT_EQ(ledger.begun_passes(), passes);
    EXPECT_EQ(ledger.pass.size(), std::min<std::size_t>(passes, Ledger::recorded_passes + 2));
    PassRecord sum;
    std::uint64_t of = 0;
    for (std::size_t i = 0; i < ledger.pass.size(); ++i) {
      sum.rounds += ledger.pass[i].rounds;
      sum.mistakes += ledger.pass[i].mistakes;
      sum.updates += ledger.pass[i].updates;
      of += ledger.passes_of(i);
    }
    EXPECT_EQ(of, passes);
    EXPECT_EQ(sum.rounds, ledger.rounds);
    EXPECT_EQ(sum.mistakes, ledger.mistakes);
    EXPECT_EQ(sum.updates, ledger.updates);
    EXPECT_EQ(ledger.pass.back().rounds, world.points.size());
  }
  // Broken off within a pass, behind the records.
  parts.play({.passes = 5000, .updates = parts.ledger.updates + 1}, none);
  parts.play({.passes = 5000}, none);
  Played all(c, world);
  all.play({.passes = 5000}, none);
  EXPECT_EQ(all.ledger, parts.ledger);
}

// Broken off after every possible number of updates and taken up again, a run is the run that was never broken off.
TEST(Orders, ARunTakenUpAgainIsTheSameRun) {
  for (std::uint64_t seed = 1; seed <= 250; ++seed) {
    Chance chance(seed);
    Composition c;
    c.rule = chance.of({rule::perceptron, rule::margin, rule::pa1, rule::minnow});
    c.order = chance.of({OrderName::cyclic, OrderName::shuffled, OrderName::first_mistake, OrderName::random_mistake,
                         OrderName::random});
    c.keep = chance.of({KeepName::last, KeepName::average, KeepName::pocket, KeepName::vote});
    if (c.order == OrderName::first_mistake) c.keep = KeepName::average;
    const World world = binary_world(chance, c.bias, false);
    if (world.points.empty()) continue;
    const Until until{Clean::pass, 5, 30, {}};
    const auto part = [&](Played& run, Generator& draws, OrderState& order, const Until& limits) {
      const Game game{.order = c.order, .until = limits};
      play(*run.learner, run.rows, game, draws, run.ledger, {.order = &order, .visits = nullptr});
    };
    Generator draws(seed);
    OrderState order;
    Played whole(c, world);
    part(whole, draws, order, until);
    for (std::uint64_t split = 0; split <= whole.ledger.updates; ++split) {
      Generator first_draws(seed);
      OrderState state;
      Played first(c, world);
      Until early = until;
      early.updates = split;
      part(first, first_draws, state, early);
      Played second(c, world);
      second.learner->restore(first.learner->save());
      second.ledger = first.ledger;
      Generator second_draws(99);
      second_draws.restore(first_draws.state());
      part(second, second_draws, state, until);
      Ledger ledger = second.ledger;
      if (c.order == OrderName::first_mistake || c.order == OrderName::random_mistake) {
        ledger.inspections = whole.ledger.inspections;  // the row to learn from is looked for once more
      } else if (c.order == OrderName::random || c.order == OrderName::shuffled) {
        ledger.inspections = whole.ledger.inspections;
      }
      ASSERT_EQ(second.learner->save(), whole.learner->save())
          << seed << " at " << split << " " << name_of(c.order) << " " << name_of(c.keep) << " " << name_of(c.rule);
      ASSERT_EQ(ledger, whole.ledger) << seed << " at " << split << " " << name_of(c.order);
    }
  }
}

}  // namespace
}  // namespace halfspace::testing
