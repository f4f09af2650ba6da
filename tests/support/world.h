// Random small worlds for property tests: data with or without a separator behind them, played by any composition, with
// everything written down that a theorem may speak of. All of it follows from the seed.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "halfspace/base/random.h"
#include "halfspace/bounds/formulas.h"
#include "halfspace/detail/bounds/bound_search.h"
#include "halfspace/detail/linear/weights/class.h"
#include "halfspace/game/game.h"
#include "halfspace/game/learner.h"
#include "halfspace/rules/minnow.h"
#include "halfspace/rules/rule_entry.h"
#include "support/points.h"

namespace halfspace::testing {

class Chance {
 public:
  explicit Chance(std::uint64_t seed) : draws_(seed) {}
  int between(int low, int high) {
    return low + static_cast<int>(pick(draws_, static_cast<std::uint64_t>(high - low + 1)));
  }
  bool one_in(int n) { return between(1, n) == 1; }
  double real(double low, double high) { return low + (high - low) * draws_.next(); }
  double normal() { return gaussian(draws_); }
  template <class T>
  T of(std::initializer_list<T> choices) {
    return choices.begin()[between(0, static_cast<int>(choices.size()) - 1)];
  }
  Generator& draws() { return draws_; }

 private:
  Generator draws_;
};

// The bias coordinate and the features of a point in one vector.
inline std::vector<double> with_bias(const Point& point, BiasOptions bias) {
  std::vector<double> x = point.x;
  if (bias.position != Bias::none) x.push_back(bias.scale);
  return x;
}

struct World {
  Points points;
  ClassWeightVector teacher;  // separates the points with functional margin > 0 when `separable`
  bool separable = false;
};

// Binary points with integer coordinates (or, `real`, arbitrary doubles). Noise flips labels; separable worlds keep
// only points on which the teacher is sure.
inline World binary_world(Chance& chance, BiasOptions bias, bool separable, bool real = false) {
  World world;
  world.separable = separable;
  const int d = chance.between(1, 5);
  const int n = chance.between(1, 14);
  std::vector<double> u;
  for (int j = 0; j < d; ++j) u.push_back(real ? chance.normal() : chance.between(-3, 3));
  const double u_bias = bias.position == Bias::none ? 0.0 : real ? chance.normal() : chance.between(-2, 2);
  for (int i = 0; i < n; ++i) {
    Point point;
    for (int j = 0; j < d; ++j) point.x.push_back(real ? 2 * chance.normal() : chance.between(-3, 3));
    double score = u_bias * bias.scale;
    for (int j = 0; j < d; ++j) score += u[static_cast<std::size_t>(j)] * point.x[static_cast<std::size_t>(j)];
    point.label = score > 0 ? 1 : 0;
    if (separable && std::abs(score) < 1e-3) continue;
    if (!separable && chance.one_in(5)) point.label = 1 - point.label;
    world.points.push_back(point);
  }
  world.teacher = {1, u, {u_bias}};
  return world;
}

inline World multiclass_world(Chance& chance, BiasOptions bias, bool separable, std::uint32_t classes) {
  World world;
  world.separable = separable;
  const int d = chance.between(1, 4);
  const int n = chance.between(1, 12);
  world.teacher.classes = classes;
  for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(d) * classes; ++i) {
    world.teacher.w.push_back(chance.between(-3, 3));
  }
  for (std::uint32_t k = 0; k < classes; ++k) {
    world.teacher.bias.push_back(bias.position == Bias::none ? 0 : chance.between(-2, 2));
  }
  for (int i = 0; i < n; ++i) {
    Point point;
    for (int j = 0; j < d; ++j) point.x.push_back(chance.between(-3, 3));
    std::vector<double> scores(classes);
    for (std::uint32_t k = 0; k < classes; ++k) {
      scores[k] = world.teacher.bias[k] * bias.scale;
      for (std::size_t j = 0; j < point.x.size(); ++j) scores[k] += world.teacher.w[j * classes + k] * point.x[j];
    }
    point.label = highest(scores.data(), classes);
    const double best = scores[static_cast<std::size_t>(point.label)];
    bool sure = true;
    for (std::uint32_t k = 0; k < classes; ++k) {
      sure &= static_cast<std::int32_t>(k) == point.label || scores[k] < best - 1e-3;
    }
    if (separable && !sure) continue;
    if (!separable && chance.one_in(5)) point.label = chance.between(0, static_cast<int>(classes) - 1);
    world.points.push_back(point);
  }
  return world;
}

// A finished run.
struct Played {
  Played(Composition c, World w, std::uint32_t classes = 2)
      : composition(c), world(std::move(w)), rows(rows_of(world.points)), learner(make_learner(c, classes)) {
    learner->grow(features_of(world.points));
    if (c.start.small) start = learner->present();
    learner->moved = &moved;
  }

  // Weights to start from, in place of those of the composition.
  void begin_at(const ClassWeightVector& weights) {
    LearnerState state = learner->save();
    state.weights = weights;
    learner->restore(state);
    start = weights;
  }

  void play(const Until& until, Draws& draws) {
    Game game{.order = composition.order, .until = until};
    halfspace::play(*learner, rows, game, draws, ledger, {.order = nullptr, .visits = &visits});
  }

  // How often row i was played since the ledger `before`.
  double times(std::uint64_t i) const {
    switch (composition.order) {
      case OrderName::stream:
      case OrderName::cyclic:
        return static_cast<double>(ledger.rounds / rows.size() + (i < ledger.rounds % rows.size() ? 1 : 0));
      default:
        return i < visits.size() ? visits[i] : 0;
    }
  }

  RunForBound for_bound() const {
    RunForBound run;
    run.bias = composition.bias;
    run.tie = composition.tie;
    run.ledger = &ledger;
    run.dimension = features_of(world.points) + (composition.bias.position == Bias::none ? 0U : 1U);
    run.rows = &rows;
    run.visits = [this](std::uint64_t i) { return times(i); };
    if (!start.bias.empty()) run.start = &start;
    at_the_end = learner->save();
    run.state = &at_the_end;
    return run;
  }

  Composition composition;
  World world;
  Rows rows;
  std::unique_ptr<Learner> learner;
  ClassWeightVector start;  // empty: from 0
  Ledger ledger;
  std::vector<std::uint32_t> moved, visits;
  mutable LearnerState at_the_end;  // at the last for_bound()
};

}  // namespace halfspace::testing
