// Signed points over the kernels.
#include "proof/search/signed_points.h"

#include <algorithm>
#include <cmath>

#include "halfspace/kernels.h"

namespace halfspace::proof {

SignedPoints::SignedPoints(const Rows& rows, std::vector<Member> members, double bias)
    : members_(std::move(members)), bias_(bias), features_(rows.features()), dimension_(features_ + (bias != 0 ? 1 : 0)) {
  blocks_.reserve(rows.blocks());
  for (std::size_t b = 0; b < rows.blocks(); ++b) blocks_.push_back(rows.block(b));
  std::vector<double> largest(dimension_, 0.0);
  for (std::size_t i = 0; i < size(); ++i) {
    each(i, [&](std::uint32_t j, double value) { largest[j] = std::max(largest[j], std::abs(value)); });
  }
  if (biased()) largest[features_] = std::abs(bias_);
  exponent_.assign(dimension_, 0);
  scale_.assign(dimension_, 1.0);
  for (std::size_t j = 0; j < dimension_; ++j) {
    if (largest[j] == 0) continue;
    // Far enough from the ends of the doubles that products with scaled weights stay inside.
    exponent_[j] = static_cast<std::int16_t>(-std::clamp(std::ilogb(largest[j]) + 1, -900, 900));
    scale_[j] = std::ldexp(1.0, exponent_[j]);
  }
  squared_norm_.resize(size());
  for (std::size_t i = 0; i < size(); ++i) {
    double sum = biased() ? bias_ * scale_[features_] * bias_ * scale_[features_] : 0.0;
    each(i, [&](std::uint32_t j, double value) { sum += value * scale_[j] * (value * scale_[j]); });
    squared_norm_[i] = sum;
  }
}

void SignedPoints::unscale(const double* w, double* to) const {
  for (std::size_t j = 0; j < dimension_; ++j) to[j] = w[j] * scale_[j];
}

double SignedPoints::dot_unscaled(std::size_t i, const double* w) const {
  const double score = with(i, [&](const auto& x) { return kernels::dot(w, x, biased() ? bias_ * w[features_] : 0.0); });
  return members_[i].sign < 0 ? -score : score;
}

void SignedPoints::add_unscaled(std::size_t i, double amount, double* w) const {
  if (members_[i].sign < 0) amount = -amount;
  with(i, [&](const auto& x) { kernels::add(w, amount, x); });
  if (biased()) w[features_] += amount * bias_;
}

void SignedPoints::add(std::size_t i, double amount, double* to) const {
  if (members_[i].sign < 0) amount = -amount;
  each(i, [&](std::uint32_t j, double value) { to[j] += amount * scale_[j] * value; });
  if (biased()) to[features_] += amount * scale_[features_] * bias_;
}

std::uint32_t SignedPoints::stored(std::size_t i) const {
  return with(i, [](const auto& x) { return x.size; });
}

}  // namespace halfspace::proof
