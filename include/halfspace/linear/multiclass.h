// The multiclass perceptron (Kesler's construction): one vector a class, the highest score wins.
//
//   mistake  =>  w_label <- w_label + rate * weight * x,   w_predicted <- w_predicted - rate * weight * x
//
// Ties: Tie::positive predicts the lowest class among the highest, Tie::negative the highest, Tie::mistake counts a tie
// with the label's class as a mistake and moves the lowest of the others.
//
// Guarantee (Duda and Hart 1973), from W = 0: if <u_label - u_other, x> >= margin > 0 for every other class on every
// row, then mistakes <= 2 radius^2 |U|^2 / margin^2. Cost: O(classes x stored values) a round. Source: Duda and Hart
// (1973), section 5.12; Crammer and Singer, JMLR 3 (2003).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "halfspace/linear/keep.h"
#include "halfspace/linear/linear.h"

namespace halfspace {

// Weights of K classes, features outermost: w[j * classes + k]. One row's weights for all classes lie together, and the
// sum over a row is taken in the row's order, class by class, with fused products: the same bits on every machine.
struct ClassWeightVector {
  std::uint32_t classes = 0;
  std::vector<double> w;
  std::vector<double> bias;  // one a class

  void grow(std::uint32_t features) {
    const std::size_t size = static_cast<std::size_t>(features) * classes;
    if (size > w.size()) w.resize(size, 0.0);
  }
  void subtract(const ClassWeightVector& other, double divisor) {
    for (std::size_t i = 0; i < w.size(); ++i) w[i] -= (i < other.w.size() ? other.w[i] : 0.0) / divisor;
    for (std::size_t k = 0; k < bias.size(); ++k) bias[k] -= other.bias[k] / divisor;
  }
  bool operator==(const ClassWeightVector&) const = default;
};

// scores[k] = <w_k, x> for every class.
template <class Value, bool dense>
void score_classes(const ClassWeightVector& v, BiasOptions bias, const Example<Value, dense>& x, double* scores) {
  const std::uint32_t classes = v.classes;
  for (std::uint32_t k = 0; k < classes; ++k) scores[k] = bias.place == Bias::first ? v.bias[k] * bias.scale : 0.0;
  kernels::score_classes(scores, classes, v.w.data(), x);
  if (bias.place == Bias::last) {
    for (std::uint32_t k = 0; k < classes; ++k) scores[k] = std::fma(v.bias[k], bias.scale, scores[k]);
  }
}

class ClassWeights {
 public:
  ClassWeights() = default;
  ClassWeights(BiasOptions bias, std::uint32_t classes, Start start = {}) : bias_(bias), start_(start) {
    vector_.classes = classes;
    vector_.bias.assign(classes, 0.0);
  }

  const BiasOptions& bias() const noexcept { return bias_; }
  std::uint32_t classes() const noexcept { return vector_.classes; }
  std::uint32_t features() const noexcept {
    return vector_.classes == 0 ? 0 : static_cast<std::uint32_t>(vector_.w.size() / vector_.classes);
  }
  void grow(std::uint32_t features) { grow(vector_, features); }
  void extend(ClassWeightVector& earlier) const { grow(earlier, features()); }

  template <class Value, bool dense>
  void move(double amount, const Example<Value, dense>& x, Moved moved) {
    add(amount, x, moved.raised);
    add(-amount, x, moved.lowered);
  }

  // Weights of the same shape that are 0, whatever these start at.
  ClassWeights zero() const { return ClassWeights(bias_, vector_.classes); }

  const ClassWeightVector& vector() const noexcept { return vector_; }
  ClassWeightVector& vector() noexcept { return vector_; }
  const ClassWeightVector& point() const noexcept { return vector_; }

 private:
  void grow(ClassWeightVector& vector, std::uint32_t features) const {
    const std::size_t old = vector.w.size();
    vector.grow(features);
    if (!start_.small) return;
    for (std::size_t i = old; i < vector.w.size(); ++i) vector.w[i] = start_.weight(i);
  }

  template <class Value, bool dense>
  void add(double amount, const Example<Value, dense>& x, std::uint32_t k) {
    for (std::uint32_t i = 0; i < x.size; ++i) {
      double value = 1.0;
      if constexpr (!std::is_same_v<Value, One>) value = static_cast<double>(x.value[i]);
      double& weight = vector_.w[static_cast<std::size_t>(x.index[i]) * vector_.classes + k];
      weight = std::fma(amount, value, weight);
    }
    if (bias_.place != Bias::none) vector_.bias[k] = std::fma(amount, bias_.scale, vector_.bias[k]);
  }

  BiasOptions bias_;
  Start start_;
  ClassWeightVector vector_;
};

// The class with the highest score; the lowest such class.
inline std::int32_t highest(const double* scores, std::uint32_t classes) {
  return static_cast<std::int32_t>(std::max_element(scores, scores + classes) - scores);
}

struct MulticlassPerceptron {
  Tie tie = Tie::mistake;
  double rate = 1;
};

template <template <class> class Keep>
class Multiclass {
 public:
  using Point = ClassWeightVector;

  Multiclass(MulticlassPerceptron rule, ClassWeights weights)
      : rule_(rule), weights_(std::move(weights)), keep_(keeper_for<Keep>(weights_)), scores_(weights_.classes()) {}

  void grow(std::uint32_t features) {
    weights_.grow(features);
    keep_.grow(features);
  }

  template <class Value, bool dense>
  Outcome judge(const Example<Value, dense>& x) const {
    score_classes(weights_.vector(), weights_.bias(), x, scores_.data());
    const auto label = static_cast<std::uint32_t>(x.label);
    Outcome outcome;
    outcome.score = scores_[label];
    double best = -std::numeric_limits<double>::infinity();
    std::uint32_t rival = label == 0 ? 1 : 0;
    for (std::uint32_t k = 0; k < weights_.classes(); ++k) {
      if (std::isnan(scores_[k])) throw_overflow(x.row);
      if (k == label) continue;
      if (scores_[k] > best || (rule_.tie == Tie::negative && scores_[k] == best)) {
        best = scores_[k];
        rival = k;
      }
    }
    outcome.margin = outcome.score - best;
    const bool tie_lost = rule_.tie == Tie::mistake || (rule_.tie == Tie::positive ? rival < label : rival > label);
    const bool wrong = outcome.score < best || (outcome.score == best && tie_lost);
    outcome.mistake = x.weight > 0 && wrong;
    outcome.predicted = static_cast<std::int32_t>(wrong ? rival : label);
    outcome.step = outcome.mistake ? rule_.rate * x.weight : 0.0;
    outcome.updated = outcome.step != 0;
    return outcome;
  }

  template <class Value, bool dense>
  Outcome round(const Example<Value, dense>& x) {
    const Outcome outcome = judge(x);
    if (outcome.updated) {
      const Moved moved{static_cast<std::uint32_t>(x.label), static_cast<std::uint32_t>(outcome.predicted)};
      keep_.before_update(weights_, x, finished_);
      weights_.move(outcome.step, x, moved);
      keep_.after_update(weights_, x, outcome.step, moved, finished_);
    }
    ++finished_;
    return outcome;
  }

  Point handed_out() const { return keep_.point(weights_, finished_); }
  void finish() { keep_.finish(weights_, finished_); }

  std::uint64_t finished() const noexcept { return finished_; }
  void set_finished(std::uint64_t rounds) noexcept { finished_ = rounds; }
  const MulticlassPerceptron& rule() const noexcept { return rule_; }
  const ClassWeights& weights() const noexcept { return weights_; }
  ClassWeights& weights() noexcept { return weights_; }
  const Keep<ClassWeights>& keep() const noexcept { return keep_; }
  Keep<ClassWeights>& keep() noexcept { return keep_; }

 private:
  MulticlassPerceptron rule_;
  ClassWeights weights_;
  Keep<ClassWeights> keep_;
  mutable std::vector<double> scores_;
  std::uint64_t finished_ = 0;
};

}  // namespace halfspace
