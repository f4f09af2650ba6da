// Multinomial logistic learning: NAG (nag.h) for all classes together, one vector each, with the softmax of their scores.
//
//   where |x_j| > s_j:  w_kj <- w_kj s_j / |x_j|,  n_kj <- n_kj (s_j / |x_j|)^2,  s_j <- |x_j|
//   g = softmax(scores) - e_y, the slope of -ln softmax(scores)_y;   r_j = x_j / s_j
//   n_kj <- n_kj + c (g_k r_j)^2,   N <- N + c sum r_j^2,   t <- t + c
//   w_kj <- w_kj - rate sqrt(t / N) c g_k r_j / (s_j sqrt(n_kj))
//
// for a row of weight c, with the scores of the weights before. A column times a power of two changes no bit of a score. A
// step is at most rate sqrt(t / N) sqrt(c) of what a column's largest value can do, whatever the row.
//
// Guarantee: a bound of the regret of the plain gradient step, not of the mistakes: none is printed.
// Cost: O(classes x stored values) a round, a root and a quotient each; 8 + 16 classes bytes a feature.
// Source: Ross, Mineiro and Langford, "Normalized online learning", UAI 2013, by the multinomial slope.
//
// Thread-safety: one thread. Ownership: owns its weights.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "halfspace/detail/base/softmax.h"
#include "halfspace/detail/kernels/kernels.h"
#include "halfspace/detail/linear/rival.h"
#include "halfspace/detail/linear/state.h"
#include "halfspace/detail/linear/weights/class.h"
#include "halfspace/detail/rules/rule_name.h"
#include "halfspace/kernels/example.h"

namespace halfspace {

namespace rule {
inline constexpr RuleName multinomial{26};
}  // namespace rule

class Multinomial {
 public:
  using Point = ClassWeightVector;
  static constexpr bool margins_cacheable = false;

  Multinomial(Tie tie, BiasOptions bias, std::uint32_t classes, double rate)
      : tie_(tie), bias_(bias), rate_(rate), bias_squares_(classes, 0.0), scores_(classes), slope_(classes) {
    vector_.classes = classes;
    vector_.bias.assign(classes, 0.0);
  }

  std::uint32_t features() const noexcept { return static_cast<std::uint32_t>(largest_.size()); }
  template <class Value, bool dense>
  double squared_norm(const Example<Value, dense>& x) const {
    return x.squared_norm + bias_.squared();
  }
  void grow(std::uint32_t features);

  template <class Value, bool dense>
  Outcome predict(const Example<Value, dense>& x) const {
    score_classes(vector_, bias_, x, scores_.data());
    for (const double score : scores_) {
      if (!std::isfinite(score)) throw_overflow(x.row);
    }
    Outcome outcome;
    const auto label = static_cast<std::uint32_t>(x.label);
    compare_with_rival(scores_.data(), vector_.classes, label, tie_, x.weight, outcome);
    softmax(scores_, 1, slope_);
    slope_[label] -= 1;
    outcome.step = x.weight > 0 ? -slope_[label] : 0.0;
    outcome.updated = outcome.step != 0;
    return outcome;
  }

  template <class Value, bool dense>
  Outcome round(const Example<Value, dense>& x) {
    const Outcome outcome = predict(x);
    if (outcome.updated) learn(x);
    finished_ += x.weight > 0;
    return outcome;
  }

  const Point& result() const { return vector_; }
  const Point& present() const { return vector_; }
  void finish() {}

  // Moments, of each feature, then of the bias: s, then n of each class.
  LearnerState save() const;
  // Throws Error(data) if the state does not fit.
  void restore(const LearnerState& state);
  StateShape state_shape() const;

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive.number("weight of the rounds", self.rounds_, domain::not_negative);
    archive.number("normalised squares", self.total_, domain::not_negative);
  }

 private:
  bool biased() const noexcept { return bias_.position != Bias::none; }

  template <class Value, bool dense>
  void learn(const Example<Value, dense>& x) {
    double squares = biased() ? 1 : 0;
    for (std::uint32_t i = 0; i < x.size; ++i) squares += widen(x.index[i], x.value_at(i));
    if (!(squares > 0)) return;
    rounds_ += x.weight;
    total_ += x.weight * squares;
    const double along = rate_ * std::sqrt(rounds_ / total_) * x.weight;
    for (std::uint32_t i = 0; i < x.size; ++i) {
      const std::size_t j = x.index[i];
      if (x.value_at(i) == 0) continue;
      step(vector_.w.data() + j * vector_.classes, squares_.data() + j * vector_.classes, x.value_at(i), largest_[j],
           along, x.weight);
    }
    if (biased()) {
      step(vector_.bias.data(), bias_squares_.data(), bias_.scale, std::abs(bias_.scale), along, x.weight);
    }
  }

  // Brings a feature to a larger unit, if the value asks for it; returns the square of the value in that unit.
  double widen(std::size_t j, double value);
  void step(double* weights, double* squares, double value, double unit, double along, double count) const;

  Tie tie_;
  BiasOptions bias_;
  double rate_;
  ClassWeightVector vector_;
  std::vector<double> largest_;  // s, of each feature
  std::vector<double> squares_;  // n, of each feature and class
  std::vector<double> bias_squares_;
  double rounds_ = 0, total_ = 0;  // t, N
  std::uint64_t finished_ = 0;
  mutable std::vector<double> scores_, slope_;  // of the row that was scored last
};

}  // namespace halfspace
