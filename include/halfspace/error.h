// The one exception type of the library.
//
// The library never prints, aborts, exits or reads the environment: it throws `Error`. An error about an input names
// the file, the line and the column (1-based, in bytes), shows the text, gives the reason and says what to do. The
// command line maps `kind` to an exit code (2 usage, 65 data, 66 no input, 70 internal, 74 input_output).
//
// Thread-safety: a value type. Ownership: owns its strings.
#pragma once

#include <cstdint>
#include <exception>
#include <string>

namespace halfspace {

enum class ErrorKind : std::uint8_t {
  usage = 2,          // the caller asked for something that makes no sense
  data = 65,          // the input is wrong: a row, a model, a certificate
  no_input = 66,      // the input is not there or may not be read
  internal = 70,      // a bug in Halfspace; never reachable by input alone
  input_output = 74,  // the machine failed us: disk full, read error
};

class Error : public std::exception {
 public:
  Error(ErrorKind kind, std::string message);

  // Each returns *this, so that an error can be built in one expression.
  Error&& at(std::string file, std::uint64_t line = 0, std::uint64_t column = 0) &&;
  Error&& showing(std::string text) &&;  // the offending line; `column` points into it
  Error&& fix(std::string hint) &&;      // what the user can do about it
  Error&& note(std::string note) &&;     // what became of the work, in the caller's words; the last line

  const char* what() const noexcept override { return rendered_.c_str(); }

  ErrorKind kind() const noexcept { return kind_; }
  const std::string& file() const noexcept { return file_; }
  std::uint64_t line() const noexcept { return line_; }      // 0: not about a line
  std::uint64_t column() const noexcept { return column_; }  // 0: not about a column
  const std::string& message() const noexcept { return message_; }
  const std::string& text() const noexcept { return text_; }
  const std::string& hint() const noexcept { return hint_; }

 private:
  void render();

  ErrorKind kind_;
  std::string file_, message_, text_, hint_, note_, rendered_;
  std::uint64_t line_ = 0, column_ = 0;
};

}  // namespace halfspace
