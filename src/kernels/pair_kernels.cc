// The kernels over pairs (pair_kernels.h), compiled once for every instruction set. tests/game holds the rules that use
// them against their definitions, at the level of the machine.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/pair_kernels.cc"
#include "halfspace/pair_kernels.h"

#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "base/simd.h"

HWY_BEFORE_NAMESPACE();
namespace halfspace::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::CappedTag<double, 8>;
constexpr std::size_t kLanes = 8;
constexpr std::size_t kWidth = hn::MaxLanes(Doubles());
constexpr std::size_t kVectors = kLanes / kWidth;

inline double sum_of_lanes(const double* l) {
  return ((l[0] + l[4]) + (l[2] + l[6])) + ((l[1] + l[5]) + (l[3] + l[7]));
}

template <class Value>
inline double one_value(const Value* value, std::size_t i) {
  if constexpr (std::is_same_v<Value, One>) {
    return 1.0;
  } else {
    return static_cast<double>(value[i]);
  }
}
inline hn::Vec<Doubles> values_at(Doubles d, const double* value) {
  return hn::LoadU(d, value);
}
inline hn::Vec<Doubles> values_at(Doubles d, const float* value) {
  return hn::PromoteTo(d, hn::LoadU(hn::Rebind<float, Doubles>(), value));
}
inline hn::Vec<Doubles> values_at(Doubles d, const One*) {
  return hn::Set(d, 1.0);
}

// Every second double from `base` on, at the places of the indices.
inline hn::Vec<Doubles> gather(Doubles d, const double* base, const std::uint32_t* index) {
  const auto narrow = hn::LoadU(hn::Rebind<std::uint32_t, Doubles>(), index);
  const auto wide = hn::PromoteTo(hn::RebindToUnsigned<Doubles>(), narrow);
  return hn::GatherIndex(d, base, hn::BitCast(hn::RebindToSigned<Doubles>(), hn::Add(wide, wide)));
}

// Sum of base[2 index] * x, or of base[2 index] * x^2.
template <bool squared, class Value>
inline double dot_lanes(const double* base, const std::uint32_t* index, const Value* value, std::size_t size,
                        double initial) {
  const Doubles d;
  HWY_ALIGN double lanes[kLanes] = {initial, 0, 0, 0, 0, 0, 0, 0};
  std::size_t i = 0;
  if (size >= kLanes) {
    hn::Vec<Doubles> sum[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) sum[v] = hn::Load(d, lanes + v * kWidth);
    for (; i + kLanes <= size; i += kLanes) {
      for (std::size_t v = 0; v < kVectors; ++v) {
        const std::size_t at = i + v * kWidth;
        const auto number = gather(d, base, index + at);
        if constexpr (std::is_same_v<Value, One>) {
          sum[v] = hn::Add(number, sum[v]);
        } else {
          const auto x = values_at(d, value + at);
          sum[v] = hn::MulAdd(number, squared ? hn::Mul(x, x) : x, sum[v]);
        }
      }
    }
    for (std::size_t v = 0; v < kVectors; ++v) hn::Store(sum[v], d, lanes + v * kWidth);
  }
  for (; i < size; ++i) {
    const double x = one_value(value, i);
    double& lane = lanes[i % kLanes];
    lane = std::fma(base[2 * std::size_t{index[i]}], squared ? x * x : x, lane);
  }
  return sum_of_lanes(lanes);
}

inline double confide_at(double* pair, double x, double along, double share) {
  const double g = pair[1] * x;
  const double weight = std::fma(along, g, pair[0]);
  const double part = share * g;
  pair[0] = weight;
  pair[1] = std::fma(-part, g, pair[1]);
  return weight * x;
}

template <class Value>
inline double confide_lanes(double* pairs, const std::uint32_t* index, const Value* value, std::size_t size,
                            double along, double share) {
  double lanes[kLanes] = {};
  std::size_t i = 0;
  for (; i + kLanes <= size; i += kLanes) {
    for (std::size_t k = 0; k < kLanes; ++k) {
      const double term = confide_at(pairs + 2 * std::size_t{index[i + k]}, one_value(value, i + k), along, share);
      lanes[k] = std::fma(term, term, lanes[k]);
    }
  }
  for (; i < size; ++i) {
    const double term = confide_at(pairs + 2 * std::size_t{index[i]}, one_value(value, i), along, share);
    lanes[i % kLanes] = std::fma(term, term, lanes[i % kLanes]);
  }
  return sum_of_lanes(lanes);
}

inline void adapt_at(double* pair, double x, double size, double along, double box) {
  const double g = size * x;
  const double moment = std::fma(g, g, pair[1]);
  if (!(moment > 0)) return;  // a stored 0, or one too small to be seen
  const double weight = pair[0] + along * x / std::sqrt(moment);
  pair[0] = std::min(std::max(weight, -box), box);
  pair[1] = moment;
}

// Roots and quotients a vector at a time; the pairs are written one by one.
template <class Value>
inline void adapt_lanes(double* pairs, const std::uint32_t* index, const Value* value, std::size_t size, double scale,
                        double along, double box) {
  const Doubles d;
  HWY_ALIGN double weights[kWidth];
  HWY_ALIGN double moments[kWidth];
  std::size_t i = 0;
  for (; i + kWidth <= size; i += kWidth) {
    const auto x = values_at(d, value + (std::is_same_v<Value, One> ? 0 : i));
    const auto g = hn::Mul(hn::Set(d, scale), x);
    const auto moment = hn::MulAdd(g, g, gather(d, pairs + 1, index + i));
    const auto seen = hn::Gt(moment, hn::Zero(d));
    const auto root = hn::Sqrt(hn::IfThenElse(seen, moment, hn::Set(d, 1.0)));
    const auto old = gather(d, pairs, index + i);
    const auto moved = hn::Add(old, hn::Div(hn::Mul(hn::Set(d, along), x), root));
    const auto clipped = hn::Min(hn::Max(moved, hn::Set(d, -box)), hn::Set(d, box));
    hn::Store(hn::IfThenElse(seen, clipped, old), d, weights);
    hn::Store(hn::IfThenElse(seen, moment, hn::Zero(d)), d, moments);
    for (std::size_t k = 0; k < kWidth; ++k) {
      double* pair = pairs + 2 * std::size_t{index[i + k]};
      pair[0] = weights[k];
      pair[1] = moments[k];
    }
  }
  for (; i < size; ++i) {
    adapt_at(pairs + 2 * std::size_t{index[i]}, one_value(value, i), scale, along, box);
  }
}

double weights_ones(const double* p, const std::uint32_t* j, const One* x, std::size_t n, double initial) {
  return dot_lanes<false>(p, j, x, n, initial);
}
double weights_float(const double* p, const std::uint32_t* j, const float* x, std::size_t n, double initial) {
  return dot_lanes<false>(p, j, x, n, initial);
}
double weights_double(const double* p, const std::uint32_t* j, const double* x, std::size_t n, double initial) {
  return dot_lanes<false>(p, j, x, n, initial);
}
double moments_ones(const double* p, const std::uint32_t* j, const One* x, std::size_t n, double initial) {
  return dot_lanes<true>(p + 1, j, x, n, initial);
}
double moments_float(const double* p, const std::uint32_t* j, const float* x, std::size_t n, double initial) {
  return dot_lanes<true>(p + 1, j, x, n, initial);
}
double moments_double(const double* p, const std::uint32_t* j, const double* x, std::size_t n, double initial) {
  return dot_lanes<true>(p + 1, j, x, n, initial);
}
double confide_ones(double* p, const std::uint32_t* j, const One* x, std::size_t n, double along, double share) {
  return confide_lanes(p, j, x, n, along, share);
}
double confide_float(double* p, const std::uint32_t* j, const float* x, std::size_t n, double along, double share) {
  return confide_lanes(p, j, x, n, along, share);
}
double confide_double(double* p, const std::uint32_t* j, const double* x, std::size_t n, double along, double share) {
  return confide_lanes(p, j, x, n, along, share);
}
void adapt_ones(double* p, const std::uint32_t* j, const One* x, std::size_t n, double size, double along, double box) {
  adapt_lanes(p, j, x, n, size, along, box);
}
void adapt_float(double* p, const std::uint32_t* j, const float* x, std::size_t n, double size, double along,
                 double box) {
  adapt_lanes(p, j, x, n, size, along, box);
}
void adapt_double(double* p, const std::uint32_t* j, const double* x, std::size_t n, double size, double along,
                  double box) {
  adapt_lanes(p, j, x, n, size, along, box);
}
double confide_single(double* pair, double x, double along, double share) {
  const double term = confide_at(pair, x, along, share);
  return term * term;
}
void accumulate(const double* pairs, const std::uint32_t* index, std::size_t size, double factor, double* sum) {
  for (std::size_t i = 0; i < size; ++i) {
    sum[index[i]] = std::fma(factor, pairs[2 * std::size_t{index[i]}], sum[index[i]]);
  }
}

}  // namespace halfspace::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace halfspace::kernels {

HALFSPACE_VERSIONS(weights_ones);
HALFSPACE_VERSIONS(weights_float);
HALFSPACE_VERSIONS(weights_double);
HALFSPACE_VERSIONS(moments_ones);
HALFSPACE_VERSIONS(moments_float);
HALFSPACE_VERSIONS(moments_double);
HALFSPACE_VERSIONS(confide_ones);
HALFSPACE_VERSIONS(confide_float);
HALFSPACE_VERSIONS(confide_double);
HALFSPACE_VERSIONS(adapt_ones);
HALFSPACE_VERSIONS(adapt_float);
HALFSPACE_VERSIONS(adapt_double);
HALFSPACE_VERSIONS(confide_single);
HALFSPACE_VERSIONS(accumulate);

double dot_weights(const double* pairs, RowView<One> x, double initial) {
  return HALFSPACE_BEST(weights_ones)(pairs, x.index, x.value, x.size, initial);
}
double dot_weights(const double* pairs, RowView<float> x, double initial) {
  return HALFSPACE_BEST(weights_float)(pairs, x.index, x.value, x.size, initial);
}
double dot_weights(const double* pairs, RowView<double> x, double initial) {
  return HALFSPACE_BEST(weights_double)(pairs, x.index, x.value, x.size, initial);
}
double dot_moments(const double* pairs, RowView<One> x, double initial) {
  return HALFSPACE_BEST(moments_ones)(pairs, x.index, x.value, x.size, initial);
}
double dot_moments(const double* pairs, RowView<float> x, double initial) {
  return HALFSPACE_BEST(moments_float)(pairs, x.index, x.value, x.size, initial);
}
double dot_moments(const double* pairs, RowView<double> x, double initial) {
  return HALFSPACE_BEST(moments_double)(pairs, x.index, x.value, x.size, initial);
}
double confide(double* pairs, RowView<One> x, double along, double share) {
  return HALFSPACE_BEST(confide_ones)(pairs, x.index, x.value, x.size, along, share);
}
double confide(double* pairs, RowView<float> x, double along, double share) {
  return HALFSPACE_BEST(confide_float)(pairs, x.index, x.value, x.size, along, share);
}
double confide(double* pairs, RowView<double> x, double along, double share) {
  return HALFSPACE_BEST(confide_double)(pairs, x.index, x.value, x.size, along, share);
}
void adapt(double* pairs, RowView<One> x, double size, double along, double box) {
  HALFSPACE_BEST(adapt_ones)(pairs, x.index, x.value, x.size, size, along, box);
}
void adapt(double* pairs, RowView<float> x, double size, double along, double box) {
  HALFSPACE_BEST(adapt_float)(pairs, x.index, x.value, x.size, size, along, box);
}
void adapt(double* pairs, RowView<double> x, double size, double along, double box) {
  HALFSPACE_BEST(adapt_double)(pairs, x.index, x.value, x.size, size, along, box);
}
double confide_one(double& weight, double& moment, double x, double along, double share) {
  double pair[2] = {weight, moment};
  const double square = HALFSPACE_BEST(confide_single)(pair, x, along, share);
  weight = pair[0];
  moment = pair[1];
  return square;
}
void adapt_one(double& weight, double& moment, double x, double size, double along, double box) {
  const std::uint32_t first = 0;
  double pair[2] = {weight, moment};
  adapt(pair, RowView<double>{&first, &x, 1}, size, along, box);
  weight = pair[0];
  moment = pair[1];
}
void accumulate_weights(const double* pairs, const std::uint32_t* index, std::uint32_t size, double factor,
                        double* sum) {
  HALFSPACE_BEST(accumulate)(pairs, index, size, factor, sum);
}

}  // namespace halfspace::kernels
#endif  // HWY_ONCE
