// Sums of a lower bound on the losses of all linear models, from a run's predictions (detail/bounds/least_loss.h).
//
// A convex loss l of the margin lies above its tangents: with q = -l'(m) at the margin m of a round, for every margin z
//   l(z) >= k(q) - q z,   k(q) = the least of l(z) + q z = l(m) + q m:
//   hinge q,   squared-hinge q - q^2 / 4,   logistic -q ln q - (1 - q) ln(1 - q)
// so that for every u, with c the weight of a row, K = sum of c k(q) and G = sum of c q y x over the rounds,
//   sum of c l(y <u, x>)  >=  K - <G, u>.
// It assumes nothing about rows or predictions, and a rounded slope q is still the slope of a tangent.
//
// Cost: O(stored values) a round, an exponential and a logarithm; 8 bytes a feature. Thread-safety: value type.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "halfspace/detail/kernels/kernels.h"
#include "halfspace/detail/linear/loss.h"
#include "halfspace/detail/linear/state.h"

namespace halfspace {

// A tangent of a loss: its value at margin 0, the magnitudes that went into it, and its slope.
struct LossTangent {
  double value = 0, magnitude = 0, slope = 0;
};
// Returns the tangent at a margin. Its value has an error of at most 2^-50 of the magnitude, plus 2^-51: libm is
// assumed accurate to two ulps, and a rounded logistic slope costs its relative entropy.
LossTangent tangent_of(MarginLoss loss, double margin);

struct LossSums {
  static constexpr double most = 1e300;  // limit of the sums

  LossSums() = default;
  // `bias_scale`: the bias coordinate of every row; 0: there is none.
  LossSums(MarginLoss its_loss, double its_bias_scale) : loss(its_loss), bias_scale(its_bias_scale) {}

  MarginLoss loss = MarginLoss::logistic;
  double bias_scale = 0;
  std::uint64_t rounds = 0;
  std::uint32_t largest_row = 0;       // stored values
  bool lost = false;                   // the sums overflowed
  double weight = 0;                   // of the rows
  double suffered = 0;                 // sum of c l(m): the run's own loss
  double constant = 0, magnitude = 0;  // K, and the magnitudes that went into it
  double lengths = 0;                  // sum of c q |x|
  WeightVector gradient;               // G

  // Adds a round with the predicted margin of the row, and the number of features of the weights.
  template <class Value, bool dense>
  [[gnu::noinline]] void add(const Example<Value, dense>& x, double margin, std::uint32_t features) {
    ++rounds;
    weight += x.weight;
    if (lost || !(x.weight > 0)) return;
    suffered += x.weight * value_of(loss, margin);
    const LossTangent tangent = tangent_of(loss, margin);
    const double amount = x.weight * tangent.slope;
    // The line 0 is below the loss as well, and smaller products might underflow.
    if (amount < 0x1p-900) return;
    const double more_magnitude = magnitude + x.weight * tangent.magnitude;
    // Squares that underflow count as no less than that.
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
