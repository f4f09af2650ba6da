// The rules with a second number beside every weight, as run-time learners.
#include "game/make_learner.h"
#include "halfspace/linear/adagrad.h"
#include "halfspace/linear/arow_diagonal.h"

namespace halfspace::game {

std::unique_ptr<Learner> make_diagonal(const Composition& composition) {
  if (composition.rule == RuleName::adagrad) {
    return with_keeper(AdaGrad{composition.tie}, AdaptiveWeights(composition.bias, ball_of(composition)), composition);
  }
  return with_keeper(Arow{composition.tie}, VarianceWeights(composition.bias, composition.regularization), composition);
}

}  // namespace halfspace::game
