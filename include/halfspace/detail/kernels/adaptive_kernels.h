// The steps of rules with two or four moments a weight, over records (record_kernels.h). Along row x with slope g the
// gradient of feature j is -g x_j; g has the sign of the label.
//
// Results are the same bits at every level: each feature is worked on by itself, sums run in 8 lanes.
// Preconditions as in record_kernels.h. Cost O(stored values). No allocation.
#pragma once

#include "halfspace/detail/kernels/record_kernels.h"

namespace halfspace::kernels {

// FTRL-proximal, records (w, z, n):
//   G = -g x,  sigma = (sqrt(n + G^2) - sqrt(n)) / alpha,  z += G - sigma w,  n += G^2
//   w = 0 where |z| <= l1, else -(z - sign(z) l1) / ((beta + sqrt(n)) / alpha + l2)
struct FtrlSteps {
  double alpha, beta, l1, l2;
};
template <class Value>
void ftrl_step(double* records, RowView<Value> x, double g, const FtrlSteps& steps);

// Normalised adaptive gradients, records (w, s, n): the largest |x| so far, the sum of squared gradients.
//   where |x| > s: w *= s / |x|, s = |x|;   n += (g x)^2
// Returns the sum of x^2 / (s sqrt(n)), and of (x / s)^2.
struct NormalisedSums {
  double along, squares;
};
template <class Value>
NormalisedSums normalised_prepare(double* records, RowView<Value> x, double g);
// w += amount x / (s sqrt(n))
template <class Value>
void normalised_step(double* records, RowView<Value> x, double amount);

// Coin betting, records (w, theta, largest, total, reward), with c = g x:
//   largest = max(largest, |c|),  total += |c|,  reward = max(0, reward + w c),  theta += c
//   w = theta (largest + reward) / (largest max(total + largest, alpha largest))
template <class Value>
void coin_step(double* records, RowView<Value> x, double g, double alpha);

}  // namespace halfspace::kernels
