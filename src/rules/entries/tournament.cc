// The tournament: its entry in the table of rules.
#include "halfspace/rules/tournament.h"

#include "halfspace/rules/multiclass.h"
#include "halfspace/rules/rule_entry.h"

namespace halfspace::rules {
namespace {

std::unique_ptr<Learner> make_tournament(const Composition& c, const LearnerOptions&) {
  return make_linear(Tournament{c.tie}, TournamentWeights(c.bias, c.value(parameter::judging)), c);
}

// Its members tell two classes apart: of several the multiclass perceptron, averaged, is better (and a learner a class
// when asked for).
Composition multiclass_averaged(Composition c) {
  c.rule = rule::multiclass;
  c.keep = KeepName::average;
  c.tie = Tie::mistake;
  c.parameters.clear();
  return c;
}

// Rows that were learned from judge nobody.
Composition for_several_passes(Composition c) {
  if (c.order == OrderName::stream) c.order = OrderName::shuffled;
  if (!c.given(parameter::judging)) c.set(parameter::judging, 0.02);
  return c;
}

}  // namespace

std::vector<RuleEntry> tournament() {
  return {{
      .id = rule::tournament,
      .name = "tournament",
      .words = "tournament of four learners",
      .help = "AROW, SCW-I, NAG and coin betting on the same pass; Hedge says whom to follow",
      .presets = {{"tournament", "AROW, SCW-I, NAG and coin betting on the same pass; Hedge says whom to follow",
                   rule::tournament, OrderName::stream, KeepName::last, Tie::positive, Clean::no}},
      .parameters = {{.parameter = &parameter::judging,
                      .help = "share of the rows that are kept from the members, and judge them (several passes: 0.02)",
                      .domain = {.least = 0, .most = 0.5},
                      .fallback = 0,
                      .fix = "0.02 is a good value for several passes"}},
      .loss = [](const Composition&) { return MarginLoss::logistic; },
      .make = make_tournament,
      .no_small_start = "its start is its own",
      .no_vote = "its steps are no multiples of rows, to be taken again",
      .no_pocket = "it moves on every row, and a pocket counts rounds without a move",
      .no_average = "means are members of it already",
      .for_several_classes = multiclass_averaged,
      .for_several_passes = for_several_passes,
  }};
}

}  // namespace halfspace::rules
