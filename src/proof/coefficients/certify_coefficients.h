// Puts coefficients into a certificate, and describes them by name.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "halfspace/proof/certify.h"
#include "proof/coefficients/coefficients.h"
#include "proof/exact/problem.h"

namespace halfspace::proof {

inline constexpr std::uint32_t most_coefficients = 4000;

// Returns the coordinates of a problem in the order in which columns may depend on those before: the bias first, and of
// a categorical column the categories in alphabetical order, with the first one, the reference, at the end.
std::vector<std::uint32_t> order_of_columns(const Problem& problem, const Data& data);
// Adds the findings to the certificate, with the separators and combinations that they need.
void add_coefficients(const Problem& problem, const CoefficientFindings& findings, Certificate& certificate);
// Describes what the certificate shows. `names`: of the features, or fewer.
Separation describe_separation(const Problem& problem, const CoefficientFindings& findings,
                               const Certificate& certificate, const std::vector<std::string>& names);
// Adds the columns among those of `order` that the separation moves and rounding alone tells from others. Throws
// GaveUp.
void describe_near_aliases(const Problem& problem, const CoefficientFindings& findings,
                           const std::vector<std::uint32_t>& order, const std::vector<std::string>& names,
                           const RowsOptions& memory, const Budget& budget, Separation& separation);

}  // namespace halfspace::proof
