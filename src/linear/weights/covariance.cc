// The dense part of the second-order rules: growing the matrix, and a step.
#include "halfspace/detail/linear/weights/covariance.h"

#include <algorithm>
#include <string>

#include "halfspace/base/error.h"
#include "halfspace/detail/base/elementary.h"

namespace halfspace {
namespace {

// Returns a span of memory as a dense row, for the kernels.
Example<double, true> dense_row(const double* value, std::size_t size) {
  return {nullptr, value, static_cast<std::uint32_t>(size), 0, 1.0, 0.0, 0};
}

}  // namespace

CovarianceWeights::CovarianceWeights(BiasOptions bias, double regularization, std::uint64_t memory)
    : bias_(bias), regularization_(regularization), memory_(memory) {
  resize(first_feature());
}

void CovarianceWeights::grow(std::uint32_t features) {
  if (features <= vector_.w.size()) return;
  resize(first_feature() + features);
  vector_.grow(features);
}

void CovarianceWeights::resize(std::size_t coordinates) {
  const double bytes = 8.0 * static_cast<double>(coordinates) * static_cast<double>(coordinates);
  if (bytes > static_cast<double>(memory_)) {
    throw Error(ErrorKind::usage, "the matrix of a second-order rule over " + std::to_string(coordinates) +
                                      " coordinates takes " +
                                      std::to_string(8 * std::uint64_t{coordinates} * coordinates) + " bytes, and " +
                                      option("memory") + " allows " + std::to_string(memory_))
        .fix("use " + option("rule", "arow-diagonal") + ", which keeps one number a feature, or raise " +
             option("memory"));
  }
  if (coordinates > stride_) {
    // Grows by half, so that features that come one by one are cheap; never beyond the memory.
    const auto most = static_cast<std::size_t>(std::sqrt(static_cast<double>(memory_) / 8.0));
    const std::size_t stride = std::max(coordinates, std::min(stride_ + stride_ / 2 + 8, most));
    std::vector<double> wider(stride * stride, 0.0);
    for (std::size_t i = 0; i < size_; ++i) {
      std::copy_n(matrix_.begin() + static_cast<std::ptrdiff_t>(i * stride_), size_,
                  wider.begin() + static_cast<std::ptrdiff_t>(i * stride));
    }
    matrix_ = std::move(wider);
    stride_ = stride;
  }
  for (std::size_t i = size_; i < coordinates; ++i) matrix_[i * stride_ + i] = 1.0;
  size_ = coordinates;
  gain_.resize(size_, 0.0);
}

void CovarianceWeights::add_row(std::size_t coordinate, double factor) {
  kernels::add(gain_.data(), factor, dense_row(matrix_.data() + coordinate * stride_, size_));
}

void CovarianceWeights::step(double amount, double q, double weight) {
  const double r = regularization_ / weight;
  const double share = 1 / (q + r);
  const std::size_t first = first_feature();
  kernels::add(vector_.w.data(), amount * share, dense_row(gain_.data() + first, size_ - first));
  if (first != 0) vector_.bias = std::fma(amount * share, gain_[0], vector_.bias);
  // C_ik - h_i h_k, by the same fused product on both sides of the diagonal.
  const double root = std::sqrt(share);
  for (double& value : gain_) value *= root;
  for (std::size_t i = 0; i < size_; ++i) {
    if (gain_[i] != 0) kernels::add(matrix_.data() + i * stride_, -gain_[i], dense_row(gain_.data(), size_));
  }
  log_determinant_ += elementary::log1p(q / r);
  if (std::abs(amount) < 1) unmistaken_ += weight;
}

void CovarianceWeights::save_moments(std::vector<double>& moments) const {
  moments.reserve(size_ * (size_ + 1) / 2);
  for (std::size_t i = 0; i < size_; ++i) {
    for (std::size_t k = 0; k <= i; ++k) moments.push_back(covariance(i, k));
  }
}

void CovarianceWeights::restore(WeightVector w) {
  resize(first_feature() + w.w.size());
  vector_ = std::move(w);
}

void CovarianceWeights::restore_moments(const std::vector<double>& moments) {
  if (moments.size() != size_ * (size_ + 1) / 2)
    refuse_state("the covariance has not as many entries as the weights ask for");
  auto next = moments.begin();
  for (std::size_t i = 0; i < size_; ++i) {
    for (std::size_t k = 0; k <= i; ++k) matrix_[i * stride_ + k] = matrix_[k * stride_ + i] = *next++;
  }
}

}  // namespace halfspace
