// The systems of Newton's method, (P + sum of h x x') s = -g: P is 1 for each weight, and small for a bias that is not
// penalised; g is a gradient, and h >= 0 the curvature of a row's loss.
//
// Where features are few, and rows with h > 0 not too long, the matrix is factored. Elsewhere it is solved by conjugate
// gradients, preconditioned by the diagonal: a step reads these rows once.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "optimum/cholesky.h"
#include "optimum/passes.h"

namespace halfspace::optimum {

class NewtonSystem {
 public:
  static constexpr std::size_t few = 1024;  // unknowns of a matrix that may be factored
  using Vector = std::vector<double>;
  // `bias_value`: the value of the feature after the last one, in every row. `stop` is asked between steps.
  NewtonSystem(Passes& passes, double bias_value, std::function<bool()> stop)
      : passes_(passes), bias_value_(bias_value), stop_(std::move(stop)) {}

  // Sets the curvatures, one a row, and P of the bias. The curvatures are the caller's.
  void set(std::span<const double> curvature, double bias_penalty);
  // Returns s; half the square of what it leaves of the gradient is at most `enough`, but for rounding.
  Vector solve(const Vector& gradient, double enough);

 private:
  bool few_features() const;
  void factor();
  void find_diagonal();
  // Calls each(h, x) for the rows of block b with curvature.
  template <class Each>
  void each_row(std::size_t b, UnpackBuffer& room, const Each& each) const;
  Vector matrix_times(const Vector& direction);
  Vector by_conjugate_gradients(const Vector& gradient, double enough);

  Passes& passes_;
  double bias_value_, bias_penalty_ = 1;
  std::function<bool()> stop_;
  std::span<const double> curvature_;
  std::uint64_t stored_ = 0, products_ = 0;  // of the rows with curvature: values, and products of two of a row
  bool factored_ = false;
  Cholesky cholesky_;
  Vector diagonal_;
};

}  // namespace halfspace::optimum
