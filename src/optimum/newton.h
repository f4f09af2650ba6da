// Newton's method in the primal, for losses with a slope everywhere: steps to the minimum of a quadratic model
// (newton_system.h), as far along them as the objective falls. With a = -c l'(m) the gap is half the squared gradient,
// so the method can see how near it is.
//
// The hinge has no such slope. In its place comes the smooth function of the method of multipliers: with a row's dual
// variable d so far and a sharpness s,
//   max over 0 <= a <= c of  a (1 - m) - (a - d)^2 / (2 s c),   attained by a = clamp(d + s c (1 - m), 0, c)
// up to a constant. The minimum over w gives better dual variables, they take the place of d, and the sharpness grows
// (Rockafellar, "Augmented Lagrangians and applications of the proximal point algorithm in convex programming",
// Mathematics of Operations Research 1, 1976). The gap is half the squared gradient and each row's own part.
//
// Sums are over parts of the rows that are a function of the data (passes.h).
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "halfspace/optimum/optimum.h"
#include "optimum/newton_system.h"
#include "optimum/passes.h"
#include "optimum/weights.h"

namespace halfspace::optimum {

class Newton {
 public:
  // `dual_variables`: those that a hinge begins at. `stop` is asked between steps, with the passes made so far.
  Newton(const Rows& rows, const OptimumOptions& options, Weights& weights, const std::vector<double>& dual_variables,
         std::function<bool(std::uint64_t)> stop);

  // Evaluates the objective and its gradient at the weights.
  void evaluate();
  double primal() const { return primal_; }
  // Returns the gap, as an estimate.
  double gap() const { return slope_gap() + rows_gap_; }
  std::uint64_t passes() const { return passes_.count(); }
  // Makes one step towards a gap of at most `aim`; evaluate() comes before and after. Returns false if the objective
  // did not fall, or if stopped.
  bool step(double aim);
  // Returns the dual variables that belong to the weights.
  std::vector<double> dual_variables() const;

 private:
  using Vector = std::vector<double>;
  struct OnLine {
    double value, slope;
  };
  bool hinge() const { return options_.loss == MarginLoss::hinge; }
  double cost(std::size_t i) const { return cost_.empty() ? options_.cost : cost_[i]; }
  RowLoss loss_of(std::size_t i, double margin) const;
  RowLoss smoothed_hinge(std::size_t i, double margin) const;
  double slope_gap() const;
  // Sets `into` to y <v, x>, of every row.
  void find_margins(const Vector& v, Vector& into);
  void take_dual_variables();
  OnLine along(const Vector& s, double t) const;
  double step_length(const Vector& s) const;
  double penalty_product(const Vector& a, const Vector& b) const;

  const OptimumOptions& options_;
  Weights& weights_;
  Passes passes_;
  std::function<bool(std::uint64_t)> stop_;
  NewtonSystem system_;
  Vector margin_, change_, curvature_;  // of rows: m, y <s, x>, and the curvature of the loss
  Vector cost_;                         // c, of rows with weights
  Vector before_;                       // d, of a hinge
  Vector gradient_;
  double all_cost_ = 0, sharpness_;
  double primal_ = 0, rows_gap_ = 0, first_gradient_ = 0;
  int moved_;  // steps that the margins were carried along
};

}  // namespace halfspace::optimum
