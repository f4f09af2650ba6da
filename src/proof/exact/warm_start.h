// Combinations of an earlier search as the start of another, in doubles: they prove nothing.
//
// Thread-safety: functions of their arguments.
#pragma once

#include <cstdint>
#include <vector>

#include "proof/exact/problem.h"
#include "proof/search/signed_points.h"

namespace halfspace::proof {

// Rows with positive weights of sum 1, the heaviest first, and the squared norm of their point in scaled coordinates.
struct WarmStart {
  std::vector<std::uint32_t> rows;
  std::vector<double> weights;
  double square = 0;
};

WarmStart warm_start(const SignedPoints& points, const WeightedMembers& combination);

// Returns the weights as coordinate descent has them for this direction: of all multiples, the one with the largest
// dual value.
std::vector<double> descent_weights(const SignedPoints& points, const WarmStart& start);

}  // namespace halfspace::proof
