// Helpers to examine the first lines of a text, by which formats are recognised. Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace halfspace::stream {

inline constexpr std::string_view line_blanks = " \t\r";

// Removes and returns the next word of a line; empty: there is none.
inline std::string_view next_word(std::string_view& line) {
  const std::size_t begin = line.find_first_not_of(line_blanks);
  if (begin == std::string_view::npos) return {};
  line.remove_prefix(begin);
  const std::string_view word = line.substr(0, line.find_first_of(line_blanks));
  line.remove_prefix(word.size());
  return word;
}

// Removes and returns the next line of a text, without trailing blanks.
inline std::string_view next_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line.substr(0, line.find_last_not_of(line_blanks) + 1);
}

// Does the same for the next nonblank line; empty: there is none.
inline std::string_view next_line_with_words(std::string_view& text) {
  while (!text.empty()) {
    const std::string_view line = next_line(text);
    if (!line.empty()) return line;
  }
  return {};
}

inline constexpr std::size_t most_first_lines = 100;  // that show the format

// Returns the first nonblank lines of a text.
inline std::vector<std::string_view> first_lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::string_view line; lines.size() < most_first_lines && !(line = next_line_with_words(text)).empty();)
    lines.push_back(line);
  return lines;
}

// Calls f(line) for the first nonblank lines until it returns false; returns whether it never did.
template <class F>
bool all_first_lines(std::string_view text, F&& f) {
  constexpr std::size_t looked_at = 20;
  std::string_view line;
  for (std::size_t lines = 0; lines < looked_at && !(line = next_line_with_words(text)).empty(); ++lines) {
    if (!f(line)) return false;
  }
  return true;
}

}  // namespace halfspace::stream
