// Class numbers of label texts, and which class is positive.
#include <algorithm>
#include <array>
#include <utility>

#include "halfspace/base/error.h"
#include "halfspace/stream/schema.h"
#include "stream/parser.h"
#include "stream/text/text.h"

namespace halfspace {
namespace {

std::optional<double> number_of(std::string_view text) {
  double value = 0;
  if (stream::parse_number(text, value) != stream::NumberProblem::none) return std::nullopt;
  return value;
}

bool same_label(std::string_view a, std::string_view b) {
  if (a == b) return true;
  const auto x = number_of(a);
  return x && x == number_of(b);
}

// Numbers by value, then names by their bytes.
bool label_before(const std::string& a, const std::string& b) {
  const auto x = number_of(a), y = number_of(b);
  if (x && y) return *x < *y;
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
  const auto value = number_of(text);
  if (!value) return std::nullopt;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (number_of(names[i]) == value) return static_cast<std::int32_t>(i);
  }
  if (names.size() == 2 && (*value == 0.0 || *value == -1.0)) {
    for (std::size_t i = 0; i < 2; ++i) {
      const double other = *value == 0.0 ? -1.0 : 0.0;
      if (number_of(names[i]) == other && number_of(names[1 - i]) == 1.0) return static_cast<std::int32_t>(i);
    }
  }
  return std::nullopt;
}

Labels Labels::from(std::vector<std::string> distinct, const std::string& positive) {
  Labels labels;
  std::vector<std::string>& names = labels.names;
  names = std::move(distinct);
  // Of the spellings of one number the first stays.
  std::stable_sort(names.begin(), names.end(), label_before);
  names.erase(std::unique(names.begin(), names.end(), same_label), names.end());
  if (names.size() == 2 && known_pair(names[1], names[0])) std::swap(names[0], names[1]);
  if (positive.empty()) return labels;

  if (names.size() == 1) {
    if (same_label(names[0], positive)) {
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
  if (same_label(names[0], positive)) {
    std::swap(names[0], names[1]);
  } else if (!same_label(names[1], positive)) {
    throw Error(ErrorKind::usage, "no label is " + stream::quote(positive) + "; the data has " + all)
        .fix("choose one of these as the positive label");
  }
  return labels;
}

}  // namespace halfspace
