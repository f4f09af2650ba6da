// The matrix, and the products with it.
#include "optimum/newton_system.h"

#include <algorithm>
#include <utility>

namespace halfspace::optimum {

template <class Each>
void NewtonSystem::each_row(std::size_t b, UnpackBuffer& room, const Each& each) const {
  const Block block = passes_.rows().block(b);
  for (std::size_t i = 0; i < block.rows; ++i) {
    const double h = curvature_[b * Rows::block_rows + i];
    if (h > 0) with_row(row_view(block, i), room, [&](const auto& x) { each(h, x); });
  }
}

void NewtonSystem::set(std::span<const double> curvature, double bias_penalty) {
  bias_penalty_ = bias_penalty;
  curvature_ = curvature;
  stored_ = products_ = 0;
  UnpackBuffer room;
  for (std::size_t b = 0; b < passes_.rows().blocks(); ++b) {
    each_row(b, room, [&](double, const auto& x) {
      stored_ += x.size;
      products_ += std::uint64_t{x.size} * (x.size + 1U) / 2;
    });
    passes_.rows().release(b);
  }
  factored_ = few_features();
  factored_ ? factor() : find_diagonal();
}

NewtonSystem::Vector NewtonSystem::solve(const Vector& gradient, double enough) {
  if (!factored_) return by_conjugate_gradients(gradient, enough);
  Vector s = gradient;
  for (double& number : s) number = -number;
  cholesky_.solve(s);
  return s;
}

// The matrix costs as much as its products and its factor; conjugate gradients take dozens of passes.
bool NewtonSystem::few_features() const {
  constexpr std::uint64_t passes_worth = 64, free = 20'000'000;
  const std::uint64_t size = passes_.features() + 1;
  return size <= few && products_ + size * size * size / 6 <= passes_worth * stored_ + free;
}

void NewtonSystem::factor() {
  const std::size_t features = passes_.features();
  Vector matrix =
      passes_.sum_of(products_, triangle_row(features + 1), [&](Vector& sum, std::size_t b, UnpackBuffer& room) {
        each_row(b, room, [&](double h, const auto& x) { add_square(sum.data(), features, bias_value_, h, x); });
      });
  for (std::size_t j = 0; j <= features; ++j) matrix[triangle_row(j) + j] += j < features ? 1.0 : bias_penalty_;
  cholesky_.factor(std::move(matrix));
}

void NewtonSystem::find_diagonal() {
  diagonal_ = passes_.sum_of(stored_, passes_.features() + 1, [&](Vector& sum, std::size_t b, UnpackBuffer& room) {
    each_row(b, room, [&](double h, const auto& x) {
      for (std::size_t k = 0; k < x.size; ++k) sum[x.index(k)] += h * x.value(k) * x.value(k);
      sum.back() += h * bias_value_ * bias_value_;
    });
  });
  for (double& number : diagonal_) number += 1;
  diagonal_.back() += bias_penalty_ - 1;
}

NewtonSystem::Vector NewtonSystem::matrix_times(const Vector& direction) {
  Vector product = passes_.sum_of(stored_, direction.size(), [&](Vector& sum, std::size_t b, UnpackBuffer& room) {
    each_row(b, room, [&](double h, const auto& x) {
      const double amount = h * (dot(direction.data(), x) + direction.back() * bias_value_);
      add(sum.data(), amount, x);
      sum.back() += amount * bias_value_;
    });
  });
  const double bias_part = product.back() + bias_penalty_ * direction.back();
  add_multiple(product, 1, direction);
  product.back() = bias_part;
  return product;
}

NewtonSystem::Vector NewtonSystem::by_conjugate_gradients(const Vector& gradient, double enough) {
  Vector s(gradient.size(), 0.0), residual = gradient, z(gradient.size());
  for (double& r : residual) r = -r;
  const auto precondition = [&] {
    for (std::size_t j = 0; j < z.size(); ++j) z[j] = residual[j] / diagonal_[j];
    return inner(residual, z);
  };
  double rz = precondition();
  Vector direction = z;
  const std::size_t most = std::min<std::size_t>(1000, 10 + 2 * s.size());
  for (std::size_t step = 0; step < most && !stop_(); ++step) {
    const Vector product = matrix_times(direction);
    const double curved = inner(direction, product);
    if (!(curved > 0)) break;
    add_multiple(s, rz / curved, direction);
    add_multiple(residual, -rz / curved, product);
    if (inner(residual, residual) / 2 <= enough) break;
    const double next = precondition(), share = next / rz;
    rz = next;
    for (std::size_t j = 0; j < z.size(); ++j) direction[j] = z[j] + share * direction[j];
  }
  return s;
}

}  // namespace halfspace::optimum
