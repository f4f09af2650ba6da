// Tangents of margin losses.
#include "halfspace/detail/game/loss_sums.h"

#include "halfspace/detail/base/elementary.h"

namespace halfspace {
namespace {

// By t = e^-|m|, so that nothing cancels: k = ln(1 + t) + r |m|, with r the lesser of q and 1 - q. On the side of the
// mistakes 1 - q is exact, and k is l(m) + q m for the q that was rounded: above the true value by a relative entropy.
LossTangent logistic_tangent(double margin) {
  const double distance = std::abs(margin), t = elementary::exp(-distance);
  if (t < 0x1p-1000) return {0, 0, margin > 0 ? 0.0 : 1.0};
  const double slope = (margin > 0 ? t : 1.0) / (1 + t);
  const double value = elementary::log1p(t) + (margin > 0 ? slope : 1 - slope) * distance;
  return {value, value, slope};
}

}  // namespace

LossTangent tangent_of(MarginLoss loss, double margin) {
  switch (loss) {
    case MarginLoss::hinge:
      return margin < 1 ? LossTangent{1, 1, 1} : LossTangent{};
    case MarginLoss::squared_hinge: {
      const double slope = slope_of(loss, margin);
      return {slope - slope * slope / 4, slope + slope * slope / 4, slope};
    }
    case MarginLoss::logistic:
      return logistic_tangent(margin);
  }
  return {};
}

}  // namespace halfspace
