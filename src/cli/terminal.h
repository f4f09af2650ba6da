// Terminal output: colour, progress, numbers and tables as text. Colour and progress appear on a terminal only, and
// NO_COLOR disables colour. Results go to stdout, everything else to stderr.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/printable.h"
#include "base/text_style.h"
#include "base/text_table.h"
#include "report/results/words.h"

namespace halfspace::cli {

bool stdout_is_terminal();
bool stderr_is_terminal();
// Returns the columns of stdout's terminal, from 40 to 120; 80 if stdout is not a terminal.
std::size_t terminal_width();

// Returns the style of texts on stdout or stderr: with colour if the stream shows it, and options as flags.
TextStyle style_of(bool to_stdout = true);
// Wraps text in a style if the stream shows colour (stdout if `to_stdout`, else stderr); otherwise returns it as it is.
std::string bold(std::string_view text, bool to_stdout = true);
std::string dim(std::string_view text, bool to_stdout = true);
std::string red(std::string_view text, bool to_stdout = true);

// Text of unknown origin, such as labels and names of files and columns, is shown by printable() or shortened().
using halfspace::printable;
using halfspace::shortened;
using Table = halfspace::TextTable;

// Numbers are formatted as in reports.
using report::byte_size;
using report::counted;
using report::duration;
using report::grouped;
using report::new_rows_words;
using report::percent;
using report::rounded_up;
using report::short_number;

// Writes an option of the library as a flag: "--rate", "--rule minnow".
std::string as_flag(std::string_view name, std::string_view value);
// Writes every option that a text of the library names as a flag.
std::string with_flags(std::string_view text);

// Returns a note that values belong to features unknown to the model.
std::string unknown_features_note(std::uint64_t values);

// One line on stderr that is overwritten at most ten times a second; nothing if stderr is not a terminal.
class Progress {
 public:
  explicit Progress(bool wanted);
  ~Progress();
  // Returns true if an update would be shown now; cheap enough to call for every block.
  bool due();
  void show(const std::string& line);
  void clear();

 private:
  bool shown_ = false, wanted_;
  std::chrono::steady_clock::time_point last_;
};

// Returns "12 s left" from the share done and the elapsed time; empty if it cannot be estimated.
std::string time_left(double share, double seconds);

}  // namespace halfspace::cli
