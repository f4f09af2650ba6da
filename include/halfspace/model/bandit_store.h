// A live bandit that survives: a snapshot, and a journal of what happened since.
//
//   BanditStore store("bandit.state", options, seed);
//   const auto answer = store.ask();   store.tell(answer.ticket, 0.25);
//   store.commit();                    // from here on neither is forgotten
//
// Two files: the snapshot at the path, written atomically, and path + ".journal", appended to. commit() appends
// everything since the last commit as one frame, in one write: when the process is killed, even in the middle, the next
// one finds all committed events, and nothing of a frame that is not whole. Acknowledge feedback after commit() only.
// What survives a power cut too is what was synced: every commit when `sync` is set, else snapshots (every million
// events, and close()). Replaying the journal makes the same draws: the run continues bit for bit.
//
// journal = frame*     frame = magic:u32 bytes:u32 first:u64 checksum:u64 event*
// event = 0 | 1 ticket:u64 loss:f64       0: an ask; 1: feedback. `first` counts the events before the frame since the
// beginning; frames older than the snapshot are skipped. Little endian; the checksum is XXH3-64 of first and events.
// snapshot = magic:u32 events:u64 checksum:u64 state       (state: src/bandits/live.cc)
//
// Thread-safety: one thread; another process that opens the same path is refused. Ownership: owns its files.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "halfspace/bandits/live.h"

namespace halfspace {

class BanditStore {
 public:
  // Opens what is there, or begins anew. An empty path keeps everything in memory. Throws Error: usage when what is
  // there is of other options or in use; data when it is damaged; input_output.
  BanditStore(std::string path, const BanditOptions& options, std::uint64_t seed, bool sync = false);
  ~BanditStore();  // does not commit
  BanditStore(const BanditStore&) = delete;
  BanditStore& operator=(const BanditStore&) = delete;

  // Act as LiveBandit's; what throws changes nothing.
  LiveBandit::Answer ask();
  void tell(std::uint64_t ticket, double loss);

  // Throws Error(input_output); then nothing since the last commit may be acknowledged.
  void commit();
  // Commits, and writes a snapshot; the journal becomes empty.
  void close();

  const LiveBandit& bandit() const noexcept { return *bandit_; }
  LiveBandit& bandit() noexcept { return *bandit_; }
  std::uint64_t resumed_events() const noexcept { return resumed_; }  // found when opened

 private:
  void open_journal();
  void replay();
  void snapshot();

  std::string path_;
  bool sync_;
  int journal_ = -1;
  std::unique_ptr<LiveBandit> bandit_;
  std::string pending_;            // events since the last commit, as bytes
  std::uint64_t events_ = 0;       // committed or pending, since the beginning
  std::uint64_t committed_ = 0;    // of them
  std::uint64_t snapshot_at_ = 0;  // of them, in the snapshot
  std::uint64_t resumed_ = 0;
};

}  // namespace halfspace
