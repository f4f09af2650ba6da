// The least value of a convex function, to hold a bound that is printed against the best that its theorem says.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace halfspace::testing {

// f on [0, most]: by powers of two, then by thirds about the best of them.
template <class F>
long double least(const F& f, long double most = std::numeric_limits<long double>::infinity()) {
  long double best = f(0), at = 0;
  for (int k = -80; k <= 80; ++k) {
    const long double x = std::min(most, std::exp2(k / 4.0L));
    if (const long double value = f(x); value < best) {
      best = value;
      at = x;
    }
  }
  long double low = at / 1.2L, high = std::min(most, at * 1.2L);
  for (int k = 0; k < 60; ++k) {
    const long double a = low + (high - low) / 3, b = high - (high - low) / 3;
    if (f(a) < f(b)) {
      high = b;
    } else {
      low = a;
    }
  }
  return std::min(best, f(low));
}

}  // namespace halfspace::testing
