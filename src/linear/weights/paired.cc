// Growing, showing and storing weights that come in pairs.
#include "halfspace/linear/weights/paired.h"

#include "halfspace/rules/adagrad.h"
#include "halfspace/rules/arow_diagonal.h"

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

const char* PairedWeights::restore_moments(const WeightVector& w, const std::vector<double>& moments) {
  const std::size_t size = w.w.size();
  if (moments.size() != size + (bias_.place == Bias::none ? 0 : 1)) return "not one moment a weight";
  pairs_.resize(2 * size);
  for (std::size_t j = 0; j < size; ++j) {
    pairs_[2 * j] = w.w[j];
    pairs_[2 * j + 1] = moments[j];
  }
  bias_weight_ = w.bias;
  bias_moment_ = bias_.place == Bias::none ? first_moment_ : moments.back();
  return nullptr;
}

void VarianceWeights::save(std::vector<double>& numbers, std::vector<double>& moments) const {
  numbers = {leverage_, unmistaken_, drift_};
  save_moments(moments);
}

const char* VarianceWeights::restore(const WeightVector& w, const std::vector<double>& numbers,
                                     const std::vector<double>& moments) {
  if (numbers.size() != 3) return "diagonal AROW has three numbers";
  leverage_ = numbers[0];
  unmistaken_ = numbers[1];
  drift_ = numbers[2];
  return restore_moments(w, moments);
}

void AdaptiveWeights::save(std::vector<double>& numbers, std::vector<double>& moments) const {
  numbers.clear();
  save_moments(moments);
}

const char* AdaptiveWeights::restore(const WeightVector& w, const std::vector<double>& numbers,
                                     const std::vector<double>& moments) {
  if (!numbers.empty()) return "AdaGrad has no numbers";
  return restore_moments(w, moments);
}

}  // namespace halfspace
