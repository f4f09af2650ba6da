// What the counts of a survey suggest, in words.
#include "stream/survey_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "halfspace/base/error.h"
#include "stream/csv/problems.h"
#include "stream/label_doubts.h"
#include "stream/parser.h"
#include "stream/text/shapes.h"
#include "stream/text/text.h"

namespace halfspace {
namespace {

using stream::looks_missing;
using stream::quote;

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

// CustomerId, patient_id, ID, row-no, task_hash: a word of the name says that it is one.
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

std::string percent_of(std::uint64_t part, std::uint64_t whole) {
  const double percent = 100 * static_cast<double>(part) / static_cast<double>(whole);
  return fmt::format("{:.{}f} %", std::floor(10 * percent) / 10, percent > 99 || percent < 1 ? 1 : 0);
}

}  // namespace

std::vector<SurveyNote> SurveyNotes::all() {
  look_at_labels();
  look_at_order();
  const bool csv = schema_.format == DataFormat::csv;
  const bool table = csv || schema_.format == DataFormat::jsonl || schema_.format == DataFormat::arff;
  if (survey_.surveyed_ > 0) {
    for (const Column& column : schema_.columns) {
      if (!table || (!csv && column.name.empty())) continue;
      if (column.kind == Column::Kind::numeric) look_at_numbers(column);
      if (column.kind == Column::Kind::categorical) look_at_categories(column);
    }
    tell_columns();
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

// Classes that are measured numbers, names of single rows, or slips.
void SurveyNotes::look_at_labels() {
  const auto column = std::find_if(schema_.columns.begin(), schema_.columns.end(),
                                   [](const Column& one) { return one.kind == Column::Kind::label; });
  const bool named = column != schema_.columns.end();
  std::vector<stream::LabelCount> counts;
  for (std::size_t k = 0; k < survey_.classes_.size() && k < schema_.labels.names.size(); ++k) {
    const auto& [rows, first_row] = survey_.classes_[k];
    if (rows == 0) continue;
    const std::string& name = schema_.labels.names[k];
    counts.push_back({name, rows, first_row});
    if (named && column->name == name && schema_.header && rows <= std::max<std::uint64_t>(1, survey_.rows_ / 100)) {
      add(About::class_name, true,
          fmt::format("a class is called {} as its column is (row {})", quote(name), first_row),
          "is it a second header line? take it out of the file");
    } else if (looks_missing(name) && !(name == "-" && schema_.labels.find("+"))) {
      add(About::class_name, true, fmt::format("a class is called {} (row {})", quote(name), first_row),
          "where it stands for no label, " + option("missing", name) + " makes such rows bad");
    }
  }
  std::sort(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.first_row < b.first_row; });
  const stream::LabelSource source{named && schema_.header ? column->name : "", named, false};
  const bool insisted = options_.any_label || !options_.classes.empty();
  for (stream::LabelDoubt& doubt : stream::doubts_of(counts, survey_.rows_, source)) {
    if (insisted && doubt.about == About::label) continue;
    add(doubt.about, true, std::move(doubt.text), std::move(doubt.fix));
    notes_.back().on_label = doubt.about == About::label;
  }
}

void SurveyNotes::look_at_order() {
  if (!survey_.sorted_by_class()) return;
  add(About::order, true,
      fmt::format("the rows are sorted by class, or nearly so: {} rows in {} runs of one class", survey_.rows_,
                  survey_.runs_),
      option("order", "shuffled") + " with " + option("passes", "10") +
          " learns from them in an order drawn at random");
}

void SurveyNotes::look_at_label_column() {
  if (!options_.label.empty() || options_.schema != nullptr) return;
  for (const Column& column : schema_.columns) {
    if (column.kind != Column::Kind::label) continue;
    const std::string& name = column.name;
    const std::string word = stream::lower_case(name);
    const bool by_name = schema_.header && (word == "label" || word == "class" || word == "target" || word == "y");
    if (by_name && word != "y") return;
    add(About::label_column, false,
        fmt::format("the label was taken from the column {}, {}", quote(name),
                    by_name ? "for its name" : "the last one"),
        option("label") + " names another");
  }
}

void SurveyNotes::look_at_numbers(const Column& column) {
  const SurveyedFeature seen = survey_.feature(column.feature);
  if (seen.values == 0) {
    // A sparse row leaves zeros out, and not every feature may be looked at.
    if (schema_.format != DataFormat::arff && column.feature < survey_.limits_.features)
      gather(Kind::without_value, column);
  } else if (seen.least == seen.most) {
    if (seen.values == survey_.surveyed_ && seen.values > 1) gather(Kind::constant, column);
  } else if (seen.dates) {
    gather(Kind::dates, column);
  } else if (seen.counts_up && seen.values >= 10) {
    gather(Kind::counting, column);
  } else if (seems_to_number(column, seen)) {
    gather(Kind::numbering, column);
  }
}

// What tables that were written with their row names call these: no name at all, or one made up.
bool SurveyNotes::names_rows_by_its_place(const Column& column) const {
  if (schema_.format != DataFormat::csv || !schema_.header || &column != schema_.columns.data()) return false;
  for (const std::string_view made_up :
       {"1", "X", "X1", "...1", "V1", "rownames", "row.names", "row_names", "rowname"}) {
    if (column.name == made_up) return true;
  }
  return column.name.starts_with("Unnamed: ");
}

// Quantities hardly repeat either: more must speak for a name.
bool SurveyNotes::seems_to_number(const Column& column, const SurveyedFeature& seen) const {
  constexpr std::uint64_t fewest = 10;
  const bool ascends = seen.whole && seen.ascends && seen.values >= fewest;
  const bool first = &column == schema_.columns.data();
  if (ascends && (first || named_as_a_name(column.name))) return true;
  if (!survey_.hardly_repeats(column.feature)) return false;
  if (names_rows_by_its_place(column)) return true;
  const bool nameless = schema_.format == DataFormat::csv && !schema_.header;
  return nameless ? first || (seen.least >= 1e5 && seen.most < 2 * seen.least)
                  : named_as_a_name(column.name) || (seen.least >= 1e6 && seen.most < 1.5 * seen.least);
}

void SurveyNotes::look_at_categories(const Column& column) {
  const Texts texts = texts_of(column);
  if (texts.own_name_row != 0 && schema_.header && schema_.format == DataFormat::csv &&
      texts.own_name <= std::max<std::uint64_t>(1, survey_.surveyed_ / 100)) {
    add(About::column, true,
        fmt::format("the column {} holds its own name in row {}", quote(column.name), texts.own_name_row),
        "is it a second header line? take it out of the file");
  }
  if (texts.distinct == 0) {
    const bool looked_at = column.features.empty() || column.features.back() < survey_.limits_.features;
    if (schema_.format != DataFormat::arff && looked_at) gather(Kind::without_value, column);
  } else if (texts.distinct == 1) {
    if (texts.rows == survey_.surveyed_ && texts.rows > 1) gather(Kind::constant, column);
  } else if (schema_.decimal == '.' && texts.commas * 10 > texts.rows &&
             (texts.commas + texts.numbers) * 10 >= texts.rows * 9) {
    gather(Kind::decimal_comma, column);
  } else if (texts.dates * 10 >= texts.rows * 9) {
    gather(texts.months * 2 > texts.dates ? Kind::months : Kind::dates, column);
  } else if (texts.times * 10 >= texts.rows * 9 && texts.distinct >= 20) {
    gather(Kind::times, column);
  } else if (texts.numbers * 5 >= texts.rows * 4 && texts.distinct_odd > 0 && texts.rows >= 10) {
    tell_odd(column, texts);
  } else if (texts.distinct * 2 >= texts.rows && texts.worded * 2 >= texts.rows && texts.rows >= 20) {
    gather(Kind::prose, column);
  } else if (texts.distinct * 10 >= texts.rows * 9 && texts.rows >= 20) {
    gather(Kind::naming, column);
  } else if (texts.distinct * 2 >= texts.rows && texts.rows >= 20) {
    gather(Kind::scattered, column);
  }
}

SurveyNotes::Texts SurveyNotes::texts_of(const Column& column) const {
  Texts texts;
  std::uint64_t odd_row = ~std::uint64_t{0};
  for (std::size_t k = 0; k < column.categories.size(); ++k) {
    const SurveyedFeature seen = survey_.feature(column.features[k]);
    if (seen.values == 0) continue;
    const std::string& text = column.categories[k];
    if (text == column.name) {
      texts.own_name = seen.values;
      texts.own_name_row = seen.first_row;
    }
    ++texts.distinct;
    texts.rows += seen.values;
    const bool number = stream::looks_like_number(text), comma = stream::has_decimal_comma(text);
    texts.numbers += number ? seen.values : 0;
    texts.commas += comma ? seen.values : 0;
    texts.dates += stream::looks_like_date(text) ? seen.values : 0;
    texts.months += stream::looks_like_month(text) ? seen.values : 0;
    texts.times += stream::looks_like_time(text) ? seen.values : 0;
    texts.worded += has_three_words(text) ? seen.values : 0;
    if (number || comma) continue;
    ++texts.distinct_odd;
    if (seen.first_row < odd_row) {
      odd_row = texts.odd_row = seen.first_row;
      texts.odd = text;
    }
  }
  return texts;
}

void SurveyNotes::tell_odd(const Column& column, const Texts& texts) {
  constexpr std::uint64_t most = 5;
  if (++odd_columns_ > most) return;
  add(About::column, true,
      fmt::format("{} of the column {} are numbers, and all are read as categories; row {}: {}",
                  percent_of(texts.numbers, texts.rows), quote(column.name), texts.odd_row, quote(texts.odd)),
      (schema_.format == DataFormat::arff ? "? in place of a text says that there is no value, "
       : texts.distinct_odd == 1 ? option("missing", texts.odd) + " reads it as missing (in place of the usual texts), "
                                 : option("missing") + " names texts that stand for no value, ") +
          option("numeric", column.name) + " makes bad rows of the others");
}

// One note for all columns of a kind: a table may have thousands.
void SurveyNotes::tell_columns() {
  constexpr std::size_t most = 4;
  const bool csv = schema_.format == DataFormat::csv;
  const auto tell = [&](Kind kind, About about, bool grave, const char* of_one, const char* of_many,
                        const std::string& fix = "") {
    const std::vector<std::string>& names = columns_[static_cast<std::size_t>(kind)];
    if (names.empty()) return;
    const bool one = names.size() == 1;
    std::string list, word;
    for (std::size_t i = 0; i < std::min(most, names.size()); ++i) {
      list += (i == 0 ? "" : ", ") + quote(names[i]);
      word += (i == 0 ? "" : ",") + names[i];
    }
    if (names.size() > most) {
      list += fmt::format(" and {} more", names.size() - most);
      word += ",...";
    }
    const std::string dropped = option("drop", word) + (one ? " leaves it out" : " leaves them out");
    add(about, grave, fmt::format("the column{} {} {}", one ? "" : "s", list, one ? of_one : of_many),
        kind == Kind::prose && schema_.format != DataFormat::jsonl
            ? option("text", word) + " makes features of the words; " + dropped
        : kind == Kind::dates && csv
            ? option("dates", word) + " makes features of year, month, day, weekday and seconds; " + dropped
        : kind == Kind::prose ? dropped + "; of a table in CSV " + option("text", word) + " makes features of the words"
        : kind == Kind::dates ? dropped + "; of a table in CSV " + option("dates", word) + " makes features of them"
        : one && (kind == Kind::naming || kind == Kind::counting || kind == Kind::numbering)
            ? option("id", word) + " takes it as the name of the rows, " + dropped
        : !fix.empty() ? fix
                       : dropped);
  };
  tell(Kind::decimal_comma, About::column, true, "has numbers with a decimal comma, read as categories",
       "have numbers with a decimal comma, read as categories",
       schema_.format != DataFormat::csv ? "write them with a point"
       : schema_.delimiter == ','        ? "write them with a point: where commas part the values, none can be in them"
                                         : option("decimal", "comma") + " reads them as numbers");
  tell(Kind::dates, About::column, true, "looks like dates", "look like dates");
  tell(Kind::months, About::column, true, "looks like months", "look like months");
  tell(Kind::times, About::column, true, "looks like times of day, and each is a category of its own",
       "look like times of day, and each is a category of its own");
  tell(Kind::counting, About::column, true, "counts the rows: it says which row it is, and not what",
       "count the rows: they say which row it is, and not what");
  tell(Kind::numbering, About::column, true, "has another whole number in nearly every row, as names of rows have",
       "have another whole number in nearly every row, as names of rows have");
  tell(Kind::naming, About::column, true, "has another value in nearly every row: it names the rows",
       "have another value in nearly every row: they name the rows");
  tell(Kind::prose, About::column, true,
       "has texts of several words, mostly different, and each is a category of its own",
       "have texts of several words, mostly different, and each is a category of its own");
  tell(Kind::scattered, About::column, false, "has mostly different texts, and each is a category of its own",
       "have mostly different texts, and each is a category of its own");
  tell(Kind::without_value, About::constant, false, "has no value", "have no value");
  tell(Kind::constant, About::constant, false, "is the same in every row", "are the same in every row");
  if (odd_columns_ > 5) {
    add(About::column, true,
        fmt::format("{} more columns are mostly numbers, and read as categories", odd_columns_ - 5),
        option("missing") + " names texts that stand for no value");
  }
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
  add(About::scales, false,
      fmt::format("the largest values of the features differ by a factor of {:.2g}: {} and {}", most.size / least.size,
                  shown(most), shown(least)),
      (years ? "the year of a date is itself, such as 2026: " : "") + option("normalize", "column") +
          (schema_.format == DataFormat::libsvm || schema_.format == DataFormat::csr
               ? " or " + option("normalize", "row")
               : "") +
          " helps a perceptron");
}

}  // namespace halfspace
