// train --window, --decay and --drift: what the ledger watches on the first pass, and how it is told.
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
  std::optional<double> decay, delta, tolerance, threshold, above, false_alarms;
  std::string drift;

  bool any() const { return window || decay || !drift.empty(); }
};

inline constexpr const char* kWatchGroup =
    "Streams that drift (watched on the first pass; nothing here changes what is learned)";
std::vector<Row> watch_rows(WatchFlags& flags);
// Returns the watch asked for; empty when nothing is to be watched. Throws Error(usage).
std::optional<Watch> watch_of(const WatchFlags& flags);

// Return the columns of the running table: their heads, and what stands in them now.
std::string watch_heads(const Watch& watch);
std::string watch_cells(const Watch& watch);
// Hands out the lines of the final ledger, "key" and "value" each.
void watch_lines(const Watch& watch, const std::function<void(std::string_view, const std::string&)>& line);
std::string told(const DriftAlarm& alarm, const Watch& watch);

// Calls back for each alarm that was not told before, as long as the ledger still has it.
class NewAlarms {
 public:
  // Alarms of an earlier run are not told again.
  void begin(const std::optional<Watch>& watch) { told_ = watch ? watch->alarms : 0; }
  void each(const std::optional<Watch>& watch, const std::function<void(const DriftAlarm&)>& tell);

 private:
  std::uint64_t told_ = 0;
};

}  // namespace halfspace::cli
