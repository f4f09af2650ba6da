// Formats the watch on a run.
#include "report/results/watch_text.h"

#include <fmt/format.h>

#include "report/results/words.h"

namespace halfspace::report {

void watch_lines(const Watch& watch, bool weighted,
                 const std::function<void(std::string_view, const std::string&)>& line) {
  const char* const alike = weighted ? ", each counted once" : "";
  if (watch.window && watch.window->rounds > 0)
    line("window", fmt::format("{} error over the last {}{}", percent(watch.window->error(), 1),
                               counted(watch.window->counted(), "round"), alike));
  if (watch.faded && watch.faded->rounds > 0)
    line("faded", fmt::format("{} error, faded by {} a round{}", percent(watch.faded->error(), 1),
                              short_number(watch.faded->decay), alike));
  if (!watch.detects()) return;
  const std::uint64_t kept = watch.latest_alarms.size();
  line("drift", watch.alarms == 0     ? std::string("no alarm")
                : watch.alarms > kept ? fmt::format("{}, the last {}:", counted(watch.alarms, "alarm"), kept)
                                      : counted(watch.alarms, "alarm") + ":");
  for (const DriftAlarm& alarm : watch.latest_alarms) line("", alarm_words(alarm, watch));
}

std::string alarm_words(const DriftAlarm& alarm, const Watch& watch) {
  if (watch.error_alarm)
    return fmt::format("drift at row {}: the error is above {}, recently {}", grouped(alarm.row),
                       percent(alarm.before, 1), percent(alarm.after, 1));
  return fmt::format("drift at row {}: the error rose from {} to {}", grouped(alarm.row), percent(alarm.before, 1),
                     percent(alarm.after, 1));
}

}  // namespace halfspace::report
