// The quality of probabilities: the table.
#pragma once

#include <string>

#include "halfspace/train/evaluate.h"

namespace halfspace::cli {

std::string reliability_text(const Reliability& reliability);

}  // namespace halfspace::cli
