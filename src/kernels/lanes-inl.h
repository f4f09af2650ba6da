// Sums in 8 lanes, for the files of this room that are compiled once for every instruction set: included by each once a
// set, inside no namespace. The contract is in kernels.h.
#if defined(HALFSPACE_KERNELS_LANES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef HALFSPACE_KERNELS_LANES_INL_H
#undef HALFSPACE_KERNELS_LANES_INL_H
#else
#define HALFSPACE_KERNELS_LANES_INL_H
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "halfspace/kernels/example.h"

HWY_BEFORE_NAMESPACE();
namespace halfspace::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// 8 lanes: one AVX-512 vector, two AVX2 vectors, four SSE4 vectors. The tag is capped, so that wider machines keep 8.
using Doubles = hn::CappedTag<double, 8>;
constexpr std::size_t kLanes = 8;

// ((l0+l4)+(l2+l6)) + ((l1+l5)+(l3+l7)): what is left is halved and its halves are added, until one lane is left.
template <class D>
inline double halved(D, hn::Vec<D> sum) {
#if HWY_TARGET != HWY_SCALAR  // which has no halves
  if constexpr (hn::MaxLanes(D()) > 1) {
    const hn::Half<D> half;
    return halved(half, hn::Add(hn::LowerHalf(half, sum), hn::UpperHalf(half, sum)));
  }
#endif
  return hn::GetLane(sum);
}
inline double sum_of(const double (&l)[kLanes]) {
  return ((l[0] + l[4]) + (l[2] + l[6])) + ((l[1] + l[5]) + (l[3] + l[7]));
}
template <std::size_t vectors>
inline double sum_of_lanes(hn::Vec<Doubles> (&sum)[vectors]) {
  for (std::size_t n = vectors / 2; n > 0; n /= 2) {
    for (std::size_t v = 0; v < n; ++v) sum[v] = hn::Add(sum[v], sum[v + n]);
  }
  return halved(Doubles(), sum[0]);
}

// Loads `count` (= vector size) values as doubles.
inline hn::Vec<Doubles> load_values(Doubles d, const double* value) { return hn::LoadU(d, value); }
inline hn::Vec<Doubles> load_values(Doubles d, const float* value) {
  return hn::PromoteTo(d, hn::LoadU(hn::Rebind<float, Doubles>(), value));
}

inline hn::Vec<Doubles> load_values(Doubles d, const One*) { return hn::Set(d, 1.0); }

// Loads the first `count` numbers, then zeros; and stores the first. Without masks Highway loads and stores the whole
// vector, aligned.
template <class D, class T>
inline hn::Vec<D> load_first(D d, const T* from, std::size_t count) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
  return hn::MaskedLoad(hn::FirstN(d, count), d, from);
#else
  HWY_ALIGN T some[hn::MaxLanes(D())] = {};
  std::copy_n(from, std::min(count, hn::MaxLanes(d)), some);
  return hn::Load(d, some);
#endif
}
template <class D, class T>
inline void store_first(hn::Vec<D> numbers, D d, T* to, std::size_t count) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
  hn::BlendedStore(numbers, hn::FirstN(d, count), d, to);
#else
  HWY_ALIGN T all[hn::MaxLanes(D())];
  hn::Store(numbers, d, all);
  std::copy_n(all, std::min(count, hn::MaxLanes(d)), to);
#endif
}

inline hn::Vec<Doubles> load_some(Doubles d, const double* value, std::size_t count) {
  return load_first(d, value, count);
}
inline hn::Vec<Doubles> load_some(Doubles d, const float* value, std::size_t count) {
  return hn::PromoteTo(d, load_first(hn::Rebind<float, Doubles>(), value, count));
}

template <class Value>
inline double one_value(const Value* value, std::size_t i) {
  if constexpr (std::is_same_v<Value, One>) {
    return 1.0;
  } else {
    return static_cast<double>(value[i]);
  }
}

using Indices = hn::Rebind<std::uint32_t, Doubles>;

// Weights lie `stride` doubles apart: weight j at w[stride * j].
template <std::size_t stride>
inline hn::Vec<Doubles> gather(const double* w, hn::Vec<Indices> index) {
  const auto wide = hn::PromoteTo(hn::RebindToUnsigned<Doubles>(), index);
  auto place = wide;
  if constexpr (stride == 2 || stride == 3) place = hn::Add(place, wide);
  if constexpr (stride == 5) place = hn::ShiftLeft<2>(place);
  if constexpr (stride == 3 || stride == 5) place = hn::Add(place, wide);
  static_assert(stride == 1 || stride == 2 || stride == 3 || stride == 5);
  return hn::GatherIndex(Doubles(), w, hn::BitCast(hn::RebindToSigned<Doubles>(), place));
}

// A vector of the weights that these indices name, loaded one by one: on Zen 4 a pass over floats took an eighth less
// than gathering, one over doubles the same.
#if HWY_TARGET <= HWY_AVX2
template <std::size_t stride>
inline __m256d four_weights(const double* w, const std::uint32_t* index) {
  const auto pair = [&](const std::uint32_t* at) {
    std::uint64_t both;
    std::memcpy(&both, at, sizeof both);
    return _mm_loadh_pd(_mm_load_sd(w + stride * std::size_t{static_cast<std::uint32_t>(both)}),
                        w + stride * (both >> 32));
  };
  return _mm256_set_m128d(pair(index + 2), pair(index));
}
template <std::size_t stride>
inline hn::Vec<Doubles> weights_at(const double* w, const std::uint32_t* index) {
#if HWY_TARGET <= HWY_AVX3
  const __m512d low = _mm512_castpd256_pd512(four_weights<stride>(w, index));
  return hn::Vec<Doubles>{_mm512_insertf64x4(low, four_weights<stride>(w, index + 4), 1)};
#else
  return hn::Vec<Doubles>{four_weights<stride>(w, index)};
#endif
}
#else
template <std::size_t stride>
inline hn::Vec<Doubles> weights_at(const double* w, const std::uint32_t* index) {
  return gather<stride>(w, hn::LoadU(Indices(), index));
}
#endif

// Asks for what a walk comes to next while row i is worked on: a line of values, a line of indices.
template <class Value>
inline void fetch_ahead(const std::uint32_t* index, const Value* value, std::size_t at) {
  if constexpr (!std::is_same_v<Value, One>) __builtin_prefetch(value + at);
  if (index != nullptr) __builtin_prefetch(index + at);
}

// Eight products at a time, those of vector v at i + v * width.
template <bool dense, std::size_t stride = 1, class Weight, class Value>
inline double dot_lanes(const Weight* w, const std::uint32_t* index, const Value* value, std::size_t size,
                        std::size_t ahead, double initial) {
  const Doubles d;
  constexpr std::size_t width = hn::MaxLanes(Doubles());
  constexpr std::size_t vectors = kLanes / width;
  hn::Vec<Doubles> sum[vectors];
  sum[0] = hn::IfThenElseZero(hn::FirstN(d, 1), hn::Set(d, initial));
  for (std::size_t v = 1; v < vectors; ++v) sum[v] = hn::Zero(d);
  std::size_t i = 0;
  for (; i + kLanes <= size; i += kLanes) {
    fetch_ahead(dense ? nullptr : index, value, i + ahead);
    for (std::size_t v = 0; v < vectors; ++v) {
      const std::size_t at = i + v * width;
      hn::Vec<Doubles> weight;
      if constexpr (dense) {
        weight = load_values(d, w + at);
      } else {
        weight = weights_at<stride>(w, index + at);
      }
      if constexpr (std::is_same_v<Value, One>) {
        sum[v] = hn::Add(weight, sum[v]);  // fma(w, 1, sum) rounds once, as the plain sum does
      } else {
        sum[v] = hn::MulAdd(weight, load_values(d, value + at), sum[v]);
      }
    }
  }
  if constexpr (vectors == 1) {  // the end of a row is a vector with a mask
    if (i < size) {
      const auto inside = hn::FirstN(d, size - i);
      hn::Vec<Doubles> weight;
      if constexpr (dense) {
        weight = load_some(d, w + i, size - i);
      } else {  // outside it is w[0]
        weight = gather<stride>(w, load_first(Indices(), index + i, size - i));
      }
      hn::Vec<Doubles> next;
      if constexpr (std::is_same_v<Value, One>) {
        next = hn::Add(weight, sum[0]);
      } else {
        next = hn::MulAdd(weight, load_some(d, value + i, size - i), sum[0]);
      }
      sum[0] = hn::IfThenElse(inside, next, sum[0]);
    }
    return sum_of_lanes(sum);
  }
  if (i == size) return sum_of_lanes(sum);
  HWY_ALIGN double lanes[kLanes];
  for (std::size_t v = 0; v < vectors; ++v) hn::Store(sum[v], d, lanes + v * width);
  for (; i < size; ++i) {
    double& lane = lanes[i % kLanes];
    lane = std::fma(one_value(w, stride * (dense ? i : index[i])), one_value(value, i), lane);
  }
  for (std::size_t v = 0; v < vectors; ++v) sum[v] = hn::Load(d, lanes + v * width);
  return sum_of_lanes(sum);
}

}  // namespace halfspace::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per target
