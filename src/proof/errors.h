// Bounds the fewest rows any halfspace gets wrong; a score of 0 is wrong.
//
// Lower bound: disjoint witnesses, each of which forces an error; first contradicting pairs, then those that the search
// finds among the remaining rows. On small data it branches: every w errs on some row of a witness, so the least value
// over its rows, each removed in turn, is a bound. Upper bound: weights from coordinate descent with a price on errors,
// improved by a pocket, counted exactly.
#pragma once

#include <vector>

#include "halfspace/proof/verify/certificate.h"
#include "proof/decide.h"

namespace halfspace::proof {

struct FewestErrors {
  std::uint64_t lower = 0, upper = 0;
  std::vector<mpz_class> weights;          // these err on `upper` rows
  std::vector<WeightedMembers> witnesses;  // the tree's witnesses, by position
  ErrorTree tree;                          // its value is `lower`
};

// What the result must not be worse than: weights in integer coordinates, and disjoint witnesses to begin with.
struct KnownErrors {
  std::vector<std::vector<mpz_class>> weights;
  std::vector<WeightedMembers> packing;
};

// Searches for the fewest errors. `witness`: a known one.
FewestErrors fewest_errors(const Problem& problem, const WeightedMembers& witness, const Budget& budget,
                           const KnownErrors& known);

// Maps positions k of the tree to position[k].
void renumber(ErrorTree& tree, const std::vector<std::uint32_t>& position);

}  // namespace halfspace::proof
