// The fewest rows any halfspace gets wrong, from both sides; a score of 0 is wrong.
//
// From below: disjoint witnesses, each of which forces an error; contradicting pairs first, then those that the search
// finds among the rows left. On small data by branching: of a witness one row is wrong, whichever, and so on below
// each. From above: weights from coordinate descent with a price on errors, and a pocket that starts from them, counted
// exactly.
#pragma once

#include <vector>

#include "halfspace/proof/verify/certificate.h"
#include "proof/decide.h"

namespace halfspace::proof {

struct FewestErrors {
  std::uint64_t lower = 0, upper = 0;
  std::vector<mpz_class> weights;          // err on `upper` rows
  std::vector<WeightedMembers> witnesses;  // that the tree names, by position here
  ErrorTree tree;                          // its value is `lower`
};

// Searches for the fewest errors. `witness`: one that is known. `known`: weights in integer coordinates to be no worse
// than; may be empty.
FewestErrors fewest_errors(const Problem& problem, const WeightedMembers& witness, const Budget& budget,
                           const std::vector<mpz_class>& known);

// Positions k of the tree become position[k].
void renumber(ErrorTree& tree, const std::vector<std::uint32_t>& position);

}  // namespace halfspace::proof
