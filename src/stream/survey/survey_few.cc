// Looks at the few values of a column that are not written as its plain numbers are.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "halfspace/base/error.h"
#include "stream/parser.h"
#include "stream/survey/survey_notes.h"
#include "stream/text/shapes.h"
#include "stream/text/text.h"

namespace halfspace {

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
