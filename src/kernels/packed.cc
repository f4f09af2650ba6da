// Packing asks every value for its digits and checks them; unpacking multiplies where AVX-512 can, and divides
// elsewhere, with AVX2 four at a time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/packed.cc"
#include "kernels/packed.h"

#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>
#include <numeric>

#include "base/simd.h"
#include "halfspace/kernels/example.h"

#ifndef HALFSPACE_KERNELS_PACKED_ONCE
#define HALFSPACE_KERNELS_PACKED_ONCE
namespace halfspace::kernels {

constexpr int digit_bits = 27;
constexpr std::uint32_t digits_mask = (1U << digit_bits) - 1;
constexpr std::uint32_t most_places = 15;

alignas(64) constexpr double power_of_ten[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                               1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
// 10^-k to 106 bits: the nearest double, and the one nearest to what is left.
alignas(64) constexpr double tenth[] = {1e0,  1e-1, 1e-2,  1e-3,  1e-4,  1e-5,  1e-6,  1e-7,
                                        1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13, 1e-14, 1e-15};
alignas(64) constexpr double tenth_rest[] = {0.0,
                                             -0x1.999999999999ap-58,
                                             -0x1.eb851eb851eb8p-63,
                                             -0x1.89374bc6a7efap-66,
                                             -0x1.6a161e4f765fep-68,
                                             -0x1.ee78183f91e64p-71,
                                             0x1.b5a63f9a49c2cp-75,
                                             0x1.5e1e99483b023p-78,
                                             -0x1.03023df2d4c94p-82,
                                             -0x1.34674bfabb83bp-84,
                                             -0x1.20a5465df8d2cp-88,
                                             0x1.7f7bc7b4d28aap-91,
                                             0x1.97f27f0f6e886p-96,
                                             -0x1.ecd79a5a0df95p-99,
                                             0x1.ea70909833de7p-107,
                                             -0x1.937831647f5a0p-104};

// The most places k <= 15 with |value| * 10^k < 2^27: of all spellings m / 10^k the one with the most room for digits.
// 1233 / 4096 is log10(2), from below.
inline int places(double value) {
  const int exponent = static_cast<int>(std::bit_cast<std::uint64_t>(value) >> 52 & 0x7ff) - 1023;
  return std::clamp((digit_bits - 1 - exponent) * 1233 >> 12, 0, static_cast<int>(most_places));
}

inline double decimal_value(std::uint32_t decimal) {  // in the mode of rounding to nearest
  const double m = static_cast<double>(decimal & digits_mask);
  const double value = m / power_of_ten[decimal >> digit_bits & most_places];
  return (decimal >> 31) != 0 ? -value : value;
}

// Division follows the mode of rounding: while this lives, it is to nearest.
class Nearest {
 public:
  Nearest() : mode_(std::fegetround()) {
    if (mode_ != FE_TONEAREST) std::fesetround(FE_TONEAREST);
  }
  ~Nearest() {
    if (mode_ != FE_TONEAREST) std::fesetround(mode_);
  }
  Nearest(const Nearest&) = delete;
  Nearest& operator=(const Nearest&) = delete;

 private:
  int mode_;
};

}  // namespace halfspace::kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace halfspace::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET <= HWY_AVX3

constexpr std::size_t width = 8;

// Some of eight numbers; none is read beyond them.
inline __mmask8 first(std::size_t count) { return static_cast<__mmask8>((1U << std::min(count, width)) - 1); }

// m * 10^-k, the factor in two parts that miss it by less than 2^-107 of it, rounded to 53 bits once, at the end: what
// comes before is right to 2^-104. No m / 10^k lies as near as 2^-89 of it to M 2^q, M odd and of 54 bits, the middle
// of two doubles: m 2^a and M 5^k are whole and differ by at least 1, and 5^15 < 2^35. So this is the nearest double,
// as division would find it. The mode of rounding is in the instructions.
inline __m512d eight_values(__m256i decimal) {
  constexpr int nearest = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
  const __m512d m = _mm512_cvtepu32_pd(_mm256_and_si256(decimal, _mm256_set1_epi32(digits_mask)));
  const __m512i wide = _mm512_cvtepu32_epi64(decimal);
  const __m512i k = _mm512_srli_epi64(wide, digit_bits);  // the permutation uses its lowest 4 bits only
  const __m512d factor = _mm512_permutex2var_pd(_mm512_load_pd(tenth), k, _mm512_load_pd(tenth + width));
  const __m512d rest = _mm512_permutex2var_pd(_mm512_load_pd(tenth_rest), k, _mm512_load_pd(tenth_rest + width));
  const __m512d value = _mm512_fmadd_round_pd(m, factor, _mm512_mul_round_pd(m, rest, nearest), nearest);
  const __m512i sign = _mm512_slli_epi64(_mm512_srli_epi64(wide, 31), 63);
  return _mm512_castsi512_pd(_mm512_or_si512(_mm512_castpd_si512(value), sign));
}

// Returns true if eight values are decimals; packed where they are.
inline bool pack_eight(const double* value, __mmask8 inside, std::uint32_t* decimal) {
  const __m512d x = _mm512_maskz_loadu_pd(inside, value);
  const __m512d size = _mm512_abs_pd(x);
  const __m256i top = _mm512_cvtepi64_epi32(_mm512_srli_epi64(_mm512_castpd_si512(size), 52));
  const __m256i room = _mm256_sub_epi32(_mm256_set1_epi32(1023 + digit_bits - 1), top);
  __m256i k = _mm256_srai_epi32(_mm256_mullo_epi32(room, _mm256_set1_epi32(1233)), 12);
  k = _mm256_min_epi32(_mm256_max_epi32(k, _mm256_setzero_si256()), _mm256_set1_epi32(most_places));
  const __m512d power = _mm512_permutex2var_pd(_mm512_load_pd(power_of_ten), _mm512_cvtepu32_epi64(k),
                                               _mm512_load_pd(power_of_ten + width));
  const __m512d scaled = _mm512_mul_pd(size, power);
  if (_mm512_cmp_pd_mask(scaled, _mm512_set1_pd(digits_mask), _CMP_LE_OQ) != 0xff) return false;
  const __m256i m = _mm512_cvtpd_epi32(scaled);
  const __m256i sign = _mm512_cvtepi64_epi32(_mm512_srli_epi64(_mm512_castpd_si512(x), 63));
  const __m256i packed =
      _mm256_or_si256(_mm256_or_si256(m, _mm256_slli_epi32(k, digit_bits)), _mm256_slli_epi32(sign, 31));
  _mm256_mask_storeu_epi32(decimal, inside, packed);
  return _mm512_cmpeq_epi64_mask(_mm512_castpd_si512(eight_values(packed)), _mm512_castpd_si512(x)) == 0xff;
}

bool pack(const double* value, std::size_t count, std::uint32_t* decimal) {
  for (std::size_t i = 0; i < count; i += width) {
    if (!pack_eight(value + i, first(count - i), decimal + i)) return false;
  }
  return true;
}

void unpack_exactly(const std::uint32_t* decimal, std::size_t count, double* value) {
  for (std::size_t i = 0; i < count; i += width) {
    const __mmask8 inside = first(count - i);
    _mm512_mask_storeu_pd(value + i, inside, eight_values(_mm256_maskz_loadu_epi32(inside, decimal + i)));
  }
}

// Whole vectors are stored, at the end of the row too: what a masked store wrote is slow to be read.
void unpack(const std::uint16_t* narrow, const std::uint32_t* decimal, std::size_t count, std::size_t ahead,
            std::uint32_t* index, double* value) {
  const auto widen = [&](std::size_t i, __m256i sixteen) {
    _mm512_storeu_si512(index + i, _mm512_cvtepu16_epi32(sixteen));
  };
  if (narrow != nullptr) {
    std::size_t i = 0;
    for (; i + 16 <= count; i += 16) {
      __builtin_prefetch(narrow + i + ahead);
      widen(i, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(narrow + i)));
    }
    const __mmask16 inside = static_cast<__mmask16>((1U << (count - i)) - 1);
    if (i < count) widen(i, _mm256_maskz_loadu_epi16(inside, narrow + i));
  }
  if (decimal != nullptr) {
    std::size_t i = 0;
    for (; i + width <= count; i += width) {
      __builtin_prefetch(decimal + i + ahead);
      const __m256i eight = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(decimal + i));
      _mm512_storeu_pd(value + i, eight_values(eight));
    }
    if (i < count) _mm512_storeu_pd(value + i, eight_values(_mm256_maskz_loadu_epi32(first(count - i), decimal + i)));
  }
}

#else

inline bool pack_one(double value, std::uint32_t& decimal) {
  const int k = places(value);
  const double scaled = std::abs(value) * power_of_ten[k];
  if (!(scaled <= digits_mask)) return false;
  decimal = static_cast<std::uint32_t>(std::nearbyint(scaled)) | static_cast<std::uint32_t>(k) << digit_bits |
            static_cast<std::uint32_t>(std::signbit(value)) << 31;
  return std::bit_cast<std::uint64_t>(decimal_value(decimal)) == std::bit_cast<std::uint64_t>(value);
}

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2

constexpr std::size_t width = 4;

inline __m256d powers(__m128i k) {
  const auto power = [](int of) { return power_of_ten[of]; };
  return _mm256_setr_pd(power(_mm_extract_epi32(k, 0)), power(_mm_extract_epi32(k, 1)), power(_mm_extract_epi32(k, 2)),
                        power(_mm_extract_epi32(k, 3)));
}

inline __m256d four_values(__m128i decimal) {  // in the mode of rounding to nearest
  const __m256d m = _mm256_cvtepi32_pd(_mm_and_si128(decimal, _mm_set1_epi32(digits_mask)));
  const __m128i k = _mm_and_si128(_mm_srli_epi32(decimal, digit_bits), _mm_set1_epi32(most_places));
  const __m256i sign = _mm256_slli_epi64(_mm256_srli_epi64(_mm256_cvtepu32_epi64(decimal), 31), 63);
  return _mm256_or_pd(_mm256_div_pd(m, powers(k)), _mm256_castsi256_pd(sign));
}

// Returns true if four values are decimals; packed where they are.
inline bool pack_four(const double* value, std::uint32_t* decimal) {
  const __m256d x = _mm256_loadu_pd(value);
  const __m256d size = _mm256_andnot_pd(_mm256_set1_pd(-0.0), x);
  const auto upper_halves = [](__m256d of) {
    const __m256i odd = _mm256_permutevar8x32_epi32(_mm256_castpd_si256(of), _mm256_setr_epi32(1, 3, 5, 7, 1, 3, 5, 7));
    return _mm256_castsi256_si128(odd);
  };
  const __m128i upper = upper_halves(x);
  const __m128i top = _mm_srli_epi32(_mm_slli_epi32(upper, 1), 21);
  const __m128i room = _mm_sub_epi32(_mm_set1_epi32(1023 + digit_bits - 1), top);
  __m128i k = _mm_srai_epi32(_mm_mullo_epi32(room, _mm_set1_epi32(1233)), 12);
  k = _mm_min_epi32(_mm_max_epi32(k, _mm_setzero_si128()), _mm_set1_epi32(most_places));
  const __m256d scaled = _mm256_mul_pd(size, powers(k));
  if (_mm256_movemask_pd(_mm256_cmp_pd(scaled, _mm256_set1_pd(digits_mask), _CMP_LE_OQ)) != 0xf) return false;
  const __m128i sign = _mm_slli_epi32(_mm_srli_epi32(upper, 31), 31);
  const __m128i packed = _mm_or_si128(_mm_or_si128(_mm256_cvtpd_epi32(scaled), _mm_slli_epi32(k, digit_bits)), sign);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(decimal), packed);
  const __m256i same = _mm256_cmpeq_epi64(_mm256_castpd_si256(four_values(packed)), _mm256_castpd_si256(x));
  return _mm256_movemask_epi8(same) == -1;
}

#endif

bool pack(const double* value, std::size_t count, std::uint32_t* decimal) {
  std::size_t i = 0;
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
  for (; i + width <= count; i += width) {
    if (!pack_four(value + i, decimal + i)) return false;
  }
#endif
  for (; i < count; ++i) {
    if (!pack_one(value[i], decimal[i])) return false;
  }
  return true;
}

// Apart: nothing is moved into it or out of it, past the change of mode.
[[gnu::noinline]] void divide(const std::uint32_t* decimal, std::size_t count, std::size_t ahead, double* value) {
  std::size_t i = 0;
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
  for (; i + width <= count; i += width) {
    __builtin_prefetch(decimal + i + ahead);
    _mm256_storeu_pd(value + i, four_values(_mm_loadu_si128(reinterpret_cast<const __m128i*>(decimal + i))));
  }
#endif
  for (; i < count; ++i) {
    if (i % 8 == 0) __builtin_prefetch(decimal + i + ahead);
    value[i] = decimal_value(decimal[i]);
  }
  asm volatile("" ::: "memory");
}

void unpack(const std::uint16_t* narrow, const std::uint32_t* decimal, std::size_t count, std::size_t ahead,
            std::uint32_t* index, double* value) {
  for (std::size_t i = 0; narrow != nullptr && i < count; ++i) {
    if (i % 32 == 0) __builtin_prefetch(narrow + i + ahead);
    index[i] = narrow[i];
  }
  if (decimal == nullptr) return;
  const Nearest while_dividing;
  divide(decimal, count, ahead, value);
}
void unpack_exactly(const std::uint32_t* decimal, std::size_t count, double* value) {
  unpack(nullptr, decimal, count, 0, nullptr, value);
}

#endif

void narrow_all(const std::uint32_t* index, std::size_t count, std::uint16_t* narrow) {
  for (std::size_t i = 0; i < count; ++i) narrow[i] = static_cast<std::uint16_t>(index[i]);
}

}  // namespace halfspace::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace halfspace {
namespace kernels {

HALFSPACE_VERSIONS(pack);
HALFSPACE_VERSIONS(unpack);
HALFSPACE_VERSIONS(unpack_exactly);
HALFSPACE_VERSIONS(narrow_all);

bool pack_decimals(const double* value, std::size_t count, std::uint32_t* decimal) {
  return HALFSPACE_BEST(pack)(value, count, decimal);
}
void unpack_decimals(const std::uint32_t* decimal, std::size_t count, double* value) {
  HALFSPACE_BEST(unpack_exactly)(decimal, count, value);
}
void narrow(const std::uint32_t* index, std::size_t count, std::uint16_t* narrow) {
  HALFSPACE_BEST(narrow_all)(index, count, narrow);
}
void unpack_row(const std::uint16_t* narrow, const std::uint32_t* decimal, std::size_t count, std::size_t ahead,
                std::uint32_t* index, double* value) {
  HALFSPACE_BEST(unpack)(narrow, decimal, count, ahead, index, value);
}

}  // namespace kernels

void Block::unpack(std::uint64_t begin, std::size_t size, std::uint32_t ahead, UnpackBuffer& room) const {
  const std::size_t wanted = size + kernels::row_padding;
  if (room.index.size() < wanted) room.index.resize(wanted);
  if (room.value.size() < wanted) room.value.resize(wanted);
  const std::uint16_t* const narrow = index == nullptr && !dense ? narrow_index + begin : nullptr;
  kernels::unpack_row(narrow, has_decimals() ? decimal + begin : nullptr, size, ahead, room.index.data(),
                      room.value.data());
}

void Block::number(std::size_t size, UnpackBuffer& room) {
  for (std::size_t k = room.ordinal.size(); k < size; ++k) room.ordinal.push_back(static_cast<std::uint32_t>(k));
}

Block Block::plain(UnpackBuffer& room) const {
  if (!packed()) return *this;
  Block block = *this;
  const std::uint64_t end = rows == 0 ? 0 : offset[rows];  // arrays are as long, wherever the first row begins
  room.index.resize(end + kernels::row_padding);
  if (has_decimals()) room.value.resize(end + kernels::row_padding);
  const std::uint16_t* const narrowed = index == nullptr ? narrow_index : nullptr;
  kernels::unpack_row(narrowed, has_decimals() ? decimal : nullptr, end, 0, room.index.data(), room.value.data());
  if (index == nullptr && narrow_index == nullptr) {
    for (std::size_t i = 0; i < rows; ++i) {
      std::iota(room.index.data() + offset[i], room.index.data() + offset[i + 1], 0U);
    }
  }
  if (index == nullptr) block.index = room.index.data();
  if (has_decimals()) block.value = room.value.data();
  block.narrow_index = nullptr;
  block.decimal = nullptr;
  return block;
}

}  // namespace halfspace
#endif  // HWY_ONCE
