// How many rows each row counts as: its weight in the data, without the weight of its class.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "halfspace/base/error.h"
#include "halfspace/kernels/example.h"
#include "halfspace/stream/schema.h"

namespace halfspace::training {

// Blocks that are trained on carry the product of both weights. The weight of a class changes what is learned; it makes
// no row more frequent, so figures must not depend on it. A class of weight 0 is left out: its rows count as none.
class RowCounts {
 public:
  RowCounts() = default;
  RowCounts(const std::vector<std::pair<std::string, double>>& class_weights, const Labels& labels) {
    for (const auto& [name, factor] : class_weights) {
      const auto label = labels.find(name);
      if (!label) continue;
      factors_.resize(std::max(labels.names.size(), factors_.size()), 1.0);
      factors_[static_cast<std::size_t>(*label)] = factor;
    }
  }

  double of(const Block& block, std::size_t i) const {
    if (block.weight == nullptr) return 1;
    const double weight = block.weight[i];
    const auto label = static_cast<std::size_t>(block.label[i]);
    const double factor = label < factors_.size() ? factors_[label] : 1;
    if (factor == 1 || weight == 0) return weight;
    // Two roundings lie between the row's weight and this quotient, so a whole number is within three units of it.
    const double quotient = weight / factor, whole = std::nearbyint(quotient);
    return std::abs(quotient - whole) <= 0x3p-53 * whole ? whole : quotient;
  }

 private:
  std::vector<double> factors_;  // by class number; classes beyond have 1
};

// Throws Error(data): of rows without weight nothing can be learned, and no figure is a share of them.
[[noreturn]] inline void refuse_no_weight(const std::string& file) {
  throw Error(ErrorKind::data, "every row has weight zero").at(file).fix("give rows to learn from a weight above it");
}

}  // namespace halfspace::training
