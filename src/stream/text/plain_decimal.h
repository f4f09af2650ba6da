// Parses a number and finds its end in one scan: replaces decimals.h without AVX-512.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "stream/text/number.h"

namespace halfspace::stream {

// Returns how many leading bytes of the 8 at `p` are digits.
inline unsigned digit_run(const char* p) {
  std::uint64_t bytes;
  std::memcpy(&bytes, p, 8);
  if constexpr (std::endian::native == std::endian::big) bytes = __builtin_bswap64(bytes);
  // A digit becomes 0..9; any other byte gets its high bit. A carry out of a byte that is no digit spoils later ones
  // only.
  const std::uint64_t digits = bytes ^ 0x3030303030303030u;
  const std::uint64_t others = ((digits + 0x7676767676767676u) | digits) & 0x8080808080808080u;
  return static_cast<unsigned>(std::countr_zero(others)) / 8;
}

// One more than the bytes that scan_plain_decimal reads.
inline constexpr std::ptrdiff_t plain_decimal_margin = 40;

// Parses a plain decimal: [-] 1 to 8 digits [. up to 16 digits] with an exact mantissa. Returns its end, or null for
// any other text, which is left to parse_number. plain_decimal_margin bytes must be readable.
inline const char* scan_plain_decimal(const char* p, double& value) {
  const bool negative = *p == '-';
  p += negative ? 1 : 0;
  const unsigned whole = digit_run(p);
  if (whole == 0) return nullptr;
  std::uint64_t mantissa = digits_value(p, whole);
  p += whole;
  unsigned places = 0;
  if (*p == '.') {
    ++p;
    const unsigned first = digit_run(p);
    if (first != 0) mantissa = mantissa * small_powers_of_ten[first] + digits_value(p, first);
    places = first;
    p += first;
    if (first == 8) {
      const unsigned second = digit_run(p);
      if (mantissa >= largest_exact_mantissa / small_powers_of_ten[second]) return nullptr;
      if (second != 0) mantissa = mantissa * small_powers_of_ten[second] + digits_value(p, second);
      places += second;
      p += second;
    }
    if (mantissa > largest_exact_mantissa) return nullptr;
  }
  if (is_digit(*p) || *p == '.' || *p == 'e' || *p == 'E') return nullptr;
  const double magnitude = static_cast<double>(static_cast<std::int64_t>(mantissa)) / powers_of_ten[places];
  // Sets the sign without a branch: signs are unpredictable, and a misprediction costs as much as all of the above.
  value = std::bit_cast<double>(std::bit_cast<std::uint64_t>(magnitude) | std::uint64_t{negative} << 63);
  return p;
}

}  // namespace halfspace::stream
