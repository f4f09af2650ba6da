// Exports a linear model to the formats of other programs: ONNX and PMML. docs/formats/export.md documents the files.
//
//   write_atomically("credit.onnx", to_onnx(model));
//
// Both predict what Predictor does, in double arithmetic; sums are in another order, so a score may differ in its last
// digits, and a label only if the score is that close to 0 (or to another class's).
//
// Exports models whose prediction is one weight vector, or one a class: every rule and every keeper but vote. Column
// scales are multiplied into the weights. Throws Error(usage), with the reason, for what a format cannot express: votes
// and isotonic calibration; in PMML also normalised rows, single precision, and multiclass probabilities.
#pragma once

#include <cstdint>
#include <vector>

#include "halfspace/train/model.h"

namespace halfspace {

// Returns ONNX, opset 13. Input: a matrix x of doubles, one column a feature in the order of feature_names(), without
// logarithms, which the graph computes. Outputs:
// the vector `label` (integers if all labels are, else strings), `score` (two classes: a vector; multiclass: a matrix)
// and, where the model has probability_curves(), `probability` (likewise).
std::vector<std::uint8_t> to_onnx(const Model& model);

// Returns PMML 4.4, a RegressionModel. Columns of CSV data are inputs unchanged: categories and missing values are
// encoded inside. Multiclass probabilities are omitted: PMML does not compute the sum they are divided by.
std::vector<std::uint8_t> to_pmml(const Model& model);

}  // namespace halfspace
