// The options of evaluating a model, and of predicting.
#include <utility>

#include "halfspace/base/error.h"
#include "halfspace/train/settings.h"

namespace halfspace {

Option confidence_option(double& confidence) {
  return {"confidence", "P", "how sure the bounds on new rows are (default 0.95)", &confidence};
}

Option coverage_option(std::optional<double>& sets) {
  return {"sets", "P",
          "sets of classes with the true one with probability P; for models trained with " + option("conformal"),
          &sets};
}

Option each_class_option(bool& each_class) {
  return takes::needs("sets", {"each-class", "", "sets with this probability for the rows of each class", &each_class});
}

std::vector<Option> metric_options(MetricOptions& metrics) {
  return {{"average", "HOW", "how multiclass precision, recall, F1 and AUC are averaged (default macro)",
           by_name(metrics.averaging), takes::one_of(choices_of<Averaging>())},
          {"f-beta", "B", "F of beta: recall counts B times as much as precision (default 1)", &metrics.beta,
           takes::above(0)},
          {"lift-share", "S", "the share of rows, by score, that lift looks at (default 0.1)", &metrics.lift_share,
           takes::above(0)},
          {"cost", "TRUTH:PREDICTED=C", "what such an error costs; others cost 1",
           [&metrics](const std::string& text) { metrics.costs.push_back(parse_cost(text)); }, takes::repeated()}};
}

std::vector<Option> ranking_options(Metric& metric, MetricOptions& metrics) {
  std::vector<Option> all{{"metric", "METRIC", "what ranks candidates and is reported of folds (default accuracy)",
                           by_name(metric), takes::one_of(choices_of<Metric>())}};
  for (Option& one : metric_options(metrics)) all.push_back(std::move(one));
  return all;
}

void check_metrics(const MetricOptions& metrics) {
  if (metrics.lift_share > 1)
    throw Error(ErrorKind::usage, option("lift-share") + " is a share of the rows, at most 1").fix("0.1 is usual");
}

std::vector<Option> evaluation_options(EvaluateSettings& settings) {
  std::vector<Option> all{confidence_option(settings.confidence)};
  for (Option& one : metric_options(settings.metrics)) all.push_back(std::move(one));
  all.push_back({"resamples", "N", "resamples of the bootstrap for intervals, fewer for many rows (default 1000)",
                 &settings.resamples});
  all.push_back({"seed", "N", "seed of the resamples (default 1)", &settings.seed});
  all.push_back({"weight", "COL", "column with the rows' weights (default: the model's, if the data have it)",
                 &settings.data.read.columns.weight});
  all.push_back(
      {"weighted", "", "rows count by their weights, if the data have any (the default)", &settings.weighted});
  all.push_back(takes::idle_with("weighted", {"unweighted", "", "every row counts once, whatever its weight",
                                              [&settings] { settings.weighted = false; }}));
  all.push_back(coverage_option(settings.sets));
  all.push_back(each_class_option(settings.each_class));
  return all;
}

std::vector<Option> options_of(EvaluateSettings& settings) {
  std::vector<Option> all = evaluation_options(settings);
  for (Option& one : data_options(settings.data, false)) all.push_back(std::move(one));
  return all;
}

EvaluateOptions evaluate_options(const EvaluateSettings& settings) {
  EvaluateOptions options = settings;
  options.read = read_options(settings.data);
  check_metrics(options.metrics);
  return options;
}

ModelEvaluation evaluate(const Model& model, const EvaluateSettings& settings) {
  return evaluate(model, evaluate_options(settings));
}

std::vector<Option> options_of(PredictSettings& settings) { return data_options(settings.data, false); }

}  // namespace halfspace
