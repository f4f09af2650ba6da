// A chooser whose state is a log: what it has acknowledged survives a crash, and is never counted twice.
//
//   const auto storage = log::open_folder("news.log");
//   DurableChooser chooser(*storage, &settings, {});
//   const ChooserState::Waiting& choice = chooser.rank(body, now);   // what was drawn, and with which probabilities
//   chooser.reward("visit-17", 1, now);
//   chooser.commit();                                                // both are durable: acknowledge them
//
// The log begins with the settings (begin.chooser, JSON). An event, its numbers little endian, `time` in milliseconds
// since 1970:
//
//   rank = 1 time:u64 action:u32 propensity:f64 id:text request       text = bytes:u32 and as many
//   reward = 2 time:u64 reward:f64 id:text      activate = 3 time:u64 id:text      expire = 4 time:u64 id:text
//   run = 5 time:u64 gate:u8 policy:text        another policy runs; gate: since it was proved better
//
// A replay draws again, and refuses an event whose action or propensity is another one. Times are only stored: a choice
// that waited for too long expires by an event.
//
// A request with the id of a choice that waits is answered as before if it is the same, and refused if not. A reward
// for a choice that has one already, of the last 100,000, changes nothing. What is durable, and when, is the part of
// service/durable.h; nothing is ever removed from the log.
//
// Thread-safety: one thread. Ownership: keeps a reference to the storage.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "bandits/rank_request.h"
#include "base/log/event_log.h"
#include "base/log/storage.h"
#include "halfspace/bandits/chooser_settings.h"
#include "service/durable.h"

namespace halfspace::service {

struct ChooserLogOptions {
  std::uint64_t segment_bytes = log::EventLog::default_segment;
  std::uint64_t snapshot_events = 1'000'000;
  // Choices that wait for their reward, or with one for a choice before them, at most; others are refused.
  std::uint64_t most_waiting = 1'000'000;
  std::uint64_t most_waiting_bytes = std::uint64_t{512} << 20;

  static constexpr bool sync = true;
};

struct ChooserCounts {
  std::uint64_t choices = 0;   // acknowledged
  std::uint64_t rewards = 0;   // of these, that got one
  std::uint64_t defaults = 0;  // of these, that got the default reward
  std::uint64_t inactive = 0;  // of these, that were deferred, and never activated: nothing was learned
  std::uint64_t repeated = 0;  // rewards of choices that had one; since the start of the process
  double reward = 0;           // the sum of rewards and default rewards, as they were sent
};

class ChooserState {
 public:
  using Options = ChooserLogOptions;
  static constexpr const char* begin_name = "begin.chooser";
  static constexpr std::uint32_t snapshot_magic = 0x48435348;  // "HSCH"
  static constexpr bool keeps_history = true;                  // the log is data
  struct Passed {
    static void note(std::string_view) {}
    static bool covers(std::uint64_t) { return false; }
  };

  struct Waiting {
    std::string id;
    ChosenAction chosen;
    std::uint64_t time = 0;     // of the choice
    std::uint64_t content = 0;  // a hash of the request
    bool active = true;

    std::uint64_t bytes() const noexcept;
  };
  using Waits = std::map<std::uint64_t, Waiting>;  // by number, in the order of the choices

  ChooserState(ChooserSettings settings, const ChooserLogOptions& options);
  static std::unique_ptr<ChooserState> begun(log::Storage& storage, const ChooserLogOptions& options);
  static std::unique_ptr<ChooserState> decoded(std::string_view bytes, const std::string& name,
                                               const ChooserLogOptions& options);
  std::string encoded() const;
  void replay(std::uint64_t number, std::string_view record, Passed passed);
  void flush() const noexcept {}

  const ChooserSettings& settings() const noexcept { return settings_; }
  const Chooser& chooser() const noexcept { return chooser_; }
  const ChooserCounts& counts() const noexcept { return counts_; }
  std::uint64_t waiting() const noexcept { return waits_.size(); }
  // Returns the choice that waits longest by its time; null: none does.
  const Waiting* oldest() const { return by_time_.empty() ? nullptr : &waits_.at(by_time_.begin()->second); }
  // Returns whether a policy was switched to since it was proved better: that happens once.
  bool gate_used() const noexcept { return gate_used_; }
  // Returns the choice that waits with this id; null: none does.
  const Waiting* find(std::string_view id) const;
  bool ended(std::string_view id) const { return ended_ids_.contains(std::string(id)); }
  bool known(std::string_view id) const { return find(id) != nullptr || ended(id); }

  // Parses a request; valid until the next one. Throws Error(data).
  const bandits::RankRequest& read(std::string_view request) { return reader_.read(request); }
  const bandits::RankRequest& last_request() const noexcept { return reader_.last(); }
  bool full() const;  // as many choices wait as may
  // Make the change that an event says.
  const Waiting& rank(const bandits::RankRequest& request, std::string_view id, std::string_view text,
                      std::uint64_t time);
  void reward(std::string_view id, double reward);
  void activate(std::string_view id);
  // Ends the wait: with the default reward for an active choice.
  void expire(std::string_view id);
  void run(const std::string& policy, bool gate) {
    chooser_.run(policy);
    gate_used_ = gate_used_ || gate;
  }
  void count_repeated() noexcept { ++counts_.repeated; }

 private:
  void end(Waits::iterator wait);
  Waits::iterator at(std::string_view id);
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive);
  template <class Numbered, class Archive>
  static void wait_fields(Numbered& wait, Archive& archive);

  ChooserSettings settings_;
  const ChooserLogOptions& options_;
  Chooser chooser_;
  bandits::RankReader reader_;
  ChooserCounts counts_;
  std::uint64_t next_ = 1;  // number of the next choice
  Waits waits_;
  std::unordered_map<std::string, std::uint64_t> waits_by_id_;
  std::set<std::pair<std::uint64_t, std::uint64_t>> by_time_;  // of the waits: time and number; a clock may go back
  bool gate_used_ = false;
  std::uint64_t waits_bytes_ = 0;
  std::deque<std::string> ended_;  // the last ids
  std::unordered_set<std::string> ended_ids_;
};

// What an event says, for readers of the log.
struct ChoiceRecord {
  bool chooses = false, ends = false, rewards = false;
  double reward = 0;             // as it was sent, if it rewards
  std::string_view id, request;  // of the record
};
// Throws Error(data) for a record that is none of a chooser.
ChoiceRecord choice_record(std::uint64_t number, std::string_view record);

class DurableChooser : public Durable<ChooserState> {
 public:
  // Opens the log in the storage, or begins one with these settings; null: there must be one. Throws Error: usage if
  // there is none, or if it began with other settings; data if the log is damaged; input_output.
  DurableChooser(log::Storage& storage, const ChooserSettings* settings, const ChooserLogOptions& options);

  // Chooses, and adds the event. Valid until the next change. `id`: if the request has none. `repeated`: set if the
  // request was made before. Throws Error: data for a request that cannot be read; usage for an id that waits with
  // another request or has its reward, or if too many choices wait.
  const ChooserState::Waiting& rank(std::string_view request, std::string_view id, std::uint64_t time,
                                    bool* repeated = nullptr);
  // Learns, and adds the event. Returns false for a choice that has its reward already. Throws Error: usage for an id
  // that does not wait; data for a reward out of range.
  bool reward(std::string_view id, double reward, std::uint64_t time);
  // Returns false for one that has its reward already, likewise.
  bool activate(std::string_view id, std::uint64_t time);
  // Ends the wait of choices that have waited for too long, at most so many. Returns how many.
  std::uint64_t expire(std::uint64_t time, std::uint64_t most);
  // From now on this policy runs. Throws Error(usage) for one that is not valued.
  void run(const std::string& policy, std::uint64_t time, bool gate = false);

  // Valid until the next change or commit.
  const ChooserState& now() const noexcept { return state(); }
  // Returns the request that rank() was called with last.
  const bandits::RankRequest& last_request() const noexcept { return state().last_request(); }

 private:
  template <class Make>
  void record(std::string event, const Make& make);
};

}  // namespace halfspace::service
