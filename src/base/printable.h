// Text of unknown origin, made safe to show. Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace halfspace {

enum class LineEnds : std::uint8_t { dots, kept };

// Returns text with a dot for each ASCII control character and each byte that is not UTF-8, and with the number of each
// character that has no width, turns the direction of writing, ends a line or controls a terminal, as <U+200B>: nothing
// that would move a terminal's cursor, change its colours, or make two names look like one.
std::string printable(std::string_view text, LineEnds line_ends = LineEnds::dots);

}  // namespace halfspace
