// Extracts the linear part of a model, or reports why there is none.
#include "model/linear_part.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

#include "halfspace/base/error.h"
#include "halfspace/rules/rule_entry.h"

namespace halfspace::model {
namespace {

[[noreturn]] void refuse_export(const std::string& format, const std::string& why, const std::string& fix) {
  throw Error(ErrorKind::usage, "cannot export this model to " + format + ": " + why).fix(fix);
}

}  // namespace

void refuse_unheld_features(const Model& model) {
  constexpr std::uint64_t free = 1'000'000;
  std::uint64_t held = model.weights.classes == 0 ? 0 : model.weights.w.size() / model.weights.classes;
  for (const std::uint32_t index : model.learner.kernel.index) held = std::max(held, std::uint64_t{index} + 1);
  for (const Column& column : model.schema.columns) held += 2 + column.features.size();
  if (model.schema.features <= 2 * held + free) return;
  throw Error(ErrorKind::data, "the model declares " + std::to_string(model.schema.features) +
                                   " features but has weights for " + std::to_string(held))
      .fix("train it again: train did not write this file, or it saw almost no data");
}

void refuse_isotonic(const Model& model, const std::string& format) {
  if (model.calibration.method == CalibrationMethod::isotonic)
    refuse_export(format, "its isotonic probabilities are steps, and none of its operators", "calibrate with platt");
}

void refuse_changed_rows(const Model& model, const std::string& format) {
  if (model.schema.row_normalised) {
    refuse_export(format, "each row is divided by its norm",
                  "export to ONNX (of a table also to C), or train with " + option("normalize", "column"));
  }
  if (model.schema.single) {
    refuse_export(format, "values are rounded to single precision",
                  "export to ONNX (of a table also to C), or train without " + option("single"));
  }
}

LinearPart linear_part(const Model& model, const std::string& format) {
  const auto refuse = [&](bool wrong, const std::string& why, const std::string& fix) {
    if (wrong) refuse_export(format, why, fix);
  };
  refuse(model.composition.keep == KeepName::vote, "a vote of many weight vectors is not linear",
         "train with " + option("keep", "average"));
  refuse(entry_of(model.composition.rule).support_vectors, "a sum over support vectors has no weights",
         "train with " + option("rule", "perceptron"));
  refuse(model.classes() < 2, "it has seen one class only", "train on rows of two classes or more");
  refuse_unheld_features(model);
  refuse(model.schema.features == 0, "it has no features", "train on rows with values");
  refuse(model.calibration.method != CalibrationMethod::none && !model.calibration.fitted(),
         "its run was interrupted before its probabilities were fitted",
         "go on with " + option("resume") + ", or drop them with " + option("calibrate", "none"));
  const Schema& schema = model.schema;
  refuse(!schema.exponents.empty() && (schema.row_normalised || schema.single),
         "columns are scaled before rows are normalised or rounded", "train with one of these");
  LinearPart part;
  part.features = schema.features;
  ClassWeightVector vectors = vectors_of_scores(model.weights);
  part.vectors = vectors.classes;
  part.weight = std::move(vectors.w);
  part.weight.resize(std::size_t{part.features} * part.vectors, 0.0);
  for (std::size_t f = 0; f < schema.exponents.size() && f < part.features; ++f) {
    for (std::uint32_t k = 0; k < part.vectors; ++k) {
      double& weight = part.weight[f * part.vectors + k];
      weight = std::ldexp(weight, schema.exponents[f]);
      refuse(!std::isfinite(weight), "a weight on the data's own values is beyond the doubles", "rescale that column");
    }
  }
  const BiasOptions& bias = model.composition.bias;
  part.bias_first = bias.position == Bias::first;
  const double scale = part.bias_scale = bias.position == Bias::none ? 0.0 : bias.scale;
  part.unscaled_bias = vectors.bias;
  for (const double b : vectors.bias) {
    part.bias.push_back(b * scale);
    part.bias_error.push_back(part.bias_first ? 0.0 : std::fma(b, scale, -(b * scale)));
  }
  part.threshold = model.threshold.value_or(0);
  part.last_wins = !model.threshold && model.composition.tie == Tie::negative;
  return part;
}

}  // namespace halfspace::model
