// Rationals as decimals and doubles, rounded outward: up for what is at most, down for what is at least.
//
// Thread-safety: pure functions.
#pragma once

#include <gmpxx.h>

#include <string>

namespace halfspace::proof {

// Return the nearest decimal with so many digits that is not below, or not above, the number: "0.0125", "3.4e+22".
std::string decimal_above(const mpq_class& number, int digits);
std::string decimal_below(const mpq_class& number, int digits);

// Return the nearest double that is not below, or not above, the number; it may be infinite.
double double_above(const mpq_class& number);
double double_below(const mpq_class& number);

// Returns a rational that is at least the root of a number >= 0, to about 30 digits.
mpq_class root_above(const mpq_class& square);

}  // namespace halfspace::proof
