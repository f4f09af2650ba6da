// CSV files as tables of rounds: experts' advice and outcomes, or losses; and logs.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "halfspace/bandits/bandit_game.h"
#include "halfspace/experts/experts_game.h"
#include "halfspace/stream/schema.h"

namespace halfspace::cli {

struct TableFlags {
  std::string path;
  std::vector<std::string> columns, drop;  // columns empty: all that have no other role
  std::string outcome;                     // empty: the values are losses
  std::string positive;
  bool skip_undecided = false, constants = false;
  bool gains = false, ratios = false;
  bool rises = false;  // levels: the gain is 1 where one rises, else 0
  std::string range;   // "LO,HI": what the values are rescaled from
};

struct LoadedTable {
  RoundTable table;
  Labels labels;                                   // of the outcomes, when they are two names
  std::uint64_t undecided = 0;                     // rounds left out
  std::uint64_t asleep = 0;                        // cells
  std::optional<std::pair<double, double>> range;  // as rescaled
};

// Advice and outcomes. Throws Error: data with the cell's place, usage for columns that are not there.
LoadedTable read_advice(const TableFlags& flags, bool binary_outcomes);
// Losses, or gains turned into losses, in [0, 1]. `may_sleep`: missing cells are NaN, else an error.
LoadedTable read_losses(const TableFlags& flags, bool may_sleep);

struct LogFlags {
  std::string path, action, reward, propensity;
};
LoggedRounds read_log(const LogFlags& flags);

}  // namespace halfspace::cli
