// An evaluation as evaluate prints it: confusion matrix, accuracy, the quality of probabilities.
//
// Thread-safety: pure functions.
#pragma once

#include <string>

#include "base/text_style.h"
#include "halfspace/train/evaluate.h"

namespace halfspace::report {

std::string evaluation_text(const ModelEvaluation& result, const TextStyle& style = {});

}  // namespace halfspace::report
