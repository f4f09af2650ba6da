// Recognises numbers with a unit.
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
