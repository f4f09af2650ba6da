// Chooses the templates for a composition. One function a rule family, each in a file of its own: compiling them is
// what takes time.
#pragma once

#include <memory>

#include "game/learner_state.h"
#include "halfspace/learner.h"

namespace halfspace::game {

std::unique_ptr<Learner> make_perceptron(const Composition& composition);
std::unique_ptr<Learner> make_passive_aggressive(const Composition& composition);
std::unique_ptr<Learner> make_minnow(const Composition& composition);
std::unique_ptr<Learner> make_multiclass(const Composition& composition, std::uint32_t classes);

// rule x keeper -> player, for rules over plain weights.
template <class Rule>
std::unique_ptr<Learner> with_keeper(Rule rule, const Composition& composition) {
  const Weights start(composition.bias, composition.start);
  switch (composition.keep) {
    case KeepName::average:
      return std::make_unique<Player<Linear<Rule, Average>>>(Linear<Rule, Average>(rule, start), 2);
    case KeepName::pocket:
      return std::make_unique<Player<Linear<Rule, Pocket>>>(Linear<Rule, Pocket>(rule, start), 2);
    case KeepName::vote:
      return std::make_unique<Player<Linear<Rule, Vote>>>(Linear<Rule, Vote>(rule, start), 2);
    default:
      return std::make_unique<Player<Linear<Rule, Last>>>(Linear<Rule, Last>(rule, start), 2);
  }
}

}  // namespace halfspace::game
