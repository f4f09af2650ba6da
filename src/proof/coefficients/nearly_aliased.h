// Finds columns that rounding alone tells from a combination of others: 98.6 beside 37.0, shares that add up to 1.
//
// Idea: the decimals are independent, so the proof may use a last digit that rounding left, and separate rows by it. A
// column is nearly aliased if a combination of the columns before it equals it in every row, within one unit of the
// last digit of each value. The combination is fitted by least squares; each column is orthogonalized against those
// before it that are not nearly aliased themselves. Relations that chance explains are left out: of few rows, or of
// columns that take few values.
//
// Nothing here is proved, and no certificate mentions it. Cost: O(rows * columns^2) on a sample of rows, and a pass for
// each column found.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "halfspace/proof/certify.h"
#include "halfspace/stream/rows.h"
#include "proof/exact/problem.h"
#include "proof/search/budget.h"

namespace halfspace::proof {

struct NearlyAliasedColumn {
  std::uint32_t coordinate;
  std::vector<std::pair<std::uint32_t, double>> terms;  // the combination, by coordinate
  double difference;                                    // the largest from it
};

// `independent`: coordinates in the order in which columns may depend on those before. Throws GaveUp.
std::vector<NearlyAliasedColumn> find_nearly_aliased(const Problem& problem,
                                                     const std::vector<std::uint32_t>& independent,
                                                     const Budget& budget);

// Returns the kind of separation by the other coordinates, if it can be decided.
std::optional<SeparationKind> kind_without(const Problem& problem, const std::vector<std::uint32_t>& coordinates,
                                           const RowsOptions& memory, const Budget& budget);

}  // namespace halfspace::proof
