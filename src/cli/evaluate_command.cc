// halfspace evaluate: scores a model on labelled data: accuracy, confusion matrix, AUC, and the quality of its
// probabilities.
#include <fmt/format.h>

#include <memory>

#include "cli/commands.h"
#include "cli/terminal.h"
#include "halfspace/model/model_file.h"
#include "halfspace/train/evaluate.h"
#include "halfspace/train/new_rows.h"
#include "report/evaluation_json.h"
#include "report/evaluation_text.h"

namespace halfspace::cli {
namespace {

struct EvaluateFlags : EvaluateSettings {
  std::string model;
  bool json = false;
};

int evaluate(const EvaluateFlags& flags) {
  check_confidence(flags.confidence);
  const Model model = load_model(flags.model, &interrupted());
  EvaluateOptions options = evaluate_options(flags);
  attend(options.read);
  options.interrupt = &interrupted();
  std::uint64_t done = 0;
  std::uint64_t total = 0;
  options.read.progress = [&](std::uint64_t d, std::uint64_t t) {
    done = d;
    total = t;
  };
  Progress progress(!flags.json);
  options.on_progress = [&](std::uint64_t rows) {
    if (progress.due() && total > 0) {
      progress.show(fmt::format("{:.0f} % · {}", 100 * static_cast<double>(done) / static_cast<double>(total),
                                counted(rows, "row")));
    }
  };
  const ModelEvaluation result = halfspace::evaluate(model, options);
  progress.clear();
  if (flags.json) {
    print_result(report::evaluation(result).dump(2) + "\n");
    return 0;
  }
  print_result(report::evaluation_text(result, style_of()));
  if (result.report.unknown_features > 0) {
    print_message(fmt::format("{} {}\n", bold("note:", false), unknown_features_note(result.report.unknown_features)));
  }
  return 0;
}

}  // namespace

Command evaluate_command() {
  auto flags = std::make_shared<EvaluateFlags>();
  Command command("evaluate", "accuracy, confusion matrix and AUC; the quality of probabilities",
                  {{"halfspace evaluate a9a.model a9a.t", "on rows the model has not seen"}});
  command.common = {"help", "cost", "average", "weighted", "confidence", "json", "label"};
  command.add({required({"MODEL", "", "a model that train wrote", &flags->model, input_file()}),
               data_row(flags->data, "labelled rows; - is standard input")});
  command.add(evaluation_options(*flags));
  command.add(kOutputGroup, {json_row(flags->json)});
  add_data_flags(command, flags->data, false);
  command.run = [flags](const Given&) { return evaluate(*flags); };
  return command;
}

}  // namespace halfspace::cli
