// The arithmetic of a tournament (tournament_kernels.h), compiled once for every instruction set.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/tournament_kernels.cc"
#include "halfspace/kernels/tournament_kernels.h"

#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "base/simd.h"
#include "kernels/lanes-inl.h"

// clang-format off: it belongs behind foreach_target.h, as lanes-inl.h does
#include <hwy/contrib/math/math-inl.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace halfspace::kernels::HWY_NAMESPACE {

constexpr std::size_t kNumbers = tournament_numbers;
constexpr std::size_t kCandidates = tournament_candidates;
constexpr std::size_t kWidth = hn::MaxLanes(Doubles());
constexpr std::size_t kVectors = kCandidates / kWidth;

template <class Value>
void scores(const double* records, const std::uint32_t* index, const Value* value, std::size_t size, std::size_t ahead,
            TournamentSums& sums) {
  const Doubles d;
  hn::Vec<Doubles> sum[kVectors];
  for (std::size_t v = 0; v < kVectors; ++v) sum[v] = hn::LoadU(d, sums.of + v * kWidth);
  double first = sums.variance[0], second = sums.variance[1];
  for (std::size_t i = 0; i < size; ++i) {
    if (i % kLanes == 0) fetch_ahead(index, value, i + ahead);
    if (i + 8 < size) {
      const double* const later = records + kNumbers * std::size_t{index[i + 8]};
      __builtin_prefetch(later);
      __builtin_prefetch(later + 8);
    }
    const double* const record = records + kNumbers * std::size_t{index[i]};
    const double x = one_value(value, i);
    const auto factor = hn::Set(d, x);
    for (std::size_t v = 0; v < kVectors; ++v) {
      sum[v] = hn::MulAdd(hn::LoadU(d, record + v * kWidth), factor, sum[v]);
    }
    first = std::fma(record[8], x * x, first);
    second = std::fma(record[9], x * x, second);
  }
  for (std::size_t v = 0; v < kVectors; ++v) hn::StoreU(sum[v], d, sums.of + v * kWidth);
  sums.variance[0] = first;
  sums.variance[1] = second;
}

template <class Value>
void step(double* records, const std::uint32_t* index, const Value* value, std::size_t size,
          const TournamentSteps& steps, TournamentNorms& norms, double* normalised) {
  double along = norms.along, squares = norms.squares;
  for (std::size_t i = 0; i < size; ++i) {
    double* const record = records + kNumbers * std::size_t{index[i]};
    const double x = one_value(value, i);
    const auto moved = [&](std::size_t member, double weight) {
      record[4 + member] = std::fma(steps.rounds, weight - record[member], record[4 + member]);
      record[member] = weight;
    };
    const double arow = record[8] * x, scw = record[9] * x;
    moved(0, std::fma(steps.arow_along, arow, record[0]));
    moved(1, std::fma(steps.scw_along, scw, record[1]));
    record[8] = std::fma(-(steps.arow_share * arow), arow, record[8]);
    record[9] = std::fma(-(steps.scw_share * scw), scw, record[9]);

    const double size_of_x = std::abs(x);
    if (size_of_x > record[10]) {
      moved(2, record[2] * (record[10] / size_of_x));
      record[10] = size_of_x;
    }
    const double gradient = steps.nag_slope * x;
    record[11] = std::fma(gradient, gradient, record[11]);
    const double norm = record[10] * std::sqrt(record[11]);
    normalised[i] = norm > 0 ? x / norm : 0.0;
    along = std::fma(normalised[i], x, along);
    const double share = norm > 0 ? x / record[10] : 0.0;
    squares = std::fma(share, share, squares);

    const double coin = steps.coin_slope * x, size_of_coin = std::abs(coin);
    const double theta = record[12] + coin;
    const double largest = std::max(record[13], size_of_coin);
    if (!(largest > 0)) continue;
    const double total = record[14] + size_of_coin;
    const double reward = std::max(0.0, std::fma(record[3], coin, record[15]));
    moved(3, theta * (largest + reward) / (largest * std::max(total + largest, steps.coin_alpha * largest)));
    record[12] = theta;
    record[13] = largest;
    record[14] = total;
    record[15] = reward;
  }
  norms.along = along;
  norms.squares = squares;
}

void move(double* records, const std::uint32_t* index, const double* normalised, std::size_t size, double along,
          double rounds) {
  for (std::size_t i = 0; i < size; ++i) {
    double* const record = records + kNumbers * std::size_t{index[i]};
    const double amount = along * normalised[i];
    record[2] += amount;
    record[6] = std::fma(rounds, amount, record[6]);
  }
}

double hedge(const double* loss, double rate, double* share) {
  const Doubles d;
  double least = 0;
  for (std::size_t k = 0; k < kCandidates; ++k) least = std::min(least, loss[k]);
  const double shift = -rate * tournament_scales[2] * least;  // of the best: e^0
  double weights[kCandidates] = {}, sums[kCandidates] = {};
  for (std::size_t v = 0; v < kVectors; ++v) {
    auto weight = hn::Zero(d), sum = hn::Zero(d);
    for (const double scale : tournament_scales) {
      const auto exponent =
          hn::Sub(hn::Mul(hn::Set(d, -rate * scale), hn::LoadU(d, loss + v * kWidth)), hn::Set(d, shift));
      const auto e = hn::Exp(d, exponent);
      sum = hn::Add(sum, e);
      weight = hn::MulAdd(hn::Set(d, scale), e, weight);
    }
    hn::StoreU(weight, d, weights + v * kWidth);
    hn::StoreU(sum, d, sums + v * kWidth);
  }
  const double none[1] = {-shift};
  double all =
      shift < 700 ? hn::GetLane(hn::Exp(hn::CappedTag<double, 1>(), hn::LoadU(hn::CappedTag<double, 1>(), none))) : 0.0;
  for (const double sum : sums) all += sum;
  for (std::size_t k = 0; k < kCandidates; ++k) share[k] = weights[k] / all;
  return std::log(all) + shift;
}

}  // namespace halfspace::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace halfspace::kernels {

HALFSPACE_VERSIONS_BY_VALUE(scores);
HALFSPACE_VERSIONS_BY_VALUE(step);
HALFSPACE_VERSIONS(move);
HALFSPACE_VERSIONS(hedge);

template <class Value>
void tournament_scores(const double* records, RowView<Value> x, TournamentSums& sums) {
  HALFSPACE_BEST_BY_VALUE(scores)(records, x.index, x.value, x.size, x.ahead, sums);
}
template <class Value>
void tournament_step(double* records, RowView<Value> x, const TournamentSteps& steps, TournamentNorms& norms,
                     double* normalised) {
  HALFSPACE_BEST_BY_VALUE(step)(records, x.index, x.value, x.size, steps, norms, normalised);
}
void tournament_move(double* records, const std::uint32_t* index, const double* normalised, std::uint32_t size,
                     double along, double rounds) {
  HALFSPACE_BEST(move)(records, index, normalised, size, along, rounds);
}
double tournament_hedge(const double* loss, double rate, double* share) {
  return HALFSPACE_BEST(hedge)(loss, rate, share);
}

#define HALFSPACE_INSTANTIATE(Value)                                               \
  template void tournament_scores(const double*, RowView<Value>, TournamentSums&); \
  template void tournament_step(double*, RowView<Value>, const TournamentSteps&, TournamentNorms&, double*)
HALFSPACE_INSTANTIATE(One);
HALFSPACE_INSTANTIATE(float);
HALFSPACE_INSTANTIATE(double);
#undef HALFSPACE_INSTANTIATE

}  // namespace halfspace::kernels
#endif  // HWY_ONCE
