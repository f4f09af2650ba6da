// The whole library at once. Start here; a program that counts its compile time includes what it needs.
//
// Training and what comes of it
//   train/train.h                data in, model, ledger and bound out
//   train/settings.h             the same by the names of options, as the command has them
//   train/plan.h                 the default: what to learn with, chosen by the size of the data
//   train/model.h                what was learned; Predictor: labels, scores, probabilities
//   model/model_file.h           models saved and loaded
//   model/export.h               ONNX and PMML
//   train/evaluate.h             accuracy, confusion, AUC, reliability on labelled rows
//   train/trainer.h              block by block, for rows that come from elsewhere
//
// Choosing
//   train/folds.h                cross-validation
//   train/choose.h               the best of several candidates
//   train/compare.h              rules and models on the same folds, with tests
//   train/metrics.h              what ranks candidates
//   train/calibration.h          probabilities
//   train/threshold.h            from which score on a row is positive
//
// Data
//   stream/read_options.h        what to read, and how
//   stream/reader.h              LIBSVM, CSV, ARFF, VW, JSON Lines, .npy, .npz, idx, from files and pipes; SQLite
//   stream/array_rows.h          arrays of your own, dense or sparse
//   stream/table_text.h          columns in memory, as a data frame has them
//   stream/memory_data.h         rows one by one
//   stream/row_source.h          rows from anywhere else
//   stream/rows.h                rows kept, in memory or beside it
//   stream/cache.h               text read once for all
//   stream/schema.h              what columns and labels mean
//   stream/survey.h              what is odd about a file
//   kernels/example.h            one row, and a block of them
//
// Learners
//   rules/composition.h          rule x order x keeper: what to learn with, by name
//   rules/rule_entry.h           the table of rules, and rules of your own
//   game/learner.h               a composition that plays, block by block
//   game/game.h                  the same over kept rows, in any order
//   game/ledger.h                the record of a run: mistakes, updates, norms
//   linear/linear.h              a learner put together at compile time, with a rule
//   linear/rule.h                what a rule is
//   linear/keep.h                which weights are returned: last, average, pocket, vote
//   rules/perceptron.h           the first rules; the others, in detail/rules/, are included here, too
//   rules/margin_perceptron.h
//   rules/passive_aggressive.h
//   rules/winnow.h
//   rules/minnow.h
//
// Proofs
//   bounds/expected_error.h      the error on new rows
//   bounds/formulas.h            mistake bounds as formulas
//   proof/certify.h              separable or not, and the fewest errors, with proof
//   proof/certify_settings.h     its options by name
//   proof/pairwise.h             every two classes of several, or each against the rest
//   proof/verify/certificate.h   a certificate as it is stored
//   proof/verify/verify.h        checking one
//   optimum/optimum.h            the minimum of a regularized loss, and how near it is
//   proof/minimum.h              a certificate of it
//
// Experts and bandits
//   experts/advice.h             the advice of experts, and its loss
//   experts/experts_game.h       players of experts on a table
//   experts/round_table.h        that table from a file
//   experts/consistent.h         the first expert that was never wrong
//   experts/halving.h            the majority of those
//   experts/soa.h                the standard optimal algorithm
//   experts/weighted_majority.h  a vote whose weights shrink with mistakes
//   experts/hedge.h              one drawn by weights that shrink with loss
//   bandits/bandit.h             arms, of which only the chosen one's loss is seen
//   bandits/bandit_game.h        players of bandits on a table or a log
//   bandits/settings.h           their options by name
//   bandits/exp3.h               Exp3; Exp3.P and Exp3-IX are in detail/bandits/
//   bandits/live.h               one decision at a time
//   bandits/logged_rounds.h      logs of decisions
//   bandits/off_policy.h         what another policy would have lost on a log
//   bandits/policy_value.h       the same, with bounds that hold at any time
//   bandits/chooser.h            actions with features: a contextual bandit
//   bandits/chooser_settings.h   its options by name
//   regret/regret.h              regret of any player
//   regret/regret_bounds.h       and its bounds
//
// Many machines
//   mixing/shards.h              which rows are in which part of the data
//   mixing/mixing.h              training on the parts
//   jobs/job.h                   all that as tasks, for anything with a map
//
// Everywhere
//   base/error.h                 the one exception: place, reason, fix
//   base/random.h                draws that are the same everywhere
//
// What else templates need is in detail/; examples are in share/doc/halfspace/examples.
//
// Thread-safety: where a header is silent, its types are values and its functions depend on their arguments alone.
#pragma once

#include "halfspace/bandits/bandit.h"
#include "halfspace/bandits/bandit_game.h"
#include "halfspace/bandits/chooser.h"
#include "halfspace/bandits/chooser_settings.h"
#include "halfspace/bandits/exp3.h"
#include "halfspace/bandits/live.h"
#include "halfspace/bandits/logged_rounds.h"
#include "halfspace/bandits/off_policy.h"
#include "halfspace/bandits/policy_value.h"
#include "halfspace/bandits/settings.h"
#include "halfspace/base/error.h"
#include "halfspace/base/random.h"
#include "halfspace/bounds/expected_error.h"
#include "halfspace/bounds/formulas.h"
#include "halfspace/detail/rules/adagrad.h"
#include "halfspace/detail/rules/alma.h"
#include "halfspace/detail/rules/arow.h"
#include "halfspace/detail/rules/arow_diagonal.h"
#include "halfspace/detail/rules/coin.h"
#include "halfspace/detail/rules/eg.h"
#include "halfspace/detail/rules/ftrl.h"
#include "halfspace/detail/rules/hedge_mixture.h"
#include "halfspace/detail/rules/kernel_perceptron.h"
#include "halfspace/detail/rules/label_runs.h"
#include "halfspace/detail/rules/multiclass.h"
#include "halfspace/detail/rules/multiclass_tournament.h"
#include "halfspace/detail/rules/multinomial.h"
#include "halfspace/detail/rules/nag.h"
#include "halfspace/detail/rules/parameter.h"
#include "halfspace/detail/rules/projected.h"
#include "halfspace/detail/rules/romma.h"
#include "halfspace/detail/rules/rule_name.h"
#include "halfspace/detail/rules/scw.h"
#include "halfspace/detail/rules/second_order.h"
#include "halfspace/detail/rules/slope.h"
#include "halfspace/detail/rules/standard_columns.h"
#include "halfspace/detail/rules/tournament.h"
#include "halfspace/experts/advice.h"
#include "halfspace/experts/consistent.h"
#include "halfspace/experts/experts_game.h"
#include "halfspace/experts/halving.h"
#include "halfspace/experts/hedge.h"
#include "halfspace/experts/round_table.h"
#include "halfspace/experts/soa.h"
#include "halfspace/experts/weighted_majority.h"
#include "halfspace/game/game.h"
#include "halfspace/game/learner.h"
#include "halfspace/game/ledger.h"
#include "halfspace/jobs/job.h"
#include "halfspace/kernels/example.h"
#include "halfspace/linear/keep.h"
#include "halfspace/linear/linear.h"
#include "halfspace/linear/rule.h"
#include "halfspace/mixing/mixing.h"
#include "halfspace/mixing/shards.h"
#include "halfspace/model/export.h"
#include "halfspace/model/model_file.h"
#include "halfspace/optimum/optimum.h"
#include "halfspace/proof/certify.h"
#include "halfspace/proof/certify_settings.h"
#include "halfspace/proof/minimum.h"
#include "halfspace/proof/pairwise.h"
#include "halfspace/proof/verify/certificate.h"
#include "halfspace/proof/verify/verify.h"
#include "halfspace/reasons/changes.h"
#include "halfspace/reasons/explanation.h"
#include "halfspace/reasons/reasons.h"
#include "halfspace/regret/regret.h"
#include "halfspace/regret/regret_bounds.h"
#include "halfspace/rules/composition.h"
#include "halfspace/rules/margin_perceptron.h"
#include "halfspace/rules/minnow.h"
#include "halfspace/rules/passive_aggressive.h"
#include "halfspace/rules/perceptron.h"
#include "halfspace/rules/rule_entry.h"
#include "halfspace/rules/winnow.h"
#include "halfspace/stream/array_rows.h"
#include "halfspace/stream/cache.h"
#include "halfspace/stream/memory_data.h"
#include "halfspace/stream/read_options.h"
#include "halfspace/stream/reader.h"
#include "halfspace/stream/row_source.h"
#include "halfspace/stream/rows.h"
#include "halfspace/stream/schema.h"
#include "halfspace/stream/survey.h"
#include "halfspace/stream/table_text.h"
#include "halfspace/train/audit.h"
#include "halfspace/train/calibration.h"
#include "halfspace/train/choose.h"
#include "halfspace/train/compare.h"
#include "halfspace/train/evaluate.h"
#include "halfspace/train/folds.h"
#include "halfspace/train/metrics.h"
#include "halfspace/train/model.h"
#include "halfspace/train/plan.h"
#include "halfspace/train/settings.h"
#include "halfspace/train/threshold.h"
#include "halfspace/train/train.h"
#include "halfspace/train/trainer.h"
