// The exact weights of a witness whose rows are known.
//
// The float side says: 0 lies in the hull of these rows, which are affinely independent. Then the weights are the one
// solution, up to a factor, of sum N z = 0. Coordinates that make a square nonsingular system are found, the system is
// solved over the rationals (linear_system.h), and the answer is checked on all coordinates. Nothing is clipped: a
// negative weight, or a residue, is a refusal.
//
// Cost for k rows: O(k^3) operations modulo a word and O(k^3 log) for the lifting. Throws GaveUp. Thread-safety: calls are
// independent.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "proof/budget.h"
#include "proof/exact/problem.h"

namespace halfspace::proof {

// Solves for the weights of a witness. `likely`: a row of the support with a weight surely not 0. Empty when these rows
// are no witness, or when more than one combination of them is.
std::optional<WeightedMembers> solve_support(const Problem& problem, const std::vector<std::uint32_t>& support,
                                             std::size_t likely, const Budget& budget = unlimited);

// Coordinates that carry all relations among these members: independent, and as many as the rank but for
// unlucky primes: what follows from them is to be checked on all coordinates.
std::vector<std::uint32_t> independent_coordinates(const Problem& problem, const std::vector<std::uint32_t>& members,
                                                   const Budget& budget = unlimited);

// Returns, by Caratheodory, a witness among these rows on at most rank + 1 of them, by null vectors, exactly.
WeightedMembers shorten_witness(const Problem& problem, WeightedMembers weights);

}  // namespace halfspace::proof
