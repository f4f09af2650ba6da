// Positions of all bytes that are no digits, 64 bytes at a time (Highway, chosen at run time).
#include "stream/boundaries.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "stream/boundaries.cc"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <bit>
#include <cstring>

#include "base/simd.h"

HWY_BEFORE_NAMESPACE();
namespace halfspace::stream::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Bit i: byte i is no digit.
inline std::uint64_t mask_of_64(const char* text) {
  const hn::CappedTag<std::uint8_t, 64> d;
  const std::size_t width = hn::Lanes(d);
  const auto zero = hn::Set(d, '0'), nine = hn::Set(d, 9);
  std::uint64_t mask = 0;
  for (std::size_t at = 0; at < 64; at += width) {
    const auto bytes = hn::LoadU(d, reinterpret_cast<const std::uint8_t*>(text) + at);
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(d, hn::Gt(hn::Sub(bytes, zero), nine), bits);
    std::uint64_t part = 0;
    for (std::size_t i = 0; i < 8; ++i) part |= std::uint64_t{bits[i]} << (8 * i);
    mask |= part << at;
  }
  return mask;
}

std::size_t find_boundaries(const char* text, std::size_t size, std::uint32_t* positions) {
  std::uint32_t* out = positions;
  for (std::size_t base = 0; base < size; base += 64) {
    std::uint64_t mask = mask_of_64(text + base);
    if (size - base < 64) mask &= (std::uint64_t{1} << (size - base)) - 1;
    const int count = std::popcount(mask);
    const std::uint32_t first = static_cast<std::uint32_t>(base);
    // Eight at a time, twice at least: a branch for each would often be guessed wrong. What is written too much is
    // overwritten.
    const auto write_eight = [&](int from) {
      for (int i = from; i < from + 8; ++i) {
        out[i] = first + static_cast<std::uint32_t>(std::countr_zero(mask));
        mask &= mask - 1;
      }
    };
    write_eight(0);
    write_eight(8);
    for (int from = 16; from < count; from += 8) write_eight(from);
    out += count;
  }
  return static_cast<std::size_t>(out - positions);
}

}  // namespace halfspace::stream::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace halfspace::stream {

HALFSPACE_VERSIONS(find_boundaries);

std::size_t find_boundaries(const char* text, std::size_t size, std::uint32_t* positions) {
  return HALFSPACE_BEST(find_boundaries)(text, size, positions);
}

}  // namespace halfspace::stream
#endif
