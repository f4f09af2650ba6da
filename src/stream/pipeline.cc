// One pass: cut (serial), parse (parallel), settle and consume (serial, in file order), by oneTBB.
#include "stream/pipeline.h"

#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <utility>

#include "halfspace/error.h"
#include "stream/raw_file.h"
#include "stream/transform.h"

namespace halfspace::stream {
namespace {

struct Piece {
  // Each stage begins with an acquire and ends with a release of this, and the serial stages hold a lock: oneTBB orders
  // them already, but out of sight of the thread sanitizer, which can so check the rest.
  std::atomic<int> handed_on{0};
  TextBuffer text;
  std::uint64_t done = 0;      // bytes of the source read when the piece was cut
  std::exception_ptr failure;  // the source failed here: there is no text
  ParsedPiece parsed;
  Block block;
  std::uint64_t nonzeros = 0;
};

std::uint64_t count_nonzeros(const Block& block) {
  return block.with_storage([&]<class Value, bool is_dense>() -> std::uint64_t {
    if constexpr (std::is_same_v<Value, One>) {
      return block.stored();
    } else {
      const Value* const values = static_cast<const Value*>(block.value);
      return block.stored() - static_cast<std::uint64_t>(std::count(values, values + block.stored(), Value{0}));
    }
  });
}

class Run {
 public:
  Run(const Pass& pass, const std::function<bool(const Block&)>& consume)
      : pass_(pass),
        consume_(consume),
        stop_at_bad_(pass.options.on_error == OnError::stop),
        transforms_{pass.schema.exponents, pass.schema.row_normalised, pass.schema.single},
        lines_(pass.lines_before) {
    pass.report.class_rows.assign(pass.schema.labels.names.size(), 0);
  }

  bool operator()() {
    // No more than the machine has: oneTBB would print a warning.
    const unsigned machine = static_cast<unsigned>(oneapi::tbb::info::default_concurrency());
    const unsigned threads = pass_.options.threads == 0 ? machine : std::min(pass_.options.threads, machine);
    { const std::scoped_lock begun(cutting_, delivering_); }
    oneapi::tbb::task_arena arena(static_cast<int>(threads));
    arena.execute([&] {
      using oneapi::tbb::filter_mode;
      oneapi::tbb::parallel_pipeline(
          std::size_t{threads} * 2 + 1,
          oneapi::tbb::make_filter<void, Piece*>(filter_mode::serial_in_order, [&](oneapi::tbb::flow_control& control) {
            return cut(control);
          }) & oneapi::tbb::make_filter<Piece*, Piece*>(filter_mode::parallel, [&](Piece* piece) {
            return parse(piece);
          }) & oneapi::tbb::make_filter<Piece*, void>(filter_mode::serial_in_order, [&](Piece* piece) {
            deliver(*piece);
          }));
    });
    const std::scoped_lock finished(cutting_, delivering_);
    return !stopped_;
  }

 private:
  Piece* cut(oneapi::tbb::flow_control& control) {
    const std::lock_guard lock(cutting_);
    if (ended_ || stopped_) {
      control.stop();
      return nullptr;
    }
    Piece* const piece = take();
    piece->failure = nullptr;
    try {
      ended_ = !pass_.pieces.next(pass_.format, piece->text);
    } catch (...) {
      piece->text.clear();
      piece->failure = std::current_exception();
      ended_ = true;
    }
    if (ended_ && !piece->failure) {
      control.stop();
      return nullptr;
    }
    piece->done = pass_.source.done();
    piece->handed_on.store(1, std::memory_order_release);
    return piece;
  }

  Piece* parse(Piece* piece) const {
    piece->handed_on.load(std::memory_order_acquire);
    ParsedPiece& parsed = piece->parsed;
    parsed.clear();
    if (!piece->failure && !stopped_) {
      parsed.text = piece->text.view();
      pass_.format.parse(parsed.text, stop_at_bad_, parsed);
      if (pass_.format.final_after_parse(parsed)) prepare(*piece);
    }
    piece->handed_on.store(2, std::memory_order_release);
    return piece;
  }

  // From rows with final numbers to a block.
  void prepare(Piece& piece) const {
    ParsedPiece& parsed = piece.parsed;
    if (transforms_.any()) transform_rows(transforms_, parsed);
    remove_bad_rows(parsed);
    if (!pass_.class_factors.empty()) {
      const std::span<const std::int32_t> labels = parsed.rows.labels();
      for (std::size_t i = 0; i < labels.size(); ++i) {
        const std::size_t label = static_cast<std::size_t>(labels[i]);
        if (labels[i] >= 0 && label < pass_.class_factors.size()) {
          parsed.rows.scale_weight(i, pass_.class_factors[label]);
        }
      }
    }
    piece.block = parsed.rows.finish();
    piece.nonzeros = count_nonzeros(piece.block);
  }

  // The bad rows in order, each once; when they stop the pass, the first alone, and the good rows before it.
  void remove_bad_rows(ParsedPiece& parsed) const {
    std::vector<BadRow>& bad = parsed.bad;
    if (bad.empty()) return;
    std::stable_sort(bad.begin(), bad.end(), [](const BadRow& a, const BadRow& b) { return a.row < b.row; });
    bad.erase(std::unique(bad.begin(), bad.end(), [](const BadRow& a, const BadRow& b) { return a.row == b.row; }),
              bad.end());
    if (stop_at_bad_) bad.resize(1);
    std::vector<std::size_t> removed;
    const std::span<const std::uint64_t> rows = parsed.rows.row_numbers();
    std::size_t next = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      while (next < bad.size() && bad[next].row < rows[i]) ++next;
      const bool named = next < bad.size() && bad[next].row == rows[i];
      if (named || (stop_at_bad_ && rows[i] > bad.front().row)) removed.push_back(i);
    }
    parsed.rows.remove_rows(removed);
  }

  void deliver(Piece& piece) {
    const std::lock_guard lock(delivering_);
    piece.handed_on.load(std::memory_order_acquire);
    if (!stopped_) {
      if (piece.failure) std::rethrow_exception(piece.failure);
      settle(piece);
      if (piece.block.rows != 0 && !consume_(piece.block)) {
        stopped_ = true;
      } else {
        report_bad(piece.parsed);
        lines_ += piece.parsed.lines;
        rows_ += piece.parsed.data_rows;
      }
      if (pass_.options.progress) pass_.options.progress(piece.done, pass_.source.total());
    }
    give_back(piece);
  }

  void settle(Piece& piece) {
    ParsedPiece& parsed = piece.parsed;
    if (!pass_.format.final_after_parse(parsed)) {
      pass_.format.settle(parsed, pass_.schema);
      prepare(piece);
    }
    for (std::uint64_t& row : parsed.rows.row_numbers()) row += rows_ + 1;
    pass_.schema.features = std::max(pass_.schema.features, piece.block.features);

    ReadReport& report = pass_.report;
    report.rows += piece.block.rows;
    report.stored += piece.block.stored();
    report.nonzeros += piece.nonzeros;
    report.unknown_features += parsed.unknown_features;
    report.bytes += piece.text.size();
    report.class_rows.resize(std::max(report.class_rows.size(), pass_.schema.labels.names.size()));
    for (const std::int32_t label : parsed.rows.labels()) {
      if (label >= 0) ++report.class_rows[static_cast<std::size_t>(label)];
    }
  }

  void report_bad(const ParsedPiece& parsed) {
    for (const BadRow& bad : parsed.bad) {
      const std::string file = shown_name(pass_.options.path);
      const std::uint64_t line = lines_ + bad.line + 1;
      if (stop_at_bad_) {
        throw Error(ErrorKind::data, bad.reason).at(file, line, bad.column).showing(bad.text).fix(bad.hint);
      }
      ++pass_.report.rejected;
      if (pass_.rejects != nullptr) pass_.rejects->write(file, line, bad.column, bad.reason, bad.text);
      if (pass_.options.on_reject) {
        pass_.options.on_reject(
            Error(ErrorKind::data, bad.reason).at(file, line, bad.column).showing(bad.text).fix(bad.hint));
      }
    }
  }

  Piece* take() {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) {
      all_.push_back(std::make_unique<Piece>());
      return all_.back().get();
    }
    Piece* const piece = idle_.back();
    idle_.pop_back();
    return piece;
  }

  void give_back(Piece& piece) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(&piece);
  }

  const Pass& pass_;
  const std::function<bool(const Block&)>& consume_;
  const bool stop_at_bad_;
  const Transforms transforms_;
  bool ended_ = false;                // of the text; used by the first stage
  std::atomic<bool> stopped_{false};  // consume has had enough
  std::uint64_t lines_, rows_ = 0;    // before the piece being delivered; used by the last stage
  std::mutex cutting_, delivering_;   // held in the first and in the last stage
  std::mutex mutex_;                  // of the pieces
  std::vector<std::unique_ptr<Piece>> all_;
  std::vector<Piece*> idle_;
};

}  // namespace

bool run_pass(const Pass& pass, const std::function<bool(const Block&)>& consume) {
  return Run(pass, consume)();
}

}  // namespace halfspace::stream
