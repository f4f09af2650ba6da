// Minimizes an objective over kept rows: for a run, and for a fold of a validation.
#pragma once

#include <span>
#include <vector>

#include "train/run/run.h"
#include "train/run/standard.h"

namespace halfspace::training {

// The dual variables of a minimum, one a row of each vector of weights, and the price that they are of; of classes that
// share a loss, the minimum itself.
struct DualSolution {
  double cost = 0;
  std::vector<std::vector<double>> of_vector;
  Optimum jointly;
};

// Returns what minimize() takes from an objective, a composition and its stop.
OptimumOptions optimum_options(const Objective& objective, const Composition& composition, const Until& until);

// Gives the learner the weights of the minimum over the rows, and returns what is proved of them. `options`: those above,
// but for the price, which may depend on the rows. `columns`: what was applied to the rows and is undone in the weights,
// or none. `solution`: that of another price to start from, or none; receives that of this one.
MinimumReached minimize_objective(const Objective& objective, const OptimumOptions& options, const Rows& rows,
                                  const StandardColumns* columns, Learner& learner, DualSolution* solution = nullptr);

// Gives the weights of each vector's minimum to vectors of weights that have room for them, and what is proved of them to a
// result. `biased`: there is a bias.
void take_minimum(std::span<const Optimum> found, bool biased, ClassWeightVector& weights, MinimumReached& minimum);

// The scores of a logistic loss are logarithms of odds, or those of a softmax: probabilities without a fitted curve, where
// none is asked for.
void take_scores_as_odds(const Objective& objective, std::uint32_t vectors, Calibration& calibration);

// Gives the learner of a run the weights of the minimum, and the run what is proved of them; unless it was stopped early,
// the learner is then one that goes on from there (continued.h).
void minimize_objective(Run& run, const Rows& rows);

}  // namespace halfspace::training
