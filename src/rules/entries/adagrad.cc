// The AdaGrad perceptron: its bound, and its entry in the table of rules. Compiled with -frounding-math.
#include "halfspace/detail/rules/adagrad.h"

#include <cmath>

#include "halfspace/detail/base/rounding.h"
#include "halfspace/rules/rule_entry.h"

namespace halfspace::rules {
namespace {

std::unique_ptr<Learner> make_adagrad(const Composition& c, const LearnerOptions&) {
  return make_linear(AdaGrad{c.tie}, AdaptiveWeights(c.bias, c.value(parameter::ball)), c);
}

// The theorem of adagrad.h, from any start.
void adagrad_bounds(const Composition& c, BoundSearch& search) {
  const RunForBound& run = search.run();
  if (run.start != nullptr && run.start_state == nullptr) return;
  if (!search.holds_squares()) return;
  const double box = c.value(parameter::ball);
  double largest = 0, spread = 0, cross = 0, still = 0, roots = 0;
  rounding_up([&] {
    for (std::size_t i = 0; i < search.coordinates(); ++i) {
      const double u = search.coordinate(i), start = search.start(i);
      const double before = std::sqrt(search.moment(run.start_state, i, 0.0));
      const double now = std::sqrt(search.moment(run.state, i, 0.0));
      largest = larger(largest, std::abs(u));
      spread += before * u * u;
      cross += before * std::abs(u * start) * kCrossSlack - before * u * start;
      still += before * start * start;
      roots += now - before * kBelow;
    }
    roots *= kAbove;
  });
  const double root_of_eight = 2.8284271247461903;  // rounded up
  search.offer_hinge(
      "adagrad", "adagrad, hinge over the mistakes",
      [&](double hinges, double scale) {
        const double distance = scale * scale * spread + 2 * scale * cross + still;
        return hinges + distance * kAbove / (2.8284271247461898 * box) + root_of_eight * box * roots;
      },
      1, box / largest * (1 - 0x1p-50));
}

}  // namespace

std::vector<RuleEntry> adagrad() {
  return {{
      .id = rule::adagrad,
      .name = "adagrad",
      .words = "AdaGrad learner",
      .help = "a perceptron with a rate of its own for every feature",
      .group = RuleGroup::second_order,
      .theorem = "adagrad: sum of hinge(u) + 2 sqrt(2) D times the sum of sqrt(G), for any u in the box",
      .cost = "O(stored values) a round, 16 bytes a feature",
      .source = "Duchi, Hazan and Singer 2011",
      .presets = {{"adagrad", "a perceptron with a rate of its own for every feature", rule::adagrad, OrderName::stream,
                   KeepName::last, Tie::positive, Clean::no}},
      .parameters = {{.parameter = &parameter::ball,
                      .help = "the largest |w_j|",
                      .domain = domain::positive,
                      .fallback = 1,
                      .fix = "leave it out for the default"}},
      .make = make_adagrad,
      .bounds = adagrad_bounds,
      .bounds_ask = "rows and weights whose sums stay within the doubles",
      .plain_weights = false,
      .bound_from_margins = true,
  }};
}

}  // namespace halfspace::rules
