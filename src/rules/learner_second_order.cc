// The rules with a covariance as run-time learners.
#include "halfspace/rules/arow.h"
#include "halfspace/rules/second_order.h"
#include "rules/make_learner.h"

namespace halfspace::game {

std::unique_ptr<Learner> make_second_order(const Composition& composition, std::uint64_t memory) {
  CovarianceWeights start(composition.bias, composition.regularization, memory);
  if (composition.rule == RuleName::second_order) {
    return with_keeper(SecondOrder{composition.tie}, std::move(start), composition);
  }
  return with_keeper(Arow{composition.tie}, std::move(start), composition);
}

}  // namespace halfspace::game
