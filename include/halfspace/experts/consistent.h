// Consistent: follow the first expert that has never been wrong.
//
//   predict as the survivor of lowest number; then drop every expert that is wrong
//
// Guarantee: if some expert is always right, at most N - 1 mistakes: each removes the survivor followed. Tight: experts
// that are right on one instance each, asked in order. When no expert is left, it predicts the tie label 1 and the
// bound ends. Sleeping experts are skipped and keep their number; the bound still holds, since a mistake removes the
// expert followed, except for rounds in which every survivor sleeps. Cost: O(N) a round.
// Source: folklore; Littlestone 1988, section 2.
#pragma once

#include "halfspace/detail/experts/version_space.h"

namespace halfspace {

class Consistent {
 public:
  explicit Consistent(std::size_t experts) : space_(experts) {}

  int predict(Advice advice) const {
    for (std::size_t i = 0; i < advice.size(); ++i) {
      if (space_.contains(i) && awake(advice[i])) return label_of(advice[i]);
    }
    return 1;
  }
  void reveal(Advice advice, int outcome) { space_.reveal(advice, outcome); }

  const VersionSpace& space() const noexcept { return space_; }

 private:
  VersionSpace space_;
};

}  // namespace halfspace
