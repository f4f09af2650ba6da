// The arithmetic of the round loop: dot products, scaled additions, norms.
//
// One result contract for every instruction set with fused multiply-add: a sum of n products is taken in 8 lanes;
// product i is fused into lane i mod 8, in order of i; the lanes l0..l7 are then added as ((l0+l4)+(l2+l6)) +
// ((l1+l5)+(l3+l7)). Hence scalar code, AVX2 and AVX-512 give the same bits (SSE4 cannot fuse and rounds twice), and a
// row gives the same bits whether it is stored sparse or dense, as ones, floats or doubles. The level is chosen at run
// time (Highway).
//
// Preconditions: indices below the length of `w`. Cost O(stored values). No allocation.
#pragma once

#include <cstddef>
#include <cstdint>

#include "halfspace/kernels/example.h"

namespace halfspace::kernels {

// For the storages that Block::with_storage knows: ones and sparse floats and doubles, dense floats and doubles.

// Returns <w, x>; `initial` starts lane 0: a bias coordinate in front of the features. 0 starts a plain sum.
template <class Value, bool dense>
double dot(const double* w, const Example<Value, dense>& x, double initial);

// Sets w[j] = fma(amount, x[j], w[j]).
template <class Value, bool dense>
void add(double* w, double amount, const Example<Value, dense>& x);

// Does so for numbers that are no row.
void add(double* w, double amount, const double* numbers, std::size_t size);

// Sets scores[k] = fma(x[i], w[index[i] * classes + k], scores[k]) for i in order, for every class k: the scores of one
// row for all classes, each class its own chain of fused products. `w` holds the weights of one feature for all classes
// together.
template <class Value, bool dense>
void score_classes(double* scores, std::size_t classes, const double* w, const Example<Value, dense>& x);

// Sets w[index[i] * classes + k] = fma(x[i], amounts[k], w[index[i] * classes + k]), for every class k.
template <class Value, bool dense>
void add_classes(double* w, std::size_t classes, const double* amounts, const Example<Value, dense>& x);

// Returns the sum of squares of floats or doubles, by the same contract.
template <class Value>
double squared_norm(const Value* value, std::size_t count);
// Fills norms[i] with that of values [offset[i], offset[i + 1]), for `rows` rows.
template <class Value>
void squared_norms(const Value* value, const std::uint64_t* offset, std::size_t rows, double* norms);

// Runs only the reference code from now on (true), or the best the machine has (false). For tests; not thread-safe.
void use_reference(bool reference);

}  // namespace halfspace::kernels
