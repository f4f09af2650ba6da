// The flags of train, and the composition they select.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "cli/commands.h"
#include "cli/report_flags.h"
#include "cli/run_picture.h"
#include "cli/watch_flags.h"
#include "halfspace/train/settings.h"
#include "halfspace/train/train.h"

namespace halfspace::cli {

struct TrainFlags : TrainSettings {
  std::string output, resume_from, log, trace, certificate;
  bool json = false, quiet = false, certify = false, details = false;
  ReportFlags report;
  WatchFlags watching;
  PictureFlags picture;
};

void add_train_rows(Command& command, TrainFlags& flags);

// Throws Error(usage) for flags that have no effect on a minimum.
void refuse_what_only_rounds_have(const TrainFlags& flags);

// Throws Error(usage) if the flags would watch a resumed run differently than its model does.
void refuse_another_watch(const Given& given);

}  // namespace halfspace::cli
