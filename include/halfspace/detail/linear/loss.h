// Convex losses of a margin m = y <w, x>, for rules that minimize them.
//
//   hinge          max(0, 1 - m)
//   squared-hinge  max(0, 1 - m)^2
//   logistic       ln(1 + e^-m), in nats
//
// A mistake costs at least 1, 1 and ln 2, so that a bound of the loss is one of the mistakes.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "halfspace/detail/base/elementary.h"
#include "halfspace/detail/base/names.h"

namespace halfspace {

enum class MarginLoss : std::uint8_t { hinge, squared_hinge, logistic };

template <>
struct NamesOf<MarginLoss> {
  static constexpr Name<MarginLoss> table[] = {
      {MarginLoss::hinge, "hinge", "1 less the margin, where that is positive"},
      {MarginLoss::squared_hinge, "squared-hinge", "its square"},
      {MarginLoss::logistic, "logistic", "the log loss of the probability that the score stands for"},
  };
};

double value_of(MarginLoss loss, double margin);

// Returns -dl/dm, never negative.
inline double slope_of(MarginLoss loss, double margin) {
  switch (loss) {
    case MarginLoss::hinge:
      return margin < 1 ? 1.0 : 0.0;
    case MarginLoss::squared_hinge:
      return margin < 1 ? 2 * (1 - margin) : 0.0;
    case MarginLoss::logistic:
      return 1 / (1 + elementary::exp(margin));
  }
  return 0;
}

// Returns the margin gained by gradient flow for a time, dm/dt = -dl/dm: the limit of many small steps, so that a row
// of weight 2 does what two rows do, and no step overshoots (Karampatziakis and Langford 2011).
double margin_gained(MarginLoss loss, double margin, double time);

}  // namespace halfspace
