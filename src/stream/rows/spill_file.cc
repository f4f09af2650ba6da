// A temporary file without a name, written once and then mapped.
#include "stream/rows/spill_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "base/retried.h"
#include "halfspace/base/error.h"

namespace halfspace::stream {

SpillFile::SpillFile(const std::string& folder) : folder_(folder) {
#ifdef O_TMPFILE
  descriptor_ = retried([&] { return ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600); });
#endif
  if (descriptor_ < 0) {  // not every file system has files without a name
    std::string path;
    descriptor_ = retried([&] { return ::mkostemp((path = folder + "/halfspace-XXXXXX").data(), O_CLOEXEC); });
    if (descriptor_ < 0) fail("cannot make a temporary file", errno);
    ::unlink(path.c_str());
  }
}

SpillFile::~SpillFile() {
  unmap();
  ::close(descriptor_);
}

std::uint64_t SpillFile::append(const void* data, std::size_t size) {
  const std::uint64_t begin = size_;
  for (std::size_t written = 0; written < size;) {
    const ssize_t count = retried([&] {
      return ::pwrite(descriptor_, static_cast<const char*>(data) + written, size - written,
                      static_cast<off_t>(begin + written));
    });
    if (count <= 0) fail("cannot write rows to a temporary file", count < 0 ? errno : ENOSPC);
    written += static_cast<std::size_t>(count);
  }
  size_ += size;
  return begin;
}

const std::byte* SpillFile::map() {
  if (mapped_ != size_) {
    unmap();
    void* const mapping = ::mmap(nullptr, size_, PROT_READ, MAP_SHARED, descriptor_, 0);
    if (mapping == MAP_FAILED) fail("cannot map a temporary file", errno);
    mapping_ = mapping;
    mapped_ = size_;
  }
  return static_cast<const std::byte*>(mapping_);
}

void SpillFile::release(std::uint64_t begin, std::uint64_t size) const noexcept {
  if (mapping_ == nullptr) return;
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  const std::uint64_t first = begin / page * page;
  const std::uint64_t last = std::min<std::uint64_t>(begin + size, mapped_);
  if (first < last) ::madvise(static_cast<std::byte*>(mapping_) + first, last - first, MADV_DONTNEED);
}

void SpillFile::unmap() noexcept {
  if (mapping_ != nullptr) ::munmap(mapping_, mapped_);
  mapping_ = nullptr;
  mapped_ = 0;
}

void SpillFile::fail(const char* what, int error) const {
  throw Error(ErrorKind::input_output, std::string(what) + ": " + std::generic_category().message(error))
      .at(folder_)
      .fix("give more memory, or name a folder with room for temporary files");
}

}  // namespace halfspace::stream
