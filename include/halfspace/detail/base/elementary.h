// Elementary functions with the same bits on every machine, of SLEEF: libm's differ by version of the C library, by
// processor, and with or without fused multiply-add.
//
// Results are within 1 ulp (erfc 2), for every argument unless stated, and do not depend on the rounding mode, so that
// above() of detail/base/rounding.h makes them upper bounds, but for results that have become 0, and of erfc() subnormal. Zeros,
// infinities and NaN are treated as in C's Annex F. Thread-safe; errno and exceptions of floating point are left undefined.
//
// Shibata and Petrogalli 2020, "SLEEF: A Portable Vectorized Library of C Standard Mathematical Functions".
#pragma once

namespace halfspace::elementary {

double exp(double x);
double exp2(double x);
double expm1(double x);
double log(double x);
double log2(double x);
double log10(double x);
double log1p(double x);
double pow(double x, double y);
double sinh(double x);  // |x| <= 709
double atan(double x);
double atanh(double x);
double sin(double x);
double cos(double x);
double erfc(double x);
double hypot(double x, double y);

// Returns 10^k: correctly rounded for |k| <= 22, else within 1 ulp.
double power_of_ten(double k);

}  // namespace halfspace::elementary
