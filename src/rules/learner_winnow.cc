// Winnow1 and Winnow2 as run-time learners.
#include "halfspace/linear/weights/winnow.h"
#include "rules/make_learner.h"

namespace halfspace::game {

std::unique_ptr<Learner> make_winnow(const Composition& composition) {
  const Fall fall = composition.rule == RuleName::winnow1 ? Fall::eliminate : Fall::demote;
  return with_keeper(Winnow{composition.tie},
                     WinnowWeights(composition.bias, fall, alpha_of(composition), composition.threshold), composition);
}

}  // namespace halfspace::game
