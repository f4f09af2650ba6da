// All that a person sees: colour, progress, numbers and tables as text. Colour and progress appear on a terminal only,
// and NO_COLOR is kept. Results go to stdout, everything else to stderr.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/printable.h"
#include "report/words.h"

namespace halfspace::cli {

bool stdout_is_terminal();
bool stderr_is_terminal();
// Columns of the terminal behind stdout, from 40 to 120; 80 where it is none.
std::size_t terminal_width();

// Wraps text in a style where `to_stdout`'s stream shows colour; otherwise returns it as it is.
std::string bold(std::string_view text, bool to_stdout = true);
std::string dim(std::string_view text, bool to_stdout = true);
std::string red(std::string_view text, bool to_stdout = true);

// What others wrote, labels and names of files and columns, is shown by printable() or shortened().
using halfspace::printable;

// Numbers in words are those of reports.
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
// Writes so every option that a text of the library names.
std::string with_flags(std::string_view text);

// Cuts text in the middle to at most `width` columns.
std::string shortened(std::string_view text, std::size_t width);

// Says that values belong to features that the model does not know.
std::string unknown_features_note(std::uint64_t values);

// Rows of cells, each column as wide as its widest cell; `left` columns are set left, the others right.
class Table {
 public:
  explicit Table(std::vector<bool> left) : left_(std::move(left)) {}
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  std::string text(std::size_t indent = 2) const;

 private:
  std::vector<bool> left_;
  std::vector<std::vector<std::string>> rows_;
};

// One line on stderr that is written over, at most ten times a second; nothing when stderr is no terminal.
class Progress {
 public:
  explicit Progress(bool wanted);
  ~Progress();
  // Tells whether an update would be shown now: cheap, so that callers may ask for every block.
  bool due();
  void show(const std::string& line);
  void clear();

 private:
  bool shown_ = false, wanted_;
  std::chrono::steady_clock::time_point last_;
};

// Returns "time left 12 s" from a share done and the time it took; empty when nothing can be said.
std::string time_left(double share, double seconds);

}  // namespace halfspace::cli
