// A log file that others may follow while it grows, so it is not written aside and renamed.
//
// An existing file keeps its content until the first flush. From then on it holds complete lines of the new run, even
// if the disk is full; only a process killed during a write leaves a partial line. A pipe waits for its reader until
// the interrupt flag is set.
//
// Thread-safety: one thread. Ownership: unflushed lines are lost with the object.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

namespace halfspace {

class LineFile {
 public:
  // Keeps an existing file unchanged. Throws Error(input_output), or Interrupted.
  LineFile(std::string path, const std::atomic<bool>* interrupt);
  ~LineFile();
  LineFile(const LineFile&) = delete;
  LineFile& operator=(const LineFile&) = delete;

  // Checks that the path is writable: throws what the constructor would. Leaves no file, and does not wait for a
  // reader.
  static void prove(const std::string& path);

  // Takes complete lines, with their ends, and buffers them. Both throw Error(input_output), or Interrupted.
  void write(std::string_view lines);
  void flush();  // the first replaces the old content

 private:
  [[noreturn]] void fail(const char* what, int error) const;

  std::string path_, pending_;
  const std::atomic<bool>* interrupt_;
  int file_ = -1;
  std::string made_;  // the file created, links followed; empty: it existed
  bool begun_ = false;
  std::uint64_t size_ = 0;  // of the complete lines written
};

}  // namespace halfspace
