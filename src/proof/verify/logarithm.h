// What logistic losses need of logarithms, in fixed point with a proved error.
//
// Numbers are integers times 2^-128. Every operation rounds down, which costs at most one unit; the series and their
// remainders cost at most 2^18 units in all, so that results are within 2^-96, 2^32 units, of the truth.
//
// Thread-safety: pure functions.
#pragma once

#include <gmpxx.h>

#include <span>

namespace halfspace::proof {

constexpr unsigned long fixed_bits = 128;
constexpr unsigned long fixed_error_bits = 32;  // the error is at most 2^32 units

// Returns number * 2^128, rounded down.
mpz_class fixed(const mpz_class& numerator, const mpz_class& denominator);

// Returns ln(1 + e^-m), within 2^-96, of m in fixed point that was rounded down.
mpz_class logistic_loss(const mpz_class& margin);

// Returns ln(sum of e^s) - s_own, within 2^-96 for each score, of scores in fixed point that were rounded down.
mpz_class softmax_loss(std::span<const mpz_class> scores, std::size_t own);

// Returns -p ln p, within 2^-96, of p in [0, 1] in fixed point that was rounded down.
mpz_class entropy_part(const mpz_class& share);

// Returns H(p) = -p ln p - (1 - p) ln(1 - p), within 2^-96, of p in [0, 1] in fixed point that was rounded down. H(0)
// and H(1) are exact.
mpz_class binary_entropy(const mpz_class& share);

}  // namespace halfspace::proof
