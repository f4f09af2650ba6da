// How a line is laid out: the bytes between its values, by which the next line is told to have the same members in the
// same order, before any of it is read as JSON.
//
// A line is of a layout when its quotes, backslashes and control characters come in the same order, and the bytes between
// its values are the same. Then it has the same members; what its values are is not known by that, only where they are:
// one between quotes is a text without escapes, though perhaps no UTF-8, and one without quotes may be anything.
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
  // Forgets the line.
  void clear() { values_ = 0; }
  // Learns from a sound line that begins at `begin`. at[0] and kinds[0] are of its first separator (find_in_json), and
  // there are those of more lines behind them; the values are its tokens in order, none of which is an array or an
  // object. Gives false, and knows none, where a text has an escape.
  bool learn(std::string_view text, std::size_t begin, const std::uint32_t* at, std::string_view kinds,
             std::span<const JsonToken> values);
  bool known() const { return values_ != 0; }

  // Tells whether a line, given as above, is of the layout, and how many separators it has then.
  bool matches(std::string_view text, std::size_t begin, const std::uint32_t* at, std::string_view kinds);
  std::size_t separators() const { return kinds_.size(); }

  // The places of the values of the line that matched. Those without quotes come first; place(i) lies between
  // bounds()[2i] and bounds()[2i + 1], so that read_decimals_between takes them.
  std::size_t bare() const { return bare_; }
  std::size_t places() const { return bounds_.size() / 2; }                  // a few of them may be no value's
  std::uint32_t place_of(std::size_t value) const { return place_[value]; }  // of a value, in the order of the line
  const std::uint32_t* bounds() const { return bounds_.data(); }
  std::string_view at_place(std::string_view text, std::size_t place) const {
    const std::size_t begin = bounds_[2 * place] + std::size_t{1};
    return text.substr(begin, bounds_[2 * place + 1] - begin);
  }

 private:
  // What stands between two values; `before` so many bytes before a separator.
  struct Literal {
    std::array<std::uint64_t, 2> bytes, mask;  // of the first 16
    std::uint32_t separator, before, size;
    std::uint32_t begin;  // in text_
  };

  std::string kinds_;              // of the separators of the line
  std::string text_;               // the literals, one behind the other
  std::vector<Literal> literals_;  // one before each value, and the last behind all
  std::vector<std::uint32_t> place_;
  std::vector<std::uint32_t> bounds_;
  std::size_t values_ = 0, bare_ = 0;
};

}  // namespace halfspace::stream
