// Which rule: a number that a model file keeps for ever, and a name that the table of rules knows (rule_entry.h).
//
// A rule's number stands in its header, as rule::alma; whoever has the name alone asks rule_named("alma").
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace halfspace {

enum class RuleName : std::uint8_t {};

// Empty for a number that no rule has.
std::string_view name_of(RuleName rule);
// Empty when there is none of that name.
std::optional<RuleName> rule_named(std::string_view name);

}  // namespace halfspace
