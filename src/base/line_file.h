// A file that grows while its writer works: lines for whoever watches, so it is not written aside and renamed.
//
// What was there stays until the first flush. From then on the file holds whole lines of the new
// run, also when a disk is full; only a process killed in the middle of a write leaves a part of one.
//
// Thread-safety: one thread. Ownership: what was not flushed is lost with the object.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace halfspace {

class LineFile {
 public:
  // Changes nothing in a file that is there. Throws Error(input_output).
  explicit LineFile(std::string path);
  ~LineFile();
  LineFile(const LineFile&) = delete;
  LineFile& operator=(const LineFile&) = delete;

  // Takes whole lines, with their ends; many are kept together. Both throw Error(input_output).
  void write(std::string_view lines);
  void flush();  // the first leaves nothing of what was there

 private:
  [[noreturn]] void fail(const char* what, int error) const;

  std::string path_, pending_;
  int file_ = -1;
  bool made_ = false, begun_ = false;
  std::uint64_t size_ = 0;  // of what was written whole
};

}  // namespace halfspace
