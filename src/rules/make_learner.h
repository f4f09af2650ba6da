// Chooses the templates for a composition. One function a rule family, each in a file of its own: compiling them is
// what takes time.
#pragma once

#include <memory>
#include <utility>

#include "halfspace/game/learner.h"
#include "rules/learner_state.h"

namespace halfspace::game {

std::unique_ptr<Learner> make_perceptron(const Composition& composition);
std::unique_ptr<Learner> make_passive_aggressive(const Composition& composition);
std::unique_ptr<Learner> make_minnow(const Composition& composition);
std::unique_ptr<Learner> make_multiclass(const Composition& composition, std::uint32_t classes);
std::unique_ptr<Learner> make_diagonal(const Composition& composition);
std::unique_ptr<Learner> make_scaled(const Composition& composition);
std::unique_ptr<Learner> make_winnow(const Composition& composition);
std::unique_ptr<Learner> make_kernel(const Composition& composition);
std::unique_ptr<Learner> make_second_order(const Composition& composition, std::uint64_t memory);

// rule x keeper -> player, for rules with weights of their own kind. validate() let no vote through.
template <class Rule, class W>
std::unique_ptr<Learner> with_keeper(Rule rule, W start, const Composition& composition) {
  switch (composition.keep) {
    case KeepName::average:
      return std::make_unique<Player<Linear<Rule, Average, W>>>(Linear<Rule, Average, W>(rule, std::move(start)), 2);
    case KeepName::pocket:
      return std::make_unique<Player<Linear<Rule, Pocket, W>>>(Linear<Rule, Pocket, W>(rule, std::move(start)), 2);
    default:
      return std::make_unique<Player<Linear<Rule, Last, W>>>(Linear<Rule, Last, W>(rule, std::move(start)), 2);
  }
}

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
