// Recognises numbers in notations that no table is read in, and numbers among other text.
//
// Thread-safety: pure functions. Cost O(bytes).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "stream/text/cell_commands.h"

namespace halfspace::stream {

// A way to write numbers that is not read, and how to rewrite a file.
struct NumberNotation {
  std::string_view words;
  bool (*fits)(std::string_view text);
  std::string_view edits;  // of any part of a line; empty: whole cells that match `pattern` are replaced by `value`
  std::string_view pattern{}, value{};
  std::string_view remark{};      // what the command decides
  bool of_several_units = false;  // one unit alone is a measure: W of watts, not of west
};
inline constexpr std::size_t notation_count = 18;
std::span<const NumberNotation, notation_count> number_notations();

// Returns the command that rewrites the numbers in cells.
std::string command_of(std::span<const NumberNotation* const> notations, const RewrittenCells& cells);

// Returns whether a text is one number or two with marks, brackets or words such as "of": <5, 120/80, 3x4, 7 of 10.
bool holds_a_number(std::string_view text);
// Returns whether the number before a unit is measured, and not the beginning of a code: 5.5N, 5 N, not 12A.
bool is_measured(std::string_view text);

}  // namespace halfspace::stream
