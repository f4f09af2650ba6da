// Sums values and their squares.
#include "halfspace/train/feature_spread.h"

#include <cmath>

namespace halfspace {

bool FeatureSpread::add(const Block& block, std::size_t i, double count) {
  constexpr std::uint64_t stride = 16;
  constexpr double largest = 0x1p300;  // its square times most_weight, summed over any number of rows, is finite
  const bool each = rows < every_row;
  const bool counts = each || rows % stride == 0;
  ++rows;
  if (!counts) return true;
  const double times = each ? count : static_cast<double>(stride) * count;
  weight += times;
  bool all = true;
  block.with_example(i, [&](const auto& x) {
    for (std::uint32_t k = 0; k < x.size && all; ++k) {
      const std::size_t feature = x.index[k];
      const double value = x.value_at(k);
      all = feature < most_features && std::abs(value) <= largest;
      if (!all) return;
      if (feature >= features.size()) features.resize(feature + 1);
      features[feature].values += times * value;
      features[feature].squares += times * (value * value);
    }
  });
  return all;
}

void FeatureSpread::scale(std::span<const std::int16_t> exponents) {
  for (std::size_t j = 0; j < features.size() && j < exponents.size(); ++j) {
    features[j].values = std::ldexp(features[j].values, exponents[j]);
    features[j].squares = std::ldexp(features[j].squares, 2 * exponents[j]);
  }
}

double FeatureSpread::deviation(std::size_t feature) const {
  if (feature >= features.size() || !(weight > 0)) return 0;
  const double mean = features[feature].values / weight, square = features[feature].squares / weight;
  const double variance = square - mean * mean;
  return variance > 0x1p-40 * square ? std::sqrt(variance) : 0;  // less is rounding
}

}  // namespace halfspace
