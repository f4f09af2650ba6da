// An evaluation as evaluate prints it: confusion matrix, accuracy, the quality of probabilities.
//
// Thread-safety: pure functions.
#pragma once

#include <string>

#include "base/text_style.h"
#include "halfspace/train/evaluate.h"

namespace halfspace::report {

// Formats a value of a metric: shares of rows as percent.
std::string metric_number(Metric metric, double value);
// Returns the interval of a metric: "74.90 to 86.17 %"; empty without one.
std::string metric_interval_words(const Estimate& one);
// Returns the metric's name in a sentence: "F1", "balanced accuracy".
std::string metric_words(Metric metric, const MetricOptions& options);

std::string evaluation_text(const ModelEvaluation& result, const TextStyle& style = {});

}  // namespace halfspace::report
