// Recognises text whose rows other programs wrote as something else than a table, and would be read as one: rows in
// brackets, names before the values, lines of types below a header. Thread-safety: pure functions.
#pragma once

#include <optional>
#include <string_view>

#include "stream/slips.h"

namespace halfspace::stream {

// Returns the format of other programs that the first lines have, with the command that converts them. Pass whole
// lines.
std::optional<Slip> find_foreign_rows(std::string_view text);

// Returns what stands around the values in all first lines, but perhaps a header: a prefix before a number, closing
// brackets without opening ones, semicolons. Call it for text that no known format describes better.
std::optional<Slip> find_wrapped_rows(std::string_view text);

}  // namespace halfspace::stream
