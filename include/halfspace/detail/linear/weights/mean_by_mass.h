// A running mean of weights that a step multiplies as a whole.
//
// The sum of the weights after each round is stored as sum + (mass + rounds not counted yet) * w. A step that
// multiplies w by c and then adds a x divides the mass by c and subtracts mass * a along x, which costs no more than
// the step; if the mass would become large, it is moved into the sum, in O(d).
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "halfspace/detail/base/domain.h"
#include "halfspace/detail/linear/weights/plain.h"

namespace halfspace {

struct MeanByMass {
  WeightVector sum;
  double mass = 0;
  std::uint64_t counted = 0;  // rounds in sum and mass

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive.number("mass", self.mass, domain::not_negative);
  }
  void grow(std::uint32_t features) { sum.grow(features); }
  WeightVector& kept() noexcept { return sum; }
  const WeightVector& kept() const noexcept { return sum; }

  // Counts the rounds of w so far, before a step that multiplies it by `factor`. If the mass, divided by that, would
  // exceed 16 times the rounds, it is moved into the sum.
  template <class W>
  void count(const W& weights, std::uint64_t finished, double factor) {
    mass += static_cast<double>(finished - counted);
    counted = finished;
    if (mass <= 16 * (static_cast<double>(finished) + 1) * factor) return;
    add(weights.point(), mass);
    mass = 0;
  }
  // Subtracts mass * amount * x from the sum, bias coordinate included.
  template <class X>
  void take_off(const BiasOptions& bias, const X& x, double amount) {
    kernels::add(sum.w.data(), -mass * amount, x);
    if (bias.position != Bias::none) sum.bias = std::fma(-mass * amount, bias.scale, sum.bias);
  }
  // Returns the mean over `finished` rounds; without rounds the weights.
  template <class W>
  WeightVector point(const W& weights, std::uint64_t finished) const {
    if (finished == 0) return weights.point();
    MeanByMass copy = *this;
    copy.add(weights.point(), mass + static_cast<double>(finished - counted));
    for (double& value : copy.sum.w) value /= static_cast<double>(finished);
    copy.sum.bias /= static_cast<double>(finished);
    return copy.sum;
  }

 private:
  void add(const WeightVector& w, double factor) {
    sum.grow(static_cast<std::uint32_t>(w.w.size()));
    for (std::size_t j = 0; j < w.w.size(); ++j) sum.w[j] += factor * w.w[j];
    sum.bias += factor * w.bias;
  }
};

}  // namespace halfspace
