// The problems of a CSV record, in the user's terms: place, reason, fix.
#include "stream/csv/problems.h"

#include <algorithm>

#include "base/utf8.h"
#include "halfspace/base/error.h"
#include "stream/label_inference.h"
#include "stream/text/text.h"

namespace halfspace::stream {
namespace {

std::string count_of_fields(std::uint64_t count) {
  return std::to_string(count) + (count == 1 ? " field" : " fields");
}

std::string in_column(const std::string& column) {
  return " in column " + quote(column);
}

}  // namespace

std::optional<CsvProblem> find_structural_problem(const CsvRecord& record, const char* nul, std::uint64_t columns) {
  if (record.flaw != CsvFlaw::overlong && nul < record.end) {
    return CsvProblem{nul, "a NUL byte", "convert the file to UTF-8 text"};
  }
  const std::string where_text = "; where quotes are text as any other, say " + option("quote", "none");
  switch (record.flaw) {
    case CsvFlaw::none:
      break;
    case CsvFlaw::overlong:
      return CsvProblem{
          record.flaw_at,
          "the line is longer than the limit of " + std::to_string(record.flaw_at - record.begin) + " bytes",
          "split the line, look for an unclosed quote, or raise the limit"};
    case CsvFlaw::unclosed_quote:
      return CsvProblem{record.flaw_at, "the quote that opens here is never closed",
                        "close it; a quote within quotes is written \"\"" + where_text};
    case CsvFlaw::text_after_quote:
      return CsvProblem{record.flaw_at, "text after the closing quote",
                        "a quote within quotes is written \"\"" + where_text};
    case CsvFlaw::stray_quote:
      return CsvProblem{record.flaw_at, "a quote inside an unquoted field",
                        "quote the whole field and write each quote in it as \"\"" + where_text};
  }
  if (record.fields > columns) {
    return CsvProblem{record.extra,
                      count_of_fields(record.fields) + " where " + std::to_string(columns) + " are expected",
                      "remove what is too much; a field that holds the delimiter is written in quotes"};
  }
  if (record.fields < columns) {
    return CsvProblem{record.end,
                      count_of_fields(record.fields) + " where " + std::to_string(columns) + " are expected",
                      "add the missing fields; an unknown value may be left empty"};
  }
  return std::nullopt;
}

CsvProblem describe(NumberProblem problem, const CsvField& field, const std::string& column) {
  const std::string value = quote(field.text());
  switch (problem) {
    case NumberProblem::not_finite:
      return {field.begin, value + in_column(column) + " is not finite",
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
            option("decimal", "point") + " reads numbers such as 1.5"};
  }
  if (has_decimal_comma(field.text())) {
    return {field.begin, value + in_column(column) + " is not a number with a decimal point",
            option("decimal", "comma") + " reads numbers such as 1,5"};
  }
  return {field.begin, value + in_column(column) + " is not a number",
          "write a number such as 1.5, leave the field empty if the value is unknown, or use " +
              option("categorical", column)};
}

CsvProblem describe_no_date(const CsvField& field, const std::string& column, DateOrder order) {
  const char* const example = order == DateOrder::ymd   ? "2026-11-22"
                              : order == DateOrder::dmy ? "22/11/2026"
                                                        : "11/22/2026";
  return {field.begin, quote(field.text()) + in_column(column) + " is not a date",
          std::string("write it as the others, such as ") + example + ", or leave the field empty if it is unknown; " +
              option("date-order") + " says what dates begin with"};
}

CsvProblem describe_bad_weight(const CsvField& field, const std::string& column) {
  return {field.begin, quote(field.text()) + in_column(column) + " is not a weight",
          "a weight is a finite number >= 0"};
}

CsvProblem describe_missing_label(const CsvField& field, const std::string& column) {
  const std::string text(field.text());
  if (text.empty()) {
    return {field.begin, "the label" + in_column(column) + " is missing",
            "give the row its label, or name another column with " + option("label")};
  }
  return {field.begin, "the label" + in_column(column) + " is missing: " + quote(text) + " stands for no value",
          "give the row its label, or name another column with " + option("label") + "; " + option("missing") +
              " says which texts stand for no value"};
}

CsvProblem describe_invalid_utf8(const CsvField& field, const std::string& column) {
  return {field.begin + first_invalid_utf8(field.text()), "invalid UTF-8" + in_column(column),
          "convert the file to UTF-8"};
}

CsvProblem describe_unknown_label(const char* at, std::string_view label, const Labels& known,
                                  const ReadOptions& options) {
  return {at, quote(label) + " is not a label of this data", hint_for_unknown(label, known, options)};
}

NumberProblem parse_cell(std::string_view text, const CsvGrammar& grammar, double& value) {
  if (grammar.decimal == '.') return parse_number(text, value);
  if (text.find('.') != std::string_view::npos) return NumberProblem::not_a_number;
  std::string pointed(text);
  std::replace(pointed.begin(), pointed.end(), ',', '.');
  return parse_number(pointed, value);
}

bool has_decimal_comma(std::string_view text) {
  double ignored = 0;
  return text.find(',') != std::string_view::npos &&
         parse_cell(text, {.delimiter = ';', .decimal = ','}, ignored) == NumberProblem::none;
}

bool parse_weight(std::string_view text, const CsvGrammar& grammar, double& weight) {
  return parse_cell(text, grammar, weight) == NumberProblem::none && weight >= 0;
}

}  // namespace halfspace::stream
