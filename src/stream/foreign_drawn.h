// Recognises tables that people and programs draw with marks, records whose values are in a line each, and lines of
// words behind a label. Thread-safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "stream/slips.h"

namespace halfspace::stream {

// Returns how the rows of a text are drawn or logged, with the command that writes them as a table. Pass whole lines.
std::optional<Slip> find_drawn_rows(std::string_view text);

// Returns that each row of a table of numbers runs over several lines, and the first row that has more or fewer of them.
// Call it for text that no known format describes better than CSV.
std::optional<Slip> find_broken_rows(std::string_view text);

// Returns the command for lines of words behind a label, or behind a name and a label. Call it for text that nothing
// splits into equal numbers of values.
std::optional<std::string> find_labelled_words(std::string_view text);

}  // namespace halfspace::stream
