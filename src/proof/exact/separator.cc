// Computes exact scores.
#include "proof/exact/separator.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/whole.h"
#include "halfspace/detail/base/elementary.h"
#include "halfspace/detail/base/rounding.h"

namespace halfspace::proof {
namespace {

__extension__ using Wide = __int128;

// Computes scores of members, one at a time, by the narrowest arithmetic that is sure to hold them.
class Scorer {
 public:
  Scorer(const Problem& problem, const std::vector<mpz_class>& v) : problem_(problem), v_(v) {
    std::size_t bits = 0;
    for (const mpz_class& x : v) bits = std::max(bits, mpz_sizeinbase(x.get_mpz_t(), 2));
    const std::size_t terms = static_cast<std::size_t>(std::bit_width(problem.points->longest_row() + 1));
    narrow_ = bits <= 62 &&
              bits + std::max<std::size_t>(1, static_cast<std::size_t>(problem.points->largest_bits())) + terms <= 126;
    if (narrow_) {
      for (const mpz_class& x : v) small_.push_back(int64_of(x));
    }
  }

  // Computes the sign and value of the score of member i: `wide` if narrow, else `whole`.
  bool score(std::size_t i, Wide& wide, mpz_class& whole) const {
    const Member member = problem_.members[i];
    if (narrow_) {
      Wide sum = problem_.biased ? small_.back() : 0;
      if (problem_.points->each_small(
              member.row, [&](std::uint32_t j, std::int64_t value) { sum += static_cast<Wide>(small_[j]) * value; })) {
        wide = member.sign < 0 ? -sum : sum;
        return true;
      }
    }
    whole = 0;
    problem_.each(i, [&](std::uint32_t j, const mpz_class& value) {
      mpz_addmul(whole.get_mpz_t(), v_[j].get_mpz_t(), value.get_mpz_t());
    });
    return false;
  }

 private:
  const Problem& problem_;
  const std::vector<mpz_class>& v_;
  std::vector<std::int64_t> small_;
  bool narrow_ = false;
};

}  // namespace

SeparatorMargins measure_separator(const Problem& problem, const std::vector<mpz_class>& v, std::size_t lowest,
                                   const std::vector<std::uint8_t>& counted, const Budget& budget) {
  SeparatorMargins result;
  const Scorer scorer(problem, v);
  Wide least = 0, wide = 0;
  mpz_class least_whole, whole;
  bool any_wide = false, any_whole = false;
  std::uint32_t worst_wide = 0, worst_whole = 0;
  std::vector<std::pair<double, std::uint32_t>> low;
  for (std::uint32_t i = 0; i < problem.size(); ++i) {
    if (i % 1024 == 0) budget.check();
    int sign = 0;
    const bool narrow = scorer.score(i, wide, whole);
    if (narrow) {
      sign = wide > 0 ? 1 : wide < 0 ? -1 : 0;
      if (!any_wide || wide < least) {
        least = wide;
        worst_wide = i;
      }
      any_wide = true;
    } else {
      sign = sgn(whole);
      if (!any_whole || whole < least_whole) {
        least_whole = whole;
        worst_whole = i;
      }
      any_whole = true;
    }
    if (sign < 0) ++result.wrong;
    if (sign == 0) ++(problem.members[i].sign < 0 ? result.zero_negative : result.zero_positive);
    const bool bad = sign < 0 || (sign == 0 && (counted.empty() || counted[i] != 0));
    if (bad && lowest > 0) low.emplace_back(narrow ? static_cast<double>(wide) : whole.get_d(), i);
  }
  if (any_wide) {
    result.minimum = halfspace::whole(least);
    result.worst = worst_wide;
  }
  if (any_whole && (!any_wide || least_whole < result.minimum)) {
    result.minimum = least_whole;
    result.worst = worst_whole;
  }
  std::sort(low.begin(), low.end());
  if (low.size() > lowest) low.resize(lowest);
  for (const auto& entry : low) result.lowest.push_back(entry.second);
  return result;
}

std::vector<mpz_class> round_weights(const std::vector<double>& w, int bits) {
  double largest = 0;
  for (const double x : w) largest = larger(largest, std::abs(x));
  std::vector<mpz_class> v(w.size());
  if (largest == 0 || !std::isfinite(largest)) return v;
  const int shift = bits - std::ilogb(largest) - 1;
  for (std::size_t j = 0; j < w.size(); ++j) v[j] = mpz_class(std::nearbyint(std::ldexp(w[j], shift)));
  return v;
}

std::optional<std::vector<mpz_class>> round_separator(const SignedPoints& points, const std::vector<double>& w,
                                                      int bits) {
  double largest = 0;
  for (const double x : w) {
    if (!std::isfinite(x)) return std::nullopt;
    largest = std::max(largest, std::abs(x));
  }
  // Rounding to the grid 2^-shift moves a score by at most half a step for each unit of the row's 1-norm.
  double need = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double score = points.dot_unscaled(i, w.data());
    double length = points.biased() ? 1 : 0;
    points.each(i, [&](std::uint32_t, double value) { length += std::abs(value); });
    if (!(score > 0) || !std::isfinite(length)) return std::nullopt;
    need = std::max(need, length / score);
  }
  if (largest == 0 || !std::isfinite(need)) return std::nullopt;
  const int shift = std::ilogb(need) + 1 + bits;
  std::vector<mpz_class> v(w.size());
  for (std::size_t j = 0; j < w.size(); ++j) {
    // Shifts the mantissa as an integer, since ldexp could overflow.
    int exponent = 0;
    const double mantissa = std::frexp(w[j], &exponent);
    const long to = static_cast<long>(exponent) + shift;
    if (to < 0) continue;
    mpz_class whole(std::nearbyint(std::ldexp(mantissa, static_cast<int>(std::min(to, 60L)))));
    if (to > 60) whole <<= static_cast<unsigned long>(to - 60);
    v[j] = whole;
  }
  return v;
}

mpq_class DataWeights::squared_norm() const {
  mpz_class sum = bias * bias;
  for (const mpz_class& w : weights) sum += w * w;
  return sum;
}

DataWeights in_data_coordinates(const Problem& problem, const std::vector<mpz_class>& v) {
  // Integer coordinate = data coordinate / unit, so the weight is v / unit, times the factor that makes all whole.
  DataWeights result;
  const std::uint32_t features = problem.points->features();
  std::int32_t least = 0;
  for (std::uint32_t j = 0; j < features; ++j) {
    if (v[j] != 0) least = std::min(least, problem.points->places(j));
  }
  mpz_class common = power_of_ten(static_cast<unsigned long>(-least));
  if (problem.biased) common *= problem.bias_scale.get_num();
  for (std::uint32_t j = 0; j < features; ++j) {
    const mpq_class weight = v[j] == 0 ? mpq_class(0) : mpq_class(v[j] * common) / problem.unit(j);
    result.weights.push_back(weight.get_num());
  }
  if (problem.biased) result.bias = mpq_class(mpq_class(v[features] * common) / problem.bias_scale).get_num();
  mpz_class divisor = result.bias;
  for (const mpz_class& w : result.weights) mpz_gcd(divisor.get_mpz_t(), divisor.get_mpz_t(), w.get_mpz_t());
  if (divisor < 0) divisor = -divisor;
  if (divisor > 1) {
    for (mpz_class& w : result.weights) w /= divisor;
    result.bias /= divisor;
  } else {
    divisor = 1;
  }
  result.factor = mpq_class(common) / mpq_class(divisor);
  return result;
}

namespace {

// Returns the squared norms of rows in doubles, accurate to better than 1e-9, or NaN if doubles cannot represent them:
// values beyond the range were clamped, and a unit that underflows removes its coordinate from the sum.
std::vector<double> squared_lengths(const Problem& problem) {
  constexpr double largest_value = 0x1p1019, least_unit = 1e-290, least_sum = 1e-270;
  std::vector<double> unit(problem.points->features());
  for (std::uint32_t j = 0; j < unit.size(); ++j) unit[j] = elementary::power_of_ten(-problem.points->places(j));
  std::vector<double> square(problem.size());
  for (std::size_t i = 0; i < problem.size(); ++i) {
    double sum = 0;
    bool sure = true, zero = true;
    problem.points->rows().with_row(problem.members[i].row, [&](const auto& x) {
      for (std::uint32_t k = 0; k < x.size; ++k) {
        if (x.value_at(k) == 0) continue;
        zero = false;
        sure = sure && std::abs(x.value_at(k)) < largest_value && unit[x.index[k]] > least_unit;
        const double value = unit[x.index[k]] * x.value_at(k);
        sum += value * value;
      }
    });
    sure = sure && std::isfinite(sum) && (zero || sum > least_sum);
    square[i] = sure ? sum : std::numeric_limits<double>::quiet_NaN();
  }
  return square;
}

}  // namespace

mpq_class squared_radius(const Problem& problem) {
  const std::vector<double> square = squared_lengths(problem);
  double largest = 0;
  for (const double length : square) largest = std::max(largest, length);  // the largest known norm
  mpq_class result = 0;
  for (std::size_t i = 0; i < problem.size(); ++i) {
    if (square[i] < largest * (1 - 1e-9)) continue;  // never skips an unknown norm
    mpq_class sum = 0;
    problem.points->each(problem.members[i].row, [&](std::uint32_t j, const mpz_class& value) {
      const mpq_class x = value * problem.unit(j);
      sum += x * x;
    });
    result = std::max(result, sum);
  }
  if (problem.biased && problem.size() > 0) result += problem.bias_scale * problem.bias_scale;
  return result;
}

}  // namespace halfspace::proof
