// The rows of a descent with what each visit needs; and the weights it moves.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "halfspace/linear/loss.h"
#include "halfspace/optimum/optimum.h"
#include "optimum/row_view.h"

namespace halfspace::optimum {

struct Item {
  RowView row;
  std::int32_t sign = 1;     // y
  std::uint64_t number = 0;  // among the rows
  double a = 0;              // the dual variable
  double cost = 0;           // c
  double curvature = 0;      // |x|^2, bias included, and of the squared hinge 1 / (2 c) more
};

// The weights of the features, then that of the bias.
struct Weights {
  std::vector<double> w;
  double bias_value = 0;  // of the bias feature
  double offset = 0;      // of every score

  Weights(std::uint32_t features, double value) : w(features + 1U, 0.0), bias_value(value) {}
  double& bias() { return w.back(); }
  double bias() const { return w.back(); }
};

inline double cost_of(const OptimumOptions& options, double weight) {
  return options.cost * weight;
}

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

// Returns what the bias adds to every score.
inline double bias_score(const Weights& weights) {
  return weights.offset + weights.bias() * weights.bias_value;
}

// Returns y <w, x>.
inline double margin_of(const Weights& weights, const Item& item, UnpackBuffer& room) {
  const double score = with_row(item.row, room, [&](const auto& x) { return dot(weights.w.data(), x); });
  return item.sign * (score + bias_score(weights));
}

// Returns a row's part of the gap P - D of a hinge where w = sum of a y x: never negative, and 0 for every row at the
// optimum.
inline double gap_of(MarginLoss loss, double a, double cost, double margin) {
  const double lack = 1 - margin;
  if (loss == MarginLoss::hinge) return lack > 0 ? (cost - a) * lack : -a * lack;
  const double away = std::max(0.0, lack) - a / (2 * cost);
  return cost * away * away - a * std::min(0.0, lack);
}

}  // namespace halfspace::optimum
