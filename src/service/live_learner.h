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
// What is durable, and when, is the part of service/durable.h. A snapshot holds the model, the ids that wait and the
// counts.
//
// Thread-safety: one thread. Ownership: keeps a reference to the storage.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/log/event.h"
#include "base/log/storage.h"
#include "halfspace/train/model.h"
#include "service/durable.h"
#include "service/live_state.h"
#include "service/row_learner.h"

namespace halfspace::service {

// A row of a request.
struct RequestLine {
  std::uint64_t number;  // in the request, from 1
  std::string_view text;
  std::string id{};
};

class LiveLearner : public Durable<LiveState> {
 public:
  // Opens the log in the storage, or begins one with this model; null: there must be one. Throws Error: usage if there
  // is none, if the log began with another model, or if the model cannot go on learning; data if the log is damaged;
  // input_output if a row that was learned needs more memory than there is.
  LiveLearner(log::Storage& storage, const Model* model, const LiveOptions& options);

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

  Model model() const { return state().model(); }  // O(weights)
  const LiveCounts& counts() const noexcept { return state().counts(); }
  const SourcePositions& sources() const noexcept { return state().sources(); }
  std::uint64_t waiting() const noexcept { return state().waiting(); }
  // Returns what is wrong with files that the state did not need, but that forgetting and training on the log do; empty:
  // nothing.
  const std::string& damage() const noexcept { return damage_; }

 private:
  std::uint64_t add(const log::Event& event);
  RowLearner::Limits limits() const;
  std::vector<RequestLine> check(std::string_view lines, Learned& learned);
  std::optional<RefusedRow> check_one(std::string_view line);
  std::optional<RefusedRow> check_width(std::uint32_t features) const;
  void forget_events(const std::set<std::uint64_t>& events);

  std::uint64_t most_bytes_ = 0;  // that the learner may take
  std::string damage_;
};

}  // namespace halfspace::service
