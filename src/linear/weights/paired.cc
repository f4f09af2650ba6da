// Grows, shows and stores weights that come in pairs.
#include "halfspace/linear/weights/paired.h"

namespace halfspace {

void PairedWeights::grow(std::uint32_t features) {
  const std::size_t old = pairs_.size();
  if (2 * std::size_t{features} <= old) return;
  pairs_.resize(2 * std::size_t{features}, 0.0);
  for (std::size_t i = old + 1; i < pairs_.size(); i += 2) pairs_[i] = first_moment_;
}

WeightVector PairedWeights::point() const {
  WeightVector point;
  point.w.resize(pairs_.size() / 2);
  for (std::size_t j = 0; j < point.w.size(); ++j) point.w[j] = pairs_[2 * j];
  point.bias = bias_weight_;
  return point;
}

void PairedWeights::save_moments(std::vector<double>& moments) const {
  moments.clear();
  for (std::size_t j = 0; j < pairs_.size() / 2; ++j) moments.push_back(moment(j));
  if (bias_.place != Bias::none) moments.push_back(bias_moment_);
}

void PairedWeights::restore(const WeightVector& stored) {
  grow(static_cast<std::uint32_t>(stored.w.size()));
  for (std::size_t j = 0; j < stored.w.size(); ++j) pairs_[2 * j] = stored.w[j];
  bias_weight_ = stored.bias;
}

void PairedWeights::restore_moments(const std::vector<double>& moments) {
  if (moments.size() != features() + (bias_.place == Bias::none ? 0U : 1U)) refuse_state("not one moment a weight");
  for (std::size_t j = 0; j < features(); ++j) pairs_[2 * j + 1] = moments[j];
  bias_moment_ = bias_.place == Bias::none ? first_moment_ : moments.back();
}

}  // namespace halfspace
