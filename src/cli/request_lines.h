// Requests as lines of a file, a pipe or standard input, answered on standard output: bandit --live, serve --ingest.
//
// One read may return many lines. Their changes are committed together before any of their answers is written: an
// answer is an acknowledgement, so what it acknowledges survives a kill.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/log/event_log.h"

namespace halfspace::cli {

struct RequestLines {
  // Takes a line without its end. One that is longer than `longest` comes once, cut off.
  std::function<void(std::string_view line)> take;
  // Commits what was taken, and returns the answers to it.
  std::function<std::string()> answers;
};

// Serves the lines until they end, or a signal arrives; a line that a signal cut off is none. `path`: - is standard
// input. Throws Error for a file that cannot be read.
void serve_request_lines(const std::string& path, std::size_t longest, const RequestLines& lines);

// Notes which bytes a dying process left incomplete in a log, and where they are now.
void report_cut(const std::string& path, const std::optional<log::EventLog::Cut>& cut);

}  // namespace halfspace::cli
