// Checks the part of a certificate on the minimum of an objective (certificate.h): measures the rows of a source, and
// computes both objectives from the sums of all sources. Everything is exact but logarithms, whose error is bounded
// (logarithm.h).
#pragma once

#include <gmpxx.h>

#include <cstdint>
#include <string>
#include <vector>

#include "halfspace/proof/verify/certificate.h"
#include "halfspace/proof/verify/verify.h"
#include "proof/verify/measure.h"

namespace halfspace::proof {

// What one vector and its dual variables add up to on some rows; of a multinomial loss the first has the losses and
// entropies of all. Margins are in the unit of MinimumMeter, dual variables
// and their sums in the integers of the certificate and in the units of the columns.
struct MinimumSums {
  std::vector<mpz_class> losses;  // by class: sum of max(0, 1 - m), or of its square; logistic losses in fixed point
  // By class: sum of a, and for squared losses of a^2; of logistic losses that of H(a / c) in fixed point.
  std::vector<mpz_class> duals, squared_duals;
  std::vector<mpz_class> features;  // sum of a y x
  mpz_class signs;  // sum of a y; multinomial: what v_k has as the bias coordinate, in units of its scale

  void add(const MinimumSums& more);
};

// Measures the rows of one source, in order, for one vector.
class MinimumMeter {
 public:
  // `vector`: a position in the vectors of the certificate's minimum.
  MinimumMeter(const Certificate& certificate, std::uint32_t vector, std::uint32_t source, const Scale& scale);

  // Return what is wrong; empty if nothing is. skip(): the row is not in the question. finish(): there are no more rows.
  std::string add(const ScaledRow& row, std::uint64_t number);
  std::string skip(std::uint64_t number) const;
  std::string finish() const;
  const MinimumSums& sums() const noexcept { return sums_; }

  // For a loss that several vectors share: parts of add().
  mpz_class fixed_score(const ScaledRow& row) const;
  // Returns the dual variable of a row, 0 where it has none.
  mpz_class next_dual(std::uint64_t number) {
    return has_dual(number) ? mpz_class(duals_->values[next_++]) : mpz_class(0);
  }
  void combine(const ScaledRow& row, const mpz_class& dual);
  // Adds the loss of a row, and the entropy of the dual variables of the other classes, which add up to `all`. Returns
  // what is wrong.
  std::string add_jointly(const ScaledRow& row, std::uint64_t number, const std::vector<mpz_class>& scores,
                          const std::vector<mpz_class>& duals, const mpz_class& all);

 private:
  bool has_dual(std::uint64_t number) const { return next_ < duals_->rows.size() && duals_->rows[next_] == number; }
  mpz_class score(const ScaledRow& row) const;
  void add_loss(const mpz_class& agreement, std::uint32_t klass);
  void add_dual(const mpz_class& dual, std::uint32_t klass);

  const MinimumProof* proof_;
  const DualVariables* duals_;
  bool two_classes_;
  std::uint32_t positive_;          // the class with y = 1
  std::vector<mpz_class> weights_;  // in the unit of scores
  mpz_class bias_, one_;
  std::vector<mpz_class> most_;   // by class: the largest dual variable, but for squared hinges
  std::vector<mpq_class> costs_;  // by class: of which a dual variable is a share, in its integers
  std::size_t next_ = 0;          // of the dual variables
  MinimumSums sums_;
};

// Measures the rows of one source, in order, for all vectors of the certificate's minimum, if it has one.
class MinimaMeter {
 public:
  MinimaMeter(const Certificate& certificate, std::uint32_t source, const Scale& scale);

  // As of MinimumMeter. sums(): of each vector.
  std::string add(const ScaledRow& row, std::uint64_t number);
  std::string skip(std::uint64_t number) const;
  std::string finish() const;
  std::vector<MinimumSums> sums() const;

 private:
  std::string add_jointly(const ScaledRow& row, std::uint64_t number);

  bool jointly_;
  std::vector<MinimumMeter> vectors_;
  std::vector<mpz_class> scores_, duals_;  // of a row
};

// The objectives of one vector, or of a multinomial loss: exact, or of logistic losses bounds.
struct MinimumValues {
  mpq_class primal{}, dual{};
};

// Computes them from the sums over all rows, of each vector: one, or one a vector.
std::vector<MinimumValues> minimum_values(const Certificate& certificate, const Scale& scale,
                                          const std::vector<MinimumSums>& sums);
// Returns what is wrong with the certificate's minimum; empty if nothing is.
std::string check_minimum(const Certificate& certificate, const std::vector<MinimumSums>& sums,
                          const std::vector<MinimumValues>& values);
MinimumBounds bounds_of(const MinimumValues& values);
// Returns what was checked, in sentences.
std::vector<std::string> minimum_sentences(const Certificate& certificate, const std::vector<MinimumValues>& values);

}  // namespace halfspace::proof
