// Recognises numbers with a unit.
//
// Thread-safety: pure functions. Cost O(bytes).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace halfspace::stream {

// What stands before and after a number: $ of $5, kg of 5 kg.
struct NumberUnit {
  std::string before, after;
  bool operator==(const NumberUnit&) const = default;
};

// Returns the unit of a number: a currency before it, or any word or sign after it.
std::optional<NumberUnit> unit_of(std::string_view text);
// Returns whether this is the unit of a quantity by itself, whatever the other cells hold.
bool is_known_unit(const NumberUnit& unit);
// Returns whether this is a quantity in several units: 5 ft 11 in, 55m 17s, 4'11, 51°28'N.
bool is_of_parts(std::string_view text);
// Returns whether two units are one, spelled in the singular and the plural or in another case.
bool are_one_unit(const NumberUnit& first, const NumberUnit& second);
// Returns a unit as text.
std::string shown_unit(const NumberUnit& unit);
// Returns the command that takes the units out of a file.
std::string command_without_units(std::span<const NumberUnit> units);

}  // namespace halfspace::stream
