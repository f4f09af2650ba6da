// Decimal text to double, correctly rounded, in one scan.
//
// A decimal is mantissa * 10^exponent. When the mantissa is at most 2^53 and the exponent within ±22, both factors are
// doubles and one multiplication or division rounds once: the result is the correctly rounded one (Clinger 1990). That
// is nearly all that files hold; the rest goes to fast_float.
//
// The eight-at-a-time scans read 8 bytes from where they are pointed to, whatever stands there.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace halfspace::stream {

inline constexpr std::array<double, 23> powers_of_ten = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                         1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                         1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
inline constexpr std::uint64_t largest_exact_mantissa = std::uint64_t{1} << 53;

inline bool is_digit(char c) {
  return static_cast<unsigned char>(c - '0') <= 9;
}

// Up to eight digits at the front of 8 bytes.
struct DigitRun {
  std::uint64_t value;
  unsigned length;
};

inline DigitRun scan_digits(const char* p) {
  std::uint64_t bytes;
  std::memcpy(&bytes, p, 8);
  if constexpr (std::endian::native == std::endian::big) bytes = __builtin_bswap64(bytes);
  // Digits become 0..9. A byte that is no digit gets its high bit in `others`; a carry out of it can only spoil later
  // ones.
  const std::uint64_t digits = bytes ^ 0x3030303030303030u;
  const std::uint64_t others = ((digits + 0x7676767676767676u) | digits) & 0x8080808080808080u;
  const unsigned length = static_cast<unsigned>(std::countr_zero(others)) / 8;
  if (length == 0) return {0, 0};
  // The digits move to the end, zeros in front; then pairs, fours and eights are joined.
  std::uint64_t v = digits << (64 - 8 * length);
  v = v * 10 + (v >> 8);
  v = ((v & 0x000000ff000000ffu) * 0x000f424000000064u + ((v >> 16) & 0x000000ff000000ffu) * 0x0000271000000001u) >> 32;
  return {v, length};
}

inline constexpr std::array<std::uint64_t, 9> small_powers_of_ten = {1,      10,      100,      1000,     10000,
                                                                     100000, 1000000, 10000000, 100000000};

// The plain decimals: [-] up to 8 digits [. up to 16 digits], at least one digit before the point, with a mantissa that
// is exact. Returns the end, or null for any other text, which is then parse_number's. 8 bytes after the number's end
// must be readable.
inline const char* scan_plain_decimal(const char* p, double& value) {
  const bool negative = *p == '-';
  p += negative;
  const DigitRun whole = scan_digits(p);
  if (whole.length == 0) return nullptr;
  p += whole.length;
  double magnitude;
  if (*p == '.') {
    ++p;
    const DigitRun first = scan_digits(p);
    std::uint64_t mantissa = whole.value * small_powers_of_ten[first.length] + first.value;
    unsigned places = first.length;
    p += first.length;
    if (first.length == 8) {
      const DigitRun second = scan_digits(p);
      // Below 10^16 * 10^8: no overflow, as whole < 10^8 is checked to leave room.
      if (mantissa >= largest_exact_mantissa / small_powers_of_ten[second.length]) return nullptr;
      mantissa = mantissa * small_powers_of_ten[second.length] + second.value;
      places += second.length;
      p += second.length;
    }
    if (mantissa > largest_exact_mantissa) return nullptr;
    magnitude = static_cast<double>(mantissa) / powers_of_ten[places];
  } else {
    magnitude = static_cast<double>(whole.value);
  }
  if (is_digit(*p) || *p == '.' || *p == 'e' || *p == 'E') return nullptr;
  value = negative ? -magnitude : magnitude;
  return p;
}

}  // namespace halfspace::stream
