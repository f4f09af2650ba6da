// The arithmetic of a tournament (tournament_kernels.h), compiled once for every instruction set.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/tournament_kernels.cc"
#include "halfspace/detail/kernels/tournament_kernels.h"

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

constexpr std::size_t kNumbers = tournament_numbers;
constexpr std::size_t kCandidates = tournament_candidates;
using Record = TournamentRecord;
using Singles = hn::CappedTag<float, kNumbers>;
using Vector = hn::Vec<Singles>;
constexpr std::size_t kWidth = hn::MaxLanes(Singles());
constexpr std::size_t kParts = kNumbers / kWidth;
constexpr std::size_t kAhead = 32;  // values: their records are asked for so long before they are needed

// Makes the unit that of a value.
HWY_NOINLINE void widen(TournamentRecord& record, double value) {
  constexpr int most = 40;  // weights of a column that grew by more are as good as none
  const auto biased = static_cast<int>(std::bit_cast<std::uint64_t>(value) >> 52 & 0x7ff);
  const int exponent = std::min(biased - 1023, TournamentRecord::most);
  float* const number = record.number;
  const float grown = std::ldexp(1.0F, std::min(exponent - record.exponent(), most)), shrunk = 1 / grown;
  number[Record::unit] = Record::unit_of(exponent);
  for (const std::size_t member : {Record::arow, Record::scw, Record::coin}) {
    number[member] *= grown;
    number[Record::correction + member] *= grown;
  }
  for (const std::size_t k : {Record::arow_variance, Record::scw_variance}) {
    number[k] = std::min(1.0F, number[k] * grown * grown);
  }
  number[Record::nag_squares] *= shrunk * shrunk;
  for (const std::size_t k : {Record::coin_theta, Record::coin_largest, Record::coin_total}) number[k] *= shrunk;
}

template <class Value>
void scores(TournamentRecord* records, const std::uint32_t* index, const Value* value, std::size_t size,
            std::size_t ahead, std::size_t readable, TournamentSums& sums, float* scaled) {
  const Singles d;
  Vector sum[kParts];
  for (std::size_t v = 0; v < kParts; ++v) sum[v] = hn::Zero(d);
  for (std::size_t i = 0; i < size; ++i) {
    if (i % kLanes == 0) fetch_ahead(index, value, i + ahead);
    if (i + kAhead < size + readable) __builtin_prefetch(records + index[i + kAhead]);
    TournamentRecord& record = records[index[i]];
    const double given = one_value(value, i);
    double exact = given * record.inverse_unit();
    if (!(std::abs(exact) < 2) && record.exponent() < TournamentRecord::most) {
      widen(record, given);
      exact = given * record.inverse_unit();
    }
    const auto x = static_cast<float>(exact);
    scaled[i] = x;
    // The variances are multiplied by x^2, the numbers after them for nothing.
    const Vector factor = hn::Set(d, x), square = hn::Mul(factor, factor);
    for (std::size_t v = 0; v < kParts; ++v) {
      const Vector number = hn::LoadU(d, record.number + v * kWidth);
      if constexpr (kWidth == kNumbers) {
        sum[v] = hn::MulAdd(number, hn::IfThenElse(hn::FirstN(d, kCandidates), factor, square), sum[v]);
      } else if (v * kWidth < kCandidates + 2) {
        sum[v] = hn::MulAdd(number, v * kWidth < kCandidates ? factor : square, sum[v]);
      }
    }
  }
  float all[kNumbers];
  for (std::size_t v = 0; v < kParts; ++v) hn::StoreU(sum[v], d, all + v * kWidth);
  for (std::size_t k = 0; k < kCandidates; ++k) sums.of[k] += static_cast<double>(all[k]);
  sums.arow_variance += static_cast<double>(all[Record::arow_variance]);
  sums.scw_variance += static_cast<double>(all[Record::scw_variance]);
}

// As many records as a vector has lanes: their numbers, each a vector over the records.
class Records {
 public:
  explicit Records(float* const (&record)[kWidth]) {
    for (std::size_t part = 0; part < kParts; ++part) {
      for (std::size_t k = 0; k < kWidth; ++k) number_[part][k] = hn::LoadU(Singles(), record[k] + part * kWidth);
      transpose(number_[part]);
    }
  }
  void store(float* const (&record)[kWidth]) {
    for (std::size_t part = 0; part < kParts; ++part) {
      transpose(number_[part]);
      for (std::size_t k = 0; k < kWidth; ++k) hn::StoreU(number_[part][k], Singles(), record[k] + part * kWidth);
    }
  }

  template <std::size_t n>
  Vector& number() {
    return number_[n / kWidth][n % kWidth];
  }
  template <std::size_t member>
  void move(Vector weight, Vector rounds) {
    Vector& correction = number<Record::correction + member>();
    correction = hn::MulAdd(rounds, hn::Sub(weight, number<member>()), correction);
    number<member>() = weight;
  }

 private:
  // Swaps rows and columns: within blocks of four lanes, then the blocks.
  static void transpose([[maybe_unused]] Vector (&row)[kWidth]) {
#if HWY_TARGET != HWY_SCALAR
    const Singles d;
    const hn::Repartition<double, Singles> twos;
    for (std::size_t k = 0; k < kWidth; k += 4) {
      const auto low = hn::BitCast(twos, hn::InterleaveLower(d, row[k], row[k + 1]));
      const auto high = hn::BitCast(twos, hn::InterleaveUpper(d, row[k], row[k + 1]));
      const auto later_low = hn::BitCast(twos, hn::InterleaveLower(d, row[k + 2], row[k + 3]));
      const auto later_high = hn::BitCast(twos, hn::InterleaveUpper(d, row[k + 2], row[k + 3]));
      row[k] = hn::BitCast(d, hn::InterleaveLower(twos, low, later_low));
      row[k + 1] = hn::BitCast(d, hn::InterleaveUpper(twos, low, later_low));
      row[k + 2] = hn::BitCast(d, hn::InterleaveLower(twos, high, later_high));
      row[k + 3] = hn::BitCast(d, hn::InterleaveUpper(twos, high, later_high));
    }
    if constexpr (kWidth == 16) {
      for (const std::size_t k : {0, 1, 2, 3, 8, 9, 10, 11}) {
        const Vector a = row[k], b = row[k + 4];
        row[k] = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(b), a);
        row[k + 4] = hn::OddEvenBlocks(b, hn::SwapAdjacentBlocks(a));
      }
    }
    if constexpr (kWidth >= 8) {
      for (std::size_t k = 0; k < kWidth / 2; ++k) {
        const Vector a = row[k], b = row[k + kWidth / 2];
        row[k] = hn::ConcatLowerLower(d, b, a);
        row[k + kWidth / 2] = hn::ConcatUpperUpper(d, b, a);
      }
    }
#endif
  }

  Vector number_[kParts][kWidth];
};

// The steps of a row, in vectors.
struct Steps {
  explicit Steps(const TournamentSteps& s)
      : arow_along(hn::Set(Singles(), s.arow_along)),
        arow_share(hn::Set(Singles(), s.arow_share)),
        scw_along(hn::Set(Singles(), s.scw_along)),
        scw_share(hn::Set(Singles(), s.scw_share)),
        nag_slope(hn::Set(Singles(), s.nag_slope)),
        coin_slope(hn::Set(Singles(), s.coin_slope)),
        coin_alpha(hn::Set(Singles(), s.coin_alpha)),
        rounds(hn::Set(Singles(), s.rounds)) {}
  Vector arow_along, arow_share, scw_along, scw_share, nag_slope, coin_slope, coin_alpha, rounds;
};

inline void step_confident(Records& r, Vector x, const Steps& s) {
  const Vector arow = hn::Mul(r.number<Record::arow_variance>(), x), scw = hn::Mul(r.number<Record::scw_variance>(), x);
  r.move<Record::arow>(hn::MulAdd(s.arow_along, arow, r.number<Record::arow>()), s.rounds);
  r.move<Record::scw>(hn::MulAdd(s.scw_along, scw, r.number<Record::scw>()), s.rounds);
  r.number<Record::arow_variance>() =
      hn::NegMulAdd(hn::Mul(s.arow_share, arow), arow, r.number<Record::arow_variance>());
  r.number<Record::scw_variance>() = hn::NegMulAdd(hn::Mul(s.scw_share, scw), scw, r.number<Record::scw_variance>());
}

// Returns x / sqrt(n), and adds to the lanes of both norms.
inline Vector prepare_nag(Records& r, Vector x, const Steps& s, Vector& along, Vector& squares) {
  const Singles d;
  const Vector gradient = hn::Mul(s.nag_slope, x);
  r.number<Record::nag_squares>() = hn::MulAdd(gradient, gradient, r.number<Record::nag_squares>());
  const auto some = hn::Gt(r.number<Record::nag_squares>(), hn::Zero(d));
  const Vector normalised = hn::IfThenElseZero(some, hn::Div(x, hn::Sqrt(r.number<Record::nag_squares>())));
  along = hn::MulAdd(normalised, x, along);
  squares = hn::MulAdd(x, x, squares);
  return normalised;
}

inline void step_coin(Records& r, Vector x, const Steps& s) {
  const Singles d;
  const Vector zero = hn::Zero(d);
  const Vector coin = hn::Mul(s.coin_slope, x), size = hn::Abs(coin);
  const Vector largest = hn::Max(r.number<Record::coin_largest>(), size);
  const Vector reward = hn::MulAdd(r.number<Record::coin>(), coin, r.number<Record::coin_reward>());
  r.number<Record::coin_theta>() = hn::Add(r.number<Record::coin_theta>(), coin);
  r.number<Record::coin_largest>() = largest;
  r.number<Record::coin_total>() = hn::Add(r.number<Record::coin_total>(), size);
  r.number<Record::coin_reward>() = hn::IfThenElseZero(hn::Gt(reward, zero), reward);
  const Vector stake = hn::Mul(r.number<Record::coin_theta>(), hn::Add(largest, r.number<Record::coin_reward>()));
  const Vector scale =
      hn::Mul(largest, hn::Max(hn::Add(r.number<Record::coin_total>(), largest), hn::Mul(s.coin_alpha, largest)));
  r.move<Record::coin>(hn::IfThenElse(hn::Gt(scale, zero), hn::Div(stake, scale), r.number<Record::coin>()), s.rounds);
}

// Adds the lanes of both parts of a sum, in double precision.
inline double sum_of_singles(const Vector (&sum)[kParts]) {
  float lane[kNumbers];
  for (std::size_t v = 0; v < kParts; ++v) hn::StoreU(sum[v], Singles(), lane + v * kWidth);
  double all = 0;
  for (const float part : lane) all += static_cast<double>(part);
  return all;
}

void step(TournamentRecord* records, const std::uint32_t* index, const float* scaled, std::size_t size,
          const TournamentSteps& steps, TournamentNorms& norms, float* normalised) {
  const Singles d;
  const Steps s(steps);
  Vector along[kParts], squares[kParts];
  for (std::size_t v = 0; v < kParts; ++v) along[v] = squares[v] = hn::Zero(d);
  TournamentRecord spare;  // padding after the end of the row
  float* record[kWidth];
  for (std::size_t first = 0; first < size; first += kNumbers) {
    for (std::size_t v = 0; v < kParts; ++v) {
      const std::size_t i = first + v * kWidth, count = i < size ? std::min(size - i, kWidth) : 0;
      if (count == 0) break;
      for (std::size_t k = 0; k < kWidth; ++k) record[k] = (k < count ? records[index[i + k]] : spare).number;
      const Vector given = hn::LoadU(d, scaled + i);
      const Vector x = count == kWidth ? given : hn::IfThenElseZero(hn::FirstN(d, count), given);
      Records r(record);
      step_confident(r, x, s);
      hn::StoreU(prepare_nag(r, x, s, along[v], squares[v]), d, normalised + i);
      step_coin(r, x, s);
      r.store(record);
    }
  }
  norms.along += sum_of_singles(along);
  norms.squares += sum_of_singles(squares);
}

void move(TournamentRecord* records, const std::uint32_t* index, const float* normalised, std::size_t size, float along,
          float rounds) {
  for (std::size_t i = 0; i < size; ++i) {
    float* const record = records[index[i]].number;
    float& weight = record[Record::nag];
    float& correction = record[Record::correction + Record::nag];
    const float before = weight;
    weight = std::fma(along, normalised[i], before);
    correction = std::fma(rounds, weight - before, correction);
  }
}

}  // namespace halfspace::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace halfspace::kernels {

HALFSPACE_VERSIONS_BY_VALUE(scores);
HALFSPACE_VERSIONS(step);
HALFSPACE_VERSIONS(move);

template <class Value>
void tournament_scores(TournamentRecord* records, RowView<Value> x, TournamentSums& sums, float* scaled) {
  HALFSPACE_BEST_BY_VALUE(scores)(records, x.index, x.value, x.size, x.ahead, x.readable, sums, scaled);
}
void tournament_step(TournamentRecord* records, const std::uint32_t* index, const float* scaled, std::uint32_t size,
                     const TournamentSteps& steps, TournamentNorms& norms, float* normalised) {
  HALFSPACE_BEST(step)(records, index, scaled, size, steps, norms, normalised);
}
void tournament_move(TournamentRecord* records, const std::uint32_t* index, const float* normalised, std::uint32_t size,
                     float along, float rounds) {
  HALFSPACE_BEST(move)(records, index, normalised, size, along, rounds);
}

template void tournament_scores(TournamentRecord*, RowView<One>, TournamentSums&, float*);
template void tournament_scores(TournamentRecord*, RowView<float>, TournamentSums&, float*);
template void tournament_scores(TournamentRecord*, RowView<double>, TournamentSums&, float*);

}  // namespace halfspace::kernels
#endif  // HWY_ONCE
