// The rows of a descent with what each visit needs.
#pragma once

#include <cstdint>

#include "halfspace/optimum/optimum.h"
#include "optimum/row_view.h"
#include "optimum/weights.h"

namespace halfspace::optimum {

struct Item {
  RowView row;
  std::int32_t sign = 1;     // y
  std::uint64_t number = 0;  // among the rows
  double a = 0;              // the dual variable
  double cost = 0;           // c
  double curvature = 0;      // |x|^2, bias included, and of the squared hinge 1 / (2 c) more
};

// Returns the item of row i of a block, whose dual variable is 0.
inline Item item_of(const Block& block, std::size_t i, const OptimumOptions& options, double bias_value) {
  Item item;
  item.row = row_view(block, i);
  item.sign = block.label[i] == options.positive ? 1 : -1;
  item.cost = cost_of(options, block.weight == nullptr ? 1.0 : block.weight[i]);
  item.curvature = block.squared_norm[i] + bias_value * bias_value;
  if (options.loss == MarginLoss::squared_hinge) item.curvature += 1 / (2 * item.cost);
  return item;
}

// Returns y <w, x>.
inline double margin_of(const Weights& weights, const Item& item, UnpackBuffer& room) {
  const double score = with_row(item.row, room, [&](const auto& x) { return dot(weights.w.data(), x); });
  return item.sign * (score + bias_score(weights));
}

}  // namespace halfspace::optimum
