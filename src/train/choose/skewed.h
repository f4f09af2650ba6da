// Columns whose values are far apart, and the logarithms that may stand beside them.
//
// Thread-safety: functions of their arguments.
#pragma once

#include <vector>

#include "halfspace/train/train.h"

namespace halfspace::training {

// Returns the logarithms of the numeric columns of skewness above 2: of a table with named columns. A unit is the power of
// two nearest the lowest tenth of what is above the least value. A row of weight k, above 0, counts as k.
// Cost: a pass over the rows; two if there are any.
std::vector<LogarithmOf> logarithms_of_skewed(const Rows& rows, const Schema& schema, const TrainOptions& options);

}  // namespace halfspace::training
