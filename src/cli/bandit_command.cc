// halfspace bandit: chooses an arm. Tables and logs are replayed in lab/bandit_run.cc; live mode is in bandit_live.cc.
#include <memory>

#include "cli/bandit_live.h"
#include "cli/commands.h"
#include "cli/experiment.h"
#include "halfspace/base/error.h"

namespace halfspace::cli {
namespace {

struct BanditFlags : lab::ReplaySettings {
  LiveFlags live;
  bool is_live = false;
  ExperimentFlags shown;
};

int run_bandit(const BanditFlags& flags) {
  if (flags.is_live) {
    if (!flags.table.path.empty() && flags.table.path != "-")
      throw Error(ErrorKind::usage, "--live reads standard input, not " + flags.table.path).fix("leave the file out");
    if (flags.shown.report.wanted())
      throw Error(ErrorKind::usage, "--live writes no report").fix("leave out --report, --save-run and --figures");
    if (flags.algorithm == "all")
      throw Error(ErrorKind::usage, "--live runs one algorithm").fix("name it with --algorithm");
    return serve_live(flags.live, bandit_options(flags, 0), flags.seed);
  }
  if (flags.table.path.empty())
    throw Error(ErrorKind::usage, "no data given").fix("name a CSV file, or - for standard input; or add --live");
  return print_experiment(*run(flags), flags.command, flags.shown);
}

std::vector<Row> live_rows(BanditFlags& flags) {
  LiveFlags& live = flags.live;
  return {
      {"--live", "", "serve JSON Lines on standard input and output", &flags.is_live},
      needs("live", {"--arms", "N|NAME,NAME...", "the number of arms (named 0, 1 ...), or their names", &live.arms}),
      needs("live",
            {"--state", "FOLDER", "keep the state in FOLDER, and continue from it", &live.state, output_folder()}),
      needs("live", {"--sync", "", "acknowledged lines survive a power cut; slower", &live.sync})};
}

}  // namespace

Command bandit_command() {
  auto flags = std::make_shared<BanditFlags>();
  Command command(
      "bandit", "adversarial bandits: choose an arm, with regret bounds",
      {{"halfspace bandit losses.csv --repeat 100", "one column an arm, one row a round; 100 runs of every algorithm"},
       {"halfspace bandit prices.csv --gains --ratios --range 0.5,1.5",
        "levels instead of losses: a round is the ratio to the row before"},
       {"halfspace bandit log.csv --logged --action item_id --reward click",
        "a log with propensities: the value of every arm"},
       {"halfspace bandit --live --arms red,green,blue --state colours.state",
        "{\"ask\":true} gives {\"arm\":\"red\",\"p\":0.33,\"ticket\":1}; then {\"ticket\":1,\"loss\":0.2}"}});
  command.common = {"help", "algorithm", "rounds", "live", "state", "logged", "report"};
  command.add(
      {{"DATA", "", "CSV; plain, gzip, zstd, xz or bzip2; - is standard input", &flags->table.path, input_file()}});
  command.add(options_of(static_cast<lab::ReplaySettings&>(*flags)));
  command.add("Live", live_rows(*flags));
  add_experiment_flags(command, flags->shown);
  command.run = [flags](const Given&) {
    prepare(*flags, flags->shown);
    return run_bandit(*flags);
  };
  return command;
}

}  // namespace halfspace::cli
