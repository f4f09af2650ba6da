// The kernel perceptron: its bounds, and its entry in the table of rules. Compiled with -frounding-math.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>
#include <vector>

#include "halfspace/base/error.h"
#include "halfspace/detail/base/rounding.h"
#include "halfspace/detail/bounds/evaluation.h"
#include "halfspace/detail/rules/kernel_perceptron.h"
#include "halfspace/rules/rule_entry.h"

namespace halfspace {

KernelOptions kernel_options(const Composition& c) {
  KernelOptions options;
  options.kernel.name = c.choice<KernelName>(parameter::kernel);
  options.kernel.gamma = c.value(parameter::gamma);
  options.kernel.degree = static_cast<std::uint32_t>(c.value(parameter::degree));
  options.kernel.offset = c.value(parameter::offset);
  if (const auto budget = c.given(parameter::budget)) options.budget = static_cast<std::uint32_t>(*budget);
  options.eviction = c.choice<Eviction>(parameter::eviction);
  options.residual = c.value(parameter::residual);
  return options;
}

std::string kernel_words(const Kernel& kernel) {
  switch (kernel.name) {
    case KernelName::linear:
      return "linear";
    case KernelName::polynomial:
      return fmt::format("({:.6g} <x, x'> + {:.6g})^{}", kernel.gamma, kernel.offset, kernel.degree);
    case KernelName::gaussian:
      break;
  }
  return fmt::format("gaussian, gamma {:.6g}", kernel.gamma);
}

namespace rules {
namespace {

std::unique_ptr<Learner> make_kernel(const Composition& c, const LearnerOptions&) {
  return std::make_unique<game::Player<KernelPerceptron>>(
      KernelPerceptron(kernel_options(c), c.bias, c.tie, c.keep == KeepName::average, c.seed), 2);
}

// Bounds the error of any score of the run: coefficients never exceed the sum of the updates and of what a budget gave
// them.
// gave them.
double score_error(const KernelOptions& options, const BoundSearch& search) {
  const LearnerState& state = *search.run().state;
  const KernelExpansion function = expansion_of(options.kernel, search.run().bias, state.kernel, state.finished);
  const double amounts = search.ledger().update_steps + forgotten_in(state.kernel).amounts;
  return kernel_score_error(*search.run().rows, function, amounts * (1 + 0x1p-20));
}

// A budget that removes support vectors (kernel_perceptron.h): mistakes <= 2 L + R^2 |u|^2 (1 + P) + A / R^2 + 2 S,
// S the sum of the coefficients removed.
void offer_forgetful(BoundSearch& search, const Forgotten& gone, double score_error) {
  if (!search.unweighted()) return search.asks_for("rows of weight 1");
  const double radius_squared = larger(search.evaluation().radius_squared, search.ledger().largest_squared_norm);
  if (!(radius_squared > 0)) return;
  double fixed = 0;
  double length = 0;
  rounding_up([&] {
    const double updates = static_cast<double>(search.ledger().updates);
    // Each term of A was computed from a score, and the sums were rounded to nearest; every update adds the error of a
    // score.
    const double drift = (gone.removed + updates + 8) * 0x1p-50;
    const double scores = 2 * score_error * (gone.amounts + updates) / radius_squared;
    fixed = gone.damage / radius_squared + 2 * gone.amounts + scores + drift * (gone.amounts + 1) * (3 * updates + 2);
    length =
        radius_squared * (1 + gone.shrinking * (1 + drift)) * search.evaluation().squared_norm * search.allowance();
  });
  search.offer_hinge("budget, hinge over the stream", "budget, hinge over the mistakes",
                     [&](double hinges, double scale) { return 2 * hinges + scale * scale * length + fixed; });
}

void kernel_bounds(const Composition& c, BoundSearch& search) {
  // No theorem starts from given support vectors.
  if (search.run().start != nullptr || search.run().resumed)
    return search.asks_for("a run from its first round on, and the rows of all of it");
  const KernelOptions options = kernel_options(c);
  const Forgotten gone = forgotten_in(search.run().state->kernel);
  const double error = score_error(options, search);
  if (gone.removed > 0 && options.eviction != Eviction::projectron) return offer_forgetful(search, gone, error);
  BoundSearch::Steps steps{.score_error = error};
  if (gone.removed == 0) search.offer_novikoff(steps);
  steps.residuals = gone.residuals;
  if (gone.removed > 0) steps.prefix = "projectron, ";
  search.offer_perceptron_hinge(steps);
}

// A row's values by ascending feature.
using Sorted = std::vector<std::pair<std::uint32_t, double>>;

std::vector<Sorted> first_rows(const Rows& rows) {
  std::vector<Sorted> first;
  UnpackBuffer room;
  for (std::size_t i = 0; i < rows.size() && first.size() < tuning_rows; ++i) {
    rows.with_row(i, room, [&](const auto& x) {
      if (!(x.weight > 0)) return;
      Sorted& row = first.emplace_back();
      for (std::uint32_t k = 0; k < x.size; ++k) row.emplace_back(x.index[k], x.values()[k]);
      std::sort(row.begin(), row.end());
    });
  }
  return first;
}

double squared_distance(const Sorted& a, const Sorted& b) {
  double sum = 0;
  auto left = a.begin();
  auto right = b.begin();
  while (left != a.end() || right != b.end()) {
    const bool of_left = right == b.end() || (left != a.end() && left->first <= right->first);
    const bool of_right = left == a.end() || (right != b.end() && right->first <= left->first);
    const double difference = (of_left ? left++->second : 0) - (of_right ? right++->second : 0);
    sum += difference * difference;
  }
  return sum;
}

// Returns 1 over the median of |x - x'|^2 of rows half of them apart, so that data sorted by class do not bias it; of
// |x|^2 for a polynomial. Ignores distances of 0. Rounds to three digits: easy to type.
double tuned_gamma(const Composition& c, const Rows& rows) {
  const std::vector<Sorted> first = first_rows(rows);
  const bool gaussian = c.choice<KernelName>(parameter::kernel) == KernelName::gaussian;
  const std::size_t half = first.size() / 2;
  std::vector<double> squares;
  for (std::size_t i = 0; i < (gaussian ? half : first.size()); ++i) {
    const double square = squared_distance(first[i], gaussian ? first[i + half] : Sorted());
    if (square > 0) squares.push_back(square);
  }
  if (squares.empty()) return 1;
  const auto middle = squares.begin() + static_cast<std::ptrdiff_t>(squares.size() / 2);
  std::nth_element(squares.begin(), middle, squares.end());
  const double gamma = std::strtod(fmt::format("{:.3g}", 1 / *middle).c_str(), nullptr);
  return std::isfinite(gamma) && gamma > 0 ? gamma : 1;
}

Bias default_bias(const Composition& c) {
  return c.choice<KernelName>(parameter::kernel) == KernelName::linear ? Bias::last : Bias::none;
}

void check_kernel(const Composition& c) {
  if (c.keep != KeepName::average || !c.given(parameter::budget) ||
      c.choice<Eviction>(parameter::eviction) == Eviction::projectron)
    return;
  throw Error(ErrorKind::usage, option("keep", "average") + ": what a budget has forgotten cannot be averaged")
      .fix("use " + option("keep", "last") + ", or " + option("eviction", "projectron") + ", which forgets nothing");
}

bool is_projectron(const Composition& c) {
  return c.given(parameter::budget) && c.choice<Eviction>(parameter::eviction) == Eviction::projectron;
}

std::vector<ParameterUse> uses() {
  const auto kernel_is = [](std::initializer_list<KernelName> names) {
    return [names = std::vector<KernelName>(names)](const Composition& c) {
      return std::find(names.begin(), names.end(), c.choice<KernelName>(parameter::kernel)) != names.end();
    };
  };
  return {{.parameter = &parameter::kernel,
           .help = "the inner product",
           .domain = domain::count(0, 2),
           .fallback = static_cast<double>(KernelName::gaussian),
           .fix = "gaussian is the default"},
          {.parameter = &parameter::gamma,
           .help = "gaussian: e^(-gamma |x - x'|^2); polynomial: factor of <x, x'>",
           .domain = domain::positive,
           .fallback = 1,
           .fix = "leave it out to tune it on the rows; a search by folds finds one, such as gamma=0.01..10",
           .applies = kernel_is({KernelName::gaussian, KernelName::polynomial}),
           .needs = option("gamma") + " is not for " + option("kernel", "linear"),
           .tuned = tuned_gamma},
          {.parameter = &parameter::degree,
           .help = "polynomial: (gamma <x, x'> + offset)^degree",
           .domain = domain::count(1, 64),
           .fallback = 2,
           .fix = "2 and 3 are common",
           .applies = kernel_is({KernelName::polynomial}),
           .needs = option("degree") + " is of " + option("kernel", "polynomial")},
          {.parameter = &parameter::offset,
           .help = "polynomial",
           .domain = domain::not_negative,
           .fallback = 1,
           .fix = "1 is the default; with 0 only products of the degree count",
           .applies = kernel_is({KernelName::polynomial}),
           .needs = option("offset") + " is of " + option("kernel", "polynomial")},
          {.parameter = &parameter::budget,
           .help = "at most so many support vectors",
           .domain = domain::count(1, 0x1p32 - 1),
           .fix = "leave it out to keep every support vector"},
          {.parameter = &parameter::eviction,
           .help = "what makes room in a full budget",
           .domain = domain::count(0, 2),
           .fallback = static_cast<double>(Eviction::random),
           .fix = "random is the default",
           .applies = [](const Composition& c) { return c.given(parameter::budget).has_value(); },
           .needs = option("eviction") + " is the way to make room in a budget: add " + option("budget", "N")},
          {.parameter = &parameter::residual,
           .help = "projectron: projects when it leaves out at most this share",
           .domain = {.least = 0, .most = 1, .below = true},
           .fallback = 0.1,
           .fix = "0.1 is the default",
           .applies = is_projectron,
           .needs = option("residual") + " is of " + option("eviction", "projectron")}};
}

}  // namespace

std::vector<RuleEntry> kernel() {
  return {{
      .id = rule::kernel,
      .name = "kernel",
      .words = "kernel perceptron",
      .help = "the perceptron in the space of a kernel, by support vectors",
      .group = RuleGroup::kernel,
      .theorem =
          "as the perceptron, in the space of the kernel; with a budget: budget or projectron, hinge over the stream",
      .cost = "a value of the kernel for each support vector and round; memory grows with the mistakes",
      .source = "Freund and Schapire 1999; budgets: Cavallanti et al. 2007; Dekel et al. 2008; Orabona et al. 2009",
      .presets = {{"kernel", "the perceptron in the space of a kernel, by support vectors", rule::kernel,
                   OrderName::stream, KeepName::last, Tie::mistake, Clean::no}},
      .parameters = uses(),
      .make = make_kernel,
      .bounds = kernel_bounds,
      .bounds_ask = "rows and coefficients whose sums stay within the doubles",
      .no_small_start = "a kernel's space has no small random point",
      .no_vote = "support vectors have no vectors to vote",
      .no_pocket = "support vectors fill no pocket",
      .check = check_kernel,
      .default_bias = default_bias,
      .support_vectors = true,
      .bound_from_any_start = false,
  }};
}

}  // namespace rules
}  // namespace halfspace
