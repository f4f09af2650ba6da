// Parses exact decimals: Clinger's fast path, else fast_float.
#include "stream/text/number.h"

#include <fast_float/fast_float.h>

#include <cmath>
#include <string_view>

#include "stream/parser.h"

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

}  // namespace halfspace::stream
