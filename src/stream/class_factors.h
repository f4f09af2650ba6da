// The factors of row weights, by class.
#pragma once

#include <vector>

#include "halfspace/stream/read_options.h"
#include "halfspace/stream/schema.h"

namespace halfspace::stream {

// Returns a factor for each class, or nothing if all are 1. Throws Error(usage) for an unknown class, and for a weight
// that is none.
std::vector<double> class_factors(const ReadOptions& options, const Labels& labels);

}  // namespace halfspace::stream
