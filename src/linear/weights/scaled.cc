// Drawing weights back into their ball, and storing them.
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

void ScaledWeights::save(std::vector<double>& numbers, std::vector<double>& moments) const {
  numbers = {scale_, squared_norm_};
  moments.clear();
}

const char* ScaledWeights::restore(WeightVector direction, const std::vector<double>& numbers,
                                   const std::vector<double>& moments) {
  if (numbers.size() != 2 || !moments.empty()) return "weights in a ball have a scale and a norm";
  if (!(numbers[0] > 0)) return "the scale is not positive";
  direction_ = std::move(direction);
  scale_ = numbers[0];
  squared_norm_ = numbers[1];
  return nullptr;
}

}  // namespace halfspace
