// Reads the raw bytes of a file or of standard input.
#include "stream/source/raw_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "base/retried.h"
#include "base/waiting.h"
#include "halfspace/base/error.h"

namespace halfspace::stream {
namespace {

constexpr std::size_t chunk_bytes = std::size_t{256} << 10;

std::string system_reason(int error) { return std::generic_category().message(error); }

}  // namespace

std::string shown_name(const std::string& path) { return path == "-" ? "<stdin>" : path; }

RawFile::RawFile(const std::string& path, const std::atomic<bool>* interrupt)
    : name_(shown_name(path)), interrupt_(interrupt) {
  if (path != "-") {
    descriptor_ = open_to_read(path);
    if (descriptor_ < 0) {
      const int error = errno;
      throw Error(ErrorKind::no_input, "cannot open: " + system_reason(error))
          .at(name_)
          .fix(error == ENOENT ? "check the path" : "check the permissions of the file and its folders");
    }
  }
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) {
    const int error = errno;
    if (path != "-") ::close(descriptor_);
    throw Error(ErrorKind::no_input, "cannot be inspected: " + system_reason(error)).at(name_).fix("check the disk");
  }
  if (S_ISDIR(status.st_mode)) {
    if (path != "-") ::close(descriptor_);
    throw Error(ErrorKind::no_input, "is a folder, not a file").at(name_).fix("name a file in it");
  }
  // Standard input may have been read from already, so its beginning is unknown even if it is a regular file.
  regular_ = path != "-" && S_ISREG(status.st_mode);
  may_wait_ = !S_ISREG(status.st_mode);
  total_ = S_ISREG(status.st_mode) ? static_cast<std::uint64_t>(status.st_size) : 0;
  device_ = static_cast<std::uint64_t>(status.st_dev);
  inode_ = static_cast<std::uint64_t>(status.st_ino);
  if (regular_) ::posix_fadvise(descriptor_, 0, 0, POSIX_FADV_SEQUENTIAL);
}

RawFile::~RawFile() {
  if (descriptor_ != 0) ::close(descriptor_);
}

std::size_t RawFile::read(char* to, std::size_t capacity) {
  const ssize_t got = may_wait_ ? read_or_leave(descriptor_, to, capacity, interrupt_)
                                : retried([&] { return ::read(descriptor_, to, capacity); });
  if (got < 0 && errno == ECANCELED) throw Interrupted(name_);
  if (got < 0) {
    throw Error(ErrorKind::input_output, "cannot read at byte " + std::to_string(done()) + ": " + system_reason(errno))
        .at(name_)
        .fix("check the disk");
  }
  done_.fetch_add(static_cast<std::uint64_t>(got), std::memory_order_relaxed);
  return static_cast<std::size_t>(got);
}

std::string_view RawFile::next_chunk() {
  if (!chunk_) chunk_ = std::make_unique_for_overwrite<char[]>(chunk_bytes);
  return {chunk_.get(), read(chunk_.get(), chunk_bytes)};
}

void RawFile::rewind() {
  if (::lseek(descriptor_, 0, SEEK_SET) != 0) {
    throw Error(ErrorKind::input_output, "cannot seek to its beginning: " + system_reason(errno)).at(name_);
  }
  done_.store(0, std::memory_order_relaxed);
}

bool RawFile::same_file(const std::string& path) const {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && static_cast<std::uint64_t>(status.st_dev) == device_ &&
         static_cast<std::uint64_t>(status.st_ino) == inode_;
}

}  // namespace halfspace::stream
