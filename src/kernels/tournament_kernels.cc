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
  number[TournamentRecord::unit_place] = TournamentRecord::unit_of(exponent);
  for (const std::size_t member : {0, 1, 3}) {
    number[member] *= grown;
    number[4 + member] *= grown;
  }
  for (const std::size_t member : {0, 1}) number[8 + member] = std::min(1.0F, number[8 + member] * grown * grown);
  number[10] *= shrunk * shrunk;
  for (const std::size_t k : {12, 13, 14}) number[k] *= shrunk;
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
    // Numbers 8 and 9 are for x^2; those behind them are multiplied for nothing.
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
  for (std::size_t k = 0; k < 2; ++k) sums.variance[k] += static_cast<double>(all[kCandidates + k]);
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
    Vector& taken = number<4 + member>();
    taken = hn::MulAdd(rounds, hn::Sub(weight, number<member>()), taken);
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
  const Vector arow = hn::Mul(r.number<8>(), x), scw = hn::Mul(r.number<9>(), x);
  r.move<0>(hn::MulAdd(s.arow_along, arow, r.number<0>()), s.rounds);
  r.move<1>(hn::MulAdd(s.scw_along, scw, r.number<1>()), s.rounds);
  r.number<8>() = hn::NegMulAdd(hn::Mul(s.arow_share, arow), arow, r.number<8>());
  r.number<9>() = hn::NegMulAdd(hn::Mul(s.scw_share, scw), scw, r.number<9>());
}

// Returns x / sqrt(n), and adds to the lanes of both norms.
inline Vector prepare_nag(Records& r, Vector x, const Steps& s, Vector& along, Vector& squares) {
  const Singles d;
  const Vector gradient = hn::Mul(s.nag_slope, x);
  r.number<10>() = hn::MulAdd(gradient, gradient, r.number<10>());
  const auto some = hn::Gt(r.number<10>(), hn::Zero(d));
  const Vector normalised = hn::IfThenElseZero(some, hn::Div(x, hn::Sqrt(r.number<10>())));
  along = hn::MulAdd(normalised, x, along);
  squares = hn::MulAdd(x, x, squares);
  return normalised;
}

inline void step_coin(Records& r, Vector x, const Steps& s) {
  const Singles d;
  const Vector zero = hn::Zero(d);
  const Vector coin = hn::Mul(s.coin_slope, x), size = hn::Abs(coin);
  const Vector largest = hn::Max(r.number<13>(), size);
  const Vector reward = hn::MulAdd(r.number<3>(), coin, r.number<15>());
  r.number<12>() = hn::Add(r.number<12>(), coin);
  r.number<13>() = largest;
  r.number<14>() = hn::Add(r.number<14>(), size);
  r.number<15>() = hn::IfThenElseZero(hn::Gt(reward, zero), reward);
  const Vector stake = hn::Mul(r.number<12>(), hn::Add(largest, r.number<15>()));
  const Vector scale = hn::Mul(largest, hn::Max(hn::Add(r.number<14>(), largest), hn::Mul(s.coin_alpha, largest)));
  r.move<3>(hn::IfThenElse(hn::Gt(scale, zero), hn::Div(stake, scale), r.number<3>()), s.rounds);
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
  TournamentRecord spare;  // stands where the row has ended
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
    const float before = record[2];
    record[2] = std::fma(along, normalised[i], before);
    record[6] = std::fma(rounds, record[2] - before, record[6]);
  }
}

constexpr std::size_t kDoubles = hn::MaxLanes(Doubles());
constexpr std::size_t kVectors = kCandidates / kDoubles;

// e^(-rate scale loss) for scales 1, 4 and 16 are one exponential, its 4th and its 16th power, apart from what all of a
// scale have in common.
double hedge(const double* loss, double rate, double* share) {
  const Doubles d;
  double least = 0;
  for (std::size_t k = 0; k < kCandidates; ++k) least = std::min(least, loss[k]);
  const double best = -rate * least;  // 16 times this is taken from every exponent, so that the largest is e^0
  alignas(64) double common[kCandidates] = {-15 * best, -12 * best, 0, -16 * best};
  for (std::size_t v = 0; v < kVectors; ++v) {
    hn::Store(hn::Exp(d, hn::LoadU(d, common + v * kDoubles)), d, common + v * kDoubles);
  }
  const auto one = hn::Set(d, common[0]), four = hn::Set(d, common[1]);
  double weights[kCandidates] = {}, sums[kCandidates] = {};
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
  for (std::size_t k = 0; k < kCandidates; ++k) share[k] = weights[k] / all;
  return std::log(all) + 16 * best;
}

}  // namespace halfspace::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace halfspace::kernels {

HALFSPACE_VERSIONS_BY_VALUE(scores);
HALFSPACE_VERSIONS(step);
HALFSPACE_VERSIONS(move);
HALFSPACE_VERSIONS(hedge);

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
double tournament_hedge(const double* loss, double rate, double* share) {
  return HALFSPACE_BEST(hedge)(loss, rate, share);
}

template void tournament_scores(TournamentRecord*, RowView<One>, TournamentSums&, float*);
template void tournament_scores(TournamentRecord*, RowView<float>, TournamentSums&, float*);
template void tournament_scores(TournamentRecord*, RowView<double>, TournamentSums&, float*);

}  // namespace halfspace::kernels
#endif  // HWY_ONCE
