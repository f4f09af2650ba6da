// Diagonal AROW: AROW (arow.h) with only the diagonal of the covariance, one variance v_j a weight.
//
//   s = <w, x>;  loss = max(0, 1 - y s) > 0  =>  q = sum v_j x_j^2,  b = 1 / (q + r)
//   w_j <- w_j + b loss y v_j x_j,   v_j <- v_j - b (v_j x_j)^2
//
// from w = 0, v = 1. The rule is Arow over VarianceWeights.
//
// Guarantee. AROW's own theorem is about the full matrix. In the metric A = r / v, which only grows, a step is the
// passive-aggressive one (PA-II) with C = 1/2, whose proof loses what the metric gains:
//   sum over steps of loss^2 / (1 + q / r) <= r |u|^2 + sum of hinge(u)^2 + (sqrt(P) + sqrt(Q))^2
//   P = sum over steps of sum_j (w_j x_j)^2, after the step;   Q = sum_j (r / v_j - r) u_j^2, v at the end
// for every u; a mistake has loss >= 1. So with L the largest q / r of a mistake and G the left side over the steps
// that were no mistakes,  mistakes <= (1 + L) (right side - G). From weights w0 and variances v0 the first term is
// sum_j r / v0_j (u_j - w0_j)^2. Rows of weight c count as c rows.
// Proof: (w - u)' A (w - u) falls by at least loss^2 / (1 + q / r) - hinge(u)^2 with each step, and the growth of A
// adds at most sum_j x_j^2 (w_j - u_j)^2 c (r / v_j grows by r x_j^2 / (r / c + q - v_j x_j^2) <= c x_j^2); Minkowski.
//
// Cost: O(stored values) a round, 16 bytes a feature.
// Source: Crammer, Kulesza and Dredze, "Adaptive regularization of weight vectors", NIPS 22 (2009), section on diagonal
// matrices; Crammer et al., JMLR 7 (2006), for the step of PA-II.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "halfspace/detail/linear/weights/records.h"
#include "halfspace/detail/rules/arow.h"
#include "halfspace/detail/rules/rule_name.h"

namespace halfspace {

namespace rule {
inline constexpr RuleName arow_diagonal{9};
}  // namespace rule

// A variance v_j a weight; used by one thread, scores too. A step of length `amount`:  q = sum of v_j x_j^2;
//   w_j <- w_j + amount * v_j x_j / (q + r),   v_j <- v_j - (v_j x_j)^2 / (q + r),   r / c for a row of weight c.
// Also stores, for the bound (arow_diagonal.h): the largest q / r of a mistake, the sum of c amount^2 / (1 + q c / r)
// over the steps without a mistake, and the sum of c (w_j x_j)^2 after each step.
class VarianceWeights : public PairedWeights {
 public:
  VarianceWeights(BiasOptions bias, double regularization)
      : PairedWeights(bias, 1.0), regularization_(regularization) {}

  // Computes q with the score: most scored rows cause a step.
  template <class Value, bool dense>
  double score(const Example<Value, dense>& x) const {
    const double bias_term = bias_.position == Bias::none ? 0.0 : bias_record_[1] * bias_.squared();
    const kernels::PairSums sums = kernels::dot_both(records_.data(), kernels::view(x), {first_term(), bias_term});
    spread_ = sums.moments;
    return completed(sums.weights, x);
  }

  // For the row that was scored last.
  template <class Value, bool dense>
  void add(double amount, const Example<Value, dense>& x) {
    const double r = regularization_ / x.weight;
    const bool biased = bias_.position != Bias::none;
    const double q = spread_;
    // Below 1 / q by more than rounding does: variances stay positive.
    const double share = std::min(1 / (q + r), (1 - 0x1p-30) / q);
    double squares = kernels::arow_step(records_.data(), kernels::view(x), amount * share, share);
    if (biased) squares += kernels::arow_step_one(bias_record_[0], bias_record_[1], bias_.scale, amount * share, share);
    note(amount, q / r, squares, x.weight);
  }

  // Returns q of the row that was scored last: the variance of its score.
  double spread() const noexcept { return spread_; }

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive.number("leverage", self.leverage_, domain::not_negative);
    archive.number("steps without a mistake", self.unmistaken_, domain::not_negative);
    archive.number("drift", self.drift_, domain::not_negative);
  }

 private:
  void note(double amount, double q, double squares, double weight) {
    if (std::abs(amount) < 1) {
      unmistaken_ += weight * amount * amount / (1 + q);
    } else {
      leverage_ = std::max(leverage_, q);
    }
    drift_ += weight * squares;
  }

  double regularization_;
  double leverage_ = 0, unmistaken_ = 0, drift_ = 0;
  mutable double spread_ = 0;  // q of the row that was scored last
};

}  // namespace halfspace
