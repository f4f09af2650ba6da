// Builds the parts of a certificate from exact findings.
#pragma once

#include <vector>

#include "halfspace/proof/verify/certificate.h"
#include "proof/exact/problem.h"
#include "proof/exact/separator.h"

namespace halfspace::proof {

Separator certificate_separator(const Problem& problem, const std::vector<mpz_class>& v);
// Returns a combination in the form of certificates.
Combination certificate_combination(const Problem& problem, const WeightedMembers& weights);
// Returns floor(R^2 |w|^2 / minimum^2) for a separator with a positive minimum.
mpz_class mistake_bound(const mpq_class& squared_radius, const Separator& separator);
// Returns the separator of two classes that is right on the larger one: the bias alone, or 0 without a bias.
Separator bias_alone(const Data& data);

// Return square roots of exact rationals, rounded outward.
double root_down(const mpq_class& square);
double root_up(const mpq_class& square);

}  // namespace halfspace::proof
