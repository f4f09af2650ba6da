// Products with the Hessian, conjugate gradients, and the search along a step.
#include "optimum/newton.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/parallel.h"

namespace halfspace::optimum {
namespace {

double inner(const std::vector<double>& a, const std::vector<double>& b) {
  double lane[4] = {0, 0, 0, 0};
  std::size_t j = 0;
  for (; j + 4 <= a.size(); j += 4) {
    for (std::size_t r = 0; r < 4; ++r) lane[r] += a[j + r] * b[j + r];
  }
  for (std::size_t r = 0; j < a.size(); ++j, ++r) lane[r] += a[j] * b[j];
  return (lane[0] + lane[2]) + (lane[1] + lane[3]);
}

double norm(const std::vector<double>& a) {
  return std::sqrt(inner(a, a));
}

// Sets a = a + t b.
void add_multiple(std::vector<double>& a, double t, const std::vector<double>& b) {
  for (std::size_t j = 0; j < a.size(); ++j) a[j] += t * b[j];
}

double second_slope(MarginLoss loss, double margin) {
  if (loss == MarginLoss::squared_hinge) return margin < 1 ? 2 : 0;
  const double p = 1 / (1 + std::exp(std::abs(margin)));
  return p * (1 - p);
}

}  // namespace

Newton::Newton(const Rows& rows, const OptimumOptions& options, Weights& weights, std::function<bool()> stop)
    : rows_(rows), options_(options), weights_(weights), stop_(std::move(stop)) {
  std::uint64_t stored = 0;
  cost_.reserve(rows.size());
  sign_.reserve(rows.size());
  for (std::size_t b = 0; b < rows.blocks(); ++b) {
    const Block block = rows.block(b);
    stored += block.stored();
    for (std::size_t i = 0; i < block.rows; ++i) {
      cost_.push_back(cost_of(options, block.weight == nullptr ? 1.0 : block.weight[i]));
      sign_.push_back(block.label[i] == options.positive ? 1 : -1);
    }
  }
  // Each part has a sum of its own, to be added up: at most a quarter of the work.
  const std::uint64_t worth = stored / (4 * weights.w.size());
  parts_ =
      static_cast<std::size_t>(std::clamp<std::uint64_t>(worth, 1, std::clamp<std::uint64_t>(rows.blocks(), 1, 16)));
  margin_.resize(rows.size());
  change_.resize(rows.size());
  curvature_.resize(rows.size());
}

template <class Each>
void Newton::for_parts(const Each& each) {
  ++passes_;
  in_parallel(parts_, 1, [&](std::size_t part, std::size_t) {
    UnpackBuffer room;
    const std::size_t begin = rows_.blocks() * part / parts_, end = rows_.blocks() * (part + 1) / parts_;
    for (std::size_t b = begin; b < end; ++b) {
      each(part, rows_.block(b), b * Rows::block_rows, room);
      rows_.release(b);
    }
  });
}

template <class Coefficient>
Newton::Vector Newton::combine(const Coefficient& coefficient) {
  std::vector<Vector> sums(parts_, Vector(weights_.w.size(), 0.0));
  for_parts([&](std::size_t part, const Block& block, std::size_t first, UnpackBuffer& room) {
    Vector& sum = sums[part];
    for (std::size_t i = 0; i < block.rows; ++i) {
      if (cost_[first + i] == 0) continue;
      with_row(row_view(block, i), room, [&](const auto& x) {
        const double amount = coefficient(first + i, x);
        if (amount == 0) return;
        add(sum.data(), amount, x);
        sum.back() += amount * weights_.bias_value;
      });
    }
  });
  for (std::size_t part = 1; part < parts_; ++part) add_multiple(sums[0], 1, sums[part]);
  return std::move(sums[0]);
}

void Newton::evaluate() {
  const Vector sum = combine([&](std::size_t i, const auto& x) {
    const double margin = sign_[i] * (dot(weights_.w.data(), x) + bias_score(weights_));
    margin_[i] = margin;
    curvature_[i] = cost_[i] * second_slope(options_.loss, margin);
    return sign_[i] * cost_[i] * slope_of(options_.loss, margin);
  });
  gradient_ = weights_.w;
  if (!options_.penalize_bias) gradient_.back() = 0;
  add_multiple(gradient_, -1, sum);
  primal_ = penalty_product(weights_.w, weights_.w) / 2 + losses(0);
  if (first_gradient_ == 0) first_gradient_ = norm(gradient_);
}

// Returns <a, b>, without what the objective does not penalise.
double Newton::penalty_product(const Vector& a, const Vector& b) const {
  return inner(a, b) - (options_.penalize_bias ? 0.0 : a.back() * b.back());
}

// A free bias unbalances the classes by its gradient, and scaling them costs its first order.
double Newton::gap() const {
  const double slope = options_.penalize_bias ? 0.0 : gradient_.back();
  return (inner(gradient_, gradient_) - slope * slope) / 2 + 2 * std::abs(slope * weights_.bias()) + slope * slope;
}

// Of the margins m + t y <s, x>.
double Newton::losses(double t) const {
  std::vector<double> sums(rows_.blocks(), 0.0);
  in_parallel(rows_.blocks(), 1, [&](std::size_t b, std::size_t) {
    const std::size_t end = std::min(margin_.size(), (b + 1) * Rows::block_rows);
    for (std::size_t i = b * Rows::block_rows; i < end; ++i)
      sums[b] += cost_[i] * value_of(options_.loss, t == 0 ? margin_[i] : margin_[i] + t * change_[i]);
  });
  double sum = 0;
  for (const double of_block : sums) sum += of_block;
  return sum;
}

Newton::Vector Newton::hessian_times(const Vector& direction) {
  Vector product = combine([&](std::size_t i, const auto& x) {
    if (curvature_[i] == 0) return 0.0;
    return curvature_[i] * (dot(direction.data(), x) + direction.back() * weights_.bias_value);
  });
  const double bias_part = product.back();
  add_multiple(product, 1, direction);
  if (!options_.penalize_bias) product.back() = bias_part;
  return product;
}

void Newton::find_diagonal() {
  diagonal_.assign(weights_.w.size(), 1.0);
  if (!options_.penalize_bias) diagonal_.back() = 1e-12;
  UnpackBuffer room;
  ++passes_;
  for (std::size_t b = 0; b < rows_.blocks(); ++b) {
    const Block block = rows_.block(b);
    for (std::size_t i = 0; i < block.rows; ++i) {
      const double curvature = curvature_[b * Rows::block_rows + i];
      if (curvature == 0) continue;
      with_row(row_view(block, i), room, [&](const auto& x) {
        for (std::size_t k = 0; k < x.size; ++k) diagonal_[x.index(k)] += curvature * x.value(k) * x.value(k);
      });
      diagonal_.back() += curvature * weights_.bias_value * weights_.bias_value;
    }
    rows_.release(b);
  }
}

Newton::Vector Newton::solve(double enough) {
  Vector s(gradient_.size(), 0.0), residual = gradient_;
  for (double& r : residual) r = -r;
  const auto preconditioned = [&] {
    Vector z = residual;
    for (std::size_t j = 0; j < z.size(); ++j) z[j] /= diagonal_[j];
    return z;
  };
  Vector z = preconditioned(), direction = z;
  double rz = inner(residual, z);
  const std::size_t most = std::min<std::size_t>(1000, 10 + 2 * s.size());
  for (std::size_t step = 0; step < most && !stop_(); ++step) {
    const Vector product = hessian_times(direction);
    const double curved = inner(direction, product);
    if (!(curved > 0)) break;
    const double t = rz / curved;
    add_multiple(s, t, direction);
    add_multiple(residual, -t, product);
    if (inner(residual, residual) <= enough * enough) break;
    z = preconditioned();
    const double next = inner(residual, z);
    const double share = next / rz;
    rz = next;
    for (std::size_t j = 0; j < z.size(); ++j) direction[j] = z[j] + share * direction[j];
  }
  return s;
}

bool Newton::search(const Vector& s) {
  for_parts([&](std::size_t, const Block& block, std::size_t first, UnpackBuffer& room) {
    for (std::size_t i = 0; i < block.rows; ++i) {
      const double change = with_row(row_view(block, i), room, [&](const auto& x) { return dot(s.data(), x); });
      change_[first + i] = sign_[first + i] * (change + s.back() * weights_.bias_value);
    }
  });
  const double slope = inner(gradient_, s), cross = penalty_product(weights_.w, s), square = penalty_product(s, s);
  const double now = penalty_product(weights_.w, weights_.w) / 2;
  constexpr double rounding = 1e-14;
  for (double t = 1; t > 1e-8; t /= 2) {
    const double then = now + t * cross + t * t * square / 2 + losses(t);
    if (!(then <= primal_ + 1e-4 * t * slope + rounding * primal_)) continue;
    add_multiple(weights_.w, t, s);
    return true;
  }
  return false;
}

bool Newton::step(double aim) {
  const double now = norm(gradient_), wanted = std::sqrt(2 * aim);
  const double share = std::min(0.2, std::sqrt(now / first_gradient_));
  find_diagonal();
  const Vector s = solve(std::max(share * now, 0.3 * wanted));
  return !stop_() && inner(gradient_, s) < 0 && search(s);
}

std::vector<double> Newton::dual_variables() const {
  std::vector<double> a(margin_.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = cost_[i] * slope_of(options_.loss, margin_[i]);
    if (options_.loss == MarginLoss::logistic) a[i] = std::min(a[i], cost_[i]);
  }
  return a;
}

}  // namespace halfspace::optimum
