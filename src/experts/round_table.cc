// Converts cells to advice, outcomes and losses; errors name line and column.
#include "halfspace/experts/round_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_map>

#include "base/stop.h"
#include "halfspace/base/error.h"
#include "stream/csv/table.h"
#include "stream/text/number.h"
#include "stream/text/shapes.h"
#include "stream/text/text.h"

namespace halfspace {
namespace {

constexpr std::size_t most_texts = 1000;  // more distinct texts are not labels
constexpr double asleep = std::numeric_limits<double>::quiet_NaN();

// The columns that are experts or arms.
std::vector<std::size_t> chosen(const stream::TableReader& reader, const RoundTableOptions& options,
                                std::optional<std::size_t> outcome) {
  std::vector<std::size_t> columns;
  for (const std::string& name : options.columns) columns.push_back(reader.column(name, "columns"));
  if (columns.empty()) {
    columns.resize(reader.columns().size());
    std::iota(columns.begin(), columns.end(), std::size_t{0});
    if (reader.names_rows()) columns.erase(columns.begin());
  }
  std::vector<std::size_t> leave;
  for (const std::string& name : options.drop) leave.push_back(reader.column(name, "drop"));
  std::erase_if(columns,
                [&](std::size_t c) { return c == outcome || std::find(leave.begin(), leave.end(), c) != leave.end(); });
  if (columns.empty())
    throw Error(ErrorKind::usage, "no column is left").fix("see " + option("columns") + " and " + option("drop"));
  return columns;
}

std::string six_digits(double number) { return fmt::format("{:.6g}", number); }

// Returns the range from which the values of a table of losses are mapped.
std::optional<std::pair<double, double>> range_of(const std::string& text) {
  if (text.empty()) return std::nullopt;
  const auto range = stream::parse_range(text);
  if (!range)
    throw Error(ErrorKind::usage, option("range") + " takes LOW,HIGH with LOW < HIGH, not '" + text + "'")
        .fix("such as " + option("range", "0,100") + " for losses from 0 to 100");
  return range;
}

// Reads advice and outcomes. Whether outcomes are labels (names, or numbers that are not probabilities) is known only
// at the end of the file, so cells are stored as numbers or as entries of a list of texts.
class AdviceReader {
 public:
  AdviceReader(const RoundTableOptions& options, bool binary_outcomes)
      : options_(options),
        binary_(binary_outcomes),
        reader_(options),
        outcome_(reader_.column(options.outcome, "outcome")),
        columns_(chosen(reader_, options, outcome_)) {
    for (const std::size_t c : columns_) loaded_.table.names.push_back(reader_.columns()[c]);
  }

  LoadedRoundTable read() {
    while (reader_.next()) {
      if (reader_.row() % 4096 == 0) stop_if(options_.interrupt, "interrupted while reading");
      read_round();
    }
    find_labels();
    fill_table();
    if (options_.constants) add_constants();
    return std::move(loaded_);
  }

 private:
  struct Cell {
    double value;
    std::int32_t text = -1;
  };

  Cell read_cell(std::size_t c) {
    Cell cell{asleep, -1};
    if (reader_.missing_label(c)) return cell;
    if (reader_.is_number(c, cell.value) && (cell.value == -1 || (cell.value >= 0 && cell.value <= 1))) return cell;
    const std::string text = reader_.text(c);
    const auto [at, fresh] = number_of_.emplace(text, static_cast<std::int32_t>(texts_.size()));
    if (fresh) {
      const bool stray = !reader_.fix_of_stray_row().empty();
      if (stray && !stray_) stray_ = where_.size();
      const std::string percent = stray || c == outcome_ ? std::string() : reader_.fix_of_percent(c, columns_);
      where_.push_back(
          reader_.error(c, stream::quote(text) + " in column '" + reader_.columns()[c] + "' is not advice",
                        (percent.empty() ? reader_.fix_of_cell(c, true) : percent) +
                            "; advice is a probability from 0 to 1, -1 or 1, or one of the outcome's labels"));
      if (texts_.size() == most_texts) throw where_.back();
      texts_.push_back(text);
    }
    cell.text = at->second;
    return cell;
  }

  bool decided(const Cell& cell) const {
    if (cell.text >= 0) return true;
    if (std::isnan(cell.value)) return false;
    return !(binary_ || options_.skip_undecided) || cell.value == 0 || cell.value == 1 || cell.value == -1;
  }

  void read_round() {
    const Cell result = read_cell(outcome_);
    if (!decided(result)) {
      const std::string fix = "add " + option("skip-undecided") + " to leave such rounds out";
      if (!options_.skip_undecided && std::isnan(result.value))
        throw reader_.error(outcome_, "the outcome is missing", fix);
      if (!options_.skip_undecided)
        throw reader_.error(outcome_, "an outcome between 0 and 1 is not a label",
                            fix + ", or use " + option("loss", "absolute") + " or squared");
      ++loaded_.undecided;
      return;
    }
    names_ = names_ || result.text >= 0;
    signs_ = signs_ || result.value == -1;
    outcomes_.push_back(result);
    for (const std::size_t c : columns_) cells_.push_back(read_cell(c));
  }

  std::string text_of(const Cell& cell) const {
    return cell.text >= 0 ? texts_[static_cast<std::size_t>(cell.text)] : fmt::format("{}", cell.value);
  }

  std::vector<std::string> distinct_outcomes() const {
    std::vector<std::string> distinct;
    for (const Cell& cell : outcomes_) {
      const std::string text = text_of(cell);
      if (std::find(distinct.begin(), distinct.end(), text) == distinct.end()) distinct.push_back(text);
      if (distinct.size() > 2 && stray_) throw where_[*stray_];
      if (distinct.size() > 2) {
        throw Error(ErrorKind::data,
                    fmt::format("the outcomes in column '{}' have more than two labels: '{}', '{}', '{}' ...",
                                options_.outcome, distinct[0], distinct[1], distinct[2]))
            .at(options_.path)
            .fix("an outcome is one of two labels, or a number from 0 to 1");
      }
    }
    return distinct;
  }

  void find_labels() {
    if (names_) {
      const std::vector<std::string> distinct = distinct_outcomes();
      loaded_.labels = Labels::from(distinct, options_.positive, LabelsAre::texts);
      if (loaded_.labels.names.size() < 2) {
        throw Error(ErrorKind::usage, "the outcome is always '" + distinct[0] + "': is that the label 1 or 0?")
            .at(options_.path)
            .fix("name it by " + option("positive", distinct[0]));
      }
    } else if (!options_.positive.empty()) {
      const std::vector<std::string> numbers{signs_ ? "-1" : "0", "1"};
      loaded_.labels = Labels::from(numbers, options_.positive, LabelsAre::numbers);
    }
  }

  double value_of(const Cell& cell) const {
    if (cell.text < 0 && std::isnan(cell.value)) return asleep;
    if (!loaded_.labels.names.empty()) {
      if (const auto label = loaded_.labels.find(text_of(cell))) return static_cast<double>(*label);
    }
    if (cell.text >= 0) throw where_[static_cast<std::size_t>(cell.text)];
    return std::max(0.0, cell.value);  // -1 is the label 0
  }

  void fill_table() {
    RoundTable& table = loaded_.table;
    table.rounds = outcomes_.size();
    table.values.reserve(cells_.size());
    for (std::size_t t = 0; t < outcomes_.size(); ++t) {
      table.outcomes.push_back(value_of(outcomes_[t]));
      for (std::size_t i = 0; i < columns_.size(); ++i) {
        const double value = value_of(cells_[t * columns_.size() + i]);
        loaded_.asleep += std::isnan(value);
        table.values.push_back(value);
      }
    }
  }

  void add_constants() {
    RoundTable& table = loaded_.table;
    const bool named = loaded_.labels.names.size() == 2;
    const std::size_t before = table.names.size();
    table.names.push_back("always " + (named ? loaded_.labels.names[1] : "1"));
    table.names.push_back("always " + (named ? loaded_.labels.names[0] : "0"));
    std::vector<double> wider;
    wider.reserve(table.rounds * table.names.size());
    for (std::uint64_t t = 0; t < table.rounds; ++t) {
      wider.insert(wider.end(), table.values.begin() + static_cast<std::ptrdiff_t>(t * before),
                   table.values.begin() + static_cast<std::ptrdiff_t>((t + 1) * before));
      wider.push_back(1);
      wider.push_back(0);
    }
    table.values = std::move(wider);
  }

  const RoundTableOptions& options_;
  const bool binary_;
  stream::TableReader reader_;
  std::size_t outcome_;
  std::vector<std::size_t> columns_;
  LoadedRoundTable loaded_;
  std::vector<std::string> texts_;
  std::vector<Error> where_;          // for each text, the error if it is not a label
  std::optional<std::size_t> stray_;  // the first text of a second header line or a total
  std::unordered_map<std::string, std::int32_t> number_of_;
  std::vector<Cell> cells_, outcomes_;
  bool names_ = false;  // some outcome is a name
  bool signs_ = false;  // some outcome is -1
};

// Reads losses, gains or levels, cell by cell.
class LossReader {
 public:
  LossReader(const RoundTableOptions& options, bool may_sleep)
      : options_(options),
        may_sleep_(may_sleep),
        levels_(options.ratios || options.rises),
        reader_(options),
        columns_(chosen(reader_, options, std::nullopt)) {
    for (const std::size_t c : columns_) loaded_.table.names.push_back(reader_.columns()[c]);
    loaded_.range = range_of(options.range);
    if (!options.rises || !loaded_.range) return;
    if (*loaded_.range != std::pair(0.0, 1.0))
      throw Error(ErrorKind::usage, option("rises") + " needs no " + option("range") + ": a gain is 0 or 1")
          .fix("leave one out");
    loaded_.range.reset();
  }

  LoadedRoundTable read() {
    RoundTable& table = loaded_.table;
    while (reader_.next()) {
      if (reader_.row() % 4096 == 0) stop_if(options_.interrupt, "interrupted while reading");
      now_.clear();
      if (levels_) look_at_date();
      for (const std::size_t c : columns_) read_cell(c);
      if (!levels_ || !before_.empty()) ++table.rounds;
      before_.swap(now_);
    }
    note_numbered_rows();
    note_descending_dates();
    if (options_.ratios && !options_.rises && !loaded_.range && table.rounds > 0) {
      const std::string limits = six_digits(std::floor(low_ * 10) / 10) + "," + six_digits(std::ceil(high_ * 10) / 10);
      throw Error(ErrorKind::usage, fmt::format("the ratios go from {} to {}", six_digits(low_), six_digits(high_)))
          .fix("give the range with " + option("range") + ", such as " + option("range", limits));
    }
    if (options_.gains || options_.rises) {
      for (double& value : table.values) value = 1 - value;
    }
    return std::move(loaded_);
  }

 private:
  void read_cell(std::size_t c) {
    if (reader_.missing(c)) {
      if (!may_sleep_ || levels_) {
        throw reader_.error(c, "missing loss in column '" + reader_.columns()[c] + "'",
                            "give every cell a number, or " + reader_.fix_of_cell(c, false));
      }
      loaded_.table.values.push_back(asleep);
      ++loaded_.asleep;
      return;
    }
    double value = 0;
    if (!reader_.is_number(c, value)) reader_.number(c, reader_.fix_of_cell(c, may_sleep_ && !levels_));  // throws
    if (c == columns_.front()) {
      ascends_ = ascends_ && value == std::floor(value) && (reader_.row() == 1 || value > last_);
      last_ = value;
    }
    if (levels_) {
      if (!(value > 0))
        throw reader_.error(c, "a level must be above 0 for its ratios",
                            reader_.fix_of_cell(c, false) + "; leave " + option("ratios") + " and " + option("rises") +
                                " out if these are losses already");
      now_.push_back(value);
      if (before_.empty()) return;
      value /= before_[now_.size() - 1];
      if (options_.rises) value = value > 1 ? 1 : 0;
    }
    low_ = std::min(low_, value);
    high_ = std::max(high_, value);
    loaded_.table.values.push_back(rescaled(value, c));
  }

  // Returns what to do about a total, or how to read a number such as -99 as missing, as the beginning of a fix.
  std::string mark_of(std::size_t c) const {
    if (const std::string stray = reader_.fix_of_stray_row(); !stray.empty()) return stray + "; else ";
    const std::string cell = reader_.text(c);
    if (!may_sleep_ || levels_ || !stream::is_in_nines(cell)) return {};
    return option("missing", cell) + " reads it as missing; else ";
  }

  // Row numbers and dates are no choices.
  void note_numbered_rows() const {
    constexpr std::uint64_t fewest = 10;
    if (!ascends_ || reader_.row() < fewest || !options_.columns.empty() || !options_.on_note) return;
    const std::string& name = reader_.columns()[columns_.front()];
    options_.on_note(
        {"column " + stream::quote(name) +
             " rises from row to row by whole numbers, as row numbers and dates do, and is taken as a choice",
         option("drop", name) + " leaves it out"});
  }

  // Levels are compared with those of the row before. Dates that begin with the year are in the order of their texts.
  void look_at_date() {
    if (!descends_) return;
    std::string date = reader_.text(0);
    descends_ = date.size() > 4 && (date[4] == '-' || date[4] == '/') && stream::looks_like_date(date) &&
                (reader_.row() == 1 || date < date_);
    date_ = std::move(date);
  }

  void note_descending_dates() const {
    constexpr std::uint64_t fewest = 3;
    if (!levels_ || !descends_ || reader_.row() < fewest || !options_.on_note) return;
    options_.on_note({"the dates in column " + stream::quote(reader_.columns().front()) +
                          " descend, and each level is compared with that of the row before, a later one",
                      "sort the rows by date: (head -n 1 FILE; tail -n +2 FILE | sort) >NAME"});
  }

  double rescaled(double value, std::size_t c) const {
    if (loaded_.range) {
      const auto [least, most] = *loaded_.range;
      if (value < least || value > most) {
        throw reader_.error(c, six_digits(value) + " is outside " + option("range", options_.range),
                            mark_of(c) + "widen the range: a bound needs losses in a known range");
      }
      return std::clamp((value - least) / (most - least), 0.0, 1.0);
    }
    if (!options_.ratios && !(value >= 0 && value <= 1)) {
      const std::string& name = reader_.columns()[c];
      throw reader_.error(
          c, fmt::format("{} in column '{}' is not from 0 to 1", six_digits(value), name),
          mark_of(c) + "add " + option("range", "LOW,HIGH") + " to rescale all values, or " + option("drop", name));
    }
    return value;
  }

  const RoundTableOptions& options_;
  const bool may_sleep_;
  const bool levels_;  // ratios of neighbouring records count
  stream::TableReader reader_;
  std::vector<std::size_t> columns_;
  LoadedRoundTable loaded_;
  std::vector<double> before_, now_;  // levels, of the record before and of this one
  bool ascends_ = true;               // the first column does, by whole numbers
  double last_ = 0;                   // of it
  bool descends_ = true;              // it holds dates, each before that of the row before
  std::string date_{};                // of it
  double low_ = std::numeric_limits<double>::infinity();
  double high_ = -std::numeric_limits<double>::infinity();
};

}  // namespace

LoadedRoundTable read_advice(const RoundTableOptions& options, bool binary_outcomes) {
  return AdviceReader(options, binary_outcomes).read();
}

LoadedRoundTable read_losses(const RoundTableOptions& options, bool may_sleep) {
  return LossReader(options, may_sleep).read();
}

}  // namespace halfspace
