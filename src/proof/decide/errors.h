// Bounds the fewest rows that predictions by any weights get wrong.
//
// A score of 0 predicts a class. With a bias that changes no bound: a shift takes every score off 0. Without one it does,
// and a witness forces an error only if it has a row that is wrong at 0 (Motzkin's alternative).
//
// Lower bound: disjoint witnesses, each of which forces an error; first contradicting pairs, then those that the search
// finds among the remaining rows. On small data it branches: every w errs on some row of a witness, so the least value
// over its rows, each removed in turn, is a bound. Upper bound: weights from coordinate descent with a price on errors,
// improved by a pocket, counted exactly.
#pragma once

#include <vector>

#include "halfspace/detail/linear/names.h"
#include "halfspace/proof/verify/certificate.h"
#include "proof/decide/decide.h"

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

// Returns the sign of the rows that a score of 0 gets wrong when predictions break ties so: Tie::mistake predicts the
// positive class, too.
inline int wrong_at_zero(Tie tie) { return tie == Tie::negative ? 1 : -1; }
// Returns whether every halfspace errs on a row of the witness, whose rows have these signs.
bool forces_error(const Problem& problem, Tie tie, const WeightedMembers& witness);
// Returns how many rows predictions by measured weights get wrong.
std::uint64_t errors_of(const Problem& problem, Tie tie, std::uint64_t wrong, std::uint64_t zero_negative,
                        std::uint64_t zero_positive);

// Searches for the fewest errors. `witness`: a known one. `tie` matters without a bias alone.
FewestErrors fewest_errors(const Problem& problem, Tie tie, const WeightedMembers& witness, const Budget& budget,
                           const KnownErrors& known);

// Maps positions k of the tree to position[k].
void renumber(ErrorTree& tree, const std::vector<std::uint32_t>& position);

}  // namespace halfspace::proof
