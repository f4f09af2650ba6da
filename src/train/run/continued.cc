// Computes the state of a learner from the slopes at a minimum.
#include "train/run/continued.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "halfspace/detail/base/softmax.h"
#include "halfspace/detail/linear/weights/class.h"
#include "halfspace/detail/rules/multinomial.h"
#include "halfspace/detail/rules/nag.h"
#include "halfspace/detail/rules/slope.h"
#include "halfspace/train/train.h"

namespace halfspace::training {
namespace {

// The units of features, and the squared slopes of their weights.
class Slopes {
 public:
  Slopes(const ClassWeightVector& weights, std::size_t features, const Composition& next)
      : weights_(weights),
        together_(next.rule == rule::multinomial),
        bias_(next.bias.position == Bias::none ? 0.0 : next.bias.scale),
        coordinates_(features + (bias_ == 0 ? 0 : 1)),
        largest_(coordinates_, 0.0),
        squares_(coordinates_ * weights.classes, 0.0),
        scores_(weights.classes),
        slope_(weights.classes) {
    if (!together_) loss_ = next.choice<MarginLoss>(parameter::loss);
    if (bias_ != 0) largest_.back() = std::abs(bias_);
  }

  template <class X>
  void widen(const X& x) {
    for (std::uint32_t i = 0; i < x.size; ++i)
      largest_[x.index[i]] = std::max(largest_[x.index[i]], std::abs(x.value_at(i)));
  }
  // After all rows were seen.
  template <class X>
  void add(const X& x) {
    find_slopes(x);
    rounds_ += x.weight;
    double normalised = bias_ == 0 ? 0 : 1;
    for (std::uint32_t i = 0; i < x.size; ++i) {
      if (x.value_at(i) == 0) continue;
      const double r = x.value_at(i) / largest_[x.index[i]];
      normalised += r * r;
      add_squares(x.index[i], x.weight * (r * r));
    }
    if (bias_ != 0) add_squares(coordinates_ - 1, x.weight);
    total_ += x.weight * normalised;
  }

  // Writes what was added into the state of a learner.
  void give(LearnerState& state) const {
    const std::size_t vectors = weights_.classes;
    std::vector<double> units = largest_;
    for (std::size_t j = 0; j < coordinates_; ++j) {
      // A weight that no row showed, of a missing value, counts as one of an indicator.
      if (units[j] == 0) units[j] = 1;
    }
    state.moments.clear();
    if (together_) {
      state.numbers = {rounds_, total_};
      for (std::size_t j = 0; j < coordinates_; ++j) {
        state.moments.push_back(units[j]);
        for (std::size_t k = 0; k < vectors; ++k) state.moments.push_back(squares_[j * vectors + k]);
      }
      return;
    }
    state.numbers.clear();
    for (std::size_t k = 0; k < vectors; ++k) {
      state.numbers.insert(state.numbers.end(), {rounds_, total_});
      for (std::size_t j = 0; j < coordinates_; ++j) {
        state.moments.push_back(units[j]);
        state.moments.push_back(squares_[j * vectors + k] * (units[j] * units[j]));
      }
    }
  }

 private:
  template <class X>
  void find_slopes(const X& x) {
    score_classes(weights_, {Bias::last, bias_}, x, scores_.data());
    const auto label = static_cast<std::uint32_t>(x.label);
    if (together_) {
      softmax(scores_, 1, slope_);
      slope_[label] -= 1;
      return;
    }
    for (std::size_t k = 0; k < slope_.size(); ++k) {
      const double sign = label == (slope_.size() == 1 ? 1 : k) ? 1.0 : -1.0;
      slope_[k] = slope_of(loss_, sign * scores_[k]);
    }
  }
  void add_squares(std::size_t j, double count) {
    double* const of = squares_.data() + j * slope_.size();
    for (std::size_t k = 0; k < slope_.size(); ++k) of[k] += count * (slope_[k] * slope_[k]);
  }

  const ClassWeightVector& weights_;
  bool together_;
  double bias_;
  std::size_t coordinates_;
  std::vector<double> largest_;  // s, of each feature, then of the bias
  std::vector<double> squares_;  // n / s^2, of each of these and vector
  std::vector<double> scores_, slope_;
  MarginLoss loss_ = MarginLoss::logistic;
  double rounds_ = 0, total_ = 0;
};

template <class Use>
void for_each_row(const Rows& rows, const Use& use) {
  UnpackBuffer room;
  for (std::size_t b = 0; b < rows.blocks(); ++b) {
    const Block block = rows.block(b).plain(room);
    for (std::size_t i = 0; i < block.rows; ++i) block.with_example(i, use);
    rows.release(b);
  }
}

}  // namespace

Composition continued(const Composition& minimum, const Objective& objective, const Labels& labels) {
  Composition next = minimum;
  const bool together = objective.jointly && labels.names.size() > 2;
  next.rule = together ? rule::multinomial : rule::nag;
  next.order = OrderName::stream;
  next.keep = KeepName::last;
  next.several_classes = SeveralClasses::own;
  next.parameters.clear();
  if (!together) next.set(parameter::loss, static_cast<double>(objective.loss));
  return fit_to_labels(std::move(next), labels);
}

bool continue_from(const ClassWeightVector& weights, const Rows& rows, const Composition& composition,
                   Learner& learner) {
  const std::size_t features = weights.w.size() / weights.classes;
  learner.grow(static_cast<std::uint32_t>(features));
  LearnerState state = learner.save();
  state.weights = weights;
  Slopes slopes(weights, features, composition);
  for_each_row(rows, [&](const auto& x) { slopes.widen(x); });
  for_each_row(rows, [&](const auto& x) { slopes.add(x); });
  slopes.give(state);
  const auto number = [](double value) { return std::isfinite(value); };
  if (!std::all_of(state.moments.begin(), state.moments.end(), number) ||
      !std::all_of(state.numbers.begin(), state.numbers.end(), number))
    return false;
  learner.restore(state);
  return true;
}

}  // namespace halfspace::training
