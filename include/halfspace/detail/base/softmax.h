// Exponential weights computed safely: players store totals (losses or gains), never products of weights.
//
// No allocation.
#pragma once

#include <span>

namespace halfspace {

// Computes p_i = e^(rate * total_i) / sum_j e^(rate * total_j), shifted by the largest exponent, so nothing overflows
// and the largest never underflows. A negative rate penalises losses. If `among` is not empty, entries with among_i =
// NaN get 0. Infinite totals get 0, unless all are: then p is uniform. Sizes are equal; all zeros if no entry may get
// anything. Each p_i is accurate to about (size + rate * |total_i - largest|) ulps. Cost: one exponential an entry.
void softmax(std::span<const double> totals, double rate, std::span<double> p, std::span<const double> among = {});

}  // namespace halfspace
