// Searches for a separator by dual coordinate descent on the hard-margin problem: min |w|^2 / 2 with <w, z_i> >= 1.
//
// w = sum alpha_i z_i with alpha >= 0; a step brings one row to its margin exactly, or as near as alpha_i >= 0 allows
// (Hildreth 1957). Fast if a margin exists, with any number of features; without one it does not converge. Cost: a pass
// is O(stored values).
#pragma once

#include <limits>
#include <vector>

#include "proof/search/min_norm.h"
#include "proof/search/signed_points.h"

namespace halfspace::proof {

struct Descent {
  std::vector<double> unscaled;  // w, for dot_unscaled
  std::vector<double> alpha;
  bool separates = false;  // in doubles
};

// Passes until every <w, z_i> > 0, at most `passes` times; stops early if errors persist. With a finite `price` on
// errors alpha_i <= price: the soft margin, for data that no w separates. `alpha`, if not empty: where to start from.
Descent coordinate_descent(const SignedPoints& points, unsigned passes, const Budget& budget,
                           double price = std::numeric_limits<double>::infinity(), std::vector<double> alpha = {});

}  // namespace halfspace::proof
