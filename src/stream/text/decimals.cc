// Parses plain decimals, eight at a time with AVX-512, else one by one.
//
// Eight numbers lie right-aligned in two vectors, 16 bytes each: numbers 0, 2, 4, 6 in one and 1, 3, 5, 7 in the other,
// so that packing the two into one keeps their order. Bytes before a number and its sign are blanked; the digits before
// the point move up over it; pairs, fours, eights and sixteens of digits are joined; and the integer is divided by a
// power of ten, according to the point. With a point there is room for 15 digits, which a double holds exactly, so that
// only the division rounds; without one only the conversion rounds, and the division is by 1.
#define HWY_WANT_AVX3_DL
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "stream/text/decimals.cc"
#include "stream/text/decimals.h"

#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "base/simd.h"
#include "stream/text/plain_decimal.h"

HWY_BEFORE_NAMESPACE();
namespace halfspace::stream::HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX3_DL

struct Eight {
  __m512d value;
  unsigned rest;  // not plain
};

// ends[k * step] is where number k ends, at least 16 bytes into the text; `length` has the lengths in quadwords.
template <std::size_t step>
inline Eight read_eight(const char* text, const std::uint32_t* ends, __m512i length) {
  const auto load = [&](std::size_t k) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(text + ends[k * step] - 16));
  };
  const auto load_four = [&](std::size_t k) {
    __m512i four = _mm512_castsi128_si512(load(k));
    four = _mm512_inserti32x4(four, load(k + 2), 1);
    four = _mm512_inserti32x4(four, load(k + 4), 2);
    return _mm512_inserti32x4(four, load(k + 6), 3);
  };
  const __m512i even = load_four(0), odd = load_four(1);

  const __m512i place = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
  const __m512i begin = _mm512_sub_epi64(_mm512_set1_epi64(16), length);
  const __m512i even_begin = _mm512_shuffle_epi8(begin, _mm512_setzero_si512());
  const __m512i odd_begin = _mm512_shuffle_epi8(begin, _mm512_set1_epi8(8));
  const __m512i minus = _mm512_set1_epi8('-'), zero = _mm512_set1_epi8('0');
  const __mmask64 even_negative = _mm512_mask_cmpeq_epi8_mask(_mm512_cmpeq_epi8_mask(place, even_begin), even, minus);
  const __mmask64 odd_negative = _mm512_mask_cmpeq_epi8_mask(_mm512_cmpeq_epi8_mask(place, odd_begin), odd, minus);
  const __mmask64 even_inside = _mm512_cmpge_epu8_mask(place, even_begin) & ~even_negative;
  const __mmask64 odd_inside = _mm512_cmpge_epu8_mask(place, odd_begin) & ~odd_negative;
  const __m512i even_bytes = _mm512_maskz_sub_epi8(even_inside, even, zero);
  const __m512i odd_bytes = _mm512_maskz_sub_epi8(odd_inside, odd, zero);
  const __m512i point = _mm512_set1_epi8('.' - '0');
  const __mmask64 even_point = _mm512_cmpeq_epi8_mask(even_bytes, point);
  const __mmask64 odd_point = _mm512_cmpeq_epi8_mask(odd_bytes, point);

  // 16 bits a number: up to and including the point twice the point's bit, less one; none if there is no point.
  const auto both = [](std::uint64_t of_even, std::uint64_t of_odd) {
    return _mm_set_epi64x(static_cast<long long>(of_odd), static_cast<long long>(of_even));
  };
  const auto in_order = [&](__m128i masks) { return _mm_unpacklo_epi16(masks, _mm_unpackhi_epi64(masks, masks)); };
  const __m128i points = both(even_point, odd_point);
  const __m128i up_to_point = _mm_subs_epu16(_mm_add_epi16(points, points), _mm_set1_epi16(1));
  const __mmask64 even_moved = static_cast<__mmask64>(_mm_cvtsi128_si64(up_to_point));
  const __mmask64 odd_moved = static_cast<__mmask64>(_mm_extract_epi64(up_to_point, 1));
  const __m512i even_digits = _mm512_mask_blend_epi8(even_moved, even_bytes, _mm512_bslli_epi128(even_bytes, 1));
  const __m512i odd_digits = _mm512_mask_blend_epi8(odd_moved, odd_bytes, _mm512_bslli_epi128(odd_bytes, 1));

  const __m512i nine = _mm512_set1_epi8(9);
  const __m128i wrong =
      in_order(both(_mm512_cmpgt_epu8_mask(even_digits, nine), _mm512_cmpgt_epu8_mask(odd_digits, nine)));
  const __m128i there = in_order(both(even_inside & ~even_point, odd_inside & ~odd_point));
  const __m128i negative = in_order(both(even_negative, odd_negative));
  const unsigned not_decimal = unsigned{_mm_test_epi16_mask(wrong, wrong)} | _mm_testn_epi16_mask(there, there);
  const unsigned too_long = _mm512_cmpgt_epu64_mask(length, _mm512_set1_epi64(16));

  const __m512i tens = _mm512_set1_epi16(10 | 1 << 8), hundreds = _mm512_set1_epi32(100 | 1 << 16);
  const __m512i even_fours = _mm512_madd_epi16(_mm512_maddubs_epi16(even_digits, tens), hundreds);
  const __m512i odd_fours = _mm512_madd_epi16(_mm512_maddubs_epi16(odd_digits, tens), hundreds);
  const __m512i eights =
      _mm512_madd_epi16(_mm512_packus_epi32(even_fours, odd_fours), _mm512_set1_epi32(10000 | 1 << 16));
  const __m512i mantissa =
      _mm512_add_epi64(_mm512_mul_epu32(eights, _mm512_set1_epi64(100'000'000)), _mm512_srli_epi64(eights, 32));

  // A point at byte p leaves 15 - p digits after it, and p + 1 bits.
  const __m512i bits = _mm512_cvtepu16_epi64(_mm_popcnt_epi16(in_order(up_to_point)));
  const __m512d powers_low = _mm512_setr_pd(1e0, 1e15, 1e14, 1e13, 1e12, 1e11, 1e10, 1e9);
  const __m512d powers_high = _mm512_setr_pd(1e8, 1e7, 1e6, 1e5, 1e4, 1e3, 1e2, 1e1);
  __m512d value = _mm512_div_pd(_mm512_cvtepu64_pd(mantissa), _mm512_permutex2var_pd(powers_low, bits, powers_high));
  const __mmask8 flipped = _mm_test_epi16_mask(negative, negative);
  value = _mm512_mask_xor_pd(value, flipped, value, _mm512_set1_pd(-0.0));
  return {value, not_decimal | too_long};
}

inline unsigned first_of_eight(std::size_t count) { return count >= 8 ? 0xffu : (1u << count) - 1; }

// Bytes before a number are loaded with it; where the text begins, a copy supplies them. It holds separators up to
// `reach`; null if that is too far.
struct Beginning {
  const char* copy(std::string_view text, std::size_t reach) {
    if (reach > sizeof(bytes) - 16) return nullptr;
    std::memcpy(bytes + 16, text.data(), reach);
    return bytes + 16;
  }
  char bytes[512] = {};
};

bool decimals(std::string_view text, const std::uint32_t* at, std::size_t count, double* value, std::uint8_t* rest) {
  unsigned any = 0;
  Beginning beginning;
  for (std::size_t i = 0; i < count; i += 8, at += 8) {
    const char* from = text.data();
    if (at[0] < 16) from = beginning.copy(text, at[7]);
    unsigned left = 0xff;
    if (from != nullptr) {
      const __m256i ends = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
      const __m256i before = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at - 1));
      const __m256i length = _mm256_sub_epi32(_mm256_sub_epi32(ends, before), _mm256_set1_epi32(1));
      const Eight eight = read_eight<1>(from, at, _mm512_cvtepu32_epi64(length));
      _mm512_storeu_pd(value + i, eight.value);
      left = eight.rest;
    }
    left &= first_of_eight(count - i);
    rest[i / 8] = static_cast<std::uint8_t>(left);
    any |= left;
  }
  return any == 0;
}

bool decimals_between(std::string_view text, const std::uint32_t* between, std::size_t count, double* value,
                      std::uint8_t* rest) {
  unsigned any = 0;
  Beginning beginning;
  for (std::size_t i = 0; i < count; i += 8, between += 16) {
    const char* from = text.data();
    if (between[1] < 16) from = beginning.copy(text, between[15]);
    unsigned left = 0xff;
    if (from != nullptr) {
      const __m512i pairs = _mm512_loadu_si512(between);
      const __m512i before = _mm512_and_si512(pairs, _mm512_set1_epi64(0xffffffff));
      const __m512i length =
          _mm512_sub_epi32(_mm512_sub_epi32(_mm512_srli_epi64(pairs, 32), before), _mm512_set1_epi64(1));
      const Eight eight = read_eight<2>(from, between + 1, length);
      _mm512_storeu_pd(value + i, eight.value);
      left = eight.rest;
    }
    left &= first_of_eight(count - i);
    rest[i / 8] = static_cast<std::uint8_t>(left);
    any |= left;
  }
  return any == 0;
}

FeaturesRead features(std::string_view text, const std::uint32_t* at, std::size_t count, std::uint32_t base,
                      std::uint32_t* index, double* value, std::uint8_t* rest) {
  unsigned any = 0, wrong = 0, padded = 0;
  const __m512i one = _mm512_set1_epi64(1), low = _mm512_set1_epi64(0xffffffff);
  const __m512i first_byte = _mm512_set1_epi64(0xff);
  const __m256i bases = _mm256_set1_epi32(static_cast<int>(base));
  __m256i last = _mm256_set1_epi32(-1);
  Beginning beginning;
  for (std::size_t i = 0; i < count; i += 8, at += 16) {
    const char* from = text.data();
    if (at[1] < 16) from = beginning.copy(text, at[16]);
    if (from == nullptr) return {};
    const unsigned asked = first_of_eight(count - i);
    const __m512i pairs = _mm512_loadu_si512(at), next = _mm512_loadu_si512(at + 2);
    const __m512i blank = _mm512_and_si512(pairs, low), colon = _mm512_srli_epi64(pairs, 32);
    const __m512i end = _mm512_and_si512(next, low);

    // Loads the 8 bytes before each colon: the last digits of the index; bytes before it are masked.
    const __m512i length = _mm512_sub_epi64(_mm512_sub_epi64(colon, blank), one);
    const __m512i before = _mm512_slli_epi64(_mm512_sub_epi64(_mm512_set1_epi64(8), length), 3);
    __m512i digits = _mm512_sub_epi8(_mm512_i64gather_epi64(colon, from - 8, 1), _mm512_set1_epi8('0'));
    digits = _mm512_srlv_epi64(digits, before);
    padded |= asked & _mm512_mask_testn_epi64_mask(_mm512_cmpgt_epu64_mask(length, one), digits, first_byte);
    digits = _mm512_sllv_epi64(digits, before);
    const __m512i above_nine = _mm512_subs_epu8(digits, _mm512_set1_epi8(9));
    const __m512i fours = _mm512_madd_epi16(_mm512_maddubs_epi16(digits, _mm512_set1_epi16(10 | 1 << 8)),
                                            _mm512_set1_epi32(100 | 1 << 16));
    const __m512i eights =
        _mm512_add_epi64(_mm512_mul_epu32(fours, _mm512_set1_epi64(10000)), _mm512_srli_epi64(fours, 32));
    const __m256i indices = _mm256_sub_epi32(_mm512_cvtepi64_epi32(eights), bases);
    wrong |= asked & (unsigned{_mm256_cmple_epi32_mask(indices, _mm256_alignr_epi32(indices, last, 7))} |
                      _mm512_test_epi64_mask(above_nine, above_nine) |
                      _mm512_cmpgt_epu64_mask(_mm512_sub_epi64(length, one), _mm512_set1_epi64(7)));
    last = indices;
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(index + i), indices);

    const Eight eight = read_eight<2>(from, at + 2, _mm512_sub_epi64(_mm512_sub_epi64(end, colon), one));
    _mm512_storeu_pd(value + i, eight.value);
    rest[i / 8] = static_cast<std::uint8_t>(eight.rest & asked);
    any |= eight.rest & asked;
  }
  return {wrong == 0, any == 0, padded != 0};
}

#else

// Number i lies between before[i * step] and end[i * step].
template <std::size_t step>
inline bool one_by_one(std::string_view text, const std::uint32_t* before, const std::uint32_t* end, std::size_t count,
                       double* value, std::uint8_t* rest) {
  bool all = true;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t begin = before[i * step] + 1u;
    bool plain = false;
    if (begin + plain_decimal_margin <= text.size()) {
      plain = scan_plain_decimal(text.data() + begin, value[i]) == text.data() + end[i * step];
    }
    if (i % 8 == 0) rest[i / 8] = 0;
    if (!plain) rest[i / 8] |= static_cast<std::uint8_t>(1u << i % 8);
    all &= plain;
  }
  return all;
}

bool decimals(std::string_view text, const std::uint32_t* at, std::size_t count, double* value, std::uint8_t* rest) {
  return one_by_one<1>(text, at - 1, at, count, value, rest);
}

bool decimals_between(std::string_view text, const std::uint32_t* between, std::size_t count, double* value,
                      std::uint8_t* rest) {
  return one_by_one<2>(text, between, between + 1, count, value, rest);
}

FeaturesRead features(std::string_view text, const std::uint32_t* at, std::size_t count, std::uint32_t base,
                      std::uint32_t* index, double* value, std::uint8_t* rest) {
  FeaturesRead read = {true, true, false};
  std::int64_t last = -1;
  for (std::size_t i = 0; i < count; ++i, at += 2) {
    const std::size_t begin = at[0] + std::size_t{1}, colon = at[1], length = colon - begin;
    if (begin + 8 > text.size() || length - 1 > 7 || digit_run(text.data() + begin) < length) return {};
    read.padded |= length > 1 && text[begin] == '0';
    const std::int64_t feature =
        static_cast<std::int64_t>(digits_value(text.data() + begin, length)) - static_cast<std::int64_t>(base);
    if (feature <= last) return {};
    last = feature;
    index[i] = static_cast<std::uint32_t>(feature);
    bool plain = false;
    if (colon + 1 + plain_decimal_margin <= text.size()) {
      plain = scan_plain_decimal(text.data() + colon + 1, value[i]) == text.data() + at[2];
    }
    if (i % 8 == 0) rest[i / 8] = 0;
    if (!plain) rest[i / 8] |= static_cast<std::uint8_t>(1u << i % 8);
    read.values &= plain;
  }
  return read;
}

#endif

}  // namespace halfspace::stream::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace halfspace::stream {

HALFSPACE_VERSIONS(decimals);
HALFSPACE_VERSIONS(decimals_between);
HALFSPACE_VERSIONS(features);

bool read_decimals(std::string_view text, const std::uint32_t* at, std::size_t count, double* value,
                   std::uint8_t* rest) {
  return HALFSPACE_BEST(decimals)(text, at, count, value, rest);
}

bool read_decimals_between(std::string_view text, const std::uint32_t* between, std::size_t count, double* value,
                           std::uint8_t* rest) {
  return HALFSPACE_BEST(decimals_between)(text, between, count, value, rest);
}

FeaturesRead read_features(std::string_view text, const std::uint32_t* at, std::size_t count, std::uint32_t base,
                           std::uint32_t* index, double* value, std::uint8_t* rest) {
  return HALFSPACE_BEST(features)(text, at, count, base, index, value, rest);
}

}  // namespace halfspace::stream
#endif
