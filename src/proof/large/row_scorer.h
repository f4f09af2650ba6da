// Evaluates a separator on rows of a text, one at a time, exactly.
//
// A score is computed in doubles with a bound on its error; only a score that may be 0, or the least one, is computed
// again in integers. Cost of a row: two operations a value, rarely more.
//
// Thread-safety: an object is for one thread.
#pragma once

#include <gmpxx.h>

#include <optional>
#include <vector>

#include "halfspace/proof/verify/certificate.h"
#include "proof/verify/exact_reader.h"

namespace halfspace::proof {

// A double and a bound on its distance from the exact number; an infinite error: the number is unknown.
struct Approximate {
  double value = 0, error = 0;
};

// Exact facts about a separator on some rows; those of several parts of the data add up.
struct FactsOfRows {
  std::optional<mpq_class> least;  // agreement; none: no row
  std::uint64_t wrong = 0, zero_negative = 0, zero_positive = 0;

  std::uint64_t errors() const { return wrong + zero_negative + zero_positive; }
  void add(const FactsOfRows& more);
  void describe(Separator& separator) const;
  bool operator==(const FactsOfRows&) const = default;
};

class RowScorer {
 public:
  // Two classes: `positive` is the number of the class with y = +1. Many classes: none.
  RowScorer(const Separator& separator, const mpq_class& bias_scale, std::optional<std::int32_t> positive);

  // Adds a row to the facts. Returns its agreement, the least over all rivals, up to a positive factor of all rows; not
  // above 0 exactly if the row is wrong or on a boundary.
  double add(const ExactRow& row, std::int32_t klass);
  // Returns an agreement in the units of add().
  double scaled_down(const mpq_class& agreement) const;
  // Returns the facts about the rows so far.
  const FactsOfRows& facts() const noexcept { return facts_; }

 private:
  struct Vector {
    std::vector<mpz_class> weights;
    std::vector<double> rounded;  // times 2^-shift
    mpz_class bias;
    double rounded_bias = 0;
  };

  Approximate score(const ExactRow& row, const Vector& vector) const;
  mpq_class exact_score(const ExactRow& row, const Vector& vector) const;
  Approximate agreement(const ExactRow& row, std::int32_t klass) const;
  mpq_class exact_agreement(const ExactRow& row, std::int32_t klass) const;

  std::vector<Vector> vectors_;
  mpq_class bias_scale_;
  double rounded_scale_ = 1;
  std::optional<std::int32_t> positive_;
  long shift_ = 0;
  FactsOfRows facts_;
  double least_above_ = 0;  // at least `facts_.least`, in the units of doubles
};

// The largest |x|^2 of rows without their bias coordinate, exactly.
class RadiusOfRows {
 public:
  void add(const ExactRow& row);
  const mpq_class& square() const noexcept { return largest_; }

 private:
  mpq_class largest_ = 0;
  double nearly_ = 0;  // a little less than `largest_`
  bool any_ = false;
};

}  // namespace halfspace::proof
