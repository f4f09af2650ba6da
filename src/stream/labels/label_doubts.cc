// Examines the values of a label and the number of rows of each.
#include "stream/labels/label_doubts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <utility>

#include "halfspace/base/error.h"
#include "stream/csv/problems.h"
#include "stream/parser.h"
#include "stream/text/shapes.h"
#include "stream/text/text.h"

namespace halfspace::stream {
namespace {

using About = SurveyNote::About;

constexpr std::size_t fewest_values = 10, fewest_counts = 11, fewest_scattered = 20;
// So many classes of so few rows each are names of things.
constexpr std::size_t most_crowded = 1000, fewest_rows_each = 20, fewest_rows_of_first = 5;

// What most values are, if all of them are one of these.
struct Measures {
  std::size_t numbers = 0, fractions = 0, amounts = 0, dates = 0, times = 0;
};

Measures measures_of(std::span<const LabelCount> labels) {
  Measures measures;
  for (const LabelCount& label : labels) {
    double value = 0;
    if (parse_number(label.text, value) == NumberProblem::none) {
      ++measures.numbers;
      measures.fractions += value != std::floor(value) ? 1 : 0;
    } else if (has_decimal_comma(label.text)) {
      ++measures.numbers;
      ++measures.fractions;
    } else if (looks_like_amount(label.text)) {
      ++measures.amounts;
    } else if (looks_like_date(label.text)) {
      ++measures.dates;
    } else if (looks_like_time(label.text)) {
      ++measures.times;
    }
  }
  return measures;
}

// Rows by value: numbers of classes follow no rule; a quantity has few rows at its ends, more and more towards where most
// are, and neighbours have nearly as many.
bool counts_of_a_quantity(std::span<const LabelCount> labels) {
  std::vector<std::pair<double, double>> counts;
  for (const LabelCount& label : labels) {
    double value = 0;
    if (parse_number(label.text, value) != NumberProblem::none) return false;
    counts.emplace_back(value, static_cast<double>(label.rows));
  }
  if (counts.size() < fewest_counts) return false;
  std::sort(counts.begin(), counts.end());
  double most = 0, least = counts.front().second, path = 0, before = 0, sum = 0;
  for (const auto& [value, count] : counts) {
    path += std::abs(count - before);
    before = count;
    most = std::max(most, count);
    least = std::min(least, count);
    sum += count;
  }
  if (most < 10 * least) return false;
  const double size = static_cast<double>(counts.size()), mean = sum / size;
  if (counts.size() >= fewest_scattered && most >= 50 * least && path + before <= 2.5 * most) return true;
  // Von Neumann's ratio: about 2 of counts in no order, with this standard deviation.
  double steps = 0, spread = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    spread += std::pow(counts[i].second - mean, 2);
    if (i > 0) steps += std::pow(counts[i].second - counts[i - 1].second, 2);
  }
  const double deviation = 2 * std::sqrt((size - 2) / (size * size - 1));
  return 2 - steps / spread >= 2.5 * deviation;
}

// What a label of measured values is called; null: they may be classes.
const char* quantity_of(std::span<const LabelCount> labels, std::uint64_t rows) {
  const Measures measures = measures_of(labels);
  const std::size_t count = labels.size();
  if (count < fewest_values) return nullptr;
  if (measures.dates == count) return "dates";
  if (measures.times == count) return "times of day";
  if (measures.amounts + measures.numbers < count) return nullptr;
  if (measures.amounts * 2 >= count) return "amounts";
  const bool scattered = count >= fewest_scattered && count * 10 > rows;
  return scattered || measures.fractions * 2 > count || counts_of_a_quantity(labels) ? "numbers" : nullptr;
}

std::string fix_of(const LabelSource& source, bool quantity) {
  const std::string insist = "; " + option("classes", "all") + " learns each value as a class";
  const std::string named = source.in_table ? "name the column of the class with " + option("label") : "";
  if (!quantity) return (source.in_table ? named : "give the rows labels that repeat") + insist;
  return named + (source.in_table ? ", or " : "") + "make classes of it, such as above and below a value" + insist;
}

std::optional<LabelDoubt> doubt_of_all(std::span<const LabelCount> labels, std::uint64_t rows,
                                       const LabelSource& source) {
  const char* const quantity = quantity_of(labels, rows);
  const bool names = labels.size() >= fewest_values && labels.size() * 2 >= rows && rows >= fewest_scattered;
  const bool crowd = labels.size() > most_crowded && labels.size() * fewest_rows_each > rows;
  if (quantity == nullptr && !names && !crowd) return std::nullopt;
  LabelDoubt doubt;
  doubt.text = fmt::format("the label{} has {} different values in {}{} rows", source.column.empty() ? "" : " ",
                           labels.size(), source.first_rows ? "the first " : "", rows);
  if (!source.column.empty()) doubt.text.insert(std::string("the label ").size(), quote(source.column));
  doubt.text += quantity != nullptr
                    ? fmt::format(", all of them {}: it looks like a quantity, where classes are learned", quantity)
                : names ? std::string(": it names the rows rather than their classes")
                        : fmt::format(", fewer than {} rows each: it looks like a name, where classes are learned",
                                      fewest_rows_each);
  doubt.fix = fix_of(source, quantity != nullptr);
  // Of the first rows of many, nearly each would have to be another of tens of thousands of classes.
  const bool each = !source.first_rows || labels.size() * 10 >= rows * 9;
  const bool sparse = crowd && (!source.first_rows || labels.size() * fewest_rows_of_first > rows);
  doubt.too_many = labels.size() > most_values && (quantity != nullptr || each || sparse);
  return doubt;
}

// One or two words among numbers are slips, or lines above a table.
std::optional<LabelDoubt> doubt_of_words(std::span<const LabelCount> labels) {
  std::size_t numbers = 0, words = 0;
  const LabelCount* word = nullptr;
  for (const LabelCount& label : labels) {
    if (looks_like_number(label.text)) {
      ++numbers;
    } else {
      ++words;
      if (word == nullptr || label.first_row < word->first_row) word = &label;
    }
  }
  if (numbers < 2 || words == 0 || words > 2 || looks_missing(word->text)) return std::nullopt;
  return LabelDoubt{
      About::class_name,
      fmt::format("the labels are numbers, but for {} (row {}): each is a class", quote(word->text), word->first_row),
      "where it is a slip, correct that row, or take it out"};
}

// Letters of either case may be classes; a word is more likely the same one.
std::string plain_spelling(std::string_view text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '.')) text.remove_suffix(1);
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  const bool quoted = text.size() > 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front();
  if (quoted) text = text.substr(1, text.size() - 2);
  return text.size() > 1 ? lower_case(text) : std::string(text);
}

std::string difference(std::string_view a, std::string_view b) {
  const auto without = [](std::string_view text, std::string_view end) {
    while (!text.empty() && end.find(text.back()) != std::string_view::npos) text.remove_suffix(1);
    return text;
  };
  if (without(a, ".") == without(b, ".")) return "the dot at its end";
  if (lower_case(a) == lower_case(b)) return "the case of its letters";
  return "its spelling";
}

std::optional<LabelDoubt> doubt_of_spellings(std::span<const LabelCount> labels) {
  std::unordered_map<std::string, const LabelCount*> seen;
  for (const LabelCount& label : labels) {
    if (looks_like_number(label.text)) continue;
    const auto [other, inserted] = seen.emplace(plain_spelling(label.text), &label);
    if (inserted) continue;
    return LabelDoubt{
        About::class_name,
        fmt::format("the labels {} and {} differ by {} alone, and are two classes", quote(other->second->text),
                    quote(label.text), difference(label.text, other->second->text)),
        "write them alike in the file"};
  }
  return std::nullopt;
}

}  // namespace

std::vector<LabelDoubt> doubts_of(std::span<const LabelCount> labels, std::uint64_t rows, const LabelSource& source) {
  std::vector<LabelDoubt> doubts;
  const auto take = [&](std::optional<LabelDoubt> doubt) {
    if (doubt) doubts.push_back(std::move(*doubt));
  };
  take(doubt_of_all(labels, rows, source));
  take(doubt_of_words(labels));
  take(doubt_of_spellings(labels));
  return doubts;
}

Spelling spelled_alike(std::string_view text, std::span<const std::string> known) {
  if (looks_like_number(text)) return {};
  const std::string plain = plain_spelling(text);
  for (const std::string& name : known) {
    if (name != text && !name.empty() && plain_spelling(name) == plain) return {name, difference(text, name)};
  }
  return {};
}

}  // namespace halfspace::stream
