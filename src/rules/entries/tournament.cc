// The tournament: its entry in the table of rules.
#include "halfspace/rules/tournament.h"

#include "halfspace/rules/multiclass.h"
#include "halfspace/rules/rule_entry.h"

namespace halfspace::rules {
namespace {

std::unique_ptr<Learner> make_tournament(const Composition& c, const LearnerOptions&) {
  return make_linear(Tournament{c.tie}, TournamentWeights(c.bias, c.value(parameter::judging)), c);
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
                      .help = "share of the rows that are kept from the members, and judge them",
                      .domain = {.least = 0, .most = 0.5},
                      .fallback = 0,
                      .fix = "0.05 is a good value for several passes"}},
      .make = make_tournament,
      .no_small_start = "its start is its own",
      .no_vote = "its steps are no multiples of rows, to be taken again",
      .no_pocket = "it moves on every row, and a pocket counts rounds without a move",
      .no_average = "means are members of it already",
  }};
}

}  // namespace halfspace::rules
