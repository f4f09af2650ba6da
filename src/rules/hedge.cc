// Hedge over candidates at several scales (hedge.h), compiled once for every instruction set.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "rules/hedge.cc"
#include "rules/hedge.h"

#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>

#include "base/simd.h"
#include "halfspace/detail/base/elementary.h"
#include "halfspace/detail/rules/hedge_mixture.h"

// clang-format off: it must follow foreach_target.h
#include <hwy/contrib/math/math-inl.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace halfspace::rules::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::CappedTag<double, 8>;
constexpr std::size_t kMost = HedgeMixture::max_candidates;
constexpr std::size_t kDoubles = hn::MaxLanes(Doubles());
constexpr std::size_t kVectors = kMost / kDoubles;

// e^(-rate scale loss) for scales 1, 4 and 16 are one exponential, its 4th and its 16th power, apart from what all of a
// scale have in common.
double shares(const double* loss, double rate, double* share) {
  const Doubles d;
  double least = 0;
  for (std::size_t k = 0; k < kMost; ++k) least = std::min(least, loss[k]);
  const double best = -rate * least;  // 16 times this is taken from every exponent, so that the largest is e^0
  alignas(64) double common[kMost] = {-15 * best, -12 * best, 0, -16 * best};
  for (std::size_t v = 0; v < kVectors; ++v) {
    hn::Store(hn::Exp(d, hn::LoadU(d, common + v * kDoubles)), d, common + v * kDoubles);
  }
  const auto one = hn::Set(d, common[0]), four = hn::Set(d, common[1]);
  double weights[kMost] = {}, sums[kMost] = {};
  for (std::size_t v = 0; v < kVectors; ++v) {
    const auto behind = hn::Sub(hn::LoadU(d, loss + v * kDoubles), hn::Set(d, least));
    const auto e = hn::Exp(d, hn::Mul(hn::Set(d, -rate), behind));
    const auto square = hn::Mul(e, e), fourth = hn::Mul(square, square), eighth = hn::Mul(fourth, fourth);
    const auto first = hn::Mul(e, one), second = hn::Mul(fourth, four), third = hn::Mul(eighth, eighth);
    hn::StoreU(hn::Add(hn::Add(first, second), third), d, sums + v * kDoubles);
    hn::StoreU(hn::MulAdd(hn::Set(d, 16.0), third, hn::MulAdd(hn::Set(d, 4.0), second, first)), d,
               weights + v * kDoubles);
  }
  double all = common[3];
  for (const double sum : sums) all += sum;
  for (std::size_t k = 0; k < kMost; ++k) share[k] = weights[k] / all;
  return elementary::log(all) + 16 * best;
}

}  // namespace halfspace::rules::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace halfspace::rules {

HALFSPACE_VERSIONS(shares);

double hedge(const double* loss, double rate, double* share) { return HALFSPACE_BEST(shares)(loss, rate, share); }

}  // namespace halfspace::rules
#endif  // HWY_ONCE
