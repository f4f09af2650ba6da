// Classifies the texts of a column by their look.
#include "stream/survey/column_texts.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include "stream/formats/parser.h"
#include "stream/text/dates.h"
#include "stream/text/number.h"
#include "stream/text/shapes.h"
#include "stream/text/text.h"

namespace halfspace {
namespace {

constexpr std::size_t most_units = 8;
constexpr std::array<DateOrder, 3> every_order = {DateOrder::ymd, DateOrder::dmy, DateOrder::mdy};

// Pieces between blanks that have a letter or digit: 750-67-8428 and https://a.b/c are one word each.
bool has_three_words(std::string_view text) {
  std::size_t words = 0;
  bool letter = false;  // or digit
  for (const char c : text) {
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      words += letter ? 1 : 0;
      letter = false;
    } else {
      letter = letter || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
               static_cast<unsigned char>(c) >= 0x80;
    }
  }
  return words + (letter ? 1 : 0) >= 3;
}

// A unit that is no known one must be that of all cells: 12A beside 3B are codes.
std::optional<NoteKind> units_of(const ColumnTexts& texts) {
  const auto most = [&](std::uint64_t rows) {
    return rows * 10 > texts.rows && (rows + texts.numbers) * 10 >= texts.rows * 9;
  };
  const bool one = std::all_of(texts.units_seen.begin(), texts.units_seen.end(), [&](const stream::NumberUnit& unit) {
    return stream::are_one_unit(texts.units_seen.front(), unit);
  });
  std::uint64_t noted = 0;
  for (std::size_t k = 0; k < texts.notations.size(); ++k)
    noted += one && stream::number_notations()[k].of_several_units ? 0 : texts.notations[k];
  // Few numbers are negative, and the others of an account are plain.
  const std::uint64_t others = texts.numbers + texts.marked;
  if ((noted * 10 > texts.rows || (noted >= 3 && noted + others == texts.rows)) &&
      (noted + others) * 10 >= texts.rows * 9)
    return NoteKind::other_notation;
  if (texts.units_seen.empty()) return std::nullopt;
  const stream::NumberUnit& first = texts.units_seen.front();
  if (!most(texts.known_units)) {
    return one && texts.units == texts.rows ? std::optional(NoteKind::with_units) : std::nullopt;
  }
  // 50 % is 0.5, and $5K is $5000.
  const bool scaled = (first.after == "%" && texts.numbers > 0) || (!first.before.empty() && !first.after.empty());
  return one && !scaled ? NoteKind::with_units : NoteKind::mixed_units;
}

// The orders that fit decide which flags read a column of dates.
std::optional<NoteKind> date_kind_of(const ColumnTexts& texts) {
  const auto [ymd, dmy, mdy] = texts.orders;
  if (ymd + dmy + mdy == 0) return NoteKind::unread_dates;
  if (std::max({ymd, dmy, mdy}) < texts.rows) return NoteKind::odd_dates;
  return dmy == mdy && ymd < dmy ? NoteKind::unsure_dates : NoteKind::dates;
}

// Counts a text that occurs in this many rows.
void count_text(const SurveyedTable& table, const std::string& text, std::uint64_t rows, ColumnTexts& texts) {
  constexpr std::array<char, 4> marks = {',', '.', ' ', '\''};
  const bool comma = stream::has_decimal_comma(text);
  ++texts.distinct;
  texts.rows += rows;
  texts.numbers += table.is_number(text) ? rows : 0;
  texts.commas += comma ? rows : 0;
  texts.grouped_by_points += stream::may_have_points_for_thousands(text) ? rows : 0;
  if (text.find_first_not_of("0123456789") == std::string::npos)
    (text.size() > 3 ? texts.longer : texts.three_digits) += text.size() >= 3 ? rows : 0;
  bool parted = false;
  for (std::size_t k = 0; k < marks.size(); ++k) {
    const bool parts = stream::has_thousands(text, marks[k], marks[k] == '.' ? ',' : '.') ||
                       (k > 1 && stream::has_thousands(text, marks[k], ','));
    texts.thousands[k] += parts && !(k == 0 && comma) ? rows : 0;
    texts.plain_thousands += parts && k == 0 && comma ? rows : 0;
    parted = parted || parts;
  }
  const bool marked = comma || table.is_number(text);
  texts.marked += !table.is_number(text) && (comma || parted) ? rows : 0;
  bool among = false, measured = false;
  if (const auto unit = marked ? std::nullopt : stream::unit_of(text)) {
    texts.units += rows;
    among = stream::is_known_unit(*unit);
    measured = !among && stream::is_measured(text);
    texts.known_units += among ? rows : 0;
    stream::add_unit(*unit, most_units, texts.units_seen);
  }
  for (std::size_t k = 0; !marked && k < texts.notations.size(); ++k) {
    if (!stream::number_notations()[k].fits(text)) continue;
    texts.notations[k] += rows;
    among = true;
    break;
  }
  among = among || (!marked && (stream::holds_a_number(text) || stream::is_of_parts(text)));
  if (texts.among.empty() && (among || measured)) texts.among = text;
  texts.among_text += among ? rows : 0;
  texts.measured += measured && !among ? rows : 0;
  texts.oddly_marked += !marked && stream::has_odd_marks(text) ? rows : 0;
  bool date = stream::looks_like_date(text);
  for (std::size_t k = 0; k < every_order.size(); ++k) {
    stream::Date ignored;
    const bool fits = stream::read_date(text, every_order[k], ignored);
    texts.orders[k] += fits ? rows : 0;
    date = date || (fits && k > 0);
  }
  const bool time = stream::looks_like_time(text);
  const bool only_time = time && texts.orders[0] + texts.orders[1] + texts.orders[2] == 0;
  texts.dates += date && !only_time ? rows : 0;
  texts.months += stream::looks_like_month(text) ? rows : 0;
  texts.times += time ? rows : 0;
  texts.worded += has_three_words(text) ? rows : 0;
  texts.unspaced += stream::lacks_blanks(text) ? rows : 0;
  texts.quoted += text.size() >= 2 && text.front() == '\'' && text.back() == '\'' ? rows : 0;
}

// Returns whether a text is a value: it begins or ends with a number of its column, or the next one, as 5 (best) and
// best 5 do beside 1 to 4, but not code5; or it is a number with others.
bool is_value_of(const std::string& text, const Column& column) {
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

}  // namespace

// Units that are no measures are a few, and repeat: 12 Oak Street is a name.
std::uint64_t rows_among_text(const ColumnTexts& texts) {
  const bool few = texts.units_seen.size() < most_units && texts.units_seen.size() * 3 <= texts.units;
  return texts.among_text + (few ? texts.measured : 0);
}

namespace {

// For a CSV table: texts that would be numbers, or other values, with other marks.
std::optional<NoteKind> marks_of(const SurveyedTable& table, const ColumnTexts& texts) {
  const auto most = [&](std::uint64_t rows) {
    return rows * 10 > texts.rows && (rows + texts.numbers) * 10 >= texts.rows * 9;
  };
  const bool points = table.schema.decimal == '.';
  if (!table.has_marks() && points && texts.thousands[0] > 0 && most(texts.thousands[0] + texts.plain_thousands))
    return NoteKind::comma_thousands;
  if (table.has_marks() && table.schema.thousands == '\0') {
    const std::uint64_t by_comma = texts.thousands[0] + texts.plain_thousands;
    if (points && texts.thousands[0] > 0 && most(by_comma)) return NoteKind::comma_thousands;
    if (points && texts.thousands[1] > 0 && most(texts.thousands[1] + texts.commas)) return NoteKind::point_thousands;
    if (most(texts.thousands[2])) return NoteKind::space_thousands;
    if (most(texts.thousands[3])) return NoteKind::apostrophe_thousands;
  }
  // 1.234 and 980 beside decimal commas.
  if (table.has_marks() && !points && table.schema.thousands == '\0' && texts.longer == 0 &&
      texts.grouped_by_points * 10 > texts.rows && most(texts.commas + texts.grouped_by_points))
    return NoteKind::point_thousands;
  if (points && most(texts.commas)) {
    if (texts.plain_thousands < texts.commas) return NoteKind::decimal_comma;
    // 776 beside 1,176 decides it, and so does 1176.
    const bool no_thousands = table.has_marks() && table.schema.thousands == '\0';
    return texts.longer > 0                         ? NoteKind::decimal_comma
           : texts.three_digits > 0 && no_thousands ? NoteKind::comma_thousands
                                                    : NoteKind::unsure_commas;
  }
  if (const auto units = units_of(texts)) return units;
  if (most(texts.oddly_marked)) return NoteKind::oddly_marked;
  // (1,500) beside 1,200: both marks are changed in turn.
  const std::uint64_t grouped = texts.thousands[0] + texts.plain_thousands;
  if (points && texts.oddly_marked * 10 > texts.rows && most(texts.oddly_marked + grouped))
    return NoteKind::oddly_marked;
  if (table.has_marks() && table.schema.quote == Quote::double_quote && texts.quoted == texts.rows)
    return NoteKind::in_single_quotes;
  // A few texts among numbers may be marks of missing values.
  if (texts.rows >= 10 && texts.distinct_odd > most_odd_texts && most(rows_among_text(texts)))
    return NoteKind::among_text;
  return std::nullopt;
}

// Returns how a single number is written, among plain ones. 1176 beside 1,176 leaves open what the comma is, unless
// commas separate cells or the column has points.
std::optional<NoteKind> marks_among_numbers(const SurveyedTable& table, const ColumnTexts& texts, bool points) {
  const std::optional<NoteKind> kind = marks_of(table, texts);
  const bool commas = kind == NoteKind::decimal_comma || kind == NoteKind::unsure_commas;
  if (!commas || !table.has_marks() || texts.plain_thousands < texts.commas || table.schema.thousands != '\0')
    return kind;
  return points || table.schema.delimiter == ',' ? NoteKind::comma_thousands : NoteKind::unsure_commas;
}

}  // namespace

bool has_a_few_odd(const SurveyedTable& table, const ColumnTexts& texts) {
  if (texts.distinct_odd == 0 || texts.rows < 10) return false;
  const bool few = texts.distinct_odd <= most_odd_texts && table.has_names_for_missing();
  return texts.numbers * 5 >= texts.rows * 4 || (few && texts.numbers * 2 >= texts.rows);
}

bool is_mixed(const SurveyedTable& table, const ColumnTexts& texts) {
  constexpr std::uint64_t fewest_numbers = 3;
  if (texts.distinct_odd == 0 || texts.rows < 10 || !table.has_names_for_missing()) return false;
  const bool few = texts.distinct_odd <= most_odd_texts && texts.distinct - texts.distinct_odd >= fewest_numbers;
  return few || texts.numbers * 5 >= texts.rows;
}

std::optional<NoteKind> kind_of(const SurveyedTable& table, const ColumnTexts& texts) {
  if (const auto marks = marks_of(table, texts)) return marks;
  // 11.01.00 may be either.
  const bool times = texts.times * 10 >= texts.rows * 9;
  const bool all_dates = *std::max_element(texts.orders.begin(), texts.orders.end()) == texts.rows;
  if (texts.dates * 10 >= texts.rows * 9 && (all_dates || !times))
    return texts.months * 2 > texts.dates ? std::optional(NoteKind::months) : date_kind_of(texts);
  if (times && texts.distinct >= 20) return NoteKind::times;
  if (has_a_few_odd(table, texts)) return std::nullopt;
  if (texts.rows < 20 || texts.distinct * 2 < texts.rows) return std::nullopt;
  if (texts.worded * 2 >= texts.rows) return NoteKind::prose;
  if (texts.unspaced * 2 >= texts.rows) return NoteKind::unspaced;
  return texts.distinct * 10 >= texts.rows * 9 ? NoteKind::naming : NoteKind::scattered;
}

ColumnTexts texts_of(const SurveyedTable& table, const Column& column) {
  ColumnTexts texts;
  std::vector<std::pair<std::uint64_t, std::string>> odd;  // by their first row
  for (std::size_t k = 0; k < column.categories.size(); ++k) {
    const SurveyedFeature seen = table.survey.feature(column.features[k]);
    if (seen.values == 0) continue;
    const std::string text(column.categories[k]);
    if (text == column.name) {
      texts.own_name = seen.values;
      texts.own_name_row = seen.first_row;
    }
    count_text(table, text, seen.values, texts);
    if (stream::looks_like_number(text) || stream::has_decimal_comma(text)) continue;
    ++texts.distinct_odd;
    odd.emplace_back(seen.first_row, text);
    std::push_heap(odd.begin(), odd.end());
    if (odd.size() <= most_odd_texts) continue;
    std::pop_heap(odd.begin(), odd.end());
    odd.pop_back();
  }
  std::sort_heap(odd.begin(), odd.end());
  if (!odd.empty()) texts.odd_row = odd.front().first;
  for (auto& [row, text] : odd) texts.odd.push_back(std::move(text));
  return texts;
}

std::optional<FewNumbers> few_of(const SurveyedTable& table, const Column& column, const ColumnTexts& texts) {
  if (texts.rows < 10 || (texts.numbers * 5 < texts.rows * 4 && !has_a_few_odd(table, texts)) || marks_of(table, texts))
    return std::nullopt;
  const bool points = std::any_of(column.categories.begin(), column.categories.end(), [&](const auto& text) {
    return text.find('.') != std::string_view::npos && stream::looks_like_number(text);
  });
  ColumnTexts plain;
  plain.rows = plain.numbers = 1;
  plain.three_digits = texts.three_digits;
  plain.longer = texts.longer;
  std::vector<FewNumbers> found;
  std::uint64_t codes = 0;  // rows of other texts that begin with a digit: 12A and 12C, beside which 12B is no number
  for (std::size_t k = 0; k < column.categories.size(); ++k) {
    const std::string text(column.categories[k]);
    const SurveyedFeature seen = table.survey.feature(column.features[k]);
    if (seen.values == 0 || table.is_number(text)) continue;
    ColumnTexts one = plain;
    count_text(table, text, 1, one);
    const std::optional<NoteKind> kind = marks_among_numbers(table, one, points);
    if (!kind && text.find_first_of("0123456789") == 0) codes += seen.values;
    if (!kind) continue;
    auto its = std::find_if(found.begin(), found.end(), [&](const FewNumbers& few) { return few.kind == kind; });
    if (its == found.end()) its = found.insert(its, FewNumbers{*kind, plain, text, seen.first_row});
    count_text(table, text, seen.values, its->texts);
    if (seen.first_row < its->row) {
      its->row = seen.first_row;
      its->first = text;
    }
  }
  if (found.empty()) return std::nullopt;
  FewNumbers first = *std::min_element(found.begin(), found.end(),
                                       [](const FewNumbers& a, const FewNumbers& b) { return a.row < b.row; });
  if (codes >= first.texts.rows) return std::nullopt;
  // $5 and €5 are of one kind each, and of another together.
  first.kind = marks_among_numbers(table, first.texts, points).value_or(first.kind);
  return first;
}

bool has_values(const ColumnTexts& texts, const Column& column) {
  return std::any_of(texts.odd.begin(), texts.odd.end(),
                     [&](const std::string& text) { return is_value_of(text, column); });
}

}  // namespace halfspace
