// Numbers as people write them: with a decimal comma, and with marks between groups of three digits.
//
// Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "stream/text/number.h"

namespace halfspace::stream {

// Parses a number with this decimal mark, '.' or ','.
NumberProblem parse_marked(std::string_view text, char decimal, double& value);

// Turns 1,234.5 into 1234.5; returns false unless the marks separate groups of three digits, the first of one to three.
bool join_groups(std::string& text, char mark);

// Returns whether a text is a number with a decimal comma.
bool has_decimal_comma(std::string_view text);
// Returns whether a text is a number only if this mark separates groups of three digits.
bool has_thousands(std::string_view text, char mark, char decimal);

// Returns whether a text is a whole number in groups if points separate thousands: 1.250, but not 0.125.
bool may_have_points_for_thousands(std::string_view text);

// Returns the flag of the mark that makes them numbers.
std::string option_of_thousands(char mark);

}  // namespace halfspace::stream
