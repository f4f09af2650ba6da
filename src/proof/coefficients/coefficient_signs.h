// Decides the signs of infinite coefficients.
//
// In the basis of a face, C is the cone of weights t with <t, y> >= 0 on every row y, and a coefficient is a linear
// function f of t. It never has the sign that the direction does not have if f is a combination of rows with weights
// >= 0 (Farkas); else some t of C has that sign. This is one question of decide() about the rows and -f: a witness of
// them is such a combination, and a separator such a t. A few rows suffice for a witness, so the question is asked about
// a working set; rows that its separator gets wrong join.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "proof/coefficients/coefficients.h"
#include "proof/decide/reduced_rows.h"

namespace halfspace::proof {

class SignSearch {
 public:
  // `weights`: with positive products with every row. All must outlive the search.
  SignSearch(const ReducedRows& rows, const Vector& weights, const RowsOptions& memory, const Budget& budget);

  // `direction`: the whole space's, whose sign at the coordinate is not 0. Throws GaveUp.
  CoefficientFindings::Sign sign_of(std::uint32_t coordinate, const Vector& direction);

 private:
  std::optional<WeightedMembers> ask(const std::vector<std::uint32_t>& working, const Vector& functional,
                                     Vector& against) const;
  std::vector<std::uint32_t> wrong_under(const Vector& weights) const;

  const ReducedRows& rows_;
  const RowsOptions& memory_;
  const Budget& budget_;
  Problem sample_;                     // some of the rows, priced first
  std::vector<std::uint32_t> likely_;  // rows to begin with
  std::vector<Vector> known_;          // weights of vectors of C
};

}  // namespace halfspace::proof
