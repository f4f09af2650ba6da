// --trace text: the rounds of a small run as a table, as one would compute them by hand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "halfspace/game/learner.h"
#include "halfspace/train/train.h"

namespace halfspace::cli {

class HandTrace {
 public:
  static constexpr std::size_t most_features = 6, most_rounds = 200;

  // Keeps a round, unless most_rounds are kept. Throws Error(usage) for rows or weights that no narrow table shows.
  void round(const RoundView& view);
  // Returns the table: round, row, x, y, score, whether the rule made an update, the weights after the round, and those
  // that the keeper would return then, if they differ; of a vote, how all vectors so far vote on the row.
  std::string text(const TrainResult& result) const;

 private:
  struct Round {
    std::uint64_t round, row;
    std::vector<double> x, w, kept;
    double bias, kept_bias, score;
    bool positive, updated;
  };
  std::int64_t vote(std::size_t of, const Composition& composition) const;

  std::vector<Round> rounds_;
  std::uint64_t seen_ = 0;
};

}  // namespace halfspace::cli
