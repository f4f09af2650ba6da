// The arithmetic of rules that keep additional numbers for every weight: contiguous records (weight, moments), so that
// one cache line has them all. records[n j] is the weight of feature j, followed by its n - 1 moments; a pair has two
// numbers. The steps of longer records: adaptive_kernels.h.
//
// The result contract is that of kernels.h: sums in 8 lanes, product i fused into lane i mod 8, the same bits at every
// level; updates touch each feature of the row once. Rows are taken by their indices, dense ones too.
//
// Preconditions: indices distinct and below the number of records. Cost O(stored values). No allocation.
#pragma once

#include <cstdint>

#include "halfspace/kernels/example.h"

namespace halfspace::kernels {

// The stored values of a row, whatever its storage.
template <class Value>
struct RowView {
  const std::uint32_t* index;
  const Value* value;
  std::uint32_t size;
  std::uint32_t ahead;  // example.h
  std::uint32_t readable = 0;
};
template <class Value, bool dense>
RowView<Value> view(const Example<Value, dense>& x) {
  return {x.index, x.value, x.size, x.ahead, x.readable};
}

// Returns the sum of weight * x; `initial` starts lane 0. Records of 2, 3 or 5 numbers.
template <std::size_t numbers, class Value>
double dot_weights(const double* records, RowView<Value> x, double initial);

// Of pairs that, and the sum of moment * x^2, for the price of one.
struct PairSums {
  double weights, moments;
};
template <class Value>
PairSums dot_both(const double* pairs, RowView<Value> x, PairSums initial);

// Takes a step of diagonal AROW, with g = moment * x:  weight += along * g,  moment -= share * g^2.
// Returns the sum of (weight * x)^2 after it.
template <class Value>
double arow_step(double* pairs, RowView<Value> x, double along, double share);

// Takes a step of AdaGrad:  moment += (size x)^2,  weight += along * x / sqrt(moment), clipped to [-box, box].
template <class Value>
void adagrad_step(double* pairs, RowView<Value> x, double size, double along, double box);

// Step one coordinate of these two, for the bias.
double arow_step_one(double& weight, double& moment, double x, double along, double share);
void adagrad_step_one(double& weight, double& moment, double x, double size, double along, double box);

// Sets sum[j] = fma(factor, weight of j, sum[j]) for the features of the row.
template <std::size_t numbers>
void accumulate_weights(const double* records, const std::uint32_t* index, std::uint32_t size, double factor,
                        double* sum);

}  // namespace halfspace::kernels
