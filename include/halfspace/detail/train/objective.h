// Training to the minimum of an objective, in place of rounds: TrainOptions::objective (optimum/optimum.h).
//
// The model is linear, with the weights of the minimum. More than two classes share a logistic loss, the multinomial one,
// and its proof, if that is wanted; else each has its weights against the rest, and its own proof. Columns are as the learner sees them, normalised if the options say so; or centred and scaled, and then
// what is proved is about those, while the weights of the model are for the data's own values. The weights of rows and
// classes multiply the losses. The bias of the composition is the weight of a feature, penalised or not.
//
// The scores of a model of the logistic loss are logarithms of odds: they give probabilities without a calibration.
//
// Resumed, such a model goes on as NAG with the loss of the objective, all classes together if they share it, unless the minimum was
// interrupted. Thread-safety: value types.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "halfspace/detail/base/names.h"
#include "halfspace/detail/linear/loss.h"
#include "halfspace/optimum/optimum.h"

namespace halfspace {

struct Objective {
  MarginLoss loss = MarginLoss::hinge;
  double cost = 1;  // C: the objective is |w|^2 / 2 + C * the sum of losses
  // Then it is l2 / 2 |w|^2 + the mean loss, which has the same minimum for C = 1 / (l2 * the weight of all rows).
  std::optional<double> l2{};
  bool penalize_bias = true;
  bool standard = false;             // over columns standardised (train/run/standard.h)
  bool jointly = false;              // of the logistic loss: more than two classes share it, as a softmax
  double gap = 1e-6;                 // (primal - dual) / primal to prove, at most
  bool keep_dual_variables = false;  // in the result: 8 bytes a row and vector
};

// Returns the objectives: their losses, names and help.
std::span<const Name<MarginLoss>> objective_names();
// Returns the loss of an objective's name, "svm", "squared-hinge" or "logistic"; empty: there is no such objective.
std::optional<MarginLoss> loss_of_objective(std::string_view name);
std::string_view objective_name(MarginLoss loss);

// What is proved of one vector of weights, of two classes the only one; or of those of all classes together.
struct ProvedMinimum {
  double primal = 0, dual = 0;  // bounds of |w|^2 / 2 + C * the sum of losses: its value, and the least of all
  double gap = 0;               // (primal - dual) / primal
  double radius = 0;            // each weight is at most this far from that of the minimum; a bias if it is penalised
  std::uint64_t passes = 0;     // over the rows
  OptimumStop stopped = OptimumStop::gap;
  std::vector<double> dual_variables{};  // if they are kept: one a row, in the order of the data
};

struct MinimumReached {
  Objective objective;
  double cost = 1;                       // C, also where l2 was given
  std::vector<ProvedMinimum> of_vector;  // one, or one a class that is learned against the rest
  std::vector<double> rows_of_class{};   // of a run; a row of weight k counts as k rows
  std::vector<std::uint64_t> digits;     // weights by their number of certain digits: index 0 has none
  double seconds = 0;
  // Of standard columns: the largest centre, in deviations. The rows' scores by the data's own values are rounded by about
  // that many units in the last place.
  double largest_centre = 0;

  // Returns the vector with the largest gap.
  const ProvedMinimum& widest() const;
};

}  // namespace halfspace
