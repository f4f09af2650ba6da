// Implements Hildreth's method in random order.
#include "proof/search/coordinate_descent.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "halfspace/base/random.h"

namespace halfspace::proof {
namespace {

constexpr unsigned warm_up = 10;  // passes before lasting errors end the search

}  // namespace

Descent coordinate_descent(const SignedPoints& points, unsigned passes, const Budget& budget, double price,
                           std::vector<double> alpha) {
  Descent result;
  result.unscaled.assign(points.dimension(), 0.0);
  result.alpha = std::move(alpha);
  result.alpha.resize(points.size(), 0.0);
  for (std::uint32_t i = 0; i < points.size(); ++i) {
    if (result.alpha[i] > 0) points.add_twice_scaled(i, result.alpha[i], result.unscaled.data());
  }
  std::vector<std::uint32_t> order(points.size());
  Generator draws(1);
  std::vector<std::uint64_t> errors;
  for (unsigned pass = 0; pass < passes && !budget.passed(); ++pass) {
    shuffle(draws, order);
    std::uint64_t wrong = 0, seen = 0;
    for (const std::uint32_t i : order) {
      if (++seen % 4096 == 0 && budget.passed()) return result;
      const double square = points.squared_norm(i);
      if (!(square > 0)) continue;
      const double score = points.dot_unscaled(i, result.unscaled.data());
      if (!(score > 0)) ++wrong;
      const double step = std::clamp((1 - score) / square, -result.alpha[i], price - result.alpha[i]);
      // If norms differ widely, a step or a sum of steps may overflow.
      if (step == 0 || !std::isfinite(result.alpha[i] + step)) continue;
      result.alpha[i] += step;
      points.add_twice_scaled(i, step, result.unscaled.data());
    }
    // If a margin exists the errors vanish; otherwise more passes change nothing.
    errors.push_back(wrong);
    if (pass >= warm_up && 10 * wrong > 8 * errors[pass - warm_up / 2]) break;
    if (wrong != 0) continue;
    result.separates = true;
    for (std::uint32_t i = 0; i < points.size() && result.separates; ++i) {
      result.separates = points.dot_unscaled(i, result.unscaled.data()) > 0;
    }
    if (result.separates) break;
  }
  return result;
}

}  // namespace halfspace::proof
