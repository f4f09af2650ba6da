// A learner whose state is a log: what it has acknowledged survives a crash, and what it is asked to forget was never
// there.
//
//   const auto storage = log::open_folder("credit.log");
//   LiveLearner learner(*storage, &model, {});
//   learner.learn("1 3:0.5 7:1\n-1 2:4\n");             // refused rows are told, the others wait for the commit
//   learner.ask("case-17", "2:1 9:0.5", "-1");          // a row whose label comes later, or never; what was predicted
//   learner.truth("case-17", "1");
//   learner.commit();                                    // all of these are durable, then learned; acknowledge them
//   learner.forget("case-17");                           // the model is one that never saw the row
//
// The state after event n is a function of the model that the log begins with and of events 1 to n: opening the log
// again gives the same bits, from the last snapshot on. An event:
//
//   learn      a row with its label                 truth      the label of an asked row, and the row with it
//   ask        an id and a row without label        forget     numbers of events whose rows are not to be learned
//   model      another model replaces this one
//
// Nothing twice: a source of requests may number them, and the events have the numbers. A request whose number the log
// has is not added again, and of one that a crash cut in two only what is missing, so that the source can send again
// whatever was not answered.
//
// Forgetting: the rows' events are passed over in every replay. Snapshots that saw one of them are removed, and the
// state is made anew from the last snapshot before them: bit for bit that of a learner to which the rows were never
// sent. Their text stays in the log's files, as do their traces in earlier copies, models and predictions.
//
// A snapshot is written every so many events: "snapshot-00000000000000001000", a frame that holds the model, the ids
// that wait and the counts. Older ones are thinned out so that there are about log2(events) of them.
//
// Thread-safety: one thread. Ownership: keeps a reference to the storage.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/log/event.h"
#include "base/log/event_log.h"
#include "base/log/storage.h"
#include "halfspace/train/model.h"
#include "service/row_parser.h"

namespace halfspace::service {

struct LiveOptions {
  std::uint64_t segment_bytes = log::EventLog::default_segment;
  std::uint64_t snapshot_events = 1'000'000;  // after so many events a snapshot is written
  // Ids that wait for their label, at most; the one that waits longest gives way, and its label counts as missing.
  std::uint64_t most_waiting = 1'000'000;
  // Rows with a feature beyond these and the model's are refused: each takes memory up to the largest number.
  std::uint32_t most_features = std::uint32_t{1} << 24;
  // Sources whose last number is known, at most; others are refused.
  std::size_t most_sources = 10'000;
};

// How far the log has the requests of a source.
struct SourcePosition {
  std::uint64_t number = 0;  // the last one that the log has an event of
  std::uint64_t events = 0;  // of this number
  bool operator==(const SourcePosition&) const = default;
};
using SourcePositions = std::map<std::string, SourcePosition, std::less<>>;

// A row that was not taken.
struct RefusedRow {
  std::uint64_t line = 0, column = 0;  // from 1; column 0: the whole line
  std::string reason, fix;
  bool operator==(const RefusedRow&) const = default;
};

struct LiveCounts {
  std::uint64_t learned = 0;    // rows, without forgotten ones
  std::uint64_t asked = 0;      // rows with an id
  std::uint64_t truths = 0;     // of those, rows whose label came
  std::uint64_t mistakes = 0;   // of these, rows whose prediction was another
  std::uint64_t missing = 0;    // of the asked, rows that gave way before their label came
  std::uint64_t forgotten = 0;  // events
  bool operator==(const LiveCounts&) const = default;
};

class LiveLearner {
 public:
  // Opens the log in the storage, or begins one with this model; null: there must be one. Throws Error: usage if there
  // is none, or if the log began with another model; data if it is damaged.
  LiveLearner(log::Storage& storage, const Model* model, const LiveOptions& options);
  ~LiveLearner();
  LiveLearner(const LiveLearner&) = delete;
  LiveLearner& operator=(const LiveLearner&) = delete;

  struct Learned {
    std::uint64_t rows = 0;
    std::uint64_t first = 0;     // the number of the first row's event; 0: none
    std::uint64_t repeated = 0;  // rows that the log has already, by their sequence
    std::vector<RefusedRow> refused;
  };
  // `sequence`: the number of the request at its source, and of all that it adds; none: it is not numbered. Throws
  // Error(usage) for a new source where there are too many.
  using Sequence = std::optional<log::Sequence>;

  // Adds the rows of the lines. `id`: of a single row, by which it can be forgotten; empty: none.
  Learned learn(std::string_view lines, std::string_view id = {}, const Sequence& sequence = {});
  // Adds a row whose label will be told by its id. `predicted`: the class that was answered. Returns false if the log has
  // it already, by its sequence. Throws Error: data for a row that cannot be read; usage for an id that waits already, or
  // is empty.
  bool ask(std::string_view id, std::string_view line, std::string_view predicted, const Sequence& sequence = {});
  // Adds the label of an asked row; returns likewise. Throws Error: usage for an id that does not wait; data for a label
  // that is no class.
  bool truth(std::string_view id, std::string_view label, const Sequence& sequence = {});
  // Adds a model that replaces this one. Throws Error(usage) for one that has another format.
  void replace(const Model& model);

  // Makes everything since the last commit durable, and learns it. If it throws, whatever it throws, none of it is in the
  // log if the learner is still writable; else some of it may be.
  void commit();
  // Returns false after an error that leaves open what the log has, until it is opened anew.
  bool writable() const noexcept { return log_.writable(); }
  // Returns false after an error that left the state behind the log, of which it is a part or nothing: then it is not to
  // be used until the log is opened anew, and the learner is not writable.
  bool current() const noexcept { return applied_ == log_.committed(); }

  // Forgets all rows with this id, durably, after a commit of what waits for it. Returns how many there were. Costs a
  // pass over the log, and a replay from the last snapshot before the first of them. If it throws and the learner is no
  // longer writable, it may count once the log is opened anew.
  std::uint64_t forget(std::string_view id);
  // Forgets the row of this event. Throws Error(usage) if it is not a row.
  void forget(std::uint64_t event);

  // What the state is a function of, and what it is: SHA-256 of the events and of the model. Reads the log.
  struct Receipt {
    std::uint64_t events = 0;
    std::string log, model;
  };
  Receipt receipt() const;

  Model model() const;  // O(weights)
  const LiveCounts& counts() const noexcept;
  const SourcePositions& sources() const noexcept;
  std::uint64_t waiting() const noexcept;
  std::uint64_t events() const noexcept { return log_.committed(); }
  const std::optional<log::EventLog::Cut>& cut() const noexcept { return cut_; }
  // Returns what is wrong with files that the state did not need, but that forgetting and training on the log do; empty:
  // nothing.
  const std::string& damage() const noexcept { return damage_; }
  // Returns why the last snapshot was not written; empty: it was.
  const std::string& snapshot_error() const noexcept { return snapshot_error_; }

  // Writes a snapshot now. The state must be current.
  void snapshot();

 private:
  class State;  // after some events

  void open(const Model* model);
  void look_for_damage();
  void make_state_before(std::uint64_t event);
  std::unique_ptr<State> read_snapshot(std::uint64_t at) const;
  std::vector<std::uint64_t> snapshots() const;  // the events that they cover, ascending
  std::uint64_t next() const noexcept { return log_.next() + pending_.size(); }
  void add(const log::Event& event);
  void add_wait(const log::Event& event, std::optional<std::string> line);
  SourcePosition position_of(std::string_view source) const;
  std::uint64_t events_of(const Sequence& sequence) const;
  void write_pending(const std::vector<std::string>& events);
  static std::unique_ptr<RowParser> check_of(const Schema& schema, const RowParser::ClassWeights& weights);
  RowParser::Parsed parsed_to_check(std::string_view lines);
  std::vector<RefusedRow> check(std::string_view lines, std::vector<std::string_view>& good);
  std::optional<RefusedRow> check_one(std::string_view line);
  std::optional<std::string_view> waiting_line(std::string_view id) const;
  void forget_events(const std::set<std::uint64_t>& events);
  void thin_out();

  log::Storage& storage_;
  LiveOptions options_;
  log::EventLog log_;
  std::optional<log::EventLog::Cut> cut_;
  std::unique_ptr<State> state_;
  std::uint64_t applied_ = 0;         // events that the state has seen
  std::unique_ptr<RowParser> check_;  // of labelled rows; null: to be made
  std::uint64_t snapshot_at_ = 0;     // events in the last snapshot
  std::string snapshot_error_, damage_;
  // Events to commit, and the lines of ids that wait since the last commit; none: the label came.
  std::vector<std::string> pending_;
  std::unordered_map<std::string, std::optional<std::string>> pending_waits_;
  SourcePositions pending_sources_;  // of sources that sent something since then
};

}  // namespace halfspace::service
