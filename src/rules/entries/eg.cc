// Exponentiated gradient: its bound, and its entry in the table of rules. Compiled with -frounding-math.
#include "halfspace/detail/rules/eg.h"

#include <algorithm>
#include <cmath>

#include "halfspace/detail/base/elementary.h"
#include "halfspace/detail/base/rounding.h"
#include "halfspace/rules/rule_entry.h"

namespace halfspace::rules {
namespace {

std::unique_ptr<Learner> make_eg(const Composition& c, const LearnerOptions&) {
  return make_linear(ExponentiatedGradient{c.tie, c.value(parameter::rate), c.value(parameter::ball)},
                     ExponentialWeights(c.bias, true), c);
}

// KL of any point of the simplex to the start: at most the logarithm of the smallest share there.
double distance_to_start(const BoundSearch& search) {
  const RunForBound& run = search.run();
  const double uniform = elementary::log(2 * static_cast<double>(run.dimension));
  if (run.start_state == nullptr) return uniform;
  const LearnerState& start = *run.start_state;
  double largest = search.biased() ? std::abs(start.weights.bias[0]) : 0.0;
  for (const double l : start.weights.w) largest = larger(largest, std::abs(l));
  const double grown =
      static_cast<double>(run.dimension) / static_cast<double>(std::max<std::size_t>(1, start.weights.w.size()));
  return larger(uniform, largest + start.numbers[0] + elementary::log(start.numbers[1]) + elementary::log(grown));
}

// The theorem of eg.h.
void eg_bounds(const Composition& c, BoundSearch& search) {
  const RunForBound& run = search.run();
  if (!search.unweighted()) return search.asks_for("rows of weight 1");
  if (run.start != nullptr && run.start_state == nullptr) return;
  const double ball = c.value(parameter::ball);
  const double rate = c.value(parameter::rate);
  const double steps = static_cast<double>(search.ledger().updates - run.before.updates);
  double one_norm = 0, rest = 0;
  rounding_up([&] {
    for (std::size_t i = 0; i < search.coordinates(); ++i) one_norm += std::abs(search.coordinate(i));
    const double distance = distance_to_start(search);
    const double reach = rate * search.evaluation().infinity_radius;
    rest = ball * (distance / rate + reach * reach / rate * steps / 2) * kAbove;
  });
  search.offer_hinge(
      "eg, hinge over the stream", "eg, hinge over the steps", [&](double hinges, double) { return hinges + rest; }, 1,
      ball / one_norm * (1 - 0x1p-50));
}

}  // namespace

std::vector<RuleEntry> eg() {
  return {{
      .id = rule::eg,
      .name = "eg",
      .words = "exponentiated-gradient learner",
      .help = "exponentiated gradient: minnow on every margin below 1",
      .group = RuleGroup::multiplicative,
      .theorem =
          "eg, hinge over the stream: sum of hinge(u) + U ln(2 d) / rate + U rate R^2 V / 2, for any u with |u|_1 <= U",
      .cost = "O(stored values) a round",
      .source = "Kivinen and Warmuth 1997",
      .presets = {{"eg", "exponentiated gradient: minnow on every margin below 1", rule::eg, OrderName::stream,
                   KeepName::last, Tie::positive, Clean::no}},
      .parameters = {{.parameter = &parameter::rate,
                      .help = "the learning rate",
                      .domain = domain::positive,
                      .fallback = 0.1,
                      .fix = "leave it out for the default"},
                     {.parameter = &parameter::ball,
                      .help = "the 1-norm of the weights",
                      .domain = domain::positive,
                      .fallback = 10,
                      .fix = "leave it out for the default"}},
      .make = make_eg,
      .bounds = eg_bounds,
      .bounds_ask = "rows and weights whose sums stay within the doubles",
      .no_small_start = "eg starts at uniform weights",
      .bound_from_margins = true,
  }};
}

}  // namespace halfspace::rules
