// The minimum over rows that are elsewhere, in shards: Newton's method for the losses with a slope everywhere, by sums.
//
// Each question is answered by sums over a shard's rows (sums_over()), and those of two shards are added (added()); by
// whom, and where, is another's concern. Where weights are few, a step asks for the matrix of curvatures once and is
// exact; else conjugate gradients ask for a product each. Steps go as far as the objective falls.
//
// Guarantee: that of minimize(): the bounds are proved in directed rounding from all rows; the dual variables are those
// of the weights, and known where a row is. The minimum does not depend on shards; the digits of what is found may.
//
// Cost: a step a message of 8 features^2 / 2 bytes a task for at most `few_weights`, else some dozens of 8 features;
// 2 more for the proof. The source: optimum/newton.h.
//
// Thread-safety: pure functions; minimize_by_sums() calls `ask` on the thread that called it.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "halfspace/optimum/optimum.h"
#include "optimum/proof.h"

namespace halfspace::optimum {

constexpr std::size_t few_weights = 512;

enum class Sums : std::uint8_t {
  slopes,     // the losses, their gradient, and the diagonal or the lower triangle of their curvature
  curvature,  // the product of the curvature with a direction
  classes,    // rounded up: the losses; the dual variables of each class, negative and not
  duals       // rounded up: of the scaled dual variables the rows' parts, and the coordinates, both negative and not
};

struct SumsAsked {
  Sums sums = Sums::slopes;
  std::int32_t positive = 1;  // as in OptimumOptions
  double cost = 1;
  std::vector<double> weights;    // of the features, then of the bias
  std::vector<double> direction;  // curvature: alike
  Scaling scaling;                // duals
};

// Returns the sums over some rows, which are sealed. `options`: but for `positive` and `cost`.
std::vector<double> sums_over(const Rows& rows, const OptimumOptions& options, const SumsAsked& asked);
// Adds the sums of other rows.
void add_sums(Sums sums, std::vector<double>& to, const std::vector<double>& more);

// Returns the minimum over rows of so many features, whose costs add up to `all_cost`, without dual variables. `ask`:
// returns the sums over all rows. Throws Error as minimize(), and usage for a hinge; what `ask` throws.
Optimum minimize_by_sums(const OptimumOptions& options, std::uint32_t features, double all_cost,
                         const std::function<std::vector<double>(const SumsAsked&)>& ask);

}  // namespace halfspace::optimum
