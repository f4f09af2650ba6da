// train --window, --decay and --drift: what the ledger watches on the first pass, and how it is printed.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/flags.h"
#include "halfspace/game/ledger.h"

namespace halfspace::cli {

struct WatchFlags {
  std::optional<std::uint64_t> window;
  std::optional<double> decay, delta, above, false_alarms;
  std::string drift;

  bool any() const { return window || decay || !drift.empty(); }
};

inline constexpr const char* kWatchGroup =
    "Streams that drift (watched on the first pass; nothing here changes what is learned)";
std::vector<Row> watch_rows(WatchFlags& flags);
// Returns the watch that the flags ask for, or nothing. Throws Error(usage).
std::optional<Watch> watch_of(const WatchFlags& flags);

// Return the columns of the running table: the headings, and the current cells.
std::string watch_heads(const Watch& watch);
std::string watch_cells(const Watch& watch);

// Calls back once for each alarm that the ledger still holds.
class NewAlarms {
 public:
  // Skips the alarms of an earlier run.
  void begin(const std::optional<Watch>& watch) { shown_ = watch ? watch->alarms : 0; }
  void each(const std::optional<Watch>& watch, const std::function<void(const DriftAlarm&)>& on_alarm);

 private:
  std::uint64_t shown_ = 0;
};

}  // namespace halfspace::cli
