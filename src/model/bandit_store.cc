// Snapshot and journal of a live bandit.
#include "halfspace/model/bandit_store.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <bit>
#include <cerrno>
#include <system_error>
#include <utility>
#include <vector>

#include "base/atomic_file.h"
#include "base/retried.h"
#include "base/whole_file.h"
#include "halfspace/base/error.h"
#include "halfspace/model/model_file.h"

namespace halfspace {
namespace {

constexpr std::uint32_t snapshot_magic = 0x43535348;  // "HSSC"
constexpr std::uint32_t frame_magic = 0x4b425348;     // "HSBK"
constexpr std::size_t snapshot_header = 4 + 8 + 8 + 1;
constexpr std::size_t frame_header = 4 + 4 + 8 + 8;
constexpr std::size_t checksum_at = 4 + 4 + 8;               // in a frame
constexpr std::size_t largest_frame = std::size_t{1} << 24;  // then it is committed, asked for or not
constexpr std::size_t tell_bytes = 1 + 8 + 8;
constexpr std::uint64_t snapshot_every = 1'000'000;  // events

// What a snapshot notes of the journal. Journals of earlier programs have no head, and may be empty.
enum : std::uint8_t { no_journal = 0, headless_journal = 1, headed_journal = 2 };

void put(std::string& to, std::uint64_t value, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) to += static_cast<char>(value >> (8 * i) & 0xff);
}
std::uint64_t get(const char* from, std::size_t bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes; ++i) value |= std::uint64_t{static_cast<unsigned char>(from[i])} << (8 * i);
  return value;
}

// Returns the checksum of the bytes before and after the field of the checksum.
std::uint64_t checksum(std::string_view before, std::string_view behind) {
  return XXH3_64bits_withSeed(behind.data(), behind.size(), XXH3_64bits(before.data(), before.size()));
}

[[noreturn]] void fail(const std::string& path, const char* what) {
  throw Error(ErrorKind::input_output, std::string(what) + ": " + std::generic_category().message(errno))
      .at(path)
      .fix("check the disk and the permissions; the state is as of the last acknowledged line");
}

[[noreturn]] void damaged(const std::string& path, const std::string& what) {
  throw Error(ErrorKind::data, what)
      .at(path)
      .fix("restore a copy of the state and its journal, or begin with another file");
}

class OpenFile {
 public:
  OpenFile(const std::string& path, int flags)
      : number_(retried([&] { return ::open(path.c_str(), flags | O_CLOEXEC, 0666); })) {}
  ~OpenFile() {
    if (number_ >= 0) ::close(number_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  int number() const noexcept { return number_; }

 private:
  int number_;
};

void write_whole(int file, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ::ssize_t count = retried([&] { return ::write(file, bytes.data(), bytes.size()); });
    if (count <= 0) fail(path, "cannot write");
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

bool cut_journal(int file, std::uint64_t to) {
  return retried([&] { return ::ftruncate(file, static_cast<::off_t>(to)); }) == 0;
}

struct Frame {
  std::uint64_t first;
  std::string_view events;
};

std::string frame_of(std::uint64_t first, std::string_view events) {
  std::string frame;
  frame.reserve(frame_header + events.size());
  put(frame, frame_magic, 4);
  put(frame, events.size(), 4);
  put(frame, first, 8);
  put(frame, checksum(frame, events), 8);
  frame += events;
  return frame;
}

// Returns the frame that begins there, when it is whole.
std::optional<Frame> frame_at(std::string_view journal, std::size_t at) {
  const std::string_view rest = journal.substr(at);
  if (rest.size() < frame_header || get(rest.data(), 4) != frame_magic) return std::nullopt;
  const std::size_t bytes = get(rest.data() + 4, 4);
  if (rest.size() - frame_header < bytes) return std::nullopt;
  const std::string_view events = rest.substr(frame_header, bytes);
  if (get(rest.data() + checksum_at, 8) != checksum(rest.substr(0, checksum_at), events)) return std::nullopt;
  return Frame{get(rest.data() + 8, 8), events};
}

}  // namespace

BanditStore::BanditStore(const std::string& path, const BanditOptions& options, std::uint64_t seed, bool sync)
    : sync_(sync) {
  if (path.empty()) {
    bandit_ = std::make_unique<LiveBandit>(options, seed);
    return;
  }
  path_ = followed(path);
  journal_name_ = path_ + ".journal";
  try {
    open_journal();
    if (!open_snapshot()) {
      if (::lseek(journal_, 0, SEEK_END) != 0)
        damaged(path_, "the journal is here, but not the snapshot it belongs to");
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
          .fix("give the same options, or another state file to begin anew");
    }
    replay();
    resumed_ = events_;
  } catch (...) {
    if (journal_ >= 0) ::close(journal_);
    throw;
  }
}

BanditStore::~BanditStore() {
  if (journal_ >= 0) ::close(journal_);
}

// Returns false when there is none.
bool BanditStore::open_snapshot() {
  struct stat status {};
  if (::stat(path_.c_str(), &status) != 0) {
    if (errno == ENOENT) return false;
    fail(path_, "cannot open");
  }
  if (!S_ISREG(status.st_mode)) throw Error(ErrorKind::usage, "a state is a file").at(path_).fix("name another");
  if (status.st_nlink > 1) {
    throw Error(ErrorKind::usage, "the state has " + std::to_string(status.st_nlink) +
                                      " names (hard links), and each would go on with a journal of its own")
        .at(path_)
        .fix("keep one name; a symbolic link may lead to it");
  }
  const std::string file = whole_file(path_, nullptr);
  if (file.size() < snapshot_header || get(file.data(), 4) != snapshot_magic) damaged(path_, "not a bandit's state");
  const std::string_view bytes = file;
  committed_ = events_ = snapshot_at_ = get(file.data() + 4, 8);
  if (get(file.data() + 12, 8) != checksum(bytes.substr(0, 12), bytes.substr(20)))
    damaged(path_, "the bandit's state is damaged: its checksum is wrong");
  if (static_cast<std::uint8_t>(file[20]) > headed_journal)
    damaged(path_, "not a bandit's state, or that of a newer Halfspace");
  journal_noted_ = static_cast<std::uint8_t>(file[20]);
  bandit_ = std::make_unique<LiveBandit>(LiveBandit::restore(
      {reinterpret_cast<const std::uint8_t*>(file.data()) + snapshot_header, file.size() - snapshot_header}, path_));
  return true;
}

void BanditStore::open_journal() {
  constexpr int flags = O_RDWR | O_APPEND | O_CLOEXEC;
  journal_ = retried([&] { return ::open(journal_name_.c_str(), flags); });
  if (journal_ < 0 && errno == ENOENT) {
    if (open_snapshot() && journal_noted_ != no_journal)
      damaged(journal_name_, "the journal is gone, and events that were acknowledged may have been in it");
    journal_ = retried([&] { return ::open(journal_name_.c_str(), flags | O_CREAT, 0666); });
  }
  if (journal_ < 0) fail(journal_name_, "cannot open");
  struct stat status {};
  if (::fstat(journal_, &status) != 0) fail(journal_name_, "cannot be inspected");
  if (!S_ISREG(status.st_mode)) throw Error(ErrorKind::usage, "a journal is a file").at(journal_name_).fix("remove it");
  if (retried([&] { return ::flock(journal_, LOCK_EX | LOCK_NB); }) != 0) {
    if (errno != EWOULDBLOCK) fail(journal_name_, "cannot lock");
    throw Error(ErrorKind::usage, "another process uses this state")
        .at(path_)
        .fix("stop it, or use another state file");
  }
}

void BanditStore::replay() {
  const std::string journal = whole_file(journal_name_, nullptr);
  const std::optional<Frame> head = frame_at(journal, 0);
  headed_ = head && head->events.empty();
  if (journal_noted_ == headed_journal && !headed_) {
    damaged(journal_name_,
            std::string(journal.empty() ? "the journal is empty" : "the beginning of the journal is missing") +
                ", and events that were acknowledged may have been in it");
  }
  std::size_t at = 0;
  for (std::optional<Frame> frame; (frame = frame_at(journal, at)); at += frame_header + frame->events.size()) {
    if (frame->first > events_) damaged(journal_name_, "events are missing from the journal");
    play(frame->first, frame->events);
  }
  if (at < journal.size()) cut_off(journal, at);
  journal_bytes_ = at;
  committed_ = events_;
}

// Skips events that the snapshot has.
void BanditStore::play(std::uint64_t first, std::string_view events) {
  for (std::uint64_t number = first; !events.empty(); ++number) {
    const bool tells = events.front() != 0;
    const std::size_t size = tells ? tell_bytes : 1;
    if (events.size() < size) damaged(journal_name_, "an event of the journal is cut off");
    if (number >= events_) {
      try {
        if (tells) {
          bandit_->tell(get(events.data() + 1, 8), std::bit_cast<double>(get(events.data() + 9, 8)));
        } else {
          bandit_->ask();
        }
      } catch (const Error& error) {
        damaged(journal_name_, "the journal does not follow from the state: " + error.message());
      }
      ++events_;
    }
    events.remove_prefix(size);
  }
}

// Takes the bytes after the last whole frame for one that was being written when the process died, unless whole ones
// follow.
void BanditStore::cut_off(std::string_view journal, std::size_t from) {
  for (std::size_t at = from + 1; at < journal.size(); ++at) {
    if (frame_at(journal, at)) {
      damaged(journal_name_, "the journal is damaged at byte " + std::to_string(from) +
                                 ", and acknowledged events follow, from byte " + std::to_string(at));
    }
  }
  for (int number = 1; !cut_; ++number) {
    const std::string name = journal_name_ + ".cut-" + std::to_string(number);
    const OpenFile kept(name, O_WRONLY | O_CREAT | O_EXCL);
    if (kept.number() < 0 && errno == EEXIST) continue;
    if (kept.number() < 0) fail(name, "cannot keep the end of the journal");
    write_whole(kept.number(), journal.substr(from), name);
    if (retried([&] { return ::fsync(kept.number()); }) != 0 && errno != EINVAL) fail(name, "cannot sync");
    cut_ = Cut{journal.size() - from, name};
  }
  if (!cut_journal(journal_, from)) fail(journal_name_, "cannot cut");
}

LiveBandit::Answer BanditStore::ask() {
  const LiveBandit::Answer answer = bandit_->ask();
  if (!path_.empty()) pending_ += '\0';
  ++events_;
  if (pending_.size() >= largest_frame) commit();
  return answer;
}

void BanditStore::tell(std::uint64_t ticket, double loss) {
  bandit_->tell(ticket, loss);
  if (!path_.empty()) {
    pending_ += '\1';
    put(pending_, ticket, 8);
    put(pending_, std::bit_cast<std::uint64_t>(loss), 8);
  }
  ++events_;
  if (pending_.size() >= largest_frame) commit();
}

void BanditStore::commit() {
  if (path_.empty() || events_ == committed_) return;
  // The first is a snapshot: it notes that there is a journal from now on.
  if (journal_noted_ != headed_journal || events_ - snapshot_at_ >= snapshot_every) return snapshot(true);
  append(frame_of(committed_, pending_));
  committed_ = events_;
  pending_.clear();
}

void BanditStore::append(std::string_view frame) {
  try {
    write_whole(journal_, frame, journal_name_);
    if (sync_ && retried([&] { return ::fdatasync(journal_); }) != 0) fail(journal_name_, "cannot sync");
  } catch (...) {
    // Another try is to find no half of a frame before its own.
    if (!cut_journal(journal_, journal_bytes_)) fail(journal_name_, "cannot cut");
    throw;
  }
  journal_bytes_ += frame.size();
}

void BanditStore::close() {
  if (!path_.empty()) snapshot(false);
}

// The snapshot first, then an empty journal: killed in between, the journal's frames are older than the snapshot.
void BanditStore::snapshot(bool journal) {
  if (journal) begin_journal();
  write_snapshot(journal ? headed_journal : no_journal);
  pending_.clear();
  cut_to(journal ? frame_header : 0);
  headed_ = journal;
}

// Writes the head of the journal, a frame without events, before a snapshot notes the journal: an empty journal has
// then lost something. Meanwhile a snapshot that needs no journal holds all committed events.
void BanditStore::begin_journal() {
  if (headed_) return;
  if (journal_noted_ != no_journal || committed_ != snapshot_at_) write_snapshot(no_journal);
  cut_to(0);
  append(frame_of(0, {}));
  headed_ = true;
}

void BanditStore::write_snapshot(std::uint8_t journal) {
  const std::vector<std::uint8_t> state = bandit_->save();
  std::string behind(1, static_cast<char>(journal)), file;
  behind.append(reinterpret_cast<const char*>(state.data()), state.size());
  put(file, snapshot_magic, 4);
  put(file, events_, 8);
  put(file, checksum(file, behind), 8);
  file += behind;
  write_atomically(path_, {reinterpret_cast<const std::uint8_t*>(file.data()), file.size()});
  journal_noted_ = journal;
  committed_ = snapshot_at_ = events_;
}

void BanditStore::cut_to(std::uint64_t size) {
  if (!cut_journal(journal_, size)) fail(journal_name_, "cannot cut");
  journal_bytes_ = size;
}

}  // namespace halfspace
