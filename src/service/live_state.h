// The state of a learner after some events: what they count, the rows that wait for their label, how far sources got, and
// the learner of their rows.
//
// Events are taken one by one, live or in a replay; forgotten ones are passed over. Encoded, it is a snapshot
// (docs/formats/log.md). Durable (service/durable.h) stores it.
//
// Thread-safety: one thread. Ownership: keeps a reference to the options.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/log/event.h"
#include "base/log/event_log.h"
#include "base/log/log_rows.h"
#include "base/log/storage.h"
#include "halfspace/train/model.h"
#include "service/row_learner.h"
#include "service/row_parser.h"

namespace halfspace::service {

struct LiveOptions {
  std::uint64_t segment_bytes = log::EventLog::default_segment;
  std::uint64_t snapshot_events = 1'000'000;  // after so many events a snapshot is written
  // Ids that wait for their label, at most; the one that waits longest gives way, and its label counts as missing.
  std::uint64_t most_waiting = 1'000'000;
  std::uint64_t most_waiting_bytes = std::uint64_t{256} << 20;  // of their ids and rows, likewise
  // A row is refused that would make the learner take more memory than this, and than four times what it took when the
  // log was opened.
  std::uint64_t most_state_bytes = std::uint64_t{128} << 20;
  // Rows with a feature beyond these and the model's are refused: each takes memory up to the largest number.
  std::uint32_t most_features = std::uint32_t{1} << 24;
  // Sources whose last number is known, at most; others are refused.
  std::size_t most_sources = 10'000;

  static constexpr bool sync = true;
};

// How far the log has the requests of a source.
struct SourcePosition {
  std::uint64_t number = 0;         // the last one that the log has an event of
  std::vector<std::uint64_t> rows;  // hashes of the contents of its events
  bool operator==(const SourcePosition&) const = default;
};
using SourcePositions = std::map<std::string, SourcePosition, std::less<>>;

struct LiveCounts {
  std::uint64_t learned = 0;    // rows, without forgotten ones
  std::uint64_t asked = 0;      // rows with an id
  std::uint64_t truths = 0;     // of those, rows whose label came
  std::uint64_t mistakes = 0;   // of these, rows whose prediction was another class
  std::uint64_t missing = 0;    // of the asked, rows that gave way before their label came
  std::uint64_t forgotten = 0;  // events
  std::uint64_t set_aside = 0;  // rows that could not be learned again, without forgotten ones
  bool operator==(const LiveCounts&) const = default;
};

// Returns a hash of what an event of a numbered request says, by which the request is known when it comes again.
std::uint64_t content_of(const log::Event& event);

// Returns the memory that a learner may grow to.
std::uint64_t most_bytes_of(const RowLearner& rows, const LiveOptions& options);

// Convert models to bytes and back. `name`: of the file, for errors.
std::string_view text_of(const std::vector<std::uint8_t>& bytes);
Model model_of(std::string_view bytes, const std::string& name);

class LiveState {
 public:
  using Options = LiveOptions;
  static constexpr const char* begin_name = log::begin_name;
  static constexpr std::uint32_t snapshot_magic = 0x31535348;  // "HSS1"
  static constexpr bool keeps_history = true;                  // rows are forgotten in it, and it is data to train on

  // The events that later ones forget.
  struct Passed {
    void note(std::string_view record);
    bool covers(std::uint64_t at) const;

    std::set<std::uint64_t> forgotten;
  };

  LiveState(RowLearner rows, const LiveOptions& options) : options_(options), rows_(std::move(rows)) {}
  // Returns the state that a log begins with. Throws Error.
  static std::unique_ptr<LiveState> begun(log::Storage& storage, const LiveOptions& options);

  RowLearner& rows() noexcept { return rows_; }
  const RowLearner& rows() const noexcept { return rows_; }

  // Takes an event into account, but for its row, which is learned.
  void count(std::uint64_t number, const log::Event& event);
  // Takes another model.
  void replace(RowLearner rows) {
    rows_ = std::move(rows);
    check_.reset();
  }

  // Takes an event of the log, whose row is learned when enough of them are there, or by flush(). Rows that cannot be
  // learned, since others before them were forgotten, are counted. Throws Error: input_output for a row for which there
  // is no memory; what RowLearner throws for a model.
  void replay(std::uint64_t number, std::string_view record, const Passed& passed);
  void flush();

  // Returns a parser of labelled rows, to see whether they can be learned.
  RowParser& parser();
  // Makes another parser for the next row.
  void forget_parser() noexcept { check_.reset(); }

  Model model() const { return rows_.model(); }
  const Schema& schema() const { return rows_.schema(); }
  const LiveCounts& counts() const noexcept { return counts_; }
  const SourcePositions& sources() const noexcept { return sources_; }
  std::uint64_t waiting() const noexcept { return waits_.size(); }
  // Returns the row that waits with this id; null: none does.
  const std::string* line_of(std::string_view id) const;

  std::string encoded() const;
  // `bytes`: checked by the frame that they came in. Throws Error(data).
  static std::unique_ptr<LiveState> decoded(std::string_view bytes, const std::string& name,
                                            const LiveOptions& options);

 private:
  struct Waiting {
    std::string id, predicted, line;
    std::uint64_t bytes() const noexcept { return id.size() + predicted.size() + line.size(); }
  };
  using Waits = std::map<std::uint64_t, Waiting>;  // by event
  struct Replayed {
    std::uint64_t event;
    std::string line;
  };

  void add_wait(std::uint64_t number, Waiting row);
  void remove_wait(Waits::iterator row);
  bool same_class(std::string_view a, std::string_view b) const;

  const LiveOptions& options_;
  RowLearner rows_;
  LiveCounts counts_;
  std::unordered_map<std::string, std::uint64_t> waits_by_id_;
  Waits waits_;
  std::uint64_t waits_bytes_ = 0;
  SourcePositions sources_;
  std::vector<Replayed> replayed_;  // rows to learn
  std::uint64_t replayed_bytes_ = 0;
  std::unique_ptr<RowParser> check_;  // of labelled rows; null: to be made
};

}  // namespace halfspace::service
