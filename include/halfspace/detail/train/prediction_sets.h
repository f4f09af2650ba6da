// Prediction sets: the classes that a row may have, with a guarantee on how often the true one is among them.
//
//   const PredictionSets sets(*model.conformal, 0.9);
//   sets.contains(scores, set);                        // scores of a row as Predictor::score_all() returns them
//
// Split conformal prediction (Vovk, Gammerman and Shafer 2005; Lei, G'Sell, Rinaldo, Tibshirani and Wasserman 2018). The
// nonconformity of class y for a row with the scores s is A(x, y) = max over k != y of s_k, less s_y: at most 0 for the
// predicted class. Let a_1 <= ... <= a_n be the nonconformities of n held-out rows with their own classes, and k the
// least integer with k >= (n + 1) c. The set of a row is {y : A(x, y) <= a_k}; if k > n, all classes.
//   Theorem. If the held-out rows and the new row are exchangeable given the scores as a function of a row, the set has
//   the true class with probability at least c. If no two nonconformities can be equal, it is k / (n + 1), which is below
//   c + 1 / (n + 1).
//   Proof. Let a be the nonconformity of the new row with its true class. The n + 1 numbers a_1, ..., a_n, a are
//   exchangeable, since A is one fixed function. The true class is outside of the set iff a > a_k, that is iff at least k
//   of the other n are below a. At most n + 1 - k of any n + 1 numbers exceed k others, exactly so many if all differ,
//   and each of them is the new row's with the same probability: P <= (n + 1 - k) / (n + 1) <= 1 - c. QED
// What it asks for: the scores must not depend on the held-out rows. Weights, tuned parameters, scales of columns and the
// learner's choice come from the other rows alone (Run, Folds and plan_training leave held-out rows out). A calibration
// may be fitted on the held-out rows, because A is made of scores and not of probabilities. What remains of all rows is
// how the data are read: their format, columns and classes, which the theorem takes as given.
//
// Each class by itself (Mondrian): with k and a_k of the held-out rows of class y only, the same proof holds given that
// the row is of class y, for every y.
//
// Of more than most_scores rows of a class that many order statistics are kept, evenly spaced by rank. The threshold is
// then the least kept number that provably has k nonconformities at or below it: never below a_k, so the theorem's lower
// bound holds as before, and the coverage grows by at most about 1 / most_scores.
//
// AdaptiveSets needs no assumption: adaptive conformal inference (Gibbs and Candes, "Adaptive conformal inference under
// distribution shift", NeurIPS 2021). The level of round t is a_t; the set has the classes whose nonconformity is at most
// the (1 - a_t)-quantile of the latest `window` truths; none if a_t >= 1, all if a_t <= 0. After the truth
// a_{t+1} = a_t + step (1 - c - e_t), where e_t is 1 if it was outside of the set.
//   Theorem. For every sequence of rows and all T, with a_1 = 1 - c and at most m sets issued whose truth is still to
//   come (1 if each truth comes before the next set), |mean of e_1, ..., e_T - (1 - c)| <= (max(a_1, 1 - a_1) + m step)
//   / (T step).
//   Proof. Sets issued at a level <= 0 have no error. Once the level has fallen to 0 or below, at most m sets were issued
//   above 0, and only their errors lower it, by at most step each: a_t >= -m step. Likewise a_t <= 1 + m step. The sum of
//   the updates is a_{T+1} - a_1 = step (T (1 - c) - sum of e_t). QED
// a_t is computed from the counts, not by repeated addition: rounding is below T 2^-51 in T (mean - (1 - c)), which the
// bound has room for while T < 2^40 and 0.001 <= c <= 0.999, since an error lowers the level by c step, not by step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "halfspace/detail/train/new_rows.h"

namespace halfspace {

// Returns A(x, label), limited to finite numbers. `scores`: one for two classes (the positive one's), else one per class.
double nonconformity(std::span<const double> scores, std::size_t label);

// Throws Error(usage) unless 0 < coverage < 1.
void check_coverage(double coverage);

// Returns the least k with k / (rows + 1) >= coverage, as doubles: exact for a coverage of few decimals.
std::uint64_t conformal_rank(std::uint64_t rows, double coverage);

// Returns the fewest rows from which on not every set has all classes: the least n with conformal_rank(n) <= n.
std::uint64_t fewest_rows(double coverage);

// The nonconformities of the held-out rows, as a model keeps them.
struct ConformalScores {
  static constexpr std::uint64_t most_scores = 4096;  // kept of a class

  struct OfClass {
    std::uint64_t rows = 0;      // held-out rows of the class
    std::vector<double> scores;  // ascending; entry j of m, from 1, is the ceil(j rows / m)-th least
    bool operator==(const OfClass&) const = default;
  };
  std::vector<OfClass> of_class;  // one per class; no rows if the run was interrupted before it held any out

  std::uint64_t rows() const;
  bool operator==(const ConformalScores&) const = default;
};

// Sorts the nonconformities of each class, and thins them.
ConformalScores conformal_scores(std::vector<std::vector<double>> of_class);

class PredictionSets {
 public:
  // `each_class`: the guarantee holds for the rows of each class, not only on average over all.
  PredictionSets(const ConformalScores& scores, double coverage, bool each_class = false);

  // Writes 1 for each class in the set and 0 for the others.
  void contains(std::span<const double> scores, std::span<std::uint8_t> set) const;

  double coverage() const noexcept { return coverage_; }
  bool each_class() const noexcept { return each_class_; }
  std::uint64_t rows() const noexcept { return rows_; }
  // Returns the classes that are in every set, for want of rows.
  const std::vector<std::size_t>& always() const noexcept { return always_; }
  // Returns the largest nonconformity that is in the set, for each class; infinite if all are.
  const std::vector<double>& thresholds() const noexcept { return thresholds_; }

 private:
  double coverage_;
  bool each_class_;
  std::uint64_t rows_;
  std::vector<double> thresholds_;
  std::vector<std::size_t> always_;
};

// Counts of prediction sets whose truth is known.
struct SetCounts {
  double rows = 0, covered = 0;              // a row of weight k counts as k rows
  double sizes = 0, singles = 0, empty = 0;  // the sum of the sizes; sets of one class, of none
  bool whole = true;                         // each weight counts rows (new_rows.h)

  void add(std::span<const std::uint8_t> set, std::size_t label, double weight = 1);
  bool counts_rows() const { return whole && halfspace::counts_rows(rows); }
  double coverage() const { return covered / rows; }
  double mean_size() const { return sizes / rows; }
  bool operator==(const SetCounts&) const = default;
};

// Sets for the rows of a stream, each issued before its truth comes.
class AdaptiveSets {
 public:
  static constexpr double step = 0.02;
  static constexpr std::size_t window = 1000;  // truths that the threshold comes from

  explicit AdaptiveSets(double coverage);

  // Returns the largest nonconformity in the set of the next row: -infinity for no class, +infinity for all. Finite
  // nonconformities alone are compared with it.
  double threshold() const;
  // Learns a row's truth: its nonconformity, for a set issued at threshold().
  void add(double nonconformity) { add(nonconformity, nonconformity <= threshold()); }
  // The same for a set that had the truth, or had not.
  void add(double nonconformity, bool covered);

  double coverage() const noexcept { return coverage_; }
  std::uint64_t rows() const noexcept { return rows_; }
  std::uint64_t errors() const noexcept { return rows_ - covered_; }
  // Returns a_t.
  double level() const;
  // Returns the theorem's bound on the distance of the share of errors from 1 - coverage.
  double bound() const;

 private:
  double coverage_;
  std::uint64_t rows_ = 0, covered_ = 0;
  std::vector<double> latest_, sorted_;  // a ring of the latest truths, and the same ascending
};

}  // namespace halfspace
