// The exact minimum of a regularized loss, with a proof of how near to it the returned weights are.
//
//   Optimum found = minimize(rows, {.loss = MarginLoss::logistic, .cost = 0.5});
//   found.primal, found.dual, found.radius   // numbers that are proved, not estimated
//
// The objective, over the weights w, of rows x with classes y = +1 or -1:
//   P(w) = |w|^2 / 2 + sum of c l(y <w, x>),   c = cost * the row's weight (class weights included), as a double
// with l(m) = max(0, 1 - m) (hinge), its square (squared hinge), or ln(1 + e^-m) (logistic). A bias is the weight of
// one more feature, whose value is `bias` in every row; it is penalised as the others are, or not at all.
//
// Weak duality. For any numbers a, one a row, P(w) >= D(a) for every w, where v = sum of a y x and
//   hinge            D = sum of a - |v|^2 / 2,                    0 <= a <= c
//   squared hinge    D = sum of (a - a^2 / (4 c)) - |v|^2 / 2,    0 <= a
//   logistic         D = sum of c H(a / c) - |v|^2 / 2,           0 <= a <= c,  H(p) = -p ln p - (1 - p) ln(1 - p)
// P is 1-strongly convex, so |w - w*|^2 <= 2 (P(w) - P(w*)) <= 2 (P(w) - D(a)), where w* is the minimum.
//
// Without a penalty of the bias these hold if sum of a y = 0, too; the bias is then not part of v, nor of w - w*. Sums
// of doubles are seldom exactly 0, so D is that of a', where the a of each class are scaled down to the same sum by
// factors that are known within bounds.
//
// What is proved: `primal` is at least P of the returned weights, `dual` is at most D of the returned a, both computed
// in directed rounding from the rows as doubles. libm is trusted to 16 ulps for the logarithms and exponentials of the
// logistic loss.
//
// Method. Logistic loss, and any loss where rows are at least 4 times the features, or as many as up to 1023: Newton's
// method in the primal, whose systems are factored where features are few and else solved by conjugate gradients; a
// hinge is smoothed by the method of multipliers. Elsewhere: dual coordinate descent in random order, with shrinking
// (Hsieh, Chang, Lin, Keerthi and Sundararajan, "A dual coordinate descent method for large-scale linear SVM", ICML
// 2008), and where it crawls steps of all dual variables at no bound at once. Each row's own part of the gap, which is
// never negative and needs only its margin, decides when a pass over all rows is worth while. A bias that is not
// penalised takes proximal steps there.
//
// Cost: O(stored values) a pass; beside the rows 32 bytes a row and 8 a feature for Newton's method, 48 for a hinge,
// and 8 features^2 where it factors; 64 a row for descent. Rows in a temporary file are visited block by block; descent
// then keeps 8 bytes a row.
//
// The result depends on the rows, the options and the seed alone, not on threads. Thread-safety: concurrent calls are
// independent.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "halfspace/detail/linear/loss.h"
#include "halfspace/stream/rows.h"

namespace halfspace {

// Why minimize() stopped. `precision`: the gap has stopped falling, by rounding or because it falls too slowly.
enum class OptimumStop : std::uint8_t { gap, passes, time, interrupted, precision };
template <>
struct NamesOf<OptimumStop> {
  static constexpr Name<OptimumStop> table[] = {
      {OptimumStop::gap, "gap", "the gap is proved"},
      {OptimumStop::passes, "passes", "the passes asked for are done"},
      {OptimumStop::time, "time", "the time was up"},
      {OptimumStop::interrupted, "interrupted", "interrupted"},
      {OptimumStop::precision, "precision", "no further progress with doubles"},
  };
};

// A look at a run, between passes. The gap is an estimate.
struct OptimumProgress {
  std::uint64_t passes = 0, visits = 0;
  double relative_gap = 0;
};

struct OptimumOptions {
  MarginLoss loss = MarginLoss::hinge;
  double cost = 1;                        // of the loss of a row of weight 1; above 0
  double bias = 1;                        // value of the feature whose weight is the bias; 0: none
  bool penalize_bias = true;              // count the bias in |w|^2
  std::int32_t positive = 1;              // rows of this class have y = 1, all others y = -1
  double gap = 1e-6;                      // stop when relative_gap() is at most this; 0: as near as doubles get
  std::optional<std::uint64_t> passes{};  // at most; one pass visits each row that is not shrunk
  std::optional<double> seconds{};
  std::uint64_t seed = 1;
  // Dual variables to begin at, one a row, such as those of a solution for another cost; empty: all 0. They are brought
  // within their bounds. What is proved does not rest on them.
  std::span<const double> start{};
  const std::atomic<bool>* interrupt = nullptr;
  std::function<void(const OptimumProgress&)> on_progress{};
};

struct Optimum {
  std::vector<double> weights;  // one a feature of the rows
  double bias = 0;              // the weight of the bias feature
  std::vector<double> biases;   // multiclass: one a class, as weights are [feature * classes + class]
  double primal = 0;            // at least P of these weights
  double dual = 0;              // at most D of `dual_variables`, or of these scaled, where the bias is not penalised
  // At least |w - w*|, and so at least the distance of each weight from its best value; of the bias if it is penalised.
  double radius = 0;
  std::vector<double> dual_variables;  // a, one a row
  std::uint64_t passes = 0, visits = 0;
  OptimumStop stopped = OptimumStop::gap;

  // Returns (primal - dual) / primal, rounded up: the minimum is at least primal * (1 - this). Rows without a loss have
  // a primal of 0, and a gap of 0.
  double relative_gap() const;
};

// Throws Error(usage) for a cost that is not positive and finite, a bias that is not finite, or a gap that is negative;
// Error(data) for sums that leave the range of doubles.
Optimum minimize(const Rows& rows, const OptimumOptions& options);

// The same for classes that share a logistic loss, the multinomial one: c (ln sum over k of e^<w_k, x> - <w_y, x>),
// one vector of weights a class. Newton's method (optimum/newton_by_sums.h); `positive`, `start` and `seed` count for
// nothing, dual variables are returned by softmax_dual_variables(). `begin`: the minimum at another price, to begin there, if it has as many
// weights. Cost: O(stored values * classes) a pass, and 8 bytes a row and class.
// Throws as minimize(), and Error(usage) for another loss.
Optimum minimize_softmax(const Rows& rows, const OptimumOptions& options, std::uint32_t classes,
                         const Optimum* begin = nullptr);

// Returns dual variables of minimize_softmax's minimum: of each row the cost times the probability of each class, at
// [row * classes + class].
std::vector<double> softmax_dual_variables(const Rows& rows, const OptimumOptions& options, const Optimum& found);

// Returns how many significant decimal digits of a weight are certain: the most k such that it differs from its best
// value by at most half a unit of digit k; 0 for a weight of 0, or if not even the first is. At most 17.
int certain_digits(double weight, double radius);

}  // namespace halfspace
