// Settings by name, for every interface: options of reading, training and evaluating, described in tables (option.h).
// Those of certifying: proof/certify_settings.h.
//
//   TrainSettings settings;
//   settings.data.paths = {"credit.csv"};
//   set_option(options_of(settings), "id", "applicant");
//   const TrainResult result = train(settings);          // what `halfspace train credit.csv --id applicant` learns
//
// If no setting names a rule, an order, passes or a keeper, the plan decides (plan.h).
//
// Options point into the settings that they were made for.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "halfspace/detail/train/option.h"
#include "halfspace/rules/composition.h"
#include "halfspace/stream/reader.h"
#include "halfspace/train/choose.h"
#include "halfspace/train/evaluate.h"
#include "halfspace/train/train.h"

namespace halfspace {

// Return the options of how a text table is split into cells, and of the texts that stand for missing values.
std::vector<Option> table_options(TableOptions& table);
std::vector<Option> missing_options(TableOptions& table);
// Returns the character that a word names or consists of.
char mark_named(const std::string& word);

// How to read data.
struct DataSettings {
  std::vector<std::string> paths;  // at least one, unless read.rows is given
  ReadOptions read;
  std::vector<std::string> class_weights;
  std::vector<std::string> quadratic, cubic;  // letters, each of the namespaces that begin with it
};
// Returns the options of every command that reads data; with `learning` also those of training.
std::vector<Option> data_options(DataSettings& settings, bool learning);
// Returns how to read. Throws Error(usage) for settings that contradict each other.
ReadOptions read_options(const DataSettings& settings);

std::vector<Option> metric_options(MetricOptions& metrics);
// Throws Error(usage) for metrics that cannot be computed so.
void check_metrics(const MetricOptions& metrics);

// What to learn with, by name; empty values leave the decision to the plan or the preset. `preset`, `rule` and
// `minimize` may hold parameters: "scw1:aggressiveness=0.1".
struct LearnerSettings {
  std::string preset, rule, order, keep, tie, bias, multiclass;
  bool small_start = false;
  std::optional<double> bias_scale;
  bool noconstant = false;               // no bias
  std::string minimize;                  // an objective, in place of rounds; empty: none
  std::optional<double> cost, gap;       // of the objective
  std::string penalize_bias;             // of the objective: yes (default) or no
  ParameterValues parameters;            // of the rule
  std::map<std::string, bool> switches;  // parameters turned off by name
  std::uint64_t seed = 1;
};

// How to train: TrainOptions, of which train_options() makes `read`, `composition`, `objective`, and of `until` what
// these settings leave open.
struct TrainSettings : TrainOptions, LearnerSettings {
  TrainSettings() { memory.memory = 1'000'000'000; }

  DataSettings data;
  bool until_clean = false;
  std::optional<unsigned> folds;
  std::vector<std::string> search;  // NAME=VALUES each: parameters to validate; they choose the rule, too
  bool unplanned = false;           // never leaves the composition to the plan
};
// Return the options of one group: what to train, when to stop, how to read.
std::vector<Option> learning_options(TrainSettings& settings);
std::vector<Option> stop_options(TrainSettings& settings);
std::vector<Option> data_options(TrainSettings& settings);
// Returns all of these, plus folds, calibration and confidence.
std::vector<Option> options_of(TrainSettings& settings);

// Returns the option of what ranks candidates, and how it is computed.
std::vector<Option> ranking_options(Metric& metric, MetricOptions& metrics);
// Return one option each: the number of folds, the parameters to search, the calibration, the threshold, the confidence
// of the bounds on new rows, the scores for prediction sets, and adaptive sets.
Option folds_option(std::optional<unsigned>& folds);
Option search_option(std::vector<std::string>& search);
Option calibrate_option(std::optional<CalibrationMethod>& calibrate);
Option threshold_option(std::optional<ThresholdChoice>& threshold);
Option confidence_option(double& confidence);
Option conformal_option(bool& conformal);
Option sets_option(std::optional<double>& sets);

// Calls run(); if a label comes late (LateLabel), calls note(late) and run() again with the labels of the whole file.
// `data`: the settings that run() reads with.
template <class Run, class Note>
auto rerun_at_late_label(DataSettings& data, const Run& run, const Note& note) {
  data.read.labels.stop_at_late = true;
  try {
    return run();
  } catch (const LateLabel& late) {
    note(late);
  }
  data.read.labels.stop_at_late = false;
  data.read.labels.scan_all = true;
  return run();
}

// Returns whether the settings leave the composition to the plan. Folds that also calibrate score one composition.
bool leaves_the_plan(const TrainSettings& settings);

// Returns the options that the settings amount to, before any plan; a resumed model keeps its composition. Throws
// Error(usage), also for settings that differ from those of the resumed model.
TrainOptions train_options(const TrainSettings& settings, const Model* resume = nullptr);

// Trains as `halfspace train` does with these flags: by the plan if the settings leave the choice to it. With `folds`,
// they validate the plan's candidates or the given composition, and the bounds on new rows come from them; so does a
// calibration that the settings ask for. Throws Error as train() and choose() do.
TrainResult train(const TrainSettings& settings, const Model* resume = nullptr);

// What a caller does between the steps of a run.
struct TrainSteps {
  std::function<void(TrainOptions&)> begin{};              // before any row is read
  std::function<void(std::size_t candidates)> validate{};  // before candidates are validated; 0: those of the plan
  std::function<void(const Choice&)> chosen{};             // after the folds or the search that the settings ask for
  std::function<void(TrainOptions&)> prepare{};            // just before training, with what was chosen
};

// A run, and what chose its learner.
struct TrainRun {
  TrainOptions options;          // it was trained with
  std::string plan;              // what the plan chose, in its words (plan.h); empty if the settings chose
  std::optional<Choice> choice;  // of the plan, the folds or the search; empty if nothing was validated
  TrainResult result;
};
// Does the same, once: also throws LateLabel, for the caller to run it again by rerun_at_late_label().
TrainRun train_run(const TrainSettings& settings, const Model* resume, const TrainSteps& steps = {});

// How to evaluate a model: EvaluateOptions, of which evaluate_options() makes `read`.
struct EvaluateSettings : EvaluateOptions {
  DataSettings data;
};
// Return the options of prediction sets from a model: their coverage, and whether it holds for each class.
Option coverage_option(std::optional<double>& sets);
Option each_class_option(bool& each_class);
// Return the options of the evaluation alone, and all.
std::vector<Option> evaluation_options(EvaluateSettings& settings);
std::vector<Option> options_of(EvaluateSettings& settings);
// Returns how to evaluate. Throws Error(usage).
EvaluateOptions evaluate_options(const EvaluateSettings& settings);
// Evaluates as `halfspace evaluate` does with these flags. Throws Error as evaluate() does.
ModelEvaluation evaluate(const Model& model, const EvaluateSettings& settings);

// How to read rows to predict for.
struct PredictSettings {
  DataSettings data;
};
std::vector<Option> options_of(PredictSettings& settings);

}  // namespace halfspace
