// Rows of a question in the coordinates of a subspace: a row z becomes the products <z, b> with the vectors b of a
// basis. Rows that become 0 are left out.
//
// A vector of weights t on these coordinates is the vector sum t_k b_k of the whole space, with the same scores.
//
// Thread-safety: read only. Ownership: owns its points and the basis.
#pragma once

#include <gmpxx.h>

#include <memory>
#include <utility>
#include <vector>

#include "halfspace/stream/rows.h"
#include "proof/exact/points.h"
#include "proof/exact/problem.h"
#include "proof/search/budget.h"

namespace halfspace::proof {

using Vector = std::vector<mpz_class>;  // one number for each coordinate

// A row given by its values that are not 0.
using SparseRow = std::vector<std::pair<std::uint32_t, mpz_class>>;

// Points that were made, not read: every member is positive, without a bias. Throws GaveUp if they exceed the memory.
struct MadeRows {
  std::unique_ptr<Points> points;
  Problem problem;
};
// `give(add)` calls add(row) for every row, with values below `features`; it may be called twice, and gives the same rows.
template <class F>
MadeRows make_rows(std::uint32_t features, const RowsOptions& memory, const Budget& budget, F&& give) {
  MadeRows made{std::make_unique<Points>(memory), {}};
  std::uint32_t count = 0;
  const auto add = [&](const SparseRow& row) {
    if (count % 256 == 0) budget.check();
    for (const auto& [k, value] : row) made.points->add(k, value, 0);
    made.points->end_row(0, ++count, 1);
  };
  give(add);
  if (made.points->outgrown()) {
    made.points->begin_again(features);
    count = 0;
    give(add);
  }
  made.points->finish(features);
  made.problem.points = made.points.get();
  made.problem.biased = false;
  for (std::uint32_t i = 0; i < count; ++i) made.problem.members.push_back({i, 1});
  return made;
}
// Returns weights on the values of made rows, one for each of `features`, with the scores of `v` times a positive factor.
Vector weights_of_made(const Problem& problem, const Vector& v, std::size_t features);

class ReducedRows {
 public:
  // `basis` is not empty.
  ReducedRows(const Problem& whole, std::vector<Vector> basis, const RowsOptions& memory, const Budget& budget);

  const Problem& problem() const noexcept { return made_.problem; }
  std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(origin_.size()); }
  std::uint32_t dimension() const noexcept { return static_cast<std::uint32_t>(basis_.size()); }
  const std::vector<Vector>& basis() const noexcept { return basis_; }
  // The member of the whole question that row i comes from.
  std::uint32_t origin(std::uint32_t i) const { return origin_[i]; }
  SparseRow row(std::uint32_t i) const;
  // Returns the vector of the whole space for weights on the products.
  Vector expanded(const Vector& t) const;
  // Returns weights on the products from weights on the coordinates of problem(), times a positive factor.
  Vector weights(const Vector& v) const { return weights_of_made(problem(), v, dimension()); }
  // The inverse: weights on the coordinates of problem(), with the same scores.
  Vector coordinates(const Vector& t) const;
  WeightedMembers in_whole(const WeightedMembers& of_rows) const;

 private:
  std::vector<Vector> basis_;
  std::vector<std::uint32_t> origin_;
  MadeRows made_;
};

// Divides by the greatest common divisor.
void reduce(Vector& v);

}  // namespace halfspace::proof
