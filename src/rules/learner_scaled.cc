// The rules whose weights stay in a ball, as run-time learners.
#include "halfspace/rules/alma.h"
#include "halfspace/rules/projected.h"
#include "rules/make_learner.h"

namespace halfspace::game {

std::unique_ptr<Learner> make_scaled(const Composition& composition) {
  if (composition.rule == RuleName::alma) {
    return with_keeper(Alma{composition.tie, alpha_of(composition)}, ScaledWeights(composition.bias, 1.0), composition);
  }
  return with_keeper(Perceptron{composition.tie, rate_of(composition)},
                     ScaledWeights(composition.bias, ball_of(composition)), composition);
}

}  // namespace halfspace::game
