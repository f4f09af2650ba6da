// The passive-aggressive rules as run-time learners.
#include "halfspace/rules/passive_aggressive.h"
#include "rules/make_learner.h"

namespace halfspace::game {

std::unique_ptr<Learner> make_passive_aggressive(const Composition& composition) {
  const Tie tie = composition.tie;
  const double aggressiveness = composition.aggressiveness;
  switch (composition.rule) {
    case RuleName::pa1:
      return with_keeper(PassiveAggressive<Aggression::capped>{tie, aggressiveness}, composition);
    case RuleName::pa2:
      return with_keeper(PassiveAggressive<Aggression::softened>{tie, aggressiveness}, composition);
    default:
      return with_keeper(PassiveAggressive<Aggression::full>{tie, aggressiveness}, composition);
  }
}

}  // namespace halfspace::game
