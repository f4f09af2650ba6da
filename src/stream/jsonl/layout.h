// The layout of a line: the bytes between its values. A line with the same layout has the same members in the same
// order, which is known before any of it is parsed as JSON.
//
// A line matches a layout if its quotes, backslashes and control characters come in the same order and the bytes
// between its values are equal. Then it has the same members; only the positions of its values are known: one between
// quotes is a text without escapes, though perhaps invalid UTF-8, and one without quotes may be anything.
//
// Thread-safety: one thread per JsonLayout. Cost O(values), without allocation but for the longest line so far.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stream/jsonl/tokens.h"
#include "stream/text/separators.h"

namespace halfspace::stream {

class JsonLayout {
 public:
  // Clears the layout.
  void clear() { values_ = 0; }
  // Learns the layout of a sound line that begins at `begin`. at[0] and kinds[0] belong to its first separator
  // (find_in_json), and the separators of later lines follow; the values are its tokens in order, none of them an array
  // or an object. Returns false, and holds no layout, if a text has an escape.
  bool learn(std::string_view text, std::size_t begin, const std::uint32_t* at, std::string_view kinds,
             std::span<const JsonToken> values);
  bool known() const { return values_ != 0; }

  // Returns whether a line, given as above, matches the layout; sets the number of its separators.
  bool matches(std::string_view text, std::size_t begin, const std::uint32_t* at, std::string_view kinds);
  std::size_t separators() const { return kinds_.size(); }

  // The positions of the values of the matching line. Those without quotes come first; place(i) lies between
  // bounds()[2i] and bounds()[2i + 1], as read_decimals_between expects.
  std::size_t bare() const { return bare_; }
  std::size_t places() const { return bounds_.size() / 2; }                  // some may belong to no value
  std::uint32_t place_of(std::size_t value) const { return place_[value]; }  // of a value, in the order of the line
  const std::uint32_t* bounds() const { return bounds_.data(); }
  std::string_view at_place(std::string_view text, std::size_t place) const {
    const std::size_t begin = bounds_[2 * place] + std::size_t{1};
    return text.substr(begin, bounds_[2 * place + 1] - begin);
  }

 private:
  // The bytes between two values; it begins `before` bytes before a separator.
  struct Literal {
    std::array<std::uint64_t, 2> bytes, mask;  // of the first 16
    std::uint32_t separator, before, size;
    std::uint32_t begin;  // in text_
  };

  std::string kinds_;              // of the separators of the line
  std::string text_;               // the literals, concatenated
  std::vector<Literal> literals_;  // one before each value, and one after the last
  std::vector<std::uint32_t> place_;
  std::vector<std::uint32_t> bounds_;
  std::size_t values_ = 0, bare_ = 0;
};

}  // namespace halfspace::stream
