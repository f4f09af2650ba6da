// Calibration: turns scores into probabilities.
//
//   const Calibration c = calibrate(CalibrationMethod::platt, 1, scores, labels);   // of rows not trained on
//
//    std::vector<double> p = c.probabilities({&score, 1});  // one per class, the positive class last
//
// Fit a calibration on rows the weights were not trained on: scores of training rows are too good. Calibration never
// changes the predicted label. `count`, where it is not empty, is how many rows each counts as: a row of weight k as k.
//
// Two classes share one curve. More classes have a one-against-rest curve each, and the probabilities are divided by
// their sum (Zadrozny and Elkan, "Transforming classifier scores into accurate multiclass probability estimates", KDD
// 2002); if all are 0, every class is equally likely.
//
// Platt's curve is 1 / (1 + e^(a s + b)). It minimizes the cross entropy against smoothed targets, (N+ + 1) / (N+ + 2)
// and 1 / (N- + 2). The problem is convex; solved by Newton's method, damped where a step would not lower it, and sums
// that do not overflow. Cost: O(rows) a step, about ten steps. Platt 1999; Lin, Lin and Weng, "A note on Platt's
// probabilistic outputs for support vector machines", Machine Learning 68, 2007. One score of a million among scores of
// one would leave it flat: if a score lies farther from the median than ten times the farther of the 1 and 99 % quantiles,
// scores are clipped at twice that distance, in the fit and in the curve, where that makes the cross entropy less. The
// method is then `clipped_platt`.
//
// A temperature is of all classes together: the softmax of t s_k + c_k, one t >= 0 and a bias c_k a class, with the least
// cross entropy against smoothed targets, (N_y + 1) / (N_y + 2) for the label y and the rest in equal parts. The problem
// is convex; t by Newton's method and the biases by steps of their diagonal in turn (for the curvature of a softmax is at
// most twice its diagonal). Cost: O(rows K) a step, some dozens of steps. Guo, Pleiss, Sun and Weinberger, "On
// calibration of modern neural networks", ICML 2017 (t alone).
//
// The isotonic curve is the nondecreasing curve with the least squared error: pool adjacent violators (Ayer, Brunk,
// Ewing, Reid and Silverman 1955). Rows of equal score form one point. Pools are compared exactly, in integers. The
// curve is linear between pools and constant outside. Cost: O(rows log rows).
//
// Given weights (linear_model.h) may have the softmax of their scores instead, which nothing fits.
//
// Throws Error(usage) if a class has no row.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "halfspace/detail/base/names.h"

namespace halfspace {

// `softmax` has no curves and is fitted on nothing: the scores are logarithms of odds already.
enum class CalibrationMethod : std::uint8_t {
  none = 0,
  platt = 1,
  isotonic = 2,
  softmax = 3,
  temperature = 4,
  clipped_platt = 5  // what platt becomes where scores lie far out
};
template <>
struct NamesOf<CalibrationMethod> {
  static constexpr Name<CalibrationMethod> table[] = {
      {CalibrationMethod::none, "none", "scores only"},
      {CalibrationMethod::platt, "platt", "a logistic curve"},
      {CalibrationMethod::isotonic, "isotonic", "a step function"},
      {CalibrationMethod::softmax, "softmax", "the softmax of the scores"},
      {CalibrationMethod::temperature, "temperature", "the softmax of the scores at a temperature, with biases"},
      {CalibrationMethod::clipped_platt, "clipped-platt", "a logistic curve of scores that are clipped"}};
};

struct Platt {
  double a = 0, b = 0;
  // Scores beyond are taken for these.
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();

  bool clips() const noexcept { return high < std::numeric_limits<double>::infinity(); }
  double probability(double score) const;
  bool operator==(const Platt&) const = default;
};

struct Isotonic {
  std::vector<double> score, probability;  // the corners: scores ascend, probabilities do not descend

  double at(double score) const;
  bool operator==(const Isotonic&) const = default;
};

// Fits Platt's curve; `positive[i]` is nonzero if the row with score[i] is positive. Needs rows of both classes and
// finite scores.
Platt fit_platt(std::span<const double> score, std::span<const std::uint8_t> positive,
                std::span<const double> count = {});
Isotonic fit_isotonic(std::span<const double> score, std::span<const std::uint8_t> positive,
                      std::span<const double> count = {});

// Fits a temperature and biases: the curves of -t s - c_k, as Platt's have them, a the same for all. `scores`: one number
// a class and row. Needs rows of every class.
std::vector<Platt> fit_temperature(std::uint32_t classes, std::span<const double> scores,
                                   std::span<const std::int32_t> label, std::span<const double> count = {});

struct Calibration {
  CalibrationMethod method = CalibrationMethod::none;
  std::uint64_t rows = 0;          // rows the curves were fitted on
  std::vector<Platt> platt;        // also of a temperature
  std::vector<Isotonic> isotonic;  // one curve per score vector; empty for the other method
  // True if cross-validation fitted the curves although the model holds rows out as well. False if no rows are held
  // out: then cross-validation is the only way.
  bool by_folds = false;

  // Returns whether the curves are Platt's, of clipped scores or not.
  bool by_platt() const noexcept {
    return method == CalibrationMethod::platt || method == CalibrationMethod::clipped_platt;
  }
  // Returns whether there are probabilities. The model of an interrupted run may have a method without curves.
  bool fitted() const noexcept { return method == CalibrationMethod::softmax || !platt.empty() || !isotonic.empty(); }
  // Returns the probability of each class from a row's scores: one score for two classes, else one per class.
  std::vector<double> probabilities(std::span<const double> scores) const;
  // Writes the probabilities into the caller's memory: 2 numbers for two classes, else one per class.
  void probabilities(std::span<const double> scores, std::span<double> result) const;
  bool operator==(const Calibration&) const = default;
};

// Fits a calibration; `scores` has `vectors` numbers a row: 1 for two classes, else one per class. `names`: the class
// names, for errors.
Calibration calibrate(CalibrationMethod method, std::uint32_t vectors, std::span<const double> scores,
                      std::span<const std::int32_t> label, std::span<const std::string> names,
                      std::span<const double> count = {});

}  // namespace halfspace
