// The common part of rules that minimize a convex loss: the loss, and the step along its slope.
#pragma once

#include "halfspace/detail/linear/loss.h"
#include "halfspace/detail/rules/parameter.h"
#include "halfspace/linear/rule.h"

namespace halfspace {

namespace parameter {
inline constexpr Parameter loss{
    .name = "loss", .placeholder = "LOSS", .kind = Parameter::Kind::choice, .choices = parameter_choices<MarginLoss>()};
}  // namespace parameter

// A step along the slope of a convex loss; the weights decide how far they follow it.
struct GradientStep {
  Tie tie = Tie::positive;
  MarginLoss loss = MarginLoss::logistic;

  double step(double sign, double score, double /*squared_norm*/, double weight) const {
    return weight * slope_of(loss, sign * score);
  }
};

}  // namespace halfspace
