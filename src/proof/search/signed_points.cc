// Implements signed points with the kernels.
#include "proof/search/signed_points.h"

#include <algorithm>
#include <cmath>

#include "halfspace/detail/kernels/kernels.h"

namespace halfspace::proof {

SignedPoints::SignedPoints(const Rows& rows, std::vector<Member> members, bool biased, std::vector<double> scale)
    : members_(std::move(members)),
      features_(scale.size() - (biased ? 1 : 0)),
      dimension_(scale.size()),
      scale_(std::move(scale)) {
  blocks_.reserve(rows.blocks());
  for (std::size_t b = 0; b < rows.blocks(); ++b) blocks_.push_back(rows.block(b));
  measure();
}

SignedPoints::SignedPoints(const Rows& rows, std::vector<Member> members, std::size_t features, bool biased)
    : members_(std::move(members)), features_(features), dimension_(features + (biased ? 1 : 0)) {
  blocks_.reserve(rows.blocks());
  for (std::size_t b = 0; b < rows.blocks(); ++b) blocks_.push_back(rows.block(b));
  scale_.assign(dimension_, 0.0);
  for (std::size_t i = 0; i < size(); ++i) {
    each(i, [&](std::uint32_t j, double value) { scale_[j] = std::max(scale_[j], std::abs(value)); });
  }
  if (biased) scale_[features_] = 1;
  for (double& largest : scale_) {
    // Keeps products with scaled weights inside the range of doubles.
    if (largest != 0) largest = std::ldexp(1.0, -std::clamp(std::ilogb(largest) + 1, -900, 900));
  }
  measure();
}

void SignedPoints::measure() {
  squared_norm_.resize(size());
  for (std::size_t i = 0; i < size(); ++i) {
    double sum = biased() ? scale_[features_] * scale_[features_] : 0.0;
    each(i, [&](std::uint32_t j, double value) { sum += value * scale_[j] * (value * scale_[j]); });
    squared_norm_[i] = sum;
  }
}

void SignedPoints::unscale(const double* w, double* to) const {
  for (std::size_t j = 0; j < dimension_; ++j) to[j] = w[j] * scale_[j];
}

double SignedPoints::dot_unscaled(std::size_t i, const double* w) const {
  const double score = with(i, [&](const auto& x) { return kernels::dot(w, x, biased() ? w[features_] : 0.0); });
  return members_[i].sign < 0 ? -score : score;
}

void SignedPoints::add(std::size_t i, double amount, double* to) const {
  if (members_[i].sign < 0) amount = -amount;
  each(i, [&](std::uint32_t j, double value) { to[j] += amount * scale_[j] * value; });
  if (biased()) to[features_] += amount * scale_[features_];
}

void SignedPoints::add_twice_scaled(std::size_t i, double amount, double* to) const {
  if (members_[i].sign < 0) amount = -amount;
  each(i, [&](std::uint32_t j, double value) { to[j] += amount * scale_[j] * value * scale_[j]; });
  if (biased()) to[features_] += amount * scale_[features_] * scale_[features_];
}

}  // namespace halfspace::proof
