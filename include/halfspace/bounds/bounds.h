// Mistake bounds: the theorems as formulas, and the bound of a run from its own data.
//
// Every function that returns a bound rounds it up: computed in doubles, it is never below the real value of the
// formula at the doubles given. Mistake counts are integers: take whole_mistakes() of it. Infinity means: the theorem
// says nothing.
//
// Notation: radius = max |x|_2, margin of u on a row = y <u, x>, hinge = max(0, 1 - y <u, x>); u of any length.
//
// Thread-safety: pure functions (they change the rounding mode of the calling thread, and restore it).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "halfspace/game/learner.h"
#include "halfspace/game/ledger.h"
#include "halfspace/rules/composition.h"
#include "halfspace/rules/kernel_perceptron.h"
#include "halfspace/rules/multiclass.h"
#include "halfspace/stream/rows.h"

namespace halfspace {

// floor of a bound, as a count; UINT64_MAX when it is beyond counting.
std::uint64_t whole_mistakes(double bound);

// Novikoff 1962: radius^2 |u|^2 / margin^2, for any u with margin > 0 on every row. From w = 0.
double novikoff_bound(double radius_squared, double u_squared_norm, double margin);

// From a start w0 != 0 with rate eta (Novikoff's proof with w0 kept): the largest M with a + M eta margin <= 0, or
// (a + M eta margin)^2 <= |u|^2 (|w0|^2 + M eta^2 radius^2), a = <w0, u>.
double start_bound(double start_dot_u, double start_squared_norm, double rate, double radius_squared,
                   double u_squared_norm, double margin);

// The margin perceptron's updates (margin_perceptron.h): (radius^2 + 2 margin / rate) |u|^2 / u_margin^2.
double margin_perceptron_bound(double radius_squared, double margin, double rate, double u_squared_norm,
                               double u_margin);

// Inseparable streams, over the whole stream (Gentile 2001; Mohri and Rostamizadeh 2013): with L the sum of hinge
// losses of u over all rounds, mistakes <= L + U^2/2 + U sqrt(U^2/4 + L), U = |u| radius.
double hinge_bound(double hinge_sum, double u_norm, double radius);

// The same with the run's own squares: mistakes <= L + |u| sqrt(S), S = sum over mistakes of |x|^2; L over any set of
// rounds that contains the mistakes.
double hinge_bound_of_run(double hinge_sum, double u_norm, double update_squares);

// Freund and Schapire 1999, Theorem 2: ((radius + D) / margin)^2 for a unit u; D^2 = sum of max(0, margin - y <u,
// x>)^2.
double freund_schapire_bound(double radius, double deviation_squares, double margin);

// Minnow (minnow.h): |u|_1 ln d / (rate * margin - |u|_1 ln cosh(rate * radius)); infinite when the denominator is
// not positive. `radius` is the largest |x_j|.
double minnow_bound(std::uint64_t dimension, double u_one_norm, double margin, double radius, double rate);

// ALMA for p = 2 (alma.h): 2 |u|^2 / margin^2 (2 / alpha - 1)^2 + 8 / alpha - 4 corrections at most, the margin of u
// over rows divided by their norms.
double alma_bound(double margin, double u_squared_norm, double alpha);

// Winnow1 (winnow.h): alpha k (log_alpha(threshold) + 1) + appeared, for an "or" of k literals; infinite when threshold
// < 1 / alpha. `appeared` is n / threshold where the threshold stood still.
double winnow1_bound(double literals, double alpha, double threshold, double appeared);

// How often the perceptron errs on one row repeated (the quiz): `start_margin` = y <w0, x>. Empty: for
// ever.
std::optional<std::uint64_t> single_point_mistakes(double start_margin, double squared_norm, double rate, Tie tie,
                                                   double sign);
// Its expectation when w0 is normal with standard deviation sigma: sum over j >= 0 of Phi(-j rate |x| / sigma).
double single_point_expected_mistakes(double norm, double sigma, double rate);

// What a vector does on data: computed so that each figure errs on the safe side.
struct Evaluation {
  std::uint64_t rows = 0;
  std::uint64_t errors = 0;  // by prediction: a score of 0 predicts the positive class (or, by `tie`, the negative)
  double smallest_margin =
      0;                    // functional: min over rows of y <u, x>, rounded down; multiclass: against the best rival
  double squared_norm = 0;  // |u|^2, bias coordinate included, rounded up
  double least_squared_norm = 0;  // the same, rounded down
  double radius_squared = 0;      // max |x|^2, bias coordinate included, rounded up
  double infinity_radius = 0;     // max |x_j|
  // Geometric margin of the vector, smallest_margin / |u|, rounded down; 0 for u = 0.
  double margin() const;
};

// An evaluation with the margin y <u, x> of every row, each rounded down.
struct EvaluatedMargins {
  Evaluation evaluation;
  std::vector<double> margin;
};
// One pass over the rows, on all cores (the result does not depend on how many). `predicted`, when not null, gets the
// class of every row.
EvaluatedMargins evaluate_margins(const Rows& rows, const ClassWeightVector& u, BiasOptions bias,
                                  Tie tie = Tie::positive, std::vector<std::int32_t>* predicted = nullptr);
inline Evaluation evaluate(const Rows& rows, const ClassWeightVector& u, BiasOptions bias, Tie tie = Tie::positive) {
  return evaluate_margins(rows, u, bias, tie).evaluation;
}

// The same for a function of a kernel's space: norms are those of that space, margins are y f(x). What rounding may
// add to a kernel value and to a sum is taken off every margin (docs/bounds.md). Costs f(x) once a row and support
// vector.
EvaluatedMargins evaluate_margins(const Rows& rows, const KernelExpansion& f, Tie tie = Tie::positive,
                                  std::vector<std::int32_t>* predicted = nullptr);
// How far a score computed from support vectors of these rows may be from the exact one, when the absolute values of
// the coefficients sum to `amounts`.
double kernel_score_error(const Rows& rows, const KernelExpansion& f, double amounts);

// How often row i (0-based) of the collection was played.
using Visits = std::function<double(std::uint64_t)>;

// Sum over rows of visits(i) * weight * max(0, 1 - scale * margin)^power, rounded up; power 1 or 2; scale >= 0.
// `margin` is that of a EvaluatedMargins, or is found from u.
double hinge_sum(const Rows& rows, const std::vector<double>& margin, double scale, int power, const Visits& visits);
inline double hinge_sum(const Rows& rows, const ClassWeightVector& u, BiasOptions bias, double scale, int power,
                        const Visits& visits) {
  return hinge_sum(rows, evaluate_margins(rows, u, bias).margin, scale, power, visits);
}

// The bound that covers a run, with what it was computed from.
struct MistakeBound {
  double value = 0;        // mistakes <= floor(value)
  std::string theorem;     // "novikoff", "hinge over the stream" ...: see docs/bounds.md
  std::string comparator;  // whose weights u are: "last", "average", "pocket" ...
  double margin = 0;       // geometric margin of u where the theorem has one, else 0
  double radius = 0;       // max |x|
  double hinge = 0;        // the sum of hinge losses that entered
  bool exceeded = false;   // the run made more mistakes than the bound allows: a bug
};

struct Comparator {
  std::string name;
  ClassWeightVector u;
  const EvaluatedMargins* judged = nullptr;  // of u on the rows, when it is known already; not owned
};

// What the bound of a run may rest upon.
struct RunForBound {
  const Composition* composition = nullptr;
  const Ledger* ledger = nullptr;
  std::uint64_t dimension = 0;  // features and bias coordinate
  // The rows at hand and how often each was played. With `whole`, they are all rounds of the run; else at least all its
  // updates (a long stream keeps only these).
  const Rows* rows = nullptr;
  Visits visits{};
  bool whole = true;
  // Orders that look for mistakes play nothing else: a sum over their whole stream is one over the mistakes.
  bool only_mistakes = false;
  // The rounds that count began at these weights; null: at 0. What the ledger had counted by then is in `before`.
  const ClassWeightVector* start = nullptr;
  Ledger before{};
  double allowed_before = 0;  // a bound on the mistakes made by then, or their number
  bool resumed = false;       // the rows at hand are not all that the run ever saw
  // Rules with a state of their own: that state at the end and, with `start`, at the start; and how often each row
  // moved the weights, where that is known (else as often as it was played).
  const LearnerState* state = nullptr;
  const LearnerState* start_state = nullptr;
  Visits steps{};
  // The kernel perceptron: how far any score of the run may be off; what its budget forgot.
  double score_error = 0;
  Forgotten forgotten{};
  // MinnowGuess: its radius, and how often a larger row made it begin again.
  double guess_radius = 0;
  std::uint64_t guess_restarts = 0;
};

// The best bound at hand over all comparators. Empty when no theorem covers the composition.
std::optional<MistakeBound> bound_of_run(const RunForBound& run, const std::vector<Comparator>& comparators);

}  // namespace halfspace
