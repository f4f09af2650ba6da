// Weaker properties of data that are not strictly separable: rule A, and closed half-spaces (the origin on the hull's
// boundary).
//
// Both are the exact simplex with only some rows counted in sum lambda = 1 (Motzkin, Stiemke). For small data.
#pragma once

#include <optional>

#include "proof/exact/simplex.h"

namespace halfspace::proof {

// Returns a witness with a row of this sign, or w with <w, z> > 0 on rows of this sign and >= 0 on the others: they are
// separable if a score of 0 counts as the other sign. Nothing if time ran out. Rule A is that for -1.
std::optional<ExactAnswer> decide_half_open(const Problem& problem, int strict_sign, const WeightedMembers& witness,
                                            const Budget& budget);

struct ClosedHalfSpace {
  bool known = false;                               // false: out of time
  std::optional<std::vector<mpz_class>> separator;  // <w, z> >= 0 for all rows, > 0 for some
};
ClosedHalfSpace decide_closed_half_space(const Problem& problem, const WeightedMembers& witness, const Budget& budget);

}  // namespace halfspace::proof
