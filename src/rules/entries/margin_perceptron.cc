// The margin perceptron: its bound, and its entry in the table of rules. Compiled with -frounding-math.
#include "halfspace/rules/margin_perceptron.h"

#include "halfspace/bounds/formulas.h"
#include "halfspace/detail/base/rounding.h"
#include "halfspace/rules/rule_entry.h"

namespace halfspace {

double margin_perceptron_bound(double radius_squared, double margin, double rate, double u_squared_norm,
                               double u_margin) {
  return novikoff_bound(rounding_up([&] { return radius_squared + 2 * (margin / rate); }), u_squared_norm, u_margin);
}

namespace rules {
namespace {

std::unique_ptr<Learner> make_margin_perceptron(const Composition& c, const LearnerOptions&) {
  return make_linear(MarginPerceptron{c.tie, c.value(parameter::rate), c.value(parameter::margin)}, c);
}

void margin_perceptron_bounds(const Composition& c, BoundSearch& search) {
  const BoundSearch::Steps steps{
      .rate = c.value(parameter::rate), .margin = c.value(parameter::margin), .theorem = "margin perceptron"};
  search.offer_novikoff(steps);
  search.offer_perceptron_hinge(steps);
}

}  // namespace

std::vector<RuleEntry> margin_perceptron() {
  return {{
      .id = rule::margin,
      .name = "margin",
      .words = "margin perceptron",
      .help = "a step along every row whose margin is too small",
      .group = RuleGroup::first_order,
      .theorem = "margin perceptron: (R^2 + 2 b / rate) |u|^2 / g^2 updates, if u separates with margin g",
      .cost = "O(stored values) a round",
      .source = "Krauth and Mézard 1987; Li et al. 2002",
      .presets = {{"margin", "the margin perceptron, until every margin is reached", rule::margin, OrderName::cyclic,
                   KeepName::last, Tie::mistake, Clean::pass}},
      .parameters = {{.parameter = &parameter::rate,
                      .help = "the learning rate",
                      .domain = domain::positive,
                      .fallback = 1,
                      .fix = "leave it out for the default"},
                     {.parameter = &parameter::margin,
                      .help = "the functional margin to reach",
                      .domain = domain::not_negative,
                      .fallback = 1,
                      .fix = "1 is the default"}},
      .make = make_margin_perceptron,
      .bounds = margin_perceptron_bounds,
      .bounds_ask = "rows and weights whose sums stay within the doubles",
      .bound_from_margins = true,
      .margin_wanted = [](const Composition& c) { return c.value(parameter::margin); },
  }};
}

}  // namespace rules
}  // namespace halfspace
