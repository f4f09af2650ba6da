// Text that somebody else wrote, made safe to show. Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace halfspace {

enum class LineEnds : std::uint8_t { dots, kept };

// Returns text with a dot for each control character, each that turns the direction of writing or ends a line, and each
// byte that is not UTF-8: nothing that would move a terminal's cursor, change its colours or hide what stands there.
std::string printable(std::string_view text, LineEnds line_ends = LineEnds::dots);

}  // namespace halfspace
