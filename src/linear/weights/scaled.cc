// Projects weights into their ball.
#include "halfspace/detail/linear/weights/scaled.h"

namespace halfspace {

void ScaledWeights::draw_back() {
  drawn_ = ball_ / std::sqrt(squared_norm_);
  // A projection by the factor 0 would yield valid weights of 0: reports the overflow instead.
  if (!std::isfinite(squared_norm_)) drawn_ = std::numeric_limits<double>::quiet_NaN();
  scale_ *= drawn_;
  squared_norm_ = ball_ * ball_;
  if (!(scale_ <= 0x1p-200)) return;
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
