// Snapshot and journal of a live bandit.
#include "halfspace/model/bandit_store.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>
#include <vector>

#include "halfspace/base/error.h"
#include "halfspace/model/model_file.h"

namespace halfspace {
namespace {

constexpr std::uint32_t snapshot_magic = 0x42535348;  // "HSSB"
constexpr std::uint32_t frame_magic = 0x4a425348;     // "HSBJ"
constexpr std::size_t snapshot_header = 4 + 8 + 8;
constexpr std::size_t frame_header = 4 + 4 + 8 + 8;
constexpr std::size_t largest_frame = std::size_t{1} << 24;  // then it is committed, asked for or not
constexpr std::size_t tell_bytes = 1 + 8 + 8;
constexpr std::uint64_t snapshot_every = 1'000'000;  // events

void put(std::string& to, std::uint64_t value, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) to += static_cast<char>(value >> (8 * i) & 0xff);
}
std::uint64_t get(const char* from, std::size_t bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes; ++i) value |= std::uint64_t{static_cast<unsigned char>(from[i])} << (8 * i);
  return value;
}

std::uint64_t checksum(std::uint64_t count, const char* bytes, std::size_t size) {
  return XXH3_64bits_withSeed(bytes, size, count);
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

std::string whole_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) fail(path, "cannot read");
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace

BanditStore::BanditStore(std::string path, const BanditOptions& options, std::uint64_t seed, bool sync)
    : path_(std::move(path)), sync_(sync) {
  if (path_.empty()) {
    bandit_ = std::make_unique<LiveBandit>(options, seed);
    return;
  }
  try {
    open_journal();
    struct stat status {};
    if (::stat(path_.c_str(), &status) != 0) {
      if (errno != ENOENT) fail(path_, "cannot open");
      if (::lseek(journal_, 0, SEEK_END) != 0)
        damaged(path_, "the journal is here, but not the snapshot it belongs to");
      bandit_ = std::make_unique<LiveBandit>(options, seed);
      snapshot();
      return;
    }
    const std::string file = whole_file(path_);
    if (file.size() < snapshot_header || get(file.data(), 4) != snapshot_magic) damaged(path_, "not a bandit's state");
    committed_ = events_ = snapshot_at_ = get(file.data() + 4, 8);
    const char* const state = file.data() + snapshot_header;
    const std::size_t size = file.size() - snapshot_header;
    if (get(file.data() + 12, 8) != checksum(events_, state, size))
      damaged(path_, "the bandit's state is damaged: its checksum is wrong");
    bandit_ =
        std::make_unique<LiveBandit>(LiveBandit::restore({reinterpret_cast<const std::uint8_t*>(state), size}, path_));
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

void BanditStore::open_journal() {
  const std::string name = path_ + ".journal";
  journal_ = ::open(name.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (journal_ < 0) fail(name, "cannot open");
  if (::flock(journal_, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) fail(name, "cannot lock");
    throw Error(ErrorKind::usage, "another process uses this state")
        .at(path_)
        .fix("stop it, or use another state file");
  }
}

void BanditStore::replay() {
  const std::string name = path_ + ".journal";
  const std::string journal = whole_file(name);
  std::size_t at = 0;
  while (journal.size() - at >= frame_header) {
    const char* const frame = journal.data() + at;
    const std::size_t size = get(frame + 4, 4);
    if (journal.find_first_not_of('\0', at) == std::string::npos) break;  // room that a power cut left unwritten
    if (get(frame, 4) != frame_magic) damaged(name, "the journal is damaged at byte " + std::to_string(at));
    if (journal.size() - at - frame_header < size) break;
    const std::uint64_t first = get(frame + 8, 8);
    const char* event = frame + frame_header;
    if (get(frame + 16, 8) != checksum(first, event, size)) {
      // The last frame may have been under way when the power went; any other was whole once.
      if (at + frame_header + size == journal.size()) break;
      damaged(name, "the journal is damaged: wrong checksum at byte " + std::to_string(at));
    }
    if (first > events_) damaged(name, "events are missing from the journal");
    const char* const end = event + size;
    for (std::uint64_t number = first; event < end; ++number) {
      const bool tells = *event != 0;
      if (tells && static_cast<std::size_t>(end - event) < tell_bytes)
        damaged(name, "an event of the journal is cut off");
      if (number >= events_) {
        try {
          if (tells) {
            double loss;
            const std::uint64_t bits = get(event + 9, 8);
            std::memcpy(&loss, &bits, sizeof loss);
            bandit_->tell(get(event + 1, 8), loss);
          } else {
            bandit_->ask();
          }
        } catch (const Error& error) {
          damaged(name, "the journal does not follow from the state: " + error.message());
        }
        ++events_;
      }
      event += tells ? tell_bytes : 1;
    }
    at += frame_header + size;
  }
  // What is left was being written when the process died, and was never acknowledged.
  if (at < journal.size() && ::ftruncate(journal_, static_cast<::off_t>(at)) != 0) fail(name, "cannot cut");
  committed_ = events_;
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
    std::uint64_t bits;
    std::memcpy(&bits, &loss, sizeof bits);
    put(pending_, bits, 8);
  }
  ++events_;
  if (pending_.size() >= largest_frame) commit();
}

void BanditStore::commit() {
  if (path_.empty() || events_ == committed_) return;
  std::string frame;
  frame.reserve(frame_header + pending_.size());
  put(frame, frame_magic, 4);
  put(frame, pending_.size(), 4);
  put(frame, committed_, 8);
  put(frame, checksum(committed_, pending_.data(), pending_.size()), 8);
  frame += pending_;
  std::size_t written = 0;
  while (written < frame.size()) {
    const ::ssize_t count = ::write(journal_, frame.data() + written, frame.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) fail(path_ + ".journal", "cannot write");
    written += static_cast<std::size_t>(count);
  }
  if (sync_ && ::fdatasync(journal_) != 0) fail(path_ + ".journal", "cannot sync");
  committed_ = events_;
  pending_.clear();
  if (committed_ - snapshot_at_ >= snapshot_every) snapshot();
}

void BanditStore::close() {
  commit();
  if (!path_.empty()) snapshot();
}

// The snapshot first, then an empty journal: killed in between, the journal's frames are older than the snapshot.
void BanditStore::snapshot() {
  const std::vector<std::uint8_t> state = bandit_->save();
  std::string file;
  put(file, snapshot_magic, 4);
  put(file, events_, 8);
  put(file, checksum(events_, reinterpret_cast<const char*>(state.data()), state.size()), 8);
  file.append(reinterpret_cast<const char*>(state.data()), state.size());
  write_atomically(path_, {reinterpret_cast<const std::uint8_t*>(file.data()), file.size()});
  snapshot_at_ = events_;
  if (::ftruncate(journal_, 0) != 0) fail(path_ + ".journal", "cannot cut");
}

}  // namespace halfspace
