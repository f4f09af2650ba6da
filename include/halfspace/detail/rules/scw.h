// Soft confidence-weighted learning (SCW-I, SCW-II): a Gaussian over the weights, moved until each row is right with a
// given probability, or as far as C allows.
//
//   m = y <w, x>,  v = sum s_j x_j^2;  loss = phi sqrt(v) - m > 0  =>
//   w_j <- w_j + a y s_j x_j,   s_j <- s_j - b (s_j x_j)^2
//
// from w = 0 and variances s = 1; phi standard deviations are the confidence (0.5: right with probability 0.69). With
// k = m / sqrt(v), and e = 1 (SCW-I) or e = v / (v + 1 / (2 C)) (SCW-II), the step is
//   a = e (phi sqrt(e^2 phi^2 k^2 + 4 (1 + e phi^2)) - k (2 + e phi^2)) / (2 sqrt(v) (1 + e phi^2))
// in SCW-I at most C, and, with t = a phi sqrt(v),
//   b = a phi / (sqrt(u) + a phi v) = 2 a phi / (sqrt(v) (t + sqrt(t^2 + 4))),   u = v - b v^2
// A row of weight c has c C for C. A row whose v is below 2^-1000 or beyond the doubles moves nothing. b v is held
// below 1, so that variances stay positive whatever rounding does.
//
// Derivation: minimise KL(N(w, S), N(w_t, S_t)) + C loss (SCW-I) or C loss^2 (SCW-II). With the multiplier a, w = w_t +
// a y S_t x and S^-1 = S_t^-1 + a phi / sqrt(u) x x', u = x' S x, hence b (Sherman and Morrison) and
// u + a phi v sqrt(u) = v. The new margin is phi sqrt(u) = m + a v (SCW-I, unless a = C) or m + a (v + 1 / (2 C)), for
// there a = 2 C loss: a quadratic in a, whose positive root this is. Of the matrix the diagonal is kept, as in the
// papers' own experiments.
//
// Guarantee: no mistake bound is known to us, and none is printed. The proof of diagonal AROW does not carry over: on a
// mistake the step may be as short as C, or the variance of its row, makes it.
// Cost: O(stored values) a round, 16 bytes a feature.
// Source: Wang, Zhao and Hoi, "Exact soft confidence-weighted learning", ICML 2012; "Soft confidence-weighted
// learning", ACM Transactions on Intelligent Systems and Technology 8 (2016). Checked against LIBOL's SCW-I;
// LIBOL's SCW-II writes phi * 2 where the papers have phi^2.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "halfspace/detail/linear/weights/records.h"
#include "halfspace/detail/rules/parameter.h"
#include "halfspace/detail/rules/rule_name.h"
#include "halfspace/linear/rule.h"

namespace halfspace {

namespace rule {
inline constexpr RuleName scw1{17};
inline constexpr RuleName scw2{18};
}  // namespace rule

namespace parameter {
inline constexpr Parameter deviations{.name = "deviations", .placeholder = "PHI"};
}  // namespace parameter

// A variance a weight; used by one thread, scores too.
class ConfidenceWeights : public PairedWeights {
 public:
  ConfidenceWeights(BiasOptions bias, double confidence) : PairedWeights(bias, 1.0), confidence_(confidence) {}

  // Computes v with the score.
  template <class Value, bool dense>
  double score(const Example<Value, dense>& x) const {
    const double bias_term = bias_.position == Bias::none ? 0.0 : bias_record_[1] * bias_.squared();
    const kernels::PairSums sums = kernels::dot_both(records_.data(), kernels::view(x), {first_term(), bias_term});
    variance_ = sums.moments;
    return completed(sums.weights, x);
  }
  // v of the row that was scored last.
  double variance() const noexcept { return variance_; }

  // For the row that was scored last; `amount` is y a.
  template <class Value, bool dense>
  void add(double amount, const Example<Value, dense>& x) {
    const double share = shrinkage(std::abs(amount), confidence_, variance_);
    kernels::arow_step(records_.data(), kernels::view(x), amount, share);
    if (bias_.position != Bias::none)
      kernels::arow_step_one(bias_record_[0], bias_record_[1], bias_.scale, amount, share);
  }

  // Returns b for a step a.
  static double shrinkage(double step, double confidence, double variance) {
    const double root = std::sqrt(variance);
    const double t = step * confidence * root;
    const double sum = t + (t < 0x1p60 ? std::sqrt(t * t + 4) : t);
    return std::min(2 * step * confidence / (root * sum), (1 - 0x1p-30) / variance);
  }

 private:
  double confidence_;
  mutable double variance_ = 0;
};

// How the loss beyond C's limit is treated.
enum class Softness : std::uint8_t { capped, squared };

template <Softness softness>
struct SoftConfidence {
  static constexpr bool looks_at_weights = true;

  Tie tie = Tie::positive;
  double confidence = 0.5;    // phi > 0
  double aggressiveness = 1;  // C > 0

  template <class X>
  double step(double sign, double score, const ConfidenceWeights& weights, const X& x) const {
    return step_at(sign * score, weights.variance(), x.weight);
  }
  // Returns a for a row of margin m.
  double step_at(double margin, double v, double weight) const {
    if (!(v >= 0x1p-1000 && v <= std::numeric_limits<double>::max()) || weight == 0) return 0;
    const double root = std::sqrt(v);
    const double k = margin / root;
    if (!(k < confidence)) return 0;
    const double c = aggressiveness * weight;
    if constexpr (softness == Softness::capped) return std::min(c, length(k, root, 1));
    return length(k, root, 1 / (1 + 1 / (2 * c) / v));
  }

 private:
  // Computes a in a form without cancellation.
  double length(double k, double root, double e) const {
    const double square = e * confidence * confidence;
    const double first = k * (2 + square);
    const double second = confidence * std::sqrt(e * square * k * k + 4 * (1 + square));
    if (k > 0) return 2 * e * (confidence - k) * (confidence + k) / (root * (first + second));
    return e * (second - first) / (2 * root * (1 + square));
  }
};

}  // namespace halfspace
