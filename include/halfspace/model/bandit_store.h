// A live bandit that survives a crash: a snapshot, and a journal of the events since.
//
//   BanditStore store("bandit.state", options, seed);
//   const auto answer = store.ask();   store.tell(answer.ticket, 0.25);
//   store.commit();                    // from here on both are durable
//
// Two files: the snapshot at the path, written atomically, and path + ".journal", appended to. commit() appends
// everything since the last commit as one frame, in one write: if the process is killed, even during the write, the
// next process finds all committed events and nothing of an incomplete frame. Acknowledge feedback only after commit().
// Synced data also survive a power cut: every commit if `sync` is set, else snapshots (every million events, and
// close()). Replaying the journal repeats the same draws, so the run continues bit for bit.
//
// Bytes after the last complete frame were being written when the process died; they are cut off, kept in another file
// and reported by cut(). A journal is rejected if complete frames follow a damaged one, or if it is missing or empty
// although the snapshot notes one: it may have held acknowledged events.
//
// journal: src/base/journal.h, of magic "HSBK"     record = event*     event = 0 | 1 ticket:u64 loss:f64
// 0: an ask; 1: feedback. A frame's number counts the events before it since the beginning; frames older than the
// snapshot are skipped.
// snapshot = magic:u32 events:u64 checksum:u64 journal:u8 state       journal: 2 if newer events may be in the journal,
// which then begins with a head; 1 in files of earlier programs, whose journals have no head and may be empty. Little
// endian; the checksum is the XXH3-64 of all else. (state: src/bandits/live.cc)
//
// Thread-safety: one thread; another process that opens the same path is rejected, also by a symbolic link.
// Ownership: owns its files.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "halfspace/bandits/live.h"

namespace halfspace {

class Journal;

// Returns the bandit as the bytes of a snapshot without a journal, which BanditStore can continue.
std::vector<std::uint8_t> encode_bandit(const LiveBandit& bandit);
// Restores a bandit from such bytes; `name` is for errors. Throws Error(data) if they are damaged, or if the snapshot
// notes a journal, which may hold newer events.
LiveBandit decode_bandit(std::span<const std::uint8_t> bytes, const std::string& name);

class BanditStore {
 public:
  // The bytes after the last complete frame of the journal when it was opened, and the file that now holds them.
  struct Cut {
    std::uint64_t bytes;
    std::string kept_in;
  };

  // Opens existing files or creates them. An empty path keeps everything in memory. Throws Error: usage if the files
  // have other options, are in use, or have several names (hard links); data if they are damaged; input_output.
  BanditStore(const std::string& path, const BanditOptions& options, std::uint64_t seed, bool sync = false);
  ~BanditStore();  // does not commit
  BanditStore(const BanditStore&) = delete;
  BanditStore& operator=(const BanditStore&) = delete;

  // Like LiveBandit's; a call that throws changes nothing.
  LiveBandit::Answer ask();
  void tell(std::uint64_t ticket, double loss);

  // Throws Error(input_output); then nothing since the last commit may be acknowledged. A retry is possible.
  void commit();
  // Commits, and writes a snapshot; the journal becomes empty.
  void close();

  const LiveBandit& bandit() const noexcept { return *bandit_; }
  LiveBandit& bandit() noexcept { return *bandit_; }
  std::uint64_t resumed_events() const noexcept { return resumed_; }  // found when opened
  const std::optional<Cut>& cut() const noexcept { return cut_; }

 private:
  bool open_snapshot();
  void open_journal();
  void replay();
  void play(std::uint64_t first, std::string_view events);
  void snapshot(bool journal);
  void begin_journal();
  void write_snapshot(std::uint8_t journal);

  std::string path_;  // links followed
  bool sync_;
  std::unique_ptr<Journal> journal_;
  std::unique_ptr<LiveBandit> bandit_;
  std::string pending_;            // events since the last commit, as bytes
  std::uint64_t events_ = 0;       // committed or pending, since the beginning
  std::uint64_t committed_ = 0;    // the committed ones
  std::uint64_t snapshot_at_ = 0;  // those in the snapshot
  std::uint64_t resumed_ = 0;
  std::uint8_t journal_noted_ = 0;  // in the snapshot on disk
  std::optional<Cut> cut_;
};

}  // namespace halfspace
