// Winnow, for features of 0 and 1 of which few matter: multiplies weights that were too small, and cuts those that
// misled.
//
//   predict positive  <=>  sum of w_j over the row's features > threshold;  w = 1 at first
//   a positive row missed (promotion):    w_j <- alpha w_j for its features
//   a negative row taken for positive:    Winnow1: w_j <- 0 (elimination);  Winnow2: w_j <- w_j / alpha (demotion)
//
// The threshold is stored as the bias of the weights: a score is the sum minus the threshold. Its default is half the
// number of features seen so far, at least 1, and grows with them. Rejects rows with values other than 0 and 1. Rows of
// any weight above 0 count as one.
//
// Guarantees.
// Winnow1 (Littlestone 1988): if the label is the "or" of k of the features and alpha > 1, threshold >= 1 / alpha,
//   mistakes <= alpha k (log_alpha(threshold) + 1) + n / threshold.
// With a threshold that moves, n / threshold becomes the sum of (features that appear) / (threshold then), at most 2 +
// 2 ln n: a promotion adds at most (alpha - 1) threshold to the weights there are, an elimination takes more than the
// threshold of its time; divide each addition by the threshold at which it was made.
// Winnow2, for every u >= 0 and every g > 0, D = sum u_j ln(u_j / w0_j) + w0_j - u_j with w0 the start weights:
//   mistakes <= (D + sum of max(0, g - t)) / g,   t = ln(alpha) <u, x> - (alpha - 1) threshold on positive rows,
//                                               t = (1 - 1 / alpha) threshold - ln(alpha) <u, x> on negative ones
// since a promotion changes the divergence sum u_j ln(u_j / w_j) + w_j - u_j by at most -t, and so does a demotion. It
// needs no u that separates, and with one that does (Littlestone's case: <u, x> >= 1 or <= 1 - d) it is O(|u|_1 ln n).
// Cost: O(stored values) a round.
// Source: "Learning quickly when irrelevant attributes abound", Machine Learning 2 (1988).
#pragma once

#include "halfspace/detail/linear/weights/winnow.h"
#include "halfspace/detail/rules/parameter.h"
#include "halfspace/detail/rules/rule_name.h"
#include "halfspace/linear/rule.h"

namespace halfspace {

namespace rule {
inline constexpr RuleName winnow1{13};
inline constexpr RuleName winnow2{14};
}  // namespace rule

namespace parameter {
inline constexpr Parameter theta{.name = "theta", .placeholder = "T"};
}  // namespace parameter

// Winnow1 (winnow.h): alpha k (log_alpha(threshold) + 1) + appeared, for an "or" of k literals; infinite when threshold
// < 1 / alpha. `appeared` is n / threshold where the threshold stood still.
double winnow1_bound(double literals, double alpha, double threshold, double appeared);

struct Winnow {
  Tie tie = Tie::negative;

  double step(double sign, double score, double /*squared_norm*/, double weight) const {
    return weight > 0 && is_mistake(tie, sign, score) ? 1.0 : 0.0;
  }
};

}  // namespace halfspace
