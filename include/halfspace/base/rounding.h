// Directed rounding: rounding_up(f) calls f while every sum, product, quotient and root of this thread is rounded up,
// and returns what f returns.
//
// Compilers do not know that changing the mode is a side effect on arithmetic: left to themselves they move a product
// past the call that restores the mode. So f runs in a function of its own, which nothing is moved into or out of.
//
// Files that use it are compiled with -frounding-math. A lower bound is had by negating: down(a - b) = -up(b - a).
#pragma once

#include <cfenv>
#include <cmath>
#include <limits>

namespace halfspace {
namespace detail {

class RoundUpward {
 public:
  RoundUpward() : before_(std::fegetround()) { std::fesetround(FE_UPWARD); }
  ~RoundUpward() { std::fesetround(before_); }
  RoundUpward(const RoundUpward&) = delete;
  RoundUpward& operator=(const RoundUpward&) = delete;

 private:
  int before_;
};

// The empty statement is a side effect: without it the call, too, could be moved.
template <class F>
[[gnu::noinline]] decltype(auto) apart(const F& f) {
  asm volatile("" ::: "memory");
  return f();
}

}  // namespace detail

template <class F>
decltype(auto) rounding_up(const F& f) {
  const detail::RoundUpward up;
  return detail::apart(f);
}

// Returns a number above what exp, log and their kin gave, which are right to about an ulp in any rounding mode, and
// directed in none.
inline double above(double value) {
  return value + std::abs(value) * 0x1p-48;
}

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Returns a / b rounded up, in rounding_up(), for a >= 0 and a b > 0 that was itself rounded down, maybe to 0.
inline double quotient(double a, double b) {
  return b > 0 ? a / b : kInfinity;
}

// Returns the larger; not a number where one of them is none, which std::max() and std::fmax() may swallow.
inline double larger(double a, double b) {
  return std::isnan(a) || a > b ? a : b;
}

}  // namespace halfspace
