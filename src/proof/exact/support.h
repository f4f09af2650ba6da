// Computes the exact weights of a witness whose rows are known.
//
// The float search found affinely independent rows whose hull seems to contain 0. Then the weights are the one
// solution, up to a factor, of sum N z = 0. Coordinates that make a nonsingular square system are found, the system is
// solved over the rationals (linear_system.h), and the answer is checked on all coordinates. Nothing is clipped: a
// negative weight, or a residue, rejects the rows.
//
// Cost for k rows: O(k^3) operations modulo a word and O(k^3 log) for the lifting. Throws GaveUp. Thread-safety: calls
// are independent.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "proof/exact/problem.h"
#include "proof/search/budget.h"

namespace halfspace::proof {

// Solves for the weights of a witness. `likely`: a row of the support whose weight is surely not 0. Returns nothing if
// these rows are not a witness, or more than one combination of them is.
std::optional<WeightedMembers> solve_support(const Problem& problem, const std::vector<std::uint32_t>& support,
                                             std::size_t likely, const Budget& budget = unlimited);

// Returns coordinates that carry all relations among these members: independent, and as many as the rank except for
// unlucky primes. The caller checks conclusions on all coordinates.
std::vector<std::uint32_t> independent_coordinates(const Problem& problem, const std::vector<std::uint32_t>& members,
                                                   const Budget& budget = unlimited);

}  // namespace halfspace::proof
