// The quality of a model on labelled rows: accuracy, confusion, AUC, and how good its probabilities are.
//
//   EvaluateOptions options;
//   options.read.path = "new.csv";
//   const ModelEvaluation result = evaluate(load_model("credit.model"), options);
//   result.confusion.accuracy(), result.area, result.reliability
//
// Rows count alike, whatever their weights. Of rows that the model learned from, every figure is too good.
//
// Memory: the AUC keeps 16 bytes a row of two classes; all else is sums. Cost: one prediction a row, a sort for the AUC.
//
// Thread-safety: value types, pure functions; one thread an Evaluator.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "halfspace/stream/reader.h"
#include "halfspace/stream/rows.h"
#include "halfspace/train/model.h"
#include "halfspace/train/new_rows.h"

namespace halfspace {

// A table of how many rows of each class were predicted as each.
class ConfusionTable {
 public:
  explicit ConfusionTable(std::size_t classes = 2) : classes_(classes), counts_(classes * classes, 0) {}

  void add(std::int32_t truth, std::int32_t predicted) {
    ++counts_[static_cast<std::size_t>(truth) * classes_ + static_cast<std::size_t>(predicted)];
  }

  std::size_t classes() const noexcept { return classes_; }
  std::uint64_t at(std::size_t truth, std::size_t predicted) const { return counts_[truth * classes_ + predicted]; }
  // Returns the counts, at [truth * classes + predicted]
  const std::vector<std::uint64_t>& counts() const noexcept { return counts_; }

  std::uint64_t rows() const;
  std::uint64_t rows_of(std::size_t truth) const;
  std::uint64_t predicted_as(std::size_t predicted) const;
  std::uint64_t right() const;
  std::uint64_t errors() const { return rows() - right(); }
  std::uint64_t most_frequent() const;  // rows of the most frequent class: what always predicting it gets right
  double accuracy() const;              // NaN without rows

 private:
  std::size_t classes_;
  std::vector<std::uint64_t> counts_;
};

struct ScoredRow {
  double score;  // finite
  bool positive;
};

// The receiver operating characteristic: what each threshold would give. Rows of one score are one step, so that a tie
// counts half.
struct RocCurve {
  std::uint64_t positives = 0, negatives = 0;
  // From (0, 0) to (1, 1) with falling thresholds; of steps shorter than asked for only the last.
  std::vector<double> false_positive, true_positive;
  // The area below: the share of (positive, negative) pairs that are ranked rightly. Counted exactly.
  double area = 0;
};

// Returns the curve; empty when a class has no row. Keeps points that are at least `spacing` apart, in the sum of both
// shares.
std::optional<RocCurve> roc_curve(std::vector<ScoredRow> rows, double spacing = 0);

// The quality of probabilities: log loss, Brier score, and how often what was given 70 % came true.
//
// Two classes: the probability of the positive one is looked at. Several: that of the most probable class in the bins,
// and of the true one in log loss. Nothing is clipped: a row that was given probability 0 makes the log loss infinite.
//
// Source: Brier, "Verification of forecasts expressed in terms of probability", Monthly Weather Review 78, 1950; the
// calibration error is that of Naeini, Cooper and Hauskrecht, AAAI 2015, over ten bins of equal width.
class Reliability {
 public:
  struct Bin {
    std::uint64_t rows = 0, happened = 0;
    double sum = 0;  // of the probabilities
  };
  static constexpr std::size_t bin_count = 10;  // bin i holds probabilities from i/10 up to (i + 1)/10

  explicit Reliability(std::size_t classes) : classes_(classes), rows_of_(classes, 0) {}

  // Adds a row; `probabilities`: of each class, as Calibration::probabilities gives them.
  void add(std::span<const double> probabilities, std::int32_t label);

  std::size_t classes() const noexcept { return classes_; }
  std::uint64_t rows() const noexcept { return rows_; }
  std::uint64_t impossible() const noexcept { return impossible_; }  // rows whose class was given probability 0
  const std::array<Bin, bin_count>& bins() const noexcept { return bins_; }

  // Means over the rows; NaN without rows.
  double log_loss() const { return log_loss_ / static_cast<double>(rows_); }
  double brier() const { return brier_ / static_cast<double>(rows_); }
  double constant_brier() const;     // of always saying the share of each class
  double calibration_error() const;  // mean distance of a bin's mean probability from what happened, by rows

 private:
  std::size_t classes_;
  std::vector<std::uint64_t> rows_of_;
  std::array<Bin, bin_count> bins_;
  std::uint64_t rows_ = 0, impossible_ = 0;
  double log_loss_ = 0, brier_ = 0;
};

struct ModelEvaluation {
  std::vector<std::string> classes;  // names; a lone class has an opposite without a name
  ConfusionTable confusion;
  std::optional<double> area;              // AUC: of two classes that both have rows
  std::optional<Reliability> reliability;  // of a calibrated model
  ReadReport report;                       // of a file: bad rows, values of features the model does not know
  // Of a file: the model learned from just these data. Every figure is too good then.
  bool learned_from = false;
  double confidence = 0.95;  // of expected_error()

  // Returns what to expect of new rows; empty without rows, and of data that the model learned from.
  std::optional<ExpectedError> expected_error(double other_confidence) const;
  std::optional<ExpectedError> expected_error() const { return expected_error(confidence); }
};

// Adds up an evaluation block by block. Keeps a reference to the model.
class Evaluator {
 public:
  explicit Evaluator(const Model& model);

  // Adds labelled rows, in the model's classes and coordinates: as a Reader with the model's schema gives them.
  void add(const Block& block);
  std::uint64_t rows() const noexcept { return rows_; }
  // Returns the evaluation of the rows so far.
  ModelEvaluation result() const;

 private:
  const Model& model_;
  Predictor predictor_;
  ConfusionTable confusion_;
  std::optional<Reliability> reliability_;
  std::vector<ScoredRow> scored_;  // two classes
  std::uint64_t rows_ = 0;
  std::vector<std::int32_t> predicted_;
  std::vector<double> scores_;
};

struct EvaluateOptions {
  ReadOptions read;  // labels, columns and scales are the model's, whatever it says of them
  const std::atomic<bool>* interrupt = nullptr;
  std::function<void(std::uint64_t rows)> on_progress;  // between blocks
  double confidence = 0.95;                             // of what is expected of new rows
};

// Throws Error: as Reader and Predictor do; usage for a confidence outside of (0, 1); input_output when interrupted.
ModelEvaluation evaluate(const Model& model, const EvaluateOptions& options);
// Rows in the model's classes and coordinates, sealed.
ModelEvaluation evaluate(const Model& model, const Rows& rows);

// Returns how data for this model are read: with its classes, columns and scales, and without learning new ones.
ReadOptions read_for(const Model& model, ReadOptions read);

}  // namespace halfspace
