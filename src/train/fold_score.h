// The score of predicted rows: the one place where what a fold counts is computed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "halfspace/kernels/example.h"
#include "halfspace/train/folds.h"

namespace halfspace::training {

// Adds the rows of a block, given their predicted classes; `wrong` receives a 1 for each row that is wrong.
inline void add_to_score(const Block& block, std::span<const std::int32_t> predicted, FoldScore& score,
                         std::vector<std::uint8_t>& wrong) {
  for (std::size_t i = 0; i < block.rows; ++i) {
    const bool error = predicted[i] != block.label[i];
    const double weight = block.weight == nullptr ? 1.0 : block.weight[i];
    wrong.push_back(error);
    ++score.rows;
    score.errors += error;
    score.weight += weight;
    score.wrong_weight += error ? weight : 0;
  }
}

}  // namespace halfspace::training
