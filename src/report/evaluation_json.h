// The watch on a run and the calibration of its scores, as JSON (docs/formats/json.md).
#pragma once

#include <string>
#include <string_view>

#include "halfspace/train/evaluate.h"
#include "report/json.h"

namespace halfspace::report {

// Adds `window`, `faded` and `drift`, as the ledger watched them.
void add_watch(Json& result, const Watch& watch);
Json alarm(const DriftAlarm& alarm);
Json least_loss(const LeastLoss& found);
Json calibration(const Calibration& calibration);

// Returns why there is no log loss: it is the logarithm of 0.
std::string why_no_log_loss(const Reliability& reliability);
Json reliability(const Reliability& reliability);

// The reason for no bounds on new rows, when a model is evaluated on the data that it learned from.
inline constexpr std::string_view learned_from =
    "the model was trained on these data, so every figure here is optimistic";
// Returns the JSON of `evaluate --json`.
// Returns the metrics with their intervals, and how they were computed.
Json metrics(const ModelEvaluation& result);
// Returns the points of the curves of two classes, an array for each figure.
Json curve(const std::vector<CurvePoint>& points);
Json evaluation(const ModelEvaluation& result);

}  // namespace halfspace::report
