// The rules with a covariance as run-time learners.
#include "game/make_learner.h"
#include "halfspace/linear/arow.h"
#include "halfspace/linear/second_order.h"

namespace halfspace::game {

std::unique_ptr<Learner> make_second_order(const Composition& composition, std::uint64_t memory) {
  CovarianceWeights start(composition.bias, composition.regularization, memory);
  if (composition.rule == RuleName::second_order) {
    return with_keeper(SecondOrder{composition.tie}, std::move(start), composition);
  }
  return with_keeper(Arow{composition.tie}, std::move(start), composition);
}

}  // namespace halfspace::game
