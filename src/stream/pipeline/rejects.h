// The file of rejected rows: CSV (RFC 4180 quoting) with the header file,line,column,reason,text.
//
// The text is the record as in the data, byte for byte, without its line end. The file is written atomically.
// Thread-safety: one thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/atomic_file.h"

namespace halfspace::stream {

class Rejects {
 public:
  // Replaces the file at `path` on finish. Throws Error(input_output), as all members do; Interrupted.
  Rejects(const std::string& path, const std::atomic<bool>* interrupt);

  void write(std::string_view file, std::uint64_t line, std::uint64_t column, std::string_view reason,
             std::string_view text);
  void finish();  // commits the file

 private:
  void flush();

  AtomicFile out_;
  std::string pending_;
};

}  // namespace halfspace::stream
