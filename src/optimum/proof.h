// Bounds on the primal and the dual objective, in directed rounding, from the rows as they are kept.
#pragma once

#include <span>
#include <vector>

#include "halfspace/optimum/optimum.h"
#include "optimum/items.h"

namespace halfspace::optimum {

// v = sum of a y x, coordinate by coordinate: -minus[j] <= v[j] <= plus[j]; the bias feature is last.
struct DualSums {
  std::vector<double> plus, minus;

  // Returns the double in the middle, of each coordinate.
  std::vector<double> middle() const;
};

DualSums dual_sums(const Rows& rows, const OptimumOptions& options, std::span<const double> a);

// Returns an upper bound for P(w).
double primal_above(const Rows& rows, const OptimumOptions& options, const Weights& weights);

// Returns a lower bound for D(a), given the sums of a. Every a must be in its range.
double dual_below(const Rows& rows, const OptimumOptions& options, std::span<const double> a, const DualSums& sums);

}  // namespace halfspace::optimum
