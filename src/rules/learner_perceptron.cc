// The perceptron and the margin perceptron as run-time learners.
#include "halfspace/rules/margin_perceptron.h"
#include "halfspace/rules/perceptron.h"
#include "rules/make_learner.h"

namespace halfspace::game {

std::unique_ptr<Learner> make_perceptron(const Composition& composition) {
  const double rate = composition.rate.value_or(1.0);
  if (composition.rule == RuleName::margin) {
    return with_keeper(MarginPerceptron{composition.tie, rate, composition.margin}, composition);
  }
  return with_keeper(Perceptron{composition.tie, rate}, composition);
}

}  // namespace halfspace::game
