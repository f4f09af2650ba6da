// Mistake bounds as formulas, all rounded up. Compiled with -frounding-math.
#include "halfspace/bounds/formulas.h"

#include <algorithm>
#include <cmath>

#include "halfspace/detail/base/elementary.h"
#include "halfspace/detail/base/rounding.h"

namespace halfspace {
namespace {

// Divides u by a power of two that brings its margin to [1, 2): the square of the margin is then no cause to leave the
// doubles. Returns the exponent.
int bring_near_one(double& margin, double& u_squared_norm) {
  if (!std::isfinite(margin)) return 0;
  const int exponent = std::ilogb(margin);
  margin = std::ldexp(margin, -exponent);
  u_squared_norm = std::ldexp(u_squared_norm, -2 * exponent);
  return exponent;
}

}  // namespace

std::uint64_t whole_mistakes(double bound) {
  if (!(bound < 0x1p63)) return UINT64_MAX;
  return bound <= 0 ? 0 : static_cast<std::uint64_t>(std::floor(bound));
}

double novikoff_bound(double radius_squared, double u_squared_norm, double margin) {
  if (!(margin > 0)) return kInfinity;
  return rounding_up([&] {
    bring_near_one(margin, u_squared_norm);
    const double margin_squared = -((-margin) * margin);  // rounded down
    return quotient(radius_squared * u_squared_norm, margin_squared);
  });
}

double start_bound(double start_dot_u, double start_squared_norm, double rate, double radius_squared,
                   double u_squared_norm, double margin) {
  if (!(margin > 0)) return kInfinity;
  // The second condition is A M^2 <= B M + C with the coefficients below. For M >= 0 it is only weakened by rounding A
  // down, B and C up; the answer is its larger root, or the first condition's.
  return rounding_up([&] {
    start_dot_u = -std::ldexp(-start_dot_u, -bring_near_one(margin, u_squared_norm));  // down
    const double step = -((-rate) * margin);                                           // down
    const double a = -((-step) * step);                                                // down
    if (!(a > 0)) return kInfinity;
    const double first = start_dot_u <= 0 ? -start_dot_u / step : 0.0;
    const double b =
        rate * rate * radius_squared * u_squared_norm + 2 * -start_dot_u * (start_dot_u > 0 ? step : rate * margin);
    // Not negative, by Cauchy and Schwarz; rounded arguments may give less.
    const double c = larger(0.0, u_squared_norm * start_squared_norm + -start_dot_u * start_dot_u);
    if (b >= 0) return larger(first, (b + std::sqrt(b * b + 4 * a * c)) / (2 * a));
    // The same root without the cancellation; what it is divided by is rounded down.
    const double root = std::nextafter(std::sqrt(-(-b * b + -4 * a * c)), 0.0);
    return larger(first, 2 * c / -(b - root));
  });
}

double hinge_bound(double hinge_sum, double u_norm, double radius) {
  return rounding_up([&] {
    const double product = u_norm * radius;
    const double square = product * product;
    return hinge_sum + square / 2 + product * std::sqrt(square / 4 + hinge_sum);
  });
}

double margin_ceiling(const PerceptronSums& sums) {
  if (!(sums.steps > 0)) return kInfinity;
  return rounding_up([&] {
    const double updates = static_cast<double>(sums.updates), rounds = updates + 8;
    const double row = static_cast<double>(sums.longest_row) + 8;
    const double coordinates = static_cast<double>(sums.dimension);
    const double least_steps = -(sums.steps * (rounds * 0x1p-52) - sums.steps);  // down
    // How long w may have been on its way, over the steps: a step was taken where y <w, x> was at most 0 but for
    // rounding, so |w|^2 grew by (s |x|)^2 and twice s times that; nor does w grow by more than s |x| at once.
    const double grown =
        sums.squares * (1 + rounds * row * 0x1p-50) + sums.steps * sums.steps * (row * 0x1p-1072) + 0x1p-1074;
    const double radius = std::sqrt(sums.radius_squared * (1 + row * 0x1p-52) + row * 0x1p-1074);
    const double longest = std::min(std::sqrt(grown) / least_steps, radius);
    return sums.norm * (1 + (coordinates + 8) * 0x1p-52) / least_steps + rounds * 0x1p-52 * longest +
           updates * (std::sqrt(coordinates) * 0x1p-1074) / least_steps;
  });
}

std::optional<std::uint64_t> single_point_mistakes(double start_margin, double squared_norm, double rate, Tie tie,
                                                   double sign) {
  // A score of 0 is right for positive rows under Tie::positive and for negative ones under Tie::negative.
  const bool zero_is_right = (tie == Tie::positive && sign > 0) || (tie == Tie::negative && sign < 0);
  if (start_margin > 0 || (zero_is_right && start_margin == 0)) return 0;
  if (squared_norm == 0) return std::nullopt;
  const double q = -start_margin / (rate * squared_norm);
  if (zero_is_right) return static_cast<std::uint64_t>(std::fmax(0.0, std::ceil(q)));
  return static_cast<std::uint64_t>(std::floor(q)) + 1;
}

double single_point_expected_mistakes(double norm, double sigma, double rate) {
  const double h = rate * norm / sigma;
  // Phi(-j h) by erfc; terms fall like a normal tail, so the sum ends. Small terms first.
  double last = 0;
  while (elementary::erfc(last * h / std::sqrt(2.0)) > 0x1p-70) last += 1;
  double sum = 0;
  for (double j = last; j >= 0; j -= 1) sum += 0.5 * elementary::erfc(j * h / std::sqrt(2.0));
  return sum;
}

}  // namespace halfspace
