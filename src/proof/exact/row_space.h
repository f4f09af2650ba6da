// The space that integer rows span, modulo the prime 2^61 - 1: its rank, and the columns that do not depend on those
// before them.
//
// Rows that are independent modulo the prime are independent. The converse fails for the few matrices with a minor that
// the prime divides, so callers check exactly whatever follows from a dependence.
//
// A row that depends on those before is recognized, nearly always, by one product with a random vector on which they
// all are 0: reading n rows of rank r costs O(stored values) and O(r) reductions of O(r columns).
//
// Thread-safety: none.
#pragma once

#include <gmpxx.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/whole.h"

namespace halfspace::proof {

class RowSpace {
 public:
  static constexpr std::uint64_t prime = 2305843009213693951;
  static std::uint64_t residue(const mpz_class& x) { return halfspace::residue(x, prime); }
  // Returns sum + a b, of residues.
  static std::uint64_t add_product(std::uint64_t sum, std::uint64_t a, std::uint64_t b) {
    __extension__ using Product = unsigned __int128;
    return static_cast<std::uint64_t>((static_cast<Product>(a) * b + sum) % prime);
  }

  explicit RowSpace(std::size_t columns);

  std::size_t columns() const noexcept { return probe_.size(); }
  std::size_t rank() const noexcept { return rows_.size(); }
  // The factor of column c in the product that recognizes rows of the space: it is 0 modulo the prime for all of them,
  // and hardly ever for others.
  std::uint64_t probe(std::size_t c) const { return probe_[c]; }
  // Adds a row of residues; returns true if it is independent of those before.
  bool add(std::vector<std::uint64_t> row);
  // Returns the columns, ascending, that are independent of those before them: as many as the rank.
  std::vector<std::size_t> independent_columns() const;

 private:
  void choose_probe();

  std::vector<std::vector<std::uint64_t>> rows_;  // reduced: 1 at its own pivot, 0 at the others'
  std::vector<std::size_t> pivots_;
  std::vector<std::uint64_t> probe_;
  std::uint64_t state_ = 0x9e3779b97f4a7c15;  // of the random numbers
};

}  // namespace halfspace::proof
