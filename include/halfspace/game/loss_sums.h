// What a run's predictions prove of the losses of all linear models: the sums of a lower bound (bounds/least_loss.h).
//
// A convex loss l of the margin lies above its tangents: with q = -l'(m) at the margin m of a round, for every margin z
//   l(z) >= k(q) - q z,   k(q) = the least of l(z) + q z = l(m) + q m:
//   hinge q,   squared-hinge q - q^2 / 4,   logistic -q ln q - (1 - q) ln(1 - q)
// so that for every u, with c the weight of a row, K = sum of c k(q) and G = sum of c q y x over the rounds,
//   sum of c l(y <u, x>)  >=  K - <G, u>.
// Nothing is asked of the rows, nor of the predictions, and a slope q that was rounded is the slope of a tangent, too.
//
// Cost: O(stored values) a round, an exponential and a logarithm; 8 bytes a feature. Thread-safety: value type.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "halfspace/kernels/kernels.h"
#include "halfspace/linear/loss.h"
#include "halfspace/linear/state.h"

namespace halfspace {

// A tangent of a loss: its value at margin 0, the magnitudes that this was made of, and how steeply it falls.
struct LossTangent {
  double value = 0, magnitude = 0, slope = 0;
};
// Returns that at a margin. Its value is right to 2^-50 of the magnitude, and 2^-51 besides: libm is taken to be right to
// two ulps, and a logistic slope that was rounded costs its relative entropy.
LossTangent tangent_of(MarginLoss loss, double margin);

struct LossSums {
  static constexpr double most = 1e300;  // beyond it nothing is summed up any more

  LossSums() = default;
  // `bias_scale`: what the bias coordinate of every row is; 0: there is none.
  LossSums(MarginLoss its_loss, double its_bias_scale) : loss(its_loss), bias_scale(its_bias_scale) {}

  MarginLoss loss = MarginLoss::logistic;
  double bias_scale = 0;
  std::uint64_t rounds = 0;
  std::uint32_t largest_row = 0;       // stored values
  bool lost = false;                   // the sums left the doubles
  double weight = 0;                   // of the rows
  double suffered = 0;                 // sum of c l(m): the run's own loss
  double constant = 0, magnitude = 0;  // K, and what it was made of
  double lengths = 0;                  // sum of c q |x|
  WeightVector gradient;               // G

  // Takes the round in which the row's margin was predicted so, with weights of so many features.
  template <class Value, bool dense>
  [[gnu::noinline]] void add(const Example<Value, dense>& x, double margin, std::uint32_t features) {
    ++rounds;
    weight += x.weight;
    if (lost || !(x.weight > 0)) return;
    suffered += x.weight * value_of(loss, margin);
    const LossTangent tangent = tangent_of(loss, margin);
    const double amount = x.weight * tangent.slope;
    // The line 0 is below the loss as well, and products of less might vanish.
    if (amount < 0x1p-900) return;
    const double more_magnitude = magnitude + x.weight * tangent.magnitude;
    // Squares of values that are lost to the doubles count as no less than that.
    const double more_lengths = lengths + amount * std::sqrt(x.squared_norm + bias_scale * bias_scale + 0x1p-900);
    lost = !(more_magnitude <= most && more_lengths <= most);
    if (lost) return;
    magnitude = more_magnitude;
    lengths = more_lengths;
    constant += x.weight * tangent.value;
    largest_row = std::max(largest_row, x.size);
    gradient.grow(features);
    const double along = amount * x.sign();
    kernels::add(gradient.w.data(), along, x);
    gradient.bias = std::fma(along, bias_scale, gradient.bias);
  }

  bool operator==(const LossSums&) const = default;
};

}  // namespace halfspace
