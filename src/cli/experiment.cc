// Prints experiments.
#include "cli/experiment.h"

#include "cli/terminal.h"

namespace halfspace::cli {

void add_experiment_flags(Command& command, ExperimentFlags& flags) {
  command.add(kOutputGroup, {json_row(flags.json)});
  command.add(kOutputGroup, report_rows(flags.report));
}

void prepare(lab::Conduct& conduct, const ExperimentFlags& flags) {
  conduct.style = style_of();
  conduct.width = terminal_width();
  conduct.figures = flags.report.wanted();
  conduct.interrupt = &interrupted();
  conduct.on_note = note_printer();
}

int print_experiment(const lab::Experiment& experiment, const char* command, const ExperimentFlags& flags) {
  if (flags.report.wanted()) write_report(flags.report, experiment.page(run_json(command, flags.report)));
  print_result(flags.json ? dumped(experiment.json(run_json(command, flags.report))) : experiment.text());
  experiment.check();
  return experiment.holds() ? 0 : 1;
}

}  // namespace halfspace::cli
