// Diagonal AROW: its bound, and its entry in the table of rules. Compiled with -frounding-math.
#include "halfspace/detail/rules/arow_diagonal.h"

#include <cmath>

#include "halfspace/detail/base/rounding.h"
#include "halfspace/rules/rule_entry.h"

namespace halfspace::rules {
namespace {

std::unique_ptr<Learner> make_arow_diagonal(const Composition& c, const LearnerOptions&) {
  return make_linear(Arow{c.tie}, VarianceWeights(c.bias, c.value(parameter::regularization)), c);
}

// The theorem of arow_diagonal.h, from any start.
void arow_diagonal_bounds(const Composition& c, BoundSearch& search) {
  const RunForBound& run = search.run();
  if (run.start != nullptr && run.start_state == nullptr) return;
  if (!search.holds_squares()) return;
  const double r = c.value(parameter::regularization);
  double spread = 0, cross = 0, still = 0, moved = 0, drift = 0, leverage = 0;
  rounding_up([&] {
    for (std::size_t i = 0; i < search.coordinates(); ++i) {
      const double u = search.coordinate(i), start = search.start(i);
      const double before = r / (search.moment(run.start_state, i, 1.0) * kBelow);
      const double now = r / (search.moment(run.state, i, 1.0) * kBelow);
      spread += before * u * u;
      cross += before * std::abs(u * start) * kCrossSlack - before * u * start;
      still += before * start * start;
      moved += larger(0.0, now - before * kBelow * kBelow) * u * u;
    }
    moved = std::sqrt(moved);
    drift = std::sqrt(larger(0.0, search.added(2)));
    leverage = 1 + search.number(0) * kAbove;
  });
  const double gained_before = run.start_state != nullptr ? run.start_state->numbers[1] : 0.0;
  const double gained = larger(0.0, (search.number(1) - gained_before) - search.number(1) * (1 - kBelow));
  search.offer_hinge(
      "diagonal arow", "diagonal arow, over the steps",
      [&](double hinges, double scale) {
        const double root = drift + scale * moved;
        const double distance = scale * scale * spread + 2 * scale * cross + still;
        return leverage * ((distance + hinges + root * root) * search.allowance() - gained);
      },
      2);
}

}  // namespace

std::vector<RuleEntry> arow_diagonal() {
  return {{
      .id = rule::arow_diagonal,
      .name = "arow-diagonal",
      .words = "diagonal AROW learner",
      .help = "AROW with one variance a feature: sure weights move little",
      .group = RuleGroup::second_order,
      .theorem = "diagonal arow: (1 + L) times a sum of squared hinge losses and norms, for any u",
      .cost = "O(stored values) a round, 16 bytes a feature",
      .source = "Crammer, Kulesza and Dredze 2009",
      .presets = {{"arow-diagonal", "AROW with one variance a feature: sure weights move little", rule::arow_diagonal,
                   OrderName::stream, KeepName::last, Tie::positive, Clean::no}},
      .parameters = {{.parameter = &parameter::regularization,
                      .help = "r, how slowly it grows sure",
                      .domain = domain::positive,
                      .fallback = 1,
                      .fix = "1 is the default"}},
      .make = make_arow_diagonal,
      .bounds = arow_diagonal_bounds,
      .bounds_ask = "rows and weights whose sums stay within the doubles",
      .plain_weights = false,
      .bound_from_margins = true,
  }};
}

}  // namespace halfspace::rules
