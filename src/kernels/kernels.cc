// Scalar reference of the kernels, and their vector forms, chosen at run time. The contract that ties the
// two together is in kernels.h; tests/kernels runs every level the machine has against the reference.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/kernels.cc"
#include "halfspace/kernels/kernels.h"

#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "base/simd.h"
#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace halfspace::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

double dot_ones(const double* w, const std::uint32_t* index, const One* value, std::size_t size, std::size_t ahead,
                double initial) {
  return dot_lanes<false>(w, index, value, size, ahead, initial);
}
double dot_float(const double* w, const std::uint32_t* index, const float* value, std::size_t size, std::size_t ahead,
                 double initial) {
  return dot_lanes<false>(w, index, value, size, ahead, initial);
}
double dot_double(const double* w, const std::uint32_t* index, const double* value, std::size_t size, std::size_t ahead,
                  double initial) {
  return dot_lanes<false>(w, index, value, size, ahead, initial);
}
double dot_dense_float(const double* w, const float* value, std::size_t size, std::size_t ahead, double initial) {
  return dot_lanes<true>(w, nullptr, value, size, ahead, initial);
}
double dot_dense_double(const double* w, const double* value, std::size_t size, std::size_t ahead, double initial) {
  return dot_lanes<true>(w, nullptr, value, size, ahead, initial);
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
  return dot_lanes<true>(value, nullptr, value, size, 0, 0.0);
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
