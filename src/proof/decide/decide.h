// Decides one question: finds an exact separator or witness, or returns what was found until time ran out.
//
// In this order: rows that are a proof by themselves; coordinate descent, which is fast if a margin exists; the
// min-norm point, which decides nearly everything; the exact simplex, which decides the rest.
//
// Thread-safety: calls are independent of one another.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "proof/exact/problem.h"
#include "proof/exact/separator.h"
#include "proof/search/min_norm.h"

namespace halfspace::proof {

// Receives the bounds on the margin so far, in doubles.
struct Bracket {
  double lower = 0, upper = 0;
};

struct Decision {
  std::optional<std::vector<mpz_class>> separator;  // integer coordinates; minimum > 0 (or no members)
  WeightedMembers witness;                          // not empty: sum N z = 0
  // Undecided: combinations near 0, one at least: the nearest in the search's coordinates, and one with few rows. A
  // search can start from either.
  std::vector<WeightedMembers> near;
  bool for_memory = false;  // undecided because the remaining methods need more memory
};

// What an earlier search knew, all of which is checked: a separator or a witness decides the question; coordinate
// descent and the min-norm search start from combinations near 0.
struct Start {
  std::vector<mpz_class> separator;  // empty: none
  WeightedMembers witness;
  std::vector<WeightedMembers> near;
};

Decision decide(const Problem& problem, const Budget& budget,
                const std::function<void(const char* stage, Bracket)>& progress, const Start& start = {});

// Improves the weights of a separable question and finds a combination, which bound the largest margin from both sides.
// The bounds are exact and equal if the support is small.
struct Margin {
  std::vector<mpz_class> separator;
  WeightedMembers near;
};
// Neither is worse than `separator` and the combinations of `start`.
Margin tighten(const Problem& problem, const std::vector<mpz_class>& separator, const Budget& budget,
               const std::function<void(const char* stage, Bracket)>& progress, const Start& start = {});

// Returns weights of about 40 bits; only the first member if they are all zero. `members` is not empty.
WeightedMembers round_combination(const std::vector<std::uint32_t>& members, const std::vector<double>& weights);

}  // namespace halfspace::proof
