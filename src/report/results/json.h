// Results as JSON: the documented format (docs/formats/json.md) of --json, --log and reports. Key names are stable.
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

// Returns the bounds on new rows: {lower, upper, confidence, of, assumption, rows, errors}.
Json expected_error(const ExpectedError& expected);
// Returns the members of a mixture: {member: probability}.
Json followed(const std::vector<MixtureMember>& members);

// Returns the composition, keyed by the names of the flags.
Json composition(const Composition& composition);
// Returns how values were scaled for the rule: none, row, column or standard.
std::string_view name_of_scaling(const Model& model);

// Returns a sum of weights of rows: an integer where it is one, null if it is not finite.
Json sum_of_weights(double sum);
// Returns a number, or null if it is not finite: JSON has no infinity.
Json number(double value);

// Returns the model itself; for a linear kernel, a model with the weights that its support vectors sum to.
Model weighed_by_feature(Model model);

// Returns weight times standard deviation of each feature, which can be compared across features: as the model orders
// weights. Empty if the model has no deviations.
std::vector<double> effects_of(const Model& model);
// Returns weights by feature name, as they act on the data's own values: {"age": 0.5, ...}; multiclass: one object a
// class. If rows are normalised, they act on the row divided by its norm.
Json weights(const Model& model);
// Returns effects_of() likewise; null if there are none.
Json effects(const Model& model);
// Returns the columns of logarithms: `name`, `of`, `least` and `unit` each.
Json logarithms(const Schema& schema);
// Returns the number of nonzero weights, of all classes.
std::size_t nonzero_weights(const Model& model);
// Returns the weights likewise, as the model orders them: [feature * classes + class].
std::vector<double> weights_on_own_values(const Model& model);
// Returns the bias as it is added to the score; multiclass: one a class.
Json bias(const Model& model);

}  // namespace halfspace::report
