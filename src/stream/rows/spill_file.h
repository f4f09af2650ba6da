// A temporary file without a name: written at its end, then mapped.
//
// Thread-safety: one thread writes; the mapping may be read by many. Nothing is left behind however the process ends.
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

  // Returns where the bytes begin. Throws Error(input_output), e.g. when the disk is full.
  std::uint64_t append(const void* data, std::size_t size);
  // Maps all that was written; pointers of an earlier mapping end.
  const std::byte* map();
  // The mapped bytes [begin, begin + size) are not needed for now: the machine may have their memory back. Reading them
  // again is allowed.
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
