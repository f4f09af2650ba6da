// halfspace compare: compares rules, the default and trained models on one data set or many, with tests.
#include <fmt/format.h>

#include <memory>

#include "base/clock.h"
#include "cli/commands.h"
#include "cli/report_flags.h"
#include "cli/terminal.h"
#include "halfspace/base/error.h"
#include "halfspace/model/model_file.h"
#include "halfspace/train/compare.h"
#include "report/results/comparison_text.h"

namespace halfspace::cli {
namespace {

struct CompareFlags : CompareSettings {
  std::string as = "text";
  bool json = false;
  ReportFlags report;
};

std::vector<NamedModel> loaded(const std::vector<std::string>& paths) {
  std::vector<NamedModel> models;
  for (const std::string& path : paths)
    models.push_back({path, std::make_shared<const Model>(load_model(path, &interrupted()))});
  return models;
}

int compare(const CompareFlags& flags) {
  CompareOptions options = compare_options(flags, loaded(flags.models));
  for (TrainOptions& set : options.sets) {
    attend(set.read);
    set.memory.folder = temporary_folder();
  }
  if (options.test) attend(*options.test);
  options.interrupt = &interrupted();
  Progress progress(!flags.json);
  const auto began = Clock::now();
  options.on_progress = [&](const CompareProgress& now) {
    if (!progress.due()) return;
    const std::string left = time_left(now.share, seconds_since(began));
    progress.show(fmt::format("{:.0f} % · data set {} of {}{}", 100 * now.share, now.set + 1, now.sets,
                              left.empty() ? "" : " · " + left));
  };
  const Comparison found = halfspace::compare(options);
  progress.clear();
  finish(
      flags.json, flags.report,
      [&] {
        report::Json j = run_json("compare", flags.report);
        j.update(report::comparison_json(found, style_of()));
        return j;
      },
      [&] { return flags.as == "csv" ? report::comparison_csv(found) : report::comparison_text(found, style_of()); });
  return 0;
}

}  // namespace

Command compare_command() {
  auto flags = std::make_shared<CompareFlags>();
  Command command("compare", "which rule or model is best, and whether that is significant",
                  {{"halfspace compare credit.csv --rules default,averaged,arow", "on ten folds of one data set"},
                   {"halfspace compare *.csv --report page.html", "over many data sets, with figures"},
                   {"halfspace compare new.csv --models old.model,new.model", "models on rows they have not seen"}});
  command.common = {"help", "rules", "models", "folds", "test", "json", "report", "label", "id"};
  command.add(
      {required({"DATA", "", "a data set; several are several data sets", &flags->common.data.paths, data_files()})});
  std::vector<Row> data;
  const std::vector<Row> reading = data_options(flags->common.data, true);
  for (Row& row : options_of(*flags)) {
    const bool reads = find_option(reading, row.name) != nullptr;
    if (reads) {
      data.push_back(std::move(row));
    } else {
      command.add({std::move(row)});
    }
  }
  command.add(kOutputGroup, {idle_with("json", {"as", "HOW", "how to print the result", &flags->as,
                                                one_of({{"text", "tables and words (default)"},
                                                        {"csv", "one line a data set and competitor"}})}),
                             json_row(flags->json)});
  command.add(kOutputGroup, report_rows(flags->report));
  command.add(kDataGroup, std::move(data));
  command.run = [flags](const Given&) { return compare(*flags); };
  return command;
}

}  // namespace halfspace::cli
