// Minnow, with a known rate or margin or by guessing: its bounds, and its entry in the table of rules. Compiled with
// -frounding-math.
#include "halfspace/rules/minnow.h"

#include <cmath>

#include "halfspace/detail/base/elementary.h"
#include "halfspace/detail/base/rounding.h"
#include "halfspace/rules/rule_entry.h"

namespace halfspace {

double minnow_best_bound(double relative_margin, std::uint64_t dimension) {
  const double r = relative_margin;
  double divergence = 0;
  if (r < 0x1p-4) {
    // The two terms below cancel; their sum is that of r^2k / (2k (2k - 1)).
    for (int k = 8; k > 0; --k) divergence = r * r * (divergence + 1.0 / (2 * k * (2 * k - 1)));
  } else {
    divergence = 0.5 * (1 + r) * elementary::log1p(r) + (r < 1 ? 0.5 * (1 - r) * elementary::log1p(-r) : 0.0);
  }
  return dimension <= 1 ? 0.0 : elementary::log(static_cast<double>(dimension)) / divergence;
}

double minnow_best_rate(double relative_margin, double radius) { return elementary::atanh(relative_margin) / radius; }

double minnow_bound(std::uint64_t dimension, double u_one_norm, double margin, double radius, double rate) {
  if (dimension <= 1) return 0;
  // ln cosh z = |z| + log1p(exp(-2|z|)) - ln 2, which does not overflow; log1p(tanh-like) keeps small z.
  const double z = std::abs(rate * radius);
  const double log_cosh = z < 0.5 ? 0.5 * elementary::log1p(elementary::sinh(z) * elementary::sinh(z))
                                  : z + elementary::log1p(elementary::exp(-2 * z)) - elementary::log(2.0);
  const double gain = rate * margin;
  const double denominator = gain - u_one_norm * log_cosh;
  if (!(denominator > 0)) return kInfinity;
  // The subtraction cancels: what the two terms may be off by is taken off the denominator.
  const double safe = denominator - (gain + u_one_norm * log_cosh) * 0x1p-50;
  if (!(safe > 0)) return kInfinity;
  return above(u_one_norm * elementary::log(static_cast<double>(dimension)) / safe);
}

namespace rules {
namespace {

// Returns the given rate, or the best for a given margin; empty if the margin is guessed.
std::optional<double> known_rate(const Composition& c) {
  if (const auto rate = c.given(parameter::rate)) return rate;
  if (const auto margin = c.given(parameter::relative_margin)) {
    return minnow_best_rate(*margin, c.value(parameter::radius));
  }
  return std::nullopt;
}

bool both_signs(const Composition& c) { return c.value(parameter::both_signs) != 0; }

std::unique_ptr<Learner> make_minnow(const Composition& c, const LearnerOptions&) {
  ExponentialWeights start(c.bias, both_signs(c));
  if (const auto rate = known_rate(c)) return make_linear(Minnow{c.tie, *rate}, std::move(start), c);
  MinnowGuess rule;
  rule.tie = c.tie;
  return make_linear(rule, std::move(start), c);
}

// The doubling guess: every phase up to the first right guess makes at most its own bound plus one mistakes; a phase
// that a larger row restarted is paid for once more.
void offer_guessing(BoundSearch& search, double one_norm, std::uint64_t dimension) {
  const double radius = search.number(4);
  if (!(radius > 0)) return search.offer(0, "minnow, doubling guess", 0, true);
  const double relative = search.evaluation().smallest_margin / (one_norm * radius) * (1 - 0x1p-40);
  if (!(relative > 0)) return;
  double sum = 0;
  double last = 0;
  for (int i = 1; i <= 1023; ++i) {
    const double guess = std::ldexp(1.0, -i);
    last = std::floor(minnow_best_bound(guess, dimension) * (1 + 0x1p-40)) + 1;
    sum += last;
    if (guess <= relative) break;
    if (i == 1023) return;
  }
  search.offer(sum + search.number(7) * last, "minnow, doubling guess", 0, true);
}

// The same on any stream. Phase by phase from uniform weights, the steps of a phase with guess 2^-i, a = artanh 2^-i and
// radius R are at most (U R ln D + a L) / (a - U R ln cosh a), for u = scale v with U = |u|_1 and L its hinges in that
// phase. Added up: the hinges once, the rest phase by phase, and one mistake that ends each but the last.
void offer_guessing_over_stream(BoundSearch& search, double one_norm, std::uint64_t dimension) {
  const double radius = search.number(4), phases = search.number(5), restarts = search.number(7);
  if (!(radius > 0)) {  // every mistake was one on a row of zeros, whose hinge is 1
    return search.offer_whole(
        "minnow, doubling guess, hinge over the stream", [](double hinges, double) { return hinges; }, 1);
  }
  const double logarithm = elementary::log(static_cast<double>(dimension)) * (1 + 0x1p-40);
  search.offer_whole(
      "minnow, doubling guess, hinge over the stream",
      [&](double hinges, double scale) {
        const double reach = scale * one_norm * radius;
        double sum = 0, largest = 0, per_hinge = 0;
        for (int i = 1; i <= static_cast<int>(phases); ++i) {
          const double a = elementary::atanh(std::ldexp(1.0, -i));
          const double log_cosh =
              -0.5 * elementary::log1p(-std::ldexp(1.0, -2 * i));  // of a: cosh^2 = 1 / (1 - tanh^2)
          const double left = a * (1 - 0x1p-40) - reach * log_cosh * (1 + 0x1p-40);
          if (!(left > a * 0x1p-20)) return kInfinity;
          const double steps = reach * logarithm / left * (1 + 0x1p-18);
          sum += steps;
          largest = larger(largest, steps);
          per_hinge = larger(per_hinge, a / left * (1 + 0x1p-18));
        }
        return sum + restarts * largest + per_hinge * hinges + (phases - 1) + restarts;
      },
      1);
}

// With a hinge sum L the theorem is that of margin 1 - L/M; solved for M it is the same denominator, for u = scale v:
// mistakes <= (rate L + |u|_1 ln D) / (rate - |u|_1 ln cosh(rate R)), D = d or 2d.
void offer_over_stream(BoundSearch& search, double one_norm, std::uint64_t dimension, double rate) {
  const double radius = search.evaluation().infinity_radius;
  search.offer_whole(
      "minnow, hinge over the stream",
      [&](double hinges, double scale) {
        const double base = minnow_bound(dimension, scale * one_norm, 1.0, radius, rate);
        if (!std::isfinite(base)) return kInfinity;
        const double logarithm = elementary::log(static_cast<double>(dimension));
        // rate - |u|_1 ln cosh(rate R), rounded down
        const double denominator = scale * one_norm * logarithm / base;
        return base + rate * hinges / denominator * (1 + 0x1p-40);
      },
      1);
}

// KL potential from uniform weights.
void minnow_bounds(const Composition& c, BoundSearch& search) {
  const RunForBound& run = search.run();
  if (run.start != nullptr || run.resumed)
    return search.asks_for("a run from its first round on, and the rows of all of it");
  if (!run.whole) return search.asks_for("all rows of the run, not only those that moved the weights");
  if (!search.unweighted()) return search.asks_for("rows of weight 1");
  double one_norm = 0;
  bool negative = false;
  rounding_up([&] {
    for (std::size_t i = 0; i < search.coordinates(); ++i) {
      one_norm += std::abs(search.coordinate(i));
      negative = negative || search.coordinate(i) < 0;
    }
  });
  if (!both_signs(c) && negative) return search.asks_for("weights of at least 0");
  const std::uint64_t dimension = (both_signs(c) ? 2 : 1) * run.dimension;
  const Evaluation& e = search.evaluation();
  const auto rate = known_rate(c);
  if (!rate) {
    if (e.smallest_margin > 0) offer_guessing(search, one_norm, dimension);
    if (!(e.smallest_margin > 0)) offer_guessing_over_stream(search, one_norm, dimension);
  } else if (e.smallest_margin > 0) {
    search.offer(minnow_bound(dimension, one_norm, e.smallest_margin, e.infinity_radius, *rate), "minnow", 0, true);
  } else {
    offer_over_stream(search, one_norm, dimension, *rate);
  }
}

bool margin_is_given(const Composition& c) { return c.given(parameter::relative_margin).has_value(); }

}  // namespace

std::vector<RuleEntry> minnow() {
  return {{
      .id = rule::minnow,
      .name = "minnow",
      .words = "Minnow",
      .help = "normalised Winnow: on a mistake, weights are multiplied",
      .group = RuleGroup::multiplicative,
      .theorem =
          "minnow: |u|_1 ln d / (rate g - |u|_1 ln cosh(rate R)), if u separates; hinge over the stream, for any u",
      .cost = "O(stored values) a round, O(d) when a phase begins",
      .source = "Littlestone 1988; Kivinen and Warmuth 1997",
      .presets = {{"minnow", "normalised Winnow: for many features of which few matter", rule::minnow,
                   OrderName::stream, KeepName::last, Tie::positive, Clean::no}},
      .parameters = {{.parameter = &parameter::rate,
                      .help = "the learning rate; else chosen from the margin, or guessed",
                      .domain = domain::positive,
                      .fix = "leave it out, and it is found",
                      .applies = [](const Composition& c) { return !margin_is_given(c); },
                      .needs = option("rate") + " and " + option("relative-margin") + " exclude each other"},
                     {.parameter = &parameter::both_signs,
                      .help = "weights of one sign only",
                      .domain = domain::count(0, 1),
                      .fallback = 1,
                      .fix = "give yes or no"},
                     {.parameter = &parameter::relative_margin,
                      .help = "the margin over |u|_1 times the radius, when known",
                      .domain = domain::between_0_and_1,
                      .fix = "leave it out, and it is guessed"},
                     {.parameter = &parameter::radius,
                      .help = "the largest |x_j|, with a relative margin",
                      .domain = domain::positive,
                      .fallback = 1,
                      .fix = "give the largest absolute value of a feature"}},
      .make = make_minnow,
      .bounds = minnow_bounds,
      .bounds_ask = "a margin that is large for the rate: rate * margin > |u|_1 ln cosh(rate * largest |x_j|)",
      .theorem_words = {{"minnow", "Minnow"}},
      .no_small_start = "minnow starts at uniform weights",
      .bound_from_margins = true,
  }};
}

}  // namespace rules
}  // namespace halfspace
