// The kernels over records and pairs (record_kernels.h), compiled once for every instruction set. tests/game holds the rules that use
// them against their definitions, at the level of the machine.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/record_kernels.cc"
#include "halfspace/detail/kernels/record_kernels.h"

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

#if HWY_TARGET != HWY_SCALAR
// A pair is one vector; what is done to its two numbers is done at once.
using Pairs = hn::CappedTag<double, 2>;
using Pair = hn::Vec<Pairs>;

inline Pair pair_at(const double* pairs, std::uint32_t index) {
  return hn::LoadU(Pairs(), pairs + 2 * std::size_t{index});
}
inline Pair two_values(const double* value) { return hn::LoadU(Pairs(), value); }
inline Pair two_values(const float* value) {
  return hn::PromoteTo(Pairs(), hn::LoadU(hn::Rebind<float, Pairs>(), value));
}

// Lane k is the pair of both sums' lanes k.
template <class Value>
PairSums both_lanes(const double* pairs, const std::uint32_t* index, const Value* value, std::size_t size,
                    std::size_t ahead, PairSums initial) {
  const Pairs d;
  const double first[2] = {initial.weights, initial.moments};
  Pair sum[kLanes];
  sum[0] = hn::LoadU(d, first);
  for (std::size_t k = 1; k < kLanes; ++k) sum[k] = hn::Zero(d);
  const auto add = [&](std::size_t k, std::uint32_t j, Pair factors) {
    sum[k] = hn::MulAdd(pair_at(pairs, j), factors, sum[k]);
  };
  std::size_t i = 0;
  for (; i + kLanes <= size; i += kLanes) {
    fetch_ahead(index, value, i + ahead);
    for (std::size_t k = 0; k < kLanes; k += 2) {
      if constexpr (std::is_same_v<Value, One>) {
        add(k, index[i + k], hn::Set(d, 1.0));
        add(k + 1, index[i + k + 1], hn::Set(d, 1.0));
      } else {
        const Pair x = two_values(value + i + k), squares = hn::Mul(x, x);
        add(k, index[i + k], hn::InterleaveLower(d, x, squares));
        add(k + 1, index[i + k + 1], hn::InterleaveUpper(d, x, squares));
      }
    }
  }
  for (std::size_t k = 0; k + 1 < kLanes; ++k) {  // lanes by constants: they stay in registers
    if (i + k >= size) break;
    const double x = one_value(value, i + k);
    const double factors[2] = {x, x * x};
    add(k, index[i + k], hn::LoadU(d, factors));
  }
  for (std::size_t n = kLanes / 2; n > 0; n /= 2) {
    for (std::size_t k = 0; k < n; ++k) sum[k] = hn::Add(sum[k], sum[k + n]);
  }
  double sums[2];
  hn::StoreU(sum[0], d, sums);
  return {sums[0], sums[1]};
}

inline double arow_step_at(double* pair, double x, double along, double share) {
  const Pairs d;
  const Pair old = hn::LoadU(d, pair);
  const Pair g = hn::Mul(hn::DupOdd(old), hn::Set(d, x));
  const Pair next = hn::MulAdd(g, hn::OddEven(hn::Neg(hn::Mul(hn::Set(d, share), g)), hn::Set(d, along)), old);
  hn::StoreU(next, d, pair);
  return hn::GetLane(next) * x;
}
#else
template <class Value>
PairSums both_lanes(const double* pairs, const std::uint32_t* index, const Value* value, std::size_t size,
                    std::size_t /*ahead*/, PairSums initial) {
  double weights[kLanes] = {initial.weights}, moments[kLanes] = {initial.moments};
  for (std::size_t i = 0; i < size; ++i) {
    const double x = one_value(value, i);
    const double* const pair = pairs + 2 * std::size_t{index[i]};
    weights[i % kLanes] = std::fma(pair[0], x, weights[i % kLanes]);
    moments[i % kLanes] = std::fma(pair[1], x * x, moments[i % kLanes]);
  }
  return {sum_of(weights), sum_of(moments)};
}

inline double arow_step_at(double* pair, double x, double along, double share) {
  const double g = pair[1] * x;
  const double weight = std::fma(along, g, pair[0]);
  pair[0] = weight;
  pair[1] = std::fma(-(share * g), g, pair[1]);
  return weight * x;
}
#endif

template <class Value>
double arow_step_lanes(double* pairs, const std::uint32_t* index, const Value* value, std::size_t size, double along,
                       double share) {
  double lanes[kLanes] = {};
  std::size_t i = 0;
  for (; i + kLanes <= size; i += kLanes) {
    for (std::size_t k = 0; k < kLanes; ++k) {
      const double term = arow_step_at(pairs + 2 * std::size_t{index[i + k]}, one_value(value, i + k), along, share);
      lanes[k] = std::fma(term, term, lanes[k]);
    }
  }
  for (; i < size; ++i) {
    const double term = arow_step_at(pairs + 2 * std::size_t{index[i]}, one_value(value, i), along, share);
    lanes[i % kLanes] = std::fma(term, term, lanes[i % kLanes]);
  }
  return sum_of(lanes);
}

inline void adagrad_step_at(double* pair, double x, double size, double along, double box) {
  const double g = size * x;
  const double moment = std::fma(g, g, pair[1]);
  if (!(moment > 0)) return;  // a stored 0, or one too small to be seen
  const double weight = pair[0] + along * x / std::sqrt(moment);
  pair[0] = std::min(std::max(weight, -box), box);
  pair[1] = moment;
}

// Roots and quotients a vector at a time; the pairs are written one by one.
template <class Value>
void adagrad_step_lanes(double* pairs, const std::uint32_t* index, const Value* value, std::size_t size, double scale,
                        double along, double box) {
  const Doubles d;
  constexpr std::size_t width = hn::MaxLanes(Doubles());
  HWY_ALIGN double weights[width];
  HWY_ALIGN double moments[width];
  std::size_t i = 0;
  for (; i + width <= size; i += width) {
    const auto x = load_values(d, value + (std::is_same_v<Value, One> ? 0 : i));
    const auto g = hn::Mul(hn::Set(d, scale), x);
    const auto moment = hn::MulAdd(g, g, weights_at<2>(pairs + 1, index + i));
    const auto seen = hn::Gt(moment, hn::Zero(d));
    const auto root = hn::Sqrt(hn::IfThenElse(seen, moment, hn::Set(d, 1.0)));
    const auto old = weights_at<2>(pairs, index + i);
    const auto moved = hn::Add(old, hn::Div(hn::Mul(hn::Set(d, along), x), root));
    const auto clipped = hn::Min(hn::Max(moved, hn::Set(d, -box)), hn::Set(d, box));
    hn::Store(hn::IfThenElse(seen, clipped, old), d, weights);
    hn::Store(hn::IfThenElse(seen, moment, hn::Zero(d)), d, moments);
    for (std::size_t k = 0; k < width; ++k) {
      double* pair = pairs + 2 * std::size_t{index[i + k]};
      pair[0] = weights[k];
      pair[1] = moments[k];
    }
  }
  for (; i < size; ++i) {
    adagrad_step_at(pairs + 2 * std::size_t{index[i]}, one_value(value, i), scale, along, box);
  }
}

template <class Value>
double weights_lanes(std::size_t numbers, const double* records, const std::uint32_t* index, const Value* value,
                     std::size_t size, std::size_t ahead, double initial) {
  switch (numbers) {
    case 2:
      return dot_lanes<false, 2>(records, index, value, size, ahead, initial);
    case 3:
      return dot_lanes<false, 3>(records, index, value, size, ahead, initial);
  }
  return dot_lanes<false, 5>(records, index, value, size, ahead, initial);
}
double arow_step_single(double* pair, double x, double along, double share) {
  const double term = arow_step_at(pair, x, along, share);
  return term * term;
}
void accumulate(std::size_t numbers, const double* records, const std::uint32_t* index, std::size_t size, double factor,
                double* sum) {
  for (std::size_t i = 0; i < size; ++i) {
    sum[index[i]] = std::fma(factor, records[numbers * index[i]], sum[index[i]]);
  }
}

}  // namespace halfspace::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace halfspace::kernels {

HALFSPACE_VERSIONS_BY_VALUE(weights_lanes);
HALFSPACE_VERSIONS_BY_VALUE(both_lanes);
HALFSPACE_VERSIONS_BY_VALUE(arow_step_lanes);
HALFSPACE_VERSIONS_BY_VALUE(adagrad_step_lanes);
HALFSPACE_VERSIONS(arow_step_single);
HALFSPACE_VERSIONS(accumulate);

template <std::size_t numbers, class Value>
double dot_weights(const double* records, RowView<Value> x, double initial) {
  return HALFSPACE_BEST_BY_VALUE(weights_lanes)(numbers, records, x.index, x.value, x.size, x.ahead, initial);
}
template <class Value>
PairSums dot_both(const double* pairs, RowView<Value> x, PairSums initial) {
  return HALFSPACE_BEST_BY_VALUE(both_lanes)(pairs, x.index, x.value, x.size, x.ahead, initial);
}
template <class Value>
double arow_step(double* pairs, RowView<Value> x, double along, double share) {
  return HALFSPACE_BEST_BY_VALUE(arow_step_lanes)(pairs, x.index, x.value, x.size, along, share);
}
template <class Value>
void adagrad_step(double* pairs, RowView<Value> x, double size, double along, double box) {
  HALFSPACE_BEST_BY_VALUE(adagrad_step_lanes)(pairs, x.index, x.value, x.size, size, along, box);
}

#define HALFSPACE_INSTANTIATE(Value)                                     \
  template double dot_weights<2>(const double*, RowView<Value>, double); \
  template double dot_weights<3>(const double*, RowView<Value>, double); \
  template double dot_weights<5>(const double*, RowView<Value>, double); \
  template PairSums dot_both(const double*, RowView<Value>, PairSums);   \
  template double arow_step(double*, RowView<Value>, double, double);    \
  template void adagrad_step(double*, RowView<Value>, double, double, double)
HALFSPACE_INSTANTIATE(One);
HALFSPACE_INSTANTIATE(float);
HALFSPACE_INSTANTIATE(double);

double arow_step_one(double& weight, double& moment, double x, double along, double share) {
  double pair[2] = {weight, moment};
  const double square = HALFSPACE_BEST(arow_step_single)(pair, x, along, share);
  weight = pair[0];
  moment = pair[1];
  return square;
}
void adagrad_step_one(double& weight, double& moment, double x, double size, double along, double box) {
  const std::uint32_t first = 0;
  double pair[2] = {weight, moment};
  adagrad_step(pair, RowView<double>{&first, &x, 1, 0}, size, along, box);
  weight = pair[0];
  moment = pair[1];
}
template <std::size_t numbers>
void accumulate_weights(const double* records, const std::uint32_t* index, std::uint32_t size, double factor,
                        double* sum) {
  HALFSPACE_BEST(accumulate)(numbers, records, index, size, factor, sum);
}
template void accumulate_weights<2>(const double*, const std::uint32_t*, std::uint32_t, double, double*);
template void accumulate_weights<3>(const double*, const std::uint32_t*, std::uint32_t, double, double*);
template void accumulate_weights<5>(const double*, const std::uint32_t*, std::uint32_t, double, double*);

}  // namespace halfspace::kernels
#endif  // HWY_ONCE
