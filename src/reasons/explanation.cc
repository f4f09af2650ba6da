// Gathers what is said of one row.
#include "halfspace/reasons/explanation.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <functional>
#include <set>
#include <span>
#include <utility>

#include "base/number_words.h"
#include "halfspace/base/error.h"
#include "halfspace/stream/reader.h"
#include "halfspace/train/evaluate.h"
#include "stream/csv/table.h"
#include "stream/text/text.h"

namespace halfspace {
namespace {

constexpr std::size_t most_codes = 4;  // more reasons are none, regulators say

std::uint64_t number_of(const std::string& text) {
  std::uint64_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  return problem == std::errc() && end == text.data() + text.size() ? number : 0;
}

// Keeps the row that is looked for, of all that go by.
class RowSearch {
 public:
  RowSearch(const std::string& row, FoundRow& found) : row_(row), number_(number_of(row)), found_(found) {}

  void see(const Block& block) {
    block_.clear();
    for (std::size_t i = 0; i < block.rows; ++i) {
      block_.append(block, i);
      if (block.row[i] == number_ && numbered_.rows() == 0) numbered_.append(block, i);
    }
  }
  void name(std::span<const RowText> rows) {
    std::size_t good = 0;
    for (const RowText& row : rows) {
      if (!row.reason.empty()) continue;
      if (!named_ && !row.kept.empty() && row.kept[0] == row_) {
        named_ = true;
        found_.name = row_;
        found_.number = row.row;
        found_.buffer.append(block_.finish(), good);
      } else if (row.row == number_ && !row.kept.empty()) {
        name_of_numbered_ = row.kept[0];
      }
      ++good;
    }
  }
  bool done(bool by_name) const { return named_ || (!by_name && numbered_.rows() > 0); }
  bool settle() {
    if (!named_ && numbered_.rows() > 0) {
      found_.number = number_;
      found_.name = name_of_numbered_;
      found_.buffer.append(numbered_.finish(), 0);
    }
    return found_.buffer.rows() > 0;
  }

 private:
  const std::string& row_;
  std::uint64_t number_;
  FoundRow& found_;
  BlockBuffer block_, numbered_;
  std::string name_of_numbered_;
  bool named_ = false;
};

void add_value(const RowChanges& row, std::uint32_t column, ExplainedColumn& out) {
  out.missing = row.is_missing(column);
  if (out.missing) return;
  if (const auto number = row.value(column)) out.value = fmt::format("{}", *number);
  if (const auto category = row.category(column)) {
    out.value = *category;
    out.unknown = category->empty();
  }
}

bool is_changed_as_a_whole(const Model& model) { return model.schema.row_normalised || model.schema.single; }

void add_columns(const Reasons& reasons, const RowReasons& row, const RowChanges* changes, Explanation& out) {
  std::vector<Contribution> order = reasons.for_the_label(row, row.contributions.size());
  out.for_label = order.size();
  RowReasons against = row;
  for (Contribution& c : against.contributions) c.value = -c.value;
  const std::vector<Contribution> rest = reasons.for_the_label(against, row.contributions.size());
  for (const Contribution& c : rest) order.push_back({c.column, -c.value});
  for (const Contribution& c : order) {
    ExplainedColumn column;
    column.name = reasons.columns().columns[c.column].name;
    column.contribution = c.value;
    if (changes != nullptr) {
      add_value(*changes, c.column, column);
      column.range = changes->range(c.column);
    }
    out.columns.push_back(std::move(column));
  }
}

void add_codes(const std::vector<ReasonCode>& codes, Explanation& out) {
  const auto fits = [&](const ReasonCode& code) { return code.label.empty() || code.label == out.label; };
  if (std::none_of(codes.begin(), codes.end(), fits)) return;
  for (std::size_t k = 0; k < out.for_label && out.reasons.size() < most_codes; ++k) {
    const std::string& column = out.columns[k].name;
    const auto code =
        std::find_if(codes.begin(), codes.end(), [&](const ReasonCode& c) { return c.column == column && fits(c); });
    if (code == codes.end()) {
      throw Error(ErrorKind::usage, "no code is given for column '" + column + "', which is a reason for the label")
          .fix("add a row for it to the table of codes");
    }
    const bool known = std::any_of(out.reasons.begin(), out.reasons.end(), [&](const ReasonCode& other) {
      return other.code == code->code && other.text == code->text;
    });
    if (!known) out.reasons.push_back(*code);
  }
}

constexpr std::size_t absent_column = std::string::npos;

// Reads a table with these columns and perhaps one more, `optional`, whose position is absent_column without it. Each
// column of the data has one row, or one for each text of the optional column.
void read_each(const std::string& path, const std::atomic<bool>* interrupt, const std::vector<std::string>& names,
               const std::function<void(const stream::TableReader&, std::span<const std::size_t>)>& each,
               const std::string& optional = {}) {
  TableFileOptions options;
  options.path = path;
  options.interrupt = interrupt;
  stream::TableReader reader(options);
  std::vector<std::size_t> columns;
  for (const std::string& name : names) {
    const auto found = std::find(reader.columns().begin(), reader.columns().end(), name);
    if (found == reader.columns().end()) {
      throw Error(ErrorKind::usage, "the table has no column '" + name + "'")
          .at(path)
          .fix(fmt::format("begin it with the line {}", fmt::join(names, ",")));
    }
    columns.push_back(static_cast<std::size_t>(found - reader.columns().begin()));
  }
  const auto more = std::find(reader.columns().begin(), reader.columns().end(), optional);
  const bool has_more = !optional.empty() && more != reader.columns().end();
  columns.push_back(has_more ? static_cast<std::size_t>(more - reader.columns().begin()) : absent_column);
  std::set<std::pair<std::string, std::string>> seen;
  while (reader.next()) {
    if (!seen.emplace(reader.text(columns[0]), has_more ? reader.text(columns.back()) : "").second)
      throw reader.error(columns[0], "the column has a row already", "leave one of them out");
    each(reader, columns);
  }
}

}  // namespace

void name_rows(const Model& model, ReadOptions& read) {
  const std::vector<Column>& columns = model.schema.columns;
  const auto id = std::find_if(columns.begin(), columns.end(),
                               [](const Column& column) { return column.kind == Column::Kind::identifier; });
  if (id == columns.end() || id->name.empty() || read.rows != nullptr || read.table_text != nullptr) return;
  ReadOptions one = read_for(model, read);
  one.labels.ignore = true;
  one.columns.identifier = id->name;
  one.columns.keep = {id->name};
  one.on_note = nullptr;
  one.rejects.clear();
  std::vector<std::string> paths = std::exchange(one.more, {});
  paths.push_back(read.path);
  for (std::string& path : paths) {
    std::error_code unknown;
    if (!std::filesystem::is_regular_file(path, unknown)) return;
    one.path = std::move(path);
    try {
      const Reader has_it(one);
    } catch (const Error&) {
      return;
    }
  }
  read.columns.identifier = id->name;
}

FoundRow find_row(const Model& model, ReadOptions read, const std::string& row) {
  FoundRow found;
  RowSearch search(row, found);
  read.labels.ignore = true;
  if (read.columns.identifier.empty()) name_rows(model, read);
  const bool by_name = !read.columns.identifier.empty();
  if (by_name) {
    read.columns.keep = {read.columns.identifier};
    read.on_rows = [&](std::span<const RowText> rows) { search.name(rows); };
  }
  Reader reader(read_for(model, read));
  reader.read([&](const Block& block) {
    if (search.done(by_name)) return false;
    search.see(block);
    return !search.done(by_name);
  });
  if (!search.settle()) {
    throw Error(ErrorKind::data, "there is no row '" + row + "'" +
                                     (by_name ? " in column '" + read.columns.identifier + "', nor as a number" : ""))
        .at(read.path)
        .fix(by_name ? "give the text that names it, or its number from 1"
                     : "give its number from 1, or name the column "
                       "that names rows with " +
                           option("id"));
  }
  found.block = found.buffer.finish();
  return found;
}

Reference reference_named(const Model& model, const std::string& text, ReadOptions read) {
  if (text == "means") return reference_at_means(model);
  if (text == "zero") return reference_at_zero();
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0 || colon + 1 == text.size()) {
    throw Error(ErrorKind::usage, option("against", text) + " names no row to compare with")
        .fix("write means, zero or FILE:ROW, such as applicants.csv:17");
  }
  read.path = text.substr(0, colon);
  read.more.clear();
  read.rows = nullptr;
  read.table_text = nullptr;
  const std::string row = text.substr(colon + 1);
  return reference_at(find_row(model, read, row).block, 0, "row " + row + " of " + read.path);
}

std::vector<ReasonCode> read_codes(const std::string& path, const std::atomic<bool>* interrupt) {
  std::vector<ReasonCode> codes;
  read_each(
      path, interrupt, {"column", "code", "text"},
      [&](const stream::TableReader& row, std::span<const std::size_t> at) {
        codes.push_back(
            {row.text(at[0]), row.text(at[1]), row.text(at[2]), at[3] == absent_column ? "" : row.text(at[3])});
      },
      "label");
  return codes;
}

std::vector<ChangeOptions::Limits> read_limits(const std::string& path, const std::atomic<bool>* interrupt) {
  std::vector<ChangeOptions::Limits> limits;
  read_each(path, interrupt, {"column", "least", "most"},
            [&](const stream::TableReader& row, std::span<const std::size_t> at) {
              ChangeOptions::Limits one{row.text(at[0]), std::nullopt, std::nullopt};
              if (!row.missing(at[1])) one.least = row.number(at[1]);
              if (!row.missing(at[2])) one.most = row.number(at[2]);
              if (one.least && one.most && *one.least > *one.most)
                throw row.error(at[1], "the least value is above the largest", "swap them");
              limits.push_back(std::move(one));
            });
  return limits;
}

std::vector<std::pair<std::string, double>> read_costs(const std::string& path, const std::atomic<bool>* interrupt) {
  std::vector<std::pair<std::string, double>> costs;
  read_each(path, interrupt, {"column", "cost"}, [&](const stream::TableReader& row, std::span<const std::size_t> at) {
    costs.emplace_back(row.text(at[0]), row.number(at[1]));
  });
  return costs;
}

namespace {

// Refuses scores, and contributions to them, that are no numbers.
void check_finite(const FoundRow& row, const std::vector<double>& scores, const RowReasons& reasons) {
  const bool finite = std::all_of(scores.begin(), scores.end(), [](double score) { return std::isfinite(score); }) &&
                      std::all_of(reasons.contributions.begin(), reasons.contributions.end(),
                                  [](const Contribution& one) { return std::isfinite(one.value); }) &&
                      std::isfinite(reasons.reference);
  if (finite) return;
  throw Error(
      ErrorKind::data,
      fmt::format("the score of data row {}, or what adds up to it, is beyond the range of doubles", row.number))
      .fix("scale the values of the row");
}

}  // namespace

Explanation explain(const Model& model, const FoundRow& row, const ExplainOptions& options) {
  Explanation out;
  out.row = row.number;
  out.row_name = row.name;
  out.reference = options.reference.words;
  out.classes = model.schema.labels.names;
  out.threshold = model.threshold.value_or(0);
  out.at_threshold = model.threshold.has_value() || model.composition.tie != Tie::negative;
  Reasons reasons(model, options.reference);
  Predictor predictor(model);
  std::vector<std::int32_t> labels;
  std::vector<double> scores;
  predictor.score_all(row.block, labels, scores);
  const ComparedClasses classes = Reasons::with_runner_up(labels[0], scores);
  RowReasons of_row;
  reasons.of(row.block, 0, classes, of_row);
  check_finite(row, scores, of_row);
  const auto name = [&](std::int32_t k) { return out.classes.at(static_cast<std::size_t>(k)); };
  out.label = name(classes.label);
  if (scores.size() > 1) {
    out.other = name(classes.other);
  } else {
    out.positive = name(1);
  }
  out.score = scores.size() > 1 ? of_row.score : scores[0];
  out.reference_score = of_row.reference;
  if (const Calibration curves = probability_curves(model); curves.fitted()) {
    out.probabilities.resize(std::max<std::size_t>(2, scores.size()));
    curves.probabilities(scores, out.probabilities);
  }
  std::optional<RowChanges> changes;
  if (is_changed_as_a_whole(model)) {
    out.why_no_change = "the model changes each row as a whole before it is scored";
  } else {
    changes.emplace(model, row.block, 0);
    if (changes->label() != classes.label) {
      out.why_no_change = "the score is so near the border that its rounding decides the label";
      changes.reset();
    }
  }
  add_columns(reasons, of_row, changes ? &*changes : nullptr, out);
  add_codes(options.codes, out);
  if (!changes) return out;
  out.radius = changes->radius();
  out.change = changes->cheapest(options.changes);
  for (const Change& change : out.change->changes)
    out.change_columns.push_back(reasons.columns().columns[change.column].name);
  out.label_after = name(out.change->label);
  return out;
}

}  // namespace halfspace
