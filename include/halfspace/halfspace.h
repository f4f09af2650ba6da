// The whole library at once. Start here; a program that counts its compile time includes what it needs.
//
//   base      error.h         the one exception: place, reason, fix
//             random.h        draws that are the same everywhere
//   stream    reader.h        LIBSVM, CSV, ARFF, VW, JSON Lines, .npy, .npz, idx, from files and pipes
//             read_options.h  what to read, and how; table_file.h: tables without labelled examples
//             array_rows.h    arrays of your own, dense or sparse; memory_data.h: rows one by one; row_source.h: any others
//             rows.h          rows kept, in memory or beside it; cache.h: text read once for all
//             schema.h        what columns and labels mean
//   rules     composition.h   rule x order x keeper: what to learn with, by name; rule_entry.h: rules of your own
//   game      learner.h       a composition that plays, block by block; game.h: orders over kept rows
//   bounds    bound_search.h  mistake bounds of a run; formulas.h: as formulas; least_loss.h: of the loss
//             expected_error.h  the error on new rows
//   train     train.h         data in, model out; trainer.h: block by block; settings.h: options by name
//             model.h         what was learned; Predictor: labels, scores, probabilities
//             evaluate.h      accuracy, confusion, AUC, reliability
//             folds.h         cross-validation; choose.h: the best of several; calibration.h: probabilities
//   model     model_file.h    saving and loading; export.h: ONNX and PMML
//   proof     certify.h       separable or not, with proof; verify/verify.h: checking one
//   experts   experts_game.h  players of experts on a table; round_table.h: from a CSV file
//   bandits   bandit_game.h   players of bandits; live.h: one decision at a time; logged_rounds.h: logs; settings.h
//
// A learner put together at compile time is linear/linear.h with the headers of rules/, one a rule, and linear/keep.h.
// Examples are in share/doc/halfspace/examples.
//
// Thread-safety: where a header is silent, its types are values and its functions depend on their arguments alone.
#pragma once

#include "halfspace/bandits/bandit_game.h"
#include "halfspace/bandits/live.h"
#include "halfspace/bandits/logged_rounds.h"
#include "halfspace/bandits/settings.h"
#include "halfspace/base/error.h"
#include "halfspace/base/random.h"
#include "halfspace/bounds/bound_search.h"
#include "halfspace/bounds/expected_error.h"
#include "halfspace/bounds/formulas.h"
#include "halfspace/bounds/least_loss.h"
#include "halfspace/bounds/passive_aggressive.h"
#include "halfspace/experts/combiner.h"
#include "halfspace/experts/consistent.h"
#include "halfspace/experts/experts_game.h"
#include "halfspace/experts/halving.h"
#include "halfspace/experts/hedge.h"
#include "halfspace/experts/round_table.h"
#include "halfspace/experts/soa.h"
#include "halfspace/experts/version_space.h"
#include "halfspace/experts/weighted_majority.h"
#include "halfspace/game/game.h"
#include "halfspace/game/learner.h"
#include "halfspace/kernels/adaptive_kernels.h"
#include "halfspace/kernels/record_kernels.h"
#include "halfspace/kernels/tournament_kernels.h"
#include "halfspace/linear/gram_factor.h"
#include "halfspace/linear/linear.h"
#include "halfspace/linear/weights/class.h"
#include "halfspace/linear/weights/covariance.h"
#include "halfspace/linear/weights/exponential.h"
#include "halfspace/linear/weights/mean_by_mass.h"
#include "halfspace/linear/weights/records.h"
#include "halfspace/linear/weights/scaled.h"
#include "halfspace/linear/weights/winnow.h"
#include "halfspace/mixing/mixing.h"
#include "halfspace/mixing/shards.h"
#include "halfspace/model/export.h"
#include "halfspace/model/model_file.h"
#include "halfspace/optimum/optimum.h"
#include "halfspace/proof/certify.h"
#include "halfspace/proof/certify_settings.h"
#include "halfspace/proof/minimum.h"
#include "halfspace/proof/pairwise.h"
#include "halfspace/proof/verify/verify.h"
#include "halfspace/regret/regret_bounds.h"
#include "halfspace/rules/adagrad.h"
#include "halfspace/rules/alma.h"
#include "halfspace/rules/arow.h"
#include "halfspace/rules/arow_diagonal.h"
#include "halfspace/rules/coin.h"
#include "halfspace/rules/composition.h"
#include "halfspace/rules/eg.h"
#include "halfspace/rules/ftrl.h"
#include "halfspace/rules/hedge_mixture.h"
#include "halfspace/rules/kernel_perceptron.h"
#include "halfspace/rules/margin_perceptron.h"
#include "halfspace/rules/minnow.h"
#include "halfspace/rules/multiclass.h"
#include "halfspace/rules/multiclass_tournament.h"
#include "halfspace/rules/nag.h"
#include "halfspace/rules/passive_aggressive.h"
#include "halfspace/rules/perceptron.h"
#include "halfspace/rules/projected.h"
#include "halfspace/rules/romma.h"
#include "halfspace/rules/rule_entry.h"
#include "halfspace/rules/scw.h"
#include "halfspace/rules/second_order.h"
#include "halfspace/rules/tournament.h"
#include "halfspace/rules/winnow.h"
#include "halfspace/stream/array_rows.h"
#include "halfspace/stream/arrow_table.h"
#include "halfspace/stream/cache.h"
#include "halfspace/stream/hash_use.h"
#include "halfspace/stream/memory_data.h"
#include "halfspace/stream/read_options.h"
#include "halfspace/stream/reader.h"
#include "halfspace/stream/row_source.h"
#include "halfspace/stream/rows.h"
#include "halfspace/stream/schema.h"
#include "halfspace/stream/survey.h"
#include "halfspace/stream/table_text.h"
#include "halfspace/train/calibration.h"
#include "halfspace/train/choose.h"
#include "halfspace/train/compare.h"
#include "halfspace/train/comparison_tests.h"
#include "halfspace/train/evaluate.h"
#include "halfspace/train/feature_spread.h"
#include "halfspace/train/folds.h"
#include "halfspace/train/linear_model.h"
#include "halfspace/train/metrics.h"
#include "halfspace/train/model.h"
#include "halfspace/train/new_rows.h"
#include "halfspace/train/objective.h"
#include "halfspace/train/option.h"
#include "halfspace/train/paired_evaluation.h"
#include "halfspace/train/plan.h"
#include "halfspace/train/prediction_sets.h"
#include "halfspace/train/settings.h"
#include "halfspace/train/train.h"
#include "halfspace/train/trainer.h"
