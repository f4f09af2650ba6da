// The problems of a CSV record, in the user's terms: position, reason, fix.
#include "stream/csv/problems.h"

#include <algorithm>

#include "base/utf8.h"
#include "halfspace/base/error.h"
#include "stream/csv/walk.h"
#include "stream/labels/label_inference.h"
#include "stream/text/number.h"
#include "stream/text/shapes.h"
#include "stream/text/text.h"

namespace halfspace::stream {
namespace {

std::string count_of_fields(std::uint64_t count) { return std::to_string(count) + (count == 1 ? " field" : " fields"); }

std::string in_column(const std::string& column) { return " in column " + quote(column); }

}  // namespace

OtherQuotes other_quotes(std::string_view records, const CsvGrammar& grammar, std::uint64_t columns) {
  constexpr std::uint64_t looked_at = 1000;
  const auto reads = [&](char quote) {
    CsvGrammar other = grammar;
    other.quote = quote;
    std::uint64_t seen = 0;
    bool all = true;
    std::vector<CsvField> none;
    for_each_record(records, other, none, [&](const CsvRecord& record, std::uint64_t) {
      all = record.flaw == CsvFlaw::none && record.fields == columns;
      return all && ++seen < looked_at;
    });
    return all;
  };
  const bool singles = grammar.quote != '\'' && records.find('\'') != std::string_view::npos;
  const bool quoted = records.find(grammar.quote) != std::string_view::npos;
  return {.as_text = grammar.quote != '\0' && (!quoted || reads('\0')), .single = singles && reads('\'')};
}

namespace {

// Returns whether the first line of a record is a row of the table if quotes are text.
bool reads_as_text(const CsvRecord& record, std::uint64_t columns, CsvGrammar grammar) {
  grammar.quote = '\0';
  std::vector<CsvField> none;
  const CsvRecord line = scan_record(record.begin, record.next, grammar, none);
  return line.flaw == CsvFlaw::none && line.fields == columns;
}

// Returns whether the quote that closes a value may be meant as a part of it, as R and Spark write quotes.
bool closes_behind_backslash(const CsvRecord& record) {
  const char* const quote = record.flaw_at - 1;
  return quote > record.begin && quote[0] == '"' && quote[-1] == '\\';
}

CsvProblem describe_flaw(const CsvRecord& record, const CsvGrammar& grammar, bool as_text, bool single) {
  const std::string twice(2, grammar.quote);
  const std::string where_text = as_text  ? option("quote", "none") + " reads quotes as text; else "
                                 : single ? option("quote", "single") + " reads quotes such as 'a, b'; else "
                                          : std::string();
  switch (record.flaw) {
    case CsvFlaw::none:
    case CsvFlaw::overlong:
      break;
    case CsvFlaw::unclosed_quote:
      return {record.flaw_at, "the quote that opens here is never closed",
              where_text + "close it; a quote within quotes is written " + twice, as_text};
    case CsvFlaw::text_after_quote:
      if (closes_behind_backslash(record)) {
        return {record.flaw_at, "text after the closing quote, which stands behind a backslash",
                "write quotes within quotes as " + twice + ": sed 's/\\\\\"/\"\"/g' FILE >NAME.csv"};
      }
      return {record.flaw_at, "text after the closing quote", where_text + "write a quote within quotes as " + twice,
              as_text};
    case CsvFlaw::stray_quote:
      return {record.flaw_at, "a quote inside an unquoted field",
              where_text + "quote the whole field and write each quote in it as " + twice, as_text};
  }
  return {record.flaw_at,
          "the line is longer than the limit of " + std::to_string(record.flaw_at - record.begin) + " bytes",
          "split the line, look for an unclosed quote, or raise the limit"};
}

std::string fix_of_few_fields(const CsvRecord& record, const CsvGrammar& grammar) {
  const char* first = record.begin;
  while (first < record.end && grammar.is_blank(*first)) ++first;
  const std::string_view usual = "#%!";
  const bool mark = first < record.end && usual.find(*first) != std::string_view::npos &&
                    may_begin_comments(*first, grammar.delimiter, grammar.quote);
  return (mark ? option("comment", std::string(1, *first)) + " skips lines that begin so; else " : std::string()) +
         "add the missing fields; an unknown value may be left empty";
}

}  // namespace

std::optional<CsvProblem> find_structural_problem(const CsvRecord& record, const char* nul, std::uint64_t columns,
                                                  const CsvGrammar& grammar, OtherQuotes others) {
  if (record.flaw != CsvFlaw::overlong && nul < record.end) {
    return CsvProblem{nul, "a NUL byte", "convert the file to UTF-8 text"};
  }
  if (record.flaw != CsvFlaw::none)
    return describe_flaw(record, grammar, others.as_text && reads_as_text(record, columns, grammar), others.single);
  if (record.fields > columns) {
    return CsvProblem{
        record.extra, count_of_fields(record.fields) + " where " + std::to_string(columns) + " are expected",
        (others.single ? option("quote", "single") + " reads quotes such as 'a, b'; else " : std::string()) +
            "remove the extra fields; quote a field that contains the delimiter"};
  }
  if (record.fields < columns) {
    return CsvProblem{record.end,
                      count_of_fields(record.fields) + " where " + std::to_string(columns) + " are expected",
                      fix_of_few_fields(record, grammar)};
  }
  return std::nullopt;
}

CsvProblem describe(NumberProblem problem, const CsvField& field, const std::string& column, bool of_model,
                    std::uint64_t skip_lines) {
  const std::string value = quote(field.text());
  switch (problem) {
    case NumberProblem::not_finite:
      return {field.begin, value + in_column(column) + " is not finite",
              (of_model ? std::string() : option("missing", field.text()) + " reads it as missing; or ") +
                  "leave the field empty if the value is unknown"};
    case NumberProblem::overflow:
      return {field.begin, value + in_column(column) + " is too large for a double", "scale the column down"};
    case NumberProblem::none:
    case NumberProblem::not_a_number:
      break;
  }
  double ignored = 0;
  if (parse_number(field.text(), ignored) == NumberProblem::none) {
    return {field.begin, value + in_column(column) + " is not a number with a decimal comma",
            (may_have_points_for_thousands(field.text()) ? option_of_thousands('.') + " reads it without the point; "
                                                         : std::string()) +
                option("decimal", "point") + " reads numbers such as 1.5"};
  }
  for (const char mark : {',', '.', ' ', '\''}) {
    const char decimal = mark == '.' ? ',' : '.';
    if (!has_thousands(field.text(), mark, decimal) || (mark == ',' && has_decimal_comma(field.text()))) continue;
    return {field.begin, value + in_column(column) + " is not a number without marks between thousands",
            option_of_thousands(mark) + (decimal == ',' ? " " + option("decimal", "comma") : "") +
                " reads numbers such as " + quote(field.text())};
  }
  if (has_decimal_comma(field.text())) {
    return {field.begin, value + in_column(column) + " is not a number with a decimal point",
            option("decimal", "comma") + " reads numbers such as 1,5" +
                (has_thousands(field.text(), ',', '.') ? "; " + option_of_thousands(',') + " such as 1,500" : "")};
  }
  if (lower_case(field.text()) == lower_case(column)) {
    return {field.begin, value + in_column(column) + " is the name of the column, and not a number",
            "is the line the header of another file? take such lines out: " + command_without_headers(skip_lines)};
  }
  return {field.begin, value + in_column(column) + " is not a number",
          of_model ? "write a number such as 1.5, or leave the field empty if the value is unknown"
                   : "write a number such as 1.5, leave the field empty if the value is unknown, or use " +
                         option("categorical", column)};
}

std::string command_without_headers(std::uint64_t skip_lines) {
  const std::string line = std::to_string(skip_lines + 1);
  return "awk '{ l = tolower($0); gsub(/[\" \\r]/, \"\", l) } NR == " + line + " { h = l } NR <= " + line +
         " || l != h' FILE >NAME";
}

CsvProblem describe_no_date(const CsvField& field, const std::string& column, DateOrder order) {
  const char* const example = order == DateOrder::ymd   ? "2026-11-22"
                              : order == DateOrder::dmy ? "22/11/2026"
                                                        : "11/22/2026";
  return {field.begin, quote(field.text()) + in_column(column) + " is not a date",
          std::string("write it as the others, such as ") + example + ", or leave the field empty if it is unknown; " +
              option("date-order") + " sets the order of dates"};
}

CsvProblem describe_bad_weight(const CsvField& field, const std::string& column) {
  return {field.begin, quote(field.text()) + in_column(column) + " is not a weight", what_a_weight_is};
}

CsvProblem describe_missing_label(const CsvField& field, const std::string& column, const MissingNames& missing) {
  const std::string text(field.text());
  if (text.empty()) {
    return {field.begin, "the label" + in_column(column) + " is missing",
            "give the row its label, or name another column with " + option("label")};
  }
  return {
      field.begin, "the label" + in_column(column) + " is missing: " + quote(text) + " stands for no value",
      fix_of_missing_label(text, missing) + "give the row its label, or name another column with " + option("label")};
}

CsvProblem describe_invalid_utf8(const CsvField& field, const std::string& column) {
  return {field.begin + first_invalid_utf8(field.text()), "invalid UTF-8" + in_column(column), to_utf8};
}

NumberProblem parse_cell(std::string_view text, const CsvGrammar& grammar, double& value) {
  if (grammar.thousands != '\0' && text.find(grammar.thousands) != std::string_view::npos) {
    std::string joined(text);
    if (!join_groups(joined, grammar.thousands)) return NumberProblem::not_a_number;
    return parse_marked(joined, grammar.decimal, value);
  }
  return parse_marked(text, grammar.decimal, value);
}

bool parse_weight(std::string_view text, const CsvGrammar& grammar, double& weight) {
  return parse_cell(text, grammar, weight) == NumberProblem::none && is_weight(weight);
}

}  // namespace halfspace::stream
