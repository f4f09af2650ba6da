// Exact arithmetic for tests: every finite double is a rational.
#pragma once

#include <gmpxx.h>

#include <string>

namespace halfspace::testing {

using Rational = mpq_class;

inline Rational exact(double value) { return Rational(value); }

}  // namespace halfspace::testing
