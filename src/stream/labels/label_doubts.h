// What speaks against labels being classes: they look like quantities, name the rows, or are one class in two spellings.
//
// The same is asked of the first rows, before anything is learned, and of all of them. Thread-safety: pure functions.
// Cost O(bytes of the labels) and a sort.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "halfspace/stream/survey.h"

namespace halfspace::stream {

struct LabelCount {
  std::string_view text;
  std::uint64_t rows = 0, first_row = 0;
};

struct LabelDoubt {
  SurveyNote::About about = SurveyNote::About::label;
  std::string text, fix;
  // So many values that to learn each as a class costs much and is for nothing: refused unless the user insists.
  bool too_many = false;
};

// More values of a quantity than this are too many.
inline constexpr std::size_t most_values = 100;

struct LabelSource {
  std::string column{};     // where the labels stand; empty: that has no name
  bool in_table = false;    // another column may be named
  bool first_rows = false;  // there may be more rows than these
};

// Returns what is odd about labels that so many rows have, what matters most first.
std::vector<LabelDoubt> doubts_of(std::span<const LabelCount> labels, std::uint64_t rows, const LabelSource& source);

// Returns the one of `known` from which a text differs by its spelling alone, and how; empty: there is none.
struct Spelling {
  std::string known, how;
};
Spelling spelled_alike(std::string_view text, std::span<const std::string> known);

}  // namespace halfspace::stream
