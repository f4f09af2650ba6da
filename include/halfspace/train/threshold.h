// The decision threshold of a model of two classes: it predicts the positive class at scores of at least this number.
//
//   TrainOptions options;
//   options.threshold.emplace();                               // where options.metric is best on validation rows
//   options.threshold = ThresholdChoice{0.2, {}};   // where the probability reaches 0.2
//
// A model without one decides at a score of 0, by its tie rule. A threshold changes the predicted classes, and neither
// scores nor probabilities. Learning ignores it: the run's mistakes are those at 0.
//
// The validation rows are those of the folds that chose the composition or, without folds, the held-out rows.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "halfspace/detail/train/new_rows.h"
#include "halfspace/train/calibration.h"
#include "halfspace/train/metrics.h"

namespace halfspace {

// How to place a threshold.
struct ThresholdChoice {
  // Predict the positive class from this probability on, by the model's probability_curves(). Empty: where the metric of
  // the options is best.
  std::optional<double> probability;
  std::optional<double> score;  // placed here already, by rows that validated the composition (choose.h)

  // Returns whether it takes validation rows to place it.
  bool by_metric() const { return !probability && !score; }
};

// Throws Error(usage), unless a model has two classes, that only such models have a threshold.
void check_two_classes(std::size_t classes);

// Returns the least score whose probability of the positive class is at least this. Throws Error(usage) unless the
// probability lies between 0 and 1 and some score reaches it, or if the probability falls as scores rise.
double threshold_at(const Calibration& curves, double probability);

// Returns the threshold that is best by the metric on rows that were not trained on: best_threshold() of their scores,
// one a row. `count`: how many rows each counts as; empty: 1.
double threshold_of(std::span<const double> scores, std::span<const std::int32_t> truth, Metric metric,
                    const MetricOptions& options, std::span<const std::string> names,
                    std::span<const double> count = {});

// Returns the rows that a threshold gets wrong.
double errors_at(double threshold, std::span<const double> scores, std::span<const std::int32_t> truth,
                 std::span<const double> count = {});

// Returns bounds on the error of a threshold on new rows, from the rows that it was chosen on; empty for fewer than
// three. `candidates`: the scoring functions that these rows chose between, too.
//   Setting. n independent rows, scored by a function that is fixed without them; a threshold that is a function of the
//   scores of at most two of them, as best_threshold() is; e errors on all n.
//   Theorem. With probability at least the confidence, its error lies between the bounds of Clopper and Pearson for
//   n - 2 rows with between e - 2 and e errors, at the level (1 - confidence) / (n (n + 3) / 2 * candidates).
//   Proof. Fix the two rows: the threshold is then independent of the other n - 2, which are a sample apart. There are
//   n (n + 1) / 2 pairs (or single rows), with the midpoint of their scores, and n thresholds just above a row; one of
//   these is the one chosen, and the bounds hold for all at once.
//   Source: Littlestone and Warmuth, "Relating data compression and learnability", 1986; Langford, "Tutorial on
//   practical prediction theory for classification", JMLR 6, 2005.
std::optional<ExpectedError> expected_error_of_threshold(std::uint64_t rows, std::uint64_t errors,
                                                         double confidence = 0.95, double candidates = 1);

}  // namespace halfspace
