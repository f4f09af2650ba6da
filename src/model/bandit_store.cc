// Stores the snapshot and the journal of a live bandit.
#include "halfspace/model/bandit_store.h"

#include <sys/stat.h>

#include <bit>
#include <cerrno>
#include <system_error>
#include <utility>
#include <vector>

#include "base/atomic_file.h"
#include "base/journal.h"
#include "base/little_endian.h"
#include "base/whole_file.h"
#include "halfspace/base/error.h"
#include "halfspace/model/model_file.h"

namespace halfspace {
namespace {

constexpr std::uint32_t snapshot_magic = 0x43535348;  // "HSSC"
constexpr std::size_t snapshot_header = 4 + 8 + 8 + 1;
constexpr std::size_t largest_record = std::size_t{1} << 24;  // commits by itself at this size
constexpr std::size_t tell_bytes = 1 + 8 + 8;
constexpr std::uint64_t snapshot_every = 1'000'000;  // events

constexpr Journal::Kind journal_kind{
    .magic = 0x4b425348,  // "HSBK"
    .if_it_fails = "check the disk and the permissions; the state is as of the last acknowledged line",
    .if_damaged = "restore a copy of the state and its journal, or start with another file"};

// The snapshot's field about the journal. Journals of earlier programs have no head and may be empty.
enum : std::uint8_t { no_journal = 0, headless_journal = 1, headed_journal = 2 };

[[noreturn]] void damaged(const std::string& path, const std::string& what) {
  throw Error(ErrorKind::data, what).at(path).fix(journal_kind.if_damaged);
}

struct Snapshot {
  std::uint64_t events;
  std::uint8_t journal;  // as above
  LiveBandit bandit;
};

std::string written(const LiveBandit& bandit, std::uint64_t events, std::uint8_t journal) {
  const std::vector<std::uint8_t> state = bandit.save();
  std::string rest(1, static_cast<char>(journal)), file;
  rest.append(reinterpret_cast<const char*>(state.data()), state.size());
  put_little_endian(file, snapshot_magic, 4);
  put_little_endian(file, events, 8);
  put_little_endian(file, checksum(file, rest), 8);
  return file + rest;
}

Snapshot read_snapshot(std::string_view bytes, const std::string& path) {
  if (bytes.size() < snapshot_header || little_endian(bytes.data(), 4) != snapshot_magic)
    damaged(path, "not a bandit's state");
  if (little_endian(bytes.data() + 12, 8) != checksum(bytes.substr(0, 12), bytes.substr(20)))
    damaged(path, "the bandit's state is damaged: its checksum is wrong");
  const auto journal = static_cast<std::uint8_t>(bytes[20]);
  if (journal > headed_journal) damaged(path, "not a bandit's state, or one of a newer Halfspace");
  const std::string_view state = bytes.substr(snapshot_header);
  return {little_endian(bytes.data() + 4, 8), journal,
          LiveBandit::restore({reinterpret_cast<const std::uint8_t*>(state.data()), state.size()}, path)};
}

}  // namespace

std::vector<std::uint8_t> encode_bandit(const LiveBandit& bandit) {
  const std::string bytes = written(bandit, bandit.asks() + bandit.tells(), no_journal);
  return {bytes.begin(), bytes.end()};
}

LiveBandit decode_bandit(std::span<const std::uint8_t> bytes, const std::string& name) {
  Snapshot snapshot = read_snapshot({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, name);
  if (snapshot.journal != no_journal) {
    throw Error(ErrorKind::data, "the state is in use, or its process was killed: its journal may hold newer events")
        .at(name)
        .fix("end the process that uses it, or open it there once more and end that");
  }
  return std::move(snapshot.bandit);
}

BanditStore::BanditStore(const std::string& path, const BanditOptions& options, std::uint64_t seed, bool sync)
    : sync_(sync) {
  if (path.empty()) {
    bandit_ = std::make_unique<LiveBandit>(options, seed);
    return;
  }
  path_ = followed(path);
  journal_ = std::make_unique<Journal>(path_ + ".journal", journal_kind);
  open_journal();
  if (!open_snapshot()) {
    if (!journal_->empty()) damaged(path_, "the journal exists, but its snapshot is missing");
    bandit_ = std::make_unique<LiveBandit>(options, seed);
    snapshot(false);
    return;
  }
  const BanditOptions& kept = bandit_->options();
  if (kept != options || bandit_->seed() != seed) {
    throw Error(ErrorKind::usage, "the state is of " + std::string(name_of(kept.name)) + " over " +
                                      std::to_string(kept.arms) + " arms, rounds " + std::to_string(kept.rounds) +
                                      ", delta " + std::to_string(kept.delta) + ", seed " +
                                      std::to_string(bandit_->seed()))
        .at(path_)
        .fix("give the same options, or another state file to start again");
  }
  replay();
  resumed_ = events_;
}

BanditStore::~BanditStore() = default;

// Returns false if the file does not exist.
bool BanditStore::open_snapshot() {
  struct stat status {};
  if (::stat(path_.c_str(), &status) != 0) {
    if (errno == ENOENT) return false;
    throw Error(ErrorKind::input_output, "cannot open: " + std::generic_category().message(errno))
        .at(path_)
        .fix(journal_kind.if_it_fails);
  }
  if (!S_ISREG(status.st_mode))
    throw Error(ErrorKind::usage, "a state must be a regular file").at(path_).fix("name another file");
  if (status.st_nlink > 1) {
    throw Error(ErrorKind::usage, "the state has " + std::to_string(status.st_nlink) +
                                      " names (hard links), and each would have its own journal")
        .at(path_)
        .fix("keep one name; a symbolic link may lead to it");
  }
  Snapshot found = read_snapshot(whole_file(path_, nullptr), path_);
  committed_ = events_ = snapshot_at_ = found.events;
  journal_noted_ = found.journal;
  bandit_ = std::make_unique<LiveBandit>(std::move(found.bandit));
  return true;
}

void BanditStore::open_journal() {
  Journal::Opened opened = journal_->open(false);
  if (opened == Journal::Opened::missing) {
    if (open_snapshot() && journal_noted_ != no_journal)
      journal_->damaged("the journal is missing, and may have held acknowledged events");
    opened = journal_->open(true);
  }
  if (opened == Journal::Opened::in_use) {
    throw Error(ErrorKind::usage, "another process uses this state")
        .at(path_)
        .fix("stop it, or use another state file");
  }
}

void BanditStore::replay() {
  const auto cut = journal_->replay(journal_noted_ == headed_journal, [this](const Frame& frame) {
    if (frame.number > events_) journal_->damaged("events are missing from the journal");
    play(frame.number, frame.record);
  });
  if (cut) cut_ = Cut{cut->bytes, cut->kept_in};
  committed_ = events_;
}

// Skips events that the snapshot contains.
void BanditStore::play(std::uint64_t first, std::string_view events) {
  for (std::uint64_t number = first; !events.empty(); ++number) {
    const bool tells = events.front() != 0;
    const std::size_t size = tells ? tell_bytes : 1;
    if (events.size() < size) journal_->damaged("an event of the journal is truncated");
    if (number >= events_) {
      try {
        if (tells) {
          bandit_->tell(little_endian(events.data() + 1, 8),
                        std::bit_cast<double>(little_endian(events.data() + 9, 8)));
        } else {
          bandit_->ask();
        }
      } catch (const Error& error) {
        journal_->damaged("the journal does not follow from the state: " + error.message());
      }
      ++events_;
    }
    events.remove_prefix(size);
  }
}

LiveBandit::Answer BanditStore::ask() {
  const LiveBandit::Answer answer = bandit_->ask();
  if (!path_.empty()) pending_ += '\0';
  ++events_;
  if (pending_.size() >= largest_record) commit();
  return answer;
}

void BanditStore::tell(std::uint64_t ticket, double loss) {
  bandit_->tell(ticket, loss);
  if (!path_.empty()) {
    pending_ += '\1';
    put_little_endian(pending_, ticket, 8);
    put_little_endian(pending_, std::bit_cast<std::uint64_t>(loss), 8);
  }
  ++events_;
  if (pending_.size() >= largest_record) commit();
}

void BanditStore::commit() {
  if (path_.empty() || events_ == committed_) return;
  // The first commit writes a snapshot, which notes that a journal exists from now on.
  if (journal_noted_ != headed_journal || events_ - snapshot_at_ >= snapshot_every) return snapshot(true);
  journal_->append(committed_, pending_, sync_);
  committed_ = events_;
  pending_.clear();
}

void BanditStore::close() {
  if (!path_.empty()) snapshot(false);
}

// Writes the snapshot first, then empties the journal: after a kill in between, the journal's frames are older than the
// snapshot.
void BanditStore::snapshot(bool journal) {
  if (journal) begin_journal();
  write_snapshot(journal ? headed_journal : no_journal);
  pending_.clear();
  journal_->clear(journal);
}

// Writes the journal's head, a frame without events, before a snapshot notes the journal: an empty journal then means
// lost events. Meanwhile a snapshot that needs no journal holds all committed events.
void BanditStore::begin_journal() {
  if (journal_->has_head()) return;
  if (journal_noted_ != no_journal || committed_ != snapshot_at_) write_snapshot(no_journal);
  journal_->begin(sync_);
}

void BanditStore::write_snapshot(std::uint8_t journal) {
  const std::string file = written(*bandit_, events_, journal);
  write_atomically(path_, {reinterpret_cast<const std::uint8_t*>(file.data()), file.size()});
  journal_noted_ = journal;
  committed_ = snapshot_at_ = events_;
}

}  // namespace halfspace
