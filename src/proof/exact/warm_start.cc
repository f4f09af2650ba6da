// Rounds exact weights to doubles.
#include "proof/exact/warm_start.h"

#include <algorithm>
#include <cmath>

namespace halfspace::proof {

WarmStart warm_start(const SignedPoints& points, const WeightedMembers& combination) {
  mpz_class total = 0;
  for (const WeightedMember& w : combination) total += w.weight;
  // Weights may exceed the range of doubles, their shares do not.
  signed long whole_exponent = 0;
  const double whole = mpz_get_d_2exp(&whole_exponent, total.get_mpz_t());
  std::vector<std::pair<double, std::uint32_t>> shares;
  shares.reserve(combination.size());
  for (const WeightedMember& w : combination) {
    signed long exponent = 0;
    const double part = mpz_get_d_2exp(&exponent, w.weight.get_mpz_t());
    const long shift = std::max(exponent - whole_exponent, -2000L);
    shares.emplace_back(std::ldexp(part / whole, static_cast<int>(shift)), w.member);
  }
  std::stable_sort(shares.begin(), shares.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  WarmStart start;
  std::vector<double> p(points.dimension(), 0.0);
  for (const auto& [share, row] : shares) {
    if (!(share > 0)) continue;
    start.rows.push_back(row);
    start.weights.push_back(share);
    points.add(row, share, p.data());
  }
  for (const double x : p) start.square += x * x;
  return start;
}

std::vector<double> descent_weights(const SignedPoints& points, const WarmStart& start) {
  std::vector<double> alpha(points.size(), 0.0);
  // Along t * weights the dual is t - t^2 square / 2.
  if (!(start.square > 0) || !std::isfinite(1 / start.square)) return alpha;
  for (std::size_t k = 0; k < start.rows.size(); ++k) alpha[start.rows[k]] = start.weights[k] / start.square;
  return alpha;
}

}  // namespace halfspace::proof
