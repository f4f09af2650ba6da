// The rules with a covariance, the second-order perceptron and AROW: their bound, and their entries in the table of rules.
// Compiled with -frounding-math.
#include "halfspace/detail/rules/second_order.h"

#include <algorithm>
#include <cmath>

#include "halfspace/detail/base/rounding.h"
#include "halfspace/detail/rules/arow.h"
#include "halfspace/rules/rule_entry.h"

namespace halfspace::rules {
namespace {

template <AdditiveRule Rule>
std::unique_ptr<Learner> make_second_order(const Composition& c, const LearnerOptions& options) {
  return make_linear(Rule{c.tie}, CovarianceWeights(c.bias, c.value(parameter::regularization), options.memory), c);
}

// Steps round the covariance by a share of its largest entry, which is at most 1, while its smallest direction shrinks to
// regularization / (regularization + sum of |x|^2): where that is within some bits of a rounding error, the matrix is no
// longer that of the theorem.
bool covariance_is_known(double regularization, const BoundSearch& search) {
  constexpr double most = 0x1p44;
  const double steps = static_cast<double>(search.ledger().updates) + 1;
  return search.ledger().largest_squared_norm / regularization * steps * std::max(1.0, search.heaviest_row()) <= most;
}

// M + U <= sum hinge + sqrt(u'A u) sqrt(ln det + U) (arow.h; second_order.h has U = 0).
void offer(const Composition& c, BoundSearch& search, const char* over_stream, const char* over_mistakes) {
  if (search.run().start != nullptr || search.run().resumed)
    return search.asks_for("a run from its first round on, and the rows of all of it");
  if (!covariance_is_known(c.value(parameter::regularization), search))
    return search.asks_for("rows of a more common size: its matrix has lost the small ones to rounding");
  if (!search.holds_squares()) return;
  const Evaluation& e = search.evaluation();
  double squares = 0, spread = 0, unmistaken = 0, norm = 0;
  rounding_up([&] {
    // A margin that was rounded down may be too near 0 by this much.
    const double slack =
        (static_cast<double>(search.ledger().largest_row) + 8) * 0x1p-50 * std::sqrt(e.squared_norm * e.radius_squared);
    for (std::uint64_t i = 0; i < search.margins().size(); ++i) {
      const double size = std::abs(search.margins()[i]) + slack;
      squares += search.steps_of(i) * search.weight_of(i) * size * size;
    }
    unmistaken = search.number(1) * kAbove;
    spread = std::sqrt((search.number(0) * kAbove + unmistaken) * search.allowance());
    norm = std::sqrt(c.value(parameter::regularization) * e.squared_norm + squares);
  });
  const double taken_off = search.number(1) * kBelow;
  search.offer_hinge(over_stream, over_mistakes,
                     [&](double hinges, double scale) { return hinges + (scale * (norm * spread) - taken_off); });
}

RuleEntry entry(RuleName id, std::string_view name, std::string_view words, std::string_view help,
                std::string_view regularization) {
  RuleEntry entry{.id = id, .name = name, .words = words, .help = help};
  entry.group = RuleGroup::second_order;
  entry.presets = {{name, help, id, OrderName::stream, KeepName::last, Tie::positive, Clean::no}};
  entry.parameters = {{.parameter = &parameter::regularization,
                       .help = regularization,
                       .domain = domain::positive,
                       .fallback = 1,
                       .fix = "1 is the default"}};
  entry.bounds_ask = "rows and weights whose sums stay within the doubles";
  entry.plain_weights = false;
  return entry;
}

}  // namespace

std::vector<RuleEntry> second_order() {
  RuleEntry second =
      entry(rule::second_order, "second-order", "second-order perceptron",
            "a perceptron that whitens the rows it erred on: O(d^2) a mistake", "a, what the matrix begins with");
  second.theorem =
      "second-order, hinge over the stream: sum of hinge(u) + sqrt(a |u|^2 + sum of <u, x>^2) sqrt(ln det), for any u";
  second.cost = "O(stored values) a round, O(d^2) a mistake, 8 d^2 bytes";
  second.source = "Cesa-Bianchi, Conconi and Gentile 2005";
  second.make = make_second_order<SecondOrder>;
  second.bounds = [](const Composition& c, BoundSearch& search) {
    offer(c, search, "second-order, hinge over the stream", "second-order, hinge over the mistakes");
  };
  RuleEntry arow =
      entry(rule::arow, "arow", "AROW learner", "weights with a covariance, sure ones move little: O(d^2) a step",
            "r, how slowly it grows sure");
  arow.theorem =
      "arow, hinge over the stream: sum of hinge(u) - U + sqrt(r |u|^2 + sum of <u, x>^2) sqrt(ln det + U), for any u";
  arow.cost = "O(stored values) a round, O(d^2) a step, 8 d^2 bytes";
  arow.source = "Crammer, Kulesza and Dredze 2009";
  arow.make = make_second_order<Arow>;
  arow.bounds = [](const Composition& c, BoundSearch& search) {
    offer(c, search, "arow, hinge over the stream", "arow, hinge over the steps");
  };
  arow.theorem_words = {{"arow", "AROW"}};
  return {std::move(second), std::move(arow)};
}

}  // namespace halfspace::rules
