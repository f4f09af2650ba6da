// ALMA: its bounds, and its entry in the table of rules. Compiled with -frounding-math.
#include "halfspace/detail/rules/alma.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "halfspace/detail/base/rounding.h"
#include "halfspace/rules/rule_entry.h"

namespace halfspace {

double alma_bound(double margin, double u_squared_norm, double alpha) {
  if (!(margin > 0)) return std::numeric_limits<double>::infinity();
  return rounding_up([&] {
    const double margin_squared = -((-margin) * margin);  // down
    const double factor = 2 / alpha - 1;
    return quotient(2 * u_squared_norm * (factor * factor), margin_squared) + (8 / alpha - 4);
  });
}

namespace rules {
namespace {

std::unique_ptr<Learner> make_alma(const Composition& c, const LearnerOptions&) {
  return make_linear(Alma{c.tie, c.value(parameter::alpha)}, ScaledWeights(c.bias, 1.0), c);
}

// Returns the margins of u over rows divided by their norms, each rounded down; empty if a row has norm 0, as it may be
// a mistake without a correction.
std::vector<double> normalised_margins(const BoundSearch& search) {
  std::vector<double> margins(search.margins().size());
  bool zero_row = false;
  rounding_up([&] {
    for (std::uint64_t i = 0; i < margins.size(); ++i) {
      const Block block = search.run().rows->block(i / Rows::block_rows);
      const double squares = block.squared_norm[i % Rows::block_rows] + search.run().bias.squared();
      zero_row = zero_row || squares == 0;
      if (squares == 0) continue;
      // Down, whichever its sign: the norm is right to n ulps.
      const double margin = search.margins()[i];
      const double slack = (static_cast<double>(search.ledger().largest_row) + 8) * 0x1p-52;
      const double norm = std::sqrt(squares) * (margin >= 0 ? 1 + slack : 1 - slack);
      margins[i] = -(-margin / norm);
    }
  });
  if (zero_row) margins.clear();
  return margins;
}

// The theorems of alma.h, which are about rows divided by their norms.
void alma_bounds(const Composition& c, BoundSearch& search) {
  const RunForBound& run = search.run();
  if (!search.unweighted()) return search.asks_for("rows of weight 1");
  if (!run.whole && !search.biased())
    return search.asks_for("all rows, or a bias: a row of 0 may have been a mistake without a step");
  if (!search.holds_squares()) return;
  const std::vector<double> margins = normalised_margins(search);
  if (margins.empty() && !search.margins().empty()) return;
  const double smallest =
      margins.empty() ? std::numeric_limits<double>::infinity() : *std::min_element(margins.begin(), margins.end());
  const Evaluation& e = search.evaluation();
  const double alpha = c.value(parameter::alpha);
  const double corrections = static_cast<double>(search.ledger().updates);
  const double before = static_cast<double>(run.before.updates);
  const double mistakes = static_cast<double>(search.ledger().mistakes - run.before.mistakes);
  if (smallest > 0 && run.whole && run.start == nullptr && !run.resumed) {
    search.offer(alma_bound(smallest, e.squared_norm, alpha) * search.allowance(), "alma", 0, true);
  }
  const double length = rounding_up([&] {
    return std::sqrt(2 * e.squared_norm) *
           (std::sqrt(corrections) + (4 / alpha - 3) * (std::sqrt(corrections) - std::sqrt(before) * kBelow)) * kAbove;
  });
  search.offer_hinge_of(
      margins, "alma, hinge over the stream", "alma, hinge over the corrections",
      [&](double hinges, double scale) { return hinges + (scale * length - (corrections - before - mistakes)); });
}

}  // namespace

std::vector<RuleEntry> alma() {
  return {{
      .id = rule::alma,
      .name = "alma",
      .words = "ALMA learner",
      .help = "steps and the margin asked for shrink: an approximate large margin",
      .group = RuleGroup::first_order,
      .theorem = "alma: 2 |u|^2 / g^2 (2 / alpha - 1)^2 + 8 / alpha - 4, if u separates; alma, hinge over the stream, "
                 "for any u",
      .cost = "O(stored values) a round",
      .source = "Gentile 2001",
      .presets = {{"alma", "steps and the margin asked for shrink: an approximate large margin", rule::alma,
                   OrderName::stream, KeepName::last, Tie::positive, Clean::no}},
      .parameters = {{.parameter = &parameter::alpha,
                      .help = "how near the largest margin, in (0, 1], smaller is nearer",
                      .domain = {.least = 0, .most = 1, .above = true},
                      .fallback = 0.9,
                      .fix = "leave it out for the default"}},
      .make = make_alma,
      .bounds = alma_bounds,
      .bounds_ask = "rows that are not 0, or a bias: it divides each by its length",
      .theorem_words = {{"alma", "ALMA"}},
      .plain_weights = false,
  }};
}

}  // namespace rules
}  // namespace halfspace
