// halfspace serve --like: the untrained learner that a new log may begin with, in place of a model.
#pragma once

#include <string>

#include "cli/flags.h"
#include "cli/watch_flags.h"
#include "halfspace/train/model.h"
#include "halfspace/train/settings.h"

namespace halfspace::cli {

struct BeginFlags {
  std::string like;  // a file of rows, whose columns and classes are those of the rows to come; empty: none
  TrainSettings settings;
  WatchFlags watch;
};

void add_begin_rows(Command& command, BeginFlags& flags);

// Returns the model of a learner that has seen no row. Throws Error for flags that contradict each other, and for rows
// that cannot be read.
Model untrained_model(const BeginFlags& flags);

}  // namespace halfspace::cli
