// A slow account of label_runs.h, for a number or one a class.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace halfspace::testing {

struct SlowRuns {
  using Real = long double;
  std::vector<Real> missed;
  Real loss = 0, gap = 1;

  explicit SlowRuns(std::size_t scores) : missed(scores) {}

  // The mean scale, and the mixed loss.
  Real mean_scale() const {
    Real whole = 1, sum = 0;
    for (const Real v : {1, 4, 16}) {
      const Real p = std::exp(-std::log(Real{4}) / gap * v * loss);
      whole += p;
      sum += v * p;
    }
    return sum / whole;
  }
  Real mixed(Real rate) const {
    Real whole = 1;
    for (const Real v : {1, 4, 16}) whole += std::exp(-rate * v * loss);
    return -std::log(whole / 4) / rate;
  }
  Real offset(std::size_t k) const { return mean_scale() * missed[k]; }
  void update(const std::vector<Real>& slope, Real weight) {
    const Real rate = std::log(Real{4}) / gap, before = mixed(rate), scale = mean_scale();
    Real own = 0;
    for (std::size_t k = 0; k < missed.size(); ++k) own += weight * slope[k] * missed[k];
    loss += own;
    gap += std::max(Real{0}, scale * own - (mixed(rate) - before));
    for (std::size_t k = 0; k < missed.size(); ++k) missed[k] = (9 * missed[k] - slope[k]) / 10;
  }
};

}  // namespace halfspace::testing
