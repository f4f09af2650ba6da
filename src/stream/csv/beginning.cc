// Finds the first line from which on all lines split alike.
#include "stream/csv/beginning.h"

#include <algorithm>
#include <set>
#include <span>
#include <utility>

#include "stream/csv/problems.h"
#include "stream/csv/walk.h"
#include "stream/source/raw_file.h"
#include "stream/text/number.h"
#include "stream/text/text.h"

namespace halfspace::stream {
namespace {

constexpr std::uint64_t most_lines = 64;
constexpr std::size_t rows_looked_at = 11, more_rows = 64;
constexpr std::size_t most_preamble_bytes = std::size_t{64} << 10;  // before the table
constexpr std::size_t most_text = std::size_t{1} << 20;             // examined at most

// One of the first records, by how it splits.
struct Cut {
  std::uint64_t line = 0;  // from 0
  std::size_t fields = 0;
  bool flawed = false;
  std::vector<std::string> texts;  // of its fields

  std::size_t filled() const {
    return static_cast<std::size_t>(
        std::count_if(texts.begin(), texts.end(), [](const std::string& text) { return !text.empty(); }));
  }
  // Returns whether the record looks like a comment among records of this many fields: it begins as most do not.
  bool commented(std::size_t others) const {
    const std::string_view usual = "#%!";
    return fields != others && !texts.empty() && !texts.front().empty() &&
           usual.find(texts.front().front()) != std::string_view::npos;
  }
  // Drops trailing empty cells, with which a spreadsheet fills up a line of text.
  bool padded() const { return fields >= 3 && filled() * 2 < fields; }
};

std::vector<Cut> first_records(std::string_view text, bool whole, const CsvGrammar& grammar, std::uint64_t most) {
  std::vector<Cut> cuts;
  std::vector<CsvField> fields;
  for_each_record(whole_records(text, whole, grammar), grammar, fields,
                  [&](const CsvRecord& record, std::uint64_t line) {
                    std::vector<CsvField> own(record.fields);
                    scan_record(record.begin, record.next, grammar, own);
                    Cut cut{line, static_cast<std::size_t>(record.fields), record.flaw != CsvFlaw::none, {}};
                    for (const CsvField& field : own) cut.texts.emplace_back(field.text());
                    cuts.push_back(std::move(cut));
                    return cuts.size() < most;
                  });
  return cuts;
}

// Counts the records that split otherwise than the first, except those that look like comments.
std::size_t uneven(std::span<const Cut> cuts) {
  return static_cast<std::size_t>(std::count_if(cuts.begin(), cuts.end(), [&](const Cut& cut) {
    return (cut.flawed || cut.fields != cuts.front().fields) && !cut.commented(cuts.front().fields);
  }));
}

enum class Evenness : std::uint8_t { none, most, all };

// Returns whether the first records all split alike, or four in five of a few more: some may be bad rows.
Evenness evenness(const std::vector<Cut>& cuts) {
  constexpr std::size_t fewest = 5;
  if (cuts.empty() || cuts.front().flawed || cuts.front().fields < 2) return Evenness::none;
  if (uneven(std::span(cuts).first(std::min(cuts.size(), rows_looked_at))) == 0) return Evenness::all;
  return cuts.size() >= fewest && uneven(cuts) * 5 <= cuts.size() ? Evenness::most : Evenness::none;
}

bool even(const std::vector<Cut>& cuts) { return evenness(cuts) != Evenness::none; }

// Returns the number of numeric columns below the first record; 0 if it is no plain header.
std::size_t names_over_numbers(std::string_view text, bool whole, const CsvGrammar& grammar) {
  return guess_header(whole_records(text, whole, grammar), grammar, MissingNames(default_missing()), nullptr)
      .over_numbers;
}

class Preamble {
 public:
  Preamble(std::string_view text, bool whole, const ReadOptions& options)
      : text_(text),
        whole_(whole),
        options_(options),
        grammar_(guess_grammar(text, whole, options)),
        first_(first_records(text, whole, grammar_, more_rows)) {}

  // Returns the number of lines before the table; 0 if there are none, or if its beginning is unclear. `comment`: the
  // mark of lines among its rows that look like comments.
  std::uint64_t lines(std::optional<char>& comment) const {
    if (first_.size() < 2 || (even(first_) && (!first_.front().padded() || options_.table.header == false))) return 0;
    const std::string_view records = whole_records(text_, whole_, grammar_);
    if (header_lacks_a_name(records, grammar_) || other_quotes(records, grammar_, first_.front().fields).single)
      return 0;
    // If the first rows include bad ones, the table with the most columns wins.
    Beginning best;
    std::uint64_t best_lines = 0;
    for (std::uint64_t lines = 1; lines <= most_lines; ++lines) {
      const std::optional<std::size_t> begin = bytes_of_lines(text_, lines);
      if (!begin || *begin > most_preamble_bytes) break;
      Beginning here = beginning_at(*begin);
      if (here.evenness == Evenness::none || here.fields <= best.fields) continue;
      best = here;
      best_lines = lines;
      if (here.evenness == Evenness::all) break;
    }
    comment = best.comment;
    return best_lines;
  }

  // Returns the number of lines before the column names, which are all texts above numbers; the first line splits like
  // them. `names`: whether it looks like names as well.
  std::uint64_t lines_before_names(bool& names) const {
    if (options_.table.header == false || first_.size() < 4 || !even(first_)) return 0;
    const std::vector<std::string>& texts = first_[1].texts;
    double ignored = 0;
    if (std::any_of(texts.begin(), texts.end(), [&](const std::string& text) {
          return text.empty() || parse_cell(text, grammar_, ignored) != NumberProblem::not_a_number;
        }))
      return 0;
    const std::set<std::string> distinct(texts.begin(), texts.end());
    const std::optional<std::size_t> second = bytes_of_lines(text_, first_[1].line),
                                     third = bytes_of_lines(text_, first_[2].line);
    if (!second || !third || distinct.size() != texts.size()) return 0;
    std::string without_second(text_.substr(0, *second));
    without_second += text_.substr(*third, most_preamble_bytes);
    if (names_over_numbers(text_.substr(*second), whole_, grammar_) < 2) return 0;
    names = names_over_numbers(without_second, whole_ && text_.size() - *third <= most_preamble_bytes, grammar_) > 0;
    return first_[1].line;
  }

 private:
  struct Beginning {
    Evenness evenness = Evenness::none;  // none: the table cannot begin there
    std::size_t fields = 0;
    std::optional<char> comment{};
  };

  // Returns whether the table may begin there, so that nothing before it belongs to the table.
  Beginning beginning_at(std::size_t begin) const {
    const std::string_view rest = text_.substr(begin);
    const std::string_view line = line_at(rest, 0);
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) return {};
    ReadOptions unknown = options_;
    unknown.schema = nullptr;
    const CsvGrammar grammar = guess_grammar(rest, whole_, options_.table.delimiter ? options_ : unknown);
    const std::vector<Cut> table = first_records(rest, whole_, grammar, more_rows);
    const Evenness cut_alike = evenness(table);
    if (table.size() < 3 || cut_alike == Evenness::none) return {};
    const std::vector<Cut> before = first_records(text_.substr(0, begin), true, grammar, most_lines);
    const auto unlike = [&](const Cut& cut) {
      return cut.flawed || cut.fields != table.front().fields || cut.padded();
    };
    const auto strange = static_cast<std::size_t>(std::count_if(before.begin(), before.end(), unlike));
    if (before.empty() || !unlike(before.front())) return {};
    const bool padded = std::any_of(before.begin(), before.end(),
                                    [&](const Cut& cut) { return !cut.flawed && cut.fields == table.front().fields; });
    const bool named = options_.table.header != false && table.front().filled() * 2 > table.front().fields &&
                       names_over_numbers(rest, whole_, grammar) > 0;
    if (!(strange == before.size() ? named || !padded : named && strange * 2 >= before.size())) return {};
    Beginning found{cut_alike, table.front().fields};
    for (const Cut& cut : std::span(table).first(std::min(table.size(), rows_looked_at))) {
      if (cut.commented(table.front().fields)) found.comment = cut.texts.front().front();
    }
    return found;
  }

  std::string_view text_;
  bool whole_;
  const ReadOptions& options_;
  CsvGrammar grammar_;
  std::vector<Cut> first_;
};

// Returns the common first byte of all lines, if it can be a mark of comments.
std::optional<char> common_mark(std::string_view lines) {
  std::optional<char> mark;
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size() - 1);
    const std::size_t first = lines.substr(0, end).find_first_not_of(" \t\r");
    if (first != std::string_view::npos && mark.value_or(lines[first]) != lines[first]) return std::nullopt;
    if (first != std::string_view::npos) mark = lines[first];
    lines.remove_prefix(end + 1);
  }
  return mark && may_begin_comments(*mark, ',', '"') ? mark : std::nullopt;
}

std::string many_lines(std::uint64_t count) { return count == 1 ? "1 line" : std::to_string(count) + " lines"; }

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

std::optional<std::size_t> bytes_of_lines(std::string_view text, std::uint64_t lines) {
  std::size_t at = 0;
  for (; lines > 0; --lines) {
    const std::size_t end = text.find('\n', at);
    if (end == std::string_view::npos) return std::nullopt;
    at = end + 1;
  }
  return at;
}

namespace {

// Returns the delimiter that a line declares: sep=; perhaps in quotes, or padded with it.
std::optional<char> declared_delimiter(std::string_view line) {
  if (line.starts_with('"')) line.remove_prefix(1);
  if (!line.starts_with("sep=") || line.size() < 5) return std::nullopt;
  const char delimiter = line[4];
  line = line.substr(0, line.find_last_not_of("\r\"") + 1);
  return line.find_last_not_of(delimiter) == 3 && may_delimit(delimiter) ? std::optional(delimiter) : std::nullopt;
}

}  // namespace

LinesBefore lines_before_table(std::string_view text, bool whole, const ReadOptions& options) {
  if (options.table.skip_lines) return {*options.table.skip_lines};
  if (const auto delimiter = declared_delimiter(line_at(text, 0))) return {1, std::nullopt, delimiter};
  const Schema* const known = options.schema;
  if (known == nullptr || known->skip_lines == 0) return {};
  const std::uint64_t usual = known->skip_lines;
  const std::vector<Cut> first = first_records(text, whole, known_marks(options), 1);
  if (first.empty()) return {usual};
  std::set<std::string> names;
  for (const Column& column : known->columns) {
    if (column.kind != Column::Kind::product) names.insert(column.name);
  }
  const std::string had = "the model's data had " + many_lines(usual) + " before the table";
  const std::string over = option("skip-lines", std::to_string(usual)) + " skips as many here, too";
  if (known->header && options.table.header.value_or(true)) {
    const bool of_table = std::any_of(first.front().texts.begin(), first.front().texts.end(),
                                      [&](const std::string& text_of) { return names.contains(text_of); });
    if (of_table) return {0, ReadNote{had + ", and this one begins with the first line", over}};
  } else if (first.front().fields == names.size()) {
    throw Error(ErrorKind::data, had + ", and the first line here splits like its rows")
        .at(shown_name(options.path), 1, 1)
        .showing(std::string(line_at(text, 0)))
        .fix(option("skip-lines", "0") + " reads it as a row; " + over);
  }
  return {usual};
}

std::optional<Error> describe_preamble(std::string_view text, bool whole, const ReadOptions& options) {
  if (options.table.skip_lines) return std::nullopt;
  whole = whole && text.size() <= most_text;
  text = text.substr(0, most_text);
  const Preamble preamble(text, whole, options);
  const auto described = [&](std::string why, std::string fix) {
    return Error(ErrorKind::data, std::move(why))
        .at(shown_name(options.path), 1, 1)
        .showing(std::string(line_at(text, 0)))
        .fix(std::move(fix));
  };
  std::optional<char> comment;
  bool names = false;
  const std::uint64_t before_names = preamble.lines_before_names(names);
  if (const std::uint64_t lines = names || before_names == 0 ? preamble.lines(comment) : before_names; lines > 0) {
    const std::string number = std::to_string(lines), next = std::to_string(lines + 1);
    std::string fix = option("skip-lines", number);
    if (comment) fix += " " + option("comment", std::string(1, *comment));
    fix += comment ? " skips all such lines" : lines == 1 ? " skips it" : " skips them";
    if (const auto mark = common_mark(text.substr(0, *bytes_of_lines(text, lines))))
      fix += "; " + option("comment", std::string(1, *mark)) + " over all lines that begin so";
    return described((lines == 1 ? std::string("the first line is") : "the first " + number + " lines are") +
                         " not part of the table, which begins with line " + next,
                     std::move(fix));
  }
  if (before_names > 0) {
    const std::string number = std::to_string(before_names);
    return described(
        "two lines above numbers look like column names: the first, and line " + std::to_string(before_names + 1),
        option("skip-lines", number) + " takes the names of the latter; " + option("skip-lines", "0") +
            " reads it as a row");
  }
  return std::nullopt;
}

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
