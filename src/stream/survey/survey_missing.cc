// Looks for numbers that may mean a missing value, and at missing values.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "halfspace/base/error.h"
#include "stream/columns/missing.h"
#include "stream/survey/survey_notes.h"
#include "stream/text/number.h"
#include "stream/text/shapes.h"
#include "stream/text/text.h"

namespace halfspace {
namespace {

using stream::quote;

// Columns and rows in words, the first few by name.
class RowsOfColumns {
 public:
  void add(const Column& column, std::uint64_t rows) {
    if (count_++ >= most) return;
    words_ += count_ == 1 ? fmt::format("{} rows of {}", rows, quote(column.name))
                          : fmt::format(", {} of {}", rows, quote(column.name));
  }
  std::string words() const { return count_ > most ? fmt::format("{} and {} more", words_, count_ - most) : words_; }

 private:
  static constexpr std::size_t most = 4;
  std::size_t count_ = 0;
  std::string words_;
};

// Numbers that may mean a missing value, and where they are.
struct Marks {
  RowsOfColumns found;
  std::vector<double> numbers;
  std::vector<const Column*> columns;
  std::string list;  // as texts of cells

  void add(const Column& column, double mark, const SurveyedFeature& seen, std::uint64_t rows) {
    found.add(column, rows);
    columns.push_back(&column);
    if (std::find(numbers.begin(), numbers.end(), mark) == numbers.end()) numbers.push_back(mark);
    // Columns of fractions are often written with one or two decimals in all cells.
    for (const std::string_view zeros : {"", ".0", ".00"}) {
      const std::string text = fmt::format("{}{}", mark, zeros);
      if (!zeros.empty() && seen.whole) break;
      if (("," + list + ",").find("," + text + ",") == std::string::npos) list += (list.empty() ? "" : ",") + text;
    }
  }
  std::string words() const {
    std::string words;
    for (const double mark : numbers) words += fmt::format("{}{}", words.empty() ? "" : ",", mark);
    return words;
  }
};

}  // namespace

// Returns whether a number is also a class, or negative and within the range of a column that it is no mark of.
bool SurveyNotes::is_used_elsewhere(double mark, const std::vector<const Column*>& marked) const {
  if (schema_.labels.find(fmt::format("{}", mark))) return true;
  return mark < 0 && std::any_of(schema_.columns.begin(), schema_.columns.end(), [&](const Column& column) {
           if (column.kind != Column::Kind::numeric) return false;
           const SurveyedFeature seen = survey_.feature(column.feature);
           return seen.least <= mark && mark <= seen.most &&
                  std::find(marked.begin(), marked.end(), &column) == marked.end();
         });
}

// Finds numbers that may mean a missing value, twice or more: 999, further from all others than they differ; as the only
// negative number of a column -9, -1, and what is further from 0 than the largest; -1 of whole numbers, four different
// ones or more.
void SurveyNotes::look_at_far_values() {
  constexpr std::uint64_t fewest = 2;
  constexpr std::uint8_t fewest_distinct = 4;
  Marks far, negative;
  for (const Column& column : schema_.columns) {
    if (column.kind != Column::Kind::numeric) continue;
    const SurveyedFeature seen = survey_.feature(column.feature);
    const double away = std::max(seen.least_other - seen.nines, seen.nines - seen.most_other);
    const bool one = seen.rows_of_negative >= fewest && !seen.other_negatives;
    const bool alone = stream::is_in_nines(fmt::format("{}", seen.negative)) || -seen.negative > seen.most;
    if (one && alone && seen.distinct >= fewest_distinct && seen.negative != -1) {
      far.add(column, seen.negative, seen, seen.rows_of_negative);
    } else if (seen.rows_of_nines >= fewest && seen.least_other < seen.most_other &&
               away > seen.most_other - seen.least_other) {
      far.add(column, seen.nines, seen, seen.rows_of_nines);
    } else if (one && seen.negative == -1 && seen.whole && seen.distinct >= fewest_distinct) {
      negative.add(column, seen.negative, seen, seen.rows_of_negative);
    }
  }
  const auto fix = [&](const Marks& marks) {
    const bool elsewhere = std::any_of(marks.numbers.begin(), marks.numbers.end(),
                                       [&](double mark) { return is_used_elsewhere(mark, marks.columns); });
    return has_names_for_missing() && !elsewhere ? option("missing", marks.list) + " reads them as missing"
           : has_names_for_missing()             ? "where they do, leave these cells empty in the file"
           : format_.sparse_columns              ? "where they do, write ? in their place"
                                                 : "where they do, leave them out of the file";
  };
  if (!far.numbers.empty()) {
    add(About::column, true,
        fmt::format("numbers far from all others may mean a missing value: {} in {}", far.words(), far.found.words()),
        fix(far));
  }
  if (!negative.numbers.empty()) {
    add(About::column, false,
        fmt::format("-1 may mean a missing value: no other number is negative, in {}", negative.found.words()),
        fix(negative));
  }
}

// + without -, which is a mark of missing values unless the options say otherwise: a strand, a sign.
void SurveyNotes::look_at_minus_signs() {
  if (std::find(schema_.missing.begin(), schema_.missing.end(), "-") == schema_.missing.end()) return;
  for (const Column& column : schema_.columns) {
    if (column.kind != Column::Kind::categorical || column.missing_feature == Column::no_feature ||
        survey_.feature(column.missing_feature).values == 0)
      continue;
    bool plus = false;
    for (std::size_t k = 0; k < column.categories.size(); ++k)
      plus = plus || std::string_view(column.categories[k]) == "+";
    if (!plus) continue;
    return add(
        About::column, true, fmt::format("the column {} has '+', and '-' is read as missing there", quote(column.name)),
        option("missing-only", stream::MissingNames(schema_.missing).list_without("-")) + " makes a value of '-'");
  }
}

// Marks that only programs write, among texts; among numbers other notes name them.
void SurveyNotes::look_at_marks_of_programs() {
  if (!has_names_for_missing()) return;
  constexpr std::string_view marks[] = {"<undefined>", "<NA>", "#N/A", "#NULL!", "#DIV/0!", "#VALUE!"};
  RowsOfColumns found;
  std::string list;
  for (const Column& column : schema_.columns) {
    if (column.kind != Column::Kind::categorical || was_asked_for(column)) continue;
    std::uint64_t rows = 0;
    bool numbers = false;
    for (std::size_t k = 0; k < column.categories.size(); ++k) {
      const std::string text(column.categories[k]);
      const std::uint64_t values = survey_.feature(column.features[k]).values;
      numbers = numbers || (values > 0 && is_number(text));
      if (values == 0 || std::find(std::begin(marks), std::end(marks), text) == std::end(marks)) continue;
      rows += values;
      if (("," + list + ",").find("," + text + ",") == std::string::npos) list += (list.empty() ? "" : ",") + text;
    }
    if (rows > 0 && numbers) return;
    if (rows > 0) found.add(column, rows);
  }
  if (list.empty()) return;
  add(About::column, true, fmt::format("a mark of missing values is a category: {} in {}", list, found.words()),
      option("missing", list) + " reads it as missing");
}

// Missing values are features, which nobody sees in the data.
void SurveyNotes::look_at_missing() {
  RowsOfColumns found;
  const Column* first = nullptr;
  for (const Column& column : schema_.columns) {
    if (column.missing_feature == Column::no_feature) continue;
    const std::uint64_t rows = survey_.feature(column.missing_feature).values;
    if (rows == 0) continue;
    if (first == nullptr) first = &column;
    found.add(column, rows);
  }
  if (first == nullptr) return;
  add(About::missing, false,
      fmt::format("a missing value is a feature of its own, such as {}: in {}", quote(first->name + "=?"),
                  found.words()),
      "fill in the values to avoid that; " + option("drop") + " leaves columns out");
}

// Looks at the few values of a column that are not written as its plain numbers are.

// Returns how a single number is written, among plain ones. 1176 beside 1,176 leaves open what the comma is, unless
// commas separate cells or the column has points.
std::optional<SurveyNotes::Kind> SurveyNotes::marks_among_numbers(const Texts& texts, bool points) const {
  const std::optional<Kind> kind = marks_of(texts);
  const bool commas = kind == Kind::decimal_comma || kind == Kind::unsure_commas;
  if (!commas || !has_marks() || texts.plain_thousands < texts.commas || schema_.thousands != '\0') return kind;
  return points || schema_.delimiter == ',' ? Kind::comma_thousands : Kind::unsure_commas;
}

// Returns the notation of the first number that is not plain, of a column in which few are not.
std::optional<SurveyNotes::Few> SurveyNotes::few_of(const Column& column, const Texts& texts) const {
  if (texts.rows < 10 || (texts.numbers * 5 < texts.rows * 4 && !has_a_few_odd(texts)) || marks_of(texts))
    return std::nullopt;
  const bool points = std::any_of(column.categories.begin(), column.categories.end(), [&](const auto& text) {
    return text.find('.') != std::string_view::npos && stream::looks_like_number(text);
  });
  Texts plain;
  plain.rows = plain.numbers = 1;
  plain.three_digits = texts.three_digits;
  plain.longer = texts.longer;
  std::vector<Few> found;
  std::uint64_t codes = 0;  // rows of other texts that begin with a digit: 12A and 12C, beside which 12B is no number
  for (std::size_t k = 0; k < column.categories.size(); ++k) {
    const std::string text(column.categories[k]);
    const SurveyedFeature seen = survey_.feature(column.features[k]);
    if (seen.values == 0 || is_number(text)) continue;
    Texts one = plain;
    count(text, 1, one);
    const std::optional<Kind> kind = marks_among_numbers(one, points);
    if (!kind && text.find_first_of("0123456789") == 0) codes += seen.values;
    if (!kind) continue;
    auto its = std::find_if(found.begin(), found.end(), [&](const Few& few) { return few.kind == kind; });
    if (its == found.end()) its = found.insert(its, Few{*kind, plain, text, seen.first_row});
    count(text, seen.values, its->texts);
    if (seen.first_row < its->row) {
      its->row = seen.first_row;
      its->first = text;
    }
  }
  if (found.empty()) return std::nullopt;
  Few first = *std::min_element(found.begin(), found.end(), [](const Few& a, const Few& b) { return a.row < b.row; });
  if (codes >= first.texts.rows) return std::nullopt;
  // $5 and €5 are of one kind each, and of another together.
  first.kind = marks_among_numbers(first.texts, points).value_or(first.kind);
  return first;
}

void SurveyNotes::gather_few(const Few& few, const Column& column, const Texts& texts) {
  gather(few.kind, column);
  gather_units(few.kind, few.texts);
  std::string& words = few_[static_cast<std::size_t>(few.kind)];
  if (!words.empty()) return;
  words = fmt::format(": {} of {} values of {}, the first in row {}: {}", few.texts.rows - 1, texts.rows,
                      stream::quote(column.name), few.row, stream::quote(few.first));
}

// Returns whether a text is a value: it begins or ends with a number of its column, or the next one, as 5 (best) and
// best 5 do beside 1 to 4, but not code5; or it is a number with others.
bool SurveyNotes::is_value_of(const std::string& text, const Column& column) {
  constexpr std::string_view of_numbers = "0123456789.";
  if (text.find_first_of("<>=") == 0) return false;
  if (stream::holds_a_number(text) || stream::is_of_parts(text)) return true;
  const std::size_t begin = std::min(text.find_first_not_of("([$+-"), text.size());
  const std::string_view body = std::string_view(text).substr(begin);
  const std::string_view front = body.substr(0, body.find_first_not_of(of_numbers));
  const std::size_t last = body.find_last_not_of(of_numbers);
  const bool apart = last != std::string_view::npos && body[last] == ' ';
  const std::string_view back = apart ? body.substr(last + 1) : std::string_view();
  double least = std::numeric_limits<double>::infinity(), most = -least;
  std::size_t numbers = 0;
  const auto read = [](std::string_view number, double& value) {
    return stream::parse_number(number, value) == stream::NumberProblem::none;
  };
  for (const auto& category : column.categories) {
    double value = 0;
    if (!read(category, value)) continue;
    ++numbers;
    least = std::min(least, value);
    most = std::max(most, value);
  }
  const double step = numbers > 1 ? (most - least) / static_cast<double>(numbers - 1) : 0;
  for (const std::string_view number : {front, back}) {
    double value = 0;
    if (read(number, value) && value >= least - step && value <= most + step) return true;
  }
  return false;
}

// Returns whether some of the odd texts of a column are values of it.
bool SurveyNotes::has_values(const Texts& texts, const Column& column) {
  return std::any_of(texts.odd.begin(), texts.odd.end(),
                     [&](const std::string& text) { return is_value_of(text, column); });
}

}  // namespace halfspace
