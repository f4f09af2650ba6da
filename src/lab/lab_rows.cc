// Draws the rows of the labs, and runs the game on them.
#include "lab/lab_rows.h"

#include <algorithm>
#include <cmath>

#include "base/stop.h"
#include "halfspace/bounds/formulas.h"
#include "halfspace/linear/rule.h"
#include "halfspace/rules/rule_entry.h"

namespace halfspace::lab {

Linear<Perceptron> perceptron(Tie tie, std::size_t dimension, double rate) {
  Linear<Perceptron> learner(Perceptron{tie, rate}, Weights(BiasOptions{Bias::none, 1}));
  learner.grow(static_cast<std::uint32_t>(dimension));
  return learner;
}

Vector random_signs(Generator& draws, std::size_t dimension) {
  Vector x(dimension);
  for (double& value : x) value = draws.next() < 0.5 ? -1 : 1;
  return x;
}

Vector random_direction(Generator& draws, std::size_t dimension) {
  Vector u(dimension);
  for (double& value : u) value = gaussian(draws);
  const double norm = std::sqrt(dot(u, u));
  for (double& value : u) value /= norm;
  return u;
}

Labelled separable_rows(Generator& draws, std::size_t count, const Vector& u, double margin) {
  Labelled rows;
  rows.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    Vector x(u.size());
    for (double& value : x) value = 2 * draws.next() - 1;
    const int label = dot(u, x) > 0 ? 1 : 0;
    for (std::size_t j = 0; j < x.size(); ++j) x[j] += sign_of(label) * margin * u[j];
    rows.emplace_back(std::move(x), label);
  }
  return rows;
}

Labelled majorities_of_three(Generator& draws, std::size_t count, std::size_t dimension) {
  Labelled rows;
  rows.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    Vector x = random_signs(draws, dimension);
    const int label = x[0] + x[1] + x[2] > 0 ? 1 : 0;
    rows.emplace_back(std::move(x), label);
  }
  return rows;
}

Labelled clouds(std::size_t count, std::size_t dimension, Generator& draws) {
  Labelled rows;
  for (std::size_t i = 0; i < count; ++i) {
    const int label = draws.next() < 0.5 ? 0 : 1;
    Vector x(dimension);
    for (double& value : x) value = gaussian(draws);
    x[0] += label == 1 ? 1.5 : -1.5;
    rows.emplace_back(std::move(x), label);
  }
  return rows;
}

std::size_t flip_labels(Labelled& rows, double probability, Generator& draws) {
  std::size_t flipped = 0;
  for (auto& [x, label] : rows) {
    if (draws.next() >= probability) continue;
    label = 1 - label;
    ++flipped;
  }
  return flipped;
}

double radius_squared_of(const Labelled& rows) {
  double largest = 0;
  for (const auto& [x, label] : rows) largest = std::max(largest, dot(x, x));
  return largest;
}

double least_margin(const Labelled& rows, const Vector& w) {
  double least = INFINITY;
  for (const auto& [x, label] : rows) least = std::min(least, sign_of(label) * dot(w, x));
  return least;
}

std::uint64_t errors_on(const Labelled& rows, const Vector& w) {
  return static_cast<std::uint64_t>(std::count_if(rows.begin(), rows.end(), [&](const auto& row) {
    return predicts_positive(Tie::mistake, dot(w, row.first)) != (sign_of(row.second) > 0);
  }));
}

double novikoff_of(const Labelled& rows, const Vector& u) {
  // The margin and the norms are computed in doubles, which may err by a few units in the last place.
  return novikoff_bound(radius_squared_of(rows), dot(u, u), least_margin(rows, u)) * (1 + 1e-12);
}

LabRun::LabRun(const Labelled& labelled, Composition composition, const std::atomic<bool>* its_interrupt)
    : order(composition.order), interrupt(its_interrupt) {
  composition.bias = {Bias::none, 1};
  BlockBuffer buffer;
  buffer.clear();
  std::uint64_t row = 0;
  for (const auto& [x, label] : labelled) {
    for (std::uint32_t j = 0; j < x.size(); ++j) buffer.add(j, x[j]);
    buffer.end_row(label, ++row);
  }
  rows.append(buffer.finish());
  rows.seal();
  learner = make_learner(composition, 2);
  learner->grow(static_cast<std::uint32_t>(labelled.front().first.size()));
}

void LabRun::begin_at(const Vector& w) {
  LearnerState state = learner->save();
  state.weights.w = w;
  learner->restore(state);
}

void LabRun::play(const Until& until, Draws& draws, std::function<void(const Ledger&)> on_pause) {
  Game game{.order = order, .until = until};
  game.interrupt = interrupt;
  game.on_pause = std::move(on_pause);
  halfspace::play(*learner, rows, game, draws, ledger);
  stop_if(interrupt);
}

}  // namespace halfspace::lab
