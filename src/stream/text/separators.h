// Finds the positions of all bytes that can end a field, 64 bytes at a time, so that a parser knows the ends of many
// numbers before it parses the first, and parses several at once.
//
// Thread-safety: one thread per object. Cost O(size); memory is reused from text to text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace halfspace::stream {

class Separators {
 public:
  // Separator i is the byte kind()[i] at text[at()[i]]; at()[-1] is -1, as if one preceded the text. A line end is
  // added after a text that does not end with one. After the last, `padding` more may be read: positions at the end of
  // the text, bytes that are no separator.
  std::size_t count() const noexcept { return count_; }
  std::uint32_t* at() const noexcept { return at_.get() + 1; }
  const char* kind() const noexcept { return kind_.get(); }

  static constexpr std::size_t padding = 32;
  static constexpr std::size_t most_text = std::size_t{1} << 30;

  // Finds those of LIBSVM: everything up to the space, the colon, and # for comments.
  void find_in_libsvm(std::string_view text);
  // Finds those of Vowpal Wabbit's text: everything up to the space, the colon and the bar.
  void find_in_vw(std::string_view text);
  // Finds what shapes a line of JSON Lines: quotes, backslashes and control characters.
  void find_in_json(std::string_view text);
  // Finds those of CSV: the delimiter, the line end, the quote.
  void find_in_csv(std::string_view text, char delimiter);
  // Finds those of CSV with runs of blanks as delimiters: the last blank of each run, as a space, except at either end
  // of a line; and every other control character, which is no delimiter.
  void find_in_blanks(std::string_view text);

 private:
  void reserve(std::size_t size);
  void finish(std::string_view text);
  void join_blanks();

  std::unique_ptr<std::uint32_t[]> at_;
  std::unique_ptr<char[]> kind_;
  std::size_t capacity_ = 0, count_ = 0;
};

// Returns the number of line ends.
std::size_t count_line_ends(std::string_view text);

// Splits a text into windows of lines: the longest prefix of whole lines of at most `window` bytes, or the first line
// if it is longer.
std::string_view first_lines(std::string_view text, std::size_t window);

}  // namespace halfspace::stream
