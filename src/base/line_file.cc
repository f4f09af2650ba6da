// Writes lines to a file, many at a time.
#include "base/line_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "base/atomic_file.h"
#include "base/retried.h"
#include "base/waiting.h"
#include "halfspace/base/error.h"

namespace halfspace {
namespace {

constexpr std::size_t most_pending_lines = std::size_t{1} << 16;

}  // namespace

LineFile::LineFile(std::string path, const std::atomic<bool>* interrupt)
    : path_(std::move(path)), interrupt_(interrupt) {
  // Reports a missing folder before the work begins; keeps the file's content.
  file_ = open_to_write(path_, 0, interrupt_);
  if (file_ < 0 && errno == ENOENT) {
    const std::string name = followed(path_);
    file_ = open_to_write(path_, O_CREAT, interrupt_);
    if (file_ >= 0) made_ = name;
  }
  if (file_ < 0) fail("cannot open for writing", errno);
}

LineFile::~LineFile() {
  ::close(file_);
  if (!made_.empty() && !begun_) ::unlink(made_.c_str());
}

void LineFile::prove(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0 && S_ISFIFO(status.st_mode)) return AtomicFile::prove(path);
  const LineFile file(path, nullptr);
}

void LineFile::write(std::string_view lines) {
  pending_ += lines;
  if (pending_.size() >= most_pending_lines) flush();
}

void LineFile::flush() {
  if (pending_.empty() && begun_) return;
  // A pipe or a device cannot be emptied.
  if (!begun_ && retried([&] { return ::ftruncate(file_, 0); }) != 0 && errno != EINVAL) fail("cannot empty", errno);
  begun_ = true;
  for (std::string_view rest = pending_; !rest.empty();) {
    const ::ssize_t written = write_or_leave(file_, rest.data(), rest.size(), interrupt_);
    if (written <= 0) {
      const int error = written < 0 ? errno : ENOSPC;
      // Removes a partial line.
      static_cast<void>(retried([&] { return ::ftruncate(file_, static_cast<::off_t>(size_)); }));
      fail("cannot write", error);
    }
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  size_ += pending_.size();
  pending_.clear();
}

void LineFile::fail(const char* what, int error) const {
  if (error == ECANCELED) throw Interrupted(path_);
  throw Error(ErrorKind::input_output, std::string(what) + ": " + std::generic_category().message(error))
      .at(path_)
      .fix("name a file in a writable folder with free space");
}

}  // namespace halfspace
