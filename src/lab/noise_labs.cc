// The labs of keepers, which return better weights than the last on rows that no halfspace separates.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/stop.h"
#include "halfspace/rules/rule_entry.h"
#include "lab/lab_rows.h"
#include "lab/labs.h"

namespace halfspace::lab {
namespace {

Composition keeping(OrderName order, KeepName keep) {
  Composition composition;
  composition.order = order;
  composition.keep = keep;
  return composition;
}

struct PocketRun {
  std::uint64_t updates = 0, errors = 0;
  std::uint64_t fewest = UINT64_MAX;  // errors of any weights on the way
  std::uint64_t rises = 0;            // of the pocket's errors
  bool by_definition = true;          // the pocket was what the definition says, at the end
};

// A random mistake at a time; the pocket holds the weights with the fewest errors on all rows.
PocketRun by_ratchet(const Labelled& rows, std::uint64_t updates, Generator& draws,
                     const std::atomic<bool>* interrupt) {
  LabRun run(rows, keeping(OrderName::random_mistake, KeepName::pocket), interrupt);
  PocketRun found;
  std::uint64_t last = UINT64_MAX;
  run.play({.clean = Clean::pass, .updates = updates}, draws, [&](const Ledger&) {
    found.fewest = std::min(found.fewest, errors_on(rows, run.present()));
    const std::uint64_t now = errors_on(rows, run.result());
    found.rises += now > last;
    last = now;
    found.by_definition = found.by_definition && now == found.fewest;
  });
  found.updates = run.ledger.updates;
  found.fewest = std::min(found.fewest, errors_on(rows, run.present()));  // of a clean end
  found.errors = errors_on(rows, run.result());
  found.by_definition = found.by_definition && found.errors == found.fewest;
  return found;
}

// A random row at a time; the pocket holds the weights with the longest run of right rows, the first of equals.
PocketRun by_run_length(const Labelled& rows, std::uint64_t updates, Generator& draws,
                        const std::atomic<bool>* interrupt) {
  LabRun run(rows, keeping(OrderName::random, KeepName::pocket), interrupt);
  PocketRun found;
  Vector w = run.present(), best = w;
  std::uint64_t quiet = 0, longest = 0, last = UINT64_MAX;
  bool fresh = true;  // w was not yet counted
  run.learner->observer = [&](const RoundView& view) {
    quiet = view.outcome.updated ? 0 : quiet + 1;
    if (view.outcome.updated) {
      w = run.present();
      fresh = true;
    }
    if (fresh) found.fewest = std::min(found.fewest, errors_on(rows, w));
    fresh = false;
    if (quiet <= longest) return;
    longest = quiet;
    if (best == w && last != UINT64_MAX) return;
    best = w;
    const std::uint64_t now = errors_on(rows, w);
    found.rises += now > last;
    last = now;
  };
  run.play({.updates = updates}, draws);
  found.updates = run.ledger.updates;
  found.errors = errors_on(rows, run.result());
  found.by_definition = run.result() == best;
  return found;
}

// The same walk, but a longer run replaces the pocket only if its weights have fewer errors on all rows, too (Gallant's
// ratchet). It counts errors only when a run is longer than that of the pocket.
PocketRun by_both(const Labelled& rows, std::uint64_t updates, Generator& draws, const std::atomic<bool>* interrupt) {
  LabRun run(rows, keeping(OrderName::random, KeepName::pocket), interrupt);
  run.learner->enable_ratchet();
  PocketRun found;
  std::uint64_t quiet = 0, longest = 0, last = errors_on(rows, run.present());
  run.learner->offer_to_pocket(static_cast<double>(last));
  bool counted = false;  // the errors of the current weights
  bool kept = true;      // the pocket holds the current weights
  run.learner->observer = [&](const RoundView& view) {
    if (view.outcome.updated) {
      quiet = 0;
      counted = kept = false;
      return;
    }
    if (++quiet <= longest) return;
    if (!counted) {
      const std::uint64_t now = errors_on(rows, run.present());
      found.fewest = std::min(found.fewest, now);
      counted = true;
      kept = run.learner->offer_to_pocket(static_cast<double>(now));
      found.by_definition = found.by_definition && kept == (now < last);
      if (kept) {
        found.rises += now > last;
        last = now;
      }
    }
    if (kept) longest = quiet;
  };
  run.play({.updates = updates}, draws);
  found.updates = run.ledger.updates;
  found.errors = errors_on(rows, run.result());
  found.by_definition = found.by_definition && found.errors == last;
  return found;
}

// XOR with a constant coordinate: every halfspace errs on at least one row.
Labelled exclusive_or() { return {{{1, 1, 1}, 0}, {{1, -1, 1}, 1}, {{-1, 1, 1}, 1}, {{-1, -1, 1}, 0}}; }

// Shares of wrong test rows of one run over rows with wrong labels.
struct Shares {
  double last, average, vote;
  double gap;    // between the average and the mean of the weights after each round, relative
  bool as_cast;  // the vote is what the vectors cast, one by one
};
Shares shares_of(const Labelled& train, const Labelled& test, Generator& draws, const std::atomic<bool>* interrupt) {
  const std::size_t d = train.front().first.size();
  LabRun averaged(train, keeping(OrderName::stream, KeepName::average), interrupt);
  LabRun voted(train, keeping(OrderName::stream, KeepName::vote), interrupt);
  Vector sum(d), votes(test.size());
  averaged.learner->observer = [&](const RoundView&) {
    const Vector w = averaged.present();
    for (std::size_t j = 0; j < d; ++j) sum[j] += w[j];
  };
  // The votes by definition: every vector casts one vote for each round that it survived.
  Vector cast(test.size());
  Vector w(d);
  std::uint64_t age = 0;
  const auto cast_votes = [&] {
    for (std::size_t i = 0; age > 0 && i < test.size(); ++i)
      votes[i] += dot(w, test[i].first) > 0 ? static_cast<double>(age) : -static_cast<double>(age);
  };
  voted.learner->observer = [&](const RoundView& view) {
    if (view.outcome.updated) {
      cast_votes();
      w = voted.present();
      age = 0;
    }
    ++age;
  };
  averaged.play({}, draws);
  voted.play({}, draws);
  cast_votes();
  BlockBuffer buffer;
  buffer.clear();
  for (std::size_t i = 0; i < test.size(); ++i) {
    for (std::uint32_t j = 0; j < d; ++j) buffer.add(j, test[i].first[j]);
    buffer.end_row(test[i].second, i + 1);
  }
  voted.learner->vote(buffer.finish(), cast);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < test.size(); ++i) wrong += sign_of(test[i].second) * cast[i] <= 0;
  const Vector mean = averaged.result();
  double gap = 0, size = 0;
  for (std::size_t j = 0; j < d; ++j) {
    const double expected = sum[j] / static_cast<double>(train.size());
    gap = std::max(gap, std::abs(mean[j] - expected));
    size = std::max(size, std::abs(expected));
  }
  const double count = static_cast<double>(test.size());
  return {static_cast<double>(errors_on(test, averaged.present())) / count,
          static_cast<double>(errors_on(test, mean)) / count, static_cast<double>(wrong) / count,
          size > 0 ? gap / size : gap, cast == votes};
}

}  // namespace

LabReport lab_pocket(const LabSettings& settings) {
  LabReport report(
      "pocket",
      "By its ratchet the pocket has the fewest errors of all weights on the way; by the longest run its errors "
      "may rise, and by both they do not.",
      "Gallant 1990; 5 features, a share of the labels wrong; XOR's fewest errors are 1",
      {"rows", "wrong labels", "pocket by", "updates", "errors", "fewest counted", "rises", "as defined"});
  Generator draws(settings.seed);
  const std::size_t n = settings.n > 0 ? settings.n : 200;
  struct Set {
    std::string name;
    Labelled rows;
    std::size_t wrong;
    std::uint64_t updates;
  };
  std::vector<Set> sets;
  for (const double share : {0.05, 0.2}) {
    Labelled rows = separable_rows(draws, n, random_direction(draws, 5), 0.1);
    const std::size_t wrong = flip_labels(rows, share, draws);
    sets.push_back({std::to_string(n), std::move(rows), wrong, 2000});
  }
  sets.push_back({"XOR", exclusive_or(), 0, 2000});
  for (const auto& [name, rows, wrong, updates] : sets) {
    const PocketRun ratchet = by_ratchet(rows, updates, draws, settings.interrupt);
    report.add(
        {name, wrong, "ratchet", ratchet.updates, ratchet.errors, ratchet.fewest, ratchet.rises, ratchet.by_definition},
        ratchet.by_definition && ratchet.rises == 0 && (name != "XOR" || ratchet.errors == 1));
    Generator same_draws = draws;
    const PocketRun length = by_run_length(rows, updates, draws, settings.interrupt);
    report.add(
        {name, wrong, "longest run", length.updates, length.errors, length.fewest, length.rises, length.by_definition},
        length.by_definition && length.errors >= length.fewest);
    // On the same walk: the weights with the longest run are offered to this pocket, too, and it never gets worse.
    const PocketRun both = by_both(rows, updates, same_draws, settings.interrupt);
    report.add({name, wrong, "both", both.updates, both.errors, both.fewest, both.rises, both.by_definition},
               both.by_definition && both.rises == 0 && both.updates == length.updates && both.errors <= length.errors);
  }
  report.conclude(
      "The ratchet alone counts errors on all rows after every update; both count them at a longer run only; a run's "
      "length costs nothing.");
  return report;
}

LabReport lab_averaged(const LabSettings& settings) {
  LabReport report(
      "averaged",
      "Trained on wrong labels, the mean of all weights and their vote err less on new rows than the last "
      "weights.",
      "Freund and Schapire 1999; Gaussian clouds in 20 features, one pass; means of 20 runs, 500 new rows "
      "each",
      {"rows", "wrong labels %", "last %", "averaged %", "voted %", "gap to the plain mean", "votes as cast"});
  report.draw("rows", {"last %", "averaged %", "voted %"}, {}, "wrong labels %");
  Generator draws(settings.seed);
  const std::size_t largest = settings.n > 0 ? settings.n : 800;
  double lead = 0;
  for (const double share : {0.05, 0.2}) {
    for (const std::size_t n : {largest / 4, largest}) {
      constexpr int runs = 20;
      Shares mean{0, 0, 0, 0, true};
      for (int run = 0; run < runs; ++run) {
        Labelled train = clouds(n, 20, draws);
        flip_labels(train, share, draws);
        const Shares one = shares_of(train, clouds(500, 20, draws), draws, settings.interrupt);
        mean.last += one.last / runs;
        mean.average += one.average / runs;
        mean.vote += one.vote / runs;
        mean.gap = std::max(mean.gap, one.gap);
        mean.as_cast = mean.as_cast && one.as_cast;
      }
      report.add({n, 100 * share, 100 * mean.last, 100 * mean.average, 100 * mean.vote, mean.gap, mean.as_cast},
                 mean.average < mean.last && mean.vote < mean.last && mean.gap < 1e-9 && mean.as_cast);
      lead = mean.last - mean.average;
    }
  }
  report.conclude(
      fmt::format("In the last row the mean is wrong on {:.1f} % fewer of the rows. The clouds overlap: "
                  "the best halfspace is wrong on 6.7 %.",
                  100 * lead));
  return report;
}

LabReport lab_losses(const LabSettings& settings) {
  LabReport report(
      "losses",
      "The perceptron's criterion J(w) = sum of max(0, -y <w, x>) is no count of errors: it is 0, its minimum, at w = "
      "0, "
      "where every negative row is wrong; it halves with w, the errors do not; and it may fall as the errors rise.",
      "the notes' gradient descent on J; a score of 0 predicts +1; 50 updates, w after the last",
      {"rows", "negative", "J(0)", "errors at 0", "J(w)", "J(w / 2)", "errors", "errors at w / 2", "opposite ways"});
  Generator draws(settings.seed);
  const std::size_t n = settings.n > 0 ? settings.n : 200;
  std::vector<std::pair<const char*, Labelled>> sets{{"separable", separable_rows(draws, n, {0.6, 0.8}, 0.1)},
                                                     {"clouds", clouds(n, 2, draws)},
                                                     {"XOR", exclusive_or()}};
  std::uint64_t opposite_ways = 0;
  for (auto& [name, rows] : sets) {
    const auto criterion = [&, &of = rows](const Vector& w) {
      double sum = 0;
      for (const auto& [x, label] : of) sum += std::max(0.0, -sign_of(label) * dot(w, x));
      return sum;
    };
    const auto errors = [&, &of = rows](const Vector& w) {
      return std::count_if(of.begin(), of.end(),
                           [&](const auto& row) { return (dot(w, row.first) >= 0) != (row.second == 1); });
    };
    const std::size_t d = rows.front().first.size();
    const auto negative = std::count_if(rows.begin(), rows.end(), [](const auto& row) { return row.second == 0; });
    Vector w(d);
    std::uint64_t opposite = 0;  // updates after which J and the errors moved in opposite directions
    for (std::size_t t = 0, updates = 0; t < 50 * rows.size() && updates < 50; ++t) {
      stop_if(settings.interrupt);
      const auto& [x, label] = rows[t % rows.size()];
      if ((dot(w, x) >= 0) == (label == 1)) continue;
      const double j = criterion(w);
      const auto wrong = errors(w);
      for (std::size_t i = 0; i < d; ++i) w[i] += sign_of(label) * x[i];
      ++updates;
      opposite += (criterion(w) - j) * static_cast<double>(errors(w) - wrong) < 0;
    }
    Vector half = w;
    for (double& value : half) value /= 2;
    const Vector zero(d);
    report.add({name, negative, criterion(zero), errors(zero), criterion(w), criterion(half), errors(w), errors(half),
                opposite},
               criterion(zero) == 0 && errors(zero) == negative && criterion(half) == criterion(w) / 2 &&
                   errors(half) == errors(w));
    opposite_ways += opposite;
  }
  report.require(opposite_ways > 0);
  report.conclude(
      fmt::format("After {} updates J and the errors had moved in opposite directions. What the perceptron "
                  "promises is a bound on its mistakes, not a minimum of J.",
                  opposite_ways));
  return report;
}

}  // namespace halfspace::lab
