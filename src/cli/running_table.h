// What train prints and logs while it runs: a table of the ledger, alarms, progress, --log and --trace.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/line_file.h"
#include "cli/hand_trace.h"
#include "cli/terminal.h"
#include "cli/train_flags.h"
#include "report/results/json.h"

namespace halfspace::cli {

// Writes lines of JSON to a file.
class JsonLines {
 public:
  // `path`: empty for none.
  explicit JsonLines(const std::string& path);
  bool wanted() const { return file_.has_value(); }
  void write(const report::Json& line);
  void flush();

 private:
  void unless_nobody_reads(const std::function<void()>& step);

  std::string path_;
  std::optional<LineFile> file_;
};

class RunningTable {
 public:
  explicit RunningTable(const TrainFlags& flags);

  // Begins to observe the run.
  void observe(TrainOptions& options);
  // Takes what was chosen, just before the run.
  void begin(const TrainOptions& options);
  // Prints the last row.
  void end(const Ledger& ledger);
  // Ends the log and the trace; `result`: the log's last line.
  void end_logs(const std::function<report::Json()>& result);

  // Returns what precedes the ledger: a blank line after the table, or the rounds as by hand.
  std::string text(const TrainResult& result) const;
  Progress& progress() noexcept { return progress_; }

 private:
  double seconds() const { return seconds_since(began_); }
  bool shown() const { return !flags_.json && !flags_.quiet && !by_hand_; }
  double error_so_far(const Ledger& ledger) const;
  std::string new_rows_head(const Ledger& ledger) const;
  std::string new_rows_cell(const Ledger& ledger) const;
  void row(const Ledger& ledger);
  void print_alarms(const Ledger& ledger);
  void print_row(const Ledger& ledger, bool timed = true);
  void show_progress(const Ledger& ledger);
  void trace(const RoundView& round);

  const TrainFlags& flags_;
  Progress progress_;
  JsonLines log_, trace_;
  std::optional<HandTrace> by_hand_;
  NewAlarms alarms_;
  std::atomic<std::uint64_t> bytes_done_{0}, bytes_total_{0};
  Until until_;
  OrderName order_ = OrderName::stream;
  bool one_pass_ = false, begun_ = false;
  std::uint64_t last_rounds_ = 0;
  double last_errors_ = 0, last_weight_ = 0, last_seconds_ = 0;
  std::optional<double> rows_wrong_;  // Game::on_errors
  Clock::time_point began_ = Clock::now();
};

}  // namespace halfspace::cli
