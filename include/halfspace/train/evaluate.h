// Evaluates a model on labelled rows: metrics with intervals, confusion, curves and the quality of its probabilities.
//
//   EvaluateOptions options;
//   options.read.path = "new.csv";
//   const ModelEvaluation result = evaluate(load_model("credit.model"), options);
//   result.confusion.accuracy(), result.metrics, result.reliability
//
// A row of weight k counts as k rows and one of weight 0 as none, unless every row is to count once (`weighted`).
// Weights that are not whole numbers are no counts of rows: figures weigh by them, and have no intervals. On training
// rows every figure is too good.
//
// Memory and cost: those of metrics.h, and one prediction a row.
//
// Thread-safety: value types, pure functions; use an Evaluator from one thread.
#pragma once

#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "halfspace/detail/train/new_rows.h"
#include "halfspace/stream/reader.h"
#include "halfspace/stream/rows.h"
#include "halfspace/train/metrics.h"
#include "halfspace/train/model.h"

namespace halfspace {

// Counts the rows of each class by predicted class, each as often as its weight says.
class ConfusionTable {
 public:
  explicit ConfusionTable(std::size_t classes = 2) : classes_(classes), counts_(classes * classes, 0) {}

  void add(std::int32_t truth, std::int32_t predicted, double weight = 1) {
    counts_[static_cast<std::size_t>(truth) * classes_ + static_cast<std::size_t>(predicted)] += weight;
    whole_ = whole_ && halfspace::counts_rows(weight);
  }

  std::size_t classes() const noexcept { return classes_; }
  double at(std::size_t truth, std::size_t predicted) const { return counts_[truth * classes_ + predicted]; }
  // Returns the counts: [truth * classes + predicted].
  const std::vector<double>& counts() const noexcept { return counts_; }
  // Returns whether the weights count rows (new_rows.h).
  bool counts_rows() const { return whole_ && halfspace::counts_rows(rows()); }

  double rows() const;
  double rows_of(std::size_t truth) const;
  double right() const;
  double errors() const;
  double most_frequent() const;  // rows of the most frequent class
  double accuracy() const;       // NaN without rows

 private:
  std::size_t classes_;
  std::vector<double> counts_;
  bool whole_ = true;
};

struct ScoredRow {
  double score;  // finite
  bool positive;
};

// The receiver operating characteristic. Rows of equal score form one step, so that a tie counts half.
struct RocCurve {
  std::uint64_t positives = 0, negatives = 0;
  // From (0, 0) to (1, 1) with falling thresholds; of steps shorter than the spacing only the last is kept.
  std::vector<double> false_positive, true_positive;
  // Area under the curve: the share of (positive, negative) pairs ranked correctly. Counted exactly.
  double area = 0;
};

// Returns the curve; empty if a class has no row. Keeps points at least `spacing` apart in the sum of both rates.
std::optional<RocCurve> roc_curve(std::vector<ScoredRow> rows, double spacing = 0);

// The quality of probabilities: log loss, Brier score and calibration error.
//
// For two classes everything uses the probability of the positive class. For more, the bins use the most probable class
// and log loss the true class. Nothing is clipped: probability 0 for the true class makes the log loss infinite.
//
// Source: Brier, "Verification of forecasts expressed in terms of probability", Monthly Weather Review 78, 1950; the
// calibration error is that of Naeini, Cooper and Hauskrecht, AAAI 2015, over ten bins of equal width.
class Reliability {
 public:
  struct Bin {
    double rows = 0, happened = 0;
    double sum = 0;  // of the probabilities
  };
  static constexpr std::size_t bin_count = 10;  // bin i holds probabilities from i/10 up to (i + 1)/10

  explicit Reliability(std::size_t classes) : classes_(classes), rows_of_(classes, 0) {}

  // Adds a row as often as its weight says; `probabilities`: one per class, as Calibration::probabilities returns them.
  void add(std::span<const double> probabilities, std::int32_t label, double weight = 1);

  std::size_t classes() const noexcept { return classes_; }
  double rows() const noexcept { return rows_; }
  double impossible() const noexcept { return impossible_; }  // rows whose class was given probability 0
  const std::array<Bin, bin_count>& bins() const noexcept { return bins_; }

  // Means over the rows; NaN without rows.
  double log_loss() const { return log_loss_ / rows_; }
  double brier() const { return brier_ / rows_; }
  double constant_brier() const;     // of a constant prediction of the class frequencies
  double calibration_error() const;  // mean |mean probability - observed frequency| of a bin, weighted by rows

 private:
  std::size_t classes_;
  std::vector<double> rows_of_;
  std::array<Bin, bin_count> bins_;
  double rows_ = 0, impossible_ = 0, log_loss_ = 0, brier_ = 0;
};

// The prediction sets of a model on labelled rows.
struct SetsEvaluation {
  double wanted = 0;  // coverage
  bool each_class = false;
  std::uint64_t held_out = 0;  // rows that the sets rest on
  SetCounts counts;
  std::vector<double> rows, covered;  // of each class
};

struct ModelEvaluation {
  std::vector<std::string> classes;  // names; a lone class has an opposite without a name
  ConfusionTable confusion;
  std::optional<double> area;              // AUC: two classes, both with rows
  std::optional<Reliability> reliability;  // if the model has probability_curves()
  std::optional<SetsEvaluation> sets;      // if the model has conformal scores
  ReadReport report;                       // of a file: bad rows, values of unknown features
  // Of a file: the model was trained on exactly these data, so every figure is too good.
  bool learned_from = false;
  // The model does not know which data it was trained on, such as those of shards or of a stream.
  bool data_unknown = false;
  double confidence = 0.95;  // of expected_error() and the intervals of the metrics
  std::vector<Estimate> metrics;
  std::vector<ClassMetrics> by_class;
  MetricOptions metric_options;
  std::uint64_t resamples = 0;    // of the bootstrap; 0: none
  std::vector<CurvePoint> curve;  // of two classes
  bool weighted = false;          // rows count by their weights, and not all of these are 1
  double threshold = 0;           // of the model, if it has two classes

  // Returns the expected error on new rows; empty without rows, on data the model was trained on, or for weights that
  // are not whole numbers.
  std::optional<ExpectedError> expected_error(double other_confidence) const;
  std::optional<ExpectedError> expected_error() const { return expected_error(confidence); }
};

// Accumulates an evaluation block by block. Keeps a reference to the model.
class Evaluator {
 public:
  // `sets`: the coverage of prediction sets, if the model has them.
  explicit Evaluator(const Model& model, double sets = 0.9, bool each_class = false);

  // Adds labelled rows in the model's classes and coordinates, as a Reader with the model's schema returns them.
  // `weighted`: each counts as often as its weight in the block says.
  void add(const Block& block, bool weighted = false);
  std::uint64_t rows() const noexcept { return rows_seen_; }
  // Returns the classes predicted for the rows of the last block.
  std::span<const std::int32_t> predicted() const noexcept { return predicted_; }
  // Returns the evaluation of the rows so far.
  ModelEvaluation result(const MetricOptions& options = {}, const IntervalOptions& interval = {.resamples = 0}) const;

 private:
  const Model& model_;
  Calibration curves_;
  Predictor predictor_;
  ConfusionTable confusion_;
  std::optional<Reliability> reliability_;
  PredictedRows rows_;
  std::uint64_t rows_seen_ = 0;
  std::optional<PredictionSets> sets_;
  SetsEvaluation set_counts_;
  std::vector<std::uint8_t> set_;
  std::vector<std::int32_t> predicted_;
  std::vector<double> scores_, probabilities_;
  std::vector<double> ranked_;
  std::span<const double> log_probabilities(std::span<const double> scores);
};

struct EvaluateOptions {
  ReadOptions read;  // labels, columns and scales are overridden by the model's
  const std::atomic<bool>* interrupt = nullptr;
  std::function<void(std::uint64_t rows)> on_progress;  // between blocks
  // Called with each block and the classes predicted for its rows.
  std::function<void(const Block&, std::span<const std::int32_t> predicted)> on_rows{};
  double confidence = 0.95;  // of the expected error and the intervals
  MetricOptions metrics;
  std::uint64_t resamples = 1000, seed = 1;  // of the bootstrap; 0 resamples: none
  // Rows count by the data's weights: those of the model's column if the data have it, or of the one that `read` names.
  bool weighted = true;
  // The coverage of prediction sets, and whether it holds for each class. Empty: 0.9 for a model that has them.
  std::optional<double> sets{};
  bool each_class = false;
};

// Throws Error(usage) if the model has no conformal scores.
void check_conformal(const Model& model);

// Throws Error as Reader and Predictor do; Error(usage) for sets of a model without them and for a confidence outside
// (0, 1); Error(input_output) if interrupted.
ModelEvaluation evaluate(const Model& model, const EvaluateOptions& options);
// Evaluates sealed rows in the model's classes and coordinates.
ModelEvaluation evaluate(const Model& model, const Rows& rows);

// Returns how to read data for this model: its classes, columns and scales, without new ones. `weighted`: with the
// weights of the rows, if the data have them.
ReadOptions read_for(const Model& model, ReadOptions read, bool weighted = false);

}  // namespace halfspace
