// The options of evaluating a model, and of predicting.
#include <utility>

#include "halfspace/train/settings.h"

namespace halfspace {

Option confidence_option(double& confidence) {
  return {"confidence", "P", "how sure the bounds on new rows are (default 0.95)", &confidence};
}

std::vector<Option> options_of(EvaluateSettings& settings) {
  std::vector<Option> all{confidence_option(settings.confidence)};
  for (Option& one : data_options(settings.data, false)) all.push_back(std::move(one));
  return all;
}

EvaluateOptions evaluate_options(const EvaluateSettings& settings) {
  EvaluateOptions options;
  options.read = read_options(settings.data);
  options.confidence = settings.confidence;
  return options;
}

ModelEvaluation evaluate(const Model& model, const EvaluateSettings& settings) {
  return evaluate(model, evaluate_options(settings));
}

std::vector<Option> options_of(PredictSettings& settings) {
  return data_options(settings.data, false);
}

}  // namespace halfspace
