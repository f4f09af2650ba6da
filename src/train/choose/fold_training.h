// Trains a candidate on the rows outside of a fold, and validates it on those inside.
//
// Thread-safety: functions of their arguments.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "halfspace/train/folds.h"
#include "train/choose/dealt_rows.h"
#include "train/run/objective.h"

namespace halfspace::training {

// Rows whose columns are centred and scaled.
struct StandardRows {
  StandardColumns columns;
  Rows rows;
};

// The rows of one fold, `own`, and of the others, with logarithms of columns.
struct RowsWithLogarithms {
  Schema schema;
  Rows rest, own;
};

// The rows of one fold, `own`, and of the others; scaled too if a candidate needs that, with logarithms likewise, and the
// others as a minimum needs them: without a bias and with one, without logarithms and with them.
struct FoldPart {
  explicit FoldPart(RowsOptions its_memory)
      : memory(std::move(its_memory)), rest(memory), own(memory), scaled_rest(memory), scaled_own(memory) {}
  RowsOptions memory;
  Rows rest, own, scaled_rest, scaled_own;
  std::vector<std::int16_t> exponents;
  std::optional<RowsWithLogarithms> logarithms;
  std::optional<StandardRows> standard[2][2];
};

struct FoldResult {
  FoldScore score;
  std::vector<std::uint8_t> wrong;
  std::vector<double> count, scores;
  std::uint32_t vectors = 1;
  std::vector<LearningPoint> curve;
  std::string why_not_run;
  DualSolution solution;  // of a minimum: that to start from, then its own
};

FoldPart fold_part(const DealtRows& dealt, std::uint32_t k, std::span<const Candidate> candidates);
// Throws what training throws.
void validate_on(const DealtRows& dealt, const FoldPart& part, const Candidate& candidate, bool keep_scores,
                 FoldResult& result);
// Returns the result of a candidate that is wrong on every row.
FoldResult all_wrong(const DealtRows& dealt, const Rows& of);

}  // namespace halfspace::training
