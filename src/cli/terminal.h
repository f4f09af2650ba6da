// What a person sees: colour, progress, numbers and tables as text. Colour and progress appear on a terminal only, and
// NO_COLOR is kept. Results go to stdout, everything else to stderr.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace halfspace::cli {

bool stdout_is_terminal();
bool stderr_is_terminal();

// Wraps text in a style where `to_stdout`'s stream shows colour; otherwise returns it as it is.
std::string bold(std::string_view text, bool to_stdout = true);
std::string dim(std::string_view text, bool to_stdout = true);
std::string red(std::string_view text, bool to_stdout = true);

// 1234567 as "1,234,567".
std::string grouped(std::uint64_t number);
// A share as "12.34 %"; "-" when the whole is 0.
std::string percent(double part, double whole);
// A number in at most `digits` significant digits, without a needless exponent.
std::string short_number(double number, int digits = 6);
// Bytes as "1.2 MB".
std::string byte_size(std::uint64_t bytes);
// Seconds as "0.31 s", "12 s", "3 min 20 s".
std::string duration(double seconds);
// Text as a terminal may show it: control bytes as dots.
std::string printable(std::string_view text);
// Cut in the middle to at most `width` columns.
std::string shortened(std::string_view text, std::size_t width);

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
  // Whether an update would be shown now: cheap, so that callers may ask for every block.
  bool due();
  void show(const std::string& line);
  void clear();

 private:
  bool shown_ = false, wanted_;
  std::chrono::steady_clock::time_point last_;
};

// "time left 12 s" from a share done and the time it took; empty when nothing can be said.
std::string time_left(double share, double seconds);

}  // namespace halfspace::cli
