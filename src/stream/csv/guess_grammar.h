// Guesses the delimiter of a table and the decimal mark of its numbers.
#pragma once

#include <optional>
#include <string_view>

#include "halfspace/stream/reader.h"
#include "stream/csv/scan.h"

namespace halfspace::stream {

// Returns what the options set, else what the model's data had if the first record has that delimiter, else what the
// first records suggest (docs/formats/csv.md). `text` is the beginning of the data, or all of it if `whole`. Throws
// Error(usage) for an invalid delimiter.
CsvGrammar guess_grammar(std::string_view text, bool whole, const ReadOptions& options);

// Returns the marks of the options, else of the model's data, else the default ones.
CsvGrammar known_marks(const ReadOptions& options);

// Returns a character that splits the first records evenly if none that guess_grammar tries does.
std::optional<char> other_delimiter(std::string_view text, bool whole, const CsvGrammar& grammar);

// Returns whether each of the first lines has a gap of two blanks or more, as in columns of fixed width.
bool has_fixed_width(std::string_view text);

// Returns the complete records of the text.
std::string_view whole_records(std::string_view text, bool whole, const CsvGrammar& grammar);

}  // namespace halfspace::stream
