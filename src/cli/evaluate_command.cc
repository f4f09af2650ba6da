// halfspace evaluate: how good is a model on labelled data? Accuracy, confusion, AUC, and how good its probabilities
// are.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>

#include "cli/commands.h"
#include "cli/reliability.h"
#include "cli/terminal.h"
#include "halfspace/base/error.h"
#include "halfspace/model/model_file.h"
#include "report/json.h"

namespace halfspace::cli {
namespace {

struct EvaluateFlags {
  DataFlags data;
  std::string model;
  bool json = false;
};

// The area under the ROC curve: the share of (positive, negative) pairs ranked rightly, ties counting half. Exact
// counts.
double area_under_curve(std::vector<std::pair<double, bool>>& scored) {
  std::sort(scored.begin(), scored.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  double negatives_below = 0;
  double doubled = 0;
  double positives = 0;
  for (std::size_t i = 0; i < scored.size();) {
    double here_positive = 0;
    double here_negative = 0;
    std::size_t k = i;
    for (; k < scored.size() && scored[k].first == scored[i].first; ++k)
      (scored[k].second ? here_positive : here_negative) += 1;
    doubled += here_positive * (2 * negatives_below + here_negative);
    negatives_below += here_negative;
    positives += here_positive;
    i = k;
  }
  return doubled / (2 * positives * negatives_below);
}

int evaluate(const EvaluateFlags& flags) {
  const Model model = load_model(flags.model);
  ReadOptions read = read_options(flags.data);
  read.schema = &model.schema;
  read.grow = false;
  read.row_normalised = model.schema.row_normalised;
  read.single = model.schema.single;
  std::uint64_t done = 0;
  std::uint64_t total = 0;
  read.progress = [&](std::uint64_t d, std::uint64_t t) {
    done = d;
    total = t;
  };
  const std::size_t classes = std::max<std::size_t>(2, model.classes());
  const bool binary = classes == 2;
  Predictor predictor(model);
  std::vector<std::int32_t> predicted;
  std::vector<double> scores;
  std::vector<std::pair<double, bool>> scored;
  std::vector<std::uint64_t> confusion(classes * classes, 0);
  std::uint64_t rows = 0;
  const bool calibrated = model.calibration.method != CalibrationMethod::none;
  Reliability reliability(classes);
  Progress progress(!flags.json);
  Reader reader(read);
  reader.read([&](const Block& block) {
    const std::uint32_t vectors = predictor.score_all(block, predicted, scores);
    for (std::size_t i = 0; i < block.rows; ++i) {
      if (calibrated)
        reliability.add(model.calibration.probabilities(std::span(scores).subspan(i * vectors, vectors)),
                        block.label[i]);
      ++confusion[static_cast<std::size_t>(block.label[i]) * classes + static_cast<std::size_t>(predicted[i])];
      const double* s = &scores[i * vectors];
      if (binary) scored.emplace_back(vectors == 1 ? s[0] : s[1] - s[0], block.label[i] == 1);
    }
    rows += block.rows;
    if (progress.due() && total > 0) {
      progress.show(fmt::format("{:.0f} % · {} rows", 100 * static_cast<double>(done) / static_cast<double>(total),
                                grouped(rows)));
    }
    return !interrupted();
  });
  progress.clear();
  if (interrupted()) throw Error(ErrorKind::input_output, "interrupted: nothing was evaluated");
  std::vector<std::string> names = model.schema.labels.names;
  names.resize(classes);  // a lone class still has its opposite
  std::uint64_t right = 0;
  std::vector<std::uint64_t> truth(classes, 0);
  for (std::size_t t = 0; t < classes; ++t) {
    right += confusion[t * classes + t];
    for (std::size_t p = 0; p < classes; ++p) truth[t] += confusion[t * classes + p];
  }
  const std::uint64_t most = truth.empty() ? 0 : *std::max_element(truth.begin(), truth.end());
  const bool has_auc = binary && truth[0] > 0 && truth[1] > 0;
  const double auc = has_auc ? area_under_curve(scored) : 0;
  const double n = static_cast<double>(rows);
  if (flags.json) {
    report::Json j;
    j["rows"] = rows;
    j["errors"] = rows - right;
    j["accuracy"] = static_cast<double>(right) / n;
    j["constant_accuracy"] = static_cast<double>(most) / n;
    j["auc"] = has_auc ? report::Json(auc) : report::Json(nullptr);
    report::Json table = report::Json::object();
    for (std::size_t t = 0; t < classes; ++t) {
      report::Json row = report::Json::object();
      for (std::size_t p = 0; p < classes; ++p) row[report::utf8(names[p])] = confusion[t * classes + p];
      table[report::utf8(names[t])] = row;
    }
    j["confusion"] = table;
    if (calibrated) j["probability"] = reliability.json();
    j["unknown_features"] = reader.report().unknown_features;
    j["rejected"] = reader.report().rejected;
    print_result(j.dump(2) + "\n");
    return 0;
  }
  std::string text;
  if (classes <= 20) {
    std::vector<bool> left(classes + 1, false);
    left[0] = true;
    Table table(left);
    std::vector<std::string> head{dim("truth \\ predicted")};
    for (const std::string& name : names) head.push_back(shortened(name, 16));
    table.add(head);
    for (std::size_t t = 0; t < classes; ++t) {
      std::vector<std::string> cells{shortened(names[t], 24)};
      for (std::size_t p = 0; p < classes; ++p) cells.push_back(grouped(confusion[t * classes + p]));
      table.add(cells);
    }
    text += table.text() + "\n";
  }
  if (binary) {
    const double true_positive = static_cast<double>(confusion[3]);
    text += fmt::format("  {:<12} {}   {}\n", "precision",
                        percent(true_positive, static_cast<double>(confusion[1] + confusion[3])),
                        dim(fmt::format("of rows predicted {}", shortened(names[1], 24))));
    text += fmt::format("  {:<12} {}   {}\n", "recall", percent(true_positive, static_cast<double>(truth[1])),
                        dim(fmt::format("of rows that are {}", shortened(names[1], 24))));
    if (has_auc) text += fmt::format("  {:<12} {:.4f}\n", "AUC", auc);
  }
  if (reader.report().rejected > 0)
    text += fmt::format("  {:<12} {} bad rows set aside\n", "rejected", grouped(reader.report().rejected));
  text += fmt::format("  {:<12} {}   {}\n", "accuracy", bold(percent(static_cast<double>(right), n)),
                      dim(fmt::format("{} of {} rows; always the most frequent class: {}", grouped(right),
                                      grouped(rows), percent(static_cast<double>(most), n))));
  if (calibrated) text += "\n" + reliability.text();
  print_result(text);
  if (reader.report().unknown_features > 0) {
    fmt::print(stderr, "{} {} values belong to features the model has never seen; they count nothing\n",
               bold("note:", false), grouped(reader.report().unknown_features));
  }
  return 0;
}

}  // namespace

void add_evaluate(CLI::App& app, Action& action) {
  auto flags = std::make_shared<EvaluateFlags>();
  CLI::App* command =
      add_command(app, "evaluate", "accuracy, confusion, AUC; of a calibrated model how good its probabilities are",
                  {{"halfspace evaluate a9a.model a9a.t", "on rows the model has not seen"}});
  command->add_option("MODEL", flags->model, "a model that train wrote")->required();
  command->add_option("DATA", flags->data.read.path, "labelled rows; - is standard input")->required();
  command->add_flag("--json", flags->json, "one JSON object on stdout");
  add_data_flags(command, flags->data, false);
  command->callback([flags, &action] { action = [flags] { return evaluate(*flags); }; });
}

}  // namespace halfspace::cli
