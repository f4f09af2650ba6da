// What the commands of experiments share (lab/experiment.h): flags of the output, and printing.
#pragma once

#include "cli/commands.h"
#include "cli/report_flags.h"
#include "lab/experiment.h"

namespace halfspace::cli {

struct ExperimentFlags {
  bool json = false;
  ReportFlags report;
};
void add_experiment_flags(Command& command, ExperimentFlags& flags);

// Lets a signal end the experiment, and shows it on this terminal.
void prepare(lab::Conduct& conduct, const ExperimentFlags& flags);
// Writes the files, prints the result, and returns the exit code: 0, or 1 if the claim of a lab did not hold.
int print_experiment(const lab::Experiment& experiment, const char* command, const ExperimentFlags& flags);

}  // namespace halfspace::cli
