// What the weights of rows are multiplied by, class by class.
#pragma once

#include <vector>

#include "halfspace/stream/read_options.h"
#include "halfspace/stream/schema.h"

namespace halfspace::stream {

// Returns a factor for each class, or nothing when all are 1. Throws Error(usage) for a class that is none of the labels,
// and for a weight that is not a finite number >= 0.
std::vector<double> class_factors(const ReadOptions& options, const Labels& labels);

}  // namespace halfspace::stream
