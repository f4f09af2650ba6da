// The one exception type of the library.
//
// The library never prints, aborts, exits or reads the environment: it throws `Error`. An error about an input names
// the file, the line and the column (1-based, in bytes), shows the text, and gives the reason and a fix. The command
// line maps `kind` to an exit code (2 usage, 65 data, 66 no input, 70 internal, 74 input_output).
//
// The library does not know how its caller writes an option, so messages name one by option(), and each interface
// renders it in its own way: a C++ reader of what() sees `rate`, a user of the command `--rate`.
//
// Thread-safety: a value type. Ownership: owns its strings.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace halfspace {

enum class ErrorKind : std::uint8_t {
  usage = 2,          // the caller's options are invalid
  data = 65,          // the input is wrong: a row, a model, a certificate
  no_input = 66,      // the input does not exist or may not be read
  internal = 70,      // a bug in Halfspace; never reachable by input alone
  input_output = 74,  // the machine failed: disk full, read error
};

// Names an option, or an option and a value of it, inside the message or the fix of an Error:
//   throw Error(ErrorKind::usage, option("rate") + " must be a positive number").fix("leave out " + option("rate"));
std::string option(std::string_view name, std::string_view value = {});

// An option that a text names, and its value, empty without one.
struct NamedOption {
  std::string name, value;
  bool operator==(const NamedOption&) const = default;
};
// Returns what a fix proposes: the first option() in it, with those that directly follow after one blank each. Later
// ones are alternatives.
std::vector<NamedOption> proposed_options(std::string_view fix);

// How an interface writes an option: ("rate", "") -> "--rate", ("rule", "minnow") -> "--rule minnow".
using OptionStyle = std::function<std::string(std::string_view name, std::string_view value)>;

// Returns the text with every option() rendered in this style; without a style as `name` or `name value`.
std::string render_options(std::string_view text, const OptionStyle& style = {});

class Error : public std::exception {
 public:
  Error(ErrorKind kind, std::string message);

  // Each returns *this, so that an error can be built in one expression.
  Error&& at(std::string file, std::uint64_t line = 0, std::uint64_t column = 0) &&;
  Error&& showing(std::string text) &&;  // the offending line; `column` points into it
  Error&& fix(std::string hint) &&;      // what the user can do about it
  Error&& note(std::string note) &&;     // what happened to the work; the last line

  const char* what() const noexcept override { return rendered_.c_str(); }
  // Returns the text of what(), with options in this style.
  std::string what(const OptionStyle& style) const;

  ErrorKind kind() const noexcept { return kind_; }
  const std::string& file() const noexcept { return file_; }
  std::uint64_t line() const noexcept { return line_; }             // 0: not about a line
  std::uint64_t column() const noexcept { return column_; }         // 0: not about a column
  const std::string& message() const noexcept { return message_; }  // options as option() encoded them
  const std::string& text() const noexcept { return text_; }
  const std::string& hint() const noexcept { return hint_; }
  const std::string& last_line() const noexcept { return note_; }

 private:
  void render();

  ErrorKind kind_;
  std::string file_, message_, text_, hint_, note_, rendered_;
  std::uint64_t line_ = 0, column_ = 0;
};

// Thrown when an interrupt flag ends a wait for the other end of a pipe, for a terminal or a socket. Its kind is
// input_output.
class Interrupted : public Error {
 public:
  // `file`: the file that was read or written.
  explicit Interrupted(std::string file);
};

}  // namespace halfspace
