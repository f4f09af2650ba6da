// The flags of train, and what they come to.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "cli/commands.h"
#include "cli/report_flags.h"
#include "cli/run_picture.h"
#include "cli/selection.h"
#include "cli/watch_flags.h"
#include "halfspace/train/train.h"

namespace halfspace::cli {

struct TrainFlags {
  DataFlags data;
  std::string output, resume;
  std::string preset, rule, order, keep, until, tie, bias, multiclass, start = "zero", normalize = "none";
  std::optional<double> bias_scale;
  ParameterValues parameters;            // of the rule
  std::map<std::string, bool> switches;  // parameters that are turned off by name
  std::optional<double> seconds;
  std::optional<std::uint64_t> passes, updates;
  std::uint64_t seed = 1;
  double holdout = 0, confidence = 0.95;
  Checkpoint checkpoint;
  std::uint64_t memory = 1'000'000'000;
  std::string log, trace;
  bool json = false, quiet = false, certify = false, least_loss = false, details = false;
  std::optional<double> least_loss_norm;
  ReportFlags report;
  SelectionFlags selection;
  WatchFlags watch;
  PictureFlags picture;
};

void add_train_rows(Command& command, TrainFlags& flags);

// Sets the composition and the stops that the flags come to: the preset first, then what was named one by one. Throws
// Error(usage).
void compose(const TrainFlags& flags, TrainOptions& options);

// Tells whether the flags leave to the library how to learn (train/plan.h).
bool leaves_the_plan(const TrainFlags& flags);

// Refuses flags that say again what a resumed run takes from its model. Throws Error(usage).
void refuse_changes_to_a_resumed_run(const Given& given);

}  // namespace halfspace::cli
