// The watch on a run's errors and drift, in words. Thread-safety: pure functions.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "halfspace/game/ledger.h"

namespace halfspace::report {

// Calls `line` for each line of the final ledger. `weighted`: rows have weights, which the watch does not use.
void watch_lines(const Watch& watch, bool weighted,
                 const std::function<void(std::string_view, const std::string&)>& line);
std::string alarm_words(const DriftAlarm& alarm, const Watch& watch);

}  // namespace halfspace::report
