// The results as JSON: the documented format (docs/formats/json.md) of --json, --log and, later, of reports. The key
// names are promises.
#pragma once

#include "base/json.h"
#include "halfspace/train/model.h"
#include "halfspace/train/train.h"

namespace halfspace::report {

using halfspace::Json;
using halfspace::utf8;

// Returns the JSON of `train --json`.
Json train_result(const TrainResult& result);

// Returns one line of --log: the current ledger.
Json ledger_line(const Ledger& ledger, double seconds, double confidence = 0.95);

// Returns what to expect of new rows: {lower, upper, confidence, of, assumption, rows, errors}.
Json expected_error(const ExpectedError& expected);
// Returns whom a rule of experts follows: {member: probability}.
Json followed(const std::vector<FollowedMember>& members);

// Returns the composition, by the names of the flags.
Json composition(const Composition& composition);

// Returns a number, or null when it is not finite: JSON has no infinity.
Json number(double value);

// Returns the model itself, but of a linear kernel: with the weights that its support vectors come to.
Model weighed_by_feature(Model model);

// Weights by feature name, as they act on the data's own values: {"age": 0.5, ...}; multiclass: one object a class.
// Rows that are normalised have no such numbers: then they act on the row divided by its norm.
Json weights(const Model& model);
// Returns how many weights are not 0, of all classes.
std::size_t nonzero_weights(const Model& model);
// Returns the weights of a binary model likewise, by feature number.
std::vector<double> weights_on_own_values(const Model& model);
// Returns the bias as it is added to the score; multiclass: one a class.
Json bias(const Model& model);

}  // namespace halfspace::report
