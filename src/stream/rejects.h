// The file of rows set aside: CSV (RFC 4180 quoting) with the header file,line,column,reason,text.
//
// The text is the record as it stands in the data, byte for byte, without its line end. Thread-safety: one thread.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>

namespace halfspace::stream {

class Rejects {
 public:
  // Replaces what is at `path`. Throws Error(input_output).
  explicit Rejects(const std::string& path);

  void write(std::string_view file, std::uint64_t line, std::uint64_t column, std::string_view reason,
             std::string_view text);
  void finish();  // all is handed to the system; throws Error(input_output) when something is lost

 private:
  void check();

  std::string path_;
  std::ofstream out_;
};

}  // namespace halfspace::stream
