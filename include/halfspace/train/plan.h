// How to learn where nobody says how: rule, order and passes by the size of the data, from rows that were kept apart.
//
//   TrainOptions options;
//   options.read.path = "credit.csv";
//   TrainPlan plan = plan_training(std::move(options));
//   plan.words                                   // "pa1, averaged, 10 passes: best of 9 by 5 folds, 11.01 % wrong"
//   const TrainResult result = train(plan.options);
//
// A small table (up to small_table values that are not 0): compositions of different character are judged by
// cross-validation, and the best learns from all rows, in random order.
// A table that fits (up to large_table): the same few compositions at growing numbers of passes are judged by every tenth
// row, and the best learns from all rows.
// Anything else, such as a pipe: the tournament, one pass in the order of the rows, in memory that does not grow with
// them.
//
// What the options name is kept: `until.passes` for all candidates, `normalize_columns`, `holdout` (those rows judge nothing
// here). The same data, options and seed give the same plan.
//
// Cost: a small table about as much as twenty trainings of one candidate, a larger one less than ten passes.
// Thread-safety: calls are independent of one another. Throws Error as train() does.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "halfspace/train/choose.h"
#include "halfspace/train/train.h"

namespace halfspace {

inline constexpr std::uint64_t small_table = 2'000'000, large_table = 10'000'000;

struct TrainPlan {
  TrainOptions options;          // to train with
  std::optional<Choice> choice;  // the candidates, and how they did; empty where nothing was judged
  std::string words;             // what was chosen, and why
};

// `folds`: how many judge a small table; with a number that is given larger tables are judged by as many.
TrainPlan plan_training(TrainOptions options, std::optional<unsigned> folds = {});

}  // namespace halfspace
