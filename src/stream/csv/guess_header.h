// Tells whether the first line of a table names its columns or is a row.
//
// It is told by what stands below it, as people do: a number over numbers is a value, a text over numbers is a name.
// Where no column holds numbers, a text that comes again in its own column is a value. A line that counts the columns is a
// header where none below does so. Where a model's columns are known by name, a line that has one of them is a header.
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
  std::string why{};             // empty: a header as there should be one, nothing to be said about
  std::size_t over_numbers = 0;  // of its texts, those over columns of numbers
  bool distinct = true;          // its texts, so that they could be names
};

// Tells whether a line counts the columns, from 0 or 1 on, perhaps each number more than once, as in 1,1,2,2: four values
// that are not empty at least. No row counts so, where another below does not.
bool counts_columns(const std::vector<CsvField>& fields);

// Returns the note on a guess that is not plain.
ReadNote note_on_header(const HeaderGuess& guess);

// Looks at the first records of the text. `known` is the model's schema whose columns have names, or null.
HeaderGuess guess_header(std::string_view records, const CsvGrammar& grammar, const MissingNames& missing,
                         const Schema* known);

// Tells whether the first record names all columns but the first, as R writes tables: it holds no number, and each of the
// next records, of which there are two at least and eleven are looked at, has one value more, and where blanks part them
// a number behind the first.
bool header_lacks_a_name(std::string_view records, const CsvGrammar& grammar);
// Returns the note on such a header; `first` is the column without a name.
ReadNote note_on_row_names(const std::string& first);

}  // namespace halfspace::stream
