// Calls SLEEF's scalar functions in plain C, which use no instruction that a processor may lack, while rounding to nearest.
#include "halfspace/detail/base/elementary.h"

#include <sleef.h>

#include <array>
#include <cfenv>
#include <cmath>

namespace halfspace::elementary {
namespace {

// SLEEF declares its functions const: without the barriers their calls may be moved past a change of the mode.
double barred(double x) {
  asm volatile("" : "+m"(x));
  return x;
}

template <class F>
[[gnu::noinline, gnu::cold]] double while_nearest(int mode, const F& f) {
  std::fesetround(FE_TONEAREST);
  const double value = barred(f());
  std::fesetround(mode);
  return value;
}

template <class F>
double nearest(F* f, double x) {
  const int mode = std::fegetround();
  if (mode == FE_TONEAREST) [[likely]]
    return f(x);
  return while_nearest(mode, [&] { return f(barred(x)); });
}

template <class F>
double nearest(F* f, double x, double y) {
  const int mode = std::fegetround();
  if (mode == FE_TONEAREST) [[likely]]
    return f(x, y);
  return while_nearest(mode, [&] { return f(barred(x), barred(y)); });
}

}  // namespace

double exp(double x) { return nearest(Sleef_cinz_expd1_u10purec, x); }
double exp2(double x) { return nearest(Sleef_cinz_exp2d1_u10purec, x); }
double expm1(double x) { return nearest(Sleef_cinz_expm1d1_u10purec, x); }
double log(double x) { return nearest(Sleef_cinz_logd1_u10purec, x); }
double log2(double x) { return nearest(Sleef_cinz_log2d1_u10purec, x); }
double log10(double x) { return nearest(Sleef_cinz_log10d1_u10purec, x); }
double log1p(double x) {
  // SLEEF's is infinite from 1e307.
  return x > 0x1p60 ? log(x) : nearest(Sleef_cinz_log1pd1_u10purec, x);
}
double pow(double x, double y) { return nearest(Sleef_cinz_powd1_u10purec, x, y); }
double sinh(double x) { return nearest(Sleef_cinz_sinhd1_u10purec, x); }
double atan(double x) { return nearest(Sleef_cinz_atand1_u10purec, x); }
double atanh(double x) { return nearest(Sleef_cinz_atanhd1_u10purec, x); }
double sin(double x) { return nearest(Sleef_cinz_sind1_u10purec, x); }
double cos(double x) { return nearest(Sleef_cinz_cosd1_u10purec, x); }
double erfc(double x) { return nearest(Sleef_cinz_erfcd1_u15purec, x); }
double hypot(double x, double y) { return nearest(Sleef_cinz_hypotd1_u05purec, x, y); }

double power_of_ten(double k) {
  constexpr std::array<double, 23> exact = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                            1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  const double size = std::abs(k);
  if (!(size <= 22) || size != std::floor(size)) return pow(10, k);
  const double power = exact[static_cast<std::size_t>(size)];
  return k < 0 ? 1 / power : power;
}

}  // namespace halfspace::elementary
