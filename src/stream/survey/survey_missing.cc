// Looks for numbers that may mean a missing value, and at missing values.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "halfspace/base/error.h"
#include "stream/columns/missing.h"
#include "stream/survey/survey_rows.h"
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
  std::string words() { return count_ > most ? fmt::format("{} and {} more", words_, count_ - most) : words_; }

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
  std::string words() {
    std::string words;
    for (const double mark : numbers) words += fmt::format("{}{}", words.empty() ? "" : ",", mark);
    return words;
  }
};

// Returns whether a number is also a class, or negative and within the range of a column that it is no mark of.
bool is_used_elsewhere(const SurveyedTable& table, double mark, const std::vector<const Column*>& marked) {
  if (table.schema.labels.find(fmt::format("{}", mark))) return true;
  return mark < 0 && std::any_of(table.schema.columns.begin(), table.schema.columns.end(), [&](const Column& column) {
           if (column.kind != Column::Kind::numeric) return false;
           const SurveyedFeature seen = table.survey.feature(column.feature);
           return seen.least <= mark && mark <= seen.most &&
                  std::find(marked.begin(), marked.end(), &column) == marked.end();
         });
}

}  // namespace

// Finds numbers that may mean a missing value, twice or more: 999, further from all others than they differ; as the only
// negative number of a column -9, -1, and what is further from 0 than the largest; -1 of whole numbers, four different
// ones or more.
void look_at_far_values(const SurveyedTable& table, SurveyNoteList& notes) {
  constexpr std::uint64_t fewest = 2;
  constexpr std::uint8_t fewest_distinct = 4;
  Marks far, negative;
  for (const Column& column : table.schema.columns) {
    if (column.kind != Column::Kind::numeric) continue;
    const SurveyedFeature seen = table.survey.feature(column.feature);
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
                                       [&](double mark) { return is_used_elsewhere(table, mark, marks.columns); });
    return table.has_names_for_missing() && !elsewhere ? option("missing", marks.list) + " reads them as missing"
           : table.has_names_for_missing()             ? "where they do, leave these cells empty in the file"
           : table.format.sparse_columns               ? "where they do, write ? in their place"
                                                       : "where they do, leave them out of the file";
  };
  if (!far.numbers.empty()) {
    notes.add(
        SurveyNote::About::column, true,
        fmt::format("numbers far from all others may mean a missing value: {} in {}", far.words(), far.found.words()),
        fix(far));
  }
  if (!negative.numbers.empty()) {
    notes.add(SurveyNote::About::column, false,
              fmt::format("-1 may mean a missing value: no other number is negative, in {}", negative.found.words()),
              fix(negative));
  }
}

// + without -, which is a mark of missing values unless the options say otherwise: a strand, a sign.
void look_at_minus_signs(const SurveyedTable& table, SurveyNoteList& notes) {
  if (std::find(table.schema.missing.begin(), table.schema.missing.end(), "-") == table.schema.missing.end()) return;
  for (const Column& column : table.schema.columns) {
    if (column.kind != Column::Kind::categorical || column.missing_feature == Column::no_feature ||
        table.survey.feature(column.missing_feature).values == 0)
      continue;
    bool plus = false;
    for (std::size_t k = 0; k < column.categories.size(); ++k)
      plus = plus || std::string_view(column.categories[k]) == "+";
    if (!plus) continue;
    return notes.add(
        SurveyNote::About::column, true,
        fmt::format("the column {} has '+', and '-' is read as missing there", quote(column.name)),
        option("missing-only", stream::MissingNames(table.schema.missing).list_without("-")) + " makes a value of '-'");
  }
}

// Marks that only programs write, among texts; among numbers other notes name them.
void look_at_marks_of_programs(const SurveyedTable& table, SurveyNoteList& notes) {
  if (!table.has_names_for_missing()) return;
  constexpr std::string_view marks[] = {"<undefined>", "<NA>", "#N/A", "#NULL!", "#DIV/0!", "#VALUE!"};
  RowsOfColumns found;
  std::string list;
  for (const Column& column : table.schema.columns) {
    if (column.kind != Column::Kind::categorical || table.was_asked_for(column)) continue;
    std::uint64_t rows = 0;
    bool numbers = false;
    for (std::size_t k = 0; k < column.categories.size(); ++k) {
      const std::string text(column.categories[k]);
      const std::uint64_t values = table.survey.feature(column.features[k]).values;
      numbers = numbers || (values > 0 && table.is_number(text));
      if (values == 0 || std::find(std::begin(marks), std::end(marks), text) == std::end(marks)) continue;
      rows += values;
      if (("," + list + ",").find("," + text + ",") == std::string::npos) list += (list.empty() ? "" : ",") + text;
    }
    if (rows > 0 && numbers) return;
    if (rows > 0) found.add(column, rows);
  }
  if (list.empty()) return;
  notes.add(SurveyNote::About::column, true,
            fmt::format("a mark of missing values is a category: {} in {}", list, found.words()),
            option("missing", list) + " reads it as missing");
}

// Missing values are features, which nobody sees in the data.
void look_at_missing(const SurveyedTable& table, SurveyNoteList& notes) {
  RowsOfColumns found;
  const Column* first = nullptr;
  for (const Column& column : table.schema.columns) {
    if (column.missing_feature == Column::no_feature) continue;
    const std::uint64_t rows = table.survey.feature(column.missing_feature).values;
    if (rows == 0) continue;
    if (first == nullptr) first = &column;
    found.add(column, rows);
  }
  if (first == nullptr) return;
  notes.add(SurveyNote::About::missing, false,
            fmt::format("a missing value is a feature of its own, such as {}: in {}", quote(first->name + "=?"),
                        found.words()),
            "fill in the values to avoid that; " + option("drop") + " leaves columns out");
}

}  // namespace halfspace
