// Hildreth's method in random order.
#include "proof/search/coordinate_descent.h"

#include <algorithm>
#include <numeric>
#include <random>

namespace halfspace::proof {

Descent coordinate_descent(const SignedPoints& points, unsigned passes, const Deadline& deadline, double price) {
  Descent result;
  result.unscaled.assign(points.dimension(), 0.0);
  result.alpha.assign(points.size(), 0.0);
  std::vector<std::uint32_t> order(points.size());
  std::iota(order.begin(), order.end(), 0u);
  std::mt19937_64 generator(1);
  for (unsigned pass = 0; pass < passes && !deadline.passed(); ++pass) {
    std::shuffle(order.begin(), order.end(), generator);
    bool clean = true;
    for (const std::uint32_t i : order) {
      const double square = points.squared_norm(i);
      if (!(square > 0)) continue;
      const double score = points.dot_unscaled(i, result.unscaled.data());
      clean = clean && score > 0;
      const double step = std::clamp((1 - score) / square, -result.alpha[i], price - result.alpha[i]);
      if (step == 0) continue;
      result.alpha[i] += step;
      points.add_twice_scaled(i, step, result.unscaled.data());
    }
    if (!clean) continue;
    result.separates = true;
    for (std::uint32_t i = 0; i < points.size() && result.separates; ++i) {
      result.separates = points.dot_unscaled(i, result.unscaled.data()) > 0;
    }
    if (result.separates) break;
  }
  return result;
}

}  // namespace halfspace::proof
