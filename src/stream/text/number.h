// Parses decimal text to a double, correctly rounded, in one scan.
//
// A decimal is mantissa * 10^exponent. If the mantissa is at most 2^53 and the exponent within ±22, both factors are
// doubles and one multiplication or division rounds once: the result is correctly rounded (Clinger 1990). That covers
// nearly all numbers in files; the rest goes to fast_float.
//
// parse_number is the complete function; the others are parts for a parser that knows where the digits end.
#pragma once

#include <array>
#include <bit>
#include <compare>
#include <cstdint>
#include <cstring>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "halfspace/kernels/example.h"

namespace halfspace::stream {

inline constexpr std::array<double, 23> powers_of_ten = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                         1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                         1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
inline constexpr std::uint64_t largest_exact_mantissa = std::uint64_t{1} << 53;

inline bool is_digit(char c) { return static_cast<unsigned char>(c - '0') <= 9; }

// Returns the value of 1 to 8 digits, loaded as 8 bytes whatever follows them.
inline std::uint64_t digits_value(const char* p, std::size_t length) {
  std::uint64_t v;
  std::memcpy(&v, p, 8);
  if constexpr (std::endian::native == std::endian::big) v = __builtin_bswap64(v);
  // Shifts the digits to the end, with zeros in front; then joins pairs, fours and eights.
  v = (v ^ 0x3030303030303030u) << (64 - 8 * length);
  v = v * 10 + (v >> 8);
  return ((v & 0x000000ff000000ffu) * 0x000f424000000064u + ((v >> 16) & 0x000000ff000000ffu) * 0x0000271000000001u) >>
         32;
}

inline constexpr std::array<std::uint64_t, 9> small_powers_of_ten = {1,      10,      100,      1000,     10000,
                                                                     100000, 1000000, 10000000, 100000000};

// Parses a decimal number, correctly rounded, or returns why it is not one. Accepts what strtod accepts except
// hexadecimal, NaN and infinities: a leading +, digits with or without a point, an exponent; the whole of `text`.
enum class NumberProblem : std::uint8_t { none, not_a_number, not_finite, overflow };
NumberProblem parse_number(std::string_view text, double& value);

// Parses a weight: see is_weight.
inline bool parse_weight(std::string_view text, double& weight) {
  return parse_number(text, weight) == NumberProblem::none && is_weight(weight);
}

// Decimal numbers of any length, compared exactly, and written in one way.
//
// Thread-safety: pure functions. Cost O(length).

// 0.digits * 10^exponent, negated if `negative`.
struct ExactNumber {
  static constexpr std::int64_t largest_exponent = 100'000;

  bool negative = false;
  std::string digits;  // neither begins nor ends with 0; empty: the number is 0
  std::int64_t exponent = 0;

  bool operator==(const ExactNumber&) const = default;
  std::strong_ordering operator<=>(const ExactNumber& other) const;
  // Returns the number as JavaScript writes numbers, with all digits: -12.5, 0.001, 1e+30.
  std::string text() const;
};

// Returns the number that a text is by the grammar of parse_number; empty for another text, and for an exponent beyond
// largest_exponent.
std::optional<ExactNumber> exact_number(std::string_view text);

// Returns the text of the number that a text is: 1 for 1.0 and 1e0. Other texts stay. New texts are kept in `own`.
std::string_view written_once(std::string_view text, std::deque<std::string>& own);

// Returns the numbers of LOW,HIGH with LOW < HIGH; empty for another text.
std::optional<std::pair<double, double>> parse_range(std::string_view text);

}  // namespace halfspace::stream
