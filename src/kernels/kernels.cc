// Scalar reference of the kernels, and their vector forms, chosen at run time. The contract that ties the
// two together is in kernels.h; tests/kernels runs every level the machine has against the reference.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/kernels.cc"
#include "halfspace/detail/kernels/kernels.h"

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

template <class Value>
double dot_sparse(const double* w, const std::uint32_t* index, const Value* value, std::size_t size, std::size_t ahead,
                  double initial) {
  return dot_lanes<false>(w, index, value, size, ahead, initial);
}
template <class Value>
double dot_dense(const double* w, const Value* value, std::size_t size, std::size_t ahead, double initial) {
  return dot_lanes<true>(w, nullptr, value, size, ahead, initial);
}

template <class Value>
void add_sparse(double* w, double amount, const std::uint32_t* index, const Value* value, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) w[index[i]] = std::fma(amount, one_value(value, i), w[index[i]]);
}

template <class Value>
void add_dense(double* w, double amount, const Value* value, std::size_t size) {
  const Doubles d;
  constexpr std::size_t width = hn::MaxLanes(Doubles());
  const auto factor = hn::Set(d, amount);
  std::size_t i = 0;
  for (; i + width <= size; i += width) {
    hn::StoreU(hn::MulAdd(factor, load_values(d, value + i), hn::LoadU(d, w + i)), d, w + i);
  }
  for (; i < size; ++i) w[i] = std::fma(amount, static_cast<double>(value[i]), w[i]);
}

// Two vectors of classes at a time: their chains of products hide each other's latency.
template <class Value>
void score_row(double* scores, std::size_t classes, const double* w, const std::uint32_t* index, const Value* value,
               std::size_t size) {
  const Doubles d;
  constexpr std::size_t width = hn::MaxLanes(Doubles());
  std::size_t k = 0;
  for (; k + width < classes; k += 2 * width) {
    const std::size_t second = std::min(width, classes - k - width);
    auto sum0 = hn::LoadU(d, scores + k);
    auto sum1 = load_first(d, scores + k + width, second);
    for (std::size_t i = 0; i < size; ++i) {
      const double* row = w + static_cast<std::size_t>(index[i]) * classes + k;
      const auto factor = hn::Set(d, one_value(value, i));
      sum0 = hn::MulAdd(factor, hn::LoadU(d, row), sum0);
      sum1 = hn::MulAdd(factor, load_first(d, row + width, second), sum1);
    }
    hn::StoreU(sum0, d, scores + k);
    store_first(sum1, d, scores + k + width, second);
  }
  if (k < classes) {
    const std::size_t rest = classes - k;
    auto sum = load_first(d, scores + k, rest);
    for (std::size_t i = 0; i < size; ++i) {
      const double* row = w + static_cast<std::size_t>(index[i]) * classes + k;
      sum = hn::MulAdd(hn::Set(d, one_value(value, i)), load_first(d, row, rest), sum);
    }
    store_first(sum, d, scores + k, rest);
  }
}

template <class Value>
void add_row(double* w, std::size_t classes, const double* amounts, const std::uint32_t* index, const Value* value,
             std::size_t size) {
  const Doubles d;
  constexpr std::size_t width = hn::MaxLanes(Doubles());
  std::size_t k = 0;
  for (; k + width <= classes; k += width) {
    const auto amount = hn::LoadU(d, amounts + k);
    for (std::size_t i = 0; i < size; ++i) {
      double* const row = w + static_cast<std::size_t>(index[i]) * classes + k;
      hn::StoreU(hn::MulAdd(hn::Set(d, one_value(value, i)), amount, hn::LoadU(d, row)), d, row);
    }
  }
  if (k < classes) {
    const std::size_t rest = classes - k;
    const auto amount = load_first(d, amounts + k, rest);
    for (std::size_t i = 0; i < size; ++i) {
      double* const row = w + static_cast<std::size_t>(index[i]) * classes + k;
      store_first(hn::MulAdd(hn::Set(d, one_value(value, i)), amount, load_first(d, row, rest)), d, row, rest);
    }
  }
}

template <class Value>
double sum_of_squares(const Value* value, std::size_t size) {
  return dot_lanes<true>(value, nullptr, value, size, 0, 0.0);
}

template <class Value>
void sums_of_squares(const Value* value, const std::uint64_t* offset, std::size_t rows, double* norms) {
  for (std::size_t i = 0; i < rows; ++i) {
    const Value* const row = value + offset[i];
    norms[i] = dot_lanes<true>(row, nullptr, row, offset[i + 1] - offset[i], 0, 0.0);
  }
}

}  // namespace halfspace::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace halfspace::kernels {

HALFSPACE_VERSIONS_BY_VALUE(dot_sparse);
HALFSPACE_VERSIONS_BY_VALUE(dot_dense);
HALFSPACE_VERSIONS_BY_VALUE(add_sparse);
HALFSPACE_VERSIONS_BY_VALUE(add_dense);
HALFSPACE_VERSIONS_BY_VALUE(score_row);
HALFSPACE_VERSIONS_BY_VALUE(add_row);
HALFSPACE_VERSIONS_BY_VALUE(sum_of_squares);
HALFSPACE_VERSIONS_BY_VALUE(sums_of_squares);

namespace {

bool reference_only = false;

// The contract of kernels.h, as plainly as it can be written.
template <class Value, bool dense>
double reference_dot(const double* w, const Example<Value, dense>& x, double initial) {
  double lane[8] = {initial, 0, 0, 0, 0, 0, 0, 0};
  for (std::size_t i = 0; i < x.size; ++i) {
    lane[i % 8] = std::fma(w[x.index[i]], x.value_at(i), lane[i % 8]);
  }
  return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

template <class Value, bool dense>
void reference_score_classes(double* scores, std::size_t classes, const double* w, const Example<Value, dense>& x) {
  for (std::size_t i = 0; i < x.size; ++i) {
    const double value = x.value_at(i);
    for (std::size_t k = 0; k < classes; ++k) scores[k] = std::fma(value, w[x.index[i] * classes + k], scores[k]);
  }
}

template <class Value, bool dense>
void reference_add_classes(double* w, std::size_t classes, const double* amounts, const Example<Value, dense>& x) {
  for (std::size_t i = 0; i < x.size; ++i) {
    for (std::size_t k = 0; k < classes; ++k) {
      double& weight = w[x.index[i] * classes + k];
      weight = std::fma(x.value_at(i), amounts[k], weight);
    }
  }
}

template <class Value, bool dense>
void reference_add(double* w, double amount, const Example<Value, dense>& x) {
  for (std::size_t i = 0; i < x.size; ++i) {
    w[x.index[i]] = std::fma(amount, x.value_at(i), w[x.index[i]]);
  }
}

// Prefetches as many bytes of later rows as this row has. They may be after the end of the block, which is harmless.
template <class Value, bool dense>
void fetch_behind(const Example<Value, dense>& x) {
  if (x.ahead == 0 || x.size == 0) return;
  constexpr std::size_t line = 64;
  const auto fetch = [](const void* from, std::size_t bytes) {
    for (std::size_t at = 0; at < bytes; at += line) __builtin_prefetch(static_cast<const char*>(from) + at);
  };
  if constexpr (!dense) fetch(x.index + x.ahead, x.size * sizeof(std::uint32_t));
  if constexpr (!std::is_same_v<Value, One>) fetch(x.value + x.ahead, x.size * sizeof(Value));
}

}  // namespace

void use_reference(bool reference) { reference_only = reference; }

template <class Value, bool dense>
double dot(const double* w, const Example<Value, dense>& x, double initial) {
  if (reference_only) return reference_dot(w, x, initial);
  if constexpr (dense) {
    return HALFSPACE_BEST_BY_VALUE(dot_dense)(w, x.value, x.size, x.ahead, initial);
  } else {
    return HALFSPACE_BEST_BY_VALUE(dot_sparse)(w, x.index, x.value, x.size, x.ahead, initial);
  }
}

template <class Value, bool dense>
void add(double* w, double amount, const Example<Value, dense>& x) {
  if (reference_only) return reference_add(w, amount, x);
  if constexpr (dense) {
    HALFSPACE_BEST_BY_VALUE(add_dense)(w, amount, x.value, x.size);
  } else {
    HALFSPACE_BEST_BY_VALUE(add_sparse)(w, amount, x.index, x.value, x.size);
  }
}

void add(double* w, double amount, const double* numbers, std::size_t size) {
  using Value = double;
  if (!reference_only) return HALFSPACE_BEST_BY_VALUE(add_dense)(w, amount, numbers, size);
  for (std::size_t j = 0; j < size; ++j) w[j] = std::fma(amount, numbers[j], w[j]);
}

template <class Value, bool dense>
void score_classes(double* scores, std::size_t classes, const double* w, const Example<Value, dense>& x) {
  fetch_behind(x);
  if (reference_only) return reference_score_classes(scores, classes, w, x);
  HALFSPACE_BEST_BY_VALUE(score_row)(scores, classes, w, x.index, x.value, x.size);
}

template <class Value, bool dense>
void add_classes(double* w, std::size_t classes, const double* amounts, const Example<Value, dense>& x) {
  if (reference_only) return reference_add_classes(w, classes, amounts, x);
  HALFSPACE_BEST_BY_VALUE(add_row)(w, classes, amounts, x.index, x.value, x.size);
}

#define HALFSPACE_INSTANTIATE(Value, dense)                                                       \
  template double dot(const double*, const Example<Value, dense>&, double);                       \
  template void add(double*, double, const Example<Value, dense>&);                               \
  template void score_classes(double*, std::size_t, const double*, const Example<Value, dense>&); \
  template void add_classes(double*, std::size_t, const double*, const Example<Value, dense>&)
HALFSPACE_INSTANTIATE(One, false);
HALFSPACE_INSTANTIATE(float, false);
HALFSPACE_INSTANTIATE(double, false);
HALFSPACE_INSTANTIATE(float, true);
HALFSPACE_INSTANTIATE(double, true);

template <class Value>
double squared_norm(const Value* value, std::size_t count) {
  return HALFSPACE_BEST_BY_VALUE(sum_of_squares)(value, count);
}
template double squared_norm(const float*, std::size_t);
template double squared_norm(const double*, std::size_t);

template <class Value>
void squared_norms(const Value* value, const std::uint64_t* offset, std::size_t rows, double* norms) {
  HALFSPACE_BEST_BY_VALUE(sums_of_squares)(value, offset, rows, norms);
}
template void squared_norms(const float*, const std::uint64_t*, std::size_t, double*);
template void squared_norms(const double*, const std::uint64_t*, std::size_t, double*);

}  // namespace halfspace::kernels
#endif  // HWY_ONCE
