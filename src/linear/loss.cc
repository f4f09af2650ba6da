// Losses, and margins moved by gradient flow along their slopes.
#include "halfspace/detail/linear/loss.h"

#include <algorithm>

#include "halfspace/detail/base/elementary.h"

namespace halfspace {
namespace {

// Solves d + e^m (e^d - 1) = time for d >= 0, which is what follows from dm/dt = 1 / (1 + e^m).
//
// Of m up to 8 by the margin it comes to, z + e^z = m + e^m + time, which costs one exponential a step: Halley's from
// the right, where Newton's first step from the left ends, and after two of them z is right to the last bits.
double logistic_gain_of_small(double margin, double time) {
  const double scale = elementary::exp(margin), whole = margin + scale + time;
  double z = margin + time / (1 + scale);
  if (whole > 1) z = std::min(z, elementary::log(whole));
  for (int i = 0; i < 3; ++i) {
    const double grown = elementary::exp(z), slope = 1 + grown, excess = z + grown - whole;
    z -= 2 * excess * slope / (2 * slope * slope - excess * grown);
  }
  return std::clamp(z - margin, 0.0, time / (1 + scale));
}

// The left side is convex and grows, so Newton's steps from the right stay there.
double logistic_gain(double margin, double time) {
  if (margin <= 8 && time <= 0x1p60) return logistic_gain_of_small(margin, time);
  double gained = std::min(time, elementary::log1p(time * elementary::exp(-margin)));
  if (margin > 500) return gained;  // right to the last bit: d is below e^-450
  const double scale = elementary::exp(margin);
  for (int i = 0; i < 8; ++i) {
    const double grown = elementary::exp(margin + gained);
    // Of two forms the one in which nothing cancels, or overflows.
    const double excess = gained + (gained < 1 ? scale * elementary::expm1(gained) : grown - scale) - time;
    const double next = std::max(0.0, gained - excess / (1 + grown));
    if (!(next < gained)) break;
    gained = next;
  }
  return gained;
}

}  // namespace

double value_of(MarginLoss loss, double margin) {
  const double short_by = std::max(0.0, 1 - margin);
  switch (loss) {
    case MarginLoss::hinge:
      return short_by;
    case MarginLoss::squared_hinge:
      return short_by * short_by;
    case MarginLoss::logistic:
      return margin > 0 ? elementary::log1p(elementary::exp(-margin))
                        : elementary::log1p(elementary::exp(margin)) - margin;
  }
  return 0;
}

double margin_gained(MarginLoss loss, double margin, double time) {
  const double short_by = std::max(0.0, 1 - margin);
  switch (loss) {
    case MarginLoss::hinge:
      return std::min(short_by, time);
    case MarginLoss::squared_hinge:
      return -short_by * elementary::expm1(-2 * time);
    case MarginLoss::logistic:
      return logistic_gain(margin, time);
  }
  return 0;
}

}  // namespace halfspace
