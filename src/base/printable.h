// Makes text of unknown origin safe to show. Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace halfspace {

enum class LineEnds : std::uint8_t { dots, kept };

// Returns text with a dot for each ASCII control character and each invalid UTF-8 byte, and with the code point, such
// as <U+200B>, for each character that has no width, changes the writing direction, ends a line or controls a terminal.
// The result cannot move a terminal's cursor, change its colours, or make two names look alike.
std::string printable(std::string_view text, LineEnds line_ends = LineEnds::dots);

}  // namespace halfspace
