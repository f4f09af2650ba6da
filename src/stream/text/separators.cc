// Finds the positions of separators, 64 bytes at a time.
#define HWY_WANT_AVX3_DL  // to move the positions of set bits together in one step
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "stream/text/separators.cc"
#include "stream/text/separators.h"

#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "base/simd.h"

HWY_BEFORE_NAMESPACE();
namespace halfspace::stream::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The separators: bytes up to `up_to`, and three more.
struct Wanted {
  std::uint8_t up_to, a, b, c;
};

#if HWY_TARGET == HWY_AVX3_DL

template <bool up_to>
inline std::size_t find(const char* text, std::size_t size, Wanted wanted, std::uint32_t* at, char* kind) {
  alignas(64) static constexpr auto counting = [] {
    std::array<std::uint8_t, 64> places{};
    for (std::size_t i = 0; i < places.size(); ++i) places[i] = static_cast<std::uint8_t>(i);
    return places;
  }();
  const __m512i places = _mm512_load_si512(counting.data());
  const __m512i blank = _mm512_set1_epi8(static_cast<char>(wanted.up_to));
  const __m512i a = _mm512_set1_epi8(static_cast<char>(wanted.a));
  const __m512i b = _mm512_set1_epi8(static_cast<char>(wanted.b));
  const __m512i c = _mm512_set1_epi8(static_cast<char>(wanted.c));
  std::size_t count = 0;
  for (std::size_t base = 0; base < size; base += 64) {
    const __mmask64 inside = size - base >= 64 ? ~__mmask64{0} : (__mmask64{1} << (size - base)) - 1;
    const __m512i bytes = _mm512_maskz_loadu_epi8(inside, text + base);
    __mmask64 found = _mm512_cmpeq_epi8_mask(bytes, a) | _mm512_cmpeq_epi8_mask(bytes, b);
    if constexpr (up_to) {
      found |= _mm512_cmple_epu8_mask(bytes, blank);
    } else {
      found |= _mm512_cmpeq_epi8_mask(bytes, c);
    }
    found &= inside;
    const std::size_t here = static_cast<std::size_t>(std::popcount(std::uint64_t{found}));
    _mm512_storeu_si512(kind + count, _mm512_maskz_compress_epi8(found, bytes));
    const __m512i packed = _mm512_maskz_compress_epi8(found, places);
    const __m512i first = _mm512_set1_epi32(static_cast<int>(base));
    const auto store = [&](std::size_t from, __m128i sixteen) {
      _mm512_storeu_si512(at + count + from, _mm512_add_epi32(_mm512_cvtepu8_epi32(sixteen), first));
    };
    store(0, _mm512_castsi512_si128(packed));
    if (here > 16) {
      store(16, _mm512_extracti32x4_epi32(packed, 1));
      if (here > 32) {
        store(32, _mm512_extracti32x4_epi32(packed, 2));
        store(48, _mm512_extracti32x4_epi32(packed, 3));
      }
    }
    count += here;
  }
  return count;
}

#else

// Bit i: byte i separates.
template <bool up_to>
inline std::uint64_t mask_of_64(const std::uint8_t* text, Wanted wanted) {
  const hn::CappedTag<std::uint8_t, 64> d;
  const std::size_t width = hn::Lanes(d);
  const auto a = hn::Set(d, wanted.a), b = hn::Set(d, wanted.b), c = hn::Set(d, wanted.c);
  const auto blank = hn::Set(d, wanted.up_to);
  std::uint64_t mask = 0;
  for (std::size_t i = 0; i < 64; i += width) {
    const auto bytes = hn::LoadU(d, text + i);
    const auto more = up_to ? hn::Eq(hn::Max(bytes, blank), blank) : hn::Eq(bytes, c);
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(d, hn::Or(hn::Or(hn::Eq(bytes, a), hn::Eq(bytes, b)), more), bits);
    std::uint64_t part = 0;
    for (std::size_t k = 0; k < 8; ++k) part |= std::uint64_t{bits[k]} << (8 * k);
    mask |= part << i;
  }
  return mask;
}

template <bool up_to>
inline std::size_t find(const char* text, std::size_t size, Wanted wanted, std::uint32_t* at, char* kind) {
  std::uint32_t* out = at;
  for (std::size_t base = 0; base < size; base += 64) {
    std::uint64_t mask = 0;
    if (size - base >= 64) {
      mask = mask_of_64<up_to>(reinterpret_cast<const std::uint8_t*>(text) + base, wanted);
    } else {
      std::uint8_t rest[64] = {};
      std::memcpy(rest, text + base, size - base);
      mask = mask_of_64<up_to>(rest, wanted) & ((std::uint64_t{1} << (size - base)) - 1);
    }
    const int count = std::popcount(mask);
    // Eight at a time, as a branch for each would be mispredicted often. Excess entries are overwritten.
    for (int from = 0; from < count; from += 8) {
      for (int i = from; i < from + 8; ++i) {
        out[i] = static_cast<std::uint32_t>(base) + (static_cast<std::uint32_t>(std::countr_zero(mask)) & 63);
        mask &= mask - 1;
      }
    }
    out += count;
  }
  const std::size_t count = static_cast<std::size_t>(out - at);
  for (std::size_t i = 0; i < count; ++i) kind[i] = text[at[i]];
  return count;
}

#endif

std::size_t find_libsvm(const char* text, std::size_t size, std::uint32_t* at, char* kind) {
  return find<true>(text, size, {' ', ':', '#', '#'}, at, kind);
}
std::size_t find_vw(const char* text, std::size_t size, std::uint32_t* at, char* kind) {
  return find<true>(text, size, {' ', ':', '|', '|'}, at, kind);
}
std::size_t find_json(const char* text, std::size_t size, std::uint32_t* at, char* kind) {
  return find<true>(text, size, {0x1f, '"', '\\', '\\'}, at, kind);
}
std::size_t find_csv(const char* text, std::size_t size, char delimiter, std::uint32_t* at, char* kind) {
  return find<false>(text, size, {0, static_cast<std::uint8_t>(delimiter), '\n', '"'}, at, kind);
}
std::size_t find_blanks(const char* text, std::size_t size, std::uint32_t* at, char* kind) {
  return find<true>(text, size, {' ', '"', '"', '"'}, at, kind);
}

std::size_t line_ends(const char* text, std::size_t size) {
  const hn::CappedTag<std::uint8_t, 64> d;
  const std::size_t width = hn::Lanes(d);
  const auto line_end = hn::Set(d, std::uint8_t{'\n'});
  std::size_t count = 0, i = 0;
  for (; i + width <= size; i += width)
    count += hn::CountTrue(d, hn::Eq(hn::LoadU(d, reinterpret_cast<const std::uint8_t*>(text) + i), line_end));
  return count + static_cast<std::size_t>(std::count(text + i, text + size, '\n'));
}

}  // namespace halfspace::stream::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace halfspace::stream {

HALFSPACE_VERSIONS(find_libsvm);
HALFSPACE_VERSIONS(find_vw);
HALFSPACE_VERSIONS(find_json);
HALFSPACE_VERSIONS(find_csv);
HALFSPACE_VERSIONS(find_blanks);
HALFSPACE_VERSIONS(line_ends);

// A step writes up to 64 entries at once, whatever it has found.
void Separators::reserve(std::size_t size) {
  if (size < capacity_) return;
  capacity_ = 2 * size + 64;
  at_ = std::make_unique_for_overwrite<std::uint32_t[]>(capacity_ + 64 + padding + 2);
  kind_ = std::make_unique_for_overwrite<char[]>(capacity_ + 64 + padding + 1);
  at_[0] = ~std::uint32_t{0};
}

void Separators::finish(std::string_view text) {
  const std::uint32_t end = static_cast<std::uint32_t>(text.size());
  if (!text.empty() && text.back() != '\n') {
    at()[count_] = end;
    kind_[count_++] = '\n';
  }
  std::fill_n(at() + count_, padding, end);
  std::fill_n(kind_.get() + count_, padding, '\0');
}

void Separators::find_in_libsvm(std::string_view text) {
  reserve(text.size());
  count_ = HALFSPACE_BEST(find_libsvm)(text.data(), text.size(), at(), kind_.get());
  finish(text);
}

void Separators::find_in_vw(std::string_view text) {
  reserve(text.size());
  count_ = HALFSPACE_BEST(find_vw)(text.data(), text.size(), at(), kind_.get());
  finish(text);
}

void Separators::find_in_json(std::string_view text) {
  reserve(text.size());
  count_ = HALFSPACE_BEST(find_json)(text.data(), text.size(), at(), kind_.get());
  finish(text);
}

void Separators::find_in_csv(std::string_view text, char delimiter) {
  reserve(text.size());
  count_ = HALFSPACE_BEST(find_csv)(text.data(), text.size(), delimiter, at(), kind_.get());
  finish(text);
}

void Separators::find_in_blanks(std::string_view text) {
  reserve(text.size());
  count_ = HALFSPACE_BEST(find_blanks)(text.data(), text.size(), at(), kind_.get());
  finish(text);
  join_blanks();
  std::fill_n(at() + count_, padding, static_cast<std::uint32_t>(text.size()));
  std::fill_n(kind_.get() + count_, padding, '\0');
}

void Separators::join_blanks() {
  std::size_t kept = 0;
  bool text_before = false;  // on the line
  std::uint32_t next = 0;    // after the previous separator
  for (std::size_t i = 0; i < count_; ++i) {
    const std::uint32_t here = at()[i];
    const char kind = kind_[i];
    text_before = text_before || here != next;
    next = here + 1;
    const bool touched = i + 1 < count_ && at()[i + 1] == next;  // by a separator
    const char behind = touched ? kind_[i + 1] : '\0';
    const bool blank = kind == ' ' || kind == '\t';
    const bool line_ends =
        touched &&
        (behind == '\n' || (behind == '\r' && i + 2 < count_ && kind_[i + 2] == '\n' && at()[i + 2] == next + 1));
    if (blank ? !text_before || line_ends || behind == ' ' || behind == '\t' : kind == '\r' && behind == '\n') continue;
    at()[kept] = here;
    kind_[kept++] = blank ? ' ' : kind;
    text_before = kind != '\n';
  }
  count_ = kept;
}

std::size_t count_line_ends(std::string_view text) { return HALFSPACE_BEST(line_ends)(text.data(), text.size()); }

std::string_view first_lines(std::string_view text, std::size_t window) {
  if (text.size() <= window) return text;
  std::size_t end = text.rfind('\n', window - 1);
  if (end == std::string_view::npos) end = text.find('\n', window);
  return end == std::string_view::npos ? text : text.substr(0, end + 1);
}

}  // namespace halfspace::stream
#endif
