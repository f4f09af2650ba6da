// Integers of 64 bits to and from GMP's, whose functions take `long`: where that has 32 bits they cut the others off.
#pragma once

#include <gmpxx.h>

#include <cstdint>
#include <limits>

namespace halfspace {
namespace detail {
inline constexpr bool long_has_64_bits = std::numeric_limits<unsigned long>::digits == 64;
}

inline mpz_class whole(std::uint64_t value) {
  if constexpr (detail::long_has_64_bits) {
    return mpz_class(static_cast<unsigned long>(value));
  } else {
    mpz_class result(static_cast<unsigned long>(value >> 32));
    result <<= 32;
    result += static_cast<unsigned long>(value & 0xffffffff);
    return result;
  }
}
inline mpz_class whole(std::int64_t value) {
  if constexpr (detail::long_has_64_bits) {
    return mpz_class(static_cast<long>(value));
  } else {
    const auto bits = static_cast<std::uint64_t>(value);
    return value < 0 ? mpz_class(-whole(0 - bits)) : whole(bits);
  }
}
__extension__ inline mpz_class whole(__int128 value) {
  __extension__ using Unsigned = unsigned __int128;
  const Unsigned size = value < 0 ? -static_cast<Unsigned>(value) : static_cast<Unsigned>(value);
  mpz_class result = whole(static_cast<std::uint64_t>(size >> 64));
  result <<= 64;
  result += whole(static_cast<std::uint64_t>(size));
  return value < 0 ? mpz_class(-result) : result;
}

// Returns the integer, of at most 63 bits and a sign.
inline std::int64_t int64_of(const mpz_class& whole) {
  if constexpr (detail::long_has_64_bits) {
    return whole.get_si();
  } else {
    const mpz_class high = abs(whole) >> 32;
    const std::uint64_t size = (std::uint64_t{high.get_ui()} << 32) + whole.get_ui();
    return static_cast<std::int64_t>(whole < 0 ? 0 - size : size);
  }
}
inline bool fits_int64(const mpz_class& whole) {
  if constexpr (detail::long_has_64_bits) {
    return whole.fits_slong_p();
  } else {
    return mpz_sizeinbase(whole.get_mpz_t(), 2) < 64;  // but the lowest, which does
  }
}

// Returns the remainder from 0 to divisor - 1.
inline std::uint64_t residue(const mpz_class& whole, std::uint64_t divisor) {
  if constexpr (detail::long_has_64_bits) {
    return mpz_fdiv_ui(whole.get_mpz_t(), static_cast<unsigned long>(divisor));
  } else {
    mpz_class rest;
    mpz_fdiv_r(rest.get_mpz_t(), whole.get_mpz_t(), halfspace::whole(divisor).get_mpz_t());
    return static_cast<std::uint64_t>(int64_of(rest));
  }
}

// Adds factor * value to the sum.
inline void add_multiple(mpz_class& sum, const mpz_class& factor, std::int64_t value) {
  if constexpr (!detail::long_has_64_bits) {
    sum += factor * whole(value);
  } else if (value >= 0) {
    mpz_addmul_ui(sum.get_mpz_t(), factor.get_mpz_t(), static_cast<unsigned long>(value));
  } else {
    mpz_submul_ui(sum.get_mpz_t(), factor.get_mpz_t(), 0 - static_cast<unsigned long>(value));
  }
}

}  // namespace halfspace
