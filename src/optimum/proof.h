// Bounds on the primal and the dual objective, in directed rounding, from the rows as they are kept.
#pragma once

#include <span>
#include <vector>

#include "halfspace/optimum/optimum.h"
#include "optimum/weights.h"

namespace halfspace::optimum {

// Bounds of the factors that scale the dual variables of the negative and of the positive class, both at most 1. They
// are 1, but for a bias that is not penalised: then both classes get the same sum.
struct Scaling {
  double least[2] = {1, 1}, most[2] = {1, 1};
};

Scaling scaling_of(const Rows& rows, const OptimumOptions& options, std::span<const double> a);

// v = sum of a y x for the scaled a, coordinate by coordinate: -minus[j] <= v[j] <= plus[j]. The bias feature is last,
// and 0 if it is not penalised.
struct DualSums {
  std::vector<double> plus, minus;

  // Returns the double in the middle, of each coordinate.
  std::vector<double> middle() const;
};

DualSums dual_sums(const Rows& rows, const OptimumOptions& options, std::span<const double> a, const Scaling& scaling);

// Returns an upper bound for P(w).
double primal_above(const Rows& rows, const OptimumOptions& options, const Weights& weights);

// Returns a lower bound for D of the scaled a. Every a must be in its range.
double dual_below(const Rows& rows, const OptimumOptions& options, std::span<const double> a, const Scaling& scaling,
                  const DualSums& sums);

}  // namespace halfspace::optimum
