// What the passes of a proof ask and find, as bytes.
//
// Thread-safety: pure functions.
#pragma once

#include "jobs/parts.h"
#include "proof/large/row_passes.h"
#include "proof/verify/source_measures.h"

namespace halfspace::jobs {

// Convert to bytes and back. Throw Error(data) for bytes that are not such a value.
Part encode(const proof::SourceSchema& found);
Part encode(const proof::SurveyOrder& order);
Part encode(const proof::SourceSurvey& found);
Part encode(const proof::PriceOrder& order);
Part encode(const proof::SourcePrices& found);
Part encode(const proof::SourceUnits& found);
Part encode(const proof::Scale& scale);
Part encode(const proof::SourceMeasures& found);
template <class T>
T decode_as(const Part& bytes);

}  // namespace halfspace::jobs
