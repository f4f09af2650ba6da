// Forward and backward substitution along the rows of a packed triangle.
#include "halfspace/detail/linear/gram_factor.h"

#include "halfspace/detail/kernels/kernels.h"

namespace halfspace {
namespace {

Example<double, true> begin_of(const double* row, std::size_t size) {
  return {nullptr, row, static_cast<std::uint32_t>(size), 0, 1.0, 0.0, 0};
}

}  // namespace

void GramFactor::forward(const std::vector<double>& k, std::vector<double>& z) const {
  z.resize(size_);
  for (std::size_t i = 0; i < size_; ++i) {
    z[i] = (k[i] - kernels::dot(z.data(), begin_of(row(i), i), 0.0)) / row(i)[i];
  }
}

void GramFactor::backward(const std::vector<double>& z, std::vector<double>& d) const {
  d = z;
  for (std::size_t i = size_; i-- > 0;) {
    d[i] /= row(i)[i];
    kernels::add(d.data(), -d[i], begin_of(row(i), i));
  }
}

void GramFactor::append(const std::vector<double>& z, double residual) {
  factor_.insert(factor_.end(), z.begin(), z.end());
  factor_.push_back(residual);
  ++size_;
}

}  // namespace halfspace
