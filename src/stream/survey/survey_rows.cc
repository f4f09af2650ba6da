// Notes on rows of a table that are no data: header lines between rows, totals, lines within one quoted value.
#include "stream/survey/survey_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/number_words.h"
#include "halfspace/base/error.h"
#include "stream/csv/problems.h"
#include "stream/formats/format_entry.h"
#include "stream/labels/label_doubts.h"
#include "stream/survey/column_texts.h"
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

// Calls `visit` with every text of a column of categories or of the label, and its rows.
template <class F>
void for_each_text(const SurveyedTable& table, F&& visit) {
  for (const Column& column : table.schema.columns) {
    for (std::size_t k = 0; column.kind == Column::Kind::categorical && k < column.categories.size(); ++k) {
      const SurveyedFeature seen = table.survey.feature(column.features[k]);
      if (seen.values > 0) visit(column, std::string_view(column.categories[k]), seen.values, seen.first_row);
    }
    for (std::size_t k = 0; column.kind == Column::Kind::label && k < table.classes.size(); ++k) {
      const auto& [rows, first_row] = table.classes[k];
      if (rows > 0 && k < table.schema.labels.names.size())
        visit(column, std::string_view(table.schema.labels.names[k]), rows, first_row);
    }
  }
}

// Returns whether the lines of a cell, with what is left and right of it, have the fields of rows: numbers in columns of
// numbers, classes in the label's.
bool spans_rows(const Schema& schema, const Column& column, std::string_view text) {
  const auto width =
      static_cast<std::size_t>(std::count_if(schema.columns.begin(), schema.columns.end(),
                                             [](const Column& one) { return one.kind != Column::Kind::product; }));
  const std::string marks = {schema.delimiter, '\n'};
  std::size_t at = static_cast<std::size_t>(&column - schema.columns.data()), lines = 1;
  const std::size_t own = at;
  for (bool first = true;; first = false) {
    const std::size_t end = text.find_first_of(marks);
    std::string_view cell = text.substr(0, end);
    if (cell.ends_with('\r')) cell.remove_suffix(1);
    if (end == std::string_view::npos) return lines > 1 && at == own;
    const Column::Kind kind = schema.columns[at].kind;
    if (!first && kind == Column::Kind::numeric && !cell.empty() && !stream::looks_like_number(cell)) return false;
    if (!first && kind == Column::Kind::label && !schema.labels.find(std::string(cell))) return false;
    const bool ends = text[end] == '\n';
    if (ends != (at + 1 == width)) return false;
    at = ends ? 0 : at + 1;
    lines += ends ? 1 : 0;
    text.remove_prefix(end + 1);
  }
}

// Returns whether a class is called like a missing value: NULL and unknown among other classes, -9 or 999 among numbers
// that are all far from it.
bool may_mean_no_label(const SurveyedTable& table, const std::string& name) {
  constexpr std::size_t fewest = 3;
  if (stream::looks_missing(name)) return !(name == "-" && table.schema.labels.find("+"));
  std::size_t classes = 0, numbers = 0;
  double value = 0, least = std::numeric_limits<double>::infinity(), most = -least;
  for (std::size_t k = 0; k < table.classes.size() && k < table.schema.labels.names.size(); ++k) {
    if (table.classes[k].rows == 0) continue;
    ++classes;
    double other = 0;
    if (table.schema.labels.names[k] == name ||
        stream::parse_number(table.schema.labels.names[k], other) != stream::NumberProblem::none)
      continue;
    ++numbers;
    least = std::min(least, other);
    most = std::max(most, other);
  }
  if (classes < fewest) return false;
  if (stream::means_unknown(name)) return true;
  if (numbers + 1 < classes || stream::parse_number(name, value) != stream::NumberProblem::none) return false;
  return stream::is_in_nines(name) && std::max(least - value, value - most) > most - least;
}

// A class of one row, the first or the last of many: a total, a line below the header.
void look_at_class_of_one_row(const SurveyedTable& table, std::string_view name, std::uint64_t row,
                              SurveyNoteList& notes) {
  constexpr std::uint64_t fewest_rows = 10;
  const bool last = row == table.last_row;
  const auto alone =
      std::count_if(table.classes.begin(), table.classes.end(), [](const auto& its) { return its.rows == 1; });
  if (table.survey.rows() < fewest_rows || alone > 2 || !table.format.columns_are_surveyed || (row != 1 && !last))
    return;
  const std::uint64_t line = table.schema.skip_lines + (table.schema.header ? 1 : 0) + row;
  std::string fix = "is it a total, a second header? ";
  if (last) {
    fix += "sed '$d' FILE >NAME takes it out";
  } else if (table.format.takes_all(stream::about_header)) {
    fix += fmt::format("sed {}d FILE >NAME takes it out", line);
  } else {
    fix += "take the row out";
  }
  notes.add(
      SurveyNote::About::class_name, true,
      fmt::format("the class {} has one row alone, the {} of all (row {})", quote(name), last ? "last" : "first", row),
      fix);
}

// Fractions among few labels that are numbers: other programs read these as targets of a regression.
void look_at_targets(std::span<const stream::LabelCount> labels, SurveyNoteList& notes) {
  constexpr std::size_t most_named = 4;
  std::vector<std::pair<double, std::string_view>> targets;
  bool fractions = false;
  for (const stream::LabelCount& label : labels) {
    double value = 0;
    if (stream::parse_number(label.text, value) != stream::NumberProblem::none) return;
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
  notes.add(SurveyNote::About::label, true,
            fmt::format("the labels are fractions, as targets of a regression are; here each is a class: {}", classes),
            fmt::format("two classes of them, above and below {0}: awk '$1 ~ /^[-+.0-9]/ {{ $1 = $1 > {0} ? 1 : -1 }} "
                        "{{ print }}' FILE >NAME; {1} learns each as a class",
                        targets[middle - 1].first + (targets[middle].first - targets[middle - 1].first) / 2,
                        option("classes", "all")));
  notes.list.back().on_label = true;
}

}  // namespace

// A header line of another file that was appended. It holds names in every column, so that no column is numeric.
void look_at_header_rows(const SurveyedTable& table, SurveyNoteList& notes, ExplainedColumns& explained) {
  if (!table.has_header() ||
      std::any_of(table.schema.columns.begin(), table.schema.columns.end(), [](const Column& column) {
        return column.kind == Column::Kind::numeric || column.kind == Column::Kind::date;
      }))
    return;
  std::map<std::string, const Column*> by_name;
  for (const Column& column : table.schema.columns) {
    if (!stream::looks_like_number(column.name)) by_name.emplace(lower_case(column.name), &column);
  }
  std::size_t columns = 0;
  for (const Column& column : table.schema.columns)
    columns += column.kind == Column::Kind::categorical || column.kind == Column::Kind::label ? 1 : 0;
  std::map<std::uint64_t, NamesInRow> found;
  for_each_text(table, [&](const Column& column, std::string_view text, std::uint64_t rows, std::uint64_t first_row) {
    const auto name = by_name.find(lower_case(text));
    if (name == by_name.end()) return;
    NamesInRow& its = found[first_row];
    its.columns.push_back(&column);
    its.own += name->second == &column ? 1 : 0;
    its.rows = its.rows == 0 ? rows : std::min(its.rows, rows);
    its.label = its.label || column.kind == Column::Kind::label;
    if (column.kind != Column::Kind::categorical) return;
    const ColumnTexts texts = texts_of(table, column);
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
    explained.headers.insert(explained.headers.end(), its.columns.begin(), its.columns.end());
  }
  if (rows == 0) return;
  const std::string which = rows == 1 ? fmt::format("row {} holds", first_row)
                                      : fmt::format("{} rows, the first row {}, hold", rows, first_row);
  if (differ) {
    const std::string mark = table.schema.delimiter == '\t' ? "\\t" : std::string(1, table.schema.delimiter);
    const std::string by = mark == "," ? std::string() : ", delimiter='" + mark + "'";
    return notes.add(
        SurveyNote::About::column, true,
        which + " the names of the columns in another order: files whose columns differ were put together",
        "put them together by name: python3 -c \"import csv, sys; r = [row for file in ['FILE', 'FILE2'] for row in "
        "csv.DictReader(open(file)" +
            by + ")]; w = csv.DictWriter(sys.stdout, list(r[0])" + by +
            "); w.writeheader(); "
            "w.writerows(r)\" >NAME.csv");
  }
  notes.add(SurveyNote::About::column, true,
            which + " the names of the columns, as the header line of another file does",
            "take header lines out: " + stream::command_without_headers(table.schema.skip_lines));
}

// Totals among the classes or in the first column. A name before the word is another text of the column.
void look_at_totals(const SurveyedTable& table, SurveyNoteList& notes, ExplainedColumns& explained) {
  if (!table.has_marks()) return;
  constexpr std::size_t most_names = 8;
  struct Totals {
    std::vector<std::string_view> others, names;
    std::vector<std::pair<std::string_view, std::string_view>> named;  // with the name before the word
    std::uint64_t rows = 0, first_row = 0, odd = 0;
  };
  std::map<const Column*, Totals> found;
  const Column* const first = table.schema.columns.data();
  const auto take = [](Totals& its, std::string_view text, std::uint64_t rows, std::uint64_t row) {
    its.names.push_back(text);
    its.rows += rows;
    its.first_row = its.first_row == 0 ? row : std::min(its.first_row, row);
  };
  for (const bool with_name : {false, true}) {
    for_each_text(table, [&](const Column& column, std::string_view text, std::uint64_t rows, std::uint64_t row) {
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
    if (its.names.empty() || its.names.size() > most_names || its.others.size() < 2 ||
        4 * its.rows > table.survey.rows())
      continue;
    std::string shown, pattern;
    for (const std::string_view name : its.names) {
      shown += (shown.empty() ? "" : ", ") + quote(name);
      pattern += (pattern.empty() ? "" : "|") + as_literal(name);
    }
    const bool last = column == &table.schema.columns.back();
    const std::string mark = as_bracket(table.schema.delimiter);
    explained.totals.push_back(column);
    notes.add(column->kind == Column::Kind::label ? SurveyNote::About::class_name : SurveyNote::About::column, true,
              fmt::format("{} of the column {} (row {}{}): {}, as totals of other rows are called",
                          counted(its.rows, "value"), quote(column->name), its.first_row, its.rows > 1 ? " and on" : "",
                          shown),
              "take totals out: grep -vE '" + (column == first ? "^[[:blank:]]*" : mark + "[[:blank:]]*") + "\"?(" +
                  pattern + ")\"?[[:space:]]*" + (last ? "$" : mark) + "' FILE >NAME");
  }
}

// A quote that opens in one row and closes in a later one, where no other value needs quotes.
void look_at_rows_in_quotes(const SurveyedTable& table, SurveyNoteList& notes) {
  if (!table.has_marks() || table.schema.quote == Quote::none || table.schema.delimiter == ' ') return;
  const std::string marks = {table.schema.delimiter, '\n', '"'};
  bool quotes_are_used = false;
  std::uint64_t found = 0, first = 0;
  std::ptrdiff_t lines = 0;
  for_each_text(table, [&](const Column& column, std::string_view text, std::uint64_t rows, std::uint64_t row) {
    if (text.find_first_of(marks) == std::string_view::npos) return;
    if (!spans_rows(table.schema, column, text)) {
      quotes_are_used = true;
      return;
    }
    found += rows;
    if (first != 0 && row > first) return;
    first = row;
    lines = std::count(text.begin(), text.end(), '\n');
  });
  if (found == 0 || quotes_are_used) return;
  const std::uint64_t line = table.schema.skip_lines + (table.schema.header ? 1 : 0) + first;
  notes.add(
      SurveyNote::About::column, true,
      fmt::format("{}row {} is one quoted value from line {} to line {}, and these look like rows: a quote opens in "
                  "the first and closes in the last",
                  found > 1 ? fmt::format("{} rows span several lines; ", found) : "", first, line,
                  line + static_cast<std::uint64_t>(lines)),
      option("quote", "none") + " reads quotes as text, and each line as a row");
}

// Finds classes that are measurements, names of rows, or slips.
void look_at_labels(const SurveyedTable& table, const ExplainedColumns& explained, SurveyNoteList& notes) {
  const auto column = std::find_if(table.schema.columns.begin(), table.schema.columns.end(),
                                   [](const Column& one) { return one.kind == Column::Kind::label; });
  const bool named = column != table.schema.columns.end();
  std::vector<stream::LabelCount> counts;
  for (std::size_t k = 0; k < table.classes.size() && k < table.schema.labels.names.size(); ++k) {
    const auto& [rows, first_row] = table.classes[k];
    if (rows == 0) continue;
    const std::string& name = table.schema.labels.names[k];
    counts.push_back({name, rows, first_row});
    if (rows == 1 && !(named && explained.holds_totals(*column)))
      look_at_class_of_one_row(table, name, first_row, notes);
    if (named && column->name == name && table.schema.header && !explained.holds_headers(*column) &&
        rows <= std::max<std::uint64_t>(1, table.survey.rows() / 100)) {
      notes.add(SurveyNote::About::class_name, true,
                fmt::format("a class is called {} as its column is (row {})", quote(name), first_row),
                "is it a second header line? take it out of the file");
    } else if (may_mean_no_label(table, name)) {
      // A frequent one is mostly a class, and no command to try takes it away.
      notes.add(SurveyNote::About::class_name, rows * 4 < table.survey.rows(),
                fmt::format("a class is called {} (row {})", quote(name), first_row),
                "if it means no label, " +
                    (table.has_names_for_missing()
                         ? option("missing", name) + " " + option("on-error", "skip") + " leaves such rows out"
                         : std::string("take such rows out")));
    }
  }
  std::sort(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.first_row < b.first_row; });
  const stream::LabelSource source{named && table.schema.header ? column->name : "", named, false};
  const bool insisted = table.options.labels.any_value || !table.options.labels.classes.empty();
  for (stream::LabelDoubt& doubt : stream::doubts_of(counts, table.survey.rows(), source)) {
    if (insisted && doubt.about == SurveyNote::About::label) continue;
    notes.add(doubt.about, true, std::move(doubt.text), std::move(doubt.fix));
    notes.list.back().on_label = doubt.about == SurveyNote::About::label;
  }
  const bool doubted =
      std::any_of(notes.list.begin(), notes.list.end(), [](const SurveyNote& note) { return note.on_label; });
  if (!insisted && !doubted && table.format.labels == LabelsAre::numbers) look_at_targets(counts, notes);
}

void look_at_order(const SurveyedTable& table, SurveyNoteList& notes) {
  if (!table.survey.sorted_by_class()) return;
  notes.add(SurveyNote::About::order, true,
            fmt::format("the rows are sorted by class, or nearly so: {} rows in {} runs of one class",
                        table.survey.rows(), table.runs),
            option("order", "shuffled") + " " + option("passes", "10") + " trains on them in random order");
}

void look_at_label_column(const SurveyedTable& table, SurveyNoteList& notes) {
  if (!table.options.columns.label.empty() || table.options.schema != nullptr) return;
  for (const Column& column : table.schema.columns) {
    if (column.kind != Column::Kind::label) continue;
    const std::string& name = column.name;
    const std::string word = stream::lower_case(name);
    const bool by_name = table.schema.header && (word == "label" || word == "class" || word == "target" || word == "y");
    const auto behind = std::find_if(table.schema.columns.rbegin(), table.schema.columns.rend(), [](const Column& one) {
      return one.kind == Column::Kind::label || Column::gives_features(one.kind);
    });
    const bool last = &*behind == &column;
    if (by_name && !last && table.format.columns_by_position) {
      return notes.add(
          SurveyNote::About::label_by_name, false,
          fmt::format("the label was taken from the column {}, for its name; the last column, {}, is a feature",
                      quote(name), quote(behind->name)),
          option("label", table.word_of(column)) + " confirms it; " + option("label", table.word_of(*behind)) +
              " takes the last one");
    }
    if (by_name && word != "y") return;
    notes.add(SurveyNote::About::label_column, false,
              fmt::format("the label was taken from the column {}, {}", quote(name),
                          by_name ? "for its name"
                          : last  ? "the last one"
                                  : "the last one with values"),
              option("label") + " names another");
  }
}

}  // namespace halfspace
