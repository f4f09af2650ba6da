// Chooses rule, order and passes by the size of the data if the caller names none: the default of every interface.
//
//   TrainOptions options;
//   options.read.path = "credit.csv";
//   TrainPlan plan = plan_training(std::move(options));
//   plan.words                                   // "logistic regression, C 1, ...: best of 9 by 5 folds, 11.60 % wrong"
//   const TrainResult result = train(plan.options);
//
// Up to small_table values, zeros in the cells of a table too: logistic regression at four prices of an error, over
// columns standardised, the same with logarithms of skewed columns (TrainOptions::logarithms), and up to nine
// compositions, beside it up to five, validated by five-fold cross-validation (race(), choose.h); the best is trained on
// all rows. Minima come first, so that a rule wins by more than a quarter of a standard error. They are left out where
// rounds are asked for (passes, checkpoints, an observer, least_loss), and where values times classes are beyond 20
// million.
// Up to large_table values, in files of at most 25 bytes a value: up to three compositions, validated on every tenth
// row, stratified by class; the best is trained on all rows, shuffled.
// Models of rules are calibrated (Platt) on the winner's scores of validation rows if all candidates' scores are at most
// two million numbers: predict then reports probabilities. Those of a minimum have them by themselves, and are calibrated
// only where that makes the log loss of the validation rows 2 % less.
// With one pass, rows that change with time (the tournament, in their order, errs on clearly fewer of the last ones) are
// learned in their order.
// Anything else (a pipe, more rows, fewer than ten, one class; with one pass a larger table): one pass of the tournament,
// in constant memory.
//
// Uses of the options: `until.passes` (for all candidates; those too slow for them are left out), `normalize_columns`,
// `holdout` (its rows validate nothing here), bias, seed, weights. The same data, options and seed give the same plan,
// for any number of threads.
//
// Cost: reads the data once more. Validating a small table takes about 0.9 seconds of processor time for a
// million values, up to about two for many short rows or many classes; with given passes the first composition is
// validated however long it takes. A larger table takes about seven passes. Memory: the rows, within options.memory.
// Thread-safety: concurrent calls are independent. Throws Error as train() does; Interrupted if options.interrupt is
// set.
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
  std::optional<Choice> choice;  // the candidates and their scores; empty if nothing was validated
  std::string words;             // the choice and its reason, in one line; names options as Error does
};

// `folds`: the number of folds, for tables of any size; rejects what choose() rejects. Empty: chosen by size, as above.
TrainPlan plan_training(TrainOptions options, std::optional<unsigned> folds = {});

// Returns the plan by the next best candidate, where the winner, trained on all rows, errs on many more of them than on
// those that validated it: one row far from all others can do that to weights that follow the last steps. `asked`: the
// options before the plan. `why`: what became of the winner. Empty if no candidate is left.
std::optional<TrainPlan> next_plan(TrainOptions asked, Choice choice, const std::string& why);
// Returns whether that is so, by five standard errors.
bool contradicts(const TrainResult& result, const Choice& choice);

}  // namespace halfspace
