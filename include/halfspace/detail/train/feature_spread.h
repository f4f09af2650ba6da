// How much the values of each feature vary over the training rows.
//
// A weight depends on the unit of its feature; weight times standard deviation does not, and tells how far the feature
// moves the score from row to row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "halfspace/kernels/example.h"

namespace halfspace {

// Sums over training rows, in the units that the weights act on. Rows that come first all count; after `every_row` of
// them every sixteenth does, sixteen times.
struct FeatureSpread {
  static constexpr std::uint32_t most_features = 1 << 13;
  static constexpr std::uint64_t every_row = 1 << 16;

  // Of the rows that have the feature: their weight, and sums of values less the first one, and of the squares of these.
  // Differences keep the digits of a column such as a date in seconds, whose values are a million deviations from 0.
  struct Sums {
    double first = 0, weight = 0, values = 0, squares = 0;
    bool operator==(const Sums&) const = default;
  };

  std::uint64_t rows = 0;      // seen
  double weight = 0;           // of the rows that count
  std::vector<Sums> features;  // those seen
  bool operator==(const FeatureSpread&) const = default;

  // Adds row i of the block, which counts as so many rows. Returns false, and the sums are then of no use, if the row
  // has a feature beyond most_features, or a value whose square may overflow.
  bool add(const Block& block, std::size_t i, double count);
  // Multiplies the values of each feature by 2^exponent.
  void scale(std::span<const std::int16_t> exponents);
  // Returns the mean of a feature over all rows, 0 where a row lacks it, and its standard deviation.
  double mean(std::size_t feature) const;
  double deviation(std::size_t feature) const;
};

}  // namespace halfspace
