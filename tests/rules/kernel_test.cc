// The kernel perceptron: its linear form against the perceptron, every form against a slow account of itself, and the
// bounds, which must hold whatever a budget forgets.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <string>

#include "halfspace/base/error.h"
#include "halfspace/detail/rules/kernel_perceptron.h"
#include "halfspace/rules/perceptron.h"
#include "halfspace/rules/rule_entry.h"
#include "halfspace/train/model.h"
#include "support/least.h"
#include "support/world.h"

namespace halfspace::testing {
namespace {

Composition kernel_composition(Chance& chance) {
  Composition c;
  c.rule = rule::kernel;
  c.tie = chance.of({Tie::positive, Tie::mistake, Tie::negative});
  c.order = chance.of({OrderName::stream, OrderName::cyclic, OrderName::shuffled, OrderName::first_mistake,
                       OrderName::random_mistake, OrderName::random});
  c.bias = {chance.of({Bias::none, Bias::last}), chance.of({1.0, 0.5})};
  c.seed = static_cast<std::uint64_t>(chance.between(1, 1000));
  const KernelName name = chance.of({KernelName::linear, KernelName::polynomial, KernelName::gaussian});
  c.set(parameter::kernel, name);
  if (name != KernelName::linear) c.set(parameter::gamma, chance.of({0.25, 1.0, 2.0}));
  if (name == KernelName::polynomial) {
    c.set(parameter::degree, chance.between(1, 3));
    c.set(parameter::offset, chance.of({0.0, 1.0, 2.0}));
  }
  return c;
}

void give_budget(Composition& c, Chance& chance, std::uint32_t most = 6) {
  c.set(parameter::budget, chance.between(1, static_cast<int>(most)));
  const Eviction eviction = chance.of({Eviction::random, Eviction::forgetron, Eviction::projectron});
  c.set(parameter::eviction, eviction);
  if (eviction == Eviction::projectron) c.set(parameter::residual, chance.of({0.0, 0.1, 0.5, 0.9}));
}

World integer_world(Chance& chance, int rows) {
  World world;
  const int d = chance.between(1, 4);
  for (int i = 0; i < rows; ++i) {
    Point point;
    for (int j = 0; j < d; ++j) point.x.push_back(chance.between(-3, 3));
    point.label = (point.x[0] * point.x[d - 1] > 0) != chance.one_in(6) ? 1 : 0;
    world.points.push_back(point);
  }
  return world;
}

Kernel kernel_of(const Composition& c) { return kernel_options(c).kernel; }
KernelExpansion last_of(const Played& run) {
  return expansion_of(kernel_of(run.composition), run.composition.bias, run.learner->save().kernel, 0);
}
KernelExpansion result_of(const Played& run) {
  const LearnerState state = run.learner->save();
  return expansion_of(kernel_of(run.composition), run.composition.bias, state.kernel, state.finished);
}

// With the linear kernel: the very mistakes of the perceptron, whole numbers through and through.
TEST(KernelPerceptron, LinearIsThePerceptron) {
  std::uint64_t mistakes = 0;
  for (std::uint64_t seed = 1; seed <= 1500 && !HasFailure(); ++seed) {
    Chance chance(seed);
    Composition dual = kernel_composition(chance);
    dual.parameters.clear();
    dual.set(parameter::kernel, KernelName::linear);
    dual.keep = chance.of({KeepName::last, KeepName::average});
    if (dual.bias.position == Bias::last) dual.bias.position = chance.of({Bias::first, Bias::last});
    Composition primal = dual;
    primal.rule = rule::perceptron;
    primal.parameters.clear();
    const World world = integer_world(chance, chance.between(1, 14));
    const Until until{Clean::pass, 5, 60, {}};
    Played a(dual, world), b(primal, world);
    Generator one(seed), two(seed);
    a.play(until, one);
    b.play(until, two);
    ASSERT_EQ(a.moved, b.moved) << seed;
    ASSERT_EQ(a.ledger, b.ledger) << seed;
    mistakes += a.ledger.mistakes;
    const KernelExpansion f = result_of(a);
    const ClassWeightVector w = b.learner->result();
    std::vector<double> sum(w.w.size(), 0.0);
    double bias = 0;
    for (std::size_t i = 0; i < f.size(); ++i) {
      kernels::add(sum.data(), f.coefficients()[i], f.row(i));
      if (dual.bias.position != Bias::none) bias += f.coefficients()[i] * dual.bias.scale;
    }
    for (std::size_t j = 0; j < sum.size(); ++j) EXPECT_NEAR(sum[j], w.w[j], 1e-12) << seed;
    EXPECT_NEAR(bias, w.bias[0], 1e-12) << seed;
    if (dual.keep == KeepName::last) {
      EXPECT_EQ(sum, w.w) << seed;
    }
    // A row that errs again moves the coefficient it has.
    EXPECT_LE(f.size(), world.points.size());
  }
  EXPECT_GT(mistakes, 10000U);
}

// The slow account: rows and coefficients in a list, kernels by their definition, projections by elimination.
class Slow {
 public:
  explicit Slow(const Composition& c) : bias_(c.bias), options_(kernel_options(c)), draws_(~c.seed) {}

  struct Vector {
    std::vector<double> x;
    double coefficient;
  };

  double kernel(const std::vector<double>& a, const std::vector<double>& b) const {
    double inner = 0;
    double distance = 0;
    for (std::size_t j = 0; j < a.size(); ++j) {
      inner += a[j] * b[j];
      distance += (a[j] - b[j]) * (a[j] - b[j]);
    }
    const Kernel& k = options_.kernel;
    const double value = k.name == KernelName::linear       ? inner
                         : k.name == KernelName::polynomial ? std::pow(k.gamma * inner + k.offset, k.degree)
                                                            : std::exp(-k.gamma * distance);
    return value + bias_.squared();
  }
  double score(const std::vector<double>& x) const {
    double sum = 0;
    for (const Vector& v : support) sum += v.coefficient * kernel(v.x, x);
    return sum;
  }

  void learn(const std::vector<double>& x, double amount) {
    ++updates_;
    const KernelOptions& o = options_;
    if (!o.budget || o.eviction == Eviction::random) {
      for (Vector& v : support) {
        if (v.x == x && (!o.budget || v.coefficient * amount > 0)) {
          v.coefficient += amount;
          return;
        }
      }
    }
    const bool full = o.budget && support.size() == *o.budget;
    if (o.budget && o.eviction == Eviction::projectron) return project(x, amount, full);
    support.push_back({x, amount});
    radius_ = std::max(radius_, kernel(x, x));
    if (!full) return;
    if (o.eviction == Eviction::random) {
      const auto gone = static_cast<std::ptrdiff_t>(pick(draws_, support.size() - 1));
      forget(support[static_cast<std::size_t>(gone)], 1);
      support[static_cast<std::size_t>(gone)] = support.back();  // a support vector stays at its place
      support.pop_back();
      return;
    }
    const Vector& oldest = support.front();
    const double sigma = std::abs(oldest.coefficient);
    const double margin = (oldest.coefficient > 0 ? 1 : -1) * score(oldest.x);
    const auto damage = [&](double phi) {
      const double lambda = phi * sigma;
      return (lambda * lambda * kernel(oldest.x, oldest.x) - 2 * lambda * phi * margin) / radius_ + 2 * lambda;
    };
    // The largest phi by halving: the damage is at most what is allowed below it, and more above it.
    const double allowed = 15.0 / 32 * updates_ - control_;
    double phi = 1;
    if (damage(1) > allowed) {
      double low = 0;
      double high = 1;
      for (int k = 0; k < 100; ++k) {
        phi = (low + high) / 2;
        (damage(phi) <= allowed ? low : high) = phi;
      }
      phi = low;
    }
    control_ += damage(phi);
    for (Vector& v : support) v.coefficient *= phi;
    forget(oldest, phi);
    support.pop_front();
  }

  std::deque<Vector> support;
  Forgotten forgotten;  // what the bound adds up: L, A, P and D of kernel_perceptron.h

 private:
  // Of a vector about to be removed, after all were multiplied by phi.
  void forget(const Vector& gone, double phi) {
    const double lambda = std::abs(gone.coefficient);
    const double margin = (gone.coefficient > 0 ? 1 : -1) * score(gone.x);
    forgotten.removed += 1;
    forgotten.amounts += lambda;
    forgotten.damage += lambda * (lambda * kernel(gone.x, gone.x) - 2 * margin);
    forgotten.shrinking += (1 - phi) / (1 + phi);
  }

  void project(const std::vector<double>& x, double amount, bool full) {
    const std::size_t n = support.size();
    std::vector<std::vector<double>> rows(n, std::vector<double>(n + 1));
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < n; ++k) rows[i][k] = kernel(support[i].x, support[k].x);
      rows[i][n] = kernel(support[i].x, x);
    }
    double left = kernel(x, x);
    const std::vector<std::vector<double>> given = rows;
    for (std::size_t p = 0; p < n; ++p) {
      for (std::size_t i = 0; i < n; ++i) {
        if (i == p) continue;
        const double factor = rows[i][p] / rows[p][p];
        for (std::size_t k = 0; k <= n; ++k) rows[i][k] -= factor * rows[p][k];
      }
    }
    for (std::size_t i = 0; i < n; ++i) left -= rows[i][n] / rows[i][i] * given[i][n];
    const double least = std::max(options_.residual * options_.residual, 0x1p-40) * kernel(x, x);
    if (std::abs(left - least) < 1e-9) close = true;
    if (!full && left > least) {
      support.push_back({x, amount});
      return;
    }
    for (std::size_t i = 0; i < n; ++i) support[i].coefficient += amount * rows[i][n] / rows[i][i];
    forgotten.removed += 1;
    forgotten.residuals += std::abs(amount) * std::sqrt(std::max(left, 0.0));
  }

  BiasOptions bias_;
  KernelOptions options_;
  Generator draws_;
  double updates_ = 0, control_ = 0, radius_ = 0;

 public:
  bool close = false;  // a decision hung on rounding
};

TEST(KernelPerceptron, FollowsTheSlowAccount) {
  int compared = 0, told = 0;
  for (std::uint64_t seed = 1; seed <= 800 && !HasFailure(); ++seed) {
    Chance chance(seed);
    Composition c = kernel_composition(chance);
    c.order = OrderName::stream;
    if (!chance.one_in(4)) give_budget(c, chance);
    World world = binary_world(chance, {Bias::none, 1}, false, true);
    for (int k = 0; k < 20; ++k) {
      Point point =
          world.points.empty() ? Point{{1.0}, 1, 1.0} : world.points[static_cast<std::size_t>(k) % world.points.size()];
      if (k % 3 != 0) {
        for (double& value : point.x) value += chance.real(-0.5, 0.5);
      }
      point.label = chance.between(0, 1);
      world.points.push_back(point);
    }
    const KernelOptions options = kernel_options(c);
    Played run(c, world);
    Slow slow(c);
    std::vector<double> scores;
    run.learner->observer = [&](const RoundView& view) { scores.push_back(view.outcome.score); };
    run.play({Clean::no, 1, {}, {}}, chance.draws());
    ASSERT_EQ(scores.size(), world.points.size());
    bool all = true;
    for (std::size_t t = 0; t < world.points.size(); ++t) {
      const Point& point = world.points[t];
      const double score = slow.score(point.x);
      all = !slow.close && (std::abs(score) >= 1e-9 || slow.support.empty());
      if (slow.close || (std::abs(score) < 1e-9 && !slow.support.empty())) break;
      ++compared;
      ASSERT_NEAR(scores[t], score, 1e-7 * (1 + std::abs(score)))
          << seed << ", round " << t << ", " << name_of(options.eviction);
      const double sign = point.label == 1 ? 1 : -1;
      if (is_mistake(c.tie, sign, scores[t])) slow.learn(point.x, sign);
    }
    if (all && !slow.close) {
      const Forgotten found = forgotten_in(run.learner->save().kernel);
      const Forgotten& want = slow.forgotten;
      const double hair = 1e-6 * (1 + want.amounts) * (1 + want.amounts) * (1 + want.removed);
      EXPECT_EQ(found.removed, options.budget ? want.removed : 0) << seed;
      if (options.eviction != Eviction::projectron) {
        EXPECT_NEAR(found.amounts, want.amounts, hair) << seed;
        EXPECT_NEAR(found.damage, want.damage, hair * (1 + std::abs(want.damage))) << seed;
        EXPECT_NEAR(found.shrinking, want.shrinking, hair) << seed;
      } else {
        EXPECT_GE(found.residuals, want.residuals * (1 - 1e-9)) << seed;
        EXPECT_LE(found.residuals, want.residuals + 1e-3 * (1 + want.removed)) << seed;
      }
      told += want.removed > 0;
    }
    const double squared = evaluate_margins(run.rows, last_of(run)).evaluation.squared_norm;
    EXPECT_NEAR(run.learner->squared_norm(), squared, 1e-6 * (1 + squared)) << seed;
    if (options.budget) {
      EXPECT_LE(run.learner->save().kernel.coefficient.size(), *options.budget);
    }
  }
  EXPECT_GT(compared, 12000);
  EXPECT_GT(told, 200);
}

// Any function of the space is a comparator: the run's own, at last and on average; that of a run without a budget; and
// one of random coefficients.
std::vector<KernelExpansion> comparators_of(const Played& run, Chance& chance) {
  std::vector<KernelExpansion> all{last_of(run), result_of(run)};
  Composition free = run.composition;
  for (const Parameter* parameter : {&parameter::budget, &parameter::eviction, &parameter::residual}) {
    free.parameters.erase(std::string(parameter->name));
  }
  free.keep = KeepName::average;
  free.order = OrderName::cyclic;
  Played other(free, run.world);
  other.play({Clean::pass, 10, 200, {}}, chance.draws());
  all.push_back(result_of(other));
  KernelExpansion any(kernel_of(run.composition), run.composition.bias);
  std::vector<double> plain;
  for (std::uint64_t i = 0; i < run.rows.size(); ++i) {
    run.rows.with_row(i, [&](const auto& x) { any.append(kernel_row(x, plain), x.sign() * chance.real(-0.2, 1)); });
  }
  all.push_back(any);
  return all;
}

// k(x, x) of row i.
long double slow_square(const Played& run, std::uint64_t i) {
  const std::vector<double>& x = run.world.points[i].x;
  return Slow(run.composition).kernel(x, x);
}

TEST(KernelBounds, HoldForEveryComparatorAndBudget) {
  int offered = 0;
  int forgetful = 0;
  int close = 0;
  for (std::uint64_t seed = 1; seed <= 3000 && !HasFailure(); ++seed) {
    Chance chance(seed);
    Composition c = kernel_composition(chance);
    const int budget = chance.between(0, 2);
    if (budget > 0) give_budget(c, chance, budget == 1 ? 4 : 12);
    World world = chance.one_in(2) ? integer_world(chance, chance.between(1, 20))
                                   : binary_world(chance, c.bias, chance.one_in(2), true);
    if (world.points.empty()) continue;
    if (chance.one_in(5)) {
      for (Point& point : world.points) point.weight = chance.of({0.5, 1.0, 2.0});
    }
    Played run(c, std::move(world));
    run.play({Clean::pass, 8, 80, {}}, chance.draws());
    for (const KernelExpansion& f : comparators_of(run, chance)) {
      const EvaluatedMargins evaluated = evaluate_margins(run.rows, f, c.tie);
      RunForBound facts = run.for_bound();
      facts.only_mistakes = c.order == OrderName::first_mistake || c.order == OrderName::random_mistake;
      const double removed = forgotten_in(facts.state->kernel).removed;
      const auto bound = bound_of_run(c, facts, {{"any", {}, &evaluated}});
      if (!bound) continue;
      ++offered;
      forgetful += removed > 0;
      close += removed > 5 && bound->value < 3 * static_cast<double>(run.ledger.mistakes);
      EXPECT_LE(run.ledger.mistakes, whole_mistakes(bound->value))
          << seed << " " << bound->theorem << " " << name_of(c.choice<Eviction>(parameter::eviction));
      EXPECT_EQ(bound->exceeded, run.ledger.mistakes > whole_mistakes(bound->value));
    }
  }
  EXPECT_GT(offered, 5000);
  EXPECT_GT(forgetful, 1500);
  EXPECT_GT(close, 100) << "some bounds of budgets are within a factor of 3";
}

// What is printed is the theorem of kernel_perceptron.h, at a scale that is hardly worse than the best.
TEST(KernelBounds, WhatIsPrintedIsTheTheorem) {
  int separators = 0, hinges = 0, budgets = 0, projectrons = 0, close = 0;
  for (std::uint64_t seed = 1; seed <= 600 && !HasFailure(); ++seed) {
    Chance chance(seed);
    Composition c = kernel_composition(chance);
    c.order = chance.of({OrderName::stream, OrderName::cyclic, OrderName::shuffled});
    if (chance.one_in(2)) give_budget(c, chance);
    World world = integer_world(chance, chance.between(1, 20));
    Played run(c, std::move(world));
    run.play({Clean::no, 4, {}, {}}, chance.draws());
    const double mistakes = static_cast<double>(run.ledger.mistakes);
    for (const KernelExpansion& f : comparators_of(run, chance)) {
      const EvaluatedMargins evaluated = evaluate_margins(run.rows, f, c.tie);
      const RunForBound facts = run.for_bound();
      const Forgotten gone = forgotten_in(facts.state->kernel);
      const auto bound = bound_of_run(c, facts, {{"any", {}, &evaluated}});
      if (!bound) continue;
      const Evaluation& e = evaluated.evaluation;
      long double squares = 0;  // of the mistakes
      for (const std::uint32_t i : run.moved) squares += slow_square(run, i);
      const auto hinge_sum = [&](long double scale) {
        long double sum = 0;
        for (std::uint64_t i = 0; i < run.rows.size(); ++i) {
          sum += run.times(i) * std::max(0.0L, 1 - scale * static_cast<long double>(evaluated.margin[i]));
        }
        return sum;
      };
      const long double norm = std::sqrt(static_cast<long double>(e.squared_norm));
      const long double radius = e.radius_squared;
      long double expected = 0;
      if (bound->margin > 0) {
        ++separators;
        expected = radius * e.squared_norm / (static_cast<long double>(e.smallest_margin) * e.smallest_margin);
      } else if (gone.removed > 0 && c.choice<Eviction>(parameter::eviction) != Eviction::projectron) {
        ++budgets;
        expected = least([&](long double scale) {
          return 2 * hinge_sum(scale) + radius * scale * scale * norm * norm * (1 + gone.shrinking) +
                 gone.damage / radius + 2 * gone.amounts;
        });
      } else {
        (gone.removed > 0 ? projectrons : hinges) += 1;
        expected = least(
            [&](long double scale) { return hinge_sum(scale) + scale * norm * (std::sqrt(squares) + gone.residuals); });
      }
      EXPECT_GE(bound->value, expected * (1 - 1e-7L)) << seed << " " << bound->theorem;
      close += bound->value <= expected * 1.05L + 0.05L * (1 + mistakes);  // others allow for the errors of scores
    }
  }
  EXPECT_GT(close, 9 * (separators + hinges + budgets + projectrons) / 10);
  EXPECT_GT(separators, 100);
  EXPECT_GT(hinges, 100);
  EXPECT_GT(budgets, 100);
  EXPECT_GT(projectrons, 100);
}

// What the Forgetron promises of itself: the damage stays within 15/32 of the mistakes, and no coefficient exceeds 1.
TEST(Forgetron, TheDamageIsPaidFor) {
  std::uint64_t shrunk = 0;
  for (std::uint64_t seed = 1; seed <= 300 && !HasFailure(); ++seed) {
    Chance chance(seed);
    Composition c = kernel_composition(chance);
    give_budget(c, chance);
    const double budget = c.value(parameter::budget);
    c.parameters.clear();
    c.set(parameter::kernel, KernelName::gaussian).set(parameter::gamma, 0.5);
    c.set(parameter::budget, budget).set(parameter::eviction, Eviction::forgetron);
    Played run(c, integer_world(chance, 30));
    run.learner->observer = [&](const RoundView& view) {
      if (!view.outcome.updated) return;
      const KernelState state = run.learner->save().kernel;
      EXPECT_LE(state.numbers[3], 15.0 / 32 * state.numbers[0] + 1e-9);
      for (const double coefficient : state.coefficient) EXPECT_LE(std::abs(coefficient), 1);
    };
    run.play({Clean::pass, 5, 150, {}}, chance.draws());
    shrunk += forgotten_in(run.learner->save().kernel).shrinking > 0;
  }
  EXPECT_GT(shrunk, 100U);
}

// Margins are never above the exact ones, norms never below: doubles of the data, long doubles judge.
TEST(KernelEvaluatedMargins, ErrsOnTheSafeSide) {
  for (std::uint64_t seed = 1; seed <= 300 && !HasFailure(); ++seed) {
    Chance chance(seed);
    const Composition c = kernel_composition(chance);
    World world = binary_world(chance, c.bias, false, true);
    if (world.points.empty()) continue;
    Played run(c, std::move(world));
    run.play({Clean::pass, 6, 60, {}}, chance.draws());
    const KernelExpansion f = last_of(run);
    const EvaluatedMargins evaluated = evaluate_margins(run.rows, f, c.tie);
    const auto kernel = [&](const std::vector<double>& a, const std::vector<double>& b) {
      long double inner = 0;
      long double distance = 0;
      for (std::size_t j = 0; j < a.size(); ++j) {
        inner += static_cast<long double>(a[j]) * b[j];
        const long double apart = static_cast<long double>(a[j]) - b[j];
        distance += apart * apart;
      }
      const Kernel& k = f.kernel();
      const long double value = k.name == KernelName::linear ? inner
                                : k.name == KernelName::polynomial
                                    ? powl(static_cast<long double>(k.gamma) * inner + k.offset, k.degree)
                                    : expl(-static_cast<long double>(k.gamma) * distance);
      return value + static_cast<long double>(c.bias.squared());
    };
    const auto dense = [&](std::size_t i) {
      std::vector<double> x(features_of(run.world.points), 0.0);
      const KernelRow row = f.row(i);
      for (std::uint32_t k = 0; k < row.size; ++k) x[row.index[k]] = row.value[k];
      return x;
    };
    const auto score = [&](const std::vector<double>& x) {
      long double sum = 0;
      for (std::size_t i = 0; i < f.size(); ++i) sum += f.coefficients()[i] * kernel(dense(i), x);
      return sum;
    };
    long double smallest = 1e300L;
    for (std::size_t i = 0; i < run.world.points.size(); ++i) {
      const Point& point = run.world.points[i];
      const long double exact = (point.label == 1 ? 1 : -1) * score(point.x);
      smallest = std::min(smallest, exact);
      EXPECT_LE(evaluated.margin[i], exact) << seed;
      EXPECT_GE(evaluated.margin[i], exact - 1e-6L * (1 + std::abs(exact)) * static_cast<long double>(f.size() + 1))
          << seed;
      EXPECT_GE(evaluated.evaluation.radius_squared, kernel(point.x, point.x)) << seed;
    }
    EXPECT_LE(evaluated.evaluation.smallest_margin, smallest);
    long double squared = 0;
    for (std::size_t i = 0; i < f.size(); ++i) squared += f.coefficients()[i] * score(dense(i));
    EXPECT_GE(evaluated.evaluation.squared_norm, squared) << seed;
    EXPECT_LE(evaluated.evaluation.least_squared_norm, squared) << seed;
  }
}

// Rare features stand in lists, common ones in dense columns; places are taken over. The values are those of the rows.
TEST(KernelExpansion, ValuesAreThoseOfTheRowsWhateverHasBeenReplaced) {
  for (std::uint64_t seed = 1; seed <= 20 && !HasFailure(); ++seed) {
    Chance chance(seed);
    KernelExpansion f({KernelName::linear, 1, 2, 1}, {Bias::none, 1});
    std::vector<std::vector<double>> rows;
    const auto random_row = [&] {
      std::vector<double> x(12, 0.0);
      for (std::size_t j = 0; j < x.size(); ++j) {
        if (chance.real(0, 1) < static_cast<double>(j + 1) / 12) x[j] = chance.between(-3, 3);
      }
      return x;
    };
    const auto with = [](const std::vector<double>& x, auto&& use) {
      std::vector<std::uint32_t> index;
      std::vector<double> value;
      for (std::size_t j = 0; j < x.size(); ++j) {
        if (x[j] == 0) continue;
        index.push_back(static_cast<std::uint32_t>(j));
        value.push_back(x[j]);
      }
      use(KernelRow{index.data(), value.data(), static_cast<std::uint32_t>(index.size()), 0, 1.0,
                    kernels::squared_norm(value.data(), value.size()), 0});
    };
    for (int step = 0; step < 400; ++step) {
      const std::vector<double> x = random_row();
      with(x, [&](const KernelRow& row) {
        if (rows.size() < 100 || chance.one_in(4)) {
          f.append(row, 1);
          rows.push_back(x);
        } else {
          const auto i = static_cast<std::size_t>(chance.between(0, static_cast<int>(rows.size()) - 1));
          f.replace(i, row, 1);
          rows[i] = x;
        }
      });
      const std::vector<double> query = random_row();
      std::vector<double> values;
      with(query, [&](const KernelRow& row) {
        f.values(row, values);
        ASSERT_EQ(values.size(), rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
          double inner = 0;
          for (std::size_t j = 0; j < query.size(); ++j) inner += query[j] * rows[i][j];
          ASSERT_EQ(values[i], inner) << seed << " " << step;
        }
        const auto found = f.find(row);
        const auto first = std::find(rows.begin(), rows.end(), query);
        ASSERT_EQ(found.has_value(), first != rows.end());
        if (found) {
          ASSERT_EQ(*found, static_cast<std::size_t>(first - rows.begin()));
        }
      });
    }
  }
}

// 1 over the median of squared distances, of squared lengths for a polynomial, by plain arithmetic on dense points.
TEST(KernelExpansion, AGaussianKernelRefusesRowsWithoutDistances) {
  const std::uint32_t index = 0;
  for (const double value : {1e153, 1e154, 1e200}) {
    const KernelRow x{&index, &value, 1, 7, 1.0, value * value, 0};
    KernelExpansion linear({.name = KernelName::linear}, {}), gaussian({}, {});
    EXPECT_NO_THROW(linear.append(x, 1));
    if (value < 1e154) {
      EXPECT_NO_THROW(gaussian.append(x, 1));
      std::vector<double> values;
      gaussian.values(x, values);
      EXPECT_EQ(values.at(0), 1 + BiasOptions().squared());
    } else {
      EXPECT_THROW(gaussian.append(x, 1), Error);
    }
  }
}

TEST(KernelPerceptron, GammaIsSuitedToTheFirstRows) {
  Chance chance(31);
  for (int trial = 0; trial < 60; ++trial) {
    World world = integer_world(chance, chance.between(1, 40));
    for (Point& point : world.points) {
      for (double& x : point.x) x *= chance.of({0.5, 1.0, 300.0});
    }
    Composition c;
    c.rule = rule::kernel;
    c.set(parameter::kernel, chance.of({KernelName::polynomial, KernelName::gaussian}));
    ASSERT_TRUE(needs_tuning(c));
    const bool gaussian = c.choice<KernelName>(parameter::kernel) == KernelName::gaussian;
    const std::size_t half = world.points.size() / 2;
    std::vector<double> squares;
    for (std::size_t i = 0; i < (gaussian ? half : world.points.size()); ++i) {
      double square = 0;
      for (std::size_t j = 0; j < world.points[i].x.size(); ++j) {
        const double other = gaussian ? world.points[i + half].x[j] : 0;
        square += (world.points[i].x[j] - other) * (world.points[i].x[j] - other);
      }
      if (square > 0) squares.push_back(square);
    }
    std::sort(squares.begin(), squares.end());
    const double expected = squares.empty() ? 1 : 1 / squares[squares.size() / 2];
    const Composition suited = tune_defaults(c, rows_of(world.points));
    EXPECT_NEAR(suited.value(parameter::gamma), expected, 0.005 * expected);
    EXPECT_FALSE(needs_tuning(suited));
    EXPECT_EQ(tune_defaults(suited, Rows()).value(parameter::gamma), suited.value(parameter::gamma));
  }
  Composition linear;
  linear.rule = rule::kernel;
  EXPECT_FALSE(needs_tuning(linear.set(parameter::kernel, KernelName::linear)));
}

// The squared distance of such rows is infinity less infinity, which std::max() takes for 0: all rows were one.
TEST(KernelPerceptron, RowsWhoseSquaresLeaveTheDoublesAreRefused) {
  Composition c;
  c.rule = rule::kernel;
  c.order = OrderName::stream;
  c.tie = Tie::mistake;
  const Points points = {{{1e200, 1e200}, 1}, {{1e200, 2e200}, 0}};
  const auto learner = make_learner(c, 2);
  Ledger ledger;
  ledger.pass.emplace_back();
  EXPECT_THROW(learner->play(rows_of(points).block(0), 0, {}, ledger), Error);
}

TEST(KernelPerceptron, WhatMakesNoSenseIsRefusedWithAFix) {
  const auto refused = [](const std::string& what, const std::function<void(Composition&)>& change) {
    Composition c;
    c.rule = rule::kernel;
    EXPECT_NO_THROW(make_learner(c, 2));
    change(c);
    try {
      make_learner(c, 2);
      ADD_FAILURE() << "no error: " << render_options(what);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      EXPECT_TRUE(error.message().starts_with(what)) << error.what() << ", not " << render_options(what);
      EXPECT_FALSE(error.hint().empty()) << error.what();
    }
  };
  refused(option("keep", "vote"), [](Composition& c) { c.keep = KeepName::vote; });
  refused(option("keep", "pocket"), [](Composition& c) { c.keep = KeepName::pocket; });
  refused(option("rate"), [](Composition& c) { c.set(parameter::rate, 0.5); });
  refused(option("start", "small"), [](Composition& c) { c.start.small = true; });
  refused(option("budget"), [](Composition& c) { c.set(parameter::budget, 0); });
  refused(option("gamma"), [](Composition& c) { c.set(parameter::gamma, 0); });
  refused(option("eviction"), [](Composition& c) { c.set(parameter::eviction, Eviction::forgetron); });
  refused(option("residual"), [](Composition& c) { c.set(parameter::residual, 0.5); });
  refused(option("keep", "average"), [](Composition& c) {
    c.set(parameter::budget, 5);
    c.keep = KeepName::average;
  });
  refused(option("budget"), [](Composition& c) {
    c.rule = rule::perceptron;
    c.set(parameter::budget, 5);
  });
  // Out of their domains beside the kernel that has them, and beside one that has not.
  for (const KernelName kernel : {KernelName::polynomial, KernelName::gaussian, KernelName::linear}) {
    refused(option("degree"), [&](Composition& c) { c.set(parameter::kernel, kernel).set(parameter::degree, 0); });
    refused(option("offset"), [&](Composition& c) { c.set(parameter::kernel, kernel).set(parameter::offset, -1); });
  }
  // What would do nothing.
  refused(option("gamma"),
          [](Composition& c) { c.set(parameter::kernel, KernelName::linear).set(parameter::gamma, 2); });
  refused(option("degree"), [](Composition& c) { c.set(parameter::degree, 3); });
  refused(option("offset"), [](Composition& c) { c.set(parameter::offset, 2); });
  refused(option("residual"), [](Composition& c) {
    c.set(parameter::budget, 5).set(parameter::eviction, Eviction::forgetron).set(parameter::residual, 0.5);
  });
}

}  // namespace
}  // namespace halfspace::testing
