// Several classes: the entry of the multiclass rules in the table of rules.
#include "halfspace/detail/rules/multiclass.h"

#include "halfspace/rules/rule_entry.h"

namespace halfspace::rules {
namespace {

ClassUpdate update_of(const Composition& c) { return c.choice<ClassUpdate>(parameter::class_update); }

// Returns the passive-aggressive variant, if it is one.
std::optional<Aggression> aggression(const Composition& c) {
  switch (update_of(c)) {
    case ClassUpdate::pa:
      return Aggression::full;
    case ClassUpdate::pa1:
      return Aggression::capped;
    case ClassUpdate::pa2:
      return Aggression::softened;
    case ClassUpdate::max_score:
    case ClassUpdate::uniform:
    case ClassUpdate::proportional:
      break;
  }
  return std::nullopt;
}

std::unique_ptr<Learner> make_multiclass(const Composition& c, const LearnerOptions& options) {
  const MulticlassRule rule{c.tie, c.value(parameter::rate), update_of(c), c.value(parameter::aggressiveness)};
  return std::make_unique<game::Player<Multiclass>>(
      Multiclass(rule, ClassWeights(c.bias, options.classes, c.start), c.keep), options.classes);
}

void multiclass_bounds(const Composition& c, BoundSearch& search) {
  if (const auto variant = aggression(c)) {
    return offer_passive_aggressive(search, *variant, c.value(parameter::aggressiveness), 2, ", kesler");
  }
  const BoundSearch::Steps steps{.rate = c.value(parameter::rate), .norm_factor = 2, .theorem = "novikoff, kesler"};
  search.offer_novikoff(steps);
  search.offer_perceptron_hinge(steps);
}

}  // namespace

std::vector<RuleEntry> multiclass() {
  return {{
      .id = rule::multiclass,
      .name = "multiclass",
      .words = "multiclass perceptron",
      .help = "one vector a class, the highest score wins",
      .group = RuleGroup::first_order,
      .theorem =
          "novikoff, kesler: 2 R^2 |U|^2 / g^2, if U separates with margin g; for PA-I and PA-II their own, for any U",
      .cost = "O(classes times stored values) a round",
      .source = "Duda and Hart 1973; Crammer and Singer 2003; Crammer et al. 2006",
      .presets = {{"multiclass", "one vector a class, the highest score wins", rule::multiclass, OrderName::stream,
                   KeepName::average, Tie::mistake, Clean::no}},
      .parameters = {{.parameter = &parameter::rate,
                      .help = "the learning rate",
                      .domain = domain::positive,
                      .fallback = 1,
                      .fix = "leave it out for the default",
                      .applies = [](const Composition& c) { return !aggression(c); },
                      .needs = option("rate") + " is not for passive-aggressive updates, which find it themselves"},
                     {.parameter = &parameter::aggressiveness,
                      .help = "C of the updates pa1 and pa2",
                      .domain = domain::positive,
                      .fallback = 1,
                      .fix = "1 is the default; smaller is calmer",
                      .applies =
                          [](const Composition& c) { return aggression(c) && *aggression(c) != Aggression::full; },
                      .needs = option("aggressiveness") + " is of " + option("class-update", "pa1") + " and " +
                               option("class-update", "pa2")},
                     {.parameter = &parameter::class_update,
                      .help = "whom an update lowers",
                      .domain = domain::count(0, 5),
                      .fallback = 0,
                      .fix = "max-score is the default"}},
      .make = make_multiclass,
      .bounds = multiclass_bounds,
      .bounds_ask = "rows and weights whose sums stay within the doubles",
      .theorem_words = {{"kesler", "Kesler"}},
      .several_classes = true,
      .bound_from_margins = true,
      .norm_growth = [](const Composition& c) { return aggression(c) ? 0.0 : 2.0; },
  }};
}

}  // namespace halfspace::rules
