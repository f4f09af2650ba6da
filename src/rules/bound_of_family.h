// The bounds of the rules with a state of their own, and of EG: their theorems stand in the rules' headers.
#pragma once

#include <vector>

#include "halfspace/bounds/bounds.h"

namespace halfspace {

struct FamilyBound {
  double value = 0;
  const char* theorem = "";
  double hinge = 0;
  bool with_margin = false;  // a separator's own theorem
};

// What every bound of a run needs beside the run.
struct BoundTerms {
  double allowance = 1;        // what norms are widened by, for rounding
  double smallest_weight = 1;  // of a mistake
  bool unweighted = true;      // every row weighs 1, or 0
};

// Empty when no theorem covers the run with this comparator. Everything is rounded up.
std::vector<FamilyBound> bound_of_family(const RunForBound& run, const Comparator& comparator,
                                         const EvaluatedMargins& judged, const BoundTerms& terms);

}  // namespace halfspace
