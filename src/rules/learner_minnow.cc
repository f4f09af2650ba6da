// Minnow and EG as run-time learners: exponential weights in place of plain ones, a fixed rate or the doubling guess.
#include "halfspace/rules/eg.h"
#include "halfspace/rules/minnow.h"
#include "rules/make_learner.h"

namespace halfspace::game {
namespace {

template <class Rule>
std::unique_ptr<Learner> with_exponential_keeper(Rule rule, const Composition& composition) {
  using W = ExponentialWeights;
  const W start(composition.bias, composition.both_signs);
  switch (composition.keep) {
    case KeepName::average:
      return std::make_unique<Player<Linear<Rule, Average, W>>>(Linear<Rule, Average, W>(rule, start), 2);
    case KeepName::pocket:
      return std::make_unique<Player<Linear<Rule, Pocket, W>>>(Linear<Rule, Pocket, W>(rule, start), 2);
    case KeepName::vote:
      return std::make_unique<Player<Linear<Rule, Vote, W>>>(Linear<Rule, Vote, W>(rule, start), 2);
    default:
      return std::make_unique<Player<Linear<Rule, Last, W>>>(Linear<Rule, Last, W>(rule, start), 2);
  }
}

}  // namespace

std::unique_ptr<Learner> make_minnow(const Composition& composition) {
  if (composition.rule == RuleName::eg) {
    return with_exponential_keeper(ExponentiatedGradient{composition.tie, rate_of(composition), ball_of(composition)},
                                   composition);
  }
  if (composition.rate) return with_exponential_keeper(Minnow{composition.tie, *composition.rate}, composition);
  if (composition.relative_margin) {
    const double rate = minnow_best_rate(*composition.relative_margin, composition.radius.value_or(1.0));
    return with_exponential_keeper(Minnow{composition.tie, rate}, composition);
  }
  MinnowGuess rule;
  rule.tie = composition.tie;
  return with_exponential_keeper(rule, composition);
}

}  // namespace halfspace::game
