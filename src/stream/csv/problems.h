// The problems that a CSV record can have, in the user's terms. Rules shared by schema inference and the parse.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "stream/columns/missing.h"
#include "stream/csv/scan.h"
#include "stream/text/number.h"
#include "stream/text/number_marks.h"

namespace halfspace::stream {

struct CsvProblem {
  const char* at;  // in the record
  std::string reason, hint;
  bool reads_as_text = false;  // about a quote, and gone if quotes are text
};

// Other treatments of quotes with which the first records have the right number of fields.
struct OtherQuotes {
  bool as_text = false, single = false;
};
OtherQuotes other_quotes(std::string_view records, const CsvGrammar& grammar, std::uint64_t columns);

// Returns flaws that do not depend on the meaning of the fields: length, a NUL byte (`nul`: the first one in or after
// the record), quotes, number of fields. Proposes another treatment of quotes if the record and the first ones are good
// with it.
std::optional<CsvProblem> find_structural_problem(const CsvRecord& record, const char* nul, std::uint64_t columns,
                                                  const CsvGrammar& grammar, OtherQuotes others = {});

// `of_model`: the kinds of the columns are a model's, and no option changes them.
CsvProblem describe(NumberProblem problem, const CsvField& field, const std::string& column, bool of_model = false,
                    std::uint64_t skip_lines = 0);
// Returns the command that takes lines equal to the header out of a file.
std::string command_without_headers(std::uint64_t skip_lines);
CsvProblem describe_no_date(const CsvField& field, const std::string& column, DateOrder order);
CsvProblem describe_bad_weight(const CsvField& field, const std::string& column);
CsvProblem describe_missing_label(const CsvField& field, const std::string& column, const MissingNames& missing);
CsvProblem describe_invalid_utf8(const CsvField& field, const std::string& column);

// Parses a number with the marks of the table: as parse_number does; or 1,5 as 1.5 if '.' is not the decimal mark; or
// 1,234.5 as 1234.5 if commas separate thousands.
NumberProblem parse_cell(std::string_view text, const CsvGrammar& grammar, double& value);

// Parses a weight: see is_weight.
bool parse_weight(std::string_view text, const CsvGrammar& grammar, double& weight);

}  // namespace halfspace::stream
