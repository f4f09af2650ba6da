// Writes and reads frames, checks them, and repairs an end torn by a kill.
#include "base/journal.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <limits>
#include <system_error>
#include <utility>

#include "base/retried.h"
#include "base/whole_file.h"
#include "halfspace/base/error.h"

namespace halfspace {
namespace {

[[noreturn]] void fail_journal(const std::string& path, const char* what, const char* fix) {
  throw Error(ErrorKind::input_output, std::string(what) + ": " + std::generic_category().message(errno))
      .at(path)
      .fix(fix);
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

bool write_whole(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ::ssize_t count = retried([&] { return ::write(file, bytes.data(), bytes.size()); });
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

bool truncate_to(int file, std::uint64_t size) {
  return retried([&] { return ::ftruncate(file, static_cast<::off_t>(size)); }) == 0;
}

}  // namespace

Journal::Journal(std::string path, const Kind& kind) : path_(std::move(path)), kind_(kind) {}

Journal::~Journal() {
  if (file_ >= 0) ::close(file_);
}

void Journal::damaged(const std::string& what) const {
  throw Error(ErrorKind::data, what).at(path_).fix(kind_.if_damaged);
}

Journal::Opened Journal::open(bool make) {
  const int flags = O_RDWR | O_APPEND | O_CLOEXEC | (make ? O_CREAT : 0);
  file_ = retried([&] { return ::open(path_.c_str(), flags, 0666); });
  if (file_ < 0 && errno == ENOENT && !make) return Opened::missing;
  if (file_ < 0) fail_journal(path_, "cannot open", kind_.if_it_fails);
  struct stat status {};
  if (::fstat(file_, &status) != 0) fail_journal(path_, "cannot be inspected", kind_.if_it_fails);
  if (!S_ISREG(status.st_mode))
    throw Error(ErrorKind::usage, "a journal must be a regular file").at(path_).fix("remove it");
  if (retried([&] { return ::flock(file_, LOCK_EX | LOCK_NB); }) == 0) return Opened::yes;
  if (errno != EWOULDBLOCK) fail_journal(path_, "cannot lock", kind_.if_it_fails);
  return Opened::in_use;
}

bool Journal::empty() const {
  return ::lseek(file_, 0, SEEK_END) == 0;
}

std::optional<Journal::Cut> Journal::replay(bool must_have_head, const std::function<void(const Frame&)>& each) {
  const std::string text = whole_file(path_, nullptr);
  const std::optional<Frame> first = frame_at(text, 0);
  has_head_ = first && first->record.empty();
  if (must_have_head && !has_head_) {
    damaged(std::string(text.empty() ? "the journal is empty" : "the beginning of the journal is missing") +
            ", and may have held acknowledged events");
  }
  std::size_t at = 0;
  for (std::optional<Frame> frame; (frame = frame_at(text, at)); at += frame_header + frame->record.size())
    each(*frame);
  std::optional<Cut> cut;
  if (at < text.size()) cut = cut_off(text, at);
  size_ = at;
  return cut;
}

Journal::Cut Journal::cut_off(std::string_view text, std::size_t from) {
  for (std::size_t at = from + 1; at < text.size(); ++at) {
    if (frame_at(text, at)) {
      damaged("the journal is damaged at byte " + std::to_string(from) +
              ", and acknowledged events follow, from byte " + std::to_string(at));
    }
  }
  for (int number = 1;; ++number) {
    const std::string name = path_ + ".cut-" + std::to_string(number);
    const OpenFile kept(name, O_WRONLY | O_CREAT | O_EXCL);
    if (kept.number() < 0 && errno == EEXIST) continue;
    if (kept.number() < 0) fail_journal(name, "cannot keep the end of the journal", kind_.if_it_fails);
    if (!write_whole(kept.number(), text.substr(from))) fail_journal(name, "cannot write", kind_.if_it_fails);
    if (retried([&] { return ::fsync(kept.number()); }) != 0 && errno != EINVAL)
      fail_journal(name, "cannot sync", kind_.if_it_fails);
    cut_to(from);
    return {text.size() - from, name};
  }
}

void Journal::begin(bool sync) {
  cut_to(0);
  append(0, {}, sync);
  has_head_ = true;
}

void Journal::append(std::uint64_t number, std::string_view record, bool sync) {
  if (record.size() > std::numeric_limits<std::uint32_t>::max()) {
    throw Error(ErrorKind::usage, "a record of a journal has at most 4294967295 bytes")
        .at(path_)
        .fix("append it in pieces");
  }
  std::string frame;
  frame.reserve(frame_header + record.size());
  append_frame(kind_.magic, number, record, frame);
  try {
    if (!write_whole(file_, frame)) fail_journal(path_, "cannot write", kind_.if_it_fails);
    if (sync && retried([&] { return ::fdatasync(file_); }) != 0) fail_journal(path_, "cannot sync", kind_.if_it_fails);
  } catch (...) {
    // Removes a partial frame, so that a retry does not append after it.
    if (!truncate_to(file_, size_)) fail_journal(path_, "cannot cut", kind_.if_it_fails);
    throw;
  }
  size_ += frame.size();
}

void Journal::clear(bool keep_head) {
  cut_to(keep_head ? frame_header : 0);
  has_head_ = keep_head;
}

void Journal::cut_to(std::uint64_t size) {
  if (!truncate_to(file_, size)) fail_journal(path_, "cannot cut", kind_.if_it_fails);
  size_ = size;
}

}  // namespace halfspace
