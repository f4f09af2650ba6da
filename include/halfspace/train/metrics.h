// Metrics of predictions on labelled rows, each with an interval.
//
//   PredictedRows rows(2);
//   rows.add({.truth = 1, .predicted = 0, .scores = scores, .probabilities = probabilities});     // each row
//   for (const Estimate& estimate : estimates(rows, {}, {})) name_of(estimate.metric), estimate.value, estimate.bounds
//
// Of two classes, precision, recall, F, average precision and lift are those of the positive class, and the Brier score
// is that of its probability. Of more, precision, recall, F, AUC and average precision are averaged over one-against-rest
// questions; the Brier score is summed over the classes.
//
// Undefined values are NaN: a precision without a positive prediction, an AUC with one class only. Nothing is clipped: a
// probability of 0 for the true class makes the log loss infinite. Ties of scores are steps: the order of rows never
// matters.
//
// Weights. A row of weight k counts as k rows, one of weight 0 as none. Weights that are not whole numbers weigh every
// figure, and give no interval: how many independent rows they stand for is unknown.
//
// Intervals. Accuracy, and precision and recall of two classes: exact, Clopper and Pearson 1934.
// All others: the percentile bootstrap, which draws as many rows with replacement, by the seed; the same for any number of
// threads. Both assume independent rows.
//
// Sources: Gorodkin 2004 (the multiclass Matthews correlation); Davis and Goadrich 2006 (average precision as a sum
// of steps, without interpolation); Efron and Tibshirani 1993 (bootstrap).
//
// Memory: 4 bytes a row and 8 a score, 16 more with probabilities, 8 more with weights. Of more than two classes scores
// are kept up to most_scores; more rows have no AUC and no average precision. Cost: a sort per curve, then a
// pass per resample, in parallel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "halfspace/bounds/expected_error.h"
#include "halfspace/detail/base/names.h"
#include "halfspace/detail/train/new_rows.h"

namespace halfspace {

enum class Metric : std::uint8_t {
  accuracy,
  balanced_accuracy,
  precision,
  recall,
  f,
  matthews,
  auc,
  average_precision,
  lift,
  log_loss,
  brier,
  cost
};
template <>
struct NamesOf<Metric> {
  static constexpr Name<Metric> table[] = {
      {Metric::accuracy, "accuracy", "share of rows predicted correctly"},
      {Metric::balanced_accuracy, "balanced-accuracy", "mean over the classes of their recall"},
      {Metric::precision, "precision", "share of the rows predicted positive that are"},
      {Metric::recall, "recall", "share of the positive rows predicted so"},
      {Metric::f, "f1", "harmonic mean of precision and recall; beta weighs recall"},
      {Metric::matthews, "matthews", "correlation of truth and prediction"},
      {Metric::auc, "auc", "share of pairs of a positive and a negative row ranked correctly"},
      {Metric::average_precision, "average-precision", "mean precision over the steps of recall"},
      {Metric::lift, "lift", "precision in the top share of rows by score, over the share of positive rows"},
      {Metric::log_loss, "log-loss", "mean of -ln of the probability of the true class"},
      {Metric::brier, "brier", "mean squared error of the probabilities"},
      {Metric::cost, "cost", "mean cost of a row, by the costs of errors"}};
};

// Returns false for losses and costs.
bool higher_is_better(Metric metric);

enum class Averaging : std::uint8_t { macro, micro, weighted };
template <>
struct NamesOf<Averaging> {
  static constexpr Name<Averaging> table[] = {{Averaging::macro, "macro", "every class counts alike"},
                                              {Averaging::micro, "micro", "every row and class counts alike"},
                                              {Averaging::weighted, "weighted", "classes count by their rows"}};
};

// What a row of one class predicted as another costs.
struct Cost {
  std::string truth, predicted;
  double cost = 0;
};

struct MetricOptions {
  double beta = 1;          // of F: recall counts beta times as much as precision
  double lift_share = 0.1;  // of the rows
  Averaging averaging = Averaging::macro;
  std::vector<Cost> costs{};  // errors not named cost 1; without any there is no cost
};

// Returns the cost of [truth * classes + predicted]: 0 on the diagonal, 1 elsewhere, unless given. Throws Error(usage) for
// a class that is not among the names or a cost that is not finite.
std::vector<double> cost_matrix(std::span<const Cost> costs, std::span<const std::string> names);
// Parses "fraud:ok=5" (a fraud predicted as ok costs 5); a class is a name up to the last colon. Throws Error(usage).
Cost parse_cost(const std::string& text);

struct PredictedRow {
  std::int32_t truth = 0, predicted = 0;
  double weight = 1;                        // >= 0
  std::span<const double> scores;           // of the positive class, or of every class
  std::span<const double> probabilities{};  // of every class; empty: none
};

// What the metrics are computed from.
class PredictedRows {
 public:
  static constexpr std::size_t most_scores = std::size_t{1} << 24;  // of more than two classes: 128 MiB

  explicit PredictedRows(std::size_t classes) : classes_(classes) {}

  void add(const PredictedRow& row);

  std::size_t classes() const noexcept { return classes_; }
  std::size_t rows() const noexcept { return pair_.size(); }  // of weight above 0
  double count() const noexcept { return count_; }            // the sum of their weights
  // Returns whether the weights count rows (new_rows.h).
  bool counts_rows() const { return whole_ && halfspace::counts_rows(count_); }
  std::size_t vectors() const noexcept { return classes_ == 2 ? 1 : classes_; }
  bool has_weights() const noexcept { return !weight_.empty(); }
  bool has_scores() const noexcept { return score_.size() == rows() * vectors(); }
  bool has_probabilities() const noexcept { return rows() > 0 && !log_loss_.empty(); }
  std::size_t truth(std::size_t row) const { return pair_[row] / classes_; }
  std::size_t predicted(std::size_t row) const { return pair_[row] % classes_; }
  std::size_t pair(std::size_t row) const { return pair_[row]; }  // truth * classes + predicted
  double weight(std::size_t row) const { return weight_.empty() ? 1 : weight_[row]; }
  // Needs has_scores().
  double score(std::size_t row, std::size_t vector) const { return score_[row * vectors() + vector]; }
  double log_loss(std::size_t row) const { return log_loss_[row]; }
  double brier(std::size_t row) const { return brier_[row]; }

 private:
  std::size_t classes_;
  std::vector<std::uint32_t> pair_;
  std::vector<double> weight_;  // empty while all are 1
  double count_ = 0;
  bool whole_ = true;
  std::vector<double> score_, log_loss_, brier_;
};

// Returns the value; NaN where undefined. `costs`: as cost_matrix() returns them, for Metric::cost alone.
double value_of(Metric metric, const PredictedRows& rows, const MetricOptions& options,
                std::span<const double> costs = {});

// Precision, recall and F of each class, and its rows (their weights).
struct ClassMetrics {
  double precision = 0, recall = 0, f = 0, rows = 0;
};
std::vector<ClassMetrics> class_metrics(const PredictedRows& rows, const MetricOptions& options);

struct IntervalOptions {
  double confidence = 0.95;
  std::uint64_t resamples = 1000;  // at most; fewer for many rows, none below 100 or for 0
  std::uint64_t seed = 1;
};

// Returns the standard deviation of the metric over at most 200 resamples; 0 if fewer than 100 are affordable.
double bootstrap_error(Metric metric, const PredictedRows& rows, const MetricOptions& options,
                       std::span<const double> costs, const IntervalOptions& interval);

struct Estimate {
  Metric metric = Metric::accuracy;
  double value = 0;
  std::optional<ErrorBounds> bounds;  // of the metric, not of an error
  bool exact = false;                 // Clopper and Pearson; else the bootstrap
};

// Returns how many resamples rows this many allow.
std::uint64_t affordable_resamples(const PredictedRows& rows, const IntervalOptions& options);

// Returns every metric that is defined for the rows, in the order of the enum; cost only if options.costs names some.
std::vector<Estimate> estimates(const PredictedRows& rows, std::span<const std::string> names,
                                const MetricOptions& options, const IntervalOptions& interval);

// A point of the curves of two classes: predicting the positive class at scores of at least this.
struct CurvePoint {
  double score = 0, recall = 0, false_positive_rate = 0, precision = 1;
};
// Returns the points of both curves with falling scores, at most about `most` of them, the last one included. Empty unless
// both classes have rows.
std::vector<CurvePoint> curve_of(const PredictedRows& rows, std::size_t most = 1000);

// Returns the threshold that makes the metric best, for two classes: predicting the positive class at scores of at least
// this. It lies halfway between two scores; the greatest of several equally good ones. Throws Error(usage) for a metric
// that no threshold changes (AUC, average precision, lift, log loss, Brier) or if a class has no row.
double best_threshold(const PredictedRows& rows, Metric metric, const MetricOptions& options,
                      std::span<const double> costs = {});

}  // namespace halfspace
