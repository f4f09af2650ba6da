// Finds rows that are a proof by themselves: the zero vector, and the same point with both labels.
//
// Compares hashes of the doubles. Equal doubles are equal integers only below 2^53, so each find is a guess that the
// exact side checks.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "proof/search/signed_points.h"

namespace halfspace::proof {

struct Conflicts {
  std::vector<std::uint32_t> zeros;                            // members that are 0
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;  // z and -z, each member in at most one pair
};
Conflicts find_conflicts(const SignedPoints& points);

}  // namespace halfspace::proof
