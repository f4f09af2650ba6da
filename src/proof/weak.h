// Weaker properties of data that are not strictly separable: rule A, and closed half-spaces (the origin on the hull's
// boundary).
//
// Both are the exact simplex with only some rows counted in sum lambda = 1 (Motzkin, Stiemke). For small data.
#pragma once

#include <optional>

#include "proof/exact/simplex.h"

namespace halfspace::proof {

// Returns a witness with a negative row, or w with <w, z> >= 0 on positive and > 0 on negative rows. Nothing if time
// ran out.
std::optional<ExactAnswer> decide_rule_a(const Problem& problem, const WeightedMembers& witness, const Budget& budget);

struct ClosedHalfSpace {
  bool known = false;                               // false: out of time
  std::optional<std::vector<mpz_class>> separator;  // <w, z> >= 0 for all rows, > 0 for some
};
ClosedHalfSpace decide_closed_half_space(const Problem& problem, const WeightedMembers& witness, const Budget& budget);

}  // namespace halfspace::proof
