// A file that grows while its writer works: lines for whoever watches, so it is not written aside and renamed.
//
// What was there stays until the first flush. From then on the file holds whole lines of the new
// run, also when a disk is full; only a process killed in the middle of a write leaves a part of one. A pipe
// waits for its reader until the interrupt flag is set.
//
// Thread-safety: one thread. Ownership: what was not flushed is lost with the object.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

namespace halfspace {

class LineFile {
 public:
  // Changes nothing in a file that is there. Throws Error(input_output), or Interrupted.
  LineFile(std::string path, const std::atomic<bool>* interrupt);
  ~LineFile();
  LineFile(const LineFile&) = delete;
  LineFile& operator=(const LineFile&) = delete;

  // Checks that the path can be written: throws what the constructor would. Leaves no file, and does not wait for a
  // reader.
  static void prove(const std::string& path);

  // Takes whole lines, with their ends; many are kept together. Both throw Error(input_output), or Interrupted.
  void write(std::string_view lines);
  void flush();  // the first leaves nothing of what was there

 private:
  [[noreturn]] void fail(const char* what, int error) const;

  std::string path_, pending_;
  const std::atomic<bool>* interrupt_;
  int file_ = -1;
  std::string made_;  // the file created, links followed; empty: it existed
  bool begun_ = false;
  std::uint64_t size_ = 0;  // of what was written whole
};

}  // namespace halfspace
