// Turns the statistics of a survey into notes.
#include "stream/survey/survey_notes.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "halfspace/base/error.h"
#include "stream/csv/problems.h"
#include "stream/text/number.h"
#include "stream/text/shapes.h"
#include "stream/text/text.h"

namespace halfspace {
namespace {

using stream::quote;

constexpr std::size_t told_odd_columns = 5;  // in a note each

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

// Returns whether whole numbers ascend from row to row.
bool ascends(const SurveyedFeature& seen) {
  constexpr std::uint64_t fewest = 10;
  return seen.whole && seen.ascends && seen.values >= fewest;
}

// Quantities hardly repeat either: an identifier needs more evidence.
bool seems_to_number(const SurveyedTable& table, const Column& column, const SurveyedFeature& seen) {
  if (ascends(seen) && named_as_a_name(column.name)) return true;
  const bool first = &column == table.schema.columns.data();
  if (!table.survey.hardly_repeats(column.feature)) return false;
  if (table.names_rows_by_its_place(column)) return true;
  const bool nameless = table.format.takes_all(stream::about_header) && !table.schema.header;
  return nameless ? first || (seen.least >= 1e5 && seen.most < 2 * seen.least)
                  : named_as_a_name(column.name) || (seen.least >= 1e6 && seen.most < 1.5 * seen.least);
}

// Numbers that are names in a namespace, as in | 1.5 2.5: their author may mean values. Whole numbers by themselves are
// indices.
void look_at_names(const SurveyedTable& table, const Column& space, SurveyNoteList& notes) {
  constexpr std::uint64_t fewest = 3, fewest_words = 2;
  constexpr std::string_view brackets = "()[]{},;";
  std::uint64_t numbers = 0, words = 0;
  bool points = false;
  std::string_view example;
  for (std::size_t k = 0; k < std::min<std::size_t>(space.features.size(), space.categories.size()); ++k) {
    const SurveyedFeature seen = table.survey.feature(space.features[k]);
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
  notes.add(SurveyNote::About::column, false,
            fmt::format("{} names{} are numbers, such as {}: each is a feature of its own, of value 1", numbers,
                        space.name.empty() ? "" : " in the namespace " + quote(space.name), quote(example)),
            "where they are values, write them behind a name and a colon, as in length:1.5");
}

// Names such as w=1.25, nearly each of one row: their author means values of w.
void look_at_names_with_numbers(const SurveyedTable& table, const Column& space, SurveyNoteList& notes) {
  constexpr std::size_t fewest = 10, fewest_each = 3;
  std::set<std::string_view> columns;
  std::size_t found = 0, names = 0, alone = 0;
  bool points = false;
  std::string_view example;
  for (std::size_t k = 0; k < std::min<std::size_t>(space.features.size(), space.categories.size()); ++k) {
    const SurveyedFeature seen = table.survey.feature(space.features[k]);
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
  notes.add(SurveyNote::About::column, true,
            fmt::format("{} names{} are name=number, such as {}: each is a feature of its own, of value 1", found,
                        space.name.empty() ? "" : " in the namespace " + quote(space.name), quote(example)),
            "where they are values, write name:number: sed -E 's/=(-?[0-9.]+([eE][-+]?[0-9]+)?)( |$)/:\\1\\3/g' FILE "
            ">NAME.vw");
}

// Of columns of numbers; of all features where there are no columns.
void look_at_scales(const SurveyedTable& table, SurveyNoteList& notes) {
  struct Extreme {
    double size = 0;
    std::uint32_t feature = 0;
  } least{std::numeric_limits<double>::infinity(), 0}, most;
  for (std::uint32_t j = 0; j < table.features.size(); ++j) {
    const SurveyedFeature& seen = table.features[j];
    const double size = std::max(std::abs(seen.least), std::abs(seen.most));
    if (seen.nonzeros == 0 || !std::isfinite(size)) continue;
    if (size < least.size) least = {size, j};
    if (size > most.size) most = {size, j};
  }
  if (!(most.size > 100 * least.size)) return;
  const std::vector<std::string> names = table.schema.feature_names();
  const auto shown = [&](const Extreme& one) {
    return fmt::format("{} ({:.3g})", quote(one.feature < names.size() ? names[one.feature] : ""), one.size);
  };
  const bool years = std::any_of(table.schema.columns.begin(), table.schema.columns.end(), [&](const Column& column) {
    return column.kind == Column::Kind::date && column.feature == most.feature;
  });
  const double ratio = most.size / least.size;
  const std::string factor = std::isfinite(ratio) ? fmt::format("{:.2g}", ratio) : "more than 1e308";
  notes.add(SurveyNote::About::scales, false,
            fmt::format("the largest values of the features differ by a factor of {}: {} and {}", factor, shown(most),
                        shown(least)),
            (years ? "the year of a date is itself, such as 2026: " : "") + option("normalize", "column") +
                (table.format.counts_features ? " or " + option("normalize", "row") : "") + " helps a perceptron");
}

void note_odd_column(const SurveyedTable& table, const Column& column, const ColumnTexts& texts,
                     SurveyNoteList& notes) {
  std::string names;
  for (const std::string& text : texts.odd) names += (names.empty() ? "" : ",") + text;
  const bool values = has_values(texts, column);
  const bool can_be_named = texts.distinct_odd == texts.odd.size() &&
                            std::none_of(texts.odd.begin(), texts.odd.end(),
                                         [](const std::string& text) { return text.find(',') != std::string::npos; });
  const std::string skips = option("numeric", table.word_of(column)) + " " + option("on-error", "skip") +
                            (texts.distinct_odd == 1 ? " leaves its rows out" : " leaves their rows out");
  notes.add(
      SurveyNote::About::column, true,
      fmt::format("{} of the column {} are numbers, and all are read as categories; row {}: {}",
                  percent_of(texts.numbers, texts.rows), quote(column.name), texts.odd_row, quote(texts.odd.front())),
      texts.odd.front().starts_with(stream::byte_order_mark) ? std::string(stream::without_byte_order_marks)
      : values ? option("categorical", table.word_of(column)) + " confirms it; or write the numbers alone in the file"
      : table.format.sparse_columns ? "write ? for a missing value; " + skips
      : can_be_named
          ? option("missing", names) +
                (texts.distinct_odd == 1 ? " reads it as missing; " : " reads such texts as missing; ") + skips
          : skips);
}

}  // namespace

SurveyNotes::SurveyNotes(const Survey& survey, const Schema& schema, const ReadOptions& options)
    : table_{.survey = survey,
             .schema = schema,
             .options = options,
             .format = stream::entry_of(schema.format),
             .surveyed = survey.surveyed_,
             .last_row = survey.last_row_,
             .runs = survey.runs_,
             .most_features = survey.limits_.features,
             .features = survey.features_,
             .classes = {}} {
  for (const auto& [rows, first_row] : survey.classes_) table_.classes.push_back({rows, first_row});
}

std::vector<SurveyNote> SurveyNotes::all() {
  look_at_header_rows(table_, notes_, explained_);
  look_at_rows_in_quotes(table_, notes_);
  look_at_totals(table_, notes_, explained_);
  look_at_labels(table_, explained_, notes_);
  look_at_order(table_, notes_);
  const bool table = table_.format.columns_are_surveyed;
  if (table_.surveyed > 0) {
    for (const Column& column : table_.schema.columns) {
      if (table_.format.columns == stream::ColumnsAre::namespaces && column.kind == Column::Kind::categorical &&
          column.products.empty()) {
        look_at_names(table_, column, notes_);
        look_at_names_with_numbers(table_, column, notes_);
      }
      if (!table || (!table_.format.takes_all(stream::about_header) && column.name.empty())) continue;
      if (column.kind == Column::Kind::numeric) look_at_numbers(column);
      if (column.kind == Column::Kind::categorical) look_at_categories(column);
      if (column.kind == Column::Kind::text) look_at_tokens(column);
    }
    tell_columns();
    look_at_far_values(table_, notes_);
    look_at_missing(table_, notes_);
    look_at_minus_signs(table_, notes_);
    look_at_marks_of_programs(table_, notes_);
    look_at_scales(table_, notes_);
  }
  if (table) look_at_label_column(table_, notes_);
  std::stable_sort(notes_.list.begin(), notes_.list.end(),
                   [](const SurveyNote& a, const SurveyNote& b) { return a.grave > b.grave; });
  return std::move(notes_.list);
}

void SurveyNotes::look_at_numbers(const Column& column) {
  const SurveyedFeature seen = table_.survey.feature(column.feature);
  if (seen.values == 0) {
    // A sparse row leaves zeros out, and not every feature may be looked at.
    if (!table_.format.sparse_columns && column.feature < table_.most_features) gather(NoteKind::without_value, column);
  } else if (const double size = std::max(std::abs(seen.least), std::abs(seen.most));
             seen.whole && size > first_inexact && size < end_of_integers) {
    gather(NoteKind::inexact, column);
  } else if (seen.least == seen.most) {
    if (seen.values == table_.surveyed && seen.values > 1) gather(NoteKind::constant, column);
  } else if (seen.dates) {
    columns_.date_orders[0] = true;
    gather(NoteKind::dates, column);
  } else if (seen.counts_up && seen.values >= 10) {
    gather(NoteKind::counting, column);
  } else if (seems_to_number(table_, column, seen)) {
    gather(NoteKind::numbering, column);
  } else if (ascends(seen) && &column == table_.schema.columns.data()) {
    gather(table_.names_rows_by_its_place(column) ? NoteKind::numbering : NoteKind::ascending, column);
  } else if (seen.least >= 0 && table_.options.columns.weight.empty() && named_as_weight(column.name)) {
    gather(NoteKind::weights, column);
  }
}

void SurveyNotes::look_at_categories(const Column& column) {
  if (explained_.holds_headers(column)) return;
  const ColumnTexts texts = texts_of(table_, column);
  // Numbers that name columns occur in them, too.
  if (texts.own_name_row != 0 && table_.has_header() && !stream::looks_like_number(column.name) &&
      texts.own_name <= std::max<std::uint64_t>(1, table_.surveyed / 100)) {
    own_name_row_ = own_name_row_ == 0 ? texts.own_name_row : std::min(own_name_row_, texts.own_name_row);
    return gather(texts.numbers * 2 > texts.rows ? NoteKind::own_name_over_numbers : NoteKind::own_name, column);
  }
  if (texts.distinct == 0) {
    const bool looked_at = column.features.empty() || column.features.back() < table_.most_features;
    if (!table_.format.sparse_columns && looked_at) gather(NoteKind::without_value, column);
  } else if (texts.distinct == 1) {
    if (texts.rows == table_.surveyed && texts.rows > 1) gather(NoteKind::constant, column);
  } else if (const auto few = table_.was_asked_for(column) ? std::nullopt : few_of(table_, column, texts)) {
    gather_few(*few, column, texts);
  } else if (const auto kind = kind_of(table_, texts)) {
    // Only such a name says that it is one, such as an invoice's 1024/7.
    if (are_numbers(*kind) && table_.was_asked_for(column)) return;
    if (kind == NoteKind::among_text && named_as_a_name(column.name)) return gather(NoteKind::scattered, column);
    gather(*kind, column);
    if (kind == NoteKind::among_text && among_text_.empty()) {
      among_text_ = fmt::format("a number among other text in {} of {} cells, such as {}", rows_among_text(texts),
                                texts.rows, quote(texts.among));
    }
    gather_units(*kind, texts);
    for (std::size_t k = 0; k < texts.orders.size() && *kind == NoteKind::dates; ++k)
      columns_.date_orders[k] = columns_.date_orders[k] || texts.orders[k] == texts.rows;
  } else if (table_.was_asked_for(column)) {
    return;
  } else if (has_a_few_odd(table_, texts)) {
    if (explained_.holds_totals(column)) return;
    odd_columns_.push_back(&column);
    if (odd_columns_.size() <= told_odd_columns) note_odd_column(table_, column, texts, notes_);
  } else if (is_mixed(table_, texts)) {
    gather(NoteKind::mixed, column);
    columns_.mixed_texts.insert(columns_.mixed_texts.end(), texts.odd.begin(), texts.odd.end());
    columns_.mixed_have_marks =
        columns_.mixed_have_marks && texts.distinct_odd == texts.odd.size() && !has_values(texts, column);
  }
}

void SurveyNotes::gather_few(const FewNumbers& few, const Column& column, const ColumnTexts& texts) {
  gather(few.kind, column);
  gather_units(few.kind, few.texts);
  std::string& words = few_[static_cast<std::size_t>(few.kind)];
  if (!words.empty()) return;
  words = fmt::format(": {} of {} values of {}, the first in row {}: {}", few.texts.rows - 1, texts.rows,
                      stream::quote(column.name), few.row, stream::quote(few.first));
}

void SurveyNotes::gather_units(NoteKind kind, const ColumnTexts& texts) {
  constexpr std::size_t all = std::numeric_limits<std::size_t>::max();
  for (const stream::NumberUnit& unit : texts.units_seen) {
    if (kind == NoteKind::with_units) stream::add_unit(unit, all, columns_.units);
    if (kind == NoteKind::mixed_units) stream::add_unit(unit, all, columns_.units_that_differ);
  }
  for (std::size_t k = 0; kind == NoteKind::other_notation && k < texts.notations.size(); ++k) {
    const stream::NumberNotation* const one = &stream::number_notations()[k];
    if (texts.notations[k] > 0 &&
        std::find(columns_.notations.begin(), columns_.notations.end(), one) == columns_.notations.end())
      columns_.notations.push_back(one);
  }
}

// Tokens that are whole sentences.
void SurveyNotes::look_at_tokens(const Column& column) {
  if (column.text_tokens != TextTokens::words) return;
  std::uint64_t tokens = 0, unspaced = 0;
  for (std::size_t k = 0; k < column.categories.size(); ++k) {
    const std::uint64_t rows = table_.survey.feature(column.features[k]).values;
    tokens += rows;
    unspaced += stream::lacks_blanks(column.categories[k]) ? rows : 0;
  }
  if (tokens >= 10 && unspaced * 2 >= tokens) gather(NoteKind::long_tokens, column);
}

// Columns whose commas are ambiguous follow the others, if those all have the same mark, or a point in their fractions.
void SurveyNotes::resolve_unsure_commas() {
  std::vector<const Column*>&unsure = columns_.of(NoteKind::unsure_commas),
                    &decimal = columns_.of(NoteKind::decimal_comma),
                    &thousands = columns_.of(NoteKind::comma_thousands);
  const bool points =
      std::any_of(table_.schema.columns.begin(), table_.schema.columns.end(), [&](const Column& column) {
        return column.kind == Column::Kind::numeric && !table_.survey.feature(column.feature).whole;
      });
  const bool by_points = points && table_.has_marks() && table_.schema.thousands == '\0';
  if (decimal.empty() == thousands.empty() && !(decimal.empty() && by_points)) return;
  std::vector<const Column*>& same = decimal.empty() ? thousands : decimal;
  same.insert(same.end(), unsure.begin(), unsure.end());
  unsure.clear();
}

// Writes one note for all columns of a kind: a table may have thousands. `of_many`: the words of several, where more
// than the verb differs.
void SurveyNotes::tell(NoteKind kind, bool grave, const std::string& of_one, const std::string& of_many) {
  constexpr std::size_t most = 4;
  const std::vector<const Column*>& columns = columns_.of(kind);
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
  const bool constant = kind == NoteKind::without_value || kind == NoteKind::constant;
  notes_.add(constant ? SurveyNote::About::constant : SurveyNote::About::column, grave,
             fmt::format("the column{} {} {}", one ? "" : "s", list, words) + few_[static_cast<std::size_t>(kind)],
             fix_of_columns(table_, columns_, kind));
}

void SurveyNotes::tell_numbers() {
  const std::string read = ", read as categories";
  tell(NoteKind::in_single_quotes, true, "has values in single quotes, which are part of them");
  tell(NoteKind::decimal_comma, true, "has numbers with a decimal comma" + read);
  tell(NoteKind::unsure_commas, true, "has numbers with commas" + read);
  for (const NoteKind kind : {NoteKind::comma_thousands, NoteKind::point_thousands, NoteKind::space_thousands,
                              NoteKind::apostrophe_thousands})
    tell(kind, true, "has numbers with marks between thousands" + read);
  const std::string unit = columns_.units.empty() ? "" : quote(stream::shown_unit(columns_.units.front()));
  tell(NoteKind::with_units, true, "has numbers with a unit, such as " + unit + read);
  std::string differ;
  for (const stream::NumberUnit& one : columns_.units_that_differ) {
    differ += (differ.empty() ? "" : ", ") + quote(stream::shown_unit(one));
  }
  const bool one_scale = columns_.units_that_differ.size() == 1 && !columns_.units_that_differ.front().before.empty();
  differ = one_scale                                ? "numbers in a unit to convert, " + differ
           : columns_.units_that_differ.size() == 1 ? "numbers with " + differ + " and others without"
                                                    : "numbers in different units, " + differ;
  tell(NoteKind::mixed_units, true, "has " + differ + read);
  tell(NoteKind::other_notation, true,
       "has numbers " + std::string(columns_.notations.empty() ? "" : columns_.notations.front()->words) + read);
  tell(NoteKind::among_text, true, "has " + among_text_ + ": read as names",
       "have numbers among other text, the first " + among_text_ + ": read as names");
  tell(NoteKind::oddly_marked, true, "has numbers with signs or blanks that no number has" + read);
}

void SurveyNotes::tell_columns() {
  resolve_unsure_commas();
  const std::string own = ", and each is a category of its own";
  const std::string row = fmt::format(" (row {}): it looks like a second header line", own_name_row_);
  for (const NoteKind kind : {NoteKind::own_name, NoteKind::own_name_over_numbers})
    tell(kind, true, "holds its own name" + row, "hold their own names" + row);
  tell_numbers();
  tell(NoteKind::dates, true, "looks like dates");
  tell(NoteKind::unsure_dates, true, "looks like dates, and may begin with the day or the month");
  tell(NoteKind::odd_dates, true, "looks like dates, but for some values");
  tell(NoteKind::unread_dates, true, "looks like dates, written otherwise than they are read");
  tell(NoteKind::months, true, "looks like months");
  tell(NoteKind::times, true, "looks like times of day" + own);
  tell(NoteKind::counting, true, "counts the rows: it identifies a row, and does not describe it",
       "count the rows: they identify a row, and do not describe it");
  tell(NoteKind::numbering, true, "has a different whole number in nearly every row, as identifiers have");
  tell(NoteKind::ascending, true, "has whole numbers that ascend from row to row, as identifiers do");
  tell(NoteKind::inexact, true,
       "has whole numbers above 2^53, read as the nearest ones that a double holds: different ones may become equal");
  tell(NoteKind::weights, false, "is a feature, and is named like a weight of the rows",
       "are features, and are named like weights of the rows");
  tell(NoteKind::naming, true, "has a different value in nearly every row: it names the rows",
       "have a different value in nearly every row: they name the rows");
  tell(NoteKind::prose, true, "has texts of several words, mostly different" + own);
  tell(NoteKind::unspaced, true, "has texts without blanks between words, mostly different" + own);
  tell(NoteKind::long_tokens, true, "has texts without blanks between words, and each is a token from mark to mark");
  tell(NoteKind::scattered, false, "has mostly different texts" + own);
  tell(NoteKind::mixed, false, "holds numbers and other texts, and each value is a category");
  tell(NoteKind::without_value, false, "has no value");
  tell(NoteKind::constant, false, "is the same in every row");
  tell_more_odd_columns();
}

// Writes a separate note on each of the first five.
void SurveyNotes::tell_more_odd_columns() {
  constexpr std::size_t told = told_odd_columns;
  if (odd_columns_.size() <= told) return;
  std::string words;
  for (std::size_t i = told; i < std::min(most_words, odd_columns_.size()); ++i)
    words += (i == told ? "" : ",") + table_.word_of(*odd_columns_[i]);
  notes_.add(SurveyNote::About::column, true,
             fmt::format("{} more columns are mostly numbers, and read as categories", odd_columns_.size() - told),
             option("numeric", words) + " " + option("on-error", "skip") + " leaves the rows of other texts out");
}

}  // namespace halfspace
