// Computes scores, sums and norms in integers of one unit.

#include "proof/verify/measure.h"

#include <algorithm>
#include <bit>
#include <type_traits>

#include "base/whole.h"

namespace halfspace::proof {
namespace {

constexpr int too_wide = 1000;

int bits_of(std::int64_t value) {
  const std::uint64_t size = static_cast<std::uint64_t>(value);
  return static_cast<int>(std::bit_width(value < 0 ? 0 - size : size));
}

int sign(const mpz_class& value) { return sgn(value); }

int sign(Wide value) { return value > 0 ? 1 : value < 0 ? -1 : 0; }

}  // namespace

void add_product(mpz_class& sum, const mpz_class& factor, const ScaledRow::Entry& entry) {
  if (entry.big) {
    sum += factor * *entry.big;
  } else {
    add_multiple(sum, factor, entry.value);
  }
}

mpz_class power_of_ten(std::int64_t exponent) {
  mpz_class power;
  mpz_ui_pow_ui(power.get_mpz_t(), 10, static_cast<unsigned long>(exponent));
  return power;
}

mpq_class rational_power_of_ten(std::int64_t exponent) {
  return exponent >= 0 ? mpq_class(power_of_ten(exponent)) : mpq_class(1, power_of_ten(-exponent));
}

void ScaledRow::assign(const ExactRow& row, std::uint32_t row_class, const Scale& scale) {
  klass = row_class;
  bits = 0;
  entries.clear();
  for (const ExactRow::Entry& entry : row.entries) {
    const Decimal& value = entry.value;
    std::int64_t shift = value.exponent - scale.exponent[entry.coordinate];
    if (!value.big) {
      std::int64_t small = value.mantissa;
      for (; shift > 0 && bits_of(small) < 59; --shift) small *= 10;  // 59 + log2(10) < 63
      if (shift == 0) {
        bits = std::max(bits, bits_of(small));
        entries.push_back({entry.coordinate, small, {}});
        continue;
      }
    }
    shift = value.exponent - scale.exponent[entry.coordinate];
    bits = too_wide;
    entries.push_back({entry.coordinate, 0, mpz_class(value.whole_mantissa() * power_of_ten(shift))});
  }
}

// ---- separators

// In the unit 10^least / q, where p/q is the bias scale: weight * q * 10^(Ej - least), bias * p * 10^-least.
SeparatorMeter::SeparatorMeter(const Separator& separator, Question question, const Scale& scale)
    : question_(question) {
  const mpz_class p = scale.bias.get_num(), q = scale.bias.get_den();
  unit_ = rational_power_of_ten(scale.least) / mpq_class(q);
  mpz_class squares;
  for (const WeightVector& given : separator.vectors) {
    Vector& vector = vectors_.emplace_back();
    std::size_t bits = 0;
    for (std::size_t j = 0; j < given.weights.size(); ++j) {
      const mpz_class weight(given.weights[j]);
      squares += weight * weight;
      const std::int64_t shift = scale.exponent[j] - scale.least;
      vector.weights.push_back(shift == 0 ? mpz_class(weight * q) : mpz_class(weight * q * power_of_ten(shift)));
      bits = std::max(bits, mpz_sizeinbase(vector.weights.back().get_mpz_t(), 2));
    }
    const mpz_class bias(given.bias);
    squares += bias * bias;
    vector.bias = bias * p * power_of_ten(-scale.least);
    bits = std::max(bits, mpz_sizeinbase(vector.bias.get_mpz_t(), 2));
    vector.bits = static_cast<int>(std::min<std::size_t>(bits, too_wide));
    if (vector.bits <= 62) {
      for (const mpz_class& weight : vector.weights) vector.narrow.push_back(int64_of(weight));
    }
  }
  facts_.squared_norm = squares;
}

template <class Integer>
Integer SeparatorMeter::score(const ScaledRow& row, const Vector& vector) const {
  if constexpr (std::is_same_v<Integer, Wide>) {
    Wide sum = int64_of(vector.bias);
    for (const ScaledRow::Entry& entry : row.entries) {
      sum += static_cast<Wide>(vector.narrow[entry.coordinate]) * entry.value;
    }
    return sum;
  } else {
    mpz_class sum = vector.bias;
    for (const ScaledRow::Entry& entry : row.entries) add_product(sum, vector.weights[entry.coordinate], entry);
    return sum;
  }
}

template <class Integer>
void SeparatorMeter::measure(const ScaledRow& row, Integer& least, bool& any) {
  Integer agreement = score<Integer>(row, vectors_[question_ == Question::two_classes ? 0 : row.klass]);
  if (question_ == Question::two_classes) {
    if (row.klass == 0) agreement = -agreement;
  } else {
    Integer best_rival = 0;
    bool first = true;
    for (std::size_t k = 0; k < vectors_.size(); ++k) {
      if (k == row.klass) continue;
      const Integer rival = score<Integer>(row, vectors_[k]);
      if (first || rival > best_rival) best_rival = rival;
      first = false;
    }
    agreement -= best_rival;
  }
  last_sign_ = sign(agreement);
  facts_.wrong += last_sign_ < 0;
  if (last_sign_ == 0)
    ++(question_ == Question::two_classes && row.klass == 1 ? facts_.zero_positive : facts_.zero_negative);
  if (!any || agreement < least) least = agreement;
  any = true;
}

void SeparatorMeter::add(const ScaledRow& row) {
  // Each product has at most the bits of both factors; n of them and the bias at most log2(n + 1) more; the difference
  // of two scores one more.
  int bits = 0;
  for (const Vector& vector : vectors_) bits = std::max(bits, vector.bits);
  const bool narrow =
      bits <= 62 && row.bits <= 63 && bits + row.bits + static_cast<int>(std::bit_width(row.entries.size() + 1)) <= 125;
  if (narrow) {
    measure<Wide>(row, narrow_least_, any_narrow_);
  } else {
    measure<mpz_class>(row, wide_least_, any_wide_);
  }
}

void Facts::add(const Facts& more) {
  if (more.minimum && (!minimum || *more.minimum < *minimum)) minimum = more.minimum;
  wrong += more.wrong;
  zero_negative += more.zero_negative;
  zero_positive += more.zero_positive;
}

Facts SeparatorMeter::facts() const {
  Facts facts = facts_;
  std::optional<mpz_class> least;
  if (any_narrow_) least = whole(narrow_least_);
  if (any_wide_ && (!least || wide_least_ < *least)) least = wide_least_;
  if (least) facts.minimum = mpq_class(*least) * unit_;
  return facts;
}

// ---- combinations

void WeightedSum::add(const WeightedSum& more) {
  total += more.total;
  if (sums.size() < more.sums.size()) {
    sums.resize(more.sums.size());
    bias_sums.resize(more.sums.size());
  }
  for (std::size_t block = 0; block < more.sums.size(); ++block) {
    for (const auto& [coordinate, sum] : more.sums[block]) sums[block][coordinate] += sum;
    bias_sums[block] += more.bias_sums[block];
  }
}

void CombinationMeter::add_place(std::uint32_t block, const ScaledRow& row, const mpz_class& times) {
  if (sum_.sums.size() <= block) {
    sum_.sums.resize(block + 1);
    sum_.bias_sums.resize(block + 1);
  }
  for (const ScaledRow::Entry& entry : row.entries) add_product(sum_.sums[block][entry.coordinate], times, entry);
  sum_.bias_sums[block] += times;
}

void CombinationMeter::add(const ScaledRow& row, const Term& term) {
  const mpz_class times(term.weight);
  sum_.total += times;
  if (question_ == Question::two_classes) {
    add_place(0, row, row.klass == 1 ? times : mpz_class(-times));
  } else {
    add_place(row.klass, row, times);
    add_place(term.rival, row, mpz_class(-times));
  }
}

mpq_class CombinationMeter::squared_distance() const {
  mpz_class squares;  // in units of 10^(2 least)
  mpz_class bias_squares;
  for (std::size_t block = 0; block < sum_.sums.size(); ++block) {
    for (const auto& [coordinate, sum] : sum_.sums[block]) {
      if (sgn(sum) == 0) continue;
      const mpz_class scaled = sum * power_of_ten(scale_->exponent[coordinate] - scale_->least);
      squares += scaled * scaled;
    }
    bias_squares += sum_.bias_sums[block] * sum_.bias_sums[block];
  }
  const mpq_class length = mpq_class(squares) * rational_power_of_ten(2 * scale_->least) +
                           mpq_class(bias_squares) * scale_->bias * scale_->bias;
  return length / mpq_class(sum_.total * sum_.total);
}

mpq_class CombinationMeter::feature_sum(std::uint32_t coordinate) const {
  if (sum_.sums.empty()) return 0;
  const auto found = sum_.sums[0].find(coordinate);
  return found == sum_.sums[0].end() ? mpq_class(0)
                                     : mpq_class(found->second) * rational_power_of_ten(scale_->exponent[coordinate]);
}

mpq_class CombinationMeter::bias_sum() const {
  return sum_.bias_sums.empty() ? mpq_class(0) : mpq_class(sum_.bias_sums[0]) * scale_->bias;
}

// ---- the radius

RadiusMeter::RadiusMeter(const Scale& scale) : scale_(&scale) {
  for (const std::int64_t exponent : scale.exponent) {
    plain_ = plain_ && exponent == scale.least;
    units_.push_back(power_of_ten(2 * (exponent - scale.least)));
  }
}

void RadiusMeter::add(const ScaledRow& row) {
  if (plain_ && row.bits <= 48) {
    Wide sum = 0;  // fewer than 2^30 squares of at most 96 bits
    for (const ScaledRow::Entry& entry : row.entries) sum += static_cast<Wide>(entry.value) * entry.value;
    raise(whole(sum));
    return;
  }
  mpz_class sum;
  for (const ScaledRow::Entry& entry : row.entries) {
    const mpz_class value = entry.big ? *entry.big : whole(entry.value);
    sum += value * value * units_[entry.coordinate];
  }
  raise(sum);
}

void RadiusMeter::raise(const mpz_class& most) {
  if (!most_ || most > *most_) most_ = most;
}

mpq_class RadiusMeter::squared_radius() const {
  if (!most_) return 0;
  return mpq_class(*most_) * rational_power_of_ten(2 * scale_->least) + scale_->bias * scale_->bias;
}

}  // namespace halfspace::proof
