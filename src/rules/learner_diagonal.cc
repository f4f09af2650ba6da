// The rules with a second number beside every weight, as run-time learners.
#include "halfspace/rules/adagrad.h"
#include "halfspace/rules/arow_diagonal.h"
#include "rules/make_learner.h"

namespace halfspace::game {

std::unique_ptr<Learner> make_diagonal(const Composition& composition) {
  if (composition.rule == RuleName::adagrad) {
    return with_keeper(AdaGrad{composition.tie}, AdaptiveWeights(composition.bias, ball_of(composition)), composition);
  }
  return with_keeper(Arow{composition.tie}, VarianceWeights(composition.bias, composition.regularization), composition);
}

}  // namespace halfspace::game
