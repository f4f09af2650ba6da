// A learner whose state is a log: what it has acknowledged survives a crash, and what it is asked to forget was never
// there.
//
//   const auto storage = log::open_folder("credit.log");
//   LiveLearner learner(*storage, &model, {});
//   learner.learn("1 3:0.5 7:1\n-1 2:4\n");             // returns rejected rows; the others are learned, and wait
//   learner.ask("case-17", "2:1 9:0.5", "-1");          // a row whose label comes later, or never; what was predicted
//   learner.truth("case-17", "1");
//   learner.commit();                                    // all of these are durable: acknowledge them
//   learner.forget("case-17");                           // the model is one that never saw the row
//
// The state after event n is a function of the model that the log begins with and of events 1 to n: opening the log
// again gives the same bits, from the last snapshot on. An event:
//
//   learn      a row with its label                 truth      the label of an asked row, and the row with it
//   ask        an id and a row without label        forget     numbers of events whose rows are not to be learned
//   model      another model replaces this one
//
// A row is learned before it is logged (row_learner.h): what the rule rejects, or what would leave a state that no model
// file holds, is never in the log. A row that cannot be learned any more once others are forgotten is passed over.
//
// Nothing twice: a source of requests may number them, and the events have the numbers. Rows of the last number that the
// log has, by their content, are not added again, and of a request that a crash cut in two only what is missing is, so
// that the source can send again whatever was not answered. A request that lacks a row of its number is another one, and
// rejected.
//
// Forgetting: the rows' events are passed over in every replay. Snapshots that saw one of them are removed, and the
// state is made anew from the last snapshot before them: bit for bit that of a learner to which the rows were never
// sent. Their text stays in the log's files, as do their traces in earlier copies, models and predictions.
//
// A snapshot is written every so many events: "snapshot-00000000000000001000", a frame that holds the model, the ids
// that wait and the counts. Older ones are thinned out so that there are about log2(events) of them. A snapshot that is
// damaged is passed over: the log has what it holds.
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
#include "service/live_state.h"
#include "service/row_learner.h"
#include "service/row_parser.h"

namespace halfspace::service {

class LiveLearner {
 public:
  // Opens the log in the storage, or begins one with this model; null: there must be one. Throws Error: usage if there
  // is none, if the log began with another model, or if the model cannot go on learning; data if the log is damaged;
  // input_output if a row that was learned needs more memory than there is.
  LiveLearner(log::Storage& storage, const Model* model, const LiveOptions& options);
  ~LiveLearner();
  LiveLearner(const LiveLearner&) = delete;
  LiveLearner& operator=(const LiveLearner&) = delete;

  struct Learned {
    std::uint64_t rows = 0;
    std::uint64_t first = 0;          // the number of the first row's event; 0: none
    std::uint64_t repeated = 0;       // rows that the log has already, by their sequence
    std::vector<RefusedRow> refused;  // at most most_refused
    std::uint64_t refused_more = 0;   // lines after the last of these, of which none was read
  };
  static constexpr std::size_t most_refused = 100;
  // `sequence`: the number of the request at its source, and of all that it adds; none: it is not numbered. Throws
  // Error(usage) for a new source where there are too many, and for another request with the last number.
  using Sequence = std::optional<log::Sequence>;

  // Learns the rows of the lines, and adds them. `id`: of a single row, by which it can be forgotten; empty: none.
  Learned learn(std::string_view lines, std::string_view id = {}, const Sequence& sequence = {});
  // Adds a row whose label will be told by its id. `predicted`: the class that was answered. Returns false if the log has
  // it already, by its sequence. Throws Error: data for a row that cannot be read; usage for an id that waits already, or
  // is empty.
  bool ask(std::string_view id, std::string_view line, std::string_view predicted, const Sequence& sequence = {});
  // Learns the asked row with its label, and adds it; returns likewise. Throws Error: usage for an id that does not wait;
  // data for a label that is no class, or a row that cannot be learned.
  bool truth(std::string_view id, std::string_view label, const Sequence& sequence = {});
  // Replaces this model, durably, after a commit of what waits for it. Throws Error(usage) for one whose rows have other
  // columns or another format, or that cannot go on learning.
  void replace(const Model& model);

  // Makes everything since the last commit durable. If it throws, whatever it throws, none of it happened if the learner is
  // still writable; else some of it may be in the log.
  void commit();
  // Returns false after an error that leaves open what the log has, until it is opened anew.
  bool writable() const noexcept { return log_.writable(); }
  // Returns false after an error that left the state another than the log's: then it is not to be used until the log is
  // opened anew, and the learner is not writable.
  bool current() const noexcept { return current_; }

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
  struct Line {
    std::uint64_t number;  // in the request, from 1
    std::string_view text;
    std::string id{};
  };

  void open(const Model* model);
  void look_for_damage();
  void make_state();
  void rebuild();
  std::unique_ptr<LiveState> read_snapshot(std::uint64_t at) const;
  std::vector<std::uint64_t> snapshots() const;  // the events that they cover, ascending
  void before_change(std::size_t bytes);
  template <class Change>
  void change(const Change& make);
  void add(const log::Event& event, std::string record);
  RowLearner::Limits limits() const;
  bool has(const Sequence& sequence, std::uint64_t row) const;
  void remove_repeated(const Sequence& sequence, std::vector<Line>& lines, Learned& learned) const;
  RowParser::Parsed parsed_to_check(std::string_view lines);
  std::vector<Line> check(std::string_view lines, Learned& learned);
  std::optional<RefusedRow> check_one(std::string_view line);
  std::optional<RefusedRow> check_width(std::uint32_t features) const;
  void forget_events(const std::set<std::uint64_t>& events);
  void thin_out();

  log::Storage& storage_;
  LiveOptions options_;
  log::EventLog log_;
  std::optional<log::EventLog::Cut> cut_;
  std::unique_ptr<LiveState> state_;  // of the log and the pending events
  bool current_ = true;               // it is
  std::uint64_t most_bytes_ = 0;      // that the learner may take
  bool commit_failed_ = false;        // the last one: the disk is tried before anything is learned
  std::unique_ptr<RowParser> check_;  // of labelled rows; null: to be made
  std::uint64_t snapshot_at_ = 0;     // events in the last snapshot
  std::string snapshot_error_, damage_;
  std::vector<std::string> pending_;  // events to commit
};

}  // namespace halfspace::service
