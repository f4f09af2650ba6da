// Scores to probabilities: how often is a row with this score positive?
//
//   const Calibration c = calibrate(CalibrationMethod::platt, 1, scores, labels);   // of rows that were not learned
//   from std::vector<double> p = c.probabilities({&score, 1});                          // one a class, the positive
//   one last
//
// A calibration is fitted on the scores of rows that the weights did not learn from: on rows they did learn from,
// scores are too good. It changes no prediction: the label stays that of the score. Rows count alike, whatever their
// weights.
//
// Two classes have one score and one curve. Several classes have a curve each, fitted one against the rest, and the
// probabilities are divided by their sum (Zadrozny and Elkan, "Transforming classifier scores into accurate multiclass
// probability estimates", KDD 2002); where all are 0, all classes are as likely.
//
// Platt's curve is 1 / (1 + e^(a s + b)). It is the optimum of the cross entropy against targets that are drawn in from
// 0 and 1 by as much as the rows are few: (N+ + 1) / (N+ + 2) and 1 / (N- + 2). Newton's method with backtracking, sums
// that do not overflow; the problem is convex. Cost O(rows) a step, about ten of them. Platt 1999; Lin, Lin and Weng,
// "A note on Platt's probabilistic outputs for support vector machines", Machine Learning 68, 2007.
//
// The isotonic curve is the one that never falls and has the least squared error: pool adjacent violators (Ayer, Brunk,
// Ewing, Reid and Silverman 1955). Rows of equal score are one point. Exact: pools are compared in integers. Between
// pools the curve is straight, beyond them flat. Cost O(rows log rows).
//
// Thread-safety: value types, pure functions. Throws Error(usage) where a class has no row.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "halfspace/base/names.h"

namespace halfspace {

enum class CalibrationMethod : std::uint8_t { none = 0, platt = 1, isotonic = 2 };
template <>
struct NamesOf<CalibrationMethod> {
  static constexpr Name<CalibrationMethod> table[] = {{CalibrationMethod::none, "none", "scores only"},
                                                      {CalibrationMethod::platt, "platt", "a logistic curve"},
                                                      {CalibrationMethod::isotonic, "isotonic", "a step function"}};
};

struct Platt {
  double a = 0, b = 0;

  double probability(double score) const;
  bool operator==(const Platt&) const = default;
};

struct Isotonic {
  std::vector<double> score, probability;  // the corners: scores ascend, probabilities do not descend

  double at(double score) const;
  bool operator==(const Isotonic&) const = default;
};

// Fits Platt's curve; `positive[i]` says whether the row with score[i] was; of both kinds there must be one. Scores are
// finite.
Platt fit_platt(std::span<const double> score, std::span<const std::uint8_t> positive);
Isotonic fit_isotonic(std::span<const double> score, std::span<const std::uint8_t> positive);

struct Calibration {
  CalibrationMethod method = CalibrationMethod::none;
  std::uint64_t rows = 0;  // it was fitted on
  std::vector<Platt> platt;
  std::vector<Isotonic> isotonic;  // one curve a vector of scores; of the other method none
  // Fitted by cross-validation although the model holds rows out as well. Stays false if no rows are held out: then
  // cross-validation is the only way.
  bool by_folds = false;

  // Returns whether there are curves. The model of an interrupted run may know the requested method only.
  bool fitted() const noexcept { return !platt.empty() || !isotonic.empty(); }
  // Returns the probability of each class, from the scores of a row: one score for two classes, else one a class.
  std::vector<double> probabilities(std::span<const double> scores) const;
  // Writes them into memory of the caller's: 2 numbers for two classes, else one for each.
  void probabilities(std::span<const double> scores, std::span<double> result) const;
  bool operator==(const Calibration&) const = default;
};

// Fits a calibration; `scores` has `vectors` numbers a row: 1 for two classes, else one for each. `names` are the
// classes', for errors.
Calibration calibrate(CalibrationMethod method, std::uint32_t vectors, std::span<const double> scores,
                      std::span<const std::int32_t> label, std::span<const std::string> names);

}  // namespace halfspace
