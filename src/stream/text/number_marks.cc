// Takes the marks out of a number before it is parsed.
#include "stream/text/number_marks.h"

#include <algorithm>

#include "halfspace/base/error.h"

namespace halfspace::stream {

NumberProblem parse_marked(std::string_view text, char decimal, double& value) {
  if (decimal == '.') return parse_number(text, value);
  if (text.find('.') != std::string_view::npos) return NumberProblem::not_a_number;
  std::string pointed(text);
  std::replace(pointed.begin(), pointed.end(), ',', '.');
  return parse_number(pointed, value);
}

bool join_groups(std::string& text, char mark) {
  const auto digits_at = [&](std::size_t at) {
    return std::min(text.find_first_not_of("0123456789", at), text.size()) - at;
  };
  std::size_t at = text.starts_with('-') || text.starts_with('+') ? 1 : 0, group = digits_at(at);
  if (group == 0 || group > 3) return false;
  for (at += group; at < text.size() && text[at] == mark; at += group) {
    text.erase(at, 1);
    group = digits_at(at);
    if (group != 3) return false;
  }
  return text.find(mark, at) == std::string::npos;
}

std::string option_of_thousands(char mark) {
  return option("thousands", mark == ',' ? "comma" : mark == '.' ? "point" : mark == ' ' ? "space" : "apostrophe");
}

bool has_thousands(std::string_view text, char mark, char decimal) {
  double ignored = 0;
  std::string joined(text);
  const std::size_t digit = std::min(text.find_first_not_of("+-"), text.size());
  if (text.substr(digit).starts_with('0')) return false;  // 0,423
  return text.find(mark) != std::string_view::npos && join_groups(joined, mark) &&
         parse_marked(joined, decimal, ignored) == NumberProblem::none &&
         parse_number(text, ignored) == NumberProblem::not_a_number;
}

bool may_have_points_for_thousands(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  std::string joined(text);
  return text.find('.') != std::string_view::npos && !text.starts_with('0') && join_groups(joined, '.') &&
         joined.find_first_not_of("0123456789") == std::string::npos;
}

bool has_decimal_comma(std::string_view text) {
  double ignored = 0;
  return text.find(',') != std::string_view::npos && parse_marked(text, ',', ignored) == NumberProblem::none;
}

}  // namespace halfspace::stream
