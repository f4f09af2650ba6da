// Writes a file completely or not at all: an unnamed file (O_TMPFILE) in the same folder is written and synced, linked
// to a temporary name, renamed over the target, and the folder synced.
//
// A killed process leaves no files, except if it dies between link and rename, or if the file system has no unnamed
// files: then one file .halfspace-HASH-N.tmp remains, where HASH is that of the target's name. Nothing reads it, and
// the next save of the same target removes it. A lock (flock) protects the temporary file of a running process.
//
// A new file has the permissions that the umask leaves, an existing one keeps its own; links are followed. A path that
// is not a regular file (a pipe, a device, /dev/stdout) is written directly; a pipe waits for its reader until the
// interrupt flag is set. All functions throw Error(input_output), or Interrupted.
//
// Thread-safety: one thread. Ownership: the destructor removes an uncommitted file.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <span>
#include <string>

namespace halfspace {

// Returns the path with symbolic links followed; the file need not exist. A path that does not name a file, such as
// /dev/stdout, is returned unchanged.
std::string followed(const std::string& path);
// Returns true if the path leads to an open file, as /dev/stdout does, and not to a name in a folder.
bool is_open_file(const std::string& path);

class AtomicFile {
 public:
  // `mode`: of a new file, less what the umask takes away.
  AtomicFile(std::string path, const std::atomic<bool>* interrupt, ::mode_t mode = 0666);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  // Checks that the path is writable: throws what the constructor or commit() would. Leaves no file, and does not wait
  // for a reader.
  static void prove(const std::string& path);

  void write(std::span<const std::uint8_t> bytes);
  // Replaces the path's file by what was written.
  void commit();

 private:
  void open_aside(::mode_t mode);
  void give_name();

  std::string path_;    // as given
  std::string target_;  // links followed; empty: written to directly
  std::string aside_;   // the temporary name, once it has one
  const std::atomic<bool>* interrupt_;
  int file_ = -1;
};

}  // namespace halfspace
