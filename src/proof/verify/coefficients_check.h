// Checks the part of a certificate on coefficients (certificate.h), row by row and then as a whole.
//
// Linear independence is checked modulo primes: vectors that are independent modulo a prime are independent. Everything
// else is exact.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "halfspace/proof/verify/certificate.h"
#include "proof/verify/measure.h"

namespace halfspace::proof {

class CoefficientsCheck {
 public:
  // `certificate` has coefficients, and must outlive the check.
  explicit CoefficientsCheck(const Certificate& certificate);

  // Called for each row in question, after the meters of all separators have measured it. Returns what is wrong with
  // it; empty if nothing is.
  std::string add(const ScaledRow& row, const RowPosition& at, const std::vector<SeparatorMeter>& meters);
  // Returns what is wrong with the whole; empty if nothing is. Facts and meters are of the certificate's separators and
  // combinations, which were checked; the certificate has `rows` rows in question.
  std::string finish(const std::vector<Facts>& facts, const std::vector<CombinationMeter>& meters, std::uint64_t rows);
  // Returns what was checked, in sentences. After finish().
  std::vector<std::string> sentences(const std::vector<Facts>& facts, std::uint64_t rows) const;

 private:
  std::string check_shape(const std::vector<Facts>& facts, std::uint64_t rows) const;
  std::string check_ranks() const;
  std::string check_finite() const;
  std::string check_sign(const SignProof& sign, const std::vector<Facts>& facts,
                         const std::vector<CombinationMeter>& meters) const;
  std::string check_positive_sum(const SignProof& sign, const CombinationMeter& sum) const;
  bool is_aliased(Coordinate j) const { return aliased_[j]; }
  const mpz_class& weight(std::uint32_t separator, Coordinate j) const;
  bool avoids_aliased(std::uint32_t separator, Coordinate except) const;
  bool moved(Coordinate j) const;

  const Certificate& certificate_;
  const CoefficientsProof& proof_;
  std::size_t coordinates_;
  std::vector<bool> aliased_;
  std::vector<Coordinate> kept_;
  std::vector<std::vector<mpz_class>> weights_;  // by separator; empty for those that the proof does not name
  std::vector<RowPosition> witness_rows_;        // ascending
  std::vector<std::vector<mpz_class>> rank_values_, witness_values_;  // on the kept coordinates
  std::size_t next_rank_ = 0, next_witness_ = 0;
};

}  // namespace halfspace::proof
