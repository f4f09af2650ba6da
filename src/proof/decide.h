// Decides one question: a separator or a witness, exact either way, or what was found until time ran out.
//
// In this order: rows that are a proof by themselves; coordinate descent, which is quick where a margin exists; the
// min-norm point, which decides nearly everything; the exact simplex, which decides all the rest.
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

// The margins that have been shown so far, in doubles, for whoever waits.
struct Bracket {
  double lower = 0, upper = 0;
};

struct Decision {
  std::optional<std::vector<mpz_class>> separator;  // integer coordinates; minimum > 0 (or no members)
  WeightedMembers witness;                          // not empty: sum N z = 0
  WeightedMembers near;                             // undecided: a combination near 0
  bool for_memory = false;                          // undecided, as what was left to try needed more memory
};

Decision decide(const Problem& problem, const Budget& budget,
                const std::function<void(const char* stage, Bracket)>& progress);

// For a separable question: better weights and a combination, so that the largest margin is known from both sides.
// Exactly, both sides equal, where the support is small.
struct Margin {
  std::vector<mpz_class> separator;
  WeightedMembers near;
};
Margin tighten(const Problem& problem, const std::vector<mpz_class>& separator, const Budget& budget,
               const std::function<void(const char* stage, Bracket)>& progress);

// Weights of about 40 bits; the first member alone where they are no weights. `members` is not empty.
WeightedMembers round_combination(const std::vector<std::uint32_t>& members, const std::vector<double>& weights);

}  // namespace halfspace::proof
