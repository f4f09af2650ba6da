// The score of predicted rows: the one place where what a fold counts is computed.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "halfspace/base/error.h"
#include "halfspace/kernels/example.h"
#include "halfspace/train/evaluate.h"
#include "halfspace/train/folds.h"
#include "train/metrics/row_counts.h"

namespace halfspace::training {

// Adds the rows of a block, given their predicted classes: `wrong` receives a 1 for each row that is wrong, and `count`
// how many rows each counts as.
inline void add_to_score(const Block& block, std::span<const std::int32_t> predicted, const RowCounts& counts,
                         FoldScore& score, std::vector<std::uint8_t>& wrong, std::vector<double>& count) {
  for (std::size_t i = 0; i < block.rows; ++i) {
    const bool error = predicted[i] != block.label[i];
    const double weight = block.weight == nullptr ? 1.0 : block.weight[i], rows = counts.of(block, i);
    wrong.push_back(error);
    count.push_back(rows);
    score.rows += rows;
    score.errors += error ? rows : 0;
    score.whole = score.whole && counts_rows(rows);
    score.weight += weight;
    score.wrong_weight += error ? weight : 0;
  }
}

// Scores the rows of a fold by another metric than accuracy.
class Measured {
 public:
  Measured(const TrainOptions& options, const RowCounts& counts, const Model& model)
      : options_(options),
        counts_(counts),
        curves_(probability_curves(model)),
        rows_(std::max<std::size_t>(2, model.classes())) {
    if (!wanted() || options.metric_options.costs.empty()) return;
    costs_ = cost_matrix(options.metric_options.costs, model.schema.labels.names);
  }

  bool wanted() const { return options_.metric != Metric::accuracy; }

  void add(const Block& block, std::span<const std::int32_t> classes, std::span<const double> scores) {
    if (!wanted()) return;
    const std::size_t vectors = scores.size() / block.rows;
    for (std::size_t i = 0; i < block.rows; ++i) {
      const auto own = scores.subspan(i * vectors, vectors);
      const double difference = vectors == 2 ? own[1] - own[0] : 0;
      PredictedRow row{.truth = block.label[i],
                       .predicted = classes[i],
                       .weight = counts_.of(block, i),
                       .scores = vectors == 2 ? std::span(&difference, 1) : own};
      if (curves_.fitted()) row.probabilities = probabilities_ = curves_.probabilities(own);
      rows_.add(row);
    }
  }

  double value() const {
    const double value = value_of(options_.metric, rows_, options_.metric_options, costs_);
    if (!std::isnan(value)) return value;
    if (higher_is_better(options_.metric)) return 0;
    if (options_.metric == Metric::cost)
      throw Error(ErrorKind::usage, option("metric", "cost") + " needs costs")
          .fix("add " + option("cost", "TRUTH:PREDICTED=C"));
    throw Error(ErrorKind::usage,
                option("metric", std::string(name_of(options_.metric))) + " needs a rule that has probabilities")
        .fix("use a rule that minimizes the logistic loss, such as ftrl, nag or the tournament");
  }

  double standard_error() const {
    return bootstrap_error(options_.metric, rows_, options_.metric_options, costs_,
                           {.seed = options_.composition.seed});
  }

 private:
  const TrainOptions& options_;
  const RowCounts& counts_;
  Calibration curves_;
  PredictedRows rows_;
  std::vector<double> costs_, probabilities_;
};

}  // namespace halfspace::training
