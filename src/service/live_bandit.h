// A bandit whose state is a log: what it has acknowledged survives a crash.
//
//   const auto storage = log::open_folder("colours.state");
//   DurableBandit bandit(*storage, options, seed, {});
//   const auto answer = bandit.ask();   bandit.tell(answer.ticket, 0.25);
//   bandit.commit();                    // from here on both are durable: acknowledge them
//
// event = 0 | 1 ticket:u64 loss:f64     0: an ask; 1: feedback. A replay repeats the same draws. What is durable, and
// when, is the part of service/durable.h; docs/formats/log.md has the files.
//
// Thread-safety: one thread. Ownership: keeps a reference to the storage.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/log/event_log.h"
#include "base/log/storage.h"
#include "halfspace/bandits/live.h"
#include "service/durable.h"

namespace halfspace::service {

// Returns the bandit as bytes, which a log may begin with.
std::string encode_bandit(const LiveBandit& bandit);
// Restores a bandit from such bytes, or from those of a snapshot; the text of the log's segments since then may follow.
// `name` is for errors. Throws Error(data) if they are damaged.
LiveBandit decode_bandit(std::string_view bytes, const std::string& name);

struct BanditLogOptions {
  std::uint64_t segment_bytes = log::EventLog::default_segment;
  std::uint64_t snapshot_events = 1'000'000;
  bool sync = false;  // acknowledged events survive a power cut
};

class BanditState {
 public:
  using Options = BanditLogOptions;
  static constexpr const char* begin_name = "begin.bandit";
  static constexpr std::uint32_t snapshot_magic = 0x43535348;  // "HSSC"
  static constexpr bool keeps_history = false;
  struct Passed {};

  explicit BanditState(LiveBandit bandit) : bandit_(std::move(bandit)) {}
  static std::unique_ptr<BanditState> begun(log::Storage& storage, const BanditLogOptions& options);
  static std::unique_ptr<BanditState> decoded(std::string_view bytes, const std::string& name,
                                              const BanditLogOptions& options);
  static std::string text_of(const LiveBandit& bandit);
  std::string encoded() const { return text_of(bandit_); }
  void replay(std::uint64_t number, std::string_view record, Passed passed);
  void flush() const noexcept {}

  LiveBandit& bandit() noexcept { return bandit_; }
  const LiveBandit& bandit() const noexcept { return bandit_; }

 private:
  LiveBandit bandit_;
};

class DurableBandit : public Durable<BanditState> {
 public:
  // Opens the log in the storage, or begins one. Throws Error: usage if its bandit has other options or another seed;
  // data if the log is damaged; input_output.
  DurableBandit(log::Storage& storage, const BanditOptions& bandit, std::uint64_t seed,
                const BanditLogOptions& options);

  // As LiveBandit's.
  LiveBandit::Answer ask();
  void tell(std::uint64_t ticket, double loss);

  // Valid until the next change or commit.
  const LiveBandit& bandit() const noexcept { return state().bandit(); }

 private:
  template <class Make>
  void record(std::string event, const Make& make);
};

}  // namespace halfspace::service
