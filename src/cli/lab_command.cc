// halfspace lab: checks a theorem by experiment.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/commands.h"
#include "cli/experiment.h"
#include "cli/terminal.h"
#include "halfspace/base/error.h"
#include "lab/labs.h"

namespace halfspace::cli {
namespace {

struct LabFlags : lab::LabSettings {
  bool list = false;  // the labs, or the data sets of lab plane
  ExperimentFlags shown;
};

int list() {
  std::string text;
  for (const lab::Lab& lab : lab::labs())
    text += fmt::format("  {:<12} {}{}\n", lab.name, lab.purpose,
                        lab.data == nullptr ? "" : dim(fmt::format("   DATA: {}", lab.data)));
  text += fmt::format("  {:<12} every lab that needs no data, with a summary\n", "all");
  print_result(text);
  return 0;
}

int run_asked(LabFlags& flags) {
  if (flags.list) return flags.lab == "plane" ? (print_result(lab::plane_sets()), 0) : list();
  if (flags.plot && flags.shown.json)
    throw Error(ErrorKind::usage, "--plot draws on stdout, where --json prints").fix("give one of the two");
  prepare(flags, flags.shown);
  flags.figures = flags.shown.report.figures;
  Progress progress(!flags.shown.json);
  flags.on_stage = [&](const std::string& what) {
    if (progress.due()) progress.show(what);
  };
  const std::unique_ptr<lab::Experiment> report = run(flags);
  progress.clear();
  return print_experiment(*report, flags.command, flags.shown);
}

}  // namespace

Command lab_command() {
  auto flags = std::make_shared<LabFlags>();
  Command command(
      "lab", "check a theorem by experiment: claim, runs, table",
      {{"halfspace lab --list", "the list of labs"},
       {"halfspace lab all", "every lab that needs no data: which claims held"},
       {"halfspace lab minnow --n 4096", "Minnow against the perceptron, up to 4,096 features"},
       {"halfspace lab plane xor --report xor.html", "four clouds that no line separates, drawn step by step"}});
  command.exits = {{1, "the claim did not hold"}};
  std::vector<Row> rows = options_of(static_cast<lab::LabSettings&>(*flags));
  rows[1].letter = 'o';
  command.add({{"LAB", "", "the lab", &flags->lab, rows[0].takes},
               {"DATA", "", "the lab's data, if it needs any", &flags->data, input_file()},
               {"--list", "", "list the labs; lab plane --list its data sets", &flags->list},
               rows[1],
               rows[2],
               rows[3]});
  add_experiment_flags(command, flags->shown);
  command.add(kOutputGroup, {rows[4]});
  command.run = [flags](const Given&) { return run_asked(*flags); };
  return command;
}

}  // namespace halfspace::cli
