// Computes the point of the hull nearest to the origin, exactly, from its supporting rows.
#pragma once

#include <optional>
#include <vector>

#include "proof/exact/problem.h"

namespace halfspace::proof {

// p = sum N z / sum N in the coordinates of the data, where these rows' affine hull is nearest to 0. Empty when a
// weight is negative or the rows are dependent. `separator`: p as integer weights in integer coordinates.
struct Nearest {
  WeightedMembers weights;
  std::vector<mpz_class> separator;
};
std::optional<Nearest> nearest_point(const Problem& problem, const std::vector<std::uint32_t>& support);

}  // namespace halfspace::proof
