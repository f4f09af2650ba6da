// The watch on a run and the calibration of its scores, as JSON (docs/formats/json.md).
#pragma once

#include "report/json.h"

namespace halfspace::report {

// Adds `window`, `faded` and `drift`, as the ledger watched them.
void add_watch(Json& result, const Watch& watch);
Json alarm(const DriftAlarm& alarm);
Json least_loss(const LeastLoss& found);
Json calibration(const Calibration& calibration);

}  // namespace halfspace::report
