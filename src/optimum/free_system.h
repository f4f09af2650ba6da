// The system of dual variables that are at no bound: (D + Z Z') s = r, where the rows of Z are y x, with the bias
// feature, and D is a diagonal. By conjugate gradients.
//
// Their preconditioner has the heaviest features exactly, and of the others the diagonal: D + diagonal + U U', solved by
// way of a matrix as wide as there are heavy features (Woodbury). In tables of text a few hundred words have most of the
// weight, and it takes the place of nine steps of ten.
//
// Cost: a step reads the rows twice. Memory: the values of heavy features are copied.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "optimum/cholesky.h"
#include "optimum/items.h"

namespace halfspace::optimum {

class FreeSystem {
 public:
  using Vector = std::vector<double>;
  // `diagonal`: D, one a row. The rows are the caller's.
  FreeSystem(std::vector<const Item*> rows, Vector diagonal, std::size_t features, double bias_value);

  // Returns s; no number of what is left of r is above `enough`, but for rounding and a limit of steps. `stop` is asked
  // between them.
  Vector solve(Vector r, double enough, const std::function<bool()>& stop);
  std::uint64_t visits() const { return visits_; }

  // Returns Z' s, the bias feature last.
  Vector combine(std::span<const double> s);

 private:
  void choose_heavy();
  void copy_heavy();
  void factor();
  void precondition(const Vector& residual, Vector& into) const;
  Vector times(const Vector& s);

  std::vector<const Item*> rows_;
  Vector diagonal_;
  std::size_t features_, parts_;
  double bias_value_;
  std::vector<std::int32_t> heavy_;  // of a feature: which of the heavy ones it is, or -1
  std::size_t heavies_ = 0;
  Vector light_;  // D, and the diagonal of the features that are not heavy
  // The values of rows at heavy features, the bias feature among them.
  std::vector<std::uint64_t> value_begin_;
  std::vector<std::uint32_t> value_feature_;
  Vector value_;
  Cholesky cholesky_;
  std::uint64_t visits_ = 0;
};

}  // namespace halfspace::optimum
