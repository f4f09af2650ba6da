// PA, PA-I and PA-II: their entries in the table of rules.
#include "halfspace/rules/passive_aggressive.h"

#include "halfspace/detail/rules/multiclass.h"
#include "halfspace/rules/rule_entry.h"

namespace halfspace::rules {
namespace {

template <Aggression variant>
std::unique_ptr<Learner> make_passive_aggressive(const Composition& c, const LearnerOptions&) {
  const double aggressiveness = variant == Aggression::full ? 1.0 : c.value(parameter::aggressiveness);
  return make_linear(PassiveAggressive<variant>{c.tie, aggressiveness}, c);
}

template <Aggression variant>
void passive_aggressive_bounds(const Composition& c, BoundSearch& search) {
  const double aggressiveness = variant == Aggression::full ? 1.0 : c.value(parameter::aggressiveness);
  offer_passive_aggressive(search, variant, aggressiveness);
}

template <ClassUpdate update>
Composition for_several_classes(Composition c) {
  c.rule = rule::multiclass;
  return c.set(parameter::class_update, update);
}

template <Aggression variant, ClassUpdate update>
RuleEntry entry(RuleName id, std::string_view name, std::string_view words, std::string_view help) {
  RuleEntry entry{.id = id, .name = name, .words = words, .help = help};
  entry.theorem = variant == Aggression::full
                      ? "passive-aggressive: R^2 |u|^2 / g^2, if u separates; squared hinges, for any u"
                  : variant == Aggression::capped
                      ? "passive-aggressive: max(R^2, 1 / C) (|u|^2 + 2 C times the sum of hinge(u)), for any u"
                      : "passive-aggressive: (R^2 + 1 / (2 C)) (|u|^2 + 2 C times the sum of hinge(u)^2), for any u";
  entry.cost = "O(stored values) a round";
  entry.source = "Crammer et al. 2006";
  entry.presets = {{name, help, id, OrderName::stream, KeepName::last, Tie::positive, Clean::no}};
  if (variant != Aggression::full) {
    entry.parameters = {{.parameter = &parameter::aggressiveness,
                         .help = "C, how far one row may move the weights",
                         .domain = domain::positive,
                         .fallback = 1,
                         .fix = "1 is the default; smaller is calmer"}};
  }
  entry.make = make_passive_aggressive<variant>;
  entry.bounds = passive_aggressive_bounds<variant>;
  entry.bounds_ask = "rows whose squares are neither 0 nor near the ends of the doubles";
  entry.for_several_classes = for_several_classes<update>;
  entry.bound_from_margins = true;
  entry.margin_wanted = [](const Composition&) { return 1.0; };
  return entry;
}

}  // namespace

std::vector<RuleEntry> passive_aggressive() {
  return {entry<Aggression::full, ClassUpdate::pa>(rule::pa, "pa", "passive-aggressive learner",
                                                   "passive-aggressive: mends every loss at once"),
          entry<Aggression::capped, ClassUpdate::pa1>(rule::pa1, "pa1", "PA-I learner",
                                                      "passive-aggressive, steps capped at C"),
          entry<Aggression::softened, ClassUpdate::pa2>(rule::pa2, "pa2", "PA-II learner",
                                                        "passive-aggressive, steps softened by C")};
}

}  // namespace halfspace::rules
