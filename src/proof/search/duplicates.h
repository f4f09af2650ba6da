// Rows that are a proof by themselves: the zero vector, and the same point with both labels.
//
// By hash of the doubles; what is the same here is the same exactly only where the integers fit doubles, so each find is a
// guess that the exact side checks.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "proof/search/signed_points.h"

namespace halfspace::proof {

struct Conflicts {
  std::vector<std::uint32_t> zeros;                              // members that are 0
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;  // z and -z, each member in at most one pair
};
Conflicts find_conflicts(const SignedPoints& points);

}  // namespace halfspace::proof
