// Bounds on the primal and the dual objective, in directed rounding, from the rows as they are kept.
//
// What is added up over rows is rounded up, and may be added up further over sets of rows in rounding_up(): a lower
// bound is the negative of an upper bound of the negative.
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

// The sum of a over the negative and over the positive class: -minus[k] <= sum <= plus[k].
struct ClassSums {
  double minus[2] = {0, 0}, plus[2] = {0, 0};
};
ClassSums class_sums(const Rows& rows, const OptimumOptions& options, std::span<const double> a);
Scaling scaling_of(const OptimumOptions& options, const ClassSums& sums);
// Convert to numbers in a row, and back; class sums follow another number.
std::vector<double> numbers_of(const Scaling& scaling);
Scaling scaling_of_numbers(std::span<const double> numbers);
ClassSums class_sums_of(std::span<const double> numbers);

// v = sum of a y x for the scaled a, coordinate by coordinate: -minus[j] <= v[j] <= plus[j]. The bias feature is last,
// and 0 if it is not penalised.
struct DualSums {
  std::vector<double> plus, minus;

  // Returns the double in the middle, of each coordinate.
  std::vector<double> middle() const;
};

DualSums dual_sums(const Rows& rows, const OptimumOptions& options, std::span<const double> a, const Scaling& scaling);

// Returns at least the sum of losses, and at least P(w) with that, of the weights that are penalised.
double losses_above(const Rows& rows, const OptimumOptions& options, const Weights& weights);
double primal_above(std::span<const double> penalised, double losses);

// Returns at least -(the rows' own parts of D) for the scaled a, and at most D with that. Every a must be in its range.
double negative_duals_above(const Rows& rows, const OptimumOptions& options, std::span<const double> a,
                            const Scaling& scaling);
double dual_below(const DualSums& sums, double negative_duals);

// Adds numbers that were rounded up to others, one by one, rounded up.
void add_above(std::vector<double>& to, std::span<const double> more);

// Sets the radius of a result whose primal and dual are proved. Throws Error(data) if they leave the range of doubles.
void finish(Optimum& result);

}  // namespace halfspace::optimum
