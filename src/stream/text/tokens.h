// A text as its tokens: runs of letters and digits, or each letter and digit, in lower case.
//
// ASCII letters and digits are taken, and of all other code points those outside the ranges that hold marks, blanks and
// symbols (tokens.cc); docs/formats/csv.md says which. Lower case is that of ASCII, Latin, Greek, Cyrillic and Armenian,
// by code point: letters composed of several are left as they are. Thread-safety: one thread per object; pure otherwise.
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
  // Takes a text of valid UTF-8. Reuses its memory. Cost O(bytes).
  void read(std::string_view text, TextTokens tokens = TextTokens::words);

  std::size_t size() const noexcept { return bounds_.size(); }
  // Returns how many adjacent tokens there are from this one on; characters of two words are not adjacent.
  std::size_t longest_run(std::size_t first) const { return bounds_[first].last - first; }
  // Returns `count` adjacent tokens, words with a blank between them; valid until the next read.
  std::string_view run(std::size_t first, std::size_t count) const {
    const std::size_t begin = bounds_[first].begin;
    return std::string_view(lower_).substr(begin, bounds_[first + count - 1].end - begin);
  }

 private:
  void make_characters();

  struct Bounds {
    std::size_t begin, end;
    std::size_t last;  // behind the last token that is adjacent
  };
  std::string lower_;  // the tokens, a blank between them
  std::vector<Bounds> bounds_, words_;
};

}  // namespace halfspace::stream
