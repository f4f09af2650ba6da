// Writing a file whole or not at all: an unnamed file (O_TMPFILE) in the same folder is written and synced, linked to a
// temporary name, renamed over the target, and the folder synced.
//
// A killed process leaves no files, except if it dies between link and rename, or if the file system has no unnamed
// files: then one file .halfspace-HASH-N.tmp remains, HASH being that of the target's name. Nothing reads it, and the
// next save of the same target removes it. A lock (flock) protects the temporary file of a running process.
//
// A new file has the permissions that the umask leaves, an existing one keeps its own; links are followed. What is no
// regular file (a pipe, a device, /dev/stdout) is written directly; a pipe waits for its reader until the interrupt
// flag is set. All functions throw Error(input_output), or Interrupted.
//
// Thread-safety: one thread. Ownership: what was not committed is removed with the object.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <span>
#include <string>

namespace halfspace {

// Returns the path when symbolic links are followed; the file need not be there. What is no name of a file, as
// /dev/stdout, stays as it is.
std::string followed(const std::string& path);
// Returns whether the path leads to an open file, as /dev/stdout does, and not to a name in a folder.
bool is_open_file(const std::string& path);

class AtomicFile {
 public:
  AtomicFile(std::string path, const std::atomic<bool>* interrupt);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  // Checks that the path can be written: throws what the constructor or commit() would. Leaves no file, and does not
  // wait for a reader.
  static void prove(const std::string& path);

  void write(std::span<const std::uint8_t> bytes);
  // Makes the path hold what was written, from now on.
  void commit();

 private:
  void open_aside(::mode_t mode);
  void give_name();

  std::string path_;    // as it was given
  std::string target_;  // links followed; empty: written to directly
  std::string aside_;   // the temporary name, once there is one
  const std::atomic<bool>* interrupt_;
  int file_ = -1;
};

}  // namespace halfspace
