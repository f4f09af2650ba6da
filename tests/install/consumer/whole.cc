// A user's program that knows one header: every rule, and what else a learner is put together from, is in it.
#include <halfspace/halfspace.h>

namespace {

using namespace halfspace;

bool can_be_composed(RuleName rule) {
  Composition composition;
  composition.rule = rule;
  validate(composition);
  return make_learner(composition, 2) != nullptr;
}

}  // namespace

int main() {
  bool all = can_be_composed(rule::pa1) && can_be_composed(rule::tournament) && can_be_composed(rule::arow_diagonal);
  all = all && can_be_composed(rule::minnow) && can_be_composed(rule::projected) && can_be_composed(rule::ftrl);
  Linear learner(MarginPerceptron{}, Weights(BiasOptions{}), KeepName::average);
  learner.grow(3);
  return all && novikoff_bound(1, 1, 1) < 2 && hinge_bound(0, 1, 1) < 2 ? 0 : 1;
}
