// The preconditioner, and the steps.
#include "optimum/free_system.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/parallel.h"
#include "optimum/passes.h"

namespace halfspace::optimum {
namespace {

constexpr std::size_t most_heavy = 512;
constexpr double most_values = 1U << 23;  // copied

std::uint64_t stored_in(const std::vector<const Item*>& rows) {
  std::uint64_t sum = 0;
  for (const Item* item : rows) sum += item->row.size;
  return sum;
}

}  // namespace

// Sums over parts of the rows are added up then: at most a quarter of the work.
FreeSystem::FreeSystem(std::vector<const Item*> rows, Vector diagonal, std::size_t features, double bias_value)
    : rows_(std::move(rows)),
      diagonal_(std::move(diagonal)),
      features_(features),
      parts_(static_cast<std::size_t>(std::clamp<std::uint64_t>(stored_in(rows_) / (4 * (features + 1)), 1, 16))),
      bias_value_(bias_value) {
  choose_heavy();
  copy_heavy();
  factor();
}

// Takes as many as are worth their price, which is about the square of a row's values at them.
void FreeSystem::choose_heavy() {
  Vector weight(features_, 0.0);
  std::vector<std::uint32_t> count(features_, 0), order(features_);
  UnpackBuffer room;
  for (const Item* item : rows_) {
    with_row(item->row, room, [&](const auto& x) {
      for (std::size_t k = 0; k < x.size; ++k) {
        weight[x.index(k)] += x.value(k) * x.value(k);
        ++count[x.index(k)];
      }
    });
  }
  std::iota(order.begin(), order.end(), 0U);
  const std::size_t kept = std::min(features_, most_heavy);
  std::partial_sort(
      order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept), order.end(),
      [&](std::uint32_t a, std::uint32_t b) { return weight[a] != weight[b] ? weight[a] > weight[b] : a < b; });
  heavy_.assign(features_, -1);
  constexpr double passes_worth = 40;
  const double worth =
      std::sqrt(passes_worth * static_cast<double>(stored_in(rows_)) * static_cast<double>(rows_.size()));
  double left = std::min(worth, most_values);
  for (std::size_t k = 0; k < kept && weight[order[k]] > 0; ++k) {
    left -= count[order[k]];
    if (left < 0) break;
    heavy_[order[k]] = static_cast<std::int32_t>(heavies_++);
  }
}

void FreeSystem::copy_heavy() {
  value_begin_.assign(1, 0);
  light_.resize(rows_.size());
  UnpackBuffer room;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    double rest = 0;
    with_row(rows_[i]->row, room, [&](const auto& x) {
      for (std::size_t k = 0; k < x.size; ++k) {
        const std::int32_t which = heavy_[x.index(k)];
        if (which < 0) {
          rest += x.value(k) * x.value(k);
          continue;
        }
        value_feature_.push_back(static_cast<std::uint32_t>(which));
        value_.push_back(rows_[i]->sign * x.value(k));
      }
    });
    value_feature_.push_back(static_cast<std::uint32_t>(heavies_));
    value_.push_back(rows_[i]->sign * bias_value_);
    value_begin_.push_back(value_.size());
    light_[i] = diagonal_[i] + rest;
  }
}

// Of 1 + U' U / light.
void FreeSystem::factor() {
  Vector matrix(triangle_row(heavies_ + 1), 0.0);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    for (std::uint64_t k = value_begin_[i]; k < value_begin_[i + 1]; ++k) {
      const double amount = value_[k] / light_[i];
      for (std::uint64_t m = value_begin_[i]; m <= k; ++m) {
        const auto [low, high] = std::minmax(value_feature_[k], value_feature_[m]);
        matrix[triangle_row(high) + low] += amount * value_[m];
      }
    }
  }
  for (std::size_t j = 0; j <= heavies_; ++j) matrix[triangle_row(j) + j] += 1;
  cholesky_.factor(std::move(matrix));
}

void FreeSystem::precondition(const Vector& residual, Vector& into) const {
  Vector sum(heavies_ + 1, 0.0);
  for (std::size_t i = 0; i < residual.size(); ++i) {
    into[i] = residual[i] / light_[i];
    for (std::uint64_t k = value_begin_[i]; k < value_begin_[i + 1]; ++k) sum[value_feature_[k]] += into[i] * value_[k];
  }
  cholesky_.solve(sum);
  for (std::size_t i = 0; i < residual.size(); ++i) {
    double score = 0;
    for (std::uint64_t k = value_begin_[i]; k < value_begin_[i + 1]; ++k) score += sum[value_feature_[k]] * value_[k];
    into[i] -= score / light_[i];
  }
}

FreeSystem::Vector FreeSystem::combine(std::span<const double> s) {
  visits_ += s.size();
  std::vector<Vector> sums(parts_, Vector(features_ + 1, 0.0));
  in_parallel(parts_, 1, [&](std::size_t part, std::size_t) {
    UnpackBuffer room;
    Vector& sum = sums[part];
    for (std::size_t i = s.size() * part / parts_; i < s.size() * (part + 1) / parts_; ++i) {
      if (s[i] == 0) continue;
      const double amount = rows_[i]->sign * s[i];
      with_row(rows_[i]->row, room, [&](const auto& x) { add(sum.data(), amount, x); });
      sum.back() += amount * bias_value_;
    }
  });
  for (std::size_t part = 1; part < parts_; ++part) add_multiple(sums[0], 1, sums[part]);
  return std::move(sums[0]);
}

// Returns (D + Z Z') s.
FreeSystem::Vector FreeSystem::times(const Vector& s) {
  const Vector v = combine(s);
  visits_ += s.size();
  Vector product(s.size());
  constexpr std::size_t step = 512;
  in_parallel(s.size(), step, [&](std::size_t begin, std::size_t end) {
    UnpackBuffer room;
    for (std::size_t i = begin; i < end; ++i) {
      const double score = with_row(rows_[i]->row, room, [&](const auto& x) { return dot(v.data(), x); });
      product[i] = rows_[i]->sign * (score + v.back() * bias_value_) + diagonal_[i] * s[i];
    }
  });
  return product;
}

FreeSystem::Vector FreeSystem::solve(Vector r, double enough, const std::function<bool()>& stop) {
  Vector s(r.size(), 0.0), z(r.size());
  precondition(r, z);
  Vector direction = z;
  double rz = inner(r, z);
  const auto worst = [&] {
    double most = 0;
    for (const double number : r) most = std::max(most, std::abs(number));
    return most;
  };
  constexpr int most_steps = 1000;
  for (int step = 0; step < most_steps && worst() > enough && !stop(); ++step) {
    const Vector product = times(direction);
    const double curved = inner(direction, product);
    if (!(curved > 0)) break;
    add_multiple(s, rz / curved, direction);
    add_multiple(r, -rz / curved, product);
    precondition(r, z);
    const double next = inner(r, z), share = next / rz;
    rz = next;
    for (std::size_t i = 0; i < z.size(); ++i) direction[i] = z[i] + share * direction[i];
  }
  return s;
}

}  // namespace halfspace::optimum
