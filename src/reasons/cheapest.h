// The cheapest change of a row that flips its label.
//
// Thread-safety: a pure function.
#pragma once

#include "halfspace/reasons/changes.h"
#include "reasons/row_columns.h"

namespace halfspace::reasons {

CheapestChange cheapest_change(const RowColumns& row, const ChangeOptions& options);

}  // namespace halfspace::reasons
