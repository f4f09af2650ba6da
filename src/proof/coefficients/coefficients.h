// Finds which coefficients of a logistic regression are infinite, with proof (Albert and Anderson 1984).
//
// Idea: C is the cone of vectors v with <v, z> >= 0 on every row z = y x. A coefficient is infinite if a vector of C
// moves it. All of C is 0 on the rows of a witness (positive weights that add up to 0), and on the rows that these span.
// So the search goes from face to face: a witness, the null space of its rows, the same question about the other rows
// within that space, until a separator of them is found - the direction, which is in the relative interior of C - or
// nothing is left. What the direction, made generic, moves is infinite; what it leaves alone is 0 on the null space.
// The sign of an infinite coefficient is decided within the null space: is its functional a positive combination of the
// rows, or does some vector of C move it the other way? Columns that depend on those before them are aliased.
//
// Cost: as decide() for each face, usually one or two; for each sign as decide() for a working set that grows by pricing.
// Everything returned is exact, and certify() has it checked by verify().
#pragma once

#include <functional>
#include <vector>

#include "halfspace/proof/certify.h"
#include "proof/decide/reduced_rows.h"
#include "proof/exact/problem.h"
#include "proof/search/budget.h"

namespace halfspace::proof {

struct CoefficientFindings {
  struct Aliased {
    std::uint32_t coordinate;
    Vector vector;  // 0 on every row; not 0 here, 0 at other aliased coordinates
  };
  struct Sign {
    std::uint32_t coordinate;
    CoefficientSign sign;
    WeightedMembers terms;  // positive, negative
    Vector against;         // undetermined: in C, with the sign that the direction does not have
  };
  std::vector<Aliased> aliased;
  std::vector<std::uint32_t> rank_members;
  Vector direction;         // all 0: overlap
  WeightedMembers witness;  // empty: complete separation
  std::vector<Vector> null_space;
  std::vector<Sign> signs;
};

struct CoefficientQuestion {
  const Problem* problem = nullptr;  // two classes
  std::vector<std::uint32_t> order;  // all coordinates: those that depend on ones before them are aliased
  // What decide() found: one of them.
  Vector separator;
  WeightedMembers witness;
  RowsOptions memory;
};

// Throws GaveUp if the budget ends before the kind of separation is known. Signs that are not decided by then are left
// out.
CoefficientFindings find_coefficients(const CoefficientQuestion& question, const Budget& budget,
                                      const std::function<void(const char* stage)>& progress);

}  // namespace halfspace::proof
