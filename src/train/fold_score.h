// The score of predicted rows: the one place where what a fold counts is computed.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "halfspace/kernels/example.h"
#include "halfspace/train/folds.h"
#include "train/row_counts.h"

namespace halfspace::training {

// Adds the rows of a block, given their predicted classes: `wrong` receives a 1 for each row that is wrong, and `count`
// how many rows each counts as.
inline void add_to_score(const Block& block, std::span<const std::int32_t> predicted, const RowCounts& counts,
                         FoldScore& score, std::vector<std::uint8_t>& wrong, std::vector<double>& count) {
  for (std::size_t i = 0; i < block.rows; ++i) {
    const bool error = predicted[i] != block.label[i];
    const double weight = block.weight == nullptr ? 1.0 : block.weight[i], rows = counts.of(block, i);
    wrong.push_back(error);
    count.push_back(rows);
    score.rows += rows;
    score.errors += error ? rows : 0;
    score.whole = score.whole && rows == std::floor(rows);
    score.weight += weight;
    score.wrong_weight += error ? weight : 0;
  }
}

}  // namespace halfspace::training
