// A user's program that knows one header: every rule, and what else a learner is put together from, is in it.
#include <halfspace/halfspace.h>

namespace {

using namespace halfspace;

constexpr RuleName rules[] = {
    rule::perceptron, rule::margin,    rule::pa,   rule::pa1, rule::pa2,  rule::winnow1, rule::minnow,
    rule::arow,       rule::projected, rule::alma, rule::eg,  rule::ftrl, rule::coin,    rule::tournament,
};

}  // namespace

int main() {
  for (const RuleName rule : rules) {
    Composition composition;
    composition.rule = rule;
    validate(composition);
  }
  Linear learner(MarginPerceptron{}, Weights(BiasOptions{}), KeepName::average);
  learner.grow(3);
  return novikoff_bound(1, 1, 1) < 2 && hinge_bound(0, 1, 1) < 2 ? 0 : 1;
}
