// Notes on rows of a table that are no data: header lines between rows, totals, lines within one quoted value.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/number_words.h"
#include "halfspace/base/error.h"
#include "stream/csv/problems.h"
#include "stream/formats/format_entry.h"
#include "stream/labels/label_doubts.h"
#include "stream/survey/survey_notes.h"
#include "stream/text/number.h"
#include "stream/text/shapes.h"
#include "stream/text/text.h"

namespace halfspace {
namespace {

using stream::lower_case;
using stream::quote;

// The cells of a row that hold a name of a column.
struct NamesInRow {
  std::vector<const Column*> columns;
  std::size_t own = 0, of_numbers = 0;
  std::uint64_t rows = 0;  // with the same cells
  bool label = false;
};

// Escapes a text for an extended regular expression in single quotes.
std::string as_literal(std::string_view text) {
  std::string pattern;
  for (const char c : text) {
    if (std::string_view(R"(.[](){}*+?^$|/\)").find(c) != std::string_view::npos) pattern += '\\';
    pattern += c == '\'' ? '.' : c;
  }
  return pattern;
}

std::string as_bracket(char delimiter) {
  return delimiter == '\t' || delimiter == ' ' ? "[[:blank:]]" : "[" + std::string(1, delimiter) + "]";
}

}  // namespace

// Calls `visit` with every text of a column of categories or of the label, and its rows.
template <class F>
void SurveyNotes::for_each_text(F&& visit) const {
  for (const Column& column : schema_.columns) {
    for (std::size_t k = 0; column.kind == Column::Kind::categorical && k < column.categories.size(); ++k) {
      const SurveyedFeature seen = survey_.feature(column.features[k]);
      if (seen.values > 0) visit(column, std::string_view(column.categories[k]), seen.values, seen.first_row);
    }
    for (std::size_t k = 0; column.kind == Column::Kind::label && k < survey_.classes_.size(); ++k) {
      const auto& [rows, first_row] = survey_.classes_[k];
      if (rows > 0 && k < schema_.labels.names.size())
        visit(column, std::string_view(schema_.labels.names[k]), rows, first_row);
    }
  }
}

// A header line of another file that was appended. It holds names in every column, so that no column is numeric.
void SurveyNotes::look_at_header_rows() {
  if (!has_header() || std::any_of(schema_.columns.begin(), schema_.columns.end(), [](const Column& column) {
        return column.kind == Column::Kind::numeric || column.kind == Column::Kind::date;
      }))
    return;
  std::map<std::string, const Column*> by_name;
  for (const Column& column : schema_.columns) {
    if (!stream::looks_like_number(column.name)) by_name.emplace(lower_case(column.name), &column);
  }
  std::size_t columns = 0;
  for (const Column& column : schema_.columns)
    columns += column.kind == Column::Kind::categorical || column.kind == Column::Kind::label ? 1 : 0;
  std::map<std::uint64_t, NamesInRow> found;
  for_each_text([&](const Column& column, std::string_view text, std::uint64_t rows, std::uint64_t first_row) {
    const auto name = by_name.find(lower_case(text));
    if (name == by_name.end()) return;
    NamesInRow& its = found[first_row];
    its.columns.push_back(&column);
    its.own += name->second == &column ? 1 : 0;
    its.rows = its.rows == 0 ? rows : std::min(its.rows, rows);
    its.label = its.label || column.kind == Column::Kind::label;
    if (column.kind != Column::Kind::categorical) return;
    const Texts texts = texts_of(column);
    its.of_numbers += 2 * texts.numbers > texts.rows ? 1 : 0;
  });
  std::uint64_t rows = 0, first_row = 0;
  bool differ = false;
  for (const auto& [row, its] : found) {
    const bool all = its.label && its.columns.size() == columns;
    if (its.columns.size() < 2 || 2 * its.columns.size() <= columns || (!all && its.of_numbers == 0)) continue;
    first_row = first_row == 0 ? row : first_row;
    rows += its.rows;
    differ = differ || its.own < its.columns.size();
    header_columns_.insert(header_columns_.end(), its.columns.begin(), its.columns.end());
  }
  if (rows == 0) return;
  const std::string which = rows == 1 ? fmt::format("row {} holds", first_row)
                                      : fmt::format("{} rows, the first row {}, hold", rows, first_row);
  if (differ) {
    const std::string mark = schema_.delimiter == '\t' ? "\\t" : std::string(1, schema_.delimiter);
    const std::string by = mark == "," ? std::string() : ", delimiter='" + mark + "'";
    return add(
        About::column, true,
        which + " the names of the columns in another order: files whose columns differ were put together",
        "put them together by name: python3 -c \"import csv, sys; r = [row for file in ['FILE', 'FILE2'] for row in "
        "csv.DictReader(open(file)" +
            by + ")]; w = csv.DictWriter(sys.stdout, list(r[0])" + by +
            "); w.writeheader(); "
            "w.writerows(r)\" >NAME.csv");
  }
  add(About::column, true, which + " the names of the columns, as the header line of another file does",
      "take header lines out: " + stream::command_without_headers(schema_.skip_lines));
}

// Returns whether look_at_header_rows() explains why a column holds names of columns.
bool SurveyNotes::is_of_header_rows(const Column& column) const {
  return std::find(header_columns_.begin(), header_columns_.end(), &column) != header_columns_.end();
}

// Totals among the classes or in the first column. A name before the word is another text of the column.
void SurveyNotes::look_at_totals() {
  if (!has_marks()) return;
  constexpr std::size_t most_names = 8;
  struct Totals {
    std::vector<std::string_view> others, names;
    std::vector<std::pair<std::string_view, std::string_view>> named;  // with the name before the word
    std::uint64_t rows = 0, first_row = 0, odd = 0;
  };
  std::map<const Column*, Totals> found;
  const Column* const first = schema_.columns.data();
  const auto take = [](Totals& its, std::string_view text, std::uint64_t rows, std::uint64_t row) {
    its.names.push_back(text);
    its.rows += rows;
    its.first_row = its.first_row == 0 ? row : std::min(its.first_row, row);
  };
  for (const bool with_name : {false, true}) {
    for_each_text([&](const Column& column, std::string_view text, std::uint64_t rows, std::uint64_t row) {
      if (&column != first && column.kind != Column::Kind::label) return;
      Totals& its = found[&column];
      const auto name = stream::name_of_total(text);
      if (!with_name && !name) its.others.push_back(text);
      if (!with_name && name && name->empty()) take(its, text, rows, row);
      if (with_name && name && !name->empty() &&
          std::find(its.others.begin(), its.others.end(), *name) != its.others.end())
        take(its, text, rows, row);
    });
  }
  for (const auto& [column, its] : found) {
    if (its.names.empty() || its.names.size() > most_names || its.others.size() < 2 || 4 * its.rows > survey_.rows_)
      continue;
    std::string shown, pattern;
    for (const std::string_view name : its.names) {
      shown += (shown.empty() ? "" : ", ") + quote(name);
      pattern += (pattern.empty() ? "" : "|") + as_literal(name);
    }
    const bool last = column == &schema_.columns.back();
    const std::string mark = as_bracket(schema_.delimiter);
    total_columns_.push_back(column);
    add(column->kind == Column::Kind::label ? About::class_name : About::column, true,
        fmt::format("{} of the column {} (row {}{}): {}, as totals of other rows are called",
                    counted(its.rows, "value"), quote(column->name), its.first_row, its.rows > 1 ? " and on" : "",
                    shown),
        "take totals out: grep -vE '" + (column == first ? "^[[:blank:]]*" : mark + "[[:blank:]]*") + "\"?(" + pattern +
            ")\"?[[:space:]]*" + (last ? "$" : mark) + "' FILE >NAME");
  }
}

bool SurveyNotes::holds_totals(const Column& column) const {
  return std::find(total_columns_.begin(), total_columns_.end(), &column) != total_columns_.end();
}

// Returns whether the lines of a cell, with what is left and right of it, have the fields of rows: numbers in columns of
// numbers, classes in the label's.
bool SurveyNotes::spans_rows(const Column& column, std::string_view text) const {
  const auto width =
      static_cast<std::size_t>(std::count_if(schema_.columns.begin(), schema_.columns.end(),
                                             [](const Column& one) { return one.kind != Column::Kind::product; }));
  const std::string marks = {schema_.delimiter, '\n'};
  std::size_t at = static_cast<std::size_t>(&column - schema_.columns.data()), lines = 1;
  const std::size_t own = at;
  for (bool first = true;; first = false) {
    const std::size_t end = text.find_first_of(marks);
    std::string_view cell = text.substr(0, end);
    if (cell.ends_with('\r')) cell.remove_suffix(1);
    if (end == std::string_view::npos) return lines > 1 && at == own;
    const Column::Kind kind = schema_.columns[at].kind;
    if (!first && kind == Column::Kind::numeric && !cell.empty() && !stream::looks_like_number(cell)) return false;
    if (!first && kind == Column::Kind::label && !schema_.labels.find(std::string(cell))) return false;
    const bool ends = text[end] == '\n';
    if (ends != (at + 1 == width)) return false;
    at = ends ? 0 : at + 1;
    lines += ends ? 1 : 0;
    text.remove_prefix(end + 1);
  }
}

// A quote that opens in one row and closes in a later one, where no other value needs quotes.
void SurveyNotes::look_at_rows_in_quotes() {
  if (!has_marks() || schema_.quote == Quote::none || schema_.delimiter == ' ') return;
  const std::string marks = {schema_.delimiter, '\n', '"'};
  bool quotes_are_used = false;
  std::uint64_t found = 0, first = 0;
  std::ptrdiff_t lines = 0;
  for_each_text([&](const Column& column, std::string_view text, std::uint64_t rows, std::uint64_t row) {
    if (text.find_first_of(marks) == std::string_view::npos) return;
    if (!spans_rows(column, text)) {
      quotes_are_used = true;
      return;
    }
    found += rows;
    if (first != 0 && row > first) return;
    first = row;
    lines = std::count(text.begin(), text.end(), '\n');
  });
  if (found == 0 || quotes_are_used) return;
  const std::uint64_t line = schema_.skip_lines + (schema_.header ? 1 : 0) + first;
  add(About::column, true,
      fmt::format("{}row {} is one quoted value from line {} to line {}, and these look like rows: a quote opens in "
                  "the first and closes in the last",
                  found > 1 ? fmt::format("{} rows span several lines; ", found) : "", first, line,
                  line + static_cast<std::uint64_t>(lines)),
      option("quote", "none") + " reads quotes as text, and each line as a row");
}

// Notes on the labels: the classes and their rows, the column they are from, and their order.

using stream::NumberProblem;
using stream::quote;

// Returns whether a class is called like a missing value: NULL and unknown among other classes, -9 or 999 among numbers
// that are all far from it.
bool SurveyNotes::may_mean_no_label(const std::string& name) const {
  constexpr std::size_t fewest = 3;
  if (stream::looks_missing(name)) return !(name == "-" && schema_.labels.find("+"));
  std::size_t classes = 0, numbers = 0;
  double value = 0, least = std::numeric_limits<double>::infinity(), most = -least;
  for (std::size_t k = 0; k < survey_.classes_.size() && k < schema_.labels.names.size(); ++k) {
    if (survey_.classes_[k].rows == 0) continue;
    ++classes;
    double other = 0;
    if (schema_.labels.names[k] == name || stream::parse_number(schema_.labels.names[k], other) != NumberProblem::none)
      continue;
    ++numbers;
    least = std::min(least, other);
    most = std::max(most, other);
  }
  if (classes < fewest) return false;
  if (stream::means_unknown(name)) return true;
  if (numbers + 1 < classes || stream::parse_number(name, value) != NumberProblem::none) return false;
  return stream::is_in_nines(name) && std::max(least - value, value - most) > most - least;
}

// A class of one row, the first or the last of many: a total, a line below the header.
void SurveyNotes::look_at_class_of_one_row(std::string_view name, std::uint64_t row) {
  constexpr std::uint64_t fewest_rows = 10;
  const bool last = row == survey_.last_row_;
  const auto alone =
      std::count_if(survey_.classes_.begin(), survey_.classes_.end(), [](const auto& its) { return its.rows == 1; });
  if (survey_.rows_ < fewest_rows || alone > 2 || !format_.columns_are_surveyed || (row != 1 && !last)) return;
  const std::uint64_t line = schema_.skip_lines + (schema_.header ? 1 : 0) + row;
  std::string fix = "is it a total, a second header? ";
  if (last) {
    fix += "sed '$d' FILE >NAME takes it out";
  } else if (format_.takes_all(stream::about_header)) {
    fix += fmt::format("sed {}d FILE >NAME takes it out", line);
  } else {
    fix += "take the row out";
  }
  add(About::class_name, true,
      fmt::format("the class {} has one row alone, the {} of all (row {})", quote(name), last ? "last" : "first", row),
      fix);
}

// Finds classes that are measurements, names of rows, or slips.
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
    if (rows == 1 && !(named && holds_totals(*column))) look_at_class_of_one_row(name, first_row);
    if (named && column->name == name && schema_.header && !is_of_header_rows(*column) &&
        rows <= std::max<std::uint64_t>(1, survey_.rows_ / 100)) {
      add(About::class_name, true,
          fmt::format("a class is called {} as its column is (row {})", quote(name), first_row),
          "is it a second header line? take it out of the file");
    } else if (may_mean_no_label(name)) {
      // A frequent one is mostly a class, and no command to try takes it away.
      add(About::class_name, rows * 4 < survey_.rows_,
          fmt::format("a class is called {} (row {})", quote(name), first_row),
          "if it means no label, " + (has_names_for_missing() ? option("missing", name) + " " +
                                                                    option("on-error", "skip") + " leaves such rows out"
                                                              : std::string("take such rows out")));
    }
  }
  std::sort(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.first_row < b.first_row; });
  const stream::LabelSource source{named && schema_.header ? column->name : "", named, false};
  const bool insisted = options_.labels.any_value || !options_.labels.classes.empty();
  for (stream::LabelDoubt& doubt : stream::doubts_of(counts, survey_.rows_, source)) {
    if (insisted && doubt.about == About::label) continue;
    add(doubt.about, true, std::move(doubt.text), std::move(doubt.fix));
    notes_.back().on_label = doubt.about == About::label;
  }
  const bool doubted = std::any_of(notes_.begin(), notes_.end(), [](const SurveyNote& note) { return note.on_label; });
  if (!insisted && !doubted && format_.labels == LabelsAre::numbers) look_at_targets(counts);
}

// Fractions among few labels that are numbers: other programs read these as targets of a regression.
void SurveyNotes::look_at_targets(std::span<const stream::LabelCount> labels) {
  constexpr std::size_t most_named = 4;
  std::vector<std::pair<double, std::string_view>> targets;
  bool fractions = false;
  for (const stream::LabelCount& label : labels) {
    double value = 0;
    if (stream::parse_number(label.text, value) != NumberProblem::none) return;
    targets.emplace_back(value, label.text);
    fractions = fractions || value != std::floor(value);
  }
  if (!fractions || targets.size() < 2) return;
  std::sort(targets.begin(), targets.end());
  std::string classes;
  for (std::size_t i = 0; i < std::min(most_named, targets.size()); ++i)
    classes += (i == 0 ? "" : ", ") + quote(targets[i].second);
  if (targets.size() > most_named) classes += fmt::format(" and {} more", targets.size() - most_named);
  const std::size_t middle = targets.size() / 2;
  add(About::label, true,
      fmt::format("the labels are fractions, as targets of a regression are; here each is a class: {}", classes),
      fmt::format("two classes of them, above and below {0}: awk '$1 ~ /^[-+.0-9]/ {{ $1 = $1 > {0} ? 1 : -1 }} "
                  "{{ print }}' FILE >NAME; {1} learns each as a class",
                  targets[middle - 1].first + (targets[middle].first - targets[middle - 1].first) / 2,
                  option("classes", "all")));
  notes_.back().on_label = true;
}

void SurveyNotes::look_at_order() {
  if (!survey_.sorted_by_class()) return;
  add(About::order, true,
      fmt::format("the rows are sorted by class, or nearly so: {} rows in {} runs of one class", survey_.rows_,
                  survey_.runs_),
      option("order", "shuffled") + " " + option("passes", "10") + " trains on them in random order");
}

void SurveyNotes::look_at_label_column() {
  if (!options_.columns.label.empty() || options_.schema != nullptr) return;
  for (const Column& column : schema_.columns) {
    if (column.kind != Column::Kind::label) continue;
    const std::string& name = column.name;
    const std::string word = stream::lower_case(name);
    const bool by_name = schema_.header && (word == "label" || word == "class" || word == "target" || word == "y");
    const auto behind = std::find_if(schema_.columns.rbegin(), schema_.columns.rend(), [](const Column& one) {
      return one.kind == Column::Kind::label || Column::gives_features(one.kind);
    });
    const bool last = &*behind == &column;
    if (by_name && !last && format_.columns_by_position) {
      return add(About::label_by_name, false,
                 fmt::format("the label was taken from the column {}, for its name; the last column, {}, is a feature",
                             quote(name), quote(behind->name)),
                 option("label", word_of(column)) + " confirms it; " + option("label", word_of(*behind)) +
                     " takes the last one");
    }
    if (by_name && word != "y") return;
    add(About::label_column, false,
        fmt::format("the label was taken from the column {}, {}", quote(name),
                    by_name ? "for its name"
                    : last  ? "the last one"
                            : "the last one with values"),
        option("label") + " names another");
  }
}

}  // namespace halfspace
