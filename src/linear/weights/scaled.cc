// Draws weights back into their ball.
#include "halfspace/linear/weights/scaled.h"

namespace halfspace {

void ScaledWeights::draw_back() {
  drawn_ = ball_ / std::sqrt(squared_norm_);
  scale_ *= drawn_;
  squared_norm_ = ball_ * ball_;
  if (scale_ > 0x1p-200) return;
  for (double& value : direction_.w) value *= scale_;
  direction_.bias *= scale_;
  scale_ = 1;
}

WeightVector ScaledWeights::point() const {
  WeightVector point = direction_;
  for (double& value : point.w) value *= scale_;
  point.bias *= scale_;
  return point;
}

}  // namespace halfspace
