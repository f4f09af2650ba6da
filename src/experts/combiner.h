// A linear learner as a combiner of experts: their advice is the instance, x_i = 2 advice_i - 1, and 0 for a sleeping
// expert.
//
//   Combiner<Perceptron, Weights>            learns weights of both signs: it may also turn an expert around
//   Combiner<MinnowGuess, ExponentialWeights> learns weights >= 0 that sum to 1: whom to follow, and how much
//
// Guarantees are those of the rule with the comparator "follow expert i": on labels its hinge loss is 2 for each of its
// m_i mistakes, so the perceptron makes at most 2 m_i + N/2 + sqrt(N^2/4 + 2 N m_i) mistakes (formulas.h, hinge_bound
// with |u| = 1 and radius sqrt(N)), and Minnow, when some expert is perfect, at most ln N / KL(3/4 || 1/2) (its first
// phase guesses the relative margin 1/2). Cost: O(N) a round; no allocation in a round.
#pragma once

#include <numeric>
#include <utility>
#include <vector>

#include "halfspace/experts/advice.h"
#include "halfspace/linear/linear.h"
#include "halfspace/rules/minnow.h"
#include "halfspace/rules/perceptron.h"

namespace halfspace {

template <AdditiveRule Rule, LinearWeights W>
class Combiner {
 public:
  Combiner(std::size_t experts, Rule rule)
      : learner_(std::move(rule), W(BiasOptions{Bias::none, 1})), index_(experts), value_(experts) {
    std::iota(index_.begin(), index_.end(), 0U);
    learner_.grow(static_cast<std::uint32_t>(experts));
  }

  // Predicts by the learner's score; 0 predicts 1.
  int predict(Advice advice) { return learner_.predict(instance(advice, 1)).score >= 0 ? 1 : 0; }
  void reveal(Advice advice, int outcome) { learner_.round(instance(advice, outcome)); }

  std::vector<double> weights() const { return learner_.result().w; }

 private:
  Example<double, true> instance(Advice advice, int outcome) {
    for (std::size_t i = 0; i < advice.size(); ++i) value_[i] = awake(advice[i]) ? 2 * advice[i] - 1 : 0.0;
    const double squared = kernels::squared_norm(value_.data(), value_.size());
    return {index_.data(), value_.data(), static_cast<std::uint32_t>(value_.size()), outcome, 1.0, squared, 0};
  }

  Linear<Rule, W> learner_;
  std::vector<std::uint32_t> index_;
  std::vector<double> value_;
};

using PerceptronCombiner = Combiner<Perceptron, Weights>;
using MinnowCombiner = Combiner<MinnowGuess, ExponentialWeights>;

inline PerceptronCombiner perceptron_combiner(std::size_t experts) { return {experts, Perceptron{Tie::positive, 1}}; }
inline MinnowCombiner minnow_combiner(std::size_t experts) {
  MinnowGuess rule;
  rule.radius = 1;  // advice is in [0, 1], so |x_i| <= 1: known in advance
  return {experts, rule};
}

}  // namespace halfspace
