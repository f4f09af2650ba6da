// Orders that look for mistakes remember what they saw: with it they do what a scan of all rows after every update
// does, bit for bit, and look at far fewer rows.
#include "halfspace/detail/game/known_margins.h"

#include <gtest/gtest.h>

#include <cmath>

#include "halfspace/base/error.h"
#include "support/world.h"

namespace halfspace::testing {
namespace {

// Rows that are hard on a bound: ties, sums that cancel but for their rounding, duplicates under both labels, rows of
// nothing, and values from the smallest to the largest there are.
World hard_world(Chance& chance, BiasOptions bias) {
  World world = binary_world(chance, bias, chance.one_in(4), chance.one_in(3));
  const int more = chance.between(0, 20);
  for (int i = 0; i < more; ++i) {
    Points& points = world.points;
    Point point{{}, chance.between(0, 1), 1.0};
    if (!points.empty() && chance.one_in(2))
      point = points[static_cast<std::size_t>(chance.between(0, static_cast<int>(points.size()) - 1))];
    if (point.x.empty()) point.x.assign(static_cast<std::size_t>(chance.between(1, 20)), chance.between(-1, 1));
    if (chance.one_in(3)) point.label = 1 - point.label;
    if (chance.one_in(4)) {
      for (double& value : point.x) value *= -1;
    }
    points.push_back(point);
  }
  const double unit = chance.of({1.0, 0.1, 0.1, 1.0 / 3});
  const int spread = chance.of({0, 0, 0, 40, 460, 1020});
  const int all = chance.of({0, 0, 0, -1000, -530, -400, 400, 530, 1000});
  const bool weighted = chance.one_in(6);
  for (Point& point : world.points) {
    const int power = all + (spread == 0 ? 0 : chance.between(-spread, spread));
    for (double& value : point.x) value = std::ldexp(unit * value, std::min(std::max(power, -1074), 1020));
    if (chance.one_in(15)) point.x.assign(point.x.size(), 0.0);
    if (weighted) point.weight = chance.of({0.0, 1.0, 0.5, 1e-300, 1e300});
  }
  return world;
}

Composition any(Chance& chance) {
  Composition c;
  c.order = chance.of({OrderName::first_mistake, OrderName::random_mistake});
  c.keep = chance.of({KeepName::last, KeepName::average, KeepName::vote});
  if (c.order == OrderName::random_mistake && chance.one_in(2)) c.keep = KeepName::pocket;
  c.tie = chance.of({Tie::positive, Tie::mistake, Tie::negative});
  c.bias = {chance.of({Bias::none, Bias::first, Bias::last}), chance.of({1.0, 0.1, 3.0, 1e-200, 1e200})};
  c.set(parameter::rate, chance.of({1.0, 1.0, 0.1, 1e-30, 1e-310, 1e200}));
  c.start.small = chance.one_in(4);
  return c;
}

// The orders as they are defined: all rows are looked at after every update.
void scan(Played& run, std::uint64_t updates, Draws& draws) {
  const bool first = run.composition.order == OrderName::first_mistake;
  if (!first) run.learner->enable_ratchet();
  run.visits.resize(run.rows.size());
  while (true) {
    std::vector<std::uint32_t> found;
    double errors = 0;
    run.learner->find_updates(run.rows.block(0), &found, errors, first);
    run.ledger.inspections += first && !found.empty() ? found.front() + 1 : run.rows.size();
    if (!first) run.learner->offer_to_pocket(errors);
    run.ledger.stopped = found.empty() ? Stopped::clean : Stopped::updates;
    if (found.empty() || run.ledger.updates >= updates) break;
    const std::uint32_t position = first ? found.front() : found[pick(draws, found.size())];
    run.learner->play(run.rows, std::span(&position, 1), {}, run.ledger);
    ++run.visits[position];
  }
  run.learner->finish();
}

// What comes of it, or the complaint that the weights overflow.
template <class F>
std::string complaint(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(KnownMargins, ChangeNothingButTheWork) {
  int long_runs = 0;
  for (std::uint64_t seed = 1; seed <= 6000 && !HasFailure(); ++seed) {
    Chance chance(seed);
    const Composition c = any(chance);
    const World world = hard_world(chance, c.bias);
    if (world.points.empty()) continue;
    const std::uint64_t updates = static_cast<std::uint64_t>(chance.of({5, 60, 300}));
    Played plain(c, world), remembering(c, world);
    Generator draws(seed), same_draws(seed);
    const std::string expected = complaint([&] { scan(plain, updates, draws); });
    const std::string got = complaint([&] { remembering.play({Clean::pass, {}, updates, {}}, same_draws); });
    EXPECT_EQ(got, expected) << seed;
    EXPECT_EQ(remembering.moved, plain.moved) << seed;
    if (!expected.empty()) continue;
    EXPECT_EQ(remembering.learner->save(), plain.learner->save()) << seed;
    EXPECT_EQ(remembering.visits, plain.visits) << seed;
    for (Ledger* ledger : {&plain.ledger, &remembering.ledger}) {
      if (std::isnan(ledger->update_squares)) ledger->update_squares = 0;  // of steps too large by rows too small
    }
    EXPECT_EQ(remembering.ledger, plain.ledger) << seed;
    long_runs += plain.ledger.updates == 300;
  }
  EXPECT_GT(long_runs, 500);
}

// The theorem, on integers, where every score is exact: a certain row is what it is taken for, and most rows are
// certain.
TEST(KnownMargins, AreCertainOnlyOfWhatIsSo) {
  std::uint64_t certain = 0, searched = 0;
  for (std::uint64_t seed = 1; seed <= 300 && !HasFailure(); ++seed) {
    Chance chance(seed);
    Points points;
    const int d = chance.between(2, 12);
    for (int i = 0; i < 200; ++i) {
      Point point{{}, chance.between(0, 1), 1.0};
      for (int j = 0; j < d; ++j) point.x.push_back(chance.between(-3, 3));
      points.push_back(point);
    }
    const Rows rows = rows_of(points);
    std::vector<double> w(static_cast<std::size_t>(d), 0.0);
    game::KnownMargins known(rows, {Bias::none, 1}, 0, w.size());
    for (int update = 0; update < 200; ++update) {
      for (std::size_t i = 0; i < points.size(); ++i) {
        const auto dot = [&](const std::vector<double>& x) {
          double sum = 0;
          for (std::size_t j = 0; j < x.size(); ++j) sum += w[j] * x[j];
          return (points[i].label == 1 ? 1 : -1) * sum;
        };
        const double margin = dot(points[i].x);
        ++searched;
        if (known.certain(i)) {
          ++certain;
          ASSERT_NE(margin, 0) << seed;
          ASSERT_EQ(known.mistaken(i), margin < 0) << seed;
        } else {
          double square = 0;
          for (const double value : points[i].x) square += value * value;
          known.note(i, margin, square);
        }
      }
      known.searched(points.size());
      const std::size_t position = static_cast<std::size_t>(chance.between(0, 60));
      for (std::size_t j = 0; j < w.size(); ++j)
        w[j] += 0.5 * (points[position].label == 1 ? 1 : -1) * points[position].x[j];
      known.stepped(position, 0.5);
    }
  }
  EXPECT_GT(static_cast<double>(certain), 0.6 * static_cast<double>(searched));
}

}  // namespace
}  // namespace halfspace::testing
