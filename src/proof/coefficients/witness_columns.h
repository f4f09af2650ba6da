// The columns of a witness: what each of its rows adds to a column, and that these parts cancel.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "halfspace/proof/certify.h"
#include "proof/exact/problem.h"

namespace halfspace::proof {

// Returns the columns that most rows of the witness have a value in, at most `most`, in the order of the data, and counts
// all such columns in `columns`. `name`: of a coordinate. Cost: two passes over the rows of the witness.
std::vector<WitnessColumn> witness_columns(const Problem& problem, const WeightedMembers& witness, std::size_t most,
                                           const std::function<std::string(std::uint32_t)>& name,
                                           std::uint64_t& columns);

}  // namespace halfspace::proof
