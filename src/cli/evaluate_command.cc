// halfspace evaluate: scores a model on labelled data: accuracy, confusion matrix, AUC, and the quality of its
// probabilities.
#include <fmt/format.h>

#include <memory>

#include "cli/commands.h"
#include "cli/reliability_text.h"
#include "cli/terminal.h"
#include "halfspace/model/model_file.h"
#include "halfspace/train/evaluate.h"
#include "halfspace/train/new_rows.h"
#include "report/evaluation_json.h"
#include "report/json.h"

namespace halfspace::cli {
namespace {

struct EvaluateFlags : EvaluateSettings {
  std::string model;
  bool json = false;
};

std::string confusion_text(const ModelEvaluation& result) {
  const std::size_t classes = result.confusion.classes();
  std::vector<bool> left(classes + 1, false);
  left[0] = true;
  Table table(left);
  std::vector<std::string> head{dim("truth \\ predicted")};
  for (const std::string& name : result.classes) head.push_back(shortened(name, 16));
  table.add(head);
  for (std::size_t t = 0; t < classes; ++t) {
    std::vector<std::string> cells{shortened(result.classes[t], 24)};
    for (std::size_t p = 0; p < classes; ++p) cells.push_back(grouped(result.confusion.at(t, p)));
    table.add(cells);
  }
  return table.text() + "\n";
}

std::string text_of(const ModelEvaluation& result) {
  const ConfusionTable& confusion = result.confusion;
  std::string text;
  if (confusion.classes() <= 20) text += confusion_text(result);
  if (confusion.classes() == 2) {
    const double true_positive = static_cast<double>(confusion.at(1, 1));
    const std::string positive = shortened(result.classes[1], 24);
    text += fmt::format("  {:<12} {}   {}\n", "precision",
                        percent(true_positive, static_cast<double>(confusion.predicted_as(1))),
                        dim(fmt::format("of rows predicted {}", positive)));
    text +=
        fmt::format("  {:<12} {}   {}\n", "recall", percent(true_positive, static_cast<double>(confusion.rows_of(1))),
                    dim(fmt::format("of rows that are {}", positive)));
    if (result.area) text += fmt::format("  {:<12} {:.4f}\n", "AUC", *result.area);
  }
  if (result.report.rejected > 0)
    text += fmt::format("  {:<12} {} skipped\n", "rejected", counted(result.report.rejected, "bad row"));
  const auto rows = static_cast<double>(confusion.rows());
  text += fmt::format("  {:<12} {}   {}\n", "accuracy", bold(percent(static_cast<double>(confusion.right()), rows)),
                      dim(fmt::format("{} of {}; always the most frequent class: {}", grouped(confusion.right()),
                                      counted(confusion.rows(), "row"),
                                      percent(static_cast<double>(confusion.most_frequent()), rows))));
  if (const auto expected = result.expected_error()) {
    text += fmt::format(
        "  {:<12} {}   {}\n", "new rows", bold(new_rows_words(*expected)),
        dim(fmt::format("if they are like these {}, none of which were used in training", grouped(expected->rows))));
  } else {
    text += fmt::format("  {:<12} no bounds: {}\n", "new rows", report::learned_from);
  }
  if (result.reliability) text += "\n" + reliability_text(*result.reliability);
  return text;
}

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
  print_result(text_of(result));
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
  command.add({required({"MODEL", "", "a model that train wrote", &flags->model, input_file()}),
               data_row(flags->data, "labelled rows; - is standard input")});
  command.add({confidence_option(flags->confidence)});
  command.add(kOutputGroup, {json_row(flags->json)});
  add_data_flags(command, flags->data, false);
  command.run = [flags](const Given&) { return evaluate(*flags); };
  return command;
}

}  // namespace halfspace::cli
