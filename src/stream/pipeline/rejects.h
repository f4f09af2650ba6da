// The file of rows set aside: CSV (RFC 4180 quoting) with the header file,line,column,reason,text.
//
// The text is the record as it stands in the data, byte for byte, without its line end. The file is there whole, or what
// was there before. Thread-safety: one thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/atomic_file.h"

namespace halfspace::stream {

class Rejects {
 public:
  // Replaces what is at `path`, at the end. Throws Error(input_output), as all do; Interrupted.
  Rejects(const std::string& path, const std::atomic<bool>* interrupt);

  void write(std::string_view file, std::uint64_t line, std::uint64_t column, std::string_view reason,
             std::string_view text);
  void finish();  // makes it the file of that name

 private:
  void flush();

  AtomicFile out_;
  std::string pending_;
};

}  // namespace halfspace::stream
