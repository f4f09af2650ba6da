// Scalar reference of the kernels, and their vector forms, chosen at run time. The contract that ties the
// two together is in kernels.h; tests/kernels runs every level the machine has against the reference.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/kernels.cc"
#include "halfspace/kernels.h"

#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/simd.h"

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
template <std::size_t vectors>
inline double sum_of_lanes(hn::Vec<Doubles> (&sum)[vectors]) {
  for (std::size_t n = vectors / 2; n > 0; n /= 2) {
    for (std::size_t v = 0; v < n; ++v) sum[v] = hn::Add(sum[v], sum[v + n]);
  }
  return halved(Doubles(), sum[0]);
}

// Loads `count` (= vector size) values as doubles.
inline hn::Vec<Doubles> load_values(Doubles d, const double* value) {
  return hn::LoadU(d, value);
}
inline hn::Vec<Doubles> load_values(Doubles d, const float* value) {
  return hn::PromoteTo(d, hn::LoadU(hn::Rebind<float, Doubles>(), value));
}

// Loads the first `count` values, zeros behind them.
inline hn::Vec<Doubles> load_some(Doubles d, const double* value, std::size_t count) {
  return hn::MaskedLoad(hn::FirstN(d, count), d, value);
}
inline hn::Vec<Doubles> load_some(Doubles d, const float* value, std::size_t count) {
  const hn::Rebind<float, Doubles> df;
  return hn::PromoteTo(d, hn::MaskedLoad(hn::FirstN(df, count), df, value));
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

inline hn::Vec<Doubles> gather(const double* w, hn::Vec<Indices> index) {
  const auto wide = hn::PromoteTo(hn::RebindToUnsigned<Doubles>(), index);
  return hn::GatherIndex(Doubles(), w, hn::BitCast(hn::RebindToSigned<Doubles>(), wide));
}

// A vector of the weights that these indices name, loaded one by one: on Zen 4 an eighth faster than gathering them.
#if HWY_TARGET <= HWY_AVX2
inline __m256d four_weights(const double* w, const std::uint32_t* index) {
  const auto pair = [&](const std::uint32_t* at) {
    std::uint64_t both;
    std::memcpy(&both, at, sizeof both);
    return _mm_loadh_pd(_mm_load_sd(w + static_cast<std::uint32_t>(both)), w + (both >> 32));
  };
  return _mm256_set_m128d(pair(index + 2), pair(index));
}
inline hn::Vec<Doubles> weights_at(const double* w, const std::uint32_t* index) {
#if HWY_TARGET <= HWY_AVX3
  const __m512d low = _mm512_castpd256_pd512(four_weights(w, index));
  return hn::Vec<Doubles>{_mm512_insertf64x4(low, four_weights(w, index + 4), 1)};
#else
  return hn::Vec<Doubles>{four_weights(w, index)};
#endif
}
#else
inline hn::Vec<Doubles> weights_at(const double* w, const std::uint32_t* index) {
  return gather(w, hn::LoadU(Indices(), index));
}
#endif

// Asks for what a walk comes to next while row i is worked on: a line of values, a line of indices.
template <class Value>
inline void fetch_ahead(const std::uint32_t* index, const Value* value, std::size_t at) {
  if constexpr (!std::is_same_v<Value, One>) __builtin_prefetch(value + at);
  if (index != nullptr) __builtin_prefetch(index + at);
}

// Eight products at a time, those of vector v at i + v * width.
template <class Value, bool dense>
inline double dot_lanes(const double* w, const std::uint32_t* index, const Value* value, std::size_t size,
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
        weight = hn::LoadU(d, w + at);
      } else {
        weight = weights_at(w, index + at);
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
        weight = hn::MaskedLoad(inside, d, w + i);
      } else {  // outside it is w[0]
        weight = gather(w, hn::MaskedLoad(hn::FirstN(Indices(), size - i), Indices(), index + i));
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
    lane = std::fma(w[dense ? i : index[i]], one_value(value, i), lane);
  }
  for (std::size_t v = 0; v < vectors; ++v) sum[v] = hn::Load(d, lanes + v * width);
  return sum_of_lanes(sum);
}

double dot_ones(const double* w, const std::uint32_t* index, const One* value, std::size_t size, std::size_t ahead,
                double initial) {
  return dot_lanes<One, false>(w, index, value, size, ahead, initial);
}
double dot_float(const double* w, const std::uint32_t* index, const float* value, std::size_t size, std::size_t ahead,
                 double initial) {
  return dot_lanes<float, false>(w, index, value, size, ahead, initial);
}
double dot_double(const double* w, const std::uint32_t* index, const double* value, std::size_t size, std::size_t ahead,
                  double initial) {
  return dot_lanes<double, false>(w, index, value, size, ahead, initial);
}
double dot_dense_float(const double* w, const float* value, std::size_t size, std::size_t ahead, double initial) {
  return dot_lanes<float, true>(w, nullptr, value, size, ahead, initial);
}
double dot_dense_double(const double* w, const double* value, std::size_t size, std::size_t ahead, double initial) {
  return dot_lanes<double, true>(w, nullptr, value, size, ahead, initial);
}

template <class Value>
inline void add_sparse(double* w, double amount, const std::uint32_t* index, const Value* value, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) w[index[i]] = std::fma(amount, one_value(value, i), w[index[i]]);
}
void add_ones(double* w, double amount, const std::uint32_t* index, const One* value, std::size_t size) {
  add_sparse(w, amount, index, value, size);
}
void add_float(double* w, double amount, const std::uint32_t* index, const float* value, std::size_t size) {
  add_sparse(w, amount, index, value, size);
}
void add_double(double* w, double amount, const std::uint32_t* index, const double* value, std::size_t size) {
  add_sparse(w, amount, index, value, size);
}

template <class Value>
inline void add_dense(double* w, double amount, const Value* value, std::size_t size) {
  const Doubles d;
  constexpr std::size_t width = hn::MaxLanes(Doubles());
  const auto factor = hn::Set(d, amount);
  std::size_t i = 0;
  for (; i + width <= size; i += width) {
    hn::StoreU(hn::MulAdd(factor, load_values(d, value + i), hn::LoadU(d, w + i)), d, w + i);
  }
  for (; i < size; ++i) w[i] = std::fma(amount, static_cast<double>(value[i]), w[i]);
}
void add_dense_float(double* w, double amount, const float* value, std::size_t size) {
  add_dense(w, amount, value, size);
}
void add_dense_double(double* w, double amount, const double* value, std::size_t size) {
  add_dense(w, amount, value, size);
}

// Two vectors of classes at a time: their chains of products hide each other's latency.
template <class Value>
inline void score_classes_lanes(double* scores, std::size_t classes, const double* w, const std::uint32_t* index,
                                const Value* value, std::size_t size) {
  const Doubles d;
  constexpr std::size_t width = hn::MaxLanes(Doubles());
  std::size_t k = 0;
  for (; k + width < classes; k += 2 * width) {
    const auto second = hn::FirstN(d, std::min(width, classes - k - width));
    auto sum0 = hn::LoadU(d, scores + k);
    auto sum1 = hn::MaskedLoad(second, d, scores + k + width);
    for (std::size_t i = 0; i < size; ++i) {
      const double* row = w + static_cast<std::size_t>(index[i]) * classes + k;
      const auto factor = hn::Set(d, one_value(value, i));
      sum0 = hn::MulAdd(factor, hn::LoadU(d, row), sum0);
      sum1 = hn::MulAdd(factor, hn::MaskedLoad(second, d, row + width), sum1);
    }
    hn::StoreU(sum0, d, scores + k);
    hn::BlendedStore(sum1, second, d, scores + k + width);
  }
  if (k < classes) {
    const auto rest = hn::FirstN(d, classes - k);
    auto sum = hn::MaskedLoad(rest, d, scores + k);
    for (std::size_t i = 0; i < size; ++i) {
      const double* row = w + static_cast<std::size_t>(index[i]) * classes + k;
      sum = hn::MulAdd(hn::Set(d, one_value(value, i)), hn::MaskedLoad(rest, d, row), sum);
    }
    hn::BlendedStore(sum, rest, d, scores + k);
  }
}
void score_classes_ones(double* scores, std::size_t classes, const double* w, const std::uint32_t* index,
                        const One* value, std::size_t size) {
  score_classes_lanes(scores, classes, w, index, value, size);
}
void score_classes_float(double* scores, std::size_t classes, const double* w, const std::uint32_t* index,
                         const float* value, std::size_t size) {
  score_classes_lanes(scores, classes, w, index, value, size);
}
void score_classes_double(double* scores, std::size_t classes, const double* w, const std::uint32_t* index,
                          const double* value, std::size_t size) {
  score_classes_lanes(scores, classes, w, index, value, size);
}

double sum_of_squares(const double* value, std::size_t size) {
  return dot_lanes<double, true>(value, nullptr, value, size, 0, 0.0);
}

}  // namespace halfspace::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace halfspace::kernels {

HALFSPACE_VERSIONS(dot_ones);
HALFSPACE_VERSIONS(dot_float);
HALFSPACE_VERSIONS(dot_double);
HALFSPACE_VERSIONS(dot_dense_float);
HALFSPACE_VERSIONS(dot_dense_double);
HALFSPACE_VERSIONS(add_ones);
HALFSPACE_VERSIONS(add_float);
HALFSPACE_VERSIONS(add_double);
HALFSPACE_VERSIONS(add_dense_float);
HALFSPACE_VERSIONS(add_dense_double);
HALFSPACE_VERSIONS(score_classes_ones);
HALFSPACE_VERSIONS(score_classes_float);
HALFSPACE_VERSIONS(score_classes_double);
HALFSPACE_VERSIONS(sum_of_squares);

namespace {

bool reference_only = false;

// The contract of kernels.h, as plainly as it can be written.
template <class Value, bool dense>
double reference_dot(const double* w, const Example<Value, dense>& x, double initial) {
  double lane[8] = {initial, 0, 0, 0, 0, 0, 0, 0};
  for (std::size_t i = 0; i < x.size; ++i) {
    double value = 1.0;
    if constexpr (!std::is_same_v<Value, One>) value = static_cast<double>(x.value[i]);
    lane[i % 8] = std::fma(w[x.index[i]], value, lane[i % 8]);
  }
  return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

template <class Value, bool dense>
void reference_score_classes(double* scores, std::size_t classes, const double* w, const Example<Value, dense>& x) {
  for (std::size_t i = 0; i < x.size; ++i) {
    double value = 1.0;
    if constexpr (!std::is_same_v<Value, One>) value = static_cast<double>(x.value[i]);
    for (std::size_t k = 0; k < classes; ++k) scores[k] = std::fma(value, w[x.index[i] * classes + k], scores[k]);
  }
}

template <class Value, bool dense>
void reference_add(double* w, double amount, const Example<Value, dense>& x) {
  for (std::size_t i = 0; i < x.size; ++i) {
    double value = 1.0;
    if constexpr (!std::is_same_v<Value, One>) value = static_cast<double>(x.value[i]);
    w[x.index[i]] = std::fma(amount, value, w[x.index[i]]);
  }
}

// As many bytes as this row has, of the rows to come. They may lie behind the block: asking does no harm.
template <class Value, bool dense>
void fetch_behind(const Example<Value, dense>& x) {
  if (x.ahead == 0) return;
  constexpr std::size_t line = 64;
  const auto fetch = [](const void* from, std::size_t bytes) {
    for (std::size_t at = 0; at < bytes; at += line) __builtin_prefetch(static_cast<const char*>(from) + at);
  };
  if constexpr (!dense) fetch(x.index + x.ahead, x.size * sizeof(std::uint32_t));
  if constexpr (!std::is_same_v<Value, One>) fetch(x.value + x.ahead, x.size * sizeof(Value));
}

}  // namespace

void use_reference(bool reference) {
  reference_only = reference;
}

double dot(const double* w, const Example<One, false>& x, double initial) {
  if (reference_only) return reference_dot(w, x, initial);
  return HALFSPACE_BEST(dot_ones)(w, x.index, x.value, x.size, x.ahead, initial);
}
double dot(const double* w, const Example<float, false>& x, double initial) {
  if (reference_only) return reference_dot(w, x, initial);
  return HALFSPACE_BEST(dot_float)(w, x.index, x.value, x.size, x.ahead, initial);
}
double dot(const double* w, const Example<double, false>& x, double initial) {
  if (reference_only) return reference_dot(w, x, initial);
  return HALFSPACE_BEST(dot_double)(w, x.index, x.value, x.size, x.ahead, initial);
}
double dot(const double* w, const Example<float, true>& x, double initial) {
  if (reference_only) return reference_dot(w, x, initial);
  return HALFSPACE_BEST(dot_dense_float)(w, x.value, x.size, x.ahead, initial);
}
double dot(const double* w, const Example<double, true>& x, double initial) {
  if (reference_only) return reference_dot(w, x, initial);
  return HALFSPACE_BEST(dot_dense_double)(w, x.value, x.size, x.ahead, initial);
}

void add(double* w, double amount, const Example<One, false>& x) {
  if (reference_only) return reference_add(w, amount, x);
  HALFSPACE_BEST(add_ones)(w, amount, x.index, x.value, x.size);
}
void add(double* w, double amount, const Example<float, false>& x) {
  if (reference_only) return reference_add(w, amount, x);
  HALFSPACE_BEST(add_float)(w, amount, x.index, x.value, x.size);
}
void add(double* w, double amount, const Example<double, false>& x) {
  if (reference_only) return reference_add(w, amount, x);
  HALFSPACE_BEST(add_double)(w, amount, x.index, x.value, x.size);
}
void add(double* w, double amount, const Example<float, true>& x) {
  if (reference_only) return reference_add(w, amount, x);
  HALFSPACE_BEST(add_dense_float)(w, amount, x.value, x.size);
}
void add(double* w, double amount, const Example<double, true>& x) {
  if (reference_only) return reference_add(w, amount, x);
  HALFSPACE_BEST(add_dense_double)(w, amount, x.value, x.size);
}

void score_classes(double* scores, std::size_t classes, const double* w, const Example<One, false>& x) {
  fetch_behind(x);
  if (reference_only) return reference_score_classes(scores, classes, w, x);
  HALFSPACE_BEST(score_classes_ones)(scores, classes, w, x.index, x.value, x.size);
}
void score_classes(double* scores, std::size_t classes, const double* w, const Example<float, false>& x) {
  fetch_behind(x);
  if (reference_only) return reference_score_classes(scores, classes, w, x);
  HALFSPACE_BEST(score_classes_float)(scores, classes, w, x.index, x.value, x.size);
}
void score_classes(double* scores, std::size_t classes, const double* w, const Example<double, false>& x) {
  fetch_behind(x);
  if (reference_only) return reference_score_classes(scores, classes, w, x);
  HALFSPACE_BEST(score_classes_double)(scores, classes, w, x.index, x.value, x.size);
}
void score_classes(double* scores, std::size_t classes, const double* w, const Example<float, true>& x) {
  fetch_behind(x);
  if (reference_only) return reference_score_classes(scores, classes, w, x);
  HALFSPACE_BEST(score_classes_float)(scores, classes, w, x.index, x.value, x.size);
}
void score_classes(double* scores, std::size_t classes, const double* w, const Example<double, true>& x) {
  fetch_behind(x);
  if (reference_only) return reference_score_classes(scores, classes, w, x);
  HALFSPACE_BEST(score_classes_double)(scores, classes, w, x.index, x.value, x.size);
}

double squared_norm(const double* value, std::size_t count) {
  return HALFSPACE_BEST(sum_of_squares)(value, count);
}

}  // namespace halfspace::kernels
#endif  // HWY_ONCE
