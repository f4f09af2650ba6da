// A temporary file without a name: written at its end, then mapped.
//
// Thread-safety: one thread writes; the mapping may be read by many. The file is unlinked at once: nothing remains
// however the process ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace halfspace::stream {

class SpillFile {
 public:
  explicit SpillFile(const std::string& folder);  // throws Error(input_output)
  ~SpillFile();
  SpillFile(const SpillFile&) = delete;
  SpillFile& operator=(const SpillFile&) = delete;

  // Returns the offset of the bytes. Throws Error(input_output), for instance if the disk is full.
  std::uint64_t append(const void* data, std::size_t size);
  // Maps everything written; invalidates pointers into an earlier mapping.
  const std::byte* map();
  // Hints that the mapped bytes [begin, begin + size) are not needed for now, so the system may reclaim their memory.
  // They can still be read.
  void release(std::uint64_t begin, std::uint64_t size) const noexcept;
  std::uint64_t size() const noexcept { return size_; }

 private:
  void unmap() noexcept;
  [[noreturn]] void fail(const char* what, int error) const;

  std::string folder_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  void* mapping_ = nullptr;
  std::size_t mapped_ = 0;
};

}  // namespace halfspace::stream
