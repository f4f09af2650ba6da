// Tries each delimiter on the first records.
#include "stream/csv/guess_grammar.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "halfspace/base/error.h"
#include "stream/csv/guess_header.h"
#include "stream/csv/problems.h"
#include "stream/csv/walk.h"
#include "stream/parser.h"
#include "stream/source/raw_file.h"
#include "stream/text/text.h"

namespace halfspace::stream {
namespace {

constexpr std::uint64_t most_records = 10;

// What a delimiter makes of the first records.
struct Split {
  std::uint64_t records = 0, fields = 0;      // fields of the first
  bool even = true;                           // so many in all of them, and no flaw
  std::uint64_t numbers = 0;                  // in the second record, with either decimal mark
  bool commas = false, other_commas = false;  // in values that are numbers with a decimal comma, in others

  bool parts() const { return even && fields > 1; }
};

Split try_delimiter(std::string_view text, bool whole, CsvGrammar grammar, char delimiter) {
  grammar.delimiter = delimiter;
  Split split;
  std::vector<CsvField> fields;
  for_each_record(whole_records(text, whole, grammar), grammar, fields, [&](const CsvRecord& record, std::uint64_t) {
    if (split.records == 0) {
      split.fields = record.fields;
      fields.resize(record.fields);
      scan_record(record.begin, text.data() + text.size(), grammar, fields);
    }
    split.even = split.even && record.flaw == CsvFlaw::none && record.fields == split.fields;
    if (!split.even) return false;
    double ignored = 0;
    for (const CsvField& field : fields) {
      const bool comma = has_decimal_comma(field.text());
      split.numbers +=
          split.records == 1 && (comma || parse_number(field.text(), ignored) == NumberProblem::none) ? 1 : 0;
      split.commas = split.commas || comma;
      split.other_commas = split.other_commas || (!comma && field.text().find(',') != std::string_view::npos);
    }
    return ++split.records < most_records;
  });
  return split;
}

// Blanks stand in texts, too: lines of as many words each are a table when all but one are numbers, or when there are ten
// and one is.
bool by_blanks(const Split& split) {
  return split.parts() && split.records > 1 &&
         (split.numbers + 1 >= split.fields || (split.records == most_records && split.numbers > 0));
}

char choose_delimiter(std::string_view text, bool whole, const CsvGrammar& grammar) {
  const auto tried = [&](char delimiter) { return try_delimiter(text, whole, grammar, delimiter); };
  constexpr char others[] = {'\t', ';', '|'};
  const Split comma = grammar.decimal == '.' ? tried(',') : Split();
  if (comma.fields > 1) {
    // Commas may be decimal marks.
    for (const char delimiter : {'\t', ';', '|', ' '}) {
      const Split split = tried(delimiter);
      const bool better = !comma.even || (split.commas && !split.other_commas);
      if (better && (delimiter == ' ' ? by_blanks(split) && split.commas && !split.other_commas : split.parts()))
        return delimiter;
    }
    return ',';
  }
  const Split blanks = tried(' ');
  for (const char delimiter : others) {
    const Split split = tried(delimiter);
    // One of them before a last text may stand among blanks.
    if (split.parts() && !(split.numbers == 0 && blanks.fields > split.fields && by_blanks(blanks))) return delimiter;
  }
  if (by_blanks(blanks)) return ' ';
  for (const char delimiter : {'\t', ';', '|', ' '}) {
    CsvGrammar parted = grammar;
    parted.delimiter = delimiter;
    if (header_lacks_a_name(whole_records(text, whole, parted), parted)) return delimiter;
  }
  // Some of the first records may be bad.
  for (const char delimiter : others) {
    if (tried(delimiter).fields > 1) return delimiter;
  }
  return grammar.decimal == '.' ? ',' : ';';
}

void refuse_marks(const ReadOptions& options, const CsvGrammar& grammar) {
  constexpr std::string_view allowed = "\t !#$%&'()*,/:;<=>?@[\\]^`{|}~";
  if (options.delimiter && allowed.find(*options.delimiter) == std::string_view::npos) {
    throw Error(ErrorKind::usage,
                option("delimiter") + ": " + quote(std::string(1, *options.delimiter)) + " may stand in values")
        .fix("name a character that parts them, such as a comma, a semicolon or a tab");
  }
  if (grammar.decimal != '.' && grammar.decimal != ',') {
    throw Error(ErrorKind::usage, option("decimal") + " is a point or a comma").fix("choose one of the two");
  }
  if (grammar.decimal == ',' && options.delimiter == ',') {
    throw Error(ErrorKind::usage, "a comma cannot part the values and be the mark in numbers")
        .fix("leave out " + option("delimiter") + " or " + option("decimal"));
  }
}

}  // namespace

std::string_view whole_records(std::string_view text, bool whole, const CsvGrammar& grammar) {
  return whole ? text : text.substr(0, end_of_records(text, grammar));
}

CsvGrammar guess_grammar(std::string_view text, bool whole, const ReadOptions& options) {
  const Schema* const known = options.schema;
  CsvGrammar grammar{',', options.line_limit, options.decimal.value_or(known != nullptr ? known->decimal : '.'),
                     options.quotes.value_or(known == nullptr || known->quotes)};
  refuse_marks(options, grammar);
  if (options.delimiter) {
    grammar.delimiter = *options.delimiter;
  } else if (known != nullptr && (known->delimiter != ',' || grammar.decimal == '.') &&
             try_delimiter(text, whole, grammar, known->delimiter).fields > 1) {
    grammar.delimiter = known->delimiter;
  } else {
    grammar.delimiter = choose_delimiter(text, whole, grammar);
  }
  if (known != nullptr && !options.decimal && grammar.decimal == ',' &&
      try_delimiter(text, whole, grammar, grammar.delimiter).fields == 1 &&
      try_delimiter(text, whole, grammar, ',').fields > 1) {
    throw Error(ErrorKind::data, "commas part the values here, and are the mark in numbers of the model's data")
        .at(shown_name(options.path))
        .fix(option("decimal", "point") + " reads numbers such as 1.5");
  }
  return grammar;
}

}  // namespace halfspace::stream
