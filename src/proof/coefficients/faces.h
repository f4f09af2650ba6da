// Goes from face to face of the cone C = {v : <v, z> >= 0 on every row z} to its relative interior (facial reduction,
// Borwein and Wolkowicz 1981).
//
// A witness (positive weights on rows that add up to 0) shows that all of C is 0 on its rows, so C lies in their null
// space, where the question is asked again about the rows that are not 0 there. Each answer is a vector with positive
// products with all of these rows, which ends the search, or a further witness, which is lifted: multiples of the first
// one make all weights positive. Before that, a witness of the rows moved a little towards the sum of a basis of them is
// tried: it spans everything at once.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "proof/decide/reduced_rows.h"
#include "proof/exact/row_space.h"
#include "proof/search/budget.h"

namespace halfspace::proof {

struct Interior {
  Vector direction;                   // in the relative interior of C; all 0: C is {0}
  WeightedMembers witness;            // whose rows span all rows on which C is 0; empty: there is none
  std::unique_ptr<ReducedRows> rows;  // the other rows, in a basis of the null space; null if C is {0}
  Vector weights;                     // of the direction, in that basis
};

class FaceSearch {
 public:
  // `kept`: coordinates whose columns are independent; vectors are 0 elsewhere. All must outlive the search.
  FaceSearch(const Problem& problem, const std::vector<std::uint32_t>& kept, const RowsOptions& memory,
             const Budget& budget, const std::function<void(const char* stage)>& progress);

  // Start from a vector with a positive product with every row, 0 at coordinates that are not kept (empty: one is
  // searched for), or from a witness. Throw GaveUp.
  Interior from_separator(const Vector& separator);
  Interior from_witness(const WeightedMembers& witness);
  // Describes an interior that is known: a witness that spans all rows on which C is 0, and the direction.
  Interior from_interior(const WeightedMembers& witness, const Vector& direction);

 private:
  void join(const WeightedMembers& more);
  void lift(const WeightedMembers& relative);
  bool join_conflicts(const ReducedRows& rows);
  bool join_spanning(const ReducedRows& rows);
  std::vector<std::uint32_t> free_coordinates() const;
  std::vector<Vector> null_space() const;
  void check_zero_on_witness(const Vector& v) const;
  Vector values_of(std::uint32_t member) const;

  const Problem& problem_;
  const std::vector<std::uint32_t>& kept_;
  const RowsOptions& memory_;
  const Budget& budget_;
  const std::function<void(const char* stage)>& progress_;
  RowSpace space_;                       // of the witness's rows, on the kept coordinates
  std::vector<std::uint32_t> spanning_;  // its independent rows
  std::vector<std::uint32_t> position_;  // of a coordinate among the kept ones
  WeightedMembers witness_;              // ascending
};

// Returns weights that move every coordinate which the basis can move, and still have positive products with all rows.
Vector generic_weights(const ReducedRows& rows, const Vector& weights, const Budget& budget);

}  // namespace halfspace::proof
