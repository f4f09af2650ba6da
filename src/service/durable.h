// A state whose truth is a log: what it has acknowledged survives a crash.
//
// The state after event n is a function of what the log begins with and of events 1 to n: opening the log again gives
// the same bits, from the last snapshot on. A change is made to the state, then its event is added; commit() makes the
// events since the last commit durable, as a group. What a failed commit did not write is taken back by a replay.
//
// A snapshot is written every so many events. One that is damaged is passed over: the log has what it holds. If a state
// keeps its history, older snapshots are thinned out; else two remain, and the segments that only older ones needed are
// removed.
//
// A State has: Options (segment_bytes, snapshot_events, sync), begin_name (the file that the log begins with),
// snapshot_magic, keeps_history, encoded(), replay(number, record, passed), flush(), and makes itself by begun(storage,
// options) and decoded(bytes, name, options). Passed is what later events say of earlier ones: of a state that keeps
// its history, note(record) is called for each event since the snapshot beforehand, and covers(at) says whether the
// snapshot contains one of them.
//
// Thread-safety: one thread. Ownership: keeps a reference to the storage.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/frames.h"
#include "base/log/event_log.h"
#include "base/log/snapshots.h"
#include "base/log/storage.h"
#include "halfspace/base/error.h"

namespace halfspace::service {

template <class State>
class Durable {
 public:
  using Options = typename State::Options;

  Durable(log::Storage& storage, const Options& options)
      : storage_(storage),
        options_(options),
        log_(storage, options.segment_bytes, options.sync),
        snapshots_(storage, State::snapshot_magic) {}
  Durable(const Durable&) = delete;
  Durable& operator=(const Durable&) = delete;

  // Makes everything since the last commit durable. If it throws, whatever it throws, none of it happened if the state
  // is still writable; else some of it may be in the log.
  void commit();
  // Returns false after an error that leaves open what the log has, until it is opened anew.
  bool writable() const noexcept { return log_.writable(); }
  // Returns false after an error that left the state another than the log's: then it is not to be used until the log is
  // opened anew, and is not writable.
  bool current() const noexcept { return current_; }
  std::uint64_t events() const noexcept { return log_.committed(); }
  // Returns the bytes that a dying process left incomplete, when the log was opened.
  const std::optional<log::EventLog::Cut>& cut() const noexcept { return cut_; }
  // Returns why the last snapshot was not written; empty: it was.
  const std::string& snapshot_error() const noexcept { return snapshot_error_; }
  // Writes a snapshot now, unless there is one. The state must be current, and committed.
  void snapshot();

 protected:
  ~Durable() = default;

  State& state() noexcept { return *state_; }
  const State& state() const noexcept { return *state_; }

  // Returns whether the storage has a log. Throws Error(data) for one that lacks its beginning.
  bool exists() const { return log::EventLog::begun(storage_, State::begin_name); }
  // Opens the log, which has a beginning. Throws Error(data) for damage.
  void open();
  // Makes the state of all committed events, from the last snapshot on that is right.
  void make();
  // Called before a change: what the disk cannot take is rejected at once.
  void before_change(std::size_t bytes);
  // Makes a change of the state and of the pending events, all of it or nothing.
  template <class Change>
  void change(const Change& make_it);
  // Adds the event of a change. Returns its number.
  std::uint64_t add(std::string record) {
    pending_.push_back(std::move(record));
    return log_.next() + pending_.size() - 1;
  }
  // Takes no more events: the state has become another than the log's.
  void stop() noexcept {
    current_ = false;
    log_.stop();
  }

  log::Storage& storage_;
  Options options_;
  log::EventLog log_;

 private:
  void rebuild();
  std::unique_ptr<State> read_snapshot(std::uint64_t at) const;

  log::Snapshots snapshots_;
  std::optional<log::EventLog::Cut> cut_;
  std::unique_ptr<State> state_;   // of the log and the pending events
  bool current_ = true;            // it is
  bool commit_failed_ = false;     // the last one: the disk is tried before the next change
  std::uint64_t snapshot_at_ = 0;  // events in the last snapshot
  std::string snapshot_error_;
  std::vector<std::string> pending_;  // events to commit
};

template <class State>
void Durable<State>::open() {
  const std::vector<std::uint64_t> found = snapshots_.all();
  cut_ = log_.open(found.empty() ? 1 : found.back() + 1, [](std::uint64_t, std::string_view) {});
  make();
}

template <class State>
void Durable<State>::make() {
  std::vector<std::uint64_t> found = snapshots_.all();
  for (;; found.pop_back()) {
    const std::uint64_t at = found.empty() ? 0 : found.back();  // events that the state begins with
    typename State::Passed passed;
    if constexpr (State::keeps_history) {
      log_.read(at + 1, [&](std::uint64_t, std::string_view record) {
        passed.note(record);
        return true;
      });
      if (at > 0 && passed.covers(at)) {
        snapshots_.remove(at);
        continue;
      }
    }
    std::unique_ptr<State> made = at == 0 ? State::begun(storage_, options_) : read_snapshot(at);
    if (!made) continue;
    log_.read(at + 1, [&](std::uint64_t number, std::string_view record) {
      made->replay(number, record, passed);
      return true;
    });
    made->flush();
    state_ = std::move(made);
    current_ = true;
    snapshot_at_ = at;
    return;
  }
}

// Returns the state that a snapshot holds; none if it is damaged, or of another build.
template <class State>
std::unique_ptr<State> Durable<State>::read_snapshot(std::uint64_t at) const {
  const std::optional<std::string> bytes = snapshots_.read(at);
  if (!bytes) return nullptr;
  try {
    return State::decoded(*bytes, log::Snapshots::name(at), options_);
  } catch (const Error&) {
    return nullptr;
  }
}

// Makes the state anew from the log and the pending events, after something failed in the middle of a change.
template <class State>
void Durable<State>::rebuild() {
  current_ = false;
  try {
    make();
    for (std::size_t i = 0; i < pending_.size(); ++i) state_->replay(log_.next() + i, pending_[i], {});
    state_->flush();
  } catch (const std::exception&) {  // the log has everything that was acknowledged, and is opened by the next start
    stop();
  }
}

template <class State>
void Durable<State>::before_change(std::size_t bytes) {
  if (!current() || !writable())
    throw Error(ErrorKind::input_output, "the log takes no more events after an error of the disk")
        .fix("look after the disk, then start again");
  if (!commit_failed_) return;
  log_.try_to_write(bytes + frame_header);
  commit_failed_ = false;
}

template <class State>
template <class Change>
void Durable<State>::change(const Change& make_it) {
  const std::size_t before = pending_.size();
  try {
    make_it();
  } catch (...) {  // out of memory, mostly
    pending_.resize(before);
    rebuild();
    throw;
  }
}

template <class State>
void Durable<State>::commit() {
  if (pending_.empty()) return;
  const std::vector<std::string> records = std::exchange(pending_, {});
  try {
    for (const std::string& record : records) log_.append(record);
    log_.commit();
  } catch (...) {  // what the state has is not in the log, or it is not known whether it is
    log_.take_back();
    commit_failed_ = true;
    if (log_.writable())
      rebuild();
    else
      current_ = false;
    throw;
  }
  if (log_.committed() - snapshot_at_ < options_.snapshot_events) return;
  try {
    snapshot();
    snapshot_error_.clear();
  } catch (const std::exception& error) {  // the log has everything: it is tried again at the next commit
    snapshot_error_ = error.what();
  }
}

template <class State>
void Durable<State>::snapshot() {
  if (!current()) throw Error(ErrorKind::input_output, "the state is behind its log").fix("open the log again");
  if (snapshot_at_ == log_.committed()) return;
  log_.sync();
  snapshots_.write(log_.committed(), state_->encoded());
  snapshot_at_ = log_.committed();
  if constexpr (State::keeps_history)
    snapshots_.thin_out(snapshot_at_);
  else
    log_.remove_before(snapshots_.keep(2) + 1);
}

}  // namespace halfspace::service
