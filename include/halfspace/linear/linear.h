// A binary linear learner: rule x keeper over one vector of weights.
//
//   Linear<Perceptron, Average> learner(Perceptron{}, Weights(bias));
//   learner.grow(features);                    // indices of the rows to come are below this
//   const Outcome outcome = learner.round(x);  // predict, see the truth, update
//   const WeightVector w = learner.handed_out();
//
// Everything in round() is resolved at compile time; it allocates nothing. Throws Error(data) when the weights leave
// the finite doubles.
// A row of weight 0 is looked at and not judged: it is never a mistake and never learned from.
//
// Thread-safety: one thread. Ownership: owns its weights.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <utility>

#include "halfspace/linear/keep.h"
#include "halfspace/linear/rule.h"
#include "halfspace/linear/weights/plain.h"

namespace halfspace {

// What one round came to.
struct Outcome {
  double score = 0;   // <w, x>; multiclass: of the label's class
  double margin = 0;  // y <w, x>; multiclass: score of the label's class less the best of the others
  bool mistake = false;
  bool updated = false;
  double step = 0;             // how far along y x the weights moved, in the rule's own units
  std::int32_t predicted = 0;  // class; -1: a tie that counts as a mistake
};

[[noreturn]] void throw_overflow(std::uint64_t row);

template <AdditiveRule Rule, template <class> class Keep, class W = Weights>
class Linear {
 public:
  using Point = typename Keep<W>::Point;

  explicit Linear(Rule rule = {}, W weights = {})
      : rule_(std::move(rule)), weights_(std::move(weights)), keep_(keeper_for<Keep>(weights_)) {}

  void grow(std::uint32_t features) {
    weights_.grow(features);
    keep_.grow(features);
  }

  // What round() would find, without learning: the outcome's mistake and whether the rule would move.
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
    outcome.step = rule_.step(sign, outcome.score, x.squared_norm + weights_.bias().squared(), x.weight);
    outcome.updated = outcome.step != 0;
    const int predicted = predicted_sign(rule_.tie, outcome.score);
    outcome.predicted = predicted == 0 ? -1 : predicted > 0;
    return outcome;
  }

  template <class Value, bool dense>
  Outcome round(const Example<Value, dense>& x) {
    Outcome outcome = predict(x);
    if (outcome.updated) {
      keep_.before_update(weights_, x, finished_);
      double amount = outcome.step;
      if constexpr (requires { rule_.amount(weights_, x, amount); }) {
        amount = rule_.amount(weights_, x, amount);
        if (amount == 0) keep_.restarted(weights_, finished_);
      }
      if (amount != 0) {
        amount *= x.sign();
        weights_.add(amount, x);
        keep_.after_update(weights_, x, amount, Moved{}, finished_);
      }
    }
    ++finished_;
    return outcome;
  }

  // The weights the keeper hands out. Call finish() first when no round follows.
  Point handed_out() const { return keep_.point(weights_, finished_); }
  void finish() { keep_.finish(weights_, finished_); }

  std::uint64_t finished() const noexcept { return finished_; }
  void set_finished(std::uint64_t rounds) noexcept { finished_ = rounds; }
  const Rule& rule() const noexcept { return rule_; }
  Rule& rule() noexcept { return rule_; }
  const W& weights() const noexcept { return weights_; }
  W& weights() noexcept { return weights_; }
  const Keep<W>& keep() const noexcept { return keep_; }
  Keep<W>& keep() noexcept { return keep_; }

 private:
  Rule rule_;
  W weights_;
  Keep<W> keep_;
  std::uint64_t finished_ = 0;  // rounds
};

}  // namespace halfspace
