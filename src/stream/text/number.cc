// Parses exact decimals: Clinger's fast path, else fast_float.
#include "stream/text/number.h"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace halfspace::stream {
namespace {

bool equals_ignoring_case(std::string_view text, std::string_view lower) {
  if (text.size() != lower.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i] >= 'A' && text[i] <= 'Z' ? static_cast<char>(text[i] + 32) : text[i];
    if (c != lower[i]) return false;
  }
  return true;
}

bool names_no_finite_number(std::string_view text) {
  return equals_ignoring_case(text, "nan") || equals_ignoring_case(text, "inf") ||
         equals_ignoring_case(text, "infinity") ||
         (text.size() >= 5 && equals_ignoring_case(text.substr(0, 4), "nan(") && text.back() == ')');
}

}  // namespace

NumberProblem parse_number(std::string_view text, double& value) {
  const char* p = text.data();
  const char* const end = p + text.size();
  const bool negative = p != end && *p == '-';
  if (p != end && (*p == '-' || *p == '+')) ++p;
  const char* const unsigned_begin = p;

  // The mantissa is exact if it has at most 19 significant digits.
  std::uint64_t mantissa = 0;
  int counted = 0;
  std::int64_t exponent = 0;
  bool any = false;
  const auto take = [&](char c) {
    if (counted != 0 || c != '0') ++counted;
    if (counted <= 19) mantissa = mantissa * 10 + static_cast<std::uint64_t>(c - '0');
    any = true;
  };
  for (; p != end && is_digit(*p); ++p) take(*p);
  if (p != end && *p == '.') {
    for (++p; p != end && is_digit(*p); ++p) {
      take(*p);
      --exponent;
    }
  }
  if (!any) {
    const std::string_view rest(unsigned_begin, static_cast<std::size_t>(end - unsigned_begin));
    return names_no_finite_number(rest) ? NumberProblem::not_finite : NumberProblem::not_a_number;
  }
  if (p != end && (*p == 'e' || *p == 'E')) {
    ++p;
    const bool down = p != end && *p == '-';
    if (p != end && (*p == '-' || *p == '+')) ++p;
    if (p == end) return NumberProblem::not_a_number;
    std::int64_t written = 0;
    for (; p != end && is_digit(*p); ++p) {
      if (written < 100'000) written = written * 10 + (*p - '0');
    }
    exponent += down ? -written : written;
  }
  if (p != end) return NumberProblem::not_a_number;

  // More digits overflow the mantissa.
  if (mantissa <= largest_exact_mantissa && exponent >= -22 && exponent <= 22) {
    const double exact = static_cast<double>(mantissa);
    const double magnitude = exponent < 0 ? exact / powers_of_ten[static_cast<std::size_t>(-exponent)]
                                          : exact * powers_of_ten[static_cast<std::size_t>(exponent)];
    value = negative ? -magnitude : magnitude;
    return NumberProblem::none;
  }
  if (mantissa == 0) {
    value = negative ? -0.0 : 0.0;
    return NumberProblem::none;
  }
  double parsed = 0;
  fast_float::from_chars(unsigned_begin, end, parsed);
  if (!std::isfinite(parsed)) return NumberProblem::overflow;
  value = negative ? -parsed : parsed;
  return NumberProblem::none;
}

std::strong_ordering ExactNumber::operator<=>(const ExactNumber& other) const {
  const auto sign = [](const ExactNumber& x) { return x.digits.empty() ? 0 : x.negative ? -1 : 1; };
  if (sign(*this) != sign(other)) return sign(*this) <=> sign(other);
  if (negative) return ExactNumber{false, other.digits, other.exponent} <=> ExactNumber{false, digits, exponent};
  if (exponent != other.exponent) return exponent <=> other.exponent;
  return digits.compare(other.digits) <=> 0;
}

std::string ExactNumber::text() const {
  if (digits.empty()) return "0";
  const auto size = static_cast<std::int64_t>(digits.size());
  std::string text = negative ? "-" : "";
  if (exponent >= size && exponent <= 21) {
    text += digits + std::string(static_cast<std::size_t>(exponent - size), '0');
  } else if (exponent > 0 && exponent <= 21) {
    text +=
        digits.substr(0, static_cast<std::size_t>(exponent)) + "." + digits.substr(static_cast<std::size_t>(exponent));
  } else if (exponent > -6 && exponent <= 0) {
    text += "0." + std::string(static_cast<std::size_t>(-exponent), '0') + digits;
  } else {
    text += digits.substr(0, 1) + (size > 1 ? "." + digits.substr(1) : "") + (exponent > 0 ? "e+" : "e-") +
            std::to_string(exponent > 0 ? exponent - 1 : 1 - exponent);
  }
  return text;
}

std::optional<ExactNumber> exact_number(std::string_view text) {
  ExactNumber number;
  std::size_t at = 0;
  const auto sign = [&] {
    const bool minus = at < text.size() && text[at] == '-';
    at += at < text.size() && (text[at] == '-' || text[at] == '+') ? 1 : 0;
    return minus;
  };
  const auto digits = [&] {
    const std::size_t begin = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    return text.substr(begin, at - begin);
  };
  number.negative = sign();
  const std::string_view whole = digits();
  std::string_view fraction;
  if (at < text.size() && text[at] == '.') {
    ++at;
    fraction = digits();
  }
  if (whole.empty() && fraction.empty()) return std::nullopt;
  std::int64_t power = 0;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    const bool down = sign();
    const std::string_view written = digits();
    if (written.empty()) return std::nullopt;
    for (const char c : written) power = std::min(power * 10 + (c - '0'), ExactNumber::largest_exponent + 1);
    if (down) power = -power;
  }
  if (at != text.size()) return std::nullopt;

  number.digits.reserve(whole.size() + fraction.size());
  number.digits.append(whole).append(fraction);
  const std::size_t first = number.digits.find_first_not_of('0');
  if (first == std::string::npos) return ExactNumber{};
  if (power > ExactNumber::largest_exponent || -power > ExactNumber::largest_exponent) return std::nullopt;
  number.exponent = static_cast<std::int64_t>(whole.size()) - static_cast<std::int64_t>(first) + power;
  number.digits.erase(number.digits.find_last_not_of('0') + 1);
  number.digits.erase(0, first);
  return number;
}

std::string_view written_once(std::string_view text, std::deque<std::string>& own) {
  const bool whole = std::all_of(text.begin(), text.end(), is_digit);
  if (whole && !text.empty() && (text.front() != '0' || text.size() == 1)) return text;
  const auto number = exact_number(text);
  if (!number) return text;
  std::string once = number->text();
  return once == text ? text : own.emplace_back(std::move(once));
}

std::optional<std::pair<double, double>> parse_range(std::string_view text) {
  const std::size_t comma = text.find(',');
  double low = 0, high = 0;
  if (comma == std::string_view::npos || parse_number(text.substr(0, comma), low) != NumberProblem::none ||
      parse_number(text.substr(comma + 1), high) != NumberProblem::none || !(low < high))
    return std::nullopt;
  return std::pair(low, high);
}

}  // namespace halfspace::stream
