// What parts the values of a table, and the decimal mark of its numbers.
#pragma once

#include <optional>
#include <string_view>

#include "halfspace/stream/reader.h"
#include "stream/csv/scan.h"

namespace halfspace::stream {

// Takes what the options say, else what the model's data had if the first record holds it, else what the first records
// show (docs/formats/csv.md). `text` is the beginning of the data, or all of it where it is `whole`. Throws Error(usage)
// for a delimiter that is none.
CsvGrammar guess_grammar(std::string_view text, bool whole, const ReadOptions& options);

// Returns what the options say of marks, else what the model's data had, else what is usual.
CsvGrammar known_marks(const ReadOptions& options);

// Returns a character that splits the first records evenly where none of those does that guess_grammar tries.
std::optional<char> other_delimiter(std::string_view text, bool whole, const CsvGrammar& grammar);

// Tells whether each of the first lines has a gap of two blanks or more, as columns of a fixed width have.
bool has_fixed_width(std::string_view text);

// Returns the records that are whole in the text.
std::string_view whole_records(std::string_view text, bool whole, const CsvGrammar& grammar);

}  // namespace halfspace::stream
