// Identifies a rule: a permanent number for model files, and a name from the table of rules (rule_entry.h).
//
// A rule's constant is declared in its header, such as rule::alma; rule_named("alma") finds it by name.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace halfspace {

enum class RuleName : std::uint8_t {};

// Returns an empty name for an unknown number.
std::string_view name_of(RuleName rule);
// Returns nothing for an unknown name.
std::optional<RuleName> rule_named(std::string_view name);

}  // namespace halfspace
