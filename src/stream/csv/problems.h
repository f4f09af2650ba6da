// The problems that a CSV record can have, in the user's terms. Rules shared by schema inference and the parse.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "stream/csv/scan.h"
#include "stream/parser.h"

namespace halfspace::stream {

struct CsvProblem {
  const char* at;  // in the record
  std::string reason, hint;
};

// Finds what is wrong whatever the fields mean: length, a NUL byte (`nul` is the first in or behind the record),
// quotes, number of fields.
std::optional<CsvProblem> find_structural_problem(const CsvRecord& record, const char* nul, std::uint64_t columns);

CsvProblem describe(NumberProblem problem, const CsvField& field, const std::string& column);
CsvProblem describe_no_date(const CsvField& field, const std::string& column, DateOrder order);
CsvProblem describe_bad_weight(const CsvField& field, const std::string& column);
CsvProblem describe_missing_label(const CsvField& field, const std::string& column);
CsvProblem describe_invalid_utf8(const CsvField& field, const std::string& column);
CsvProblem describe_unknown_label(const char* at, std::string_view label, const Labels& known,
                                  const ReadOptions& options);

// Reads a number with the decimal mark of the table: parse_number, or that of 1.5 for 1,5, where 1.5 is none.
NumberProblem parse_cell(std::string_view text, const CsvGrammar& grammar, double& value);

// Tells whether a text is a number with a comma for its decimal point.
bool has_decimal_comma(std::string_view text);

// Reads a weight, which is a finite number >= 0.
bool parse_weight(std::string_view text, const CsvGrammar& grammar, double& weight);
inline bool parse_weight(std::string_view text, double& weight) {  // with a decimal point
  return parse_number(text, weight) == NumberProblem::none && weight >= 0;
}

}  // namespace halfspace::stream
