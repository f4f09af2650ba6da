// A file or standard input as raw bytes, read in large chunks, with specific errors.
//
// Thread-safety: one thread reads; `done` may be asked from any. Ownership: closes what it opened.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace halfspace::stream {

// Returns the name of the input in errors: the path, or <stdin> for "-".
std::string shown_name(const std::string& path);

class RawFile {
 public:
  // Throws Error(no_input): missing, no permission, a directory.
  RawFile(const std::string& path, const std::atomic<bool>* interrupt);
  ~RawFile();
  RawFile(const RawFile&) = delete;
  RawFile& operator=(const RawFile&) = delete;

  // Returns up to `capacity` bytes, 0 at the end. Throws Error(input_output); Interrupted once the flag is set, unless
  // the file is regular.
  std::size_t read(char* to, std::size_t capacity);
  // Returns the next bytes in an internal buffer, valid until the next call; empty at the end.
  std::string_view next_chunk();
  void rewind();

  const std::string& name() const noexcept { return name_; }
  bool regular() const noexcept { return regular_; }
  std::uint64_t done() const noexcept { return done_.load(std::memory_order_relaxed); }
  std::uint64_t total() const noexcept { return total_; }  // 0: not known
  // Returns whether `path` is the same file.
  bool same_file(const std::string& path) const;

 private:
  std::string name_;
  const std::atomic<bool>* interrupt_;
  int descriptor_ = 0;
  bool regular_ = false, may_wait_ = true;
  std::uint64_t total_ = 0;
  std::uint64_t device_ = 0, inode_ = 0;
  std::atomic<std::uint64_t> done_{0};
  std::unique_ptr<char[]> chunk_;
};

}  // namespace halfspace::stream
