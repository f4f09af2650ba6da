// Finds the point of smallest norm in the hull of signed points: Wolfe's method (1976) on a working set that grows.
//
// Idea: p = sum lambda_i z_i over a small affinely independent support. Either <p, z_i> > 0 for all i, and p separates;
// or the worst row joins the support, p moves to the nearest point of the support's affine hull, and rows whose weight
// would turn negative leave on the way. When p reaches 0 the support is a witness: at most rank + 1 rows. Cost: a round
// would turn negative leave on the way. When p reaches 0 the support is a witness: at most rank + 1 rows. Cost: a round
// is one pass over the working set and O(k^2) for a support of k rows; a pass over all rows prices the rest and admits
// the worst. Accuracy: the factor of the Gram matrix squares the condition number; one step of refinement against the
// rows recovers most of it. Everything here is in doubles and proves nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "proof/search/budget.h"
#include "proof/search/signed_points.h"

namespace halfspace::proof {

class MinNorm {
 public:
  // May throw to give up: support() and weights() still match then.
  MinNorm(const SignedPoints& points, const Budget& budget);

  // Starts from these rows with these positive weights; rows that depend on earlier ones are left out.
  void start(const std::vector<std::uint32_t>& rows, const std::vector<double>& weights);

  enum class State : std::uint8_t { separated, met, stalled, stopped };
  // Called after every pass over all rows with p (unscaled), |p| and the least <p, z_i>; false ends the run.
  using Watch = std::function<bool(const std::vector<double>& unscaled, double norm, double least)>;
  // met: |p| is 0 within the precision of doubles. separated: every <p, z_i> is positive and p is the nearest point.
  State run(const Watch& watch);

  const std::vector<std::uint32_t>& support() const noexcept { return support_; }
  const std::vector<double>& weights() const noexcept { return lambda_; }

 private:
  bool append(std::uint32_t row);
  void remove(std::size_t position);
  void solve_affine(std::vector<double>& v);
  void minimize_on_support();
  void form_point();
  bool price_all(double& least);
  std::optional<std::uint32_t> lowest_of_working(double& score) const;
  void improve();

  const SignedPoints& points_;
  const Budget& budget_;
  std::vector<std::uint32_t> support_, working_;
  std::vector<std::uint8_t> in_support_, in_working_, refused_;
  std::vector<double> lambda_, p_, unscaled_, scratch_, scores_;
  std::vector<std::vector<double>> r_;  // r_[c] holds column c of the factor: c + 1 entries
  std::vector<double> y_;               // R^-T e
  double shift_ = 1;                    // the squared weight of sum lambda = 1 in the Gram matrix
  double longest_ = 0;
};

}  // namespace halfspace::proof
