// Reads CSV files as tables of rounds: experts' advice and outcomes, or losses.
//
//   RoundTableOptions options;
//   options.path = "advice.csv";
//   options.outcome = "rain";
//   const LoadedRoundTable loaded = read_advice(options, true);
//   const FollowResult result = follow(loaded.table, {});
//
// Tables are read like those of examples (docs/formats/csv.md). Every record after the header is a round, every column
// without another role an expert (or an arm). A missing cell is an expert that sleeps in that round.
//
// Memory: the table, 8 bytes a cell. Thread-safety: calls are independent of one another.
//
// Throws Error: data with line and column of a cell that is not advice or a loss, usage for missing columns, no_input,
// input_output (also if interrupted).
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "halfspace/detail/stream/table_file.h"
#include "halfspace/experts/experts_game.h"
#include "halfspace/stream/schema.h"

namespace halfspace {

struct RoundTableOptions : TableFileOptions {
  std::vector<std::string> columns, drop;  // columns empty: all that have no other role
  // Advice.
  std::string outcome;  // the column of the outcomes
  std::string positive;
  bool skip_undecided = false;  // skips rounds whose outcome is missing or not a label
  bool constants = false;       // adds two experts that always predict one of the labels
  // Losses.
  bool gains = false;   // the values are gains: the loss is 1 less the gain
  bool ratios = false;  // the values are levels: a round is the ratio to the record before
  bool rises = false;   // levels: the gain is 1 where one rises, else 0
  std::string range;    // "LO,HI": the range from which values are rescaled
};

struct LoadedRoundTable {
  RoundTable table;
  Labels labels;                                   // of the outcomes, when they are two names
  std::uint64_t undecided = 0;                     // rounds skipped
  std::uint64_t asleep = 0;                        // cells of sleeping experts
  std::optional<std::pair<double, double>> range;  // the range used
};

// Reads advice, which is a probability from 0 to 1, -1 or 1, or one of the outcome's two labels. `binary_outcomes`: an
// outcome must be one of two labels; else it may be any number from 0 to 1.
LoadedRoundTable read_advice(const RoundTableOptions& options, bool binary_outcomes);

// Reads losses, or gains turned into losses, in [0, 1]. `may_sleep`: missing cells are NaN, else an error.
LoadedRoundTable read_losses(const RoundTableOptions& options, bool may_sleep);

}  // namespace halfspace
