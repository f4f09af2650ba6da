// Exact measures of separators and combinations on the data, in integers.
//
// Every value in column j is a multiple of 10^Ej, where Ej is the least exponent in the column: v * 10^Ej. Scores are
// integers in one common unit, so nothing is ever rounded; sums that are sure to stay within 126 bits use __int128, all
// others GMP.
#pragma once

#include <gmpxx.h>

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "halfspace/proof/verify/certificate.h"
#include "proof/verify/exact_reader.h"

namespace halfspace::proof {

__extension__ using Wide = __int128;  // as ISO C++ has none

// The unit of each column, and of all: real value = integer * 10^least.
struct Scale {
  std::vector<std::int64_t> exponent;  // by coordinate
  std::int64_t least = 0;              // least exponent of all, at most 0
  mpq_class bias;                      // the bias coordinate; 0 without a bias
};

// A row as integers: its value at `coordinate` is value * 10^exponent[coordinate].
struct ScaledRow {
  struct Entry {
    std::uint32_t coordinate;
    std::int64_t value;  // if `big` is empty
    std::optional<mpz_class> big;
  };
  std::vector<Entry> entries;
  int bits = 0;  // of the largest value; 1000 if one is big
  std::uint32_t klass = 0;

  void assign(const ExactRow& row, std::uint32_t row_class, const Scale& scale);
};

// Adds factor * value to the sum.
void add_product(mpz_class& sum, const mpz_class& factor, const ScaledRow::Entry& entry);

struct Facts {
  mpq_class squared_norm;
  std::optional<mpq_class> minimum;
  std::uint64_t wrong = 0, zero_negative = 0, zero_positive = 0;

  // Adds the facts of the same separator about further rows.
  void add(const Facts& more);
};

class SeparatorMeter {
 public:
  SeparatorMeter(const Separator& separator, Question question, const Scale& scale);
  void add(const ScaledRow& row);
  // The sign of the agreement of the last row.
  int last_sign() const noexcept { return last_sign_; }
  Facts facts() const;

 private:
  struct Vector {
    std::vector<mpz_class> weights;    // in units of the columns, times the denominator of the bias scale
    std::vector<std::int64_t> narrow;  // the same; empty when one of them is wider than 62 bits
    mpz_class bias;
    int bits = 0;
  };
  template <class Integer>
  Integer score(const ScaledRow& row, const Vector& vector) const;
  template <class Integer>
  void measure(const ScaledRow& row, Integer& least, bool& any);

  Question question_;
  std::vector<Vector> vectors_;
  mpq_class unit_;
  Facts facts_;
  bool any_wide_ = false, any_narrow_ = false;
  mpz_class wide_least_;
  Wide narrow_least_ = 0;
  int last_sign_ = 0;
};

// A sum of weights times points, in the units of the columns.
struct WeightedSum {
  mpz_class total;                                                 // of the weights
  std::vector<std::unordered_map<std::uint32_t, mpz_class>> sums;  // by class (two classes: one), then coordinate
  std::vector<mpz_class> bias_sums;

  void add(const WeightedSum& more);
};

class CombinationMeter {
 public:
  CombinationMeter(Question question, const Scale& scale) : question_(question), scale_(&scale) {}
  void add(const ScaledRow& row, const Term& term);
  // Adds what another meter measured on other rows.
  void add(const WeightedSum& sum) { sum_.add(sum); }
  const WeightedSum& sum() const noexcept { return sum_; }
  mpq_class squared_distance() const;
  // Return coordinates of the sum of weights times points; two classes.
  mpq_class feature_sum(std::uint32_t coordinate) const;
  mpq_class bias_sum() const;

 private:
  void add_place(std::uint32_t block, const ScaledRow& row, const mpz_class& times);

  Question question_;
  const Scale* scale_;
  WeightedSum sum_;
};

// The largest |x|² with the bias coordinate.
class RadiusMeter {
 public:
  explicit RadiusMeter(const Scale& scale);
  void add(const ScaledRow& row);
  // Adds what another meter measured on other rows.
  void raise(const mpz_class& most);
  // Returns the largest |x|² without the bias, in the common unit; none without a row.
  const std::optional<mpz_class>& most() const noexcept { return most_; }
  mpq_class squared_radius() const;

 private:
  const Scale* scale_;
  std::vector<mpz_class> units_;  // squared, by coordinate
  bool plain_ = true;             // true if all are 1
  std::optional<mpz_class> most_;
};

mpz_class power_of_ten(std::int64_t exponent);
mpq_class rational_power_of_ten(std::int64_t exponent);

}  // namespace halfspace::proof
