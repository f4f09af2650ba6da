// Computes scores in doubles first.
#include "proof/large/row_scorer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/whole.h"
#include "halfspace/detail/base/elementary.h"
#include "proof/exact/points.h"

namespace halfspace::proof {
namespace {

constexpr double unknown = std::numeric_limits<double>::infinity();
// A value converted to a double is off by less than this, relative, if it is within `least_held` and `most_held`.
constexpr double conversion = 4e-15, least_held = 1e-250, most_held = 1e250;
constexpr double rounding = 2.3e-16;  // of one operation

double nearest_double(const Decimal& value) {
  static const std::array<double, 23> powers = [] {
    std::array<double, 23> table{};
    double power = 1;
    for (double& entry : table) {
      entry = power;
      power *= 10;
    }
    return table;
  }();
  const double mantissa = value.big ? value.big->get_d() : static_cast<double>(value.mantissa);
  const auto size = static_cast<std::size_t>(std::abs(value.exponent));
  if (size < powers.size()) return value.exponent < 0 ? mantissa / powers[size] : mantissa * powers[size];
  if (size > 600) return value.exponent < 0 ? 0 : unknown;
  return mantissa * elementary::power_of_ten(static_cast<double>(value.exponent));
}

mpq_class times_power_of_ten(const mpz_class& whole, std::int64_t exponent) {
  if (exponent >= 0) return mpz_class(whole * power_of_ten(static_cast<unsigned long>(exponent)));
  mpq_class result(whole, power_of_ten(static_cast<unsigned long>(-exponent)));
  result.canonicalize();
  return result;
}

// Returns 10^exponent, without computing small powers again.
const mpz_class& small_power(std::int64_t exponent) {
  static const std::array<mpz_class, 40> powers = [] {
    std::array<mpz_class, 40> table;
    for (std::size_t k = 0; k < table.size(); ++k) table[k] = power_of_ten(k);
    return table;
  }();
  thread_local mpz_class large;
  if (exponent < static_cast<std::int64_t>(powers.size())) return powers[static_cast<std::size_t>(exponent)];
  large = power_of_ten(static_cast<unsigned long>(exponent));
  return large;
}

std::int64_t least_exponent(const ExactRow& row) {
  std::int64_t least = 0;
  for (const ExactRow::Entry& entry : row.entries) least = std::min(least, entry.value.exponent);
  return least;
}

long bits_of(const mpz_class& whole) {
  return whole == 0 ? 0 : static_cast<long>(mpz_sizeinbase(whole.get_mpz_t(), 2));
}

double shifted(const mpz_class& whole, long shift) {
  signed long exponent = 0;
  const double mantissa = mpz_get_d_2exp(&exponent, whole.get_mpz_t());
  return std::ldexp(mantissa, static_cast<int>(std::clamp(exponent - shift, -2000L, 2000L)));
}

}  // namespace

RowScorer::RowScorer(const Separator& separator, const mpq_class& bias_scale, std::optional<std::int32_t> positive)
    : bias_scale_(bias_scale), rounded_scale_(bias_scale.get_d()), positive_(positive) {
  for (const WeightVector& vector : separator.vectors) {
    Vector own;
    own.weights.reserve(vector.weights.size());
    for (const std::string& weight : vector.weights) own.weights.emplace_back(weight);
    own.bias = vector.bias;
    for (const mpz_class& weight : own.weights) shift_ = std::max(shift_, bits_of(weight));
    shift_ = std::max(shift_, bits_of(own.bias));
    vectors_.push_back(std::move(own));
  }
  for (Vector& vector : vectors_) {
    for (const mpz_class& weight : vector.weights) vector.rounded.push_back(shifted(weight, shift_));
    vector.rounded_bias = shifted(vector.bias, shift_);
  }
}

Approximate RowScorer::score(const ExactRow& row, const Vector& vector) const {
  double sum = vector.rounded_bias * rounded_scale_, size = std::abs(sum), length = rounded_scale_;
  bool held = rounded_scale_ > least_held && rounded_scale_ < most_held;
  for (const ExactRow::Entry& entry : row.entries) {
    const double value = nearest_double(entry.value), magnitude = std::abs(value);
    held = held && magnitude > least_held && magnitude < most_held;
    const double product = value * vector.rounded[entry.coordinate];
    sum += product;
    size += std::abs(product);
    length += magnitude;
  }
  if (!held || !std::isfinite(size)) return {0, unknown};
  // Weights far below the largest may vanish: a weight is off by less than 1e-300 in addition.
  const double terms = static_cast<double>(row.entries.size()) + 4;
  return {sum, size * (2 * conversion + terms * rounding) + length * 1e-300};
}

mpq_class RowScorer::exact_score(const ExactRow& row, const Vector& vector) const {
  const std::int64_t least = least_exponent(row);
  mpz_class sum = 0, product;
  for (const ExactRow::Entry& entry : row.entries) {
    const mpz_class& weight = vector.weights[entry.coordinate];
    if (weight == 0) continue;
    product = weight * small_power(entry.value.exponent - least);
    if (entry.value.big) {
      product *= *entry.value.big;
    } else {
      product *= whole(entry.value.mantissa);
    }
    sum += product;
  }
  return times_power_of_ten(sum, least) + vector.bias * bias_scale_;
}

Approximate RowScorer::agreement(const ExactRow& row, std::int32_t klass) const {
  if (positive_) {
    Approximate own = score(row, vectors_[0]);
    if (klass != *positive_) own.value = -own.value;
    return own;
  }
  const Approximate own = score(row, vectors_[static_cast<std::size_t>(klass)]);
  double rival = -unknown, error = own.error;
  for (std::size_t k = 0; k < vectors_.size(); ++k) {
    if (k == static_cast<std::size_t>(klass)) continue;
    const Approximate other = score(row, vectors_[k]);
    rival = std::max(rival, other.value);
    error = std::max(error, other.error);
  }
  const double value = own.value - rival;
  return {value, 2 * error + std::abs(value) * rounding};
}

mpq_class RowScorer::exact_agreement(const ExactRow& row, std::int32_t klass) const {
  if (positive_) {
    const mpq_class score = exact_score(row, vectors_[0]);
    return klass == *positive_ ? score : mpq_class(-score);
  }
  const mpq_class own = exact_score(row, vectors_[static_cast<std::size_t>(klass)]);
  std::optional<mpq_class> least;
  for (std::size_t k = 0; k < vectors_.size(); ++k) {
    if (k == static_cast<std::size_t>(klass)) continue;
    const mpq_class difference = own - exact_score(row, vectors_[k]);
    if (!least || difference < *least) least = difference;
  }
  return *least;
}

double RowScorer::scaled_down(const mpq_class& agreement) const {
  if (agreement == 0) return 0;
  const long top = bits_of(agreement.get_num()), bottom = bits_of(agreement.get_den());
  return shifted(agreement.get_num(), top) / shifted(agreement.get_den(), bottom) *
         std::ldexp(1.0, static_cast<int>(std::clamp(top - bottom - shift_, -1000L, 1000L)));
}

double RowScorer::add(const ExactRow& row, std::int32_t klass) {
  const Approximate near = agreement(row, klass);
  const bool sure = std::abs(near.value) > near.error;
  if (sure && facts_.least && near.value - near.error > least_above_) {
    facts_.wrong += near.value < 0 ? 1 : 0;
    return near.value;
  }
  const mpq_class exact = exact_agreement(row, klass);
  if (!facts_.least || exact < *facts_.least) {
    facts_.least = exact;
    const double least = scaled_down(exact);
    least_above_ = least + std::abs(least) * 1e-12 + 1e-290;
  }
  if (exact < 0) ++facts_.wrong;
  if (exact == 0) ++(positive_ && klass == *positive_ ? facts_.zero_positive : facts_.zero_negative);
  return exact == 0 ? 0 : scaled_down(exact);
}

void FactsOfRows::add(const FactsOfRows& more) {
  if (more.least && (!least || *more.least < *least)) least = more.least;
  wrong += more.wrong;
  zero_negative += more.zero_negative;
  zero_positive += more.zero_positive;
}

void FactsOfRows::describe(Separator& separator) const {
  separator.minimum = least ? least->get_str() : "none";
  separator.wrong = wrong;
  separator.zero_negative = zero_negative;
  separator.zero_positive = zero_positive;
}

void RadiusOfRows::add(const ExactRow& row) {
  double near = 0;
  bool held = true;
  for (const ExactRow::Entry& entry : row.entries) {
    const double value = nearest_double(entry.value);
    held = held && std::abs(value) > 1e-120 && std::abs(value) < 1e120;
    near += value * value;
  }
  if (any_ && held && near < nearly_) return;
  any_ = true;
  const std::int64_t least = least_exponent(row);
  mpz_class sum = 0, value;
  for (const ExactRow::Entry& entry : row.entries) {
    value = entry.value.whole_mantissa() * small_power(entry.value.exponent - least);
    sum += value * value;
  }
  const mpq_class square = times_power_of_ten(sum, 2 * least);
  if (square <= largest_) return;
  largest_ = square;
  if (held) nearly_ = std::max(nearly_, near * (1 - 1e-9));
}

}  // namespace halfspace::proof
