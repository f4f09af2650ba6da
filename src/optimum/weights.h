// What the methods share: the weights they move, the cost of a row, and its part of the gap.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "halfspace/detail/base/elementary.h"
#include "halfspace/optimum/optimum.h"

namespace halfspace::optimum {

// The weights of the features, then that of the bias.
struct Weights {
  std::vector<double> w;
  double bias_value = 0;  // of the bias feature
  double offset = 0;      // of every score

  Weights(std::uint32_t features, double value) : w(features + 1U, 0.0), bias_value(value) {}
  double& bias() { return w.back(); }
  double bias() const { return w.back(); }
};

inline double cost_of(const OptimumOptions& options, double weight) { return options.cost * weight; }

// Returns what the bias adds to every score.
inline double bias_score(const Weights& weights) { return weights.offset + weights.bias() * weights.bias_value; }

// What a row's smooth loss c l(m) is at a margin; -dloss/dm is the dual variable.
struct RowLoss {
  double value, dual, curvature;
};
inline RowLoss smooth_loss(MarginLoss loss, double cost, double margin) {
  if (!(cost > 0)) return {0, 0, 0};
  if (loss == MarginLoss::squared_hinge) {
    const double lack = std::max(0.0, 1 - margin);
    return {cost * (lack * lack), cost * (2 * lack), lack > 0 ? 2 * cost : 0};
  }
  const double e = elementary::exp(-std::abs(margin)), p = 1 / (1 + e);
  return {cost * (std::max(0.0, -margin) + elementary::log1p(e)), cost * (margin > 0 ? e * p : p), cost * (e * p * p)};
}
// Returns the dual variable of a smooth loss, within its bounds.
inline double smooth_dual(MarginLoss loss, double cost, double margin) {
  const double dual = smooth_loss(loss, cost, margin).dual;
  return loss == MarginLoss::squared_hinge ? dual : std::min(dual, cost);
}

// Returns a row's part of the gap P - D, where w = sum of a y x: never negative, and 0 for every row at the optimum.
inline double gap_of(MarginLoss loss, double a, double cost, double margin) {
  if (loss == MarginLoss::logistic) {
    const auto part = [cost](double b) { return b > 0 ? b * elementary::log(b / cost) : 0.0; };
    const double value = std::max(0.0, -margin) + elementary::log1p(elementary::exp(-std::abs(margin)));
    return std::max(0.0, part(a) + part(cost - a) + a * margin + cost * value);
  }
  const double lack = 1 - margin;
  if (loss == MarginLoss::hinge) return lack > 0 ? (cost - a) * lack : -a * lack;
  const double away = std::max(0.0, lack) - a / (2 * cost);
  return cost * away * away - a * std::min(0.0, lack);
}

}  // namespace halfspace::optimum
