// Finds where a table begins, after leading lines that do not belong to it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "halfspace/base/error.h"
#include "halfspace/stream/reader.h"
#include "halfspace/stream/schema.h"
#include "stream/columns/missing.h"
#include "stream/csv/scan.h"

namespace halfspace::stream {

// Returns the size of a number of lines in bytes; nothing if the text has fewer.
std::optional<std::size_t> bytes_of_lines(std::string_view text, std::uint64_t lines);

// Lines to skip before a table.
struct LinesBefore {
  std::uint64_t count = 0;
  std::optional<ReadNote> note{};   // on a table that begins differently from its model's
  std::optional<char> delimiter{};  // that the first line declares, as Excel does: sep=;
};
// Returns the number of lines that the options give, else that of the model's data, unless the first line belongs to
// the table. `text`: the beginning of the file, or all of it if `whole`. Throws Error(data) if this is ambiguous.
LinesBefore lines_before_table(std::string_view text, bool whole, const ReadOptions& options);

// Notes that the first lines of a text do not belong to the table below, or are names above those of its columns, and
// how many; nothing if the options set the beginning. Call it when the delimiter is guessed or given for the text.
std::optional<Error> describe_preamble(std::string_view text, bool whole, const ReadOptions& options);

// Guesses the delimiter of a table and the decimal mark of its numbers.

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

// Decides whether the first line of a table names its columns or is a row.
//
// The rows below decide, as they do for people: a number above numbers is a value, a text above numbers is a name. If
// no column is numeric, a text that is repeated in its own column is a value. A line that counts the columns is a
// header unless a line below does so, too. If a model's columns are known by name, a line that has one of them is a
// header.
struct HeaderGuess {
  bool header = true;
  std::string why{};             // empty: a regular header, without a note
  std::size_t over_numbers = 0;  // number of its texts above numeric columns
  bool distinct = true;          // its texts are distinct, so that they could be names
};

// Returns whether a line counts the columns, from 0 or 1 on, perhaps with repeats, as in 1,1,2,2: at least four
// nonempty values. No row counts so if another one below does not.
bool counts_columns(const std::vector<CsvField>& fields);

// Returns the note on a guess that is not obvious.
ReadNote note_on_header(const HeaderGuess& guess);

// Examines the first records of the text. `known` is the model's schema if its columns have names, else null.
HeaderGuess guess_header(std::string_view records, const CsvGrammar& grammar, const MissingNames& missing,
                         const Schema* known);

// Returns whether the first record has one name fewer than the next have values, as R writes tables: it has no number,
// and of the next records (at least two, at most eleven are examined) five of six have one value more and, if blanks
// delimit them, a number after the first.
bool header_lacks_a_name(std::string_view records, const CsvGrammar& grammar);
// Returns why the first column of such a table does not name the rows: a text is repeated, or it holds numbers that
// neither count the rows nor are quoted. Empty: it may name them.
std::string why_first_column_is_data(std::string_view records, const CsvGrammar& grammar);
// Returns the note on such a header; `first` is the unnamed column.
ReadNote note_on_row_names(const std::string& first);

}  // namespace halfspace::stream
