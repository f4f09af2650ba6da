// Evidence that labels are no classes: they look like quantities, name the rows, or spell one class in two ways.
//
// Applied to the first rows, before training, and to all of them. Thread-safety: pure functions. Cost O(bytes of the
// labels) and a sort.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "halfspace/stream/schema.h"
#include "halfspace/stream/survey.h"

namespace halfspace::stream {

struct LabelCount {
  std::string_view text;
  std::uint64_t rows = 0, first_row = 0;
};

struct LabelDoubt {
  SurveyNote::About about = SurveyNote::About::label;
  std::string text, fix;
  // With this many values, training on each as a class is expensive and pointless: rejected unless the user insists.
  bool too_many = false;
};

// More values of a quantity than this are too many.
inline constexpr std::size_t most_values = 100;

struct LabelSource {
  std::string column{};     // the label's column; empty: it has no name
  bool in_table = false;    // another column may be named
  bool first_rows = false;  // there may be more rows
  LabelsAre are = LabelsAre::texts;
};

// Returns doubts about labels with these row counts, the most important first.
std::vector<LabelDoubt> doubts_of(std::span<const LabelCount> labels, std::uint64_t rows, const LabelSource& source);

// Returns a doubt about labels of a format whose labels are numbers: three spellings of one class or more.
std::optional<LabelDoubt> doubt_of_one_class(std::span<const LabelCount> labels);

// Returns the entry of `known` from which a text differs only in spelling, and how; empty if there is none.
struct Spelling {
  std::string known, how;
};
Spelling spelled_alike(std::string_view text, std::span<const std::string> known);

}  // namespace halfspace::stream
