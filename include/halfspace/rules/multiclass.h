// Several classes: one vector a class, the highest score wins. An update raises the vector of the label along x and
// lowers those of classes that scored too high, by the same amount in all (Kesler's construction):
//
//   w_label <- w_label + step * x,   w_r <- w_r - step * share_r * x,   shares >= 0, of sum 1
//
// The ultraconservative family (Crammer and Singer 2003) moves on a mistake, by step = rate * weight, and shares it
//   max_score     with the rival alone: the best of the other classes
//   uniform       equally among all classes that scored no lower than the label (as the tie rule says for equal scores)
//   proportional  among these by how much higher they scored; equally when no score is higher
// Multiclass passive-aggressive learning (Crammer et al. 2006) moves the label against the rival whenever their scores
// differ by less than 1: PA, PA-I and PA-II of passive_aggressive.h for the point (x, -x) of squared norm 2 |x|^2.
//
// Ties: Tie::positive predicts the lowest class among the highest, Tie::negative the highest, Tie::mistake counts a tie
// with the label's class as a mistake; the rival is then the lowest of the others.
//
// Guarantee, from W = 0, with l* the hinge loss of U, max(0, 1 - (<u_label, x> - max of the other <u_r, x>)):
//   ultraconservative: if <u_label - u_other, x> >= margin > 0 for every other class on every row, then mistakes
//   <= 2 radius^2 |U|^2 / margin^2. Each mistake adds at least rate * margin to <W, U>, the shares being a mean, and at
//   most rate^2 (1 + sum of share_r^2) |x|^2 <= 2 rate^2 |x|^2 to |W|^2, since no lowered class scored below the label.
//   passive-aggressive: the three guarantees of passive_aggressive.h with 2 radius^2 in place of radius^2.
// Cost: O(classes x stored values) a round. Source: Duda and Hart (1973), section 5.12; Crammer and Singer, JMLR 3
// (2003); Crammer, Dekel, Keshet, Shalev-Shwartz, Singer, JMLR 7 (2006), section 8.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "halfspace/linear/keep.h"
#include "halfspace/linear/linear.h"
#include "halfspace/rules/passive_aggressive.h"

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

enum class ClassUpdate : std::uint8_t { max_score, uniform, proportional, pa, pa1, pa2 };

struct MulticlassRule {
  Tie tie = Tie::mistake;
  double rate = 1;  // not used by pa, pa1, pa2
  ClassUpdate update = ClassUpdate::max_score;
  double aggressiveness = 1;  // pa1, pa2: C

  // `margin`: the label's score less the rival's.
  double step(bool mistake, double margin, double squared_norm, double weight) const {
    switch (update) {
      case ClassUpdate::pa:
        return PassiveAggressive<Aggression::full>{}.step(1, margin, 2 * squared_norm, weight);
      case ClassUpdate::pa1:
        return PassiveAggressive<Aggression::capped>{tie, aggressiveness}.step(1, margin, 2 * squared_norm, weight);
      case ClassUpdate::pa2:
        return PassiveAggressive<Aggression::softened>{tie, aggressiveness}.step(1, margin, 2 * squared_norm, weight);
      default:
        return mistake ? rate * weight : 0.0;
    }
  }
  bool shares() const { return update == ClassUpdate::uniform || update == ClassUpdate::proportional; }
};

template <template <class> class Keep>
class Multiclass {
 public:
  using Point = ClassWeightVector;

  Multiclass(MulticlassRule rule, ClassWeights weights)
      : rule_(rule), weights_(std::move(weights)), keep_(keeper_for<Keep>(weights_)), scores_(weights_.classes()) {}

  void grow(std::uint32_t features) {
    weights_.grow(features);
    keep_.grow(features);
  }

  template <class Value, bool dense>
  Outcome predict(const Example<Value, dense>& x) const {
    return look(x).outcome;
  }

  template <class Value, bool dense>
  Outcome round(const Example<Value, dense>& x) {
    const Seen seen = look(x);
    if (seen.outcome.updated) {
      keep_.before_update(weights_, x, finished_);
      if (rule_.shares()) {
        share(x, seen.outcome.step);
      } else {
        move(x, seen.outcome.step, seen.rival);
      }
    }
    ++finished_;
    return seen.outcome;
  }

  Point handed_out() const { return keep_.point(weights_, finished_); }
  void finish() { keep_.finish(weights_, finished_); }

  std::uint64_t finished() const noexcept { return finished_; }
  void set_finished(std::uint64_t rounds) noexcept { finished_ = rounds; }
  const MulticlassRule& rule() const noexcept { return rule_; }
  const ClassWeights& weights() const noexcept { return weights_; }
  ClassWeights& weights() noexcept { return weights_; }
  const Keep<ClassWeights>& keep() const noexcept { return keep_; }
  Keep<ClassWeights>& keep() noexcept { return keep_; }

 private:
  struct Seen {
    Outcome outcome;
    std::uint32_t rival;  // the best of the classes that are not the label
  };

  // A class that scored as high as the label's stands above it, as the tie rule says.
  bool beats(std::uint32_t k, std::uint32_t label) const {
    if (scores_[k] != scores_[label]) return scores_[k] > scores_[label];
    return rule_.tie == Tie::mistake || (rule_.tie == Tie::positive ? k < label : k > label);
  }

  template <class Value, bool dense>
  Seen look(const Example<Value, dense>& x) const {
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
    const bool wrong = beats(rival, label);
    outcome.mistake = x.weight > 0 && wrong;
    outcome.predicted = static_cast<std::int32_t>(wrong ? rival : label);
    outcome.step = rule_.step(outcome.mistake, outcome.margin, x.squared_norm + weights_.bias().squared(), x.weight);
    outcome.updated = outcome.step != 0;
    return {outcome, rival};
  }

  template <class Value, bool dense>
  void move(const Example<Value, dense>& x, double amount, std::uint32_t lowered) {
    const Moved moved{static_cast<std::uint32_t>(x.label), lowered};
    weights_.move(amount, x, moved);
    keep_.after_update(weights_, x, amount, moved, finished_);
  }

  // The step against every class above the label, each by its share: one move a class, in the order of classes.
  template <class Value, bool dense>
  void share(const Example<Value, dense>& x, double step) {
    const auto label = static_cast<std::uint32_t>(x.label);
    double excess = 0;
    double above = 0;
    for (std::uint32_t k = 0; k < weights_.classes(); ++k) {
      if (k == label || !beats(k, label)) continue;
      above += 1;
      excess += scores_[k] - scores_[label];
    }
    if (!std::isfinite(excess)) throw_overflow(x.row);
    const bool equally = rule_.update == ClassUpdate::uniform || excess == 0;
    const double own = scores_[label];
    for (std::uint32_t k = 0; k < weights_.classes(); ++k) {
      if (k == label || !beats(k, label)) continue;
      const double part = equally ? step / above : step * ((scores_[k] - own) / excess);
      if (part != 0) move(x, part, k);
    }
  }

  MulticlassRule rule_;
  ClassWeights weights_;
  Keep<ClassWeights> keep_;
  mutable std::vector<double> scores_;
  std::uint64_t finished_ = 0;
};

}  // namespace halfspace
