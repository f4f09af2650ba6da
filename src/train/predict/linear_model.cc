// Makes a model of given weights.
#include "train/predict/linear_model.h"

#include <algorithm>
#include <cmath>

#include "base/version.h"
#include "halfspace/base/error.h"
#include "halfspace/detail/rules/multiclass.h"
#include "halfspace/detail/rules/multinomial.h"
#include "halfspace/detail/rules/nag.h"
#include "halfspace/rules/perceptron.h"
#include "halfspace/rules/rule_entry.h"
#include "halfspace/stream/array_rows.h"
#include "stream/text/text.h"

namespace halfspace {
namespace {

void check_counts(const GivenWeights& given) {
  const auto refuse = [](bool wrong, const std::string& why, const std::string& fix) {
    if (wrong) throw Error(ErrorKind::usage, why).fix(fix);
  };
  const std::size_t classes = given.classes.size(), vectors = given.biases.size();
  refuse(classes < 2, "a model has two classes or more, and " + std::to_string(classes) + " are named",
         "name each class");
  refuse(given.features == 0, "there are no features", "give weights of at least one feature");
  refuse(vectors != (classes == 2 ? 1 : classes),
         std::to_string(vectors) + " vectors of weights for " + std::to_string(classes) + " classes",
         "give one vector for two classes, else one for each class");
  refuse(given.weights.size() != vectors * given.features,
         std::to_string(given.weights.size()) + " weights for " + std::to_string(vectors) + " x " +
             std::to_string(given.features),
         "give a weight for each vector and feature");
  refuse(given.sparse && !given.columns.empty(), "the columns of sparse rows have no names", "leave the names out");
}

double checked(double weight, const std::string& what) {
  if (!std::isfinite(weight)) throw Error(ErrorKind::data, what + " is not finite").fix("give finite weights");
  return weight;
}

// Returns a row of such data, without values if it is sparse.
ArrayRows row_of(const GivenWeights& given) {
  static constexpr std::int32_t first = 0, no_values[2] = {0, 0};
  const ArrayLabels labels{.classes = &first, .names = given.classes};
  if (given.sparse) {
    return {CsrArray{.values = given.weights.data(),
                     .indices = no_values,
                     .offsets = no_values,
                     .stored = 0,
                     .rows = 1,
                     .columns = given.features},
            labels};
  }
  return {DenseArray{.values = given.weights.data(), .rows = 1, .columns = given.features}, labels,
          ArrayNames{.columns = given.columns, .label = given.label}};
}

// Classes stay in the given order.
Schema schema_of(const GivenWeights& given) {
  Schema schema = row_of(given).schema();
  schema.features = given.features;
  schema.labels.names = given.classes;
  return schema;
}

ClassWeightVector weights_of(const GivenWeights& given) {
  ClassWeightVector v;
  v.classes = static_cast<std::uint32_t>(given.biases.size());
  v.grow(given.features);
  for (std::uint32_t k = 0; k < v.classes; ++k) {
    const std::string of_vector = v.classes == 1 ? "" : " of class " + stream::quote(given.classes[k]);
    for (std::uint32_t j = 0; j < given.features; ++j) {
      v.w[std::size_t{j} * v.classes + k] = checked(given.weights[std::size_t{k} * given.features + j],
                                                    "the weight of feature " + std::to_string(j + 1) + of_vector);
    }
    v.bias.push_back(checked(given.biases[k], "the bias" + of_vector));
  }
  return v;
}

Calibration calibration_of(const GivenWeights& given) {
  Calibration calibration;
  if (given.probabilities == GivenProbabilities::none) return calibration;
  if (given.probabilities == GivenProbabilities::softmax && given.classes.size() > 2) {
    calibration.method = CalibrationMethod::softmax;
    return calibration;
  }
  calibration.method = CalibrationMethod::platt;
  calibration.platt.assign(given.biases.size(), Platt{.a = -1, .b = 0});
  return calibration;
}

}  // namespace

Model linear_model(const GivenWeights& given) {
  check_counts(given);
  const bool several = given.classes.size() > 2;
  Model model;
  model.schema = schema_of(given);
  model.composition.rule = several ? rule::multiclass : rule::perceptron;
  model.composition.tie = several ? Tie::positive : Tie::negative;
  const auto learner = make_learner(model.composition, static_cast<std::uint32_t>(given.classes.size()));
  learner->grow(given.features);
  LearnerState state = learner->save();
  state.weights = weights_of(given);
  learner->restore(state);
  model.weights = learner->result();
  model.learner = learner->save();
  model.ledger.stopped = Stopped::end;
  model.calibration = calibration_of(given);
  model.position.generator = Generator(model.composition.seed).state();
  model.provenance.version = kVersion;
  return model;
}

namespace {

// Returns whether there are weights that no round brought about.
bool begins_with_weights(const Model& model) {
  const auto not_zero = [](double weight) { return weight != 0; };
  return !model.composition.start.small && model.ledger.rounds == 0 &&
         (std::any_of(model.weights.w.begin(), model.weights.w.end(), not_zero) ||
          std::any_of(model.weights.bias.begin(), model.weights.bias.end(), not_zero));
}

}  // namespace

bool has_given_weights(const Model& model) {
  const RuleName rule = model.composition.rule;
  return (rule == rule::perceptron || rule == rule::multiclass) && begins_with_weights(model);
}

bool is_at_minimum(const Model& model) {
  const RuleName rule = model.composition.rule;
  return (rule == rule::nag || rule == rule::multinomial) && begins_with_weights(model);
}

}  // namespace halfspace
