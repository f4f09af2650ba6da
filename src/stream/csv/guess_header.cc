// Weighs, column by column, the evidence for a header and against it.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <unordered_set>
#include <vector>

#include "halfspace/base/error.h"
#include "stream/csv/beginning.h"
#include "stream/csv/problems.h"
#include "stream/csv/walk.h"
#include "stream/text/number.h"
#include "stream/text/shapes.h"
#include "stream/text/text.h"

namespace halfspace::stream {
namespace {

constexpr std::uint64_t most_names = 200;
constexpr std::uint64_t most_fields = 100'000;

bool is_number(std::string_view text, const CsvGrammar& grammar) {
  double ignored = 0;
  return parse_cell(text, grammar, ignored) != NumberProblem::not_a_number;
}

// What a value looks like that is no plain number.
enum class Shape : std::uint8_t { number, date, time, none };

Shape shape_of(std::string_view text) {
  if (looks_like_date(text)) return Shape::date;
  if (looks_like_time(text)) return Shape::time;
  const bool marked = has_decimal_comma(text) || has_thousands(text, ',', '.') || has_thousands(text, '.', ',');
  return marked || looks_like_amount(text) ? Shape::number : Shape::none;
}

struct Below {
  std::uint64_t numbers = 0, texts = 0;
  std::array<std::uint64_t, 3> shaped{};  // of the texts
  bool repeats_the_first = false;
  std::string_view odd{};  // the first of the texts
  std::uint64_t odds = 0;  // texts that equal it

  // A few odd values do not make it a column of texts, nor does one that is repeated, as a mark of missing values is.
  bool numeric() const {
    const std::uint64_t marks = odds > 1 && odds <= numbers ? odds : 0;
    return numbers > 0 && (texts - marks) * 10 <= numbers;
  }
  bool numeric_by_marks() const { return texts * 10 > numbers; }
  // The shape that nearly all have; none: there is no such.
  Shape shape() const {
    const auto most = std::max_element(shaped.begin(), shaped.end());
    const std::uint64_t alike = *most + (most == shaped.begin() ? numbers : 0);
    const bool nearly_all = *most > 0 && (texts + numbers - alike) * 10 <= alike;
    return nearly_all ? static_cast<Shape>(most - shaped.begin()) : Shape::none;
  }
};

std::string in_column(std::size_t column) { return " in column " + std::to_string(column + 1); }

bool names_a_column(const Schema& schema, std::string_view text) {
  return std::any_of(schema.columns.begin(), schema.columns.end(),
                     [&](const Column& column) { return column.name == text; });
}

}  // namespace

bool header_lacks_a_name(std::string_view records, const CsvGrammar& grammar) {
  constexpr std::uint64_t looked_at = 11;
  std::vector<CsvField> fields;
  std::uint64_t names = 0, rows = 0, bad = 0, numbers = 0;
  bool named = true, ended = false;
  for_each_record(records, grammar, fields, [&](const CsvRecord& record, std::uint64_t) {
    if (names == 0) {
      names = record.fields;
      fields.resize(names);
      scan_record(record.begin, records.data() + records.size(), grammar, fields);
      named = record.flaw == CsvFlaw::none && std::none_of(fields.begin(), fields.end(), [&](const CsvField& field) {
                return is_number(field.text(), grammar);
              });
      fields.resize(names + 1);
      return named;
    }
    if (record.flaw == CsvFlaw::unclosed_quote) return false;
    if (record.flaw != CsvFlaw::none || record.fields != names + 1) return rows + ++bad < looked_at;
    ended = ended || !fields.back().text().empty();
    numbers += std::any_of(fields.begin() + 1, fields.end(),
                           [&](const CsvField& field) { return is_number(field.text(), grammar); })
                   ? 1
                   : 0;
    return ++rows + bad < looked_at;
  });
  // Texts may contain blanks, too; a delimiter after the last value makes no column, and none in single quotes does.
  return named && ended && rows >= 2 && bad * 5 <= rows && (!grammar.by_blanks() || numbers == rows) &&
         !other_quotes(records, grammar, names).single;
}

std::string why_first_column_is_data(std::string_view records, const CsvGrammar& grammar) {
  std::vector<CsvField> fields;
  std::unordered_set<std::string_view> seen;
  std::string repeated, number;
  bool numbers = true, ascend = true, quoted = true;
  double before = -1;
  for_each_record(records, grammar, fields, [&](const CsvRecord& record, std::uint64_t) {
    if (fields.empty()) {
      fields.resize(record.fields + 1);
      return true;
    }
    if (record.flaw != CsvFlaw::none || record.fields != fields.size()) return true;
    const std::string_view name = fields[0].text();
    if (!seen.insert(name).second) repeated = quote(name);
    double value = 0;
    numbers = numbers && parse_number(name, value) == NumberProblem::none;
    ascend = ascend && value == std::floor(value) && value > before;
    quoted = quoted && fields[0].begin > record.begin && grammar.quote != '\0' && fields[0].begin[-1] == grammar.quote;
    if (number.empty()) number = quote(name);
    before = value;
    return repeated.empty() && seen.size() < most_names;
  });
  if (!repeated.empty()) return repeated + " is repeated there";
  return numbers && !ascend && !quoted ? "it holds numbers such as " + number : "";
}

bool counts_columns(const std::vector<CsvField>& fields) {
  constexpr std::size_t fewest = 4;
  std::size_t counted = 0, distinct = 0;
  double before = 0;
  for (const CsvField& field : fields) {
    double value = 0;
    if (field.text().empty()) continue;
    if (parse_number(field.text(), value) != NumberProblem::none) return false;
    const bool first = counted++ == 0;
    if (first ? value != 0 && value != 1 : value != before && value != before + 1) return false;
    distinct += first || value != before ? 1 : 0;
    before = value;
  }
  return counted >= fewest && distinct * 2 >= counted && distinct >= 3;
}

ReadNote note_on_row_names(const std::string& first) {
  return {"the first line has one name fewer than the others have values, as R writes tables: the first column, " +
              quote(first) + ", was taken as the names of the rows",
          option("categorical", first) + " learns from it; " + option("no-header") + " reads the first line as a row"};
}

ReadNote note_on_header(const HeaderGuess& guess) {
  if (guess.header) {
    return {"the first line was taken as the names of the columns: " + guess.why,
            option("no-header") + " reads it as a row"};
  }
  return {"the first line was taken as a row, and the columns are called 1, 2, 3 ...: " + guess.why,
          guess.distinct ? option("header") + " reads it as names" : option("no-header") + " confirms it"};
}

namespace {

// The first record, and the rows below it.
struct Look {
  std::vector<CsvField> first;
  std::vector<Below> below;
  std::uint64_t rows = 0;
  bool rows_count = false;  // one of them counts the columns
  bool rows_name = false;   // one of them counts up beside texts
};

// Returns whether the numbers of a line, at least four besides a text, count up by 1: years as column names.
bool counts_up_beside_texts(const std::vector<CsvField>& fields) {
  constexpr std::size_t fewest = 4;
  std::size_t numbers = 0, texts = 0;
  double before = 0;
  for (const CsvField& field : fields) {
    double value = 0;
    if (field.text().empty()) continue;
    if (parse_number(field.text(), value) != NumberProblem::none) {
      ++texts;
      continue;
    }
    if (value != std::floor(value) || (numbers > 0 && value != before + 1)) return false;
    before = value;
    ++numbers;
  }
  return numbers >= fewest && texts > 0;
}

Look look_at(std::string_view records, const CsvGrammar& grammar, const MissingNames& missing) {
  Look look;
  std::vector<CsvField> fields;
  for_each_record(records, grammar, fields, [&](const CsvRecord& record, std::uint64_t) {
    if (look.first.empty()) {
      look.first.resize(record.fields);
      scan_record(record.begin, records.data() + records.size(), grammar, look.first);
      fields.resize(look.first.size());
      look.below.resize(look.first.size());
      return record.flaw == CsvFlaw::none;
    }
    if (record.flaw != CsvFlaw::none || record.fields != look.first.size()) return true;
    look.rows_count = look.rows_count || counts_columns(fields);
    look.rows_name = look.rows_name || counts_up_beside_texts(fields);
    for (std::size_t i = 0; i < look.first.size(); ++i) {
      const std::string_view text = fields[i].text();
      if (missing(text) || looks_missing(text)) continue;
      const bool number = is_number(text, grammar);
      ++(number ? look.below[i].numbers : look.below[i].texts);
      if (!number && look.below[i].odd.empty()) look.below[i].odd = text;
      if (!number && text == look.below[i].odd) ++look.below[i].odds;
      if (const Shape shape = number ? Shape::none : shape_of(text); shape != Shape::none)
        ++look.below[i].shaped[static_cast<std::size_t>(shape)];
      look.below[i].repeats_the_first = look.below[i].repeats_the_first || text == look.first[i].text();
    }
    return ++look.rows < most_names && look.rows * look.first.size() < most_fields;
  });
  return look;
}

}  // namespace

HeaderGuess guess_header(std::string_view records, const CsvGrammar& grammar, const MissingNames& missing,
                         const Schema* known) {
  const auto [first, below, rows, rows_count, rows_name] = look_at(records, grammar, missing);
  if (rows == 0) return {};
  if (known != nullptr && std::any_of(first.begin(), first.end(),
                                      [&](const CsvField& field) { return names_a_column(*known, field.text()); }))
    return {};

  std::size_t names = 0, values = 0, a_name = 0, a_value = 0, repeated = first.size();
  std::size_t names_over_shapes = 0, shaped_values = 0, a_shaped_value = 0;
  std::unordered_set<std::string_view> seen;
  bool twice = false;
  for (std::size_t i = first.size(); i-- > 0;) {
    const std::string_view text = first[i].text();
    if (missing(text) || looks_missing(text)) continue;
    twice = !seen.insert(text).second || twice;
    if (below[i].repeats_the_first) repeated = i;
    if (const Shape shape = below[i].shape(); shape != Shape::none) {
      const bool value = shape == shape_of(text) || (shape == Shape::number && is_number(text, grammar));
      ++(value ? shaped_values : names_over_shapes);
      if (value) a_shaped_value = i;
    }
    if (!below[i].numeric() || (below[i].numeric_by_marks() && below[i].odd == text)) continue;
    ++(is_number(text, grammar) ? values : names);
    (is_number(text, grammar) ? a_value : a_name) = i;
  }
  if (counts_columns(first) && !rows_count) return {true, "it counts the columns"};
  if (counts_up_beside_texts(first) && !rows_name) return {true, "its numbers count up, as years do", names};
  const auto row = [&](std::string why) { return HeaderGuess{false, std::move(why), 0, !twice}; };
  if (values > names) return row(quote(first[a_value].text()) + " is a number above numbers" + in_column(a_value));
  if (names > 0 && values == 0) return {true, "", names};
  if (names > 0) return {true, quote(first[a_name].text()) + " is above numbers" + in_column(a_name)};
  // Without plain numbers, dates and numbers with other marks decide.
  if (names_over_shapes > shaped_values) return {true, "", names_over_shapes};
  if (shaped_values > 0)
    return row(quote(first[a_shaped_value].text()) + " is a value as those below it" + in_column(a_shaped_value));
  if (repeated < first.size()) return row(quote(first[repeated].text()) + " is repeated" + in_column(repeated));
  if (twice) return row("it holds the same text twice, and no column holds numbers");
  return {true, "no column holds numbers, and none of its texts is repeated"};
}

}  // namespace halfspace::stream
