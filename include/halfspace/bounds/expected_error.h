// What to expect of new rows: bounds on a probability of error, from counts of mistakes.
//
// expected_error(): from a learner's own mistakes, each row predicted before it was learned. No row is kept out, and the
// bounds hold at every moment at once: look at them, or stop, whenever you like.
//   Setting. Rows come in any order; the weights of round t depend on earlier rows alone; the loss l of a round, 0 or 1, has
//   the conditional mean r_t given the past; S is the number of mistakes in t rounds, r = (r_1 + ... + r_t) / t.
//   Theorem. With probability at least the confidence,  lower <= r <= upper  in every round t, where for positive l_k, whole
//   shares p_k with sum p_k <= 1, and d the half of 1 - confidence,
//     upper = the least r with  sum of p_k exp(-l_k S) (1 - (1 - exp(-l_k)) r)^(-t)  >=  1 / d,
//     lower = the largest r with  sum of p_k exp(l_k S) (1 + (exp(l_k) - 1) r)^(-t)  >=  1 / d.
//   Proof. exp(-l x) <= 1 - (1 - exp(-l)) x on [0, 1], so each product of exp(-l x_i) / (1 - (1 - exp(-l)) r_i) is a
//   non-negative supermartingale that begins at 1; by convexity of -ln(1 - c r) it is at least the summand above. Mix over
//   k, and use Ville's inequality. The lower bound is the upper bound of the rows that were right. Each side fails with
//   probability at most d.
//   What it speaks of. If the rows are independent draws from one source, r is the error probability of the weights used
//   so far, a round drawn at random. On any other stream it is the mean conditional probability of error. It does not
//   speak of rows that the learner had seen before (later passes), of rows chosen by their mistakes, nor of weighted rows.
//   Source: Howard, Ramdas, McAuliffe and Sekhon 2021 (time-uniform bounds); Waudby-Smith and Ramdas 2023.
//
// kept_out_error(): of one fixed classifier on independent rows that took no part in learning or choosing it: Clopper and
// Pearson 1934, exact. It holds for a number of rows that was fixed beforehand.
//
// folds_error(): of cross-validation, from the error of each fold: the corrected resampled t of Nadeau and Bengio 2003.
// An approximation, not a theorem: it takes the folds' errors for normal, and corrects for shared training rows by a
// heuristic that is known to work well.
//
// Rounding: upper bounds are never below the value that the formula has in exact arithmetic, lower bounds never above it,
// and both are within 4 units in the last place (folds_error: computed to nearest).
#pragma once

#include <cstdint>
#include <span>

namespace halfspace {

struct ErrorBounds {
  double lower = 0, upper = 1;
  bool operator==(const ErrorBounds&) const = default;
};

// `mistakes` <= `rounds`, both below 2^53; 0 < `confidence` < 1. Without a round: from 0 to 1. About 20 us.
ErrorBounds expected_error(std::uint64_t rounds, std::uint64_t mistakes, double confidence = 0.95);

// `errors` <= `rows`, both below 2^53; 0 < `confidence` < 1. Without a row: from 0 to 1. O(sqrt(rows)) steps. `choices` >=
// 1: with that many, each at the level (1 - confidence) / choices, the bounds hold for all of as many classifiers at once.
ErrorBounds kept_out_error(std::uint64_t rows, std::uint64_t errors, double confidence = 0.95, double choices = 1);

// `fold_errors`: the share of errors of each of at least two folds, which share the rows evenly.
ErrorBounds folds_error(std::span<const double> fold_errors, double confidence = 0.95);

}  // namespace halfspace
