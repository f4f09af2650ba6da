// A text as its tokens: runs of letters and digits, or each letter and digit, in lower case.
//
// Takes ASCII letters and digits, and all other code points except the ranges of marks, blanks and symbols (tokens.cc,
// docs/formats/csv.md). Lowercases ASCII, Latin, Greek, Cyrillic and Armenian by code point: composed letters are left
// as they are. Thread-safety: one thread per object; pure otherwise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "halfspace/stream/schema.h"

namespace halfspace::stream {

class Tokens {
 public:
  // Splits a text of valid UTF-8. Reuses its memory. Cost O(bytes).
  void read(std::string_view text, TextTokens tokens = TextTokens::words);

  std::size_t size() const noexcept { return bounds_.size(); }
  // Returns the number of adjacent tokens from this one on; characters of two words are not adjacent.
  std::size_t longest_run(std::size_t first) const { return bounds_[first].last - first; }
  // Returns `count` adjacent tokens, words separated by a blank; valid until the next read.
  std::string_view run(std::size_t first, std::size_t count) const {
    const std::size_t begin = bounds_[first].begin;
    return std::string_view(lower_).substr(begin, bounds_[first + count - 1].end - begin);
  }

 private:
  void make_characters();

  struct Bounds {
    std::size_t begin, end;
    std::size_t last;  // one past the last adjacent token
  };
  std::string lower_;  // the tokens, separated by blanks
  std::vector<Bounds> bounds_, words_;
};

}  // namespace halfspace::stream
