// The flags of drift detection, and the lines they add.
#include "cli/watch_flags.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "cli/terminal.h"
#include "halfspace/base/error.h"

namespace halfspace::cli {
namespace {

void demand(bool holds, const char* message, const char* fix) {
  if (!holds) throw Error(ErrorKind::usage, message).fix(fix);
}

// Returns a flag of one test of drift.
Row of_test(const char* test, Row row) { return needs("drift", only_with("drift", {test}, std::move(row))); }

}  // namespace

std::vector<Row> watch_rows(WatchFlags& flags) {
  return {
      {"--window", "N", "also show the error over the last N rounds", &flags.window,
       between(1, static_cast<double>(std::uint64_t{1} << 40))},
      {"--decay", "A", "also show the error with weight A^i on the round i rounds ago, such as 0.999", &flags.decay},
      {"--drift", "HOW", "report when the error rises, by this test", &flags.drift,
       one_of({{"adwin", "an adaptive window, cut where its halves differ"},
               {"error", "evidence that it exceeds --drift-above, whatever the dependence between rows"}})},
      of_test("error", {"--drift-above", "E", "error: the error to detect, such as 0.15", &flags.above}),
      usually("10000", of_test("error", {"--false-alarms", "N",
                                         "error: mean rows between false alarms, at least (default 10000)",
                                         &flags.false_alarms})),
      usually("0.01", of_test("adwin", {"--drift-delta", "P",
                                        "adwin: probability of any false alarm while nothing changes "
                                        "(default 0.01)",
                                        &flags.delta}))};
}

std::optional<Watch> watch_of(const WatchFlags& flags) {
  if (!flags.any()) return std::nullopt;
  Watch watch;
  if (flags.window) watch.window = Window(*flags.window);
  if (flags.decay) {
    demand(*flags.decay > 0 && *flags.decay <= 1, "--decay must be above 0 and at most 1",
           "0.999 averages about the last thousand rounds");
    watch.faded = Faded{*flags.decay};
  }
  if (flags.drift == "adwin") {
    watch.adwin.emplace();
    watch.adwin->delta = flags.delta.value_or(watch.adwin->delta);
    demand(watch.adwin->delta > 0 && watch.adwin->delta < 1, "--drift-delta must lie between 0 and 1",
           "0.01 is the default");
  }
  if (flags.drift == "error") {
    demand(flags.above.has_value(), "--drift error needs the error to detect",
           "add --drift-above 0.15 if more than 15 % wrong is too much");
    ErrorAlarm& alarm = watch.error_alarm.emplace();
    alarm.above = *flags.above;
    alarm.false_alarms = flags.false_alarms.value_or(alarm.false_alarms);
    demand(alarm.above > 0 && alarm.above < 1, "--drift-above must lie between 0 and 1", "0.15 is 15 % wrong");
    demand(std::isfinite(alarm.false_alarms) && alarm.false_alarms >= 1,
           "--false-alarms must be a number of rows, at least 1", "10000 is the default");
  }
  return watch;
}

std::string watch_heads(const Watch& watch) {
  return std::string(watch.window ? fmt::format(" {:>12}", "window") : "") +
         (watch.faded ? fmt::format(" {:>12}", "faded") : "");
}

std::string watch_cells(const Watch& watch) {
  return std::string(watch.window ? fmt::format(" {:>12}", percent(watch.window->error(), 1)) : "") +
         (watch.faded ? fmt::format(" {:>12}", percent(watch.faded->error(), 1)) : "");
}

void NewAlarms::each(const std::optional<Watch>& watch, const std::function<void(const DriftAlarm&)>& on_alarm) {
  if (!watch) return;
  const std::uint64_t kept = watch->latest_alarms.size();
  const std::uint64_t first = std::max(shown_, watch->alarms - kept);
  for (std::uint64_t a = first; a < watch->alarms; ++a) on_alarm(watch->latest_alarms[kept - (watch->alarms - a)]);
  shown_ = watch->alarms;
}

}  // namespace halfspace::cli
