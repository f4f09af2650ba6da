// Decimals to integers: each coordinate takes the least power of ten that makes all its values whole.
#include "proof/exact/points.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "halfspace/base/error.h"

namespace halfspace::proof {
namespace {

constexpr std::int32_t no_value = 1 << 29;
constexpr std::int64_t largest_exact = std::int64_t{1} << 53;
constexpr std::int64_t exponent_limit = 5000;  // integers of so many digits, and no more

// Nearest double of a fraction 10^-scale * value, for integers that a double cannot hold. Good to a few units.
double approximate(const mpz_class& value) {
  signed long exponent = 0;
  const double mantissa = mpz_get_d_2exp(&exponent, value.get_mpz_t());
  return std::ldexp(mantissa, static_cast<int>(std::clamp(exponent, -1020L, 1020L)));
}

}  // namespace

mpz_class power_of_ten(unsigned long exponent) {
  mpz_class power;
  mpz_ui_pow_ui(power.get_mpz_t(), 10, exponent);
  return power;
}

void Points::add(std::uint32_t feature, std::int64_t mantissa, std::int32_t exponent) {
  while (mantissa % 10 == 0) {
    mantissa /= 10;
    ++exponent;
  }
  entries_.push_back({feature, 2 * exponent, mantissa});
}

void Points::add(std::uint32_t feature, const mpz_class& mantissa, std::int32_t exponent) {
  mpz_class reduced = mantissa;
  while (mpz_divisible_ui_p(reduced.get_mpz_t(), 10) != 0) {
    reduced /= 10;
    ++exponent;
  }
  if (reduced.fits_slong_p()) {
    entries_.push_back({feature, 2 * exponent, reduced.get_si()});
    return;
  }
  entries_.push_back({feature, 2 * exponent + 1, static_cast<std::int64_t>(long_.size())});
  long_.push_back(std::move(reduced));
}

void Points::end_row(std::uint32_t source, std::uint64_t row, std::int32_t klass) {
  ends_.push_back(entries_.size());
  source_.push_back(source);
  row_.push_back(row);
  klass_.push_back(klass);
}

// Numbers the features that occur: one bit each, and how many come before each 64 of them.
void Points::choose_coordinates() {
  std::vector<std::uint64_t> occurs(std::size_t{features_of_data_} / 64 + 1, 0);
  for (const Entry& entry : entries_) occurs[entry.coordinate / 64] |= std::uint64_t{1} << entry.coordinate % 64;
  std::vector<std::uint32_t> before(occurs.size(), 0);
  for (std::size_t k = 0; k < occurs.size(); ++k) {
    before[k] = static_cast<std::uint32_t>(feature_.size());
    for (std::uint64_t bits = occurs[k]; bits != 0; bits &= bits - 1)
      feature_.push_back(static_cast<std::uint32_t>(64 * k) + static_cast<std::uint32_t>(std::countr_zero(bits)));
  }
  for (Entry& entry : entries_) {
    const std::size_t k = entry.coordinate / 64;
    const std::uint64_t below = (std::uint64_t{1} << entry.coordinate % 64) - 1;
    entry.coordinate = before[k] + static_cast<std::uint32_t>(std::popcount(occurs[k] & below));
  }
}

// The least powers of ten that make all values of a coordinate whole.
void Points::choose_places() {
  const std::uint32_t features = this->features();
  std::vector<std::int32_t> least(features, no_value), most(features, -no_value);
  for (const Entry& entry : entries_) {
    least[entry.coordinate] = std::min<std::int32_t>(least[entry.coordinate], entry.exponent());
    most[entry.coordinate] = std::max<std::int32_t>(most[entry.coordinate], entry.exponent());
  }
  places_.assign(features, 0);
  for (std::uint32_t j = 0; j < features; ++j) {
    places_[j] = -least[j];
    if (most[j] - least[j] > exponent_limit) {
      throw Error(ErrorKind::data, "coordinate " + std::to_string(feature_[j] + 1) + " holds numbers 10^" +
                                       std::to_string(most[j] - least[j]) + " apart: too far for exact arithmetic");
    }
  }
}

void Points::finish(std::uint32_t features_of_data) {
  features_of_data_ = features_of_data;
  choose_coordinates();
  choose_places();
  BlockBuffer buffer;
  std::vector<std::pair<std::uint32_t, mpz_class>> row;
  std::uint64_t begin = 0;
  std::int64_t largest = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    bool small = true;
    // In order of coordinates, which is what the kernels want.
    std::sort(entries_.begin() + static_cast<std::ptrdiff_t>(begin),
              entries_.begin() + static_cast<std::ptrdiff_t>(ends_[i]),
              [](const Entry& a, const Entry& b) { return a.coordinate < b.coordinate; });
    row.clear();
    for (std::uint64_t e = begin; e < ends_[i]; ++e) {
      const Entry& entry = entries_[e];
      const std::int32_t shift = entry.exponent() + places_[entry.coordinate];
      std::int64_t value = entry.mantissa;
      bool fits = !entry.is_long();
      for (std::int32_t k = 0; fits && k < shift; ++k)
        fits = !__builtin_mul_overflow(value, std::int64_t{10}, &value) && std::abs(value) <= largest_exact;
      fits = fits && std::abs(value) <= largest_exact;
      if (fits && small) {
        buffer.add(entry.coordinate, static_cast<double>(value));
        largest = std::max(largest, std::abs(value));
        continue;
      }
      if (small) {  // the first long one: the row so far, exactly
        small = false;
        const auto values = buffer.values();
        const auto indices = buffer.indices();
        for (std::size_t k = buffer.stored(); k < values.size(); ++k)
          row.emplace_back(indices[k], mpz_class(values[k]));
      }
      mpz_class whole = entry.is_long() ? long_[static_cast<std::size_t>(entry.mantissa)]
                                        : mpz_class(static_cast<long>(entry.mantissa));
      whole *= power_of_ten(static_cast<unsigned long>(shift));
      buffer.add(entry.coordinate, approximate(whole));
      row.emplace_back(entry.coordinate, std::move(whole));
    }
    if (!small) big_.emplace(i, row);
    buffer.end_row(klass_[i], i + 1);
    longest_row_ = std::max<std::size_t>(longest_row_, ends_[i] - begin);
    begin = ends_[i];
    if (buffer.rows() == Rows::block_rows || i + 1 == size()) {
      rows_.append(buffer.finish());
      buffer.clear();
    }
  }
  rows_.seal();
  largest_bits_ = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(largest)));
  entries_ = {};
  long_ = {};
  ends_ = {};
}

}  // namespace halfspace::proof
