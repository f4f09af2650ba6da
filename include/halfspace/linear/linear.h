// A binary linear learner: a rule over weights, and a keeper.
//
//   Linear learner(Perceptron{}, Weights(bias), KeepName::average);
//   learner.grow(features);                    // indices of the rows to come are below this
//   const Outcome outcome = learner.round(x);  // predict, see the truth, update
//   const WeightVector w = learner.result();
//
// Everything in round() is resolved at compile time; it allocates nothing. Throws Error(data) when the weights leave
// the finite doubles.
// A row of weight 0 is scored, but is no round: it is never a mistake, causes no update, and ages no weights.
//
// Thread-safety: one thread. Ownership: owns its weights.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "halfspace/detail/linear/vote.h"
#include "halfspace/detail/linear/weights/plain.h"
#include "halfspace/detail/linear/weights/weights.h"
#include "halfspace/linear/keep.h"
#include "halfspace/linear/rule.h"

namespace halfspace {

// Convert the state of weights, rule and keeper to the common shape and back.
template <class W, class Rule, class Keep>
LearnerState save_state(const W& weights, const Rule& rule, const Keep& keep, std::uint64_t finished) {
  LearnerState state;
  state.finished = finished;
  state.weights = flat(weights.stored());
  NumberWriter numbers(state.numbers);
  describe_numbers(weights, numbers);
  describe_numbers(rule, numbers);
  describe_numbers(keep, numbers);
  if constexpr (HasMoments<W>) weights.save_moments(state.moments);
  keep.save(state);
  return state;
}
// Throws Error(data) if the state does not fit.
template <class W, class Rule, class Keep>
void restore_state(const LearnerState& state, W& weights, Rule& rule, Keep& keep) {
  typename W::Point stored = weights.stored();
  unflatten(state.weights, stored);
  weights.restore(std::move(stored));
  NumberReader numbers(state.numbers);
  describe_numbers(weights, numbers);
  describe_numbers(rule, numbers);
  describe_numbers(keep, numbers);
  numbers.finish();
  if constexpr (requires { weights.restored(); }) weights.restored();
  if constexpr (HasMoments<W>) {
    weights.restore_moments(state.moments);
  } else if (!state.moments.empty()) {
    refuse_state("this rule has no moments");
  }
  keep.restore(state);
}
template <class W, class Rule, class Keep>
StateShape state_shape(const W& weights, const Rule& rule, const Keep& keep) {
  StateShape shape;
  NumberNames names(shape.numbers);
  describe_numbers(weights, names);
  describe_numbers(rule, names);
  describe_numbers(keep, names);
  shape.counts = keep.counts();
  shape.matrix = requires { requires W::moment_matrix; };
  if constexpr (requires { W::moments_each; }) {
    shape.moments_each = W::moments_each;
    // Of several learners some are sums of either sign.
    shape.moments_not_negative = W::moments_each == 1;
  }
  shape.restarts = Restarts<Rule>;
  return shape;
}

// The common part of learners made of a rule, weights and a keeper.
template <class Rule, class W>
class ComposedLearner {
 public:
  using Point = typename W::Point;

  ComposedLearner(Rule rule, W weights, KeepName keep)
      : rule_(std::move(rule)), weights_(std::move(weights)), keep_(keep, weights_) {}

  std::uint32_t features() const noexcept { return weights_.features(); }
  const BiasOptions& bias() const noexcept { return weights_.bias(); }
  void grow(std::uint32_t features) {
    weights_.grow(features);
    keep_.grow(features);
  }
  // Returns the squared norm of a row as the rule sees it, bias coordinate included.
  template <class Value, bool dense>
  double squared_norm(const Example<Value, dense>& x) const {
    return x.squared_norm + weights_.bias().squared();
  }

  // Returns the keeper's weights. Call finish() first if no round follows.
  Point result() const { return keep_.point(weights_, finished_); }
  Point present() const { return weights_.point(); }
  void finish() { keep_.finish(weights_, finished_); }

  LearnerState save() const { return save_state(weights_, rule_, keep_, finished_); }
  // Throws Error(data) if the state does not fit.
  void restore(const LearnerState& state) {
    restore_state(state, weights_, rule_, keep_);
    finished_ = state.finished;
  }
  StateShape state_shape() const { return halfspace::state_shape(weights_, rule_, keep_); }

  // Counts a round of other learners, which the weights stay through (class_learners.h).
  void age() noexcept { ++finished_; }
  std::uint64_t finished() const noexcept { return finished_; }
  const Rule& rule() const noexcept { return rule_; }
  Rule& rule() noexcept { return rule_; }
  const W& weights() const noexcept { return weights_; }
  W& weights() noexcept { return weights_; }
  const Keeper<W>& keep() const noexcept { return keep_; }
  Keeper<W>& keep() noexcept { return keep_; }

 protected:
  Rule rule_;
  W weights_;
  Keeper<W> keep_;
  std::uint64_t finished_ = 0;  // rounds, without those of weight 0
};

template <AdditiveRule Rule, LinearWeights W = Weights>
class Linear : public ComposedLearner<Rule, W> {
  using Base = ComposedLearner<Rule, W>;

 public:
  using Base::features, Base::squared_norm;

  // Returns whether a row's margin may be cached between scans: known_margins.h.
  static constexpr bool margins_cacheable = MovesBySign<Rule> && std::same_as<W, Weights>;

  explicit Linear(Rule rule = {}, W weights = {}, KeepName keep = KeepName::last)
      : Base(std::move(rule), std::move(weights), keep) {}

  // Returns the outcome of round() without learning: its mistake, and whether the rule would update.
  template <class Value, bool dense>
  Outcome predict(const Example<Value, dense>& x) const {
    Outcome outcome;
    outcome.score = weights_.score(x);
    if (!(std::abs(outcome.score) <= std::numeric_limits<double>::max())) [[unlikely]] {
      if (std::isnan(outcome.score)) throw_overflow(x.row);
    }
    const double sign = x.sign();
    outcome.margin = sign * outcome.score;
    outcome.mistake = x.weight > 0 && is_mistake(rule_.tie, sign, outcome.score);
    if constexpr (LooksAtWeights<Rule>) {
      outcome.step = rule_.step(sign, outcome.score, weights_, x);
    } else {
      outcome.step = rule_.step(sign, outcome.score, squared_norm(x), x.weight);
    }
    outcome.updated = outcome.step != 0;
    outcome.predicted = predicts_positive(rule_.tie, outcome.score);
    outcome.error = x.weight > 0 && (outcome.predicted == 1) != (sign > 0);
    return outcome;
  }

  template <class Value, bool dense>
  Outcome round(const Example<Value, dense>& x) {
    const Outcome outcome = predict(x);
    if (outcome.updated) update(x, outcome.step);
    finished_ += x.weight > 0;
    return outcome;
  }

  // As Learner::vote().
  void vote(const Block& block, std::vector<double>& votes) const requires Retraceable<W> {
    W start = weights_.at_start();
    start.grow(features());
    votes.assign(block.rows, 0.0);
    add_votes(std::move(start), keep_.votes(), rule_.tie, block, votes);
  }

  // Learner::regret(), followed(), alternatives().
  auto regret() const requires requires(const W weights) { weights.regret(); }
  { return weights_.regret(); }
  auto alternatives() const requires requires(const W weights) { weights.alternatives(); }
  { return weights_.alternatives(); }
  auto alternative(std::size_t k) const requires requires(const W weights) { weights.alternative(k); }
  { return weights_.alternative(k); }
  auto followed() const requires requires(const W weights) { weights.followed(); }
  { return weights_.followed(); }

 private:
  using Base::rule_, Base::weights_, Base::keep_, Base::finished_;

  template <class X>
  [[gnu::always_inline]] void update(const X& x, double step) {
    keep_.before_update(weights_, x, finished_);
    double amount = step;
    if constexpr (AdjustsAmount<Rule, W, X>) {
      amount = rule_.amount(weights_, x, step);
      if (amount == 0) return keep_.restarted(finished_);
    }
    amount *= x.sign();
    weights_.add(amount, x);
    keep_.after_update(weights_, x, amount, Moved{}, finished_);
  }
};

}  // namespace halfspace
