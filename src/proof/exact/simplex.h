// Decides any question: an exact simplex on a working set of rows that grows.
//
// Phase one of {sum lambda_i z_i = 0, sum lambda = 1, lambda >= 0} in integers (every entry of the tableau is a minor
// of the data over one common denominator; Edmonds 1967), with Bland's rule, so that it terminates. It ends with a
// witness, or its dual separates the working set: then every row is priced exactly and the lowest ones join. Cost: a
// pivot is O((m + d) d) products of integers of O(d log) bits: for small or hard cases, not for large ones.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "proof/exact/problem.h"
#include "proof/search/min_norm.h"

namespace halfspace::proof {

struct ExactAnswer {
  WeightedMembers witness;           // or, when empty,
  std::vector<mpz_class> separator;  // integer coordinates
};

// `first`: members to begin with, best guesses first. `counted`, if not empty, marks members: sum lambda = 1 is over
// the marked ones, so that a witness contains one, or else a w has <w, z> > 0 on them and >= 0 on the others (Motzkin).
// Returns nothing if the budget ran out.
std::optional<ExactAnswer> decide_exactly(const Problem& problem, const std::vector<std::uint32_t>& first,
                                          const Budget& budget, const std::vector<std::uint8_t>& counted = {});

}  // namespace halfspace::proof
