// Begins a minimization at the solution for another cost.
#pragma once

#include <vector>

#include "halfspace/optimum/optimum.h"
#include "optimum/items.h"

namespace halfspace::optimum {

// Returns options.start within the bounds of these options, one number a row, and sets the weights to the sum of a y x;
// without a start both are 0. Throws Error(usage) for a start of another number of rows.
std::vector<double> begin(const Rows& rows, const OptimumOptions& options, Weights& weights);

}  // namespace halfspace::optimum
