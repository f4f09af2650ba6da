// The bounds of PA, PA-I and PA-II from any start. Compiled with -frounding-math.
#include "halfspace/bounds/passive_aggressive.h"

#include <cmath>

#include "halfspace/base/rounding.h"

namespace halfspace {

void offer_passive_aggressive(BoundSearch& search, Aggression variant, double aggressiveness, double norm_factor,
                              const std::string& suffix) {
  const RunForBound& run = search.run();
  const Evaluation& e = search.evaluation();
  if (!run.whole || (run.resumed && variant == Aggression::full)) return;
  const double radius_squared = rounding_up([&] { return norm_factor * e.radius_squared * search.allowance(); });
  const double start_norm = search.start_squares();
  const double start_minus_dot = search.minus_start_dot();
  // |scale u - w0|^2
  const auto distance = [&](double scale) {
    return scale * scale * e.squared_norm + 2 * scale * start_minus_dot + start_norm;
  };
  if (variant == Aggression::full) {
    if (!(e.smallest_margin > 0)) return;
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
