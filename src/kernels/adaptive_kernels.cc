// The steps of adaptive rules (adaptive_kernels.h), compiled once for every instruction set.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/adaptive_kernels.cc"
#include "halfspace/detail/kernels/adaptive_kernels.h"

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

template <class Value>
void ftrl_lanes(double* records, const std::uint32_t* index, const Value* value, std::size_t size, double g,
                const FtrlSteps& steps) {
  const double share = 1 / steps.alpha;
  for (std::size_t i = 0; i < size; ++i) {
    double* const record = records + 3 * std::size_t{index[i]};
    const double gradient = -g * one_value(value, i);
    const double n = std::fma(gradient, gradient, record[2]);
    const double root = std::sqrt(n);
    const double sigma = (root - std::sqrt(record[2])) * share;
    const double z = std::fma(-sigma, record[0], record[1] + gradient);
    const double beyond = std::abs(z) - steps.l1;
    const double length = beyond / std::fma(steps.beta + root, share, steps.l2);
    record[0] = beyond > 0 ? std::copysign(length, -z) : 0.0;
    record[1] = z;
    record[2] = n;
  }
}

template <class Value>
NormalisedSums prepare_lanes(double* records, const std::uint32_t* index, const Value* value, std::size_t size,
                             double g) {
  double along[kLanes] = {}, squares[kLanes] = {};
  for (std::size_t i = 0; i < size; ++i) {
    double* const record = records + 3 * std::size_t{index[i]};
    const double x = one_value(value, i);
    if (std::abs(x) > record[1]) {
      record[0] *= record[1] / std::abs(x);
      record[1] = std::abs(x);
    }
    const double gradient = g * x;
    record[2] = std::fma(gradient, gradient, record[2]);
    const double norm = record[1] * std::sqrt(record[2]);
    if (!(norm > 0)) continue;  // a stored 0, or one too small to be seen
    along[i % kLanes] = std::fma(x / norm, x, along[i % kLanes]);
    const double share = x / record[1];
    squares[i % kLanes] = std::fma(share, share, squares[i % kLanes]);
  }
  return {sum_of(along), sum_of(squares)};
}

template <class Value>
void normalised_lanes(double* records, const std::uint32_t* index, const Value* value, std::size_t size,
                      double amount) {
  for (std::size_t i = 0; i < size; ++i) {
    double* const record = records + 3 * std::size_t{index[i]};
    const double norm = record[1] * std::sqrt(record[2]);
    if (norm > 0) record[0] = std::fma(amount, one_value(value, i) / norm, record[0]);
  }
}

template <class Value>
void coin_lanes(double* records, const std::uint32_t* index, const Value* value, std::size_t size, double g,
                double alpha) {
  for (std::size_t i = 0; i < size; ++i) {
    double* const record = records + 5 * std::size_t{index[i]};
    const double c = g * one_value(value, i);
    const double theta = record[1] + c;
    const double largest = std::max(record[2], std::abs(c));
    const double total = record[3] + std::abs(c);
    const double reward = std::max(0.0, std::fma(record[0], c, record[4]));
    if (!(largest > 0)) continue;
    record[0] = theta / largest * ((largest + reward) / std::max(total + largest, alpha * largest));
    record[1] = theta;
    record[2] = largest;
    record[3] = total;
    record[4] = reward;
  }
}

}  // namespace halfspace::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace halfspace::kernels {

HALFSPACE_VERSIONS_BY_VALUE(ftrl_lanes);
HALFSPACE_VERSIONS_BY_VALUE(prepare_lanes);
HALFSPACE_VERSIONS_BY_VALUE(normalised_lanes);
HALFSPACE_VERSIONS_BY_VALUE(coin_lanes);

template <class Value>
void ftrl_step(double* records, RowView<Value> x, double g, const FtrlSteps& steps) {
  HALFSPACE_BEST_BY_VALUE(ftrl_lanes)(records, x.index, x.value, x.size, g, steps);
}
template <class Value>
NormalisedSums normalised_prepare(double* records, RowView<Value> x, double g) {
  return HALFSPACE_BEST_BY_VALUE(prepare_lanes)(records, x.index, x.value, x.size, g);
}
template <class Value>
void normalised_step(double* records, RowView<Value> x, double amount) {
  HALFSPACE_BEST_BY_VALUE(normalised_lanes)(records, x.index, x.value, x.size, amount);
}
template <class Value>
void coin_step(double* records, RowView<Value> x, double g, double alpha) {
  HALFSPACE_BEST_BY_VALUE(coin_lanes)(records, x.index, x.value, x.size, g, alpha);
}

#define HALFSPACE_INSTANTIATE(Value)                                           \
  template void ftrl_step(double*, RowView<Value>, double, const FtrlSteps&);  \
  template NormalisedSums normalised_prepare(double*, RowView<Value>, double); \
  template void normalised_step(double*, RowView<Value>, double);              \
  template void coin_step(double*, RowView<Value>, double, double)
HALFSPACE_INSTANTIATE(One);
HALFSPACE_INSTANTIATE(float);
HALFSPACE_INSTANTIATE(double);
#undef HALFSPACE_INSTANTIATE

}  // namespace halfspace::kernels
#endif  // HWY_ONCE
