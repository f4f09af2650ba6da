// halfspace evaluate: scores a model on labelled data: accuracy, confusion matrix, AUC, and the quality of its
// probabilities.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/report_flags.h"
#include "cli/terminal.h"
#include "halfspace/base/error.h"
#include "halfspace/detail/train/new_rows.h"
#include "halfspace/model/model_file.h"
#include "halfspace/train/evaluate.h"
#include "report/results/evaluation_json.h"
#include "report/results/evaluation_text.h"
#include "report/results/paired_text.h"
#include "train/evaluate/paired_evaluation.h"

namespace halfspace::cli {
namespace {

struct EvaluateFlags : EvaluateSettings {
  std::string model, second;  // second: empty for one
  bool json = false, quiet = false;
  ReportFlags report;
};

// Takes a second model from the front of the data files.
void find_second(EvaluateFlags& flags) {
  std::vector<std::string>& paths = flags.data.paths;
  if (paths.empty() || !is_model_file(paths.front()) || !is_model_file(flags.model)) return;
  flags.second = paths.front();
  paths.erase(paths.begin());
  if (paths.empty())
    throw Error(ErrorKind::usage, "there are two models, and no rows to evaluate them on")
        .fix("halfspace evaluate A.model B.model DATA");
  if (is_model_file(paths.front()))
    throw Error(ErrorKind::usage, "evaluate compares two models, not more")
        .fix("halfspace compare DATA --models A.model,B.model,C.model");
  if (flags.report.wanted())
    throw Error(ErrorKind::usage, "a page is of one model")
        .fix("halfspace compare DATA --models A.model,B.model --report PAGE.html");
  if (std::find(paths.begin(), paths.end(), "-") != paths.end())
    throw Error(ErrorKind::usage, "two models read the rows twice, and standard input can be read once")
        .fix("save the rows in a file");
}

int evaluate(EvaluateFlags flags) {
  check_confidence(flags.confidence);
  find_second(flags);
  const Model model = load_model_to_predict(flags.model, &interrupted());
  std::optional<Model> second;
  if (!flags.second.empty()) second = load_model_to_predict(flags.second, &interrupted());
  EvaluateOptions options = evaluate_options(flags);
  attend(options.read);
  options.interrupt = &interrupted();
  std::uint64_t done = 0;
  std::uint64_t total = 0;
  options.read.progress = [&](std::uint64_t d, std::uint64_t t) {
    done = d;
    total = t;
  };
  Progress progress(!flags.json && !flags.quiet);
  options.on_progress = [&](std::uint64_t rows) {
    if (progress.due() && total > 0) {
      progress.show(fmt::format("{:.0f} % · {}", 100 * static_cast<double>(done) / static_cast<double>(total),
                                counted(rows, "row")));
    }
  };
  if (second) {
    const PairedEvaluation both = evaluate_pair(model, *second, options);
    progress.clear();
    const std::array names{flags.model, flags.second};
    print_result(flags.json ? report::paired(both, names).dump(2) + "\n"
                            : report::paired_text(both, names, style_of()));
    return 0;
  }
  const ModelEvaluation result = halfspace::evaluate(model, options);
  progress.clear();
  const auto json = [&] {
    report::Json j = run_json("evaluate", flags.report);
    j.update(report::evaluation(result));
    return j;
  };
  finish(flags.json, flags.report, json, [&] { return report::evaluation_text(result, style_of()); });
  if (!flags.json && result.report.unknown_features > 0) {
    print_message(fmt::format("{} {}\n", bold("note:", false), unknown_features_note(result.report.unknown_features)));
  }
  return 0;
}

}  // namespace

Command evaluate_command() {
  auto flags = std::make_shared<EvaluateFlags>();
  Command command(
      "evaluate", "accuracy, confusion matrix and AUC; the quality of probabilities",
      {{"halfspace evaluate a9a.model a9a.t", "on rows the model has not seen"},
       {"halfspace evaluate a9a.model a9a.t --report a9a.html", "a page with its curves and calibration"},
       {"halfspace evaluate old.model new.model rows.csv", "which of two models is better, by more than chance"}});
  command.common = {"help", "cost", "average", "weighted", "confidence", "json", "report", "label"};
  command.add({required({"MODEL", "", "a model that train wrote", &flags->model, input_file()}),
               data_row(flags->data, "labelled rows, after a second model if there is one; - is standard input")});
  command.add(evaluation_options(*flags));
  command.add(kOutputGroup, {json_row(flags->json), quiet_row(flags->quiet)});
  command.add(kOutputGroup, report_rows(flags->report));
  add_data_flags(command, flags->data, false);
  command.run = [flags](const Given&) { return evaluate(*flags); };
  return command;
}

}  // namespace halfspace::cli
