// The steps of single rows, and the passes over them.
#include "optimum/descent.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "halfspace/detail/base/elementary.h"

namespace halfspace::optimum {
namespace {

// Where a dual variable goes, and how it stood before.
struct RowStep {
  double a = 0;         // the new value
  double gradient = 0;  // projected: what is left to descend
  bool rests = false;   // at a bound, pressed against it
  double pressure = 0;  // the gradient then
};

// Minimizes curvature / 2 (z - a)^2 + gradient (z - a) over [0, limit].
RowStep quadratic_step(const Item& item, double gradient, double limit) {
  RowStep step;
  step.a = item.curvature > 0 ? std::clamp(item.a - gradient / item.curvature, 0.0, limit) : gradient < 0 ? limit : 0.0;
  step.gradient = gradient;
  step.pressure = gradient;
  if (item.a <= 0) {
    step.rests = gradient > 0;
  } else if (item.a >= limit) {
    step.rests = gradient < 0;
  }
  if (step.rests) step.gradient = 0;
  return step;
}

// Finds the root of curvature (z - a) + margin + ln(z / (cost - z)), the derivative of the dual objective, as z = cost /
// (1 + e^-u): in u its slope is at least 1, so Newton's steps within a bracket converge.
RowStep logistic_step(const Item& item, double margin) {
  const double c = item.cost, q = item.curvature;
  double low = -margin - q * (c - item.a), high = -margin + q * item.a;
  double u = std::clamp(item.a > 0 && item.a < c ? elementary::log(item.a / (c - item.a)) : -margin, low, high);
  constexpr int most = 40;
  constexpr double enough = 1e-9;
  const auto share = [](double at) {
    return at >= 0 ? 1 / (1 + elementary::exp(-at)) : elementary::exp(at) / (1 + elementary::exp(at));
  };
  for (int k = 0; k < most; ++k) {
    const double p = share(u), value = q * (c * p - item.a) + margin + u;
    if (std::abs(value) <= enough * (1 + std::abs(u))) break;
    (value > 0 ? high : low) = u;
    const double next = u - value / (1 + q * c * p * (1 - p));
    u = next > low && next < high ? next : (low + high) / 2;
  }
  RowStep step;
  step.a = c * share(u);
  return step;
}

template <MarginLoss loss>
RowStep step_of(const Item& item, double margin) {
  if constexpr (loss == MarginLoss::logistic) return logistic_step(item, margin);
  if constexpr (loss == MarginLoss::hinge) return quadratic_step(item, margin - 1, item.cost);
  return quadratic_step(item, margin - 1 + item.a / (2 * item.cost), HUGE_VAL);
}

// Fisher and Yates, from the end.
void shuffle_active(Draws& draws, std::vector<std::uint32_t>& active) {
  for (std::size_t i = active.size(); i > 1; --i) std::swap(active[i - 1], active[pick(draws, i)]);
}

}  // namespace

void Descent::begin(std::span<Item> items) {
  items_ = items;
  active_.resize(items.size());
  std::iota(active_.begin(), active_.end(), 0U);
  highest_ = HUGE_VAL;
  lowest_ = -HUGE_VAL;
}

void Descent::fetch_ahead(std::size_t at) const {
  constexpr std::size_t items_ahead = 12, rows_ahead = 5;
  if (at >= items_ahead) __builtin_prefetch(&items_[active_[at - items_ahead]]);
  if (at >= rows_ahead) fetch(items_[active_[at - rows_ahead]].row);
}

template <MarginLoss loss>
PassSums Descent::pass_with(Draws& draws) {
  PassSums sums;
  shuffle_active(draws, active_);
  sums.visits = active_.size();
  double* const w = weights_.w.data();
  const double bias_value = weights_.bias_value;
  // From the end, so that the last row can take the place of one that is removed.
  for (std::size_t at = active_.size(); at-- > 0;) {
    fetch_ahead(at);
    Item& item = items_[active_[at]];
    with_row(item.row, room_, [&](const auto& x) {
      const double margin = item.sign * (dot(w, x) + bias_score(weights_));
      sums.gap += gap_of(loss, item.a, item.cost, margin);
      const RowStep step = step_of<loss>(item, margin);
      if (step.rests && (step.pressure > 0 ? step.pressure > highest_ : step.pressure < lowest_)) {
        active_[at] = active_.back();
        active_.pop_back();
        return;
      }
      sums.highest = std::max(sums.highest, step.gradient);
      sums.lowest = std::min(sums.lowest, step.gradient);
      const double change = step.a - item.a;
      if (change == 0) return;
      item.a = step.a;
      add(w, item.sign * change, x);
      weights_.bias() += item.sign * change * bias_value;
    });
  }
  highest_ = sums.highest > 0 ? sums.highest : HUGE_VAL;
  lowest_ = sums.lowest < 0 ? sums.lowest : -HUGE_VAL;
  return sums;
}

PassSums Descent::pass(Draws& draws) {
  switch (options_.loss) {
    case MarginLoss::hinge:
      return pass_with<MarginLoss::hinge>(draws);
    case MarginLoss::squared_hinge:
      return pass_with<MarginLoss::squared_hinge>(draws);
    case MarginLoss::logistic:
      break;
  }
  return pass_with<MarginLoss::logistic>(draws);
}

void Descent::reconsider(std::span<const double> margins) {
  highest_ = HUGE_VAL;
  lowest_ = -HUGE_VAL;
  active_.clear();
  const bool bounded = options_.loss == MarginLoss::hinge;
  const auto gradient_of = [&](std::size_t i) {
    return margins[i] - 1 + (bounded ? 0.0 : items_[i].a / (2 * items_[i].cost));
  };
  double high = 0, low = 0;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const double gradient = gradient_of(i);
    const bool lowest = items_[i].a <= 0, highest = bounded && items_[i].a >= items_[i].cost;
    if (!(lowest && gradient > 0) && !(highest && gradient < 0)) {
      high = std::max(high, gradient);
      low = std::min(low, gradient);
    }
  }
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const double gradient = gradient_of(i);
    const bool lowest = items_[i].a <= 0, highest = bounded && items_[i].a >= items_[i].cost;
    if ((lowest && gradient > high) || (highest && gradient < low)) continue;
    active_.push_back(static_cast<std::uint32_t>(i));
  }
  if (high > 0) highest_ = high;
  if (low < 0) lowest_ = low;
}

}  // namespace halfspace::optimum
