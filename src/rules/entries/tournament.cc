// The tournament: its entry in the table of rules.
#include "halfspace/detail/rules/tournament.h"

#include "halfspace/detail/rules/multiclass_tournament.h"
#include "halfspace/rules/rule_entry.h"

namespace halfspace::rules {
namespace {

std::unique_ptr<Learner> make_tournament(const Composition& c, const LearnerOptions&) {
  return make_linear(Tournament{c.tie}, TournamentWeights(c.bias, c.value(parameter::validation_share)), c);
}

std::unique_ptr<Learner> make_multiclass_tournament(const Composition& c, const LearnerOptions& options) {
  return std::make_unique<game::Player<MulticlassTournament>>(
      MulticlassTournament(c.tie, c.bias, options.classes, c.value(parameter::validation_share)), options.classes);
}

Composition of_several_classes(Composition c) {
  c.rule = rule::multiclass_tournament;
  return c;
}

// Holds out validation rows: the scores of rows seen before are too good.
Composition for_several_passes(Composition c) {
  if (c.order == OrderName::stream) c.order = OrderName::shuffled;
  if (!c.given(parameter::validation_share)) c.set(parameter::validation_share, 0.1);
  return c;
}

}  // namespace

std::vector<RuleEntry> tournament() {
  RuleEntry two{
      .id = rule::tournament,
      .name = "tournament",
      .words = "tournament of four learners",
      .help = "AROW, SCW-I, NAG and coin betting on the same pass, mixed by Hedge",
      .group = RuleGroup::mixture,
      .cost = "O(stored values) a round, about twice that of a perceptron; 64 bytes a feature",
      .source = "de Rooij et al. 2014; its members arow-diagonal, scw1, nag and coin",
      .parameters = {{.parameter = &parameter::validation_share,
                      .help =
                          "share of the rows that train no member and only update the mixture (several passes: 0.1)",
                      .domain = {.least = 0, .most = 0.5},
                      .fallback = 0,
                      .fix = "0.1 is a good value for several passes"}},
      .no_pocket = "it updates on every row, and a pocket counts rounds without an update",
      .no_average = "its members include means",
      .plain_weights = false,
      .for_several_passes = for_several_passes,
      .comes_to_rest = false,
      .measures_columns = true,
  };
  RuleEntry several = two;
  two.loss = [](const Composition&) { return MarginLoss::logistic; };
  two.make = make_tournament;
  two.for_several_classes = of_several_classes;
  several.id = rule::multiclass_tournament;
  several.name = "multiclass-tournament";
  several.words = "multiclass tournament of four learners";
  several.help = "multiclass SCW-I, jointly and against the rest, perceptron and NAG, mixed by Hedge";
  several.cost = "O(classes times stored values) a round, 88 bytes a feature and class";
  several.source = "de Rooij et al. 2014; its members scw1, the multiclass perceptron and nag";
  several.make = make_multiclass_tournament;
  several.several_classes = true;
  for (RuleEntry* entry : {&two, &several}) {
    entry->presets = {
        {entry->name, entry->help, entry->id, OrderName::stream, KeepName::last, Tie::positive, Clean::no}};
  }
  return {two, several};
}

}  // namespace halfspace::rules
