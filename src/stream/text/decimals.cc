// Parses plain decimals: eight at a time with AVX-512, four with AVX2, else one by one.
//
// Eight numbers lie right-aligned in two vectors, 16 bytes each: numbers 0, 2, 4, 6 in one and 1, 3, 5, 7 in the other,
// so that packing the two into one keeps their order. Bytes before a number and its sign are blanked; the digits before
// the point move up over it; pairs, fours, eights and sixteens of digits are joined; and the integer is divided by a
// power of ten, according to the point. With a point there is room for 15 digits, which a double holds exactly, so that
// only the division rounds; without one only the conversion rounds, and the division is by 1.
// Four lie in two vectors of 32 bytes in the same way.
#define HWY_WANT_AVX3_DL
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "stream/text/decimals.cc"
#include "stream/text/decimals.h"

#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <bit>
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

// Reads the number from `begin` to `end` where digit runs are words. Returns whether it is plain.
inline bool read_one(std::string_view text, std::uint32_t begin, std::uint32_t end, double& value) {
  return begin + std::size_t{plain_decimal_margin} <= text.size() &&
         scan_plain_decimal(text.data() + begin, value) == text.data() + end;
}

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2

// By the place of the point, 16 if there is none: moves the bytes before it up by one, over it.
struct Moves {
  alignas(16) std::array<std::array<std::uint8_t, 16>, 17> over{};
  constexpr Moves() {
    for (std::size_t point = 0; point <= 16; ++point) {
      for (std::size_t k = 0; k < 16; ++k)
        over[point][k] = static_cast<std::uint8_t>(point == 16 || k > point ? k : k == 0 ? 0x80 : k - 1);
    }
  }
};
constexpr Moves moves;
// A point at byte p leaves 15 - p digits after it.
constexpr double divisors[17] = {1e15, 1e14, 1e13, 1e12, 1e11, 1e10, 1e9, 1e8, 1e7,
                                 1e6,  1e5,  1e4,  1e3,  1e2,  1e1,  1e0, 1e0};

inline __m256i two(const void* low, const void* high) {
  return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128(static_cast<const __m128i*>(low))),
                                 _mm_loadu_si128(static_cast<const __m128i*>(high)), 1);
}

// Two numbers, 16 bytes each.
struct Two {
  __m256i negative;  // the byte of the sign
  __m256i none;      // bytes that are no digits: before the number, its sign and its point
  __m256i digits;    // without the point
  std::size_t point, point_of_second;

  // `begin`: the byte where each begins, in all of its bytes.
  Two(const char* end, const char* end_of_second, __m256i begin) {
    const __m256i place =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
    const __m256i bytes = two(end - 16, end_of_second - 16);
    negative = _mm256_and_si256(_mm256_cmpeq_epi8(place, begin), _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('-')));
    const __m256i outside = _mm256_or_si256(_mm256_cmpgt_epi8(begin, place), negative);
    const __m256i inside = _mm256_andnot_si256(outside, _mm256_sub_epi8(bytes, _mm256_set1_epi8('0')));
    const __m256i dot = _mm256_cmpeq_epi8(inside, _mm256_set1_epi8('.' - '0'));
    none = _mm256_or_si256(outside, dot);
    const auto points = static_cast<unsigned>(_mm256_movemask_epi8(dot));
    point = static_cast<std::size_t>(std::countr_zero(points | 1U << 16));
    point_of_second = static_cast<std::size_t>(std::countr_zero(points >> 16 | 1U << 16));
    digits = _mm256_shuffle_epi8(inside, two(moves.over[point].data(), moves.over[point_of_second].data()));
  }

  __m256i fours() const {
    return _mm256_madd_epi16(_mm256_maddubs_epi16(digits, _mm256_set1_epi16(10 | 1 << 8)),
                             _mm256_set1_epi32(100 | 1 << 16));
  }
  // Returns bits 15 and 31 where a number is wrong: a byte that is no digit, or none that is.
  unsigned wrong() const {
    const __m256i all = _mm256_cmpeq_epi8(_mm256_min_epu8(digits, _mm256_set1_epi8(9)), digits);
    const auto right = static_cast<unsigned>(_mm256_movemask_epi8(all));
    // The last byte is a digit, or the point, and then the one before it is.
    const auto empty =
        static_cast<unsigned>(_mm256_movemask_epi8(_mm256_and_si256(none, _mm256_bslli_epi128(none, 1))));
    return (right == 0xffffffff ? 0
                                : unsigned{(right & 0xffff) != 0xffff} << 15 | unsigned{right >> 16 != 0xffff} << 31) |
           (empty & 0x80008000);
  }
};

struct Four {
  __m256d value;
  unsigned rest;  // not plain
};

// Returns how long the numbers between before[k * step] and end[k * step] are, in quadwords.
template <std::size_t step>
inline __m256i lengths(const std::uint32_t* before, const std::uint32_t* end) {
  const auto load = [](const std::uint32_t* at) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at)); };
  if constexpr (step == 1) {
    const __m128i apart = _mm_sub_epi32(load(end), load(before));
    return _mm256_cvtepu32_epi64(_mm_sub_epi32(apart, _mm_set1_epi32(1)));
  } else {
    const __m256i pairs = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(before));  // end is before + 1
    const __m256i apart = _mm256_sub_epi32(_mm256_srli_epi64(pairs, 32), pairs);
    return _mm256_and_si256(_mm256_sub_epi32(apart, _mm256_set1_epi64x(1)), _mm256_set1_epi64x(0xffffffff));
  }
}

// end[k * step] is where number k ends, at least 16 bytes into the text; `length` has the lengths in quadwords.
template <std::size_t step>
inline Four read_four(const char* text, const std::uint32_t* end, __m256i length) {
  const __m256i begin = _mm256_sub_epi64(_mm256_set1_epi64x(16), length);
  const Two even(text + end[0], text + end[2 * step], _mm256_shuffle_epi8(begin, _mm256_setzero_si256()));
  const Two odd(text + end[step], text + end[3 * step], _mm256_shuffle_epi8(begin, _mm256_set1_epi8(8)));

  const __m256i eights =
      _mm256_madd_epi16(_mm256_packus_epi32(even.fours(), odd.fours()), _mm256_set1_epi32(10000 | 1 << 16));
  const __m256i mantissa =
      _mm256_add_epi64(_mm256_mul_epu32(eights, _mm256_set1_epi64x(100'000'000)), _mm256_srli_epi64(eights, 32));
  // The halves are put behind 2^84 and 2^52, which are taken off again: only the sum of both rounds.
  const __m256d high = _mm256_or_pd(_mm256_castsi256_pd(_mm256_srli_epi64(mantissa, 32)), _mm256_set1_pd(0x1p84));
  const __m256d low = _mm256_or_pd(_mm256_castsi256_pd(_mm256_and_si256(mantissa, _mm256_set1_epi64x(0xffffffff))),
                                   _mm256_set1_pd(0x1p52));
  const __m256d whole = _mm256_add_pd(_mm256_sub_pd(high, _mm256_set1_pd(0x1p84 + 0x1p52)), low);
  const __m256d divisor = _mm256_setr_pd(divisors[even.point], divisors[odd.point], divisors[even.point_of_second],
                                         divisors[odd.point_of_second]);
  // Eight bytes add to 255, which is odd, where one is the sign.
  const __m256i of_even = _mm256_sad_epu8(even.negative, _mm256_setzero_si256());
  const __m256i of_odd = _mm256_sad_epu8(odd.negative, _mm256_setzero_si256());
  const __m256i sign = _mm256_slli_epi64(
      _mm256_or_si256(_mm256_unpacklo_epi64(of_even, of_odd), _mm256_unpackhi_epi64(of_even, of_odd)), 63);
  const __m256d value = _mm256_xor_pd(_mm256_div_pd(whole, divisor), _mm256_castsi256_pd(sign));

  const unsigned wrong = even.wrong() >> 1 | odd.wrong();  // bits 14, 15, 30, 31
  const auto too_long = static_cast<unsigned>(
      _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpgt_epi64(length, _mm256_set1_epi64x(16)))));
  return {value, too_long | (wrong >> 14 & 3) | wrong >> 30 << 2};
}

#endif

// Number i lies between before[i * step] and end[i * step].
template <std::size_t step>
inline bool read_numbers(std::string_view text, const std::uint32_t* before, const std::uint32_t* end,
                         std::size_t count, double* value, std::uint8_t* rest) {
  unsigned any = 0;
  for (std::size_t i = 0; i < count; i += 8, before += 8 * step, end += 8 * step) {
    const std::size_t numbers = std::min<std::size_t>(8, count - i);
    unsigned left = 0;
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
    if (end[0] >= 16) {
      for (std::size_t k = 0; k < numbers; k += 4) {
        const Four four =
            read_four<step>(text.data(), end + k * step, lengths<step>(before + k * step, end + k * step));
        _mm256_storeu_pd(value + i + k, four.value);
        left |= four.rest << k;
      }
      left &= (1U << numbers) - 1;
    } else
#endif
      for (std::size_t k = 0; k < numbers; ++k)
        left |= unsigned{!read_one(text, before[k * step] + 1, end[k * step], value[i + k])} << k;
    rest[i / 8] = static_cast<std::uint8_t>(left);
    any |= left;
  }
  return any == 0;
}

bool decimals(std::string_view text, const std::uint32_t* at, std::size_t count, double* value, std::uint8_t* rest) {
  return read_numbers<1>(text, at - 1, at, count, value, rest);
}

bool decimals_between(std::string_view text, const std::uint32_t* between, std::size_t count, double* value,
                      std::uint8_t* rest) {
  return read_numbers<2>(text, between, between + 1, count, value, rest);
}

// The indices of a row, one after the other.
struct Indices {
  std::uint32_t base;
  std::int32_t last = -1;
  bool padded = false;

  // Reads the index between a blank and a colon. Returns whether it is plain, and above the one before it.
  bool read_one(std::string_view text, const std::uint32_t* at, std::uint32_t& index) {
    const std::size_t begin = at[0] + std::size_t{1}, length = at[1] - begin;
    if (begin + 8 > text.size() || length - 1 > 7 || digit_run(text.data() + begin) < length) return false;
    padded |= length > 1 && text[begin] == '0';
    const std::int64_t feature = static_cast<std::int64_t>(digits_value(text.data() + begin, length)) - base;
    if (feature <= last) return false;
    last = static_cast<std::int32_t>(feature);
    index = static_cast<std::uint32_t>(feature);
    return true;
  }

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
  // Reads four, the first of which ends at least 8 bytes into the text.
  bool read_four(std::string_view text, const std::uint32_t* at, std::uint32_t* index) {
    const __m256i one = _mm256_set1_epi64x(1), nine = _mm256_set1_epi8(9);
    const __m256i pairs = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
    const __m256i blank = _mm256_and_si256(pairs, _mm256_set1_epi64x(0xffffffff)), colon = _mm256_srli_epi64(pairs, 32);
    const __m256i length = _mm256_sub_epi64(_mm256_sub_epi64(colon, blank), one);
    // The 8 bytes before each colon, of which those before the index are blanked.
    const __m256i before = _mm256_slli_epi64(_mm256_sub_epi64(_mm256_set1_epi64x(8), length), 3);
    const auto load = [&](std::size_t k) {
      return _mm_loadl_epi64(reinterpret_cast<const __m128i*>(text.data() + at[2 * k + 1] - 8));
    };
    const __m256i bytes = _mm256_set_m128i(_mm_unpacklo_epi64(load(2), load(3)), _mm_unpacklo_epi64(load(0), load(1)));
    const __m256i from_first = _mm256_srlv_epi64(_mm256_sub_epi8(bytes, _mm256_set1_epi8('0')), before);
    const __m256i first = _mm256_and_si256(from_first, _mm256_set1_epi64x(0xff));
    const __m256i zero_first =
        _mm256_and_si256(_mm256_cmpgt_epi64(length, one), _mm256_cmpeq_epi64(first, _mm256_setzero_si256()));
    padded |= _mm256_movemask_epi8(zero_first) != 0;
    const __m256i digits = _mm256_sllv_epi64(from_first, before);
    const __m256i fours = _mm256_madd_epi16(_mm256_maddubs_epi16(digits, _mm256_set1_epi16(10 | 1 << 8)),
                                            _mm256_set1_epi32(100 | 1 << 16));
    const __m256i eights =
        _mm256_add_epi64(_mm256_mul_epu32(fours, _mm256_set1_epi64x(10000)), _mm256_srli_epi64(fours, 32));
    const __m256i written = _mm256_permutevar8x32_epi32(eights, _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6));
    const __m128i indices =
        _mm_sub_epi32(_mm256_castsi256_si128(written), _mm_set1_epi32(static_cast<std::int32_t>(base)));
    const __m128i ascends = _mm_cmpgt_epi32(indices, _mm_alignr_epi8(indices, _mm_set1_epi32(last), 12));
    last = _mm_extract_epi32(indices, 3);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(index), indices);
    const __m256i too_short = _mm256_cmpgt_epi64(one, length);
    const __m256i too_long = _mm256_cmpgt_epi64(length, _mm256_set1_epi64x(8));
    const __m256i wrong = _mm256_or_si256(_mm256_or_si256(too_short, too_long), _mm256_subs_epu8(digits, nine));
    return _mm256_testz_si256(wrong, wrong) != 0 && _mm_movemask_epi8(ascends) == 0xffff;
  }
#endif
};

FeaturesRead features(std::string_view text, const std::uint32_t* at, std::size_t count, std::uint32_t base,
                      std::uint32_t* index, double* value, std::uint8_t* rest) {
  Indices indices{base};
  std::size_t i = 0;
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
  for (; at[1] >= 8 && i + 4 <= count; i += 4) {
    if (!indices.read_four(text, at + 2 * i, index + i)) return {};
  }
#endif
  for (; i < count; ++i) {
    if (!indices.read_one(text, at + 2 * i, index[i])) return {};
  }
  const bool values = read_numbers<2>(text, at + 1, at + 2, count, value, rest);
  return {true, values, indices.padded};
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
