// Short decimals on one side of a rational number.
//
// Thread-safety: pure functions.
#pragma once

#include <gmpxx.h>

#include <cmath>

namespace halfspace::reasons {

// Returns the double nearest to the number on one side of it, of at most so many significant digits where that is possible.
// An infinity if it is beyond the doubles.
double decimal_towards(const mpq_class& number, bool up, int digits);
bool beyond_doubles(const mpq_class& number);
// Returns a decimal whose square is at most the number, which is not negative.
double root_down(const mpq_class& number, int digits);

inline constexpr int digits_to_try[] = {6, 9, 12, 15, 17};

// Returns a decimal a little further than decimal_towards, by about one of its last digits, as seen from a value at some
// distance.
double decimal_beyond(const mpq_class& number, bool up, int digits, double distance);

// Returns the shortest decimal between an end of a range and a value in it that satisfies `holds`; the value without one.
double within(const mpq_class& end, double value, auto&& holds) {
  const bool up = end < mpq_class(value);
  for (const int digits : digits_to_try) {
    const double nearest = decimal_towards(end, up, digits);
    for (const double decimal : {nearest, decimal_beyond(end, up, digits, value - nearest)}) {
      if (std::isfinite(decimal) && (up ? decimal < value : decimal > value) && holds(decimal)) return decimal;
    }
  }
  return value;
}

}  // namespace halfspace::reasons
