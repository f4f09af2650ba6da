// A text table without labelled examples: advice, losses, logs. Split into cells as CSV data are (docs/formats/csv.md).
#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "halfspace/stream/read_options.h"

namespace halfspace {

struct TableFileOptions {
  std::string path;  // "-": standard input
  TableOptions table;
  std::function<void(const ReadNote&)> on_note;  // called while the file is read
  // If set, ends reading, and any wait for a pipe, with Error(input_output). Not owned.
  const std::atomic<bool>* interrupt = nullptr;
};

}  // namespace halfspace
