// The results of weights on rows, each figure erring on the safe side: margins are rounded down, norms and sums up.
//
// Thread-safety: pure functions (they change the rounding mode of the threads they use, and restore it).
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "halfspace/detail/linear/kernel_expansion.h"
#include "halfspace/detail/linear/names.h"
#include "halfspace/detail/linear/state.h"
#include "halfspace/stream/rows.h"

namespace halfspace {

// A vector's results on data, computed so that each figure errs on the safe side.
struct Evaluation {
  std::uint64_t rows = 0;
  std::uint64_t errors = 0;  // by prediction: a score of 0 predicts the positive class (or, by `tie`, the negative)
  // Functional: min over rows of y <u, x>, rounded down; multiclass: against the best rival.
  double smallest_margin = 0;
  double squared_norm = 0;        // |u|^2, bias coordinate included, rounded up
  double least_squared_norm = 0;  // the same, rounded down
  double radius_squared = 0;      // max |x|^2, bias coordinate included, rounded up
  double infinity_radius = 0;     // max |x_j|
  // A row that is not 0 has a square that doubles do not hold well, or as 0: what a run did with it, and what its
  // theorem makes of it, are two things.
  bool squares_lost = false;
  // Returns the geometric margin of the vector, smallest_margin / |u|, rounded down; 0 for u = 0.
  double margin() const;
};

// Returns the margin; minus infinity for one of infinities, which is no number.
inline double or_lowest(double margin) {
  return std::isnan(margin) ? -std::numeric_limits<double>::infinity() : margin;
}

// An evaluation with the margin y <u, x> of every row, each rounded down.
struct EvaluatedMargins {
  Evaluation evaluation;
  std::vector<double> margin;
};
// Passes once over the rows, on all cores (the result does not depend on how many). Margins and norms are those of
// brought_within_reach(u), errors and classes those of u itself, by whose scores `predict` goes. `predicted`, when not null,
// gets the class of every row.
EvaluatedMargins evaluate_margins(const Rows& rows, const ClassWeightVector& u, BiasOptions bias,
                                  Tie tie = Tie::positive, std::vector<std::int32_t>* predicted = nullptr);
inline Evaluation evaluate(const Rows& rows, const ClassWeightVector& u, BiasOptions bias, Tie tie = Tie::positive) {
  return evaluate_margins(rows, u, bias, tie).evaluation;
}

// Does so for a function of a kernel's space: norms are those of that space, margins are y f(x). What rounding may
// add to a kernel value and to a sum is taken off every margin (docs/bounds.md). Costs f(x) once a row and support
// vector.
EvaluatedMargins evaluate_margins(const Rows& rows, const KernelExpansion& f, Tie tie = Tie::positive,
                                  std::vector<std::int32_t>* predicted = nullptr);
// Returns how far a score computed from support vectors of these rows may be from the exact one, when the absolute
// values of the coefficients sum to `amounts`.
double kernel_score_error(const Rows& rows, const KernelExpansion& f, double amounts);

// A function that returns the number of rounds on row i (0-based) of the collection.
using Visits = std::function<double(std::uint64_t)>;

// Returns the sum over rows of visits(i) * weight * max(0, 1 - scale * margin)^power, rounded up; power 1 or 2;
// scale >= 0. `margin` is that of a EvaluatedMargins, or is found from u.
double hinge_sum(const Rows& rows, const std::vector<double>& margin, double scale, int power, const Visits& visits);
inline double hinge_sum(const Rows& rows, const ClassWeightVector& u, BiasOptions bias, double scale, int power,
                        const Visits& visits) {
  return hinge_sum(rows, evaluate_margins(rows, u, bias).margin, scale, power, visits);
}

}  // namespace halfspace
