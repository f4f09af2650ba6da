// Turns the statistics of a survey into notes.
#include "stream/survey/survey_notes.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

#include "halfspace/base/error.h"
#include "stream/csv/problems.h"
#include "stream/text/dates.h"
#include "stream/text/number.h"
#include "stream/text/shapes.h"
#include "stream/text/text.h"

namespace halfspace {
namespace {

using stream::looks_missing;
using stream::quote;

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

// Matches CustomerId, patient_id, ID, row-no, task_hash: a word of the name marks it as an identifier.
bool named_as_a_name(std::string_view name) {
  std::string word;
  const auto says = [&] {
    for (const std::string_view one :
         {"id", "ids", "uid", "uuid", "guid", "hash", "key", "index", "idx", "no", "nr", "number", "serial"}) {
      if (stream::lower_case(word) == one) return true;
    }
    return false;
  };
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool upper = c >= 'A' && c <= 'Z', letter = upper || (c >= 'a' && c <= 'z');
    const bool begins = upper && i > 0 && name[i - 1] >= 'a' && name[i - 1] <= 'z';
    if (!letter || begins) {
      if (says()) return true;
      word.clear();
    }
    if (letter) word += c;
  }
  return says() || (word.size() > 2 && word.ends_with("ID"));
}

// Matches sample_weight, caseWeight, Survey Weights: a word for what is weighted, and "weight".
bool named_as_weight(std::string_view name) {
  std::string word = stream::lower_case(name);
  std::erase_if(word, [](char c) { return c == '_' || c == '-' || c == '.' || c == ' '; });
  if (word.ends_with('s')) word.pop_back();
  if (!word.ends_with("weight")) return false;
  word.resize(word.size() - std::string_view("weight").size());
  for (const std::string_view of :
       {"sample", "case", "survey", "importance", "freq", "frequency", "instance", "example", "row", "obs",
        "observation", "sampling", "design", "person", "probability"}) {
    if (word == of) return true;
  }
  return false;
}

// A double holds the whole numbers up to the first, and integers of 64 bits end before the second.
constexpr double first_inexact = 9'007'199'254'740'992, end_of_integers = 2e19;

std::string percent_of(std::uint64_t part, std::uint64_t whole) {
  const double percent = 100 * static_cast<double>(part) / static_cast<double>(whole);
  return fmt::format("{:.{}f} %", std::floor(10 * percent) / 10, percent > 99 || percent < 1 ? 1 : 0);
}

}  // namespace

std::vector<SurveyNote> SurveyNotes::all() {
  look_at_header_rows();
  look_at_rows_in_quotes();
  look_at_totals();
  look_at_labels();
  look_at_order();
  const bool table = format_.columns_are_surveyed;
  if (survey_.surveyed_ > 0) {
    for (const Column& column : schema_.columns) {
      if (format_.columns == stream::ColumnsAre::namespaces && column.kind == Column::Kind::categorical &&
          column.products.empty())
        for (const auto look : {&SurveyNotes::look_at_names, &SurveyNotes::look_at_names_with_numbers})
          (this->*look)(column);
      if (!table || (!format_.takes_all(stream::about_header) && column.name.empty())) continue;
      if (column.kind == Column::Kind::numeric) look_at_numbers(column);
      if (column.kind == Column::Kind::categorical) look_at_categories(column);
      if (column.kind == Column::Kind::text) look_at_tokens(column);
    }
    tell_columns();
    look_at_far_values();
    look_at_missing();
    look_at_minus_signs();
    look_at_marks_of_programs();
    look_at_scales();
  }
  if (table) look_at_label_column();
  std::stable_sort(notes_.begin(), notes_.end(),
                   [](const SurveyNote& a, const SurveyNote& b) { return a.grave > b.grave; });
  return std::move(notes_);
}

void SurveyNotes::add(About about, bool grave, std::string text, std::string fix) {
  SurveyNote note;
  note.text = std::move(text);
  note.fix = std::move(fix);
  note.about = about;
  note.grave = grave;
  notes_.push_back(std::move(note));
}

void SurveyNotes::look_at_numbers(const Column& column) {
  const SurveyedFeature seen = survey_.feature(column.feature);
  if (seen.values == 0) {
    // A sparse row leaves zeros out, and not every feature may be looked at.
    if (!format_.sparse_columns && column.feature < survey_.limits_.features) gather(Kind::without_value, column);
  } else if (const double size = std::max(std::abs(seen.least), std::abs(seen.most));
             seen.whole && size > first_inexact && size < end_of_integers) {
    gather(Kind::inexact, column);
  } else if (seen.least == seen.most) {
    if (seen.values == survey_.surveyed_ && seen.values > 1) gather(Kind::constant, column);
  } else if (seen.dates) {
    date_orders_[0] = true;
    gather(Kind::dates, column);
  } else if (seen.counts_up && seen.values >= 10) {
    gather(Kind::counting, column);
  } else if (seems_to_number(column, seen)) {
    gather(Kind::numbering, column);
  } else if (ascends(seen) && &column == schema_.columns.data()) {
    gather(names_rows_by_its_place(column) ? Kind::numbering : Kind::ascending, column);
  } else if (seen.least >= 0 && options_.columns.weight.empty() && named_as_weight(column.name)) {
    gather(Kind::weights, column);
  }
}

// Numbers that are names in a namespace, as in | 1.5 2.5: their author may mean values. Whole numbers by themselves are
// indices.
void SurveyNotes::look_at_names(const Column& space) {
  constexpr std::uint64_t fewest = 3, fewest_words = 2;
  constexpr std::string_view brackets = "()[]{},;";
  std::uint64_t numbers = 0, words = 0;
  bool points = false;
  std::string_view example;
  for (std::size_t k = 0; k < std::min<std::size_t>(space.features.size(), space.categories.size()); ++k) {
    const SurveyedFeature seen = survey_.feature(space.features[k]);
    if (seen.values == 0 || seen.least != 1 || seen.most != 1) continue;  // it has a value
    std::string_view name = space.categories[k];
    const std::size_t begin = std::min(name.find_first_not_of(brackets), name.size());
    name = name.substr(begin, name.find_last_not_of(brackets) + 1 - begin);
    const bool number = stream::looks_like_number(name);
    if (number && (example.empty() || !points)) example = space.categories[k];
    numbers += number ? 1 : 0;
    words += number ? 0 : 1;
    points = points || (number && name.find('.') != std::string_view::npos);
  }
  if (numbers < fewest || numbers <= words || (!points && words < fewest_words)) return;
  add(About::column, false,
      fmt::format("{} names{} are numbers, such as {}: each is a feature of its own, of value 1", numbers,
                  space.name.empty() ? "" : " in the namespace " + quote(space.name), quote(example)),
      "where they are values, write them behind a name and a colon, as in length:1.5");
}

// Names such as w=1.25, nearly each of one row: their author means values of w.
void SurveyNotes::look_at_names_with_numbers(const Column& space) {
  constexpr std::size_t fewest = 10, fewest_each = 3;
  std::set<std::string_view> columns;
  std::size_t found = 0, names = 0, alone = 0;
  bool points = false;
  std::string_view example;
  for (std::size_t k = 0; k < std::min<std::size_t>(space.features.size(), space.categories.size()); ++k) {
    const SurveyedFeature seen = survey_.feature(space.features[k]);
    if (seen.values == 0) continue;
    ++names;
    const std::string_view name = space.categories[k];
    const std::size_t equal = name.find('=');
    if (equal == 0 || equal == std::string_view::npos || !stream::looks_like_number(name.substr(equal + 1)) ||
        seen.least != 1 || seen.most != 1)
      continue;
    if (++found == 1) example = name;
    columns.insert(name.substr(0, equal));
    alone += seen.values == 1 ? 1 : 0;
    points = points || name.find('.', equal) != std::string_view::npos;
  }
  const bool mostly_alone = points ? 2 * alone >= found : 10 * alone >= 9 * found;
  if (found < fewest || 2 * found < names || found < fewest_each * columns.size() || !mostly_alone) return;
  add(About::column, true,
      fmt::format("{} names{} are name=number, such as {}: each is a feature of its own, of value 1", found,
                  space.name.empty() ? "" : " in the namespace " + quote(space.name), quote(example)),
      "where they are values, write name:number: sed -E 's/=(-?[0-9.]+([eE][-+]?[0-9]+)?)( |$)/:\\1\\3/g' FILE "
      ">NAME.vw");
}

// Row-name columns of exported tables: no name at all, or a generated one.
bool SurveyNotes::names_rows_by_its_place(const Column& column) const {
  if (!has_header() || &column != schema_.columns.data()) return false;
  for (const std::string_view made_up :
       {"1", "X", "X1", "...1", "V1", "rownames", "row.names", "row_names", "rowname"}) {
    if (column.name == made_up) return true;
  }
  return column.name.starts_with("Unnamed: ");
}

// Quantities hardly repeat either: an identifier needs more evidence.
bool SurveyNotes::seems_to_number(const Column& column, const SurveyedFeature& seen) const {
  if (ascends(seen) && named_as_a_name(column.name)) return true;
  const bool first = &column == schema_.columns.data();
  if (!survey_.hardly_repeats(column.feature)) return false;
  if (names_rows_by_its_place(column)) return true;
  const bool nameless = format_.takes_all(stream::about_header) && !schema_.header;
  return nameless ? first || (seen.least >= 1e5 && seen.most < 2 * seen.least)
                  : named_as_a_name(column.name) || (seen.least >= 1e6 && seen.most < 1.5 * seen.least);
}

void SurveyNotes::look_at_categories(const Column& column) {
  if (is_of_header_rows(column)) return;
  const Texts texts = texts_of(column);
  // Numbers that name columns occur in them, too.
  if (texts.own_name_row != 0 && has_header() && !stream::looks_like_number(column.name) &&
      texts.own_name <= std::max<std::uint64_t>(1, survey_.surveyed_ / 100)) {
    own_name_row_ = own_name_row_ == 0 ? texts.own_name_row : std::min(own_name_row_, texts.own_name_row);
    return gather(texts.numbers * 2 > texts.rows ? Kind::own_name_over_numbers : Kind::own_name, column);
  }
  if (texts.distinct == 0) {
    const bool looked_at = column.features.empty() || column.features.back() < survey_.limits_.features;
    if (!format_.sparse_columns && looked_at) gather(Kind::without_value, column);
  } else if (texts.distinct == 1) {
    if (texts.rows == survey_.surveyed_ && texts.rows > 1) gather(Kind::constant, column);
  } else if (const auto few = was_asked_for(column) ? std::nullopt : few_of(column, texts)) {
    gather_few(*few, column, texts);
  } else if (const auto kind = kind_of(texts)) {
    // Only such a name says that it is one, such as an invoice's 1024/7.
    if (are_numbers(*kind) && was_asked_for(column)) return;
    if (kind == Kind::among_text && named_as_a_name(column.name)) return gather(Kind::scattered, column);
    gather(*kind, column);
    if (kind == Kind::among_text && among_text_.empty()) {
      among_text_ = fmt::format("a number among other text in {} of {} cells, such as {}", rows_among_text(texts),
                                texts.rows, quote(texts.among));
    }
    gather_units(*kind, texts);
    for (std::size_t k = 0; k < every_order.size() && *kind == Kind::dates; ++k)
      date_orders_[k] = date_orders_[k] || texts.orders[k] == texts.rows;
  } else if (was_asked_for(column)) {
    return;
  } else if (has_a_few_odd(texts)) {
    if (!holds_totals(column)) tell_odd(column, texts);
  } else if (is_mixed(texts)) {
    gather(Kind::mixed, column);
    mixed_texts_.insert(mixed_texts_.end(), texts.odd.begin(), texts.odd.end());
    mixed_have_marks_ = mixed_have_marks_ && texts.distinct_odd == texts.odd.size() && !has_values(texts, column);
  }
}

// Returns whether the options make the column categorical.
bool SurveyNotes::was_asked_for(const Column& column) const {
  const std::vector<std::string>& given = options_.columns.categorical;
  const std::string position = std::to_string(&column - schema_.columns.data() + 1);
  return std::any_of(given.begin(), given.end(), [&](const std::string& one) {
    return one == column.name || (format_.columns_by_position && one == position);
  });
}

// Returns whether the values are numbers, or most are and the others are a few texts that marks could be.
bool SurveyNotes::has_a_few_odd(const Texts& texts) const {
  if (texts.distinct_odd == 0 || texts.rows < 10) return false;
  const bool few = texts.distinct_odd <= most_odd_texts && has_names_for_missing();
  return texts.numbers * 5 >= texts.rows * 4 || (few && texts.numbers * 2 >= texts.rows);
}

// Returns whether numbers and other texts share the column: many of either, or a few texts that repeat.
bool SurveyNotes::is_mixed(const Texts& texts) const {
  constexpr std::uint64_t fewest_numbers = 3;
  if (texts.distinct_odd == 0 || texts.rows < 10 || !has_names_for_missing()) return false;
  const bool few = texts.distinct_odd <= most_odd_texts && texts.distinct - texts.distinct_odd >= fewest_numbers;
  return few || texts.numbers * 5 >= texts.rows;
}

std::optional<SurveyNotes::Kind> SurveyNotes::kind_of(const Texts& texts) const {
  if (const auto marks = marks_of(texts)) return marks;
  // 11.01.00 may be either.
  const bool times = texts.times * 10 >= texts.rows * 9;
  const bool all_dates = *std::max_element(texts.orders.begin(), texts.orders.end()) == texts.rows;
  if (texts.dates * 10 >= texts.rows * 9 && (all_dates || !times))
    return texts.months * 2 > texts.dates ? std::optional(Kind::months) : date_kind_of(texts);
  if (times && texts.distinct >= 20) return Kind::times;
  if (has_a_few_odd(texts)) return std::nullopt;
  if (texts.rows < 20 || texts.distinct * 2 < texts.rows) return std::nullopt;
  if (texts.worded * 2 >= texts.rows) return Kind::prose;
  if (texts.unspaced * 2 >= texts.rows) return Kind::unspaced;
  return texts.distinct * 10 >= texts.rows * 9 ? Kind::naming : Kind::scattered;
}

// For a CSV table: texts that would be numbers, or other values, with other marks.
std::optional<SurveyNotes::Kind> SurveyNotes::marks_of(const Texts& texts) const {
  const auto most = [&](std::uint64_t rows) {
    return rows * 10 > texts.rows && (rows + texts.numbers) * 10 >= texts.rows * 9;
  };
  const bool points = schema_.decimal == '.';
  if (!has_marks() && points && texts.thousands[0] > 0 && most(texts.thousands[0] + texts.plain_thousands))
    return Kind::comma_thousands;
  if (has_marks() && schema_.thousands == '\0') {
    const std::uint64_t by_comma = texts.thousands[0] + texts.plain_thousands;
    if (points && texts.thousands[0] > 0 && most(by_comma)) return Kind::comma_thousands;
    if (points && texts.thousands[1] > 0 && most(texts.thousands[1] + texts.commas)) return Kind::point_thousands;
    if (most(texts.thousands[2])) return Kind::space_thousands;
    if (most(texts.thousands[3])) return Kind::apostrophe_thousands;
  }
  // 1.234 and 980 beside decimal commas.
  if (has_marks() && !points && schema_.thousands == '\0' && texts.longer == 0 &&
      texts.grouped_by_points * 10 > texts.rows && most(texts.commas + texts.grouped_by_points))
    return Kind::point_thousands;
  if (points && most(texts.commas)) {
    if (texts.plain_thousands < texts.commas) return Kind::decimal_comma;
    // 776 beside 1,176 decides it, and so does 1176.
    const bool no_thousands = has_marks() && schema_.thousands == '\0';
    return texts.longer > 0                         ? Kind::decimal_comma
           : texts.three_digits > 0 && no_thousands ? Kind::comma_thousands
                                                    : Kind::unsure_commas;
  }
  if (const auto units = units_of(texts)) return units;
  if (most(texts.oddly_marked)) return Kind::oddly_marked;
  // (1,500) beside 1,200: both marks are changed in turn.
  const std::uint64_t grouped = texts.thousands[0] + texts.plain_thousands;
  if (points && texts.oddly_marked * 10 > texts.rows && most(texts.oddly_marked + grouped)) return Kind::oddly_marked;
  if (has_marks() && schema_.quote == Quote::double_quote && texts.quoted == texts.rows) return Kind::in_single_quotes;
  // A few texts among numbers may be marks of missing values.
  if (texts.rows >= 10 && texts.distinct_odd > most_odd_texts && most(rows_among_text(texts))) return Kind::among_text;
  return std::nullopt;
}

// A unit that is no known one must be that of all cells: 12A beside 3B are codes.
std::optional<SurveyNotes::Kind> SurveyNotes::units_of(const Texts& texts) const {
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
    return Kind::other_notation;
  if (texts.units_seen.empty()) return std::nullopt;
  const stream::NumberUnit& first = texts.units_seen.front();
  if (!most(texts.known_units)) {
    return one && texts.units == texts.rows ? std::optional(Kind::with_units) : std::nullopt;
  }
  // 50 % is 0.5, and $5K is $5000.
  const bool scaled = (first.after == "%" && texts.numbers > 0) || (!first.before.empty() && !first.after.empty());
  return one && !scaled ? Kind::with_units : Kind::mixed_units;
}

// Units that are no measures are a few, and repeat: 12 Oak Street is a name.
std::uint64_t SurveyNotes::rows_among_text(const Texts& texts) {
  const bool few = texts.units_seen.size() < most_units && texts.units_seen.size() * 3 <= texts.units;
  return texts.among_text + (few ? texts.measured : 0);
}

void SurveyNotes::gather_units(Kind kind, const Texts& texts) {
  constexpr std::size_t all = std::numeric_limits<std::size_t>::max();
  for (const stream::NumberUnit& unit : texts.units_seen) {
    if (kind == Kind::with_units) stream::add_unit(unit, all, units_);
    if (kind == Kind::mixed_units) stream::add_unit(unit, all, units_that_differ_);
  }
  for (std::size_t k = 0; kind == Kind::other_notation && k < texts.notations.size(); ++k) {
    const stream::NumberNotation* const one = &stream::number_notations()[k];
    if (texts.notations[k] > 0 && std::find(notations_.begin(), notations_.end(), one) == notations_.end())
      notations_.push_back(one);
  }
}

// The orders that fit decide which flags read a column of dates.
std::optional<SurveyNotes::Kind> SurveyNotes::date_kind_of(const Texts& texts) const {
  const auto [ymd, dmy, mdy] = texts.orders;
  if (ymd + dmy + mdy == 0) return Kind::unread_dates;
  if (std::max({ymd, dmy, mdy}) < texts.rows) return Kind::odd_dates;
  return dmy == mdy && ymd < dmy ? Kind::unsure_dates : Kind::dates;
}

SurveyNotes::Texts SurveyNotes::texts_of(const Column& column) const {
  Texts texts;
  std::vector<std::pair<std::uint64_t, std::string>> odd;  // by their first row
  for (std::size_t k = 0; k < column.categories.size(); ++k) {
    const SurveyedFeature seen = survey_.feature(column.features[k]);
    if (seen.values == 0) continue;
    const std::string text(column.categories[k]);
    if (text == column.name) {
      texts.own_name = seen.values;
      texts.own_name_row = seen.first_row;
    }
    count(text, seen.values, texts);
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

// Returns whether a text is a number with the marks of the table.
bool SurveyNotes::is_number(const std::string& text) const {
  return stream::looks_like_number(text) ||
         (schema_.thousands != '\0' && stream::has_thousands(text, schema_.thousands, schema_.decimal));
}

// Counts a text that occurs in this many rows.
void SurveyNotes::count(const std::string& text, std::uint64_t rows, Texts& texts) const {
  constexpr std::array<char, 4> marks = {',', '.', ' ', '\''};
  const bool comma = stream::has_decimal_comma(text);
  ++texts.distinct;
  texts.rows += rows;
  texts.numbers += is_number(text) ? rows : 0;
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
  const bool marked = comma || is_number(text);
  texts.marked += !is_number(text) && (comma || parted) ? rows : 0;
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

// Tokens that are whole sentences.
void SurveyNotes::look_at_tokens(const Column& column) {
  if (column.text_tokens != TextTokens::words) return;
  std::uint64_t tokens = 0, unspaced = 0;
  for (std::size_t k = 0; k < column.categories.size(); ++k) {
    const std::uint64_t rows = survey_.feature(column.features[k]).values;
    tokens += rows;
    unspaced += stream::lacks_blanks(column.categories[k]) ? rows : 0;
  }
  if (tokens >= 10 && unspaced * 2 >= tokens) gather(Kind::long_tokens, column);
}

void SurveyNotes::tell_odd(const Column& column, const Texts& texts) {
  constexpr std::uint64_t most = 5;
  odd_columns_.push_back(&column);
  if (odd_columns_.size() > most) return;
  std::string names;
  for (const std::string& text : texts.odd) names += (names.empty() ? "" : ",") + text;
  const bool values = has_values(texts, column);
  const bool can_be_named = texts.distinct_odd == texts.odd.size() &&
                            std::none_of(texts.odd.begin(), texts.odd.end(),
                                         [](const std::string& text) { return text.find(',') != std::string::npos; });
  const std::string skips = option("numeric", word_of(column)) + " " + option("on-error", "skip") +
                            (texts.distinct_odd == 1 ? " leaves its rows out" : " leaves their rows out");
  add(About::column, true,
      fmt::format("{} of the column {} are numbers, and all are read as categories; row {}: {}",
                  percent_of(texts.numbers, texts.rows), quote(column.name), texts.odd_row, quote(texts.odd.front())),
      texts.odd.front().starts_with(stream::byte_order_mark) ? std::string(stream::without_byte_order_marks)
      : values ? option("categorical", word_of(column)) + " confirms it; or write the numbers alone in the file"
      : format_.sparse_columns ? "write ? for a missing value; " + skips
      : can_be_named
          ? option("missing", names) +
                (texts.distinct_odd == 1 ? " reads it as missing; " : " reads such texts as missing; ") + skips
          : skips);
}

// Columns whose commas are ambiguous follow the others, if those all have the same mark, or a point in their fractions.
void SurveyNotes::resolve_unsure_commas() {
  const auto of = [&](Kind kind) -> std::vector<const Column*>& { return columns_[static_cast<std::size_t>(kind)]; };
  std::vector<const Column*>&unsure = of(Kind::unsure_commas), &decimal = of(Kind::decimal_comma),
                    &thousands = of(Kind::comma_thousands);
  const bool points = std::any_of(schema_.columns.begin(), schema_.columns.end(), [&](const Column& column) {
    return column.kind == Column::Kind::numeric && !survey_.feature(column.feature).whole;
  });
  const bool by_points = points && has_marks() && schema_.thousands == '\0';
  if (decimal.empty() == thousands.empty() && !(decimal.empty() && by_points)) return;
  std::vector<const Column*>& same = decimal.empty() ? thousands : decimal;
  same.insert(same.end(), unsure.begin(), unsure.end());
  unsure.clear();
}

// Writes one note for all columns of a kind: a table may have thousands. `of_many`: the words of several, where more
// than the verb differs.
void SurveyNotes::tell(Kind kind, bool grave, const std::string& of_one, const std::string& of_many) {
  constexpr std::size_t most = 4;
  const std::vector<const Column*>& columns = columns_[static_cast<std::size_t>(kind)];
  if (columns.empty()) return;
  const bool one = columns.size() == 1;
  std::string list, words = one ? of_one : of_many;
  if (words.empty()) {
    const std::size_t verb = of_one.find(' ');
    words = (of_one.starts_with("is ")    ? "are"
             : of_one.starts_with("has ") ? "have"
                                          : of_one.substr(0, verb - 1)) +
            of_one.substr(verb);
  }
  for (std::size_t i = 0; i < std::min(most, columns.size()); ++i)
    list += (i == 0 ? "" : ", ") + quote(columns[i]->name);
  if (columns.size() > most) list += fmt::format(" and {} more", columns.size() - most);
  const bool constant = kind == Kind::without_value || kind == Kind::constant;
  add(constant ? About::constant : About::column, grave,
      fmt::format("the column{} {} {}", one ? "" : "s", list, words) + few_[static_cast<std::size_t>(kind)],
      fix_of(kind));
}

void SurveyNotes::tell_numbers() {
  const std::string read = ", read as categories";
  tell(Kind::in_single_quotes, true, "has values in single quotes, which are part of them");
  tell(Kind::decimal_comma, true, "has numbers with a decimal comma" + read);
  tell(Kind::unsure_commas, true, "has numbers with commas" + read);
  for (const Kind kind :
       {Kind::comma_thousands, Kind::point_thousands, Kind::space_thousands, Kind::apostrophe_thousands})
    tell(kind, true, "has numbers with marks between thousands" + read);
  const std::string unit = units_.empty() ? "" : quote(stream::shown_unit(units_.front()));
  tell(Kind::with_units, true, "has numbers with a unit, such as " + unit + read);
  std::string differ;
  for (const stream::NumberUnit& one : units_that_differ_) {
    differ += (differ.empty() ? "" : ", ") + quote(stream::shown_unit(one));
  }
  const bool one_scale = units_that_differ_.size() == 1 && !units_that_differ_.front().before.empty();
  differ = one_scale                        ? "numbers in a unit to convert, " + differ
           : units_that_differ_.size() == 1 ? "numbers with " + differ + " and others without"
                                            : "numbers in different units, " + differ;
  tell(Kind::mixed_units, true, "has " + differ + read);
  tell(Kind::other_notation, true,
       "has numbers " + std::string(notations_.empty() ? "" : notations_.front()->words) + read);
  tell(Kind::among_text, true, "has " + among_text_ + ": read as names",
       "have numbers among other text, the first " + among_text_ + ": read as names");
  tell(Kind::oddly_marked, true, "has numbers with signs or blanks that no number has" + read);
}

void SurveyNotes::tell_columns() {
  resolve_unsure_commas();
  const std::string own = ", and each is a category of its own";
  const std::string row = fmt::format(" (row {}): it looks like a second header line", own_name_row_);
  for (const Kind kind : {Kind::own_name, Kind::own_name_over_numbers})
    tell(kind, true, "holds its own name" + row, "hold their own names" + row);
  tell_numbers();
  tell(Kind::dates, true, "looks like dates");
  tell(Kind::unsure_dates, true, "looks like dates, and may begin with the day or the month");
  tell(Kind::odd_dates, true, "looks like dates, but for some values");
  tell(Kind::unread_dates, true, "looks like dates, written otherwise than they are read");
  tell(Kind::months, true, "looks like months");
  tell(Kind::times, true, "looks like times of day" + own);
  tell(Kind::counting, true, "counts the rows: it identifies a row, and does not describe it",
       "count the rows: they identify a row, and do not describe it");
  tell(Kind::numbering, true, "has a different whole number in nearly every row, as identifiers have");
  tell(Kind::ascending, true, "has whole numbers that ascend from row to row, as identifiers do");
  tell(Kind::inexact, true,
       "has whole numbers above 2^53, read as the nearest ones that a double holds: different ones may become equal");
  tell(Kind::weights, false, "is a feature, and is named like a weight of the rows",
       "are features, and are named like weights of the rows");
  tell(Kind::naming, true, "has a different value in nearly every row: it names the rows",
       "have a different value in nearly every row: they name the rows");
  tell(Kind::prose, true, "has texts of several words, mostly different" + own);
  tell(Kind::unspaced, true, "has texts without blanks between words, mostly different" + own);
  tell(Kind::long_tokens, true, "has texts without blanks between words, and each is a token from mark to mark");
  tell(Kind::scattered, false, "has mostly different texts" + own);
  tell(Kind::mixed, false, "holds numbers and other texts, and each value is a category");
  tell(Kind::without_value, false, "has no value");
  tell(Kind::constant, false, "is the same in every row");
  tell_more_odd_columns();
}

// Writes a separate note on each of the first five.
void SurveyNotes::tell_more_odd_columns() {
  constexpr std::size_t told = 5;
  if (odd_columns_.size() <= told) return;
  std::string words;
  for (std::size_t i = told; i < std::min(most_words, odd_columns_.size()); ++i)
    words += (i == told ? "" : ",") + word_of(*odd_columns_[i]);
  add(About::column, true,
      fmt::format("{} more columns are mostly numbers, and read as categories", odd_columns_.size() - told),
      option("numeric", words) + " " + option("on-error", "skip") + " leaves the rows of other texts out");
}

// Of columns of numbers; of all features where there are no columns.
void SurveyNotes::look_at_scales() {
  struct Extreme {
    double size = 0;
    std::uint32_t feature = 0;
  } least{std::numeric_limits<double>::infinity(), 0}, most;
  for (std::uint32_t j = 0; j < survey_.features_.size(); ++j) {
    const SurveyedFeature& seen = survey_.features_[j];
    const double size = std::max(std::abs(seen.least), std::abs(seen.most));
    if (seen.nonzeros == 0 || !std::isfinite(size)) continue;
    if (size < least.size) least = {size, j};
    if (size > most.size) most = {size, j};
  }
  if (!(most.size > 100 * least.size)) return;
  const std::vector<std::string> names = schema_.feature_names();
  const auto shown = [&](const Extreme& one) {
    return fmt::format("{} ({:.3g})", quote(one.feature < names.size() ? names[one.feature] : ""), one.size);
  };
  const bool years = std::any_of(schema_.columns.begin(), schema_.columns.end(), [&](const Column& column) {
    return column.kind == Column::Kind::date && column.feature == most.feature;
  });
  const double ratio = most.size / least.size;
  const std::string factor = std::isfinite(ratio) ? fmt::format("{:.2g}", ratio) : "more than 1e308";
  add(About::scales, false,
      fmt::format("the largest values of the features differ by a factor of {}: {} and {}", factor, shown(most),
                  shown(least)),
      (years ? "the year of a date is itself, such as 2026: " : "") + option("normalize", "column") +
          (format_.counts_features ? " or " + option("normalize", "row") : "") + " helps a perceptron");
}

}  // namespace halfspace
