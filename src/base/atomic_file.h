// Writing a file whole or not at all: a temporary file in the same folder, synced, renamed over the target, the folder
// synced. A process that dies in between leaves at most a file named .halfspace-PID-N.tmp, which nothing reads; a later
// save takes another number.
//
// A new file has the permissions that the umask leaves, one that was there keeps its own; links are followed. What is
// no regular file (a pipe, a device, /dev/stdout) is written to directly. Everything throws Error(input_output).
//
// Thread-safety: one thread. Ownership: what was not committed is removed with the object.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace halfspace {

// Returns the path when symbolic links are followed; the file need not be there. What is no name of a file, as
// /dev/stdout, stays as it is.
std::string followed(const std::string& path);

class AtomicFile {
 public:
  explicit AtomicFile(std::string path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::span<const std::uint8_t> bytes);
  // Makes the path hold what was written, from now on.
  void commit();

 private:
  std::string path_;                // as it was given
  std::string target_, temporary_;  // empty: written to directly
  int file_ = -1;
};

}  // namespace halfspace
