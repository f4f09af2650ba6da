// The lower bound on losses, rounded down. Compiled with -frounding-math.
#include "halfspace/detail/bounds/least_loss.h"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "halfspace/detail/base/elementary.h"
#include "halfspace/detail/base/rounding.h"

namespace halfspace {
namespace {

// What follows of the sums, whatever the norm. All but `constant` are rounded up.
struct Certain {
  double constant;  // rounded down
  double weight;
  double error;    // the length of what G is wrong by
  double largest;  // of |G_j|, bias included
};

Certain certain(const LossSums& sums) {
  const double rounds = static_cast<double>(sums.rounds) + 8, row = static_cast<double>(sums.largest_row) + 8;
  const double share = rounds * 0x1p-51;
  const double magnitude = sums.magnitude * (1 + share);
  Certain c{};
  c.weight = sums.weight * (1 + share);
  c.constant = -(-sums.constant + magnitude * (share + 0x1p-49) + c.weight * 0x1p-50 + rounds * 0x1p-1000);
  c.error = sums.lengths * (1 + share) * (1 + row * 0x1p-52) * share + rounds * row * 0x1p-1074;
  c.largest = std::abs(sums.gradient.bias);
  for (const double g : sums.gradient.w) c.largest = larger(c.largest, std::abs(g));
  return c;
}

// Returns the length of G, of each feature what its size exceeds `less` by. Of a multiple by a power of two, so that no
// square leaves the doubles.
double length(const WeightVector& gradient, double largest, double less, bool biased) {
  if (largest == 0) return 0;
  const int exponent = std::ilogb(largest);
  double squares = 0;
  const auto count = [&](double size) {
    const double scaled = std::ldexp(size, -exponent);
    squares += scaled * scaled;
  };
  for (const double g : gradient.w) count(larger(0.0, std::abs(g) + -less));
  if (biased) count(std::abs(gradient.bias));
  return std::ldexp(std::sqrt(squares), exponent);
}

// Divides by the weight of the rows, rounded down.
std::optional<double> mean_of(double sum, double weight) {
  const double mean = -(-sum / weight);
  return mean > 0 && mean <= std::numeric_limits<double>::max() ? std::optional(mean) : std::nullopt;
}

void find_bounds(LeastLoss& found, const LossSums& sums) {
  const Certain c = certain(sums);
  found.constant = c.constant;
  found.gradient_norm = length(sums.gradient, c.largest, 0, true) + c.error;
  // A norm that was written in decimals is a double that may be less.
  const double norm = std::nextafter(found.norm, kInfinity);
  const double without = -(norm * found.gradient_norm + -c.constant);
  found.bound = mean_of(without, c.weight);
  if (!(found.penalties.l2 > 0)) return;
  const double features = length(sums.gradient, c.largest, found.penalties.l1, false) + c.error;
  // Penalties are never negative: what holds without them holds with them.
  const double bias = sums.bias_scale == 0 ? 0.0 : norm * (std::abs(sums.gradient.bias) + c.error);
  const double with_penalties = -(features * features / (2 * found.penalties.l2) + bias + -c.constant);
  found.penalised = mean_of(std::max(without, with_penalties), c.weight);
}

double number_in(std::string_view text) {
  double value = 0;
  fast_float::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::string why_none(const LeastLoss& found, const LossSums& sums) {
  if (sums.rounds == 0) return "no round was played";
  if (!(sums.weight > 0)) return "every row weighs 0";
  if (sums.lost || !std::isfinite(sums.weight))
    return "its sums left the range of doubles: scale the values, or the weights of the rows";
  if (!std::isfinite(found.norm)) return "the norm of the weights is beyond the doubles";
  return fmt::format("nothing above 0 is proved for |w| <= {:.3g}; a smaller norm may have a bound", found.norm);
}

}  // namespace

LeastLoss least_loss(const LossSums& sums, double norm, Penalties penalties) {
  LeastLoss found;
  found.loss = sums.loss;
  found.rounds = sums.rounds;
  found.weight = sums.weight;
  found.suffered = sums.suffered;
  found.norm = norm;
  found.penalties = penalties;
  const bool at_hand = sums.weight > 0 && std::isfinite(sums.weight) && !sums.lost && std::isfinite(norm);
  if (at_hand) rounding_up([&] { find_bounds(found, sums); });
  if (!found.bound && !found.penalised) found.why_no_bound = why_none(found, sums);
  return found;
}

double rounded_up_norm(double norm) {
  if (!(norm > 0 && std::isfinite(norm))) return norm;
  const double nearest = number_in(fmt::format("{:.2e}", norm));
  if (nearest >= norm) return nearest;
  const double next = number_in(fmt::format(
      "{:.2e}", nearest * (1 + 0x1p-20) + elementary::power_of_ten(std::floor(elementary::log10(norm)) - 2)));
  return next >= norm ? next : norm;
}

}  // namespace halfspace
