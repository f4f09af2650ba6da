// halfspace experts: prediction with expert advice.
#include <memory>

#include "cli/commands.h"
#include "cli/experiment.h"

namespace halfspace::cli {

Command experts_command() {
  struct ExpertsFlags : lab::ExpertsSettings {
    ExperimentFlags shown;
  };
  auto flags = std::make_shared<ExpertsFlags>();
  Command command(
      "experts", "prediction with expert advice, with regret bounds",
      {{"halfspace experts games.csv --outcome won --columns elo,coach,bookmaker",
        "one column an expert, one row a round"},
       {"halfspace experts games.csv --outcome won --loss squared --constants",
        "forecasts by their Brier score, with two constant experts"},
       {"halfspace experts losses.csv --losses --algorithm hedge", "the columns are the losses of each choice"},
       {"halfspace experts prices.csv --rises", "which of these stocks will rise tomorrow?"},
       {"halfspace experts prices.csv --gains --ratios --range 0.5,1.5", "which stock to hold?"}});
  command.common = {"help", "algorithm", "losses", "json", "report"};
  command.add({required(
      {"DATA", "", "CSV; plain, gzip, zstd, xz or bzip2; - is standard input", &flags->table.path, input_file()})});
  command.add(options_of(*flags));
  add_experiment_flags(command, flags->shown);
  command.run = [flags](const Given&) {
    prepare(*flags, flags->shown);
    return print_experiment(*run(*flags), flags->command, flags->shown);
  };
  return command;
}

}  // namespace halfspace::cli
