// ROMMA and aggressive ROMMA: their bound, and their entries in the table of rules. Compiled with -frounding-math.
#include "halfspace/detail/rules/romma.h"

#include "halfspace/bounds/formulas.h"
#include "halfspace/detail/base/rounding.h"
#include "halfspace/rules/rule_entry.h"

namespace halfspace::rules {
namespace {

template <bool aggressive>
std::unique_ptr<Learner> make_romma(const Composition& c, const LearnerOptions&) {
  return make_linear(Romma{c.tie, aggressive}, RommaWeights(c.bias), c);
}

// The theorem of romma.h, where u separates all that was ever played.
void romma_bounds(const Composition&, BoundSearch& search) {
  const RunForBound& run = search.run();
  const Evaluation& e = search.evaluation();
  if (run.resumed || run.start != nullptr)
    return search.asks_for("a run from its first round on, and the rows of all of it");
  if (!run.whole) return search.asks_for("all rows of the run, not only those that moved the weights");
  if (!search.holds_squares()) return;
  if (!(e.smallest_margin > 0)) return;
  const double radius_squared = rounding_up([&] { return e.radius_squared * search.allowance(); });
  const double mistakes = novikoff_bound(radius_squared, e.squared_norm, e.smallest_margin);
  const double length_squared = novikoff_bound(1, e.squared_norm, e.smallest_margin);
  if (!(mistakes < 0x1p47 && length_squared < 0x1p999))
    return search.asks_for("weights that separate all rows by a larger margin");
  search.offer(mistakes, "romma", 0, true);
}

template <bool aggressive>
RuleEntry entry(RuleName id, std::string_view name, std::string_view words, std::string_view help) {
  return {
      .id = id,
      .name = name,
      .words = words,
      .help = help,
      .theorem = "romma: R^2 |u|^2 / g^2, if u separates with margin g",
      .cost = "O(stored values) a round; O(d) every few hundred steps",
      .source = "Li and Long 2002",
      .presets = {{name, help, id, OrderName::stream, KeepName::last, Tie::positive, Clean::no}},
      .make = make_romma<aggressive>,
      .bounds = romma_bounds,
      .bounds_ask = "weights that separate all rows, and those at hand do not",
      .theorem_words = {{"romma", "ROMMA"}},
      .plain_weights = false,
      .bound_from_any_start = false,
      .bound_from_margins = true,
  };
}

}  // namespace

std::vector<RuleEntry> romma() {
  return {entry<false>(rule::romma, "romma", "ROMMA learner", "the shortest weights that keep what was learned"),
          entry<true>(rule::aggressive_romma, "aggressive-romma", "aggressive ROMMA learner",
                      "ROMMA that also moves where it was right by less than 1")};
}

}  // namespace halfspace::rules
