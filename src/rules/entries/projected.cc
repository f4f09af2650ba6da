// The projected perceptron: its bound, and its entry in the table of rules. Compiled with -frounding-math.
#include "halfspace/detail/rules/projected.h"

#include <cmath>

#include "halfspace/detail/base/rounding.h"
#include "halfspace/rules/rule_entry.h"

namespace halfspace::rules {
namespace {

std::unique_ptr<Learner> make_projected(const Composition& c, const LearnerOptions&) {
  return make_linear(Perceptron{c.tie, c.value(parameter::rate)}, ScaledWeights(c.bias, c.value(parameter::ball)), c);
}

// The theorem of projected.h, with a fixed comparator.
void projected_bounds(const Composition& c, BoundSearch& search) {
  const RunForBound& run = search.run();
  if (run.start != nullptr && run.start_state == nullptr) return;
  if (!search.holds_squares()) return;
  const double rate = c.value(parameter::rate);
  const Evaluation& e = search.evaluation();
  double cross = 0, still = 0, squares = 0;
  rounding_up([&] {
    for (std::size_t i = 0; i < search.coordinates(); ++i) {
      cross += -search.coordinate(i) * search.start(i);
      still += search.start(i) * search.start(i);
    }
    const double all = search.ledger().update_squares;
    const double drift = (static_cast<double>(search.ledger().updates) + 1) * 0x1p-52;
    squares = (all - run.before.update_squares + drift * all) * search.allowance();
  });
  search.offer_hinge(
      "projected, hinge over the stream", "projected, hinge over the mistakes",
      [&](double hinges, double scale) {
        const double distance = scale * scale * e.squared_norm + 2 * scale * cross + still;
        return hinges + (distance + squares) / (2 * rate);
      },
      1, c.value(parameter::ball) / std::sqrt(e.squared_norm) * (1 - 0x1p-50));
}

}  // namespace

std::vector<RuleEntry> projected() {
  return {{
      .id = rule::projected,
      .name = "projected",
      .words = "projected perceptron",
      .help = "a perceptron inside a ball, for a truth that moves",
      .group = RuleGroup::first_order,
      .theorem =
          "projected, hinge over the stream: sum of hinge(u) + |u|^2 / (2 rate) + S / (2 rate), for any u in the ball",
      .cost = "O(stored values) a round",
      .source = "Zinkevich 2003; Cavallanti, Cesa-Bianchi and Gentile 2007",
      .presets = {{"projected", "a perceptron inside a ball, for a truth that moves", rule::projected,
                   OrderName::stream, KeepName::last, Tie::positive, Clean::no}},
      .parameters = {{.parameter = &parameter::rate,
                      .help = "the learning rate",
                      .domain = domain::positive,
                      .fallback = 1,
                      .fix = "leave it out for the default"},
                     {.parameter = &parameter::ball,
                      .help = "the largest norm of the weights",
                      .domain = domain::positive,
                      .fallback = 10,
                      .fix = "leave it out for the default"}},
      .make = make_projected,
      .bounds = projected_bounds,
      .bounds_ask = "rows and weights whose sums stay within the doubles",
      .plain_weights = false,
      .bound_from_margins = true,
  }};
}

}  // namespace halfspace::rules
