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
#include "halfspace/train/settings.h"
#include "halfspace/train/train.h"

namespace halfspace::cli {

struct TrainFlags : TrainSettings {
  std::string output, resume;
  Checkpoint checkpoint;
  std::string log, trace;
  bool json = false, quiet = false, certify = false, least_loss = false, details = false;
  std::optional<double> least_loss_norm;
  ReportFlags report;
  SelectionFlags selection;
  WatchFlags watch;
  PictureFlags picture;
};

void add_train_rows(Command& command, TrainFlags& flags);

// Tells whether the flags leave to the library how to learn (train/plan.h).
bool left_to_the_plan(const TrainFlags& flags);

// Refuses to watch a resumed run in another way than its model does. Throws Error(usage).
void refuse_another_watch(const Given& given);

}  // namespace halfspace::cli
