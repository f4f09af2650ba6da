// Notes on rows of a table that are no data: header lines between rows, totals, lines within one quoted value.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/number_words.h"
#include "halfspace/base/error.h"
#include "stream/csv/problems.h"
#include "stream/format_entry.h"
#include "stream/survey/survey_notes.h"
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

}  // namespace halfspace
