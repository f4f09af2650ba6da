// Prediction sets in words and as JSON.
//
// Thread-safety: pure functions.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "halfspace/train/evaluate.h"
#include "halfspace/train/train.h"

namespace halfspace::report {

// States what a set guarantees, or why every set has all classes. `names`: of the classes.
std::string sets_words(const PredictionSets& sets, const std::vector<std::string>& names);
// States the observed error of adaptive sets next to its bound.
std::string issued_words(const IssuedSets& issued);
// Formats a coverage: "90 %".
std::string coverage_words(double coverage);

// Returns the exact binomial bounds on the coverage of new rows, rounded outwards.
ErrorBounds coverage_bounds(const SetCounts& counts, double confidence);

Json conformal(const ConformalScores& scores);
Json sets_evaluation(const SetsEvaluation& sets, const ModelEvaluation& evaluation);
Json issued_sets(const IssuedSets& issued, std::size_t classes);

}  // namespace halfspace::report
