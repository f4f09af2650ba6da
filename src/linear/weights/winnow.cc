// Winnow's weights: growing, moving, rejecting values other than 0 and 1.
#include "halfspace/detail/linear/weights/winnow.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>

#include "halfspace/base/error.h"

namespace halfspace {

WinnowWeights::WinnowWeights(BiasOptions bias, Fall fall, double alpha, std::optional<double> threshold)
    : bias_(bias), fall_(fall), alpha_(alpha), fixed_(threshold) {
  vector_.bias = -fixed_.value_or(1.0);
}

void WinnowWeights::grow(std::uint32_t features) {
  const std::size_t old = vector_.w.size();
  if (features <= old) return;
  vector_.w.resize(features, 1.0);
  if (!fixed_) vector_.bias = -std::max(1.0, 0.5 * static_cast<double>(features));
  appeared_ += static_cast<double>(features - old) / threshold();
}

void WinnowWeights::extend(WeightVector& earlier) const {
  if (earlier.w.size() < vector_.w.size()) earlier.w.resize(vector_.w.size(), 1.0);
  earlier.bias = vector_.bias;
}

void WinnowWeights::move(double& weight, bool up) const {
  if (up) {
    weight *= alpha_;
  } else if (fall_ == Fall::eliminate) {
    weight = 0;
  } else if (weight > 0) {
    weight = std::max(weight / alpha_, std::numeric_limits<double>::min());  // what is 0 could never rise again
  }
}

void WinnowWeights::refuse(std::uint64_t row, double value) {
  throw Error(ErrorKind::data, "winnow takes features of 0 and 1, and data row " + std::to_string(row) +
                                   " has a value " + fmt::format("{}", value))
      .fix("use " + option("rule", "eg") + " or " + option("rule", "minnow") + ", which take any values");
}

void WinnowWeights::restore(WeightVector w) {
  if (!(w.bias < 0)) refuse_state("winnow's bias is a threshold, which is positive");
  vector_ = std::move(w);
}

}  // namespace halfspace
