// Recognises numbers in notations that no table is read in, and numbers among other text.
//
// Thread-safety: pure functions. Cost O(bytes).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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
std::string command_of(std::span<const NumberNotation* const> wanted, const RewrittenCells& cells);

// Returns whether a text is one number or two with marks, brackets or words such as "of": <5, 120/80, 3x4, 7 of 10.
bool holds_a_number(std::string_view text);
// Returns whether the number before a unit is measured, and not the beginning of a code: 5.5N, 5 N, not 12A.
bool is_measured(std::string_view text);

// Recognises numbers with a unit.

// What stands before and after a number: $ of $5, kg of 5 kg.
struct NumberUnit {
  std::string before, after;
  bool other_minus = false, in_brackets = false;  // the number is -5, with the minus sign of mathematics, or ($5)
  bool operator==(const NumberUnit& other) const { return before == other.before && after == other.after; }
};

// Returns the unit of a number: a currency before it, or any word or sign after it.
std::optional<NumberUnit> unit_of(std::string_view text);
// Returns whether this is the unit of a quantity by itself, whatever the other cells hold.
bool is_known_unit(const NumberUnit& unit);
// Returns whether this is a quantity in several units: 5 ft 11 in, 55m 17s, 4'11, 51°28'N.
bool is_of_parts(std::string_view text);
// Returns whether two units are one, spelled in the singular and the plural or in another case.
bool are_one_unit(const NumberUnit& first, const NumberUnit& second);
// Adds a unit to the few that were seen, each once.
void add_unit(const NumberUnit& unit, std::size_t most, std::vector<NumberUnit>& seen);
// Returns a unit as text.
std::string shown_unit(const NumberUnit& unit);
// Returns the command that takes the units out of cells.
std::string command_without_units(std::span<const NumberUnit> units, const RewrittenCells& cells);

}  // namespace halfspace::stream
