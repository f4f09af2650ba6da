// Notes on the labels: the classes and their rows, the column they are from, and their order.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "halfspace/base/error.h"
#include "stream/format_entry.h"
#include "stream/labels/label_doubts.h"
#include "stream/parser.h"
#include "stream/survey/survey_notes.h"
#include "stream/text/shapes.h"
#include "stream/text/text.h"

namespace halfspace {

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
