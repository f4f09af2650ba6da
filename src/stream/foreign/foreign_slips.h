// Data in other programs' formats, one function a kind, by their look.
//
// Thread-safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "stream/formats/slips.h"

namespace halfspace::stream {

// Tables that people and programs draw with marks, records whose values are in a line each, and lines of words behind a
// label.

// Returns how the rows of a text are drawn or logged, with the command that writes them as a table. Pass whole lines.
std::optional<Slip> find_drawn_rows(std::string_view text);

// Returns that each row of a table of numbers runs over several lines, and the first row that has more or fewer of them.
// Call it for text that no known format describes better than CSV.
std::optional<Slip> find_broken_rows(std::string_view text);

// Returns the command for lines of words behind a label, or behind a name and a label. Call it for text that nothing
// splits into equal numbers of values.
std::optional<std::string> find_labelled_words(std::string_view text);

// Documents of JSON that hold a table otherwise than as an object a line, and JSON with marks that it has not.

// Returns what a text of JSON holds, if it is no JSON Lines, with the command that converts it. Pass whole lines.
std::optional<Slip> find_json_document(std::string_view text);

// Rows that other programs wrote as something else than a table, and that would be read as one: in brackets, with names
// before the values, with lines of types below a header.

// Returns the format of other programs that the first lines have, with the command that converts them. Pass whole
// lines.
std::optional<Slip> find_foreign_rows(std::string_view text);

// Returns what stands around the values in all first lines, but perhaps a header: a prefix before a number, closing
// brackets without opening ones, semicolons. Call it for text that no known format describes better.
std::optional<Slip> find_wrapped_rows(std::string_view text);

}  // namespace halfspace::stream
