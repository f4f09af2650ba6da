// Sums differences and their squares.
#include "halfspace/detail/train/feature_spread.h"

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
      Sums& sums = features[feature];
      if (sums.weight == 0) sums.first = value;
      const double difference = value - sums.first;
      sums.weight += times;
      sums.values += times * difference;
      sums.squares += times * (difference * difference);
    }
  });
  return all;
}

void FeatureSpread::scale(std::span<const std::int16_t> exponents) {
  for (std::size_t j = 0; j < features.size() && j < exponents.size(); ++j) {
    features[j].first = std::ldexp(features[j].first, exponents[j]);
    features[j].values = std::ldexp(features[j].values, exponents[j]);
    features[j].squares = std::ldexp(features[j].squares, 2 * exponents[j]);
  }
}

double FeatureSpread::mean(std::size_t feature) const {
  if (feature >= features.size() || !(weight > 0)) return 0;
  const Sums& sums = features[feature];
  return sums.values / weight + sums.first * (sums.weight / weight);
}

double FeatureSpread::deviation(std::size_t feature) const {
  if (feature >= features.size() || !(weight > 0)) return 0;
  const auto [first, present, values, squares] = features[feature];
  const double absent = weight - present;  // rows whose value is 0
  const double mean = (values - absent * first) / weight, square = (squares + absent * (first * first)) / weight;
  const double variance = square - mean * mean;
  return variance > 0x1p-40 * square ? std::sqrt(variance) : 0;  // less is rounding
}

}  // namespace halfspace
