// Multinomial logistic learning: its entry in the table of rules.
#include "halfspace/detail/rules/multinomial.h"

#include "halfspace/rules/rule_entry.h"

namespace halfspace::rules {
namespace {

std::unique_ptr<Learner> make_multinomial(const Composition& c, const LearnerOptions& options) {
  return std::make_unique<game::Player<Multinomial>>(
      Multinomial(c.tie, c.bias, options.classes, c.value(parameter::rate)), options.classes);
}

}  // namespace

std::vector<RuleEntry> multinomial() {
  constexpr std::string_view help = "NAG for all classes together, by the softmax of their scores";
  return {{
      .id = rule::multinomial,
      .name = "multinomial",
      .words = "multinomial logistic learner",
      .help = help,
      .group = RuleGroup::first_order,
      .cost = "O(classes times stored values) a round, 8 bytes a feature and 16 a feature and class",
      .source = "Ross, Mineiro and Langford 2013",
      .presets = {{"multinomial", help, rule::multinomial, OrderName::stream, KeepName::last, Tie::positive,
                   Clean::no}},
      .parameters = {{.parameter = &parameter::rate,
                      .help = "the length of a step",
                      .domain = domain::positive,
                      .fallback = 0.5,
                      .fix = "0.5 is the default"}},
      .make = make_multinomial,
      .no_pocket = "it updates on nearly every row, and a pocket counts rounds without an update",
      .no_average = "its steps fall by themselves",
      .several_classes = true,
      .plain_weights = false,
      .comes_to_rest = false,
      .measures_columns = true,
  }};
}

}  // namespace halfspace::rules
