// Prints the running table, and writes the log and the trace.
#include "cli/running_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "halfspace/base/error.h"
#include "halfspace/detail/train/new_rows.h"
#include "report/results/evaluation_json.h"
#include "report/results/watch_text.h"
#include "train/run/share_done.h"

namespace halfspace::cli {

JsonLines::JsonLines(const std::string& path) : path_(path) {
  if (!path.empty()) file_.emplace(path, &interrupted());
}

void JsonLines::write(const report::Json& line) {
  unless_nobody_reads([&] { file_->write(line.dump(-1, ' ', false, report::Json::error_handler_t::replace) + "\n"); });
}

void JsonLines::flush() {
  unless_nobody_reads([&] { file_->flush(); });
}

// Saving the model matters more than a pipe without a reader: the run continues.
void JsonLines::unless_nobody_reads(const std::function<void()>& step) {
  if (!wanted()) return;
  try {
    step();
  } catch (const Interrupted&) {
    file_.reset();
    print_message(
        fmt::format("{} {} has no reader any more; its last lines are lost\n", bold("note:", false), printable(path_)));
  }
}

RunningTable::RunningTable(const TrainFlags& flags)
    : flags_(flags),
      progress_(!flags.quiet && !flags.json),
      log_(flags.log),
      trace_(flags.trace == "text" ? "" : flags.trace) {
  if (flags.trace == "text") by_hand_.emplace();
}

void RunningTable::observe(TrainOptions& options) {
  options.read.progress = [this](std::uint64_t done, std::uint64_t total) {
    bytes_done_ = done;
    bytes_total_ = total;
  };
  options.on_ledger_row = [this](const Ledger& ledger) { row(ledger); };
  options.on_errors = [this](double share) { rows_wrong_ = share; };
  options.on_progress = [this](const Ledger& ledger) { show_progress(ledger); };
  options.on_minimizing = [this](const OptimumProgress& now) {
    if (progress_.due()) progress_.show(fmt::format("pass {} · gap {:.1e}", grouped(now.passes), now.relative_gap));
  };
  if (trace_.wanted()) options.observer = [this](const RoundView& round) { trace(round); };
  if (by_hand_) options.observer = [this](const RoundView& round) { by_hand_->round(round); };
}

void RunningTable::begin(const TrainOptions& options) {
  until_ = options.until;
  order_ = options.composition.order;
  one_pass_ = until_.passes == 1 || order_ == OrderName::stream;
  if (options.resume != nullptr) alarms_.begin(options.resume->ledger.watch);
}

void RunningTable::end(const Ledger& ledger) {
  print_alarms(ledger);
  if (shown() && ledger.rounds > last_rounds_) print_row(ledger, false);
}

void RunningTable::end_logs(const std::function<report::Json()>& result) {
  if (log_.wanted()) {
    report::Json line = result();
    line["event"] = "end";
    log_.write(line);
  }
  log_.flush();
  trace_.flush();
}

std::string RunningTable::text(const TrainResult& result) const {
  return (begun_ ? "\n" : "") + (by_hand_ ? by_hand_->text(result) : "");
}

// Prints the running table: one line at rounds 1, 2, 4, 8 ...
void RunningTable::row(const Ledger& ledger) {
  print_alarms(ledger);
  if (log_.wanted()) {
    report::Json line = report::ledger_line(ledger, seconds(), flags_.confidence);
    line["event"] = "row";
    if (rows_wrong_) line["rows_wrong"] = report::number(*rows_wrong_);
    log_.write(line);
    log_.flush();
  }
  if (shown()) print_row(ledger);
}

// Returns the error so far; of an order that visits mistakes alone, whose rounds say nothing, that on all rows.
double RunningTable::error_so_far(const Ledger& ledger) const {
  return rows_wrong_.value_or(ledger.errors() / ledger.weight());
}

// Prints alarms before later rows, wherever blocks end.
void RunningTable::print_alarms(const Ledger& ledger) {
  alarms_.each(ledger.watch, [&](const DriftAlarm& alarm) {
    if (log_.wanted()) {
      report::Json line = report::alarm(alarm);
      line["event"] = "drift";
      log_.write(line);
    }
    if (flags_.json || flags_.quiet) return;
    progress_.clear();
    print_result(fmt::format("{:>13} {}\n", grouped(alarm.round), bold(report::alarm_words(alarm, *ledger.watch))));
  });
}

void RunningTable::print_row(const Ledger& ledger, bool timed) {
  progress_.clear();
  if (!begun_) {
    print_result(
        fmt::format("{}\n", dim(fmt::format("{:>13} {:>6} {:>12} {:>12} {:>13} {:>12} {:>12}", "rounds", "pass",
                                            rows_wrong_ ? "" : "errors", rows_wrong_ ? "rows wrong" : "error",
                                            rows_wrong_ ? "" : "error since", "updates", "rounds/s") +
                                (ledger.watch ? watch_heads(*ledger.watch) : "") + new_rows_head(ledger))));
    begun_ = true;
  }
  const std::uint64_t rounds = ledger.rounds - last_rounds_;
  const double errors = ledger.errors(), weight = ledger.weight();
  const double time = seconds();
  const double rate = static_cast<double>(rounds) / std::max(1e-9, time - last_seconds_);
  print_result(fmt::format(
      "{:>13} {:>6} {:>12} {:>12} {:>13} {:>12} {:>12}{}{}\n", grouped(ledger.rounds), ledger.begun_passes(),
      rows_wrong_ ? "" : report::grouped_count(errors), percent(error_so_far(ledger), 1),
      rows_wrong_ ? "" : percent(errors - last_errors_, weight - last_weight_), grouped(ledger.updates),
      rounds < 1000 || !timed ? "" : grouped(static_cast<std::uint64_t>(rate)),
      ledger.watch ? watch_cells(*ledger.watch) : "", new_rows_cell(ledger)));
  last_rounds_ = ledger.rounds;
  last_errors_ = errors;
  last_weight_ = weight;
  last_seconds_ = time;
}

// Prints bounds on the error on new rows if all rows were new, that is in one pass. For few rows they are vacuous.
std::string RunningTable::new_rows_head(const Ledger& ledger) const {
  return one_pass_ && ledger.new_rows == NewRows::yes ? fmt::format(" {:>16}", "new rows wrong") : "";
}

std::string RunningTable::new_rows_cell(const Ledger& ledger) const {
  constexpr std::uint64_t few = 100;
  if (!one_pass_ || ledger.rounds < few) return "";
  const auto expected = expected_error(ledger, flags_.confidence);
  return expected ? fmt::format(" {:>16}", report::error_range(expected->bounds)) : "";
}

void RunningTable::show_progress(const Ledger& ledger) {
  print_alarms(ledger);
  if (!progress_.due()) return;
  std::optional<double> read;
  if (bytes_total_ > 0) read = static_cast<double>(bytes_done_) / static_cast<double>(bytes_total_);
  std::string line =
      fmt::format("{}pass {} · {} · {}", read && *read < 1 ? fmt::format("{:.0f} % read · ", 100 * *read) : "",
                  ledger.begun_passes(), counted(ledger.rounds, "round"), percent(error_so_far(ledger), 1) + " wrong");
  const std::string left = time_left(share_done(order_, until_, ledger, read).value_or(0), seconds());
  if (!left.empty()) line += " · " + left;
  progress_.show(line);
}

void RunningTable::trace(const RoundView& round) {
  report::Json line = {{"round", round.round},
                       {"row", round.row},
                       {"label", round.label},
                       {"predicted", round.outcome.predicted},
                       {"score", report::number(round.outcome.score)},
                       {"margin", report::number(round.outcome.margin)},
                       {"mistake", round.outcome.mistake},
                       {"error", round.outcome.error},
                       {"updated", round.outcome.updated},
                       {"step", report::number(round.outcome.step)}};
  trace_.write(line);
}

}  // namespace halfspace::cli
