// Halving: predict with the majority of the experts that have never been wrong.
//
//   predict the majority of the survivors (a tie predicts 1); then drop every expert that is wrong
//
// Guarantee: if some expert is always right, at most floor(log2 N) mistakes: a mistake, ties included, removes at least
// half of the survivors. Not optimal: there are 9 experts on which it errs 3 times and SOA 2. When no expert is left,
// it predicts the tie label 1 and the bound ends. If experts sleep, a mistake halves only those awake, and the bound is
// void. Cost: O(N) a round. Source: Barzdin and Freivalds 1972; Littlestone 1988; Angluin 1988.
#pragma once

#include "halfspace/detail/experts/version_space.h"

namespace halfspace {

class Halving {
 public:
  explicit Halving(std::size_t experts) : space_(experts) {}

  int predict(Advice advice) const {
    std::size_t votes[2] = {0, 0};
    for (std::size_t i = 0; i < advice.size(); ++i) {
      if (space_.contains(i) && awake(advice[i])) ++votes[label_of(advice[i])];
    }
    return votes[1] >= votes[0] ? 1 : 0;
  }
  void reveal(Advice advice, int outcome) { space_.reveal(advice, outcome); }

  const VersionSpace& space() const noexcept { return space_; }

 private:
  VersionSpace space_;
};

}  // namespace halfspace
