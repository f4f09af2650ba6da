// The perceptron: its entry in the table of rules.
#include "halfspace/rules/perceptron.h"

#include "halfspace/detail/rules/multiclass.h"
#include "halfspace/rules/rule_entry.h"

namespace halfspace::rules {
namespace {

std::unique_ptr<Learner> make_perceptron(const Composition& c, const LearnerOptions&) {
  return make_linear(Perceptron{c.tie, c.value(parameter::rate)}, c);
}

void perceptron_bounds(const Composition& c, BoundSearch& search) {
  const BoundSearch::Steps steps{.rate = c.value(parameter::rate)};
  search.offer_novikoff(steps);
  search.offer_perceptron_hinge(steps);
}

Composition for_several_classes(Composition c) {
  c.rule = rule::multiclass;
  return c;
}

}  // namespace

std::vector<RuleEntry> perceptron() {
  using O = OrderName;
  using K = KeepName;
  constexpr RuleName id = rule::perceptron;
  constexpr Tie tie = Tie::mistake;
  return {{
      .id = id,
      .name = "perceptron",
      .words = "perceptron",
      .help = "on a mistake, a step along the row",
      .group = RuleGroup::first_order,
      .theorem = "novikoff: R^2 |u|^2 / g^2, if u separates with margin g; hinge over the stream, for any u",
      .cost = "O(stored values) a round",
      .source = "Rosenblatt 1958; Novikoff 1962; Block 1962",
      .presets = {{"rosenblatt", "the online perceptron: once through the data", id, O::stream, K::last, tie,
                   Clean::no},
                  {"batch", "the perceptron in a loop, until a pass is clean", id, O::cyclic, K::last, tie,
                   Clean::pass},
                  {"pla", "always learns from the first mistake, until there is none", id, O::first_mistake, K::last,
                   tie, Clean::pass},
                  {"cyclic-pla", "walks round and round, until every row in a row was right", id, O::cyclic, K::last,
                   tie, Clean::cycle},
                  {"random-pla", "a fresh order for every pass, until no mistake is left", id, O::shuffled, K::last,
                   tie, Clean::pass},
                  {"pocket", "a random mistake at a time, keeping the best weights", id, O::random_mistake, K::pocket,
                   tie, Clean::pass},
                  {"averaged", "returns the mean of all weights: steadier than the last ones", id, O::stream,
                   K::average, tie, Clean::no},
                  {"voted", "every vector votes with its age", id, O::stream, K::vote, tie, Clean::no}},
      .parameters = {{.parameter = &parameter::rate,
                      .help = "the learning rate",
                      .domain = domain::positive,
                      .fallback = 1,
                      .fix = "leave it out for the default"}},
      .make = make_perceptron,
      .bounds = perceptron_bounds,
      .bounds_ask = "rows and weights whose sums stay within the doubles",
      .theorem_words = {{"novikoff", "Novikoff"}, {"hinge over", "hinge losses over"}},
      .for_several_classes = for_several_classes,
      .bound_from_margins = true,
      .ceiling_of_margins = true,
      .norm_growth = [](const Composition&) { return 1.0; },
  }};
}

}  // namespace halfspace::rules
