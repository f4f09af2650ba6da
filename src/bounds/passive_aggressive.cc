// The bounds of PA, PA-I and PA-II from any start. Compiled with -frounding-math.
#include "halfspace/detail/bounds/passive_aggressive.h"

#include <cmath>
#include <vector>

#include "halfspace/detail/base/rounding.h"

namespace halfspace {
namespace {

// PA on any stream. A step of loss / |x|^2 brings |u - w|^2 down by (loss^2 - 2 loss hinge) / |x|^2 or more, so with
// A and B the sums of loss^2 / |x|^2 and of hinge^2 / |x|^2 over the rows, A - 2 sqrt(A B) <= |u - w0|^2, and with that
//   mistakes <= sum of loss^2 <= R^2 A <= R^2 (sqrt(B) + sqrt(B + |u - w0|^2))^2.
// Rows of length 0 move nothing: each time one is played may be a mistake.
template <class Distance>
void offer_squared_hinges(BoundSearch& search, double radius_squared, double norm_factor, const Distance& distance,
                          const std::string& suffix) {
  const RunForBound& run = search.run();
  std::vector<double> shares(run.rows->size());
  double still = 0;
  rounding_up([&] {
    for (std::uint64_t i = 0; i < shares.size(); ++i) {
      const double weight = search.weight_of(i), visits = run.visits(i);
      if (weight == 0 || visits == 0) continue;
      // Rounded down by more than the stored square may be above the exact one.
      const double squares = search.squared_norm_of(i) * (1 - 0x1p-20) + run.bias.squared();
      if (squares > 0) shares[i] = visits / (norm_factor * squares * weight) * (1 + 0x1p-19);
      if (squares == 0) still += visits;
    }
  });
  search.offer_whole(
      "passive-aggressive, squared hinges" + suffix,
      [&](double hinges, double scale) {
        const double root = std::sqrt(hinges) + std::sqrt(hinges + distance(scale));
        return radius_squared * root * root * (1 + 0x1p-20) + still;
      },
      2, [&](std::uint64_t i) { return shares[i]; });
}

}  // namespace

void offer_passive_aggressive(BoundSearch& search, Aggression variant, double aggressiveness, double norm_factor,
                              const std::string& suffix) {
  const RunForBound& run = search.run();
  const Evaluation& e = search.evaluation();
  if (!run.whole) return search.asks_for("all rows of the run, not only those that moved the weights");
  if (!search.holds_squares()) return;
  const double radius_squared = rounding_up([&] { return norm_factor * e.radius_squared * search.allowance(); });
  const double start_norm = search.start_squares();
  const double start_minus_dot = search.minus_start_dot();
  // |scale u - w0|^2
  const auto distance = [&](double scale) {
    return scale * scale * e.squared_norm + 2 * scale * start_minus_dot + start_norm;
  };
  if (variant == Aggression::full) {
    if (!(e.smallest_margin > 0) || run.resumed)
      return offer_squared_hinges(search, radius_squared, norm_factor, distance, suffix);
    const double value = rounding_up([&] { return radius_squared * distance(1 / e.smallest_margin); });
    return search.offer(value, "passive-aggressive, separable" + suffix, 0, true);
  }
  const bool capped = variant == Aggression::capped;
  const double lightest = aggressiveness * search.smallest_weight();
  search.offer_whole((capped ? "passive-aggressive I" : "passive-aggressive II") + suffix,
                     [&](double hinges, double scale) {
                       const double factor =
                           capped ? larger(radius_squared, 1 / lightest) : radius_squared + 1 / (2 * lightest);
                       return factor * (distance(scale) + 2 * aggressiveness * hinges);
                     },
                     capped ? 1 : 2);
}

}  // namespace halfspace
