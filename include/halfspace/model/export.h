// A linear model in the formats of other programs: ONNX and PMML. What each file holds: docs/formats/export.md.
//
//   write_atomically("credit.onnx", to_onnx(model));
//
// Both predict what Predictor does, in double arithmetic; sums have another order, so that a score may differ in its
// last digits, and a label only if a score is that near to 0 (or to that of another class).
//
// Exported are models whose prediction is one vector of weights, or one a class: every rule and keeper but vote. Scales
// of columns are multiplied into the weights. Throws Error(usage), with the reason, for what a format cannot express:
// votes and isotonic calibration; in PMML also normalised rows, single precision, and multiclass probabilities.
//
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <vector>

#include "halfspace/train/model.h"

namespace halfspace {

// Writes ONNX, operators of version 13: of a matrix x of doubles, a column a feature in the order of feature_names(),
// the vector `label` (integers when all labels are, else texts), `score` (two classes: a vector; several: a matrix)
// and, with Platt's calibration, `probability` (likewise).
std::vector<std::uint8_t> to_onnx(const Model& model);

// Writes PMML 4.4, a RegressionModel. Columns of CSV data are inputs as they are: categories and missing values are
// encoded inside. Multiclass probabilities are left out: PMML does not compute the sum they are divided by.
std::vector<std::uint8_t> to_pmml(const Model& model);

}  // namespace halfspace
