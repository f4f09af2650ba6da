// Newton's method in the primal, for losses with a slope everywhere: steps by conjugate gradients, products with the
// Hessian by passes over the rows, a step halved until the objective falls (Lin, Weng, Keerthi, "Trust region Newton
// method for large-scale logistic regression", JMLR 9, 2008, with a line search in place of the region).
//
// With a = -c l'(m) the gap is half the squared gradient, so the method can see how near it is.
//
// Rows are cut into parts by their blocks: a function of the data, so that sums do not depend on threads.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "halfspace/optimum/optimum.h"
#include "optimum/items.h"

namespace halfspace::optimum {

class Newton {
 public:
  // `stop` is asked before each pass over the rows.
  Newton(const Rows& rows, const OptimumOptions& options, Weights& weights, std::function<bool()> stop);

  // Evaluates the objective and its gradient at the weights.
  void evaluate();
  double primal() const { return primal_; }
  // Returns the gap, as an estimate.
  double gap() const;
  std::uint64_t passes() const { return passes_; }
  // Makes one step towards a gap of at most `aim`; evaluate() comes before and after. Returns false if the objective
  // did not fall, or if stopped.
  bool step(double aim);
  // Returns the dual variables that belong to the weights.
  std::vector<double> dual_variables() const;

 private:
  using Vector = std::vector<double>;
  // Calls each(block, b, room) for the blocks in parts, in parallel; of one part in order.
  template <class Each>
  void for_parts(const Each& each);
  // Returns sum of coefficient(i) x, over all rows.
  template <class Coefficient>
  Vector combine(const Coefficient& coefficient);
  Vector hessian_times(const Vector& direction);
  void find_diagonal();
  // Solves H s = -gradient, until the residual is at most `enough`. Returns s.
  Vector solve(double enough);
  bool search(const Vector& s);
  double losses(double t) const;
  double penalty_product(const Vector& a, const Vector& b) const;

  const Rows& rows_;
  const OptimumOptions& options_;
  Weights& weights_;
  std::function<bool()> stop_;
  std::size_t parts_ = 1;
  std::vector<double> cost_, margin_, change_, curvature_;  // of rows: c, m, y <s, x>, c l''(m)
  std::vector<std::int8_t> sign_;
  Vector gradient_, diagonal_;
  double primal_ = 0, first_gradient_ = 0;
  std::uint64_t passes_ = 0;
};

}  // namespace halfspace::optimum
