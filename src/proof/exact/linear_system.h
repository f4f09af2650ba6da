// Linear systems in whole numbers: which rows are independent, the one solution of a square system, a null vector.
//
// Independence is decided modulo a prime of 31 bits: rows independent modulo the prime are independent, as a minor that
// is not 0 modulo the prime is not 0. The converse fails for the few primes that divide a minor, so rows found
// dependent are checked again modulo a second prime. A square system is solved over the rationals by p-adic lifting
// (Dixon, "Exact solution of linear equations using p-adic expansions", Numerische Mathematik 40, 1982): modulo p
// first, then digit by digit in base p until Hadamard's bound leaves one fraction. A null vector is checked before it
// is returned.
//
// Cost for n unknowns of b bits: O(n^3) operations on words, and O(n (b + log n)) digits of O(n^2) operations each.
// With a budget all functions throw GaveUp. Thread-safety: calls are independent.
#pragma once

#include <gmpxx.h>

#include <cstddef>
#include <optional>
#include <vector>

#include "proof/search/budget.h"

namespace halfspace::proof {

class IntegerMatrix {
 public:
  IntegerMatrix(std::size_t rows, std::size_t columns) : rows_(rows), columns_(columns), values_(rows * columns) {}

  // Returns how much memory the machine words take.
  static std::uint64_t bytes(std::uint64_t rows, std::uint64_t columns) {
    return rows * columns * (sizeof(mpz_class) + 2 * sizeof(mp_limb_t));
  }

  std::size_t rows() const noexcept { return rows_; }
  std::size_t columns() const noexcept { return columns_; }
  mpz_class& at(std::size_t row, std::size_t column) { return values_[row * columns_ + column]; }
  const mpz_class& at(std::size_t row, std::size_t column) const { return values_[row * columns_ + column]; }
  // Returns these rows, in this order.
  IntegerMatrix of_rows(const std::vector<std::size_t>& rows) const;

 private:
  std::size_t rows_, columns_;
  std::vector<mpz_class> values_;
};

// Returns the first independent rows: as many as the rank, except for unlucky primes.
std::vector<std::size_t> independent_rows(const IntegerMatrix& a, const Budget& budget = unlimited);

// numerator / denominator, with denominator > 0.
struct Fractions {
  std::vector<mpz_class> numerator;
  mpz_class denominator;
};

// Returns the x with A x = right, A square. Empty when A is singular (or its determinant a multiple of both primes).
std::optional<Fractions> solve(const IntegerMatrix& a, const std::vector<mpz_class>& right,
                               const Budget& budget = unlimited);

// Returns the solutions for several right sides, as one system is reduced once for all.
std::optional<std::vector<Fractions>> solve_all(const IntegerMatrix& a,
                                                const std::vector<std::vector<mpz_class>>& rights,
                                                const Budget& budget = unlimited);

}  // namespace halfspace::proof
