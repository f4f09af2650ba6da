// The labs of the perceptron's choices: passes, orders, tie rules, rate, start and margin.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "halfspace/bounds/formulas.h"
#include "halfspace/rules/margin_perceptron.h"
#include "halfspace/rules/rule_entry.h"
#include "lab/lab_rows.h"
#include "lab/labs.h"

namespace halfspace::lab {
namespace {

constexpr double kMargin = 0.1;

Composition perceptron_in(OrderName order, Tie tie = Tie::mistake) {
  Composition composition;
  composition.order = order;
  composition.tie = tie;
  return composition;
}

bool within(std::uint64_t count, double bound) { return static_cast<double>(count) <= bound; }

// Returns n / 16, n / 4 and n, and at least one row.
std::vector<std::size_t> three_sizes(std::uint64_t n) {
  return {std::max<std::size_t>(n / 16, 1), std::max<std::size_t>(n / 4, 1), n};
}

// Counts the mistakes of cyclic passes until one is clean, as one would by hand, with plain sums.
struct ByHand {
  std::uint64_t mistakes = 0;
  Vector w;
};
ByHand by_hand(const Labelled& rows, Tie tie, double rate, Vector start) {
  ByHand run{0, std::move(start)};
  for (bool clean = false; !clean;) {
    clean = true;
    for (const auto& [x, label] : rows) {
      const double s = dot(run.w, x);
      const bool positive = s > 0 || (s == 0 && tie == Tie::positive);
      const bool negative = s < 0 || (s == 0 && tie == Tie::negative);
      if (label == 1 ? positive : negative) continue;
      for (std::size_t j = 0; j < x.size(); ++j) run.w[j] += rate * sign_of(label) * x[j];
      ++run.mistakes;
      clean = false;
    }
  }
  return run;
}

}  // namespace

LabReport lab_batch(const LabSettings& settings) {
  LabReport report(
      "batch",
      "Passes until one is clean leave no error, and make at most (R / margin)^2 mistakes in all; a single "
      "pass may leave some.",
      "Novikoff 1962, for any number of passes; rows of 10 features, margin at least 0.1",
      {"rows", "online mistakes", "errors left", "batch passes", "batch mistakes", "its errors left", "bound",
       "ratio"});
  report.draw("rows", {"online mistakes", "batch mistakes"}, {"bound"});
  Generator draws(settings.seed);
  for (const std::size_t n : three_sizes(settings.n > 0 ? settings.n : 1600)) {
    const Vector u = random_direction(draws, 10);
    const Labelled rows = separable_rows(draws, n, u, kMargin);
    const double bound = static_cast<double>(whole_mistakes(novikoff_of(rows, u)));
    LabRun online(rows, perceptron_in(OrderName::stream), settings.interrupt),
        batch(rows, perceptron_in(OrderName::cyclic), settings.interrupt);
    online.play({}, draws);
    // Without the bound on passes a broken learner might never end; every pass but the last has a mistake.
    batch.play({.clean = Clean::pass, .passes = static_cast<std::uint64_t>(bound) + 1}, draws);
    const std::uint64_t left = errors_on(rows, batch.present());
    report.add({n, online.ledger.mistakes, errors_on(rows, online.present()), batch.ledger.passes,
                batch.ledger.mistakes, left, bound, static_cast<double>(batch.ledger.mistakes) / bound},
               within(batch.ledger.mistakes, bound) && left == 0 && batch.ledger.stopped == Stopped::clean &&
                   online.ledger.rounds == n && batch.ledger.pass.front().mistakes == online.ledger.mistakes);
  }
  report.conclude("The first pass of both is the same; only the batch one goes on.");
  return report;
}

LabReport lab_orders(const LabSettings& settings) {
  LabReport report(
      "orders",
      "In any order the perceptron converges after at most (R / margin)^2 updates; how many rows it scores "
      "on the way depends on the order.",
      "Novikoff 1962; rows of 10 features, margin at least 0.1, until no mistake is left",
      {"order", "rows", "updates", "bound", "ratio", "rows scored"});
  report.draw("rows", {"updates"}, {"bound"}, "order");
  Generator draws(settings.seed);
  for (const std::size_t n : three_sizes(settings.n > 0 ? settings.n : 1600)) {
    const Vector u = random_direction(draws, 10);
    const Labelled rows = separable_rows(draws, n, u, kMargin);
    const double bound = static_cast<double>(whole_mistakes(novikoff_of(rows, u)));
    for (const OrderName order : {OrderName::first_mistake, OrderName::random_mistake, OrderName::cyclic,
                                  OrderName::shuffled, OrderName::random}) {
      LabRun run(rows, perceptron_in(order), settings.interrupt);
      run.play({.clean = Clean::pass, .updates = static_cast<std::uint64_t>(bound) + 1}, draws);
      const Ledger& ledger = run.ledger;
      report.add(
          {std::string(name_of(order)), n, ledger.updates, bound, static_cast<double>(ledger.updates) / bound,
           ledger.rounds + ledger.inspections},
          within(ledger.updates, bound) && ledger.stopped == Stopped::clean && errors_on(rows, run.present()) == 0);
    }
  }
  report.conclude("The proof counts mistakes alone, and so covers every order.");
  return report;
}

LabReport lab_ties(const LabSettings& settings) {
  LabReport report(
      "ties",
      "A score of 0 may count as +1, as -1 or as a mistake: one bound holds for all, and only 'mistake' ends "
      "with y <w, x> > 0 on every row.",
      "a mistake implies y <w, x> <= 0 under all three, and Novikoff's proof uses nothing else",
      {"rows", "score 0 is", "stopped", "mistakes", "by hand", "bound", "least y <w, x>"});
  Generator draws(settings.seed);
  const std::size_t d = settings.n > 0 ? settings.n : 21;
  Labelled positive;
  for (std::size_t i = 0; i < 20 * d; ++i) {
    Vector x = random_signs(draws, d);
    x[0] = 1;
    positive.emplace_back(std::move(x), 1);
  }
  Labelled negative = positive;
  for (auto& row : negative) row.second = 0;
  const Labelled majority = majorities_of_three(draws, 20 * d, d);
  struct Set {
    const char* name;
    const Labelled& rows;
    double u_squared_norm;  // of a separator with integer margins of at least 1
  };
  for (const Set& set :
       {Set{"majority of 3 signs", majority, 3}, Set{"all +", positive, 1}, Set{"all -", negative, 1}}) {
    const double bound = static_cast<double>(d) * set.u_squared_norm;
    for (const Tie tie : values<Tie>()) {
      LabRun run(set.rows, perceptron_in(OrderName::cyclic, tie), settings.interrupt);
      run.play({.clean = Clean::pass, .updates = static_cast<std::uint64_t>(bound) + 1}, draws);
      const ByHand plain = by_hand(set.rows, tie, 1, Vector(d));
      const double least = least_margin(set.rows, run.present());
      report.add({set.name, std::string(name_of(tie)), "clean", run.ledger.mistakes, plain.mistakes, bound, least},
                 run.ledger.stopped == Stopped::clean && within(run.ledger.mistakes, bound) &&
                     run.ledger.mistakes == plain.mistakes && run.present() == plain.w &&
                     (tie == Tie::mistake ? least > 0 : least >= 0));
    }
  }
  // Right on all rows under 'positive' for u = (0, 1), but not strictly separable: no tie rule ends.
  const Labelled weak{{{2, 0}, 1}, {{-2, 0}, 1}, {{1, -1}, 0}};
  for (const Tie tie : values<Tie>()) {
    LabRun run(weak, perceptron_in(OrderName::cyclic, tie), settings.interrupt);
    run.play({.clean = Clean::pass}, draws);
    report.add({"on the border", std::string(name_of(tie)), std::string(name_of(run.ledger.stopped)), nullptr, nullptr,
                nullptr, least_margin(weak, run.present())},
               run.ledger.stopped == Stopped::cycling);
  }
  report.conclude(
      "If all rows have the label that 0 predicts, w stays 0. With (2, 0) and (-2, 0) both +, on the border of every "
      "halfspace that fits, all three repeat their weights and never stop.");
  return report;
}

LabReport lab_rate(const LabSettings& settings) {
  LabReport report(
      "rate",
      "From w = 0 the learning rate changes the length of the weights and no prediction; from another start "
      "it changes the number of mistakes.",
      "Novikoff's proof with w0 kept; the majority of 3 of d signs, u = (1, 1, 1, 0 ...), w0 = -10 d^2 u",
      {"start", "rate", "mistakes", "at least", "bound", "|w|", "w / rate as from rate 1"});
  Generator draws(settings.seed);
  const std::size_t d = settings.n > 0 ? settings.n : 15;
  const Labelled rows = majorities_of_three(draws, 20 * d, d);
  const double size = static_cast<double>(d), far = 10 * size * size;
  const auto run_at = [&](double rate, const Vector* start, double bound) {
    Composition composition = perceptron_in(OrderName::cyclic);
    composition.set(parameter::rate, rate);
    LabRun run(rows, composition, settings.interrupt);
    if (start != nullptr) run.begin_at(*start);
    run.play({.clean = Clean::pass, .updates = whole_mistakes(bound) + 1}, draws);
    return run;
  };
  // All numbers are integers times a power of two: nothing rounds.
  const double from_zero = novikoff_bound(size, 3, 1);
  const LabRun at_one = run_at(1, nullptr, from_zero);
  for (const double rate : {0x1p-10, 0.25, 1.0, 3.0, 100.0}) {
    const LabRun run = run_at(rate, nullptr, from_zero);
    Vector scaled = run.present();
    const double length = std::sqrt(dot(scaled, scaled));
    for (double& value : scaled) value /= rate;
    const bool same = scaled == at_one.present();
    report.add({"0", rate, run.ledger.mistakes, nullptr, from_zero, length, same},
               same && run.ledger.stopped == Stopped::clean && run.ledger.mistakes == at_one.ledger.mistakes &&
                   within(run.ledger.mistakes, from_zero));
  }
  Vector start(d);
  for (std::size_t j = 0; j < 3; ++j) start[j] = -far;
  std::vector<std::uint64_t> mistakes;
  for (const double rate : {0x1p-4, 1.0, 16.0, 256.0}) {
    // Until w separates the rows, steps of length rate R each must lift y <w, x> from -far, at the least.
    const double least = std::ceil(far / (rate * size)), bound = start_bound(-3 * far, 3 * far * far, rate, size, 3, 1);
    const LabRun run = run_at(rate, &start, bound);
    mistakes.push_back(run.ledger.mistakes);
    report.add({"-10 d^2 u", rate, run.ledger.mistakes, least, bound, std::sqrt(run.learner->squared_norm()), nullptr},
               run.ledger.stopped == Stopped::clean && static_cast<double>(run.ledger.mistakes) >= least &&
                   within(run.ledger.mistakes, bound));
  }
  report.conclude(fmt::format("From the far start, the rate 256 needs {:.0f} times fewer mistakes than 1/16.",
                              static_cast<double>(mistakes.front()) / static_cast<double>(mistakes.back())));
  return report;
}

LabReport lab_margin(const LabSettings& settings) {
  LabReport report("margin",
                   "An update wherever y <w, x> <= b ends with a margin above b g / (R^2 + 2b), g the largest margin, "
                   "after at most (R^2 + 2b) / g^2 updates.",
                   "Krauth and Mezard 1987; Li et al. 2002; rows of 5 features, largest margin 0.1",
                   {"b / R^2", "updates", "bound", "margin", "guaranteed", "largest", "margin / largest"});
  report.draw("b / R^2", {"margin"}, {"largest", "guaranteed"}, "", false);
  Generator draws(settings.seed);
  const std::size_t d = 5, n = settings.n > 0 ? settings.n : 400;
  Vector u(d);
  u[0] = 1;
  Labelled rows;
  for (std::size_t i = 0; i < n; ++i) {
    Vector x(d);
    const int label = draws.next() < 0.5 ? 0 : 1;
    x[0] = sign_of(label) * (kMargin + draws.next());
    for (std::size_t j = 1; j < d; ++j) x[j] = 2 * draws.next() - 1;
    rows.emplace_back(std::move(x), label);
  }
  // The mean of the last two is g u: with them no separator has a larger margin than u.
  Vector x = rows.front().first;
  x[0] = kMargin;
  rows.emplace_back(x, 1);
  for (std::size_t j = 1; j < d; ++j) x[j] = -x[j];
  rows.emplace_back(x, 1);
  const double radius_squared = radius_squared_of(rows);
  double last = 0;
  for (const double ratio : {0.0, 0.1, 1.0, 10.0, 100.0}) {
    const double b = ratio * radius_squared;
    Composition composition = perceptron_in(OrderName::cyclic);
    composition.rule = rule::margin;
    composition.set(parameter::margin, b);
    const double bound = static_cast<double>(
        whole_mistakes(margin_perceptron_bound(radius_squared, b, 1, 1, least_margin(rows, u)) * (1 + 1e-12)));
    LabRun run(rows, composition, settings.interrupt);
    run.play({.clean = Clean::pass, .updates = static_cast<std::uint64_t>(bound) + 1}, draws);
    const Vector w = run.present();
    const double reached = least_margin(rows, w) / std::sqrt(dot(w, w));
    const double guaranteed = b * kMargin / (radius_squared + 2 * b);
    report.add({ratio, run.ledger.updates, bound, reached, guaranteed, kMargin, reached / kMargin},
               run.ledger.stopped == Stopped::clean && within(run.ledger.updates, bound) && reached > guaranteed &&
                   reached <= kMargin * (1 + 1e-12));
    last = reached / kMargin;
  }
  report.conclude(
      fmt::format("b = 0 is the perceptron, without a guarantee; 100 R^2 reached {:.0f} % of the largest "
                  "margin.",
                  100 * last));
  return report;
}

LabReport lab_margin_size(const LabSettings& settings) {
  LabReport report("margin-size",
                   "Of rows with the same radius those with the larger margin are learned with fewer updates: at most "
                   "(R / margin)^2. Longer rows change nothing: R grows with the margin.",
                   "the slides' quiz on two data sets; rows in a cube of 5 features, cyclic passes until one is clean, "
                   "means of 20 sets",
                   {"margin", "updates", "bound", "ratio", "rows 8 times as long"});
  report.draw("margin", {"updates"}, {"bound"});
  Generator draws(settings.seed);
  const std::size_t n = settings.n > 0 ? settings.n : 400;
  constexpr int sets = 20;
  double first = 0, last = 0, least_bound = 0, most_bound = 0;
  for (const double margin : {0.4, 0.2, 0.1, 0.05, 0.025}) {
    double updates = 0, bound = 0, longer = 0;
    bool below = true;
    for (int set = 0; set < sets; ++set) {
      const Vector u = random_direction(draws, 5);
      Labelled rows = separable_rows(draws, n, u, margin);
      const double allowed = novikoff_of(rows, u);
      LabRun run(rows, perceptron_in(OrderName::cyclic), settings.interrupt);
      run.play({.clean = Clean::pass}, draws);
      for (auto& [x, label] : rows) {
        for (double& value : x) value *= 8;
      }
      LabRun long_run(rows, perceptron_in(OrderName::cyclic), settings.interrupt);
      long_run.play({.clean = Clean::pass}, draws);
      below = below && within(run.ledger.updates, allowed);
      updates += static_cast<double>(run.ledger.updates) / sets;
      longer += static_cast<double>(long_run.ledger.updates) / sets;
      bound += allowed / sets;
    }
    report.add({margin, updates, bound, updates / bound, longer}, below && updates == longer);
    if (first == 0) {
      first = updates;
      least_bound = bound;
    }
    last = updates;
    most_bound = bound;
  }
  report.require(last > first);
  report.conclude(
      fmt::format("A sixteenth of the margin took {:.1f} times the updates here; the bound grew {:.0f}-fold.",
                  last / first, most_bound / least_bound));
  return report;
}

}  // namespace halfspace::lab
