// Class numbers of label texts, and which class is positive.
#include <algorithm>
#include <array>
#include <utility>

#include "halfspace/base/error.h"
#include "halfspace/stream/schema.h"
#include "stream/text/number.h"
#include "stream/text/text.h"

namespace halfspace {
namespace {

using stream::exact_number;

bool same_label(std::string_view a, std::string_view b, LabelsAre are) {
  if (a == b) return true;
  if (are == LabelsAre::texts) return false;
  const auto x = exact_number(a);
  return x && x == exact_number(b);
}

// Numbers by value, then names by their bytes; texts that are one number by theirs.
bool label_before(const std::string& a, const std::string& b, LabelsAre are) {
  const auto x = exact_number(a), y = exact_number(b);
  if (x && y) return *x != *y ? *x < *y : are == LabelsAre::texts && a < b;
  if (x || y) return x.has_value();
  return a < b;
}

std::string lower_case(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  }
  return text;
}

bool known_pair(const std::string& negative, const std::string& positive) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 9> pairs = {{{"no", "yes"},
                                                                                          {"false", "true"},
                                                                                          {"n", "y"},
                                                                                          {"f", "t"},
                                                                                          {"-", "+"},
                                                                                          {"neg", "pos"},
                                                                                          {"negative", "positive"},
                                                                                          {"bad", "good"},
                                                                                          {"ham", "spam"}}};
  const std::string a = lower_case(negative), b = lower_case(positive);
  return std::any_of(pairs.begin(), pairs.end(), [&](const auto& pair) { return pair.first == a && pair.second == b; });
}

}  // namespace

std::optional<std::int32_t> Labels::find(std::string_view text) const {
  if (text.empty()) return std::nullopt;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == text) return static_cast<std::int32_t>(i);
  }
  return are == LabelsAre::numbers ? find_number(text) : std::nullopt;
}

std::optional<std::int32_t> Labels::find_number(std::string_view text) const {
  const auto value = exact_number(text);
  if (!value) return std::nullopt;
  std::optional<std::int32_t> found;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (exact_number(names[i]) != value) continue;
    if (found) return std::nullopt;
    found = static_cast<std::int32_t>(i);
  }
  if (found || names.size() != 2) return found;
  const auto zero = exact_number("0"), minus = exact_number("-1"), one = exact_number("1");
  if (value != zero && value != minus) return std::nullopt;
  for (std::size_t i = 0; i < 2; ++i) {
    if (exact_number(names[i]) == (value == zero ? minus : zero) && exact_number(names[1 - i]) == one)
      return static_cast<std::int32_t>(i);
  }
  return std::nullopt;
}

Labels Labels::from(std::vector<std::string> distinct, const std::string& positive, LabelsAre are) {
  Labels labels{.names = std::move(distinct), .are = are};
  std::vector<std::string>& names = labels.names;
  const auto same = [are](std::string_view a, std::string_view b) { return same_label(a, b, are); };
  // Of the spellings of one number the first stays.
  std::stable_sort(names.begin(), names.end(),
                   [are](const std::string& a, const std::string& b) { return label_before(a, b, are); });
  names.erase(std::unique(names.begin(), names.end(), same), names.end());
  if (names.size() == 2 && known_pair(names[1], names[0])) std::swap(names[0], names[1]);
  if (positive.empty()) return labels;

  if (names.size() == 1) {
    if (same(names[0], positive)) {
      names.insert(names.begin(), std::string());
    } else {
      names.push_back(positive);
    }
    return labels;
  }
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + stream::quote(name);
  if (names.size() != 2) {
    throw Error(ErrorKind::usage, "a positive label is chosen among two, and the data has " +
                                      std::to_string(names.size()) + (all.empty() ? "" : ": " + all))
        .fix(names.empty() ? "check which column is the label"
                           : "leave the choice out: more than two classes have none");
  }
  if (same(names[0], positive)) {
    std::swap(names[0], names[1]);
  } else if (!same(names[1], positive)) {
    throw Error(ErrorKind::usage, "no label is " + stream::quote(positive) + "; the data has " + all)
        .fix("choose one of these as the positive label");
  }
  return labels;
}

}  // namespace halfspace
