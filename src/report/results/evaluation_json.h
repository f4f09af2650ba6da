// The watch on a run, the calibration of its scores and its threshold, as JSON (docs/formats/json.md).
#pragma once

#include <string>
#include <string_view>

#include "halfspace/train/evaluate.h"
#include "report/results/json.h"

namespace halfspace::report {

// Adds `window`, `faded` and `drift`, as the ledger watched them.
void add_watch(Json& result, const Watch& watch);
Json alarm(const DriftAlarm& alarm);
Json least_loss(const LeastLoss& found);
Json calibration(const Calibration& calibration);
// Returns the model's threshold, which there must be, its probability where the model has some, and what placed it if that
// is known.
Json threshold(const Model& model, const std::string& by = "");
// Says it for people: "bad from a score of 0.3712 on, a probability of 0.2".
std::string threshold_words(const Model& model);

// Returns why there is no log loss: it is the logarithm of 0.
std::string why_no_log_loss(const Reliability& reliability);
Json reliability(const Reliability& reliability);

// The reason for no bounds on new rows, when a model is evaluated on the data that it learned from.
inline constexpr std::string_view learned_from =
    "the model was trained on these data, so every figure here is optimistic";
// Returns why there are no bounds on new rows.
std::string why_no_expected_error(const ModelEvaluation& result);
// Returns a sum of weights of rows: an integer where it is a whole number.
Json rows_count(double number);
// Returns the JSON of `evaluate --json`.
// Returns the metrics with their intervals, and how they were computed.
Json metrics(const ModelEvaluation& result);
// Returns the points of the curves of two classes, an array for each figure; with costs of errors also their mean cost.
Json curve(const ModelEvaluation& result);
Json evaluation(const ModelEvaluation& result);

}  // namespace halfspace::report
