// Two models on the same rows, as evaluate prints them: their metrics side by side, and whether the better one is
// significantly better. Thread-safety: pure functions.
#pragma once

#include <array>
#include <string>

#include "base/text_style.h"
#include "report/results/json.h"
#include "train/evaluate/paired_evaluation.h"

namespace halfspace::report {

// `names`: of the models, as they were given.
std::string paired_text(const PairedEvaluation& both, const std::array<std::string, 2>& names,
                        const TextStyle& style = {});
Json paired(const PairedEvaluation& both, const std::array<std::string, 2>& names);

}  // namespace halfspace::report
