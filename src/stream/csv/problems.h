// The problems that a CSV record can have, in the user's terms. Rules shared by schema inference and the parse.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "stream/columns/missing.h"
#include "stream/csv/scan.h"
#include "stream/parser.h"

namespace halfspace::stream {

struct CsvProblem {
  const char* at;  // in the record
  std::string reason, hint;
  bool reads_as_text = false;  // it is about a quote, and there is none where quotes are text
};

// Ways of reading quotes other than the present one in which the first records have as many fields as there are columns.
struct OtherQuotes {
  bool as_text = false, single = false;
};
OtherQuotes other_quotes(std::string_view records, const CsvGrammar& grammar, std::uint64_t columns);

// Finds what is wrong whatever the fields mean: length, a NUL byte (`nul` is the first in or behind the record),
// quotes, number of fields. Proposes quotes of another kind where they make the record and the first ones good.
std::optional<CsvProblem> find_structural_problem(const CsvRecord& record, const char* nul, std::uint64_t columns,
                                                  const CsvGrammar& grammar, OtherQuotes others = {});

CsvProblem describe(NumberProblem problem, const CsvField& field, const std::string& column);
CsvProblem describe_no_date(const CsvField& field, const std::string& column, DateOrder order);
CsvProblem describe_bad_weight(const CsvField& field, const std::string& column);
CsvProblem describe_missing_label(const CsvField& field, const std::string& column, const MissingNames& missing);
CsvProblem describe_invalid_utf8(const CsvField& field, const std::string& column);

// Reads a number with the marks of the table: parse_number, or that of 1.5 for 1,5, where 1.5 is none; that of 1234.5 for
// 1,234.5, where commas part thousands.
NumberProblem parse_cell(std::string_view text, const CsvGrammar& grammar, double& value);

// Tells whether a text is a number with a comma for its decimal point.
bool has_decimal_comma(std::string_view text);
// Tells whether a text is a number whose digits stand in groups of three that this mark parts, and that is none otherwise.
bool has_thousands(std::string_view text, char mark, char decimal);

// Names the option that reads them.
std::string option_of_thousands(char mark);

// Reads a weight, which is a finite number >= 0.
bool parse_weight(std::string_view text, const CsvGrammar& grammar, double& weight);

}  // namespace halfspace::stream
