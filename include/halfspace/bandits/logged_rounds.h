// Reads CSV files as logs of actions, rewards and propensities.
//
//   LogOptions options;
//   options.path = "clicks.csv";
//   const LoggedRounds log = read_log(options);
//
// Arms are numbered independently of the order of rows: numbers by value, then names.
//
// Memory: 20 bytes a row. Thread-safety: calls are independent of one another.
//
// Throws Error: data with line and column of a reward outside [0, 1], or of a propensity outside (0, 1] or below the
// floor; usage for missing columns; no_input; input_output (also if interrupted).
#pragma once

#include <atomic>
#include <string>

#include "halfspace/bandits/bandit_game.h"
#include "halfspace/detail/stream/table_file.h"

namespace halfspace {

struct LogOptions : TableFileOptions {
  // Columns; empty: action, item_id or arm; reward or click; propensity, propensity_score or pscore.
  std::string action, reward, propensity;
  double floor = 0;  // the least propensity of any arm in any round; 0: not known
};

LoggedRounds read_log(const LogOptions& options);

}  // namespace halfspace
