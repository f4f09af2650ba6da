// Decimal numbers of any length, compared exactly, and written in one way.
//
// Thread-safety: pure functions. Cost O(length).
#pragma once

#include <compare>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

namespace halfspace::stream {

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

}  // namespace halfspace::stream
