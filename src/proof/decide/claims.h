// States claims in a certificate, with their proofs, and in a result what follows from them.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "halfspace/proof/certify.h"
#include "halfspace/proof/verify/certificate.h"
#include "proof/decide/errors.h"
#include "proof/exact/problem.h"

namespace halfspace::proof {

// Add a proof, and return its position.
std::uint32_t add(Certificate& certificate, Separator separator);
std::uint32_t add(Certificate& certificate, Combination combination);
// Adds a claim; `by`: the position of its proof.
void claim(Certificate& certificate, ClaimKind kind, std::uint32_t by, std::string count = "0");

// Claims a separator of all rows, the margin that it has, and the mistakes that it allows. `squared_length`: of the
// longest signed point.
void claim_separator(const Separator& separator, const mpq_class& squared_length, CertifyResult& result);
// The square of a bound on the margin, and what proves it.
using MarginBound = std::pair<mpq_class, Combination>;
// Claims bounds on the margin, the least first.
void claim_margin_bounds(std::vector<MarginBound> bounds, const mpq_class& squared_radius, CertifyResult& result);
// Claims both bounds on the fewest errors, by `rule`. `weights`: make the upper number of errors, ties broken by `tie`.
void claim_errors(const Problem& problem, Tie tie, ErrorRule rule, const FewestErrors& fewest, Separator weights,
                  CertifyResult& result);

}  // namespace halfspace::proof
