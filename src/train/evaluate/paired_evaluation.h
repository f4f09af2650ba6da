// Compares two models on the same labelled rows: an evaluation of each, and McNemar's exact test of their errors.
//
//   const PairedEvaluation both = evaluate_pair(load_model("a.model"), load_model("b.model"), options);
//   both.of[0].confusion.accuracy(), both.only_first_right, both.test->p_value
//
// The models may differ in everything but the names of their classes and how rows are read. The test is about rows that
// exactly one of the models gets right: if both have the same error rate, each of these is as likely to be the first's
// as the second's (comparison_tests.h). More than two models, or rules: compare.h.
//
// Memory and cost: two evaluations, one after the other, and a bit a row.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "halfspace/detail/train/comparison_tests.h"
#include "halfspace/train/evaluate.h"

namespace halfspace {

struct PairedEvaluation {
  std::array<ModelEvaluation, 2> of;
  double both_right = 0, only_first_right = 0, only_second_right = 0, both_wrong = 0;  // rows, by their weights
  // McNemar's exact test; empty if a model was trained on these rows, or for weights that are not whole numbers.
  std::optional<TestResult> test;

  // Returns the model with fewer errors, 0 or 1; empty if they have equally many.
  std::optional<std::size_t> better() const;
  // Returns whether the difference is significant at the level 1 - confidence of the options.
  bool significant() const;
};

// Throws Error as evaluate() does for each model, and Error(data) if they read different rows: if one rejects rows that
// the other reads, or the file has changed.
PairedEvaluation evaluate_pair(const Model& first, const Model& second, const EvaluateOptions& options);

}  // namespace halfspace
