// Tries each delimiter on the first records.
#include "stream/csv/guess_grammar.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "halfspace/base/error.h"
#include "stream/csv/guess_header.h"
#include "stream/csv/marks.h"
#include "stream/csv/problems.h"
#include "stream/csv/walk.h"
#include "stream/parser.h"
#include "stream/source/raw_file.h"
#include "stream/text/text.h"

namespace halfspace::stream {
namespace {

constexpr std::uint64_t most_records = 10;

// How the first records split with one delimiter.
struct Split {
  std::uint64_t records = 0, fields = 0;      // fields of the first
  std::uint64_t alike = 0;                    // records of so many fields, without a flaw
  bool even = true;                           // so many in all of them, and no flaw
  std::uint64_t numbers = 0;                  // in the second record, with either decimal mark
  bool commas = false, other_commas = false;  // in values that are numbers then, in others

  bool parts() const { return even && fields > 1; }
  // Some of the records may be bad.
  bool mostly_parts() const { return fields > 1 && records > 2 && alike * 5 >= records * 4; }
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
    const bool alike = record.flaw == CsvFlaw::none && record.fields == split.fields;
    split.even = split.even && alike;
    const bool second = ++split.records == 2;
    if (!alike) return split.records < most_records;
    ++split.alike;
    double ignored = 0;
    for (const CsvField& field : fields) {
      const bool comma = has_decimal_comma(field.text()) || has_thousands(field.text(), ',', '.');
      split.numbers += second && (comma || parse_number(field.text(), ignored) == NumberProblem::none) ? 1 : 0;
      split.commas = split.commas || comma;
      split.other_commas = split.other_commas || (!comma && field.text().find(',') != std::string_view::npos);
    }
    return split.records < most_records;
  });
  return split;
}

// Blanks occur in texts, too: lines with equal numbers of words form a table if all words but one are numbers, or if
// there are ten lines and one word is a number.
bool by_blanks(const Split& split) {
  return split.parts() && split.records > 1 &&
         (split.numbers + 1 >= split.fields || (split.records == most_records && split.numbers > 0));
}

char choose_delimiter(std::string_view text, bool whole, const CsvGrammar& grammar) {
  const auto tried = [&](char delimiter) { return try_delimiter(text, whole, grammar, delimiter); };
  constexpr char others[] = {'\t', ';', '|'};
  const Split comma = tried(',');
  if (comma.fields > 1 && grammar.decimal == '.') {
    // Commas may be decimal marks.
    for (const char delimiter : {'\t', ';', '|', ' '}) {
      const Split split = tried(delimiter);
      const bool in_numbers = split.commas && !split.other_commas;
      const bool better = !comma.even || in_numbers;
      // Names of numeric columns may contain commas, as in OMEGA(2,1).
      const bool blanks = by_blanks(split) && (in_numbers || split.numbers + 1 >= split.fields);
      // Decimal marks alone do not part values into fewer.
      const bool cut = split.parts() || (in_numbers && split.mostly_parts() && split.fields > comma.fields);
      if (better && (delimiter == ' ' ? blanks : cut)) return delimiter;
    }
    return ',';
  }
  const Split blanks = tried(' ');
  for (const char delimiter : others) {
    const Split split = tried(delimiter);
    // One of them before a last text may be surrounded by blanks.
    if (split.parts() && !(split.numbers == 0 && blanks.fields > split.fields && by_blanks(blanks))) return delimiter;
  }
  if (by_blanks(blanks)) return ' ';
  for (const char delimiter : {'\t', ';', '|', ' '}) {
    CsvGrammar parted = grammar;
    parted.delimiter = delimiter;
    if (header_lacks_a_name(whole_records(text, whole, parted), parted)) return delimiter;
  }
  // The mark in numbers, which are quoted then.
  if (comma.parts() && comma.commas) return ',';
  // Some of the first records may be bad.
  for (const char delimiter : others) {
    if (tried(delimiter).fields > 1) return delimiter;
  }
  return grammar.decimal == '.' || comma.parts() ? ',' : ';';
}

}  // namespace

CsvGrammar known_marks(const ReadOptions& options) {
  const Schema usual;
  const Schema& known = options.schema != nullptr ? *options.schema : usual;
  CsvGrammar grammar{.delimiter = options.table.delimiter.value_or(known.delimiter), .limit = options.line_limit};
  grammar.decimal = options.table.decimal.value_or(known.decimal);
  grammar.quote = mark_of(options.table.quote.value_or(known.quote));
  const bool both = !options.table.thousands && known.thousands == grammar.decimal;
  grammar.thousands = options.table.thousands.value_or(both ? '\0' : known.thousands);
  grammar.comment = options.table.comment ? canonical_comment(*options.table.comment) : known.comment;
  return grammar;
}

std::string_view whole_records(std::string_view text, bool whole, const CsvGrammar& grammar) {
  return whole ? text : text.substr(0, end_of_records(text, grammar));
}

CsvGrammar guess_grammar(std::string_view text, bool whole, const ReadOptions& options) {
  const Schema* const known = options.schema;
  CsvGrammar grammar = known_marks(options);
  refuse_marks(options, grammar.decimal, options.table.delimiter.value_or('\0'));
  const bool quoted_commas = known != nullptr && known->delimiter == ',' && known->decimal == ',';
  if (options.table.delimiter) {
    grammar.delimiter = *options.table.delimiter;
  } else if (known != nullptr && (known->delimiter != ',' || grammar.decimal == '.' || quoted_commas) &&
             try_delimiter(text, whole, grammar, known->delimiter).fields > 1) {
    grammar.delimiter = known->delimiter;
  } else {
    grammar.delimiter = choose_delimiter(text, whole, grammar);
  }
  if (known != nullptr && !options.table.decimal && grammar.decimal == ',' && grammar.delimiter == ',' &&
      !quoted_commas && !try_delimiter(text, whole, grammar, ',').commas) {
    throw Error(ErrorKind::data, "commas delimit the values here, but are the decimal mark in the model's data")
        .at(shown_name(options.path))
        .fix(option("decimal", "point") + " reads numbers such as 1.5");
  }
  refuse_marks(options, grammar.decimal, grammar.delimiter);
  return grammar;
}

std::optional<char> other_delimiter(std::string_view text, bool whole, const CsvGrammar& grammar) {
  // Of texts alone, which may be lines of as many words by chance where there are two.
  if (const Split split = try_delimiter(text, whole, grammar, ' '); split.parts() && split.records > 2) return ' ';
  for (const char delimiter : std::string_view(":/=~^*&@#%!$`\\?(){}[]<>'")) {
    const Split split = try_delimiter(text, whole, grammar, delimiter);
    if (split.parts() && split.records > 1) return delimiter;
  }
  return std::nullopt;
}

bool has_fixed_width(std::string_view text) {
  constexpr std::uint64_t looked_at = 20, fewest = 3;
  std::uint64_t lines = 0;
  bool gaps = true;
  for (; gaps && lines < looked_at && !text.empty(); ++lines) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    line = line.substr(0, line.find_last_not_of(" \r") + 1);
    if (line.empty()) continue;
    gaps = line.find("  ", std::min(line.find_first_not_of(' '), line.size())) != std::string_view::npos;
  }
  return gaps && lines >= fewest;
}

}  // namespace halfspace::stream
