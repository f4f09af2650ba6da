// The step of all free dual variables at once.
#include <algorithm>
#include <cmath>

#include "optimum/descent.h"

namespace halfspace::optimum {
namespace {

double sum_of_products(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

// Sets sum_ to the sum of amount y x.
void Descent::combine(std::span<const std::uint32_t> rows, std::span<const double> amounts) {
  sum_.assign(weights_.w.size(), 0.0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (amounts[i] == 0) continue;
    const Item& item = items_[rows[i]];
    const double amount = item.sign * amounts[i];
    with_row(item.row, room_, [&](const auto& x) { add(sum_.data(), amount, x); });
    sum_.back() += amount * weights_.bias_value;
  }
}

// Goes along the change, cut off at the bounds, as far as the dual objective rises; if it does not, along the whole
// change to the first bound.
void Descent::go(std::span<const std::uint32_t> rows, std::span<const double> gradient, std::vector<double>& change) {
  std::vector<double> cut = change;
  double most = 1, slope = 0, own = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Item& item = items_[rows[i]];
    cut[i] = std::clamp(item.a + change[i], 0.0, limit_of(item)) - item.a;
    if (cut[i] != change[i]) most = std::min(most, cut[i] / change[i]);
    slope += gradient[i] * cut[i];
  }
  if (!(slope < 0)) {
    slope = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      cut[i] = most * change[i];
      slope += gradient[i] * cut[i];
    }
  }
  if (!(slope < 0)) return;
  for (std::size_t i = 0; i < rows.size(); ++i) own += cut[i] * cut[i] * own_curvature(items_[rows[i]]);
  combine(rows, cut);
  const double curvature = sum_of_products(sum_, sum_) + own;
  const double t = curvature > 0 ? std::min(1.0, -slope / curvature) : 1.0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Item& item = items_[rows[i]];
    item.a = std::clamp(item.a + t * cut[i], 0.0, limit_of(item));
  }
  for (std::size_t j = 0; j < sum_.size(); ++j) weights_.w[j] += t * sum_[j];
}

std::uint64_t Descent::step_of_free(std::size_t most) {
  std::vector<std::uint32_t> rows;
  for (const std::uint32_t i : active_) {
    if (items_[i].a > 0 && items_[i].a < limit_of(items_[i]) && items_[i].curvature > 0) rows.push_back(i);
  }
  std::sort(rows.begin(), rows.end());
  const std::size_t count = rows.size();
  if (count > weights_.w.size()) return 0;  // they depend on one another
  std::vector<double> gradient(count), change(count, 0.0), residual(count), direction(count), product(count);
  const auto scaled = [&](std::size_t i) { return residual[i] / items_[rows[i]].curvature; };
  double rz = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Item& item = items_[rows[i]];
    gradient[i] = margin_of(weights_, item, room_) - 1 + item.a * own_curvature(item);
    residual[i] = -gradient[i];
    direction[i] = scaled(i);
    rz += residual[i] * direction[i];
  }
  const double first = rz;
  std::uint64_t passes = 3;
  for (std::size_t step = 0; step < std::min(most, count + 1) && rz > 1e-4 * first; ++step, passes += 2) {
    combine(rows, direction);
    for (std::size_t i = 0; i < count; ++i) {
      const Item& item = items_[rows[i]];
      const double score = with_row(item.row, room_, [&](const auto& x) { return dot(sum_.data(), x); });
      product[i] = item.sign * (score + sum_.back() * weights_.bias_value) + direction[i] * own_curvature(item);
    }
    const double curvature = sum_of_products(direction, product);
    if (!(curvature > 0)) break;
    const double t = rz / curvature;
    double next = 0;
    for (std::size_t i = 0; i < count; ++i) {
      change[i] += t * direction[i];
      residual[i] -= t * product[i];
      next += residual[i] * scaled(i);
    }
    for (std::size_t i = 0; i < count; ++i) direction[i] = scaled(i) + next / rz * direction[i];
    rz = next;
  }
  go(rows, gradient, change);
  return passes * count;
}

}  // namespace halfspace::optimum
