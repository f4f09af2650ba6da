// Directed rounding: rounding_up(f) calls f while this thread rounds every sum, product, quotient and root up, and
// returns f's result.
//
// Compilers do not know that changing the mode affects arithmetic: they move a product past the call that restores the
// mode. So f runs in a separate function, which nothing is moved into or out of.
//
// Where the mode cannot be changed (emulators, WebAssembly) it throws Error(input_output): no bound would hold.
//
// Files that use it are compiled with -frounding-math. For a lower bound, negate: down(a - b) = -up(b - a).
#pragma once

#include <cfenv>
#include <cmath>
#include <limits>

namespace halfspace {
namespace detail {

void require_rounding();

class RoundUpward {
 public:
  RoundUpward() : before_(std::fegetround()) { std::fesetround(FE_UPWARD); }
  ~RoundUpward() { std::fesetround(before_); }
  RoundUpward(const RoundUpward&) = delete;
  RoundUpward& operator=(const RoundUpward&) = delete;

 private:
  int before_;
};

// The empty statement is a side effect: without it the call itself could be moved.
template <class F>
[[gnu::noinline]] decltype(auto) apart(const F& f) {
  asm volatile("" ::: "memory");
  return f();
}

}  // namespace detail

template <class F>
decltype(auto) rounding_up(const F& f) {
  detail::require_rounding();
  const detail::RoundUpward up;
  return detail::apart(f);
}

// Returns an upper bound for a result of detail/base/elementary.h, within 1.5 ulps and not 0, in rounding_up().
inline double above(double value) { return value + std::abs(value) * 0x1p-48; }

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Returns a / b rounded up, in rounding_up(), for a >= 0 and a b > 0 that was itself rounded down, possibly to 0.
inline double quotient(double a, double b) { return b > 0 ? a / b : kInfinity; }

// Returns the larger; NaN if one is NaN, which std::max() and std::fmax() may ignore.
inline double larger(double a, double b) { return std::isnan(a) || a > b ? a : b; }

}  // namespace halfspace
