// The multinomial logistic loss over rows: its sums for Newton's method, and those that prove a bound.
//
// A row's probabilities at the weights asked for last are kept, so that products with the curvature cost two passes over
// its values. Cost: O(stored values * classes) a sum; 8 bytes a row and class.
//
// Thread-safety: as row_sums.h; functions are pure.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "optimum/row_sums.h"

namespace halfspace::optimum {

std::unique_ptr<RowSums> softmax_sums(const Rows& rows, const OptimumOptions& options, std::uint32_t classes);

// What makes D hold for biases without a penalty (newton_by_sums.h): e, then the least of each r_k, then the most. Empty:
// nothing is to be mended.
std::vector<double> softmax_mending(std::uint32_t classes, bool free_biases, std::span<const double> class_sums);

// Return the sums `classes` and `duals`, rounded up, for the probabilities that are proportional to `exponentials`, of row i
// those from i * classes on.
std::vector<double> softmax_classes_above(const Rows& rows, const OptimumOptions& options, std::uint32_t classes,
                                          std::span<const double> weights, std::span<const double> exponentials);
std::vector<double> softmax_duals_above(const Rows& rows, const OptimumOptions& options, std::uint32_t classes,
                                        std::size_t size, std::span<const double> exponentials,
                                        std::span<const double> mending);

}  // namespace halfspace::optimum
