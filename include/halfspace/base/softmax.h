// Exponential weights, kept safe: players store totals (losses or gains) and never products of weights.
//
// Thread-safety: pure functions. No allocation.
#pragma once

#include <span>

namespace halfspace {

// Computes p_i = e^(rate * total_i) / sum_j e^(rate * total_j), shifted by the favourite, so that nothing overflows and
// the favourite never underflows. A negative rate punishes losses. Where `among` is not empty, entries with
// among_i = NaN get 0. Infinite totals get 0, unless all are: then p is uniform. Sizes are equal; all zeros when no
// entry may get anything. Each p_i is right to about (size + rate * |total_i - favourite|) ulps. Cost: one exponential
// an entry.
void softmax(std::span<const double> totals, double rate, std::span<double> p, std::span<const double> among = {});

}  // namespace halfspace
