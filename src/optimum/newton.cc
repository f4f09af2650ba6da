// The objective along a step, and how far to go.
#include "optimum/newton.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/parallel.h"
#include "halfspace/detail/base/elementary.h"

namespace halfspace::optimum {
namespace {

constexpr double softest = 0.5, sharper = 2, sharpest = 1e6;
constexpr int moves = 8;  // margins that are carried along lose digits

}  // namespace

Newton::Newton(const Rows& rows, const OptimumOptions& options, Weights& weights, const Vector& dual_variables,
               std::function<bool(std::uint64_t)> stop)
    : options_(options),
      weights_(weights),
      passes_(rows),
      stop_(std::move(stop)),
      system_(passes_, weights.bias_value, [this] { return stop_(passes_.count()); }),
      sharpness_(softest),
      moved_(moves) {
  for (std::size_t b = 0; b < rows.blocks(); ++b) {
    const Block block = rows.block(b);
    for (std::size_t i = 0; i < block.rows && block.weight != nullptr; ++i) {
      cost_.resize(b * Rows::block_rows + i, options.cost);  // of the rows before the first weight
      cost_.push_back(cost_of(options, block.weight[i]));
    }
    rows.release(b);
  }
  if (!cost_.empty()) cost_.resize(rows.size(), options.cost);
  for (std::size_t i = 0; i < rows.size(); ++i) all_cost_ += cost(i);
  margin_.resize(rows.size());
  change_.resize(rows.size());
  curvature_.resize(rows.size());
  if (hinge()) before_ = dual_variables;
}

RowLoss Newton::smoothed_hinge(std::size_t i, double margin) const {
  const double c = cost(i), scale = sharpness_ * c, a = before_[i] + scale * (1 - margin);
  if (!(a > 0)) return {0, 0, 0};
  if (a < c) return {a * a / (2 * scale), a, scale};
  return {c * (2 * a - c) / (2 * scale), c, 0};
}

RowLoss Newton::loss_of(std::size_t i, double margin) const {
  if (hinge() && cost(i) > 0) return smoothed_hinge(i, margin);
  return smooth_loss(options_.loss, cost(i), margin);
}

void Newton::find_margins(const Vector& v, Vector& into) {
  const double of_bias = v.back() * weights_.bias_value;
  passes_.for_blocks(passes_.parts(passes_.stored(), 1), [&](std::size_t, std::size_t b, UnpackBuffer& room) {
    const Block block = passes_.rows().block(b);
    for (std::size_t i = 0; i < block.rows; ++i) {
      const double score = with_row(row_view(block, i), room, [&](const auto& x) { return dot(v.data(), x); });
      into[b * Rows::block_rows + i] = (block.label[i] == options_.positive ? 1 : -1) * (score + of_bias);
    }
  });
}

void Newton::evaluate() {
  if (moved_ >= moves) {
    find_margins(weights_.w, margin_);
    moved_ = 0;
  }
  std::vector<double> losses(passes_.rows().blocks(), 0.0), gaps(losses);
  gradient_ = passes_.sum_of(passes_.stored(), weights_.w.size(), [&](Vector& sum, std::size_t b, UnpackBuffer& room) {
    const Block block = passes_.rows().block(b);
    for (std::size_t i = 0; i < block.rows; ++i) {
      const std::size_t row = b * Rows::block_rows + i;
      const RowLoss loss = loss_of(row, margin_[row]);
      curvature_[row] = loss.curvature;
      losses[b] += hinge() ? cost(row) * std::max(0.0, 1 - margin_[row]) : loss.value;
      if (hinge()) gaps[b] += gap_of(MarginLoss::hinge, loss.dual, cost(row), margin_[row]);
      if (loss.dual == 0) continue;
      const double amount = block.label[i] == options_.positive ? -loss.dual : loss.dual;
      with_row(row_view(block, i), room, [&](const auto& x) { add(sum.data(), amount, x); });
      sum.back() += amount * weights_.bias_value;
    }
  });
  const double of_bias = gradient_.back();
  add_multiple(gradient_, 1, weights_.w);
  if (!options_.penalize_bias) gradient_.back() = of_bias;
  primal_ = penalty_product(weights_.w, weights_.w) / 2;
  rows_gap_ = 0;
  for (std::size_t b = 0; b < losses.size(); ++b) {
    primal_ += losses[b];
    rows_gap_ += gaps[b];
  }
}

// Returns <a, b>, without what the objective does not penalise.
double Newton::penalty_product(const Vector& a, const Vector& b) const {
  return inner(a, b) - (options_.penalize_bias ? 0.0 : a.back() * b.back());
}

// A free bias unbalances the classes by its gradient, and scaling them costs its first order.
double Newton::slope_gap() const {
  const double slope = options_.penalize_bias ? 0.0 : gradient_.back();
  return (inner(gradient_, gradient_) - slope * slope) / 2 + 2 * std::abs(slope * weights_.bias()) + slope * slope;
}

// Returns the smoothed objective at w + t s, and its slope along s.
Newton::OnLine Newton::along(const Vector& s, double t) const {
  std::vector<OnLine> sums(passes_.rows().blocks(), OnLine{0, 0});
  in_parallel(sums.size(), 1, [&](std::size_t b, std::size_t) {
    const std::size_t end = std::min(margin_.size(), (b + 1) * Rows::block_rows);
    for (std::size_t i = b * Rows::block_rows; i < end; ++i) {
      const RowLoss loss = loss_of(i, margin_[i] + t * change_[i]);
      sums[b].value += loss.value;
      sums[b].slope -= loss.dual * change_[i];
    }
  });
  const double cross = penalty_product(weights_.w, s), square = penalty_product(s, s);
  OnLine all{penalty_product(weights_.w, weights_.w) / 2 + t * cross + t * t * square / 2, cross + t * square};
  for (const OnLine& sum : sums) {
    all.value += sum.value;
    all.slope += sum.slope;
  }
  return all;
}

// Returns how far to go along s: to where the objective is lower and most of its slope is gone. That is the whole step,
// or between a step too short and one too long. Returns 0 if rounding hides any fall.
double Newton::step_length(const Vector& s) const {
  const OnLine begin = along(s, 0);
  if (!(begin.slope < 0)) return 0;
  constexpr double rounding = 1e-14, steepness_left = 0.2, sure_fall = 1e-4;
  const double blur = rounding * std::abs(begin.value);
  double low = 0, high = HUGE_VAL, low_slope = begin.slope, high_slope = 0, t = 1;
  constexpr int looks = 40;
  for (int look = 0; look < looks; ++look) {
    const OnLine now = along(s, t);
    const bool lower = now.value <= begin.value + sure_fall * t * begin.slope + blur;
    if (lower && std::abs(now.slope) <= steepness_left * -begin.slope) return t;
    (now.slope < 0 ? low : high) = t;
    (now.slope < 0 ? low_slope : high_slope) = now.slope;
    if (high == HUGE_VAL) {
      t *= 4;
      continue;
    }
    // The secant; every third look goes by the size, as the slope may be flat but for a place near 0.
    constexpr double shorter = 1.0 / 64;
    const double share = std::clamp(low_slope / (low_slope - high_slope), 0.02, 0.98);
    t = look % 3 != 2 ? low + share * (high - low) : low > 0 ? (low + high) / 2 : shorter * high;
  }
  return along(s, low).value <= begin.value + blur ? low : 0;
}

void Newton::take_dual_variables() {
  before_ = dual_variables();
  sharpness_ = std::min(sharper * sharpness_, sharpest);
  moved_ = moves;
  evaluate();
}

bool Newton::step(double aim) {
  if (hinge() && slope_gap() <= rows_gap_) take_dual_variables();
  constexpr double little = 1e-8;
  system_.set(curvature_, options_.penalize_bias ? 1.0 : little * all_cost_);
  const double now = inner(gradient_, gradient_) / 2;
  if (first_gradient_ == 0) first_gradient_ = now;
  // The nearer, the more exact.
  const double share = std::min(0.04, std::sqrt(now / first_gradient_));
  const Vector s = system_.solve(gradient_, std::max({0.1 * aim, 0.1 * rows_gap_, share * now}));
  // Conjugate gradients that were told to stop have found a descent direction all the same.
  if (!(inner(gradient_, s) < 0)) return false;
  find_margins(s, change_);
  const double t = step_length(s);
  if (t == 0) return false;
  add_multiple(weights_.w, t, s);
  add_multiple(margin_, t, change_);
  ++moved_;
  return true;
}

std::vector<double> Newton::dual_variables() const {
  std::vector<double> a(margin_.size());
  const bool bounded = options_.loss != MarginLoss::squared_hinge;
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = loss_of(i, margin_[i]).dual;
    if (bounded) a[i] = std::min(a[i], cost(i));
  }
  return a;
}

}  // namespace halfspace::optimum
