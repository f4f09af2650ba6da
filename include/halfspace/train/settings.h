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

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "halfspace/rules/composition.h"
#include "halfspace/stream/reader.h"
#include "halfspace/train/choose.h"
#include "halfspace/train/evaluate.h"
#include "halfspace/train/option.h"
#include "halfspace/train/train.h"

namespace halfspace {

// How a text table is split into cells.
struct TableSettings {
  std::optional<char> delimiter;
  std::string decimal, thousands, quote;
  std::optional<std::uint64_t> skip_lines;
  std::optional<std::string> comment;
  bool header = false, no_header = false;
  std::vector<std::string> missing, missing_only;
};
std::vector<Option> table_options(TableSettings& settings);
std::vector<Option> missing_options(TableSettings& settings);
// Returns the character that a word names or consists of.
char mark_named(const std::string& word);
// Applies the settings to the options. Throws Error(usage) for settings that contradict each other.
void read_table_settings(const TableSettings& settings, TableOptions& table);

// How to read data.
struct DataSettings {
  std::vector<std::string> paths;  // at least one, unless read.rows is given
  ReadOptions read;
  std::string format = "auto", on_error = "stop", text_values, text_tokens, date_order;
  TableSettings table;
  std::vector<std::string> class_weights;
  std::vector<std::string> quadratic, cubic;  // letters, each of the namespaces that begin with it
};
// Returns the options of every command that reads data; with `learning` also those of training.
std::vector<Option> data_options(DataSettings& settings, bool learning);
// Returns how to read. Throws Error(usage) for settings that contradict each other.
ReadOptions read_options(const DataSettings& settings);

// How to compute metrics; metrics.h has their meaning.
struct MetricSettings {
  std::string average = "macro";
  double beta = 1, lift_share = 0.1;
  std::vector<std::string> costs;  // TRUTH:PREDICTED=COST
};
std::vector<Option> metric_options(MetricSettings& settings);
// Throws Error(usage) for a cost that is not written so.
MetricOptions metric_options(const MetricSettings& settings);

// How to train; empty values leave the decision to the plan or the preset.
struct TrainSettings {
  DataSettings data;
  std::string preset, rule, order, keep, until, tie, bias, multiclass, start = "zero", normalize = "none";
  std::optional<double> bias_scale;
  bool noconstant = false;               // no bias
  bool unplanned = false;                // never leaves the composition to the plan
  std::string objective;                 // to minimize in place of rounds; empty: none
  std::optional<double> cost, gap;       // of the objective
  std::string penalize_bias;             // of the objective: yes (default) or no
  ParameterValues parameters;            // of the rule
  std::map<std::string, bool> switches;  // parameters turned off by name
  std::vector<std::string> search;       // NAME=VALUES each: parameters to validate; they choose the rule, too
  std::optional<double> seconds;
  std::optional<std::uint64_t> passes, updates;
  std::optional<unsigned> folds;
  std::string metric = "accuracy";  // what ranks candidates
  MetricSettings metrics;
  std::string calibrate;  // name of a CalibrationMethod
  std::string threshold;  // empty, "auto" or a probability
  std::uint64_t seed = 1;
  double holdout = 0, confidence = 0.95;
  bool conformal = false;      // as in TrainOptions
  std::optional<double> sets;  // likewise
  std::uint64_t memory = 1'000'000'000;
  const std::atomic<bool>* interrupt = nullptr;    // as in TrainOptions
  std::function<void(const Ledger&)> on_progress;  // likewise
};
// Return the options of one group: what to train, when to stop, how to read.
std::vector<Option> learning_options(TrainSettings& settings);
std::vector<Option> stop_options(TrainSettings& settings);
std::vector<Option> data_options(TrainSettings& settings);
// Returns all of these, plus folds, calibration and confidence.
std::vector<Option> options_of(TrainSettings& settings);

// Returns the option of what ranks candidates, and how it is computed.
std::vector<Option> ranking_options(std::string& metric, MetricSettings& metrics);
// Return one option each: the number of folds, the parameters to search, the calibration, the threshold, the confidence of the bounds on new rows,
// the scores for prediction sets, and adaptive sets.
Option folds_option(std::optional<unsigned>& folds);
Option search_option(std::vector<std::string>& search);
Option calibrate_option(std::string& calibrate);
Option threshold_option(std::string& threshold);
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

// How to evaluate a model.
struct EvaluateSettings {
  DataSettings data;
  double confidence = 0.95;
  MetricSettings metrics;
  std::uint64_t resamples = 1000, seed = 1;
  bool weighted = false, unweighted = false;  // both as if absent: by weights
  std::optional<double> sets;                 // as in EvaluateOptions
  bool each_class = false;                    // likewise
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
