// Decides whether the first line of a table names its columns or is a row.
//
// The rows below decide, as they do for people: a number above numbers is a value, a text above numbers is a name. If
// no column is numeric, a text that is repeated in its own column is a value. A line that counts the columns is a
// header unless a line below does so, too. If a model's columns are known by name, a line that has one of them is a
// header.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "halfspace/stream/reader.h"
#include "halfspace/stream/schema.h"
#include "stream/columns/missing.h"
#include "stream/csv/scan.h"

namespace halfspace::stream {

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
