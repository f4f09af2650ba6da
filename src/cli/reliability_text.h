// The quality of probabilities, as a table and as JSON.
#pragma once

#include <string>

#include "halfspace/train/evaluate.h"
#include "report/json.h"

namespace halfspace::cli {

std::string reliability_text(const Reliability& reliability);  // empty without rows
report::Json reliability_json(const Reliability& reliability);

}  // namespace halfspace::cli
