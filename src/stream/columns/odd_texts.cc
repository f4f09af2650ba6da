// Tells marks of missing values from categories.
#include "stream/columns/odd_texts.h"

#include <fmt/format.h>

#include <algorithm>

#include "halfspace/base/error.h"
#include "stream/text/shapes.h"
#include "stream/text/text.h"

namespace halfspace::stream {
namespace {

bool has_digit(std::string_view text) { return text.find_first_of("0123456789") != std::string_view::npos; }

// A value that was only known to be beyond a limit: <.05, >= 100.
bool is_beyond_a_limit(std::string_view text) {
  const std::size_t sign = std::min(text.find_first_not_of("<>="), text.size());
  if (sign == 0) return false;
  text.remove_prefix(sign);
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return looks_like_number(text);
}

}  // namespace

void OddTexts::add(std::string_view text) {
  ++rows_;
  if (many_) return;
  const auto found = std::find_if(seen_.begin(), seen_.end(), [&](const auto& one) { return one.first == text; });
  if (found != seen_.end()) {
    ++found->second;
  } else if (seen_.size() < most) {
    seen_.emplace_back(text, 1);
  } else {
    many_ = true;
  }
}

std::vector<std::string> OddTexts::texts() const {
  std::vector<std::string> texts;
  for (const auto& [text, rows] : seen_) texts.push_back(text);
  return texts;
}

bool OddTexts::contains(std::string_view text) const {
  return std::any_of(seen_.begin(), seen_.end(), [&](const auto& one) { return one.first == text; });
}

bool OddTexts::are_marks(std::uint64_t numbers, std::uint64_t distinct_numbers) const {
  if (many_ || numbers == 0) return false;
  std::uint64_t words = 0, rows = 0;
  for (const auto& [text, count] : seen_) {
    if (looks_missing(text)) continue;
    const bool may_be_one = text.size() <= 40 && (!has_digit(text) || is_beyond_a_limit(text));
    if (!may_be_one || count < 2) return false;
    ++words;
    rows += count;
  }
  return words <= most_marks && (rows <= numbers || words == 1) && words * numbers_for_each <= distinct_numbers;
}

void add_marks(const FoundMarks& found, std::uint64_t rows, const ReadOptions& options, Schema& schema) {
  if (found.empty()) return;
  constexpr std::size_t most_shown = 4;
  std::vector<std::string> marks;
  std::string columns, names;
  bool limits = false;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto& [name, odd] = found[i];
    for (const std::string& mark : odd.texts()) {
      limits = limits || is_beyond_a_limit(mark);
      if (std::find(marks.begin(), marks.end(), mark) == marks.end()) marks.push_back(mark);
    }
    names += (i == 0 ? "" : ",") + name;
    if (i < most_shown)
      columns += fmt::format("{}{} ({} of {} rows)", i == 0 ? "" : ", ", quote(name), odd.rows(), rows);
  }
  if (found.size() > most_shown) columns += fmt::format(" and {} more", found.size() - most_shown);
  schema.missing.insert(schema.missing.end(), marks.begin(), marks.end());
  std::sort(schema.missing.begin(), schema.missing.end());
  schema.missing.erase(std::unique(schema.missing.begin(), schema.missing.end()), schema.missing.end());
  if (!options.on_note) return;
  std::string list;
  for (std::size_t i = 0; i < std::min(most_shown, marks.size()); ++i) list += (i == 0 ? "" : ", ") + quote(marks[i]);
  if (marks.size() > most_shown) list += fmt::format(" and {} more", marks.size() - most_shown);
  options.on_note(
      {fmt::format("{} among numbers {} as a missing value: {} {}", list,
                   marks.size() == 1 ? "is read" : "are read, each", found.size() == 1 ? "column" : "columns", columns),
       option("categorical", names) + " reads each value there as a category" +
           (limits ? "; to learn from a limit, write it as a number" : "")});
}

void LeadingZeros::add(std::size_t column, std::string_view text) {
  constexpr std::size_t shortest = 3;
  Codes& its = columns_[column];
  if (its.others) return;
  its.others = text.find_first_not_of("0123456789") != std::string_view::npos;
  if (its.others) return;
  if (its.rows++ == 0) {
    its.first = text;
    its.width = text.size();
  }
  its.differ = its.differ || text != its.first;
  if (its.width != text.size()) its.width = 0;
  if (text.size() >= shortest && text.front() == '0' && its.padded++ == 0) its.example = text;
}

void LeadingZeros::note(const ReadOptions& options, const Schema& schema) const {
  constexpr std::uint64_t fewest = 2;
  constexpr std::size_t most_named = 50;
  if (!options.on_note) return;
  std::string names, example;
  std::size_t count = 0;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const Codes& its = columns_[i];
    if (its.others || !its.differ || its.padded < fewest || (its.width == 0 && its.padded * 10 < its.rows)) continue;
    if (schema.columns[i].kind != Column::Kind::numeric || ++count > most_named) continue;
    const std::string& name = schema.columns[i].name;
    names += (count == 1 ? "" : ",") + (name.find(',') == std::string::npos ? name : std::to_string(i + 1));
    if (count == 1) example = quote(its.example) + " in column " + quote(name);
  }
  if (count == 0) return;
  options.on_note({"whole numbers with leading zeros may be codes, and are read as numbers: " + example +
                       (count == 1 ? "" : " and so on, " + std::to_string(count) + " columns"),
                   option("categorical", names) + " reads codes as categories; " + option("numeric", names) +
                       " confirms that they are numbers"});
}

}  // namespace halfspace::stream
