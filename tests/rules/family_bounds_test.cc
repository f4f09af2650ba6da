// The theorems of the rules with a state of their own, and of EG, as properties of random small runs; and the bounds
// that are printed of them.
#include <gtest/gtest.h>

#include <bit>
#include <filesystem>
#include <fstream>
#include <limits>

#include "halfspace/detail/rules/adagrad.h"
#include "halfspace/detail/rules/alma.h"
#include "halfspace/detail/rules/arow.h"
#include "halfspace/detail/rules/arow_diagonal.h"
#include "halfspace/detail/rules/eg.h"
#include "halfspace/detail/rules/projected.h"
#include "halfspace/detail/rules/second_order.h"
#include "halfspace/rules/rule_entry.h"
#include "halfspace/rules/winnow.h"
#include "halfspace/train/train.h"
#include "rules/family.h"
#include "support/least.h"

namespace halfspace::testing {
namespace {

class FamilyBounds : public ::testing::TestWithParam<RuleName> {};

// What the theorems speak of, of one run in which every row weighs 1: the rounds as they were played, and what the
// run's own steps come to, added up here from nothing but the rows and the weights after each step.
struct Told {
  struct Round {
    Vector x;  // all coordinates, of ALMA divided by their norm
    Real y;
    bool mistake, updated;
  };
  std::vector<Round> round;
  std::vector<double> steps_of_row;
  Real mistakes = 0, steps = 0, unmistaken = 0, norms = 0, reach = 0;  // norms: |x|^2 over the mistakes
  Real log_det = 0;                                                    // of I + the sum of x x' over the steps / r
  Real drift = 0, leverage = 0, gained = 0;                            // diagonal AROW's P, L and G
  Vector moment;                                                       // its variances, or AdaGrad's sums
  // Where these rounds began: weights, moments, corrections made before; and for EG the logarithm of the smallest
  // share.
  Vector start, start_moment;
  Real steps_before = 0, divergence = 0;
};

// Of EG's state: the largest KL divergence of any point of the simplex to it.
Real largest_divergence(const LearnerState& state, const Composition& c, std::size_t features) {
  Real largest = 0, total = 0;
  for (const Real l : coordinates(state.weights, c, features)) {
    largest = std::max(largest, std::abs(l));
    total += 2 * std::cosh(l);
  }
  return largest + std::log(total);
}

// `earlier`: the rounds that the learner has behind it.
Told tell(Played& run, const Until& until, Chance& chance, const Told* earlier = nullptr) {
  const Composition& c = run.composition;
  const std::size_t features = features_of(run.world.points);
  Told told;
  told.steps_of_row.assign(run.world.points.size(), 0.0);
  told.start = coordinates(run.learner->present(), c, features);
  const std::size_t n = told.start.size();
  if (is_winnow(c.rule) || earlier == nullptr) told.start.assign(n, 0.0L);
  told.moment.assign(n, c.rule == rule::arow_diagonal ? 1.0L : 0.0L);
  if (earlier != nullptr) {
    told.moment = earlier->moment;
    told.leverage = earlier->leverage;
    told.steps_before = earlier->steps;
  }
  told.start_moment = told.moment;
  if (c.rule == rule::eg) told.divergence = largest_divergence(run.learner->save(), c, features);
  const bool whitens = c.rule == rule::second_order || c.rule == rule::arow;
  std::vector<Vector> gram(n, Vector(n, 0.0L));
  for (std::size_t i = 0; i < n; ++i) gram[i][i] = 1;
  run.learner->observer = [&](const RoundView& view) {
    const Point& point = run.world.points[view.row - 1];
    Vector x = coordinates(point, c, features);
    const Real length = std::sqrt(dot(x, x));
    if (c.rule == rule::alma && length > 0) {
      for (Real& value : x) value /= length;
    }
    const Outcome& outcome = view.outcome;
    told.round.push_back({x, point.label == 0 ? -1.0L : 1.0L, outcome.mistake, outcome.updated});
    told.mistakes += outcome.mistake;
    if (outcome.mistake) told.norms += dot(x, x);
    if (!outcome.updated) return;
    told.steps += 1;
    told.steps_of_row[view.row - 1] += 1;
    const bool short_step = std::abs(outcome.step) < 1;  // a step of 1 or more is counted among the mistakes
    told.unmistaken += c.rule == rule::alma ? !outcome.mistake : short_step;
    for (const Real value : x) told.reach = std::max(told.reach, std::abs(value));
    for (std::size_t i = 0; i < n && whitens; ++i) {
      for (std::size_t k = 0; k < n; ++k) gram[i][k] += x[i] * x[k] / c.value(parameter::regularization);
    }
    if (c.rule == rule::adagrad) {
      for (std::size_t j = 0; j < n; ++j) told.moment[j] += x[j] * x[j];
    }
    if (c.rule != rule::arow_diagonal) return;
    const Vector w = coordinates(run.learner->present(), c, features);
    const Real r = c.value(parameter::regularization);
    Real q = 0;
    for (std::size_t j = 0; j < n; ++j) q += told.moment[j] * x[j] * x[j];
    for (std::size_t j = 0; j < n; ++j) {
      told.moment[j] -= told.moment[j] * told.moment[j] * x[j] * x[j] / (q + r);
      told.drift += w[j] * x[j] * w[j] * x[j];
    }
    if (!short_step) {
      told.leverage = std::max(told.leverage, q / r);
    } else {
      told.gained += static_cast<Real>(outcome.step) * outcome.step / (1 + q / r);
    }
  };
  run.play(until, chance.draws());
  solve(gram, Vector(gram.size(), 0.0L), &told.log_det);
  return told;
}

// Which rounds' hinge losses are summed: those that the proof speaks of, or all of them.
enum class Over { steps, stream };

// The theorem as it stands in the rule's header, for u.
Real theorem(const Composition& c, const Told& told, const Vector& u, Over over) {
  const bool counts_mistakes = c.rule == rule::second_order || c.rule == rule::adagrad || c.rule == rule::projected;
  const Real norm = dot(u, u);
  Real hinges = 0, squared_hinges = 0, squares = 0;
  for (const Told::Round& round : told.round) {
    const Real margin = round.y * dot(u, round.x);
    const Real hinge = std::max<Real>(0, 1 - margin);
    const bool spoken_of = counts_mistakes ? round.mistake : round.updated;
    if (spoken_of) squares += margin * margin;
    if (!spoken_of && over == Over::steps) continue;
    hinges += hinge;
    squared_hinges += hinge * hinge;
  }
  const Real r = c.value(parameter::regularization);
  switch (c.rule) {
    case rule::second_order:
      return hinges + std::sqrt((r * norm + squares) * told.log_det);
    case rule::arow:
      return hinges - told.unmistaken + std::sqrt((r * norm + squares) * (told.log_det + told.unmistaken));
    case rule::arow_diagonal: {
      Real moved = 0, distance = 0;
      for (std::size_t j = 0; j < u.size(); ++j) {
        const Real before = r / told.start_moment[j], apart = u[j] - told.start[j];
        moved += (r / told.moment[j] - before) * u[j] * u[j];
        distance += before * apart * apart;
      }
      const Real root = std::sqrt(told.drift) + std::sqrt(moved);
      return (1 + told.leverage) * (distance + squared_hinges + root * root - told.gained);
    }
    case rule::adagrad: {
      const Real twice = 2 * std::sqrt(2.0L) * c.value(parameter::ball);
      Real roots = 0, distance = 0;
      for (std::size_t j = 0; j < u.size(); ++j) {
        const Real before = std::sqrt(told.start_moment[j]), apart = u[j] - told.start[j];
        roots += std::sqrt(told.moment[j]) - before;
        distance += before * apart * apart;
      }
      return hinges + distance / twice + twice * roots;
    }
    case rule::projected: {
      Real distance = 0;
      for (std::size_t j = 0; j < u.size(); ++j) distance += (u[j] - told.start[j]) * (u[j] - told.start[j]);
      return hinges + distance / (2 * c.value(parameter::rate)) + c.value(parameter::rate) / 2 * told.norms;
    }
    case rule::alma: {
      const Real before = std::sqrt(told.steps_before), now = std::sqrt(told.steps_before + told.steps);
      return hinges + std::sqrt(2 * norm) * (now + (4 / c.value(parameter::alpha) - 3) * (now - before)) -
             told.unmistaken;
    }
    default:  // EG
      return hinges + c.value(parameter::ball) * told.divergence / c.value(parameter::rate) +
             c.value(parameter::ball) * c.value(parameter::rate) * told.reach * told.reach * told.steps / 2;
  }
}

// How far u may be drawn out for the theorem to speak of it.
Real longest_scale(const Composition& c, const Vector& u) {
  Real size = 0;
  for (const Real value : u) {
    if (c.rule == rule::adagrad) size = std::max(size, std::abs(value));
    if (c.rule == rule::eg) size += std::abs(value);
  }
  if (c.rule == rule::projected) size = std::sqrt(dot(u, u));
  return size > 0 ? c.value(parameter::ball) / size : std::numeric_limits<Real>::infinity();
}

Vector times(Real scale, Vector u) {
  for (Real& value : u) value *= scale;
  return u;
}

// Winnow2's divergence of u, and what every mistake takes off it: t of a positive row or a negative one.
Real divergence_of(const Vector& u) {
  Real sum = 0;
  for (const Real value : u) sum += (value > 0 ? value * std::log(value) : 0.0L) + 1 - value;
  return sum;
}
Real taken_off(const Composition& c, const Told::Round& round, const Vector& u, Real theta) {
  const Real gain = std::log(static_cast<Real>(c.value(parameter::alpha))) * dot(u, round.x);
  return round.y > 0 ? gain - (c.value(parameter::alpha) - 1) * theta
                     : (1 - 1 / static_cast<Real>(c.value(parameter::alpha))) * theta - gain;
}

// Winnow1's theorem for a disjunction of so many features.
Real disjunction_theorem(const Composition& c, std::size_t features, Real literals) {
  const Real theta = threshold_of(c, features);
  const Real alpha = c.value(parameter::alpha);
  return alpha * literals * std::max<Real>(0, std::log(theta) / std::log(alpha) + 1) +
         static_cast<Real>(features) / theta;
}

// For many comparators, from nothing but the rounds.
TEST_P(FamilyBounds, TheTheoremHoldsForEveryComparator) {
  const RuleName rule = GetParam();
  int said_something = 0;
  for (std::uint64_t seed = 1; seed <= 400 && !HasFailure(); ++seed) {
    Chance chance(seed);
    Composition c = random_composition(chance, rule);
    c.order = chance.of({OrderName::stream, OrderName::cyclic, OrderName::shuffled});
    const bool separable = chance.one_in(2);
    Played run(c, random_world(chance, c, separable));
    if (run.world.points.empty()) continue;
    const Told told = tell(run, {Clean::no, 10, {}, {}}, chance);
    const std::size_t features = features_of(run.world.points);
    for (int trial = 0; trial < 8; ++trial) {
      ClassWeightVector any = run.world.teacher;
      if (trial >= 4) {
        for (double& value : any.w) value = is_winnow(rule) ? chance.real(0, 2) : chance.normal();
      }
      Vector u = coordinates(any, c, features);
      u = times(std::min(std::exp2(static_cast<Real>(chance.between(-4, 3))), longest_scale(c, u)), u);
      Real bound = 0;
      if (rule == rule::winnow2) {
        // The divergence itself: never less than what the mistakes take off it.
        Real sum = 0;
        for (const Told::Round& round : told.round)
          sum += round.mistake ? taken_off(c, round, u, threshold_of(c, features)) : 0;
        EXPECT_LE(sum, divergence_of(u) + 1e-7L * (1 + std::abs(sum))) << seed;
        said_something += sum > 0.3L * divergence_of(u);
        continue;
      }
      if (rule == rule::winnow1) {
        if (!separable || threshold_of(c, features) < 1 / static_cast<Real>(c.value(parameter::alpha))) continue;
        Real literals = 0;
        for (const double value : run.world.teacher.w) literals += value;
        bound = disjunction_theorem(c, features, literals);
      } else {
        if (rule == rule::alma && c.bias.position == Bias::none) continue;
        bound = theorem(c, told, u, Over::steps);
      }
      EXPECT_LE(told.mistakes, bound + 1e-7L * (1 + told.mistakes)) << seed << " " << name_of(rule);
      said_something += bound < static_cast<Real>(told.round.size());
    }
  }
  EXPECT_GT(said_something, 30);
}

// The fewest features of no negative row of which every positive row has one, by trying all; -1 when there are none.
Real fewest_literals(const Points& points, std::size_t features) {
  Real fewest = -1;
  for (unsigned set = 0; set < 1U << features; ++set) {
    bool fits = true;
    for (const Point& point : points) {
      bool has = false;
      for (std::size_t j = 0; j < point.x.size(); ++j) has = has || ((set >> j & 1U) != 0 && point.x[j] != 0);
      fits = fits && has == (point.label == 1);
    }
    const auto size = static_cast<Real>(std::popcount(set));
    if (fits && (fewest < 0 || size < fewest)) fewest = size;
  }
  return fewest;
}

// What is printed is the theorem, at a scale that is hardly worse than the best: never below it, however loose it is;
// also of runs that were taken up again.
TEST_P(FamilyBounds, WhatIsPrintedIsTheTheorem) {
  const RuleName rule = GetParam();
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 250 && !HasFailure(); ++seed) {
    Chance chance(seed);
    Composition c = random_composition(chance, rule);
    c.order = chance.of({OrderName::stream, OrderName::cyclic, OrderName::shuffled});
    World world = random_world(chance, c, chance.one_in(2));
    if (rule == rule::winnow2 && chance.one_in(2)) {  // features that appear one by one
      const std::size_t n = world.points.size(), d = features_of(world.points);
      for (std::size_t i = 0; i < n; ++i) world.points[i].x.resize(std::max<std::size_t>(1, d * (i + 1) / n));
    }
    Played run(c, std::move(world));
    if (run.world.points.empty()) continue;
    Told told = tell(run, {Clean::no, 3, {}, {}}, chance);
    // Some runs are those of a learner with rounds behind it.
    const bool from_any_start = rule != rule::second_order && rule != rule::arow && !is_winnow(rule);
    const bool resumed = from_any_start && chance.one_in(2);
    const Ledger before = run.ledger;
    const ClassWeightVector start = run.learner->present();
    const LearnerState start_state = run.learner->save();
    if (resumed) {
      const Told earlier = told;
      told = tell(run, {Clean::no, 6, {}, {}}, chance, &earlier);
    }
    const double passes = static_cast<double>(told.round.size() / run.world.points.size());
    if (rule == rule::eg) {  // printed with the radius of all rows
      for (const Told::Round& round : told.round) {
        for (const Real value : round.x) told.reach = std::max(told.reach, std::abs(value));
      }
    }
    const std::size_t features = features_of(run.world.points);
    ClassWeightVector any = run.world.teacher;
    for (double& value : any.w) value = std::abs(chance.normal());
    for (const ClassWeightVector& comparator : {run.learner->present(), run.world.teacher, any}) {
      RunForBound facts = run.for_bound();
      facts.steps = [&](std::uint64_t i) { return told.steps_of_row.at(i); };
      if (resumed) {
        facts.visits = [&](std::uint64_t) { return passes; };
        facts.before = before;
        facts.start = &start;
        facts.start_state = &start_state;
        facts.resumed = true;
      }
      const auto bound = bound_of_run(c, facts, {{"any", comparator}});
      if (!bound) continue;
      ++compared;
      const Vector u = coordinates(comparator, c, features);
      Real expected = 0;
      if (rule == rule::winnow1) {
        expected = disjunction_theorem(c, features, fewest_literals(run.world.points, features));
      } else if (rule == rule::winnow2) {
        const Real theta = threshold_of(c, features);
        expected = std::numeric_limits<Real>::infinity();
        for (int k = -24; k <= 24; ++k) {
          const Vector scaled = times(std::exp2(k / 4.0L), u);
          for (int g = -10; g <= 2; ++g) {
            const Real target = std::ldexp(theta, g);
            Real sum = divergence_of(scaled);
            std::size_t seen = c.order == OrderName::stream ? 0 : features;
            for (std::size_t t = 0; t < told.round.size(); ++t) {
              // The threshold that a stream had by this row; what a promotion adds is that of the end at most.
              if (t < run.world.points.size()) seen = std::max(seen, run.world.points[t].x.size());
              const Real then = told.round[t].y > 0 ? theta : threshold_of(c, seen);
              sum += std::max<Real>(0, target - taken_off(c, told.round[t], scaled, then));
            }
            expected = std::min(expected, sum / target);
          }
        }
      } else if (bound->theorem == "alma") {
        const Real norm = std::sqrt(dot(u, u));
        Real margin = std::numeric_limits<Real>::infinity();
        for (const Told::Round& round : told.round) margin = std::min(margin, round.y * dot(u, round.x) / norm);
        const Real factor = 2 / c.value(parameter::alpha) - 1;
        expected = 2 / (margin * margin) * factor * factor + 8 / c.value(parameter::alpha) - 4;
      } else {
        expected =
            least([&](Real scale) { return theorem(c, told, times(scale, u), Over::stream); }, longest_scale(c, u));
      }
      EXPECT_GE(bound->value, expected * (1 - 1e-7L) - 1e-7L) << seed << " " << bound->theorem;
      // From a start the grid of scales is coarse; in a stream the threshold may have been smaller than it is taken for
      // here.
      if (resumed || (rule == rule::winnow2 && c.order == OrderName::stream)) continue;
      EXPECT_LE(bound->value, expected * 1.1L + 0.1L * (1 + told.mistakes)) << seed << " " << bound->theorem;
    }
  }
  EXPECT_GT(compared, 100);
}

// ALMA's own theorem, where the teacher separates.
TEST(Alma, CorrectionsAreFewAndTheMarginIsNearTheLargest) {
  int halted = 0;
  for (std::uint64_t seed = 1; seed <= 400 && !HasFailure(); ++seed) {
    Chance chance(seed);
    Composition c = random_composition(chance, rule::alma);
    c.order = OrderName::cyclic;
    Played run(c, binary_world(chance, c.bias, true));
    if (run.world.points.empty()) continue;
    const std::size_t features = features_of(run.world.points);
    const Vector u = coordinates(run.world.teacher, c, features);
    const auto least = [&](const Vector& w) {
      Real smallest = std::numeric_limits<Real>::infinity();
      for (const Point& point : run.world.points) {
        const Vector x = coordinates(point, c, features);
        const Real length = std::sqrt(dot(x, x));
        smallest = std::min(smallest, (point.label == 0 ? -1 : 1) * dot(w, x) / length / std::sqrt(dot(w, w)));
      }
      return smallest;
    };
    const Real margin = least(u);
    run.play({Clean::pass, 3000, {}, {}}, chance.draws());
    const Real factor = 2 / c.value(parameter::alpha) - 1;
    EXPECT_LE(static_cast<Real>(run.ledger.updates),
              2 / (margin * margin) * factor * factor + 8 / c.value(parameter::alpha) - 4)
        << seed;
    if (run.ledger.stopped != Stopped::clean) continue;
    ++halted;
    EXPECT_GE(least(coordinates(run.learner->present(), c, features)),
              (1 - c.value(parameter::alpha)) * margin * (1 - 1e-9L))
        << seed;
  }
  EXPECT_GT(halted, 200);
}

// A truth that turns: the projected perceptron against a comparator that turns with it.
TEST(Projected, TracksAMovingComparator) {
  for (std::uint64_t seed = 1; seed <= 200 && !HasFailure(); ++seed) {
    Chance chance(seed);
    Composition c;
    c.rule = rule::projected;
    c.bias.position = Bias::none;
    c.tie = chance.of({Tie::positive, Tie::mistake, Tie::negative});
    c.set(parameter::ball, chance.of({1.0, 2.0, 6.0}));
    c.set(parameter::rate, chance.of({0.1, 0.5, 2.0}));
    World world;
    std::vector<Vector> truth;
    for (int t = 0; t < 400; ++t) {
      const double angle = 0.5 * (t / 50);
      Point point;
      point.x = {chance.normal(), chance.normal()};
      const Vector u{c.value(parameter::ball) * std::cos(angle), c.value(parameter::ball) * std::sin(angle)};
      point.label = dot(u, {point.x[0], point.x[1]}) > 0;
      world.points.push_back(point);
      truth.push_back(u);
    }
    world.teacher = {1, {1, 0}, {0}};
    Played run(c, std::move(world));
    const Told told = tell(run, {}, chance);
    Real hinges = 0, squares = 0, path = 0;
    for (std::size_t t = 0; t < told.round.size(); ++t) {
      const Vector& x = told.round[t].x;
      if (t > 0) path += std::hypot(truth[t][0] - truth[t - 1][0], truth[t][1] - truth[t - 1][1]);
      if (!told.round[t].mistake) continue;
      hinges += std::max<Real>(0, 1 - told.round[t].y * dot(truth[t], x));
      squares += dot(x, x);
    }
    const Real ball = c.value(parameter::ball);
    EXPECT_LE(static_cast<Real>(run.ledger.mistakes),
              hinges + (ball * ball + 4 * ball * path) / (2 * c.value(parameter::rate)) +
                  c.value(parameter::rate) / 2 * squares + 1e-9L)
        << seed;
    const auto bound = bound_of_run(c, run.for_bound(), {{"last", run.learner->present()}});
    ASSERT_TRUE(bound);
    EXPECT_GE(bound->value, static_cast<double>(run.ledger.mistakes));
  }
}

// The bound shown beside a run is never below its mistakes, whatever the comparator, the order and the rows' weights.
TEST_P(FamilyBounds, TheBoundOfARunIsNeverBelowItsMistakes) {
  const RuleName rule = GetParam();
  int bounded = 0;
  for (std::uint64_t seed = 1; seed <= 300 && !HasFailure(); ++seed) {
    Chance chance(seed);
    Composition c = random_composition(chance, rule);
    c.order = chance.of({OrderName::stream, OrderName::cyclic, OrderName::shuffled, OrderName::first_mistake,
                         OrderName::random_mistake, OrderName::random});
    c.keep = chance.of({KeepName::last, KeepName::average});
    World world = random_world(chance, c, chance.one_in(2));
    if (chance.one_in(3)) {
      for (Point& point : world.points) point.weight = chance.of({0.0, 0.5, 1.0, 4.0});
    }
    if (world.points.empty()) continue;
    Played run(c, std::move(world));
    run.play({Clean::no, 10, 60, {}}, chance.draws());
    ClassWeightVector any = run.world.teacher;
    for (double& value : any.w) value = std::abs(chance.normal());
    for (const Comparator& comparator : std::vector<Comparator>{{"last", run.learner->present()},
                                                                {"handed out", run.learner->result()},
                                                                {"teacher", run.world.teacher},
                                                                {"any", any}}) {
      const auto bound = bound_of_run(c, run.for_bound(), {comparator});
      if (!bound) continue;
      ++bounded;
      EXPECT_FALSE(bound->exceeded) << seed << " " << bound->theorem;
      EXPECT_GE(whole_mistakes(bound->value), run.ledger.mistakes) << seed << " " << bound->theorem;
    }
  }
  EXPECT_GT(bounded, rule == rule::winnow1 ? 100 : 300);
}

// Streams that outgrow the memory for their rows, and runs that are taken up again: bounded as far as the theorem
// allows, and never below the mistakes.
TEST_P(FamilyBounds, LongStreamsAndResumedRunsAreBounded) {
  const RuleName rule = GetParam();
  const auto folder = std::filesystem::path(::testing::TempDir()) / ("family-" + std::string(name_of(rule)));
  std::filesystem::create_directories(folder);
  const std::string path = (folder / "d.svm").string();
  {
    Generator draws(3);
    std::ofstream file(path);
    for (int i = 0; i < 6000; ++i) {
      std::string row;
      double truth = 0;
      for (int j = 1; j <= 12; ++j) {
        if (draws.next() < 0.6) continue;
        row += " " + std::to_string(j) + ":1";
        truth += j <= 3 ? 1 : 0;
      }
      // (ALMA's last weights must have a positive mean margin on what was corrected.)
      const bool noisy = draws.next() < (rule == rule::winnow1 ? 0 : rule == rule::alma ? 0.01 : 0.1);
      file << ((truth > 0) != noisy ? "+1" : "-1") << row << "\n";
    }
  }
  TrainOptions options;
  options.read.path = path;
  options.composition.rule = rule;
  const TrainResult kept = train(options);
  ASSERT_TRUE(kept.bound) << name_of(rule);
  EXPECT_FALSE(kept.bound->exceeded);
  // Only the rows that moved the weights are kept.
  options.stream_memory = 1 << 12;
  const TrainResult moved = train(options);
  ASSERT_TRUE(moved.bound) << name_of(rule);
  EXPECT_FALSE(moved.bound->exceeded);
  EXPECT_EQ(moved.model.ledger, kept.model.ledger);
  // Not even these.
  options.memory.memory = 1 << 15;
  const TrainResult segments = train(options);
  EXPECT_EQ(segments.model.ledger, kept.model.ledger);
  const bool from_any_start = rule != rule::second_order && rule != rule::arow && rule != rule::winnow1;
  if (from_any_start) {
    ASSERT_TRUE(segments.bound) << name_of(rule);
  }
  if (segments.bound) {
    EXPECT_FALSE(segments.bound->exceeded) << segments.bound->value;
  }
  // Taken up again after its end, with the same rows once more.
  TrainOptions again;
  again.read.path = path;
  again.resume = &kept.model;
  const TrainResult resumed = train(again);
  EXPECT_EQ(resumed.bound.has_value(), from_any_start) << name_of(rule);
  if (resumed.bound) {
    EXPECT_FALSE(resumed.bound->exceeded);
  }
  std::filesystem::remove_all(folder);
}

INSTANTIATE_TEST_SUITE_P(Family, FamilyBounds, ::testing::ValuesIn(kFamily), named);

}  // namespace
}  // namespace halfspace::testing
