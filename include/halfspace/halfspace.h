// The whole library at once. Start here; a program that counts its compile time includes what it needs.
//
//   base      error.h         the one exception: place, reason, fix
//             random.h        draws that are the same everywhere
//   stream    reader.h        LIBSVM, CSV, ARFF, VW, JSON Lines, .npy, .npz, idx, from files and pipes; memory_data.h: rows of your own
//             rows.h          rows kept, in memory or beside it; cache.h: text read once for all
//             schema.h        what columns and labels mean
//   rules     composition.h   rule x order x keeper: what to learn with, by name; rule_entry.h: rules of your own
//   game      learner.h       a composition that plays, block by block; game.h: orders over kept rows
//   bounds    bound_search.h  mistake bounds of a run; formulas.h: as formulas; least_loss.h: of the loss
//             expected_error.h  the error on new rows
//   train     train.h         data in, model out
//             model.h         what was learned; Predictor: labels, scores, probabilities
//             evaluate.h      accuracy, confusion, AUC, reliability
//             folds.h         cross-validation; choose.h: the best of several; calibration.h: probabilities
//   model     model_file.h    saving and loading; export.h: ONNX and PMML
//   proof     certify.h       separable or not, with proof; verify/verify.h: checking one
//   experts   experts_game.h  players of experts on a table; round_table.h: from a CSV file
//   bandits   bandit_game.h   players of bandits; live.h: one decision at a time; logged_rounds.h: logs
//
// For a learner put together at compile time, see linear/linear.h with the headers of rules/ and linear/keep.h.
// Examples are in share/doc/halfspace/examples.
#pragma once

#include "halfspace/bandits/bandit_game.h"
#include "halfspace/bandits/live.h"
#include "halfspace/bandits/logged_rounds.h"
#include "halfspace/base/error.h"
#include "halfspace/base/random.h"
#include "halfspace/bounds/bound_search.h"
#include "halfspace/bounds/expected_error.h"
#include "halfspace/bounds/least_loss.h"
#include "halfspace/experts/experts_game.h"
#include "halfspace/experts/round_table.h"
#include "halfspace/game/game.h"
#include "halfspace/game/learner.h"
#include "halfspace/model/export.h"
#include "halfspace/model/model_file.h"
#include "halfspace/proof/certify.h"
#include "halfspace/proof/verify/verify.h"
#include "halfspace/rules/composition.h"
#include "halfspace/rules/perceptron.h"
#include "halfspace/rules/rule_entry.h"
#include "halfspace/stream/cache.h"
#include "halfspace/stream/memory_data.h"
#include "halfspace/stream/reader.h"
#include "halfspace/stream/rows.h"
#include "halfspace/stream/schema.h"
#include "halfspace/stream/survey.h"
#include "halfspace/train/calibration.h"
#include "halfspace/train/choose.h"
#include "halfspace/train/evaluate.h"
#include "halfspace/train/folds.h"
#include "halfspace/train/model.h"
#include "halfspace/train/train.h"
