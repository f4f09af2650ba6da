// Makes a model of given weights, such as those of another program.
//
//   GivenWeights given{.weights = w, .biases = b, .features = 2, .classes = {"no", "yes"}, .columns = {"age", "income"}};
//   save_model(linear_model(given), "credit.model");
//
// The model is that of a perceptron (of more than two classes: the multiclass perceptron) before its first round, with
// the given weights instead of zeros. Its ledger has no round, so nothing bounds its error on new rows, and it cannot be
// resumed. It predicts, is evaluated, saved and exported as any other.
//
// A score of exactly 0 is the first of two classes; of several with the highest score the first wins.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "halfspace/train/model.h"

namespace halfspace {

// What turns scores into probabilities: nothing; the logistic function (of several classes, of each score, divided by
// their sum); the softmax of the scores.
enum class GivenProbabilities : std::uint8_t { none = 0, logistic = 1, softmax = 2 };

struct GivenWeights {
  std::span<const double> weights;  // [vector * features + feature]: one vector of two classes, else one a class
  std::span<const double> biases;   // one a vector
  std::uint32_t features = 0;
  std::vector<std::string> classes{};  // two or more; of two, scores are the second's
  std::vector<std::string> columns{};  // names of the features; empty: they are numbered
  std::string label = "y";             // name of the label's column
  bool sparse = false;                 // rows come as sparse matrices, without names of columns; else as dense ones
  GivenProbabilities probabilities = GivenProbabilities::none;
};

// Throws Error(usage) for counts that do not fit each other and for names that are empty or duplicate, Error(data) for
// a weight that is not finite. The softmax of two classes is the logistic function of their score.
Model linear_model(const GivenWeights& given);

// Returns whether the model was made so. (A perceptron that has had no round has no other weights but zeros.)
bool has_given_weights(const Model& model);

// Returns whether the weights minimize an objective, and no rows were learned since.
bool is_at_minimum(const Model& model);

}  // namespace halfspace
