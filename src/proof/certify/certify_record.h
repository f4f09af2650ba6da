// Rows and columns of the data as a result shows them: of a witness, near the boundary, and in the plane.
#pragma once

#include <vector>

#include "halfspace/proof/certify.h"
#include "proof/certify/question.h"
#include "proof/decide/decide.h"
#include "proof/exact/points.h"

namespace halfspace::proof {

// Returns at most 1,000 rows of two features, evenly spread.
std::vector<PlanePoint> plane_points(const Points& points, std::uint64_t rows);
// Returns the rows of a combination, with their shares of it.
std::vector<WitnessRow> described_rows(const QuestionData& question, const WeightedMembers& combination);
// Records the columns in which most rows of the witness have a value.
void record_columns(const QuestionData& question, const WeightedMembers& witness, CertifyResult& result);
// Records the rows that hold the margin, and the margins of rows spread over the data.
void record_margins(const QuestionData& question, const Margin& margin, CertifyResult& result);

}  // namespace halfspace::proof
