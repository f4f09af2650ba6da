// The two parts of the logarithm of a binomial probability, as Loader 2000 has it, "Fast and accurate computation of
// binomial probabilities": neither is a small difference of large numbers.
#pragma once

namespace halfspace {

// Returns ln Gamma(x + 1) - ln(sqrt(2 pi x) (x / e)^x), for x > 0, within 1e-14.
double stirling_error(double x);

// Returns x ln(x / m) + m - x, for x, m > 0, within some units in its last place.
double deviance(double x, double m);

}  // namespace halfspace
