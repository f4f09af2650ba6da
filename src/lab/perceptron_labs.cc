// The labs of the perceptron and of Minnow: mistakes counted against the theorems that bound them.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <map>
#include <numeric>

#include "base/stop.h"
#include "experts/combiner.h"
#include "halfspace/base/random.h"
#include "halfspace/bounds/formulas.h"
#include "halfspace/detail/base/elementary.h"
#include "halfspace/linear/linear.h"
#include "halfspace/rules/minnow.h"
#include "halfspace/rules/perceptron.h"
#include "lab/lab_rows.h"
#include "lab/labs.h"

namespace halfspace::lab {

LabReport lab_analysts(const LabSettings& settings) {
  LabReport report("analysts",
                   "If the majority of some k of n analysts is always right, the perceptron errs at most n k times.",
                   "Novikoff 1962 on votes: radius sqrt(n), margin 1/sqrt(k) for odd k",
                   {"analysts", "k", "rounds", "mistakes", "bound", "ratio"});
  report.draw("rounds", {"mistakes"}, {"bound"}, "k");
  Generator draws(settings.seed);
  std::vector<std::pair<std::size_t, std::size_t>> sizes{{20, 3}, {50, 5}, {100, 9}, {500, 3}};
  if (settings.n > 0) sizes = {{settings.n, 1}, {settings.n, 3}, {settings.n, 9}};
  for (const auto& [n, wanted] : sizes) {
    const std::size_t k = std::min(wanted, n - (n + 1) % 2);  // odd
    const std::uint64_t rounds = 20 * n * k;
    auto player = perceptron_combiner(n);
    std::uint64_t mistakes = 0;
    Vector advice(n);
    for (std::uint64_t t = 0; t < rounds; ++t) {
      stop_if(settings.interrupt);
      for (double& a : advice) a = draws.next() < 0.5 ? 0 : 1;
      const int outcome = 2 * std::accumulate(advice.begin(), advice.begin() + static_cast<std::ptrdiff_t>(k), 0.0) >
                                  static_cast<double>(k)
                              ? 1
                              : 0;
      mistakes += player.predict(advice) != outcome;
      player.reveal(advice, outcome);
    }
    const double bound = static_cast<double>(n * k);
    report.add({n, k, rounds, mistakes, bound, static_cast<double>(mistakes) / bound},
               static_cast<double>(mistakes) <= bound);
  }
  report.conclude("The quality of the others does not matter; not knowing the k costs a factor of k.");
  return report;
}

LabReport lab_tightness(const LabSettings& settings) {
  LabReport report("tightness",
                   "Novikoff's bound (R / margin)^2 is met exactly: on orthogonal points every one is a mistake.",
                   "Novikoff 1962; orthonormal and Hadamard rows, all labels -1, a score of 0 predicts +1",
                   {"stream", "dimension", "mistakes", "bound", "ratio"});
  report.draw("dimension", {"mistakes"}, {"bound"}, "stream");
  const std::size_t largest = settings.n > 0 ? settings.n : 256;
  for (std::size_t d = 4; d <= largest; d *= 4) {
    for (const bool hadamard : {false, true}) {
      auto player = perceptron(Tie::positive, d);
      const Point point(d);
      std::vector<Vector> rows;
      Vector separator(d);
      for (std::size_t t = 0; t < d; ++t) {
        stop_if(settings.interrupt);
        Vector x(d);
        for (std::size_t j = 0; j < d; ++j)
          x[j] = hadamard ? (std::popcount(t & j) % 2 == 0 ? 1 : -1) : (t == j ? 1 : 0);
        for (std::size_t j = 0; j < d; ++j) separator[j] -= x[j];
        rows.push_back(std::move(x));
      }
      std::uint64_t mistakes = 0;
      double margin = INFINITY;
      for (const Vector& x : rows) {
        stop_if(settings.interrupt);
        mistakes += player.round(point(x, 0)).mistake;
        margin = std::min(margin, -dot(separator, x));
      }
      const double bound =
          static_cast<double>(whole_mistakes(novikoff_bound(dot(rows[0], rows[0]), dot(separator, separator), margin)));
      report.add(
          {hadamard ? "Hadamard rows" : "orthonormal", d, mistakes, bound, static_cast<double>(mistakes) / bound},
          static_cast<double>(mistakes) == bound);
    }
  }
  report.conclude("Radius and margin alone allow no better theorem about the perceptron.");
  return report;
}

LabReport lab_single_point(const LabSettings& settings) {
  LabReport report(
      "single-point",
      "On one point repeated, from a random start, the number of mistakes is floor(-y<w0,x> / |x|^2) + 1, or 0.",
      "the quiz of the notes; the mean over normal starts is sum over j >= 0 of Phi(-j |x|)",
      {"|x|", "starts", "wrong counts", "mean mistakes", "mean by formula", "4 std errors"});
  report.draw("|x|", {"mean mistakes"}, {"mean by formula"});
  Generator draws(settings.seed);
  const std::uint64_t starts = settings.n > 0 ? settings.n : 20'000;
  for (const double norm : {0.1, 0.5, 1.0, 3.0}) {
    const std::size_t d = 3;
    const Vector x{norm * 0.6, norm * 0.8, 0};
    const Point point(d);
    std::uint64_t wrong = 0;
    double sum = 0;
    double squares = 0;
    for (std::uint64_t i = 0; i < starts; ++i) {
      stop_if(settings.interrupt);
      auto player = perceptron(Tie::mistake, d);
      for (double& w : player.weights().vector().w) w = gaussian(draws);
      const auto example = point(x, 1);
      const auto formula =
          single_point_mistakes(player.predict(example).score, example.squared_norm, 1, Tie::mistake, 1);
      std::uint64_t mistakes = 0;
      while (player.round(example).mistake) ++mistakes;
      // The formula assumes exact arithmetic: a nearly whole quotient may round to either side.
      wrong += !formula || (mistakes > *formula ? mistakes - *formula : *formula - mistakes) > 1;
      sum += static_cast<double>(mistakes);
      squares += static_cast<double>(mistakes * mistakes);
    }
    const double count = static_cast<double>(starts);
    const double mean = sum / count;
    const double error = 4 * std::sqrt(std::max(squares / count - mean * mean, 1e-12) / count);
    const double expected = single_point_expected_mistakes(norm, 1, 1);
    report.add({norm, starts, wrong, mean, expected, error}, wrong == 0 && std::abs(mean - expected) <= error);
  }
  return report;
}

LabReport lab_bias(const LabSettings&) {
  LabReport report(
      "bias",
      "A bias coordinate multiplies the bound; scaled to c = sqrt(R |b|) it costs least: (R + |b|)^2 / margin^2.",
      "points 100 (-) and 101 (+) on a line, threshold 100.5, affine margin 1/2",
      {"bias scale", "updates", "bound (R^2+c^2)(1+b^2/c^2)/margin^2", "ratio"});
  report.draw("bias scale", {"updates"}, {"bound (R^2+c^2)(1+b^2/c^2)/margin^2"});
  std::vector<double> updates_at;
  for (const double c : {1.0, 10.0, 100.0, 1000.0, 10000.0}) {
    Linear<Perceptron> player(Perceptron{Tie::mistake, 1}, Weights(BiasOptions{Bias::last, c}));
    player.grow(1);
    const Point point(1);
    const Vector low{100};
    const Vector high{101};
    std::uint64_t updates = 0;
    for (int clean = 0; clean < 2;) {
      clean = 0;
      for (const auto& [x, label] : {std::pair(&low, 0), std::pair(&high, 1)}) {
        const bool moved = player.round(point(*x, label)).updated;
        updates += moved;
        clean += !moved;
      }
    }
    const double bound = (101.0 * 101 + c * c) * (1 + 100.5 * 100.5 / (c * c)) / 0.25;
    updates_at.push_back(static_cast<double>(updates));
    report.add({c, updates, bound, static_cast<double>(updates) / bound}, static_cast<double>(updates) <= bound);
  }
  report.conclude(fmt::format("The scale that fits the data needs {:.0f} times fewer updates than 1.",
                              updates_at[0] / updates_at[2]));
  return report;
}

LabReport lab_minnow(const LabSettings& settings) {
  LabReport report("minnow",
                   "With few relevant features Minnow's mistakes grow like ln d, where the perceptron's grow like d.",
                   "Littlestone 1988; the majority of 3 of d signs: relative margin 1/3",
                   {"d", "rounds", "perceptron", "minnow", "minnow's bound", "perceptron's bound"});
  report.draw("d", {"perceptron", "minnow"}, {"perceptron's bound", "minnow's bound"});
  const std::size_t largest = settings.n > 0 ? settings.n : 1024;
  Generator draws(settings.seed);
  for (std::size_t d = 16; d <= largest; d *= 4) {
    auto additive = perceptron(Tie::positive, d);
    Linear<Minnow, ExponentialWeights> multiplicative(Minnow{Tie::positive, minnow_best_rate(1.0 / 3, 1)},
                                                      ExponentialWeights(BiasOptions{Bias::none, 1}));
    multiplicative.grow(static_cast<std::uint32_t>(d));
    const Point point(d);
    const std::uint64_t rounds = 20 * d + 2000;
    std::uint64_t mistakes[2] = {0, 0};
    for (std::uint64_t t = 0; t < rounds; ++t) {
      stop_if(settings.interrupt);
      const Vector x = random_signs(draws, d);
      const auto example = point(x, x[0] + x[1] + x[2] > 0 ? 1 : 0);
      mistakes[0] += additive.round(example).mistake;
      mistakes[1] += multiplicative.round(example).mistake;
    }
    const std::uint64_t minnows = whole_mistakes(minnow_best_bound(1.0 / 3, d) * (1 + 1e-12));
    report.add({d, rounds, mistakes[0], mistakes[1], minnows, 3 * d}, mistakes[1] <= minnows && mistakes[0] <= 3 * d);
  }
  report.conclude("Four times the features: a constant more for Minnow, a multiple for the perceptron.");
  return report;
}

LabReport lab_wrong_minnow(const LabSettings&) {
  LabReport report(
      "wrong-minnow",
      "Minnow must update on mistakes only: updating in every round, as some notes do, errs without bound.",
      "x = (1, 1/2) n times, then (-1, 1/2) n times, always +; u = (0, 1), margin 1/2, rate 1/2",
      {"n", "moving always", "on mistakes", "the theorem's bound"});
  report.draw("n", {"moving always", "on mistakes"}, {"the theorem's bound"});
  const std::uint64_t bound = whole_mistakes(minnow_bound(2, 1, 0.5, 1, 0.5));
  std::uint64_t before = 0;
  for (const std::uint64_t n : {10u, 40u, 160u, 640u}) {
    std::uint64_t mistakes[2] = {0, 0};
    for (const bool always : {true, false}) {
      double logarithm[2] = {0, 0};
      for (std::uint64_t t = 0; t < 2 * n; ++t) {
        const double x[2] = {t < n ? 1.0 : -1.0, 0.5};
        const double score = elementary::exp(logarithm[0] - logarithm[1]) * x[0] + x[1];  // it has the sign of <w, x>
        const bool mistake = score < 0;
        mistakes[always ? 0 : 1] += mistake;
        for (const int j : {0, 1}) logarithm[j] += always || mistake ? 0.5 * x[j] : 0;
      }
    }
    report.add({n, mistakes[0], mistakes[1], bound}, mistakes[1] <= bound && mistakes[0] > before);
    before = mistakes[0];
  }
  report.conclude("Four times the rounds, four times the mistakes.");
  return report;
}

LabReport lab_cycling(const LabSettings& settings) {
  LabReport report(
      "cycling",
      "On inseparable data the perceptron never stops, but its weights stay bounded; on rational data they repeat.",
      "the perceptron cycling theorem: Minsky and Papert 1969, Block and Levin 1970",
      {"data", "period (passes)", "first repeat after", "largest |w|"});
  struct Set {
    const char* name;
    std::vector<std::pair<Vector, int>> rows;
  };
  const std::vector<Set> sets{{"xor with a bias", {{{0, 0, 1}, 0}, {{0, 1, 1}, 1}, {{1, 0, 1}, 1}, {{1, 1, 1}, 0}}},
                              {"one point, two labels", {{{2, 1}, 1}, {{2, 1}, 0}}},
                              {"an interval inside another", {{{-2, 1}, 0}, {{-1, 1}, 1}, {{1, 1}, 1}, {{2, 1}, 0}}},
                              {"parity of three",
                               {{{0, 0, 0, 1}, 0},
                                {{0, 0, 1, 1}, 1},
                                {{0, 1, 0, 1}, 1},
                                {{1, 0, 0, 1}, 1},
                                {{0, 1, 1, 1}, 0},
                                {{1, 0, 1, 1}, 0},
                                {{1, 1, 0, 1}, 0},
                                {{1, 1, 1, 1}, 1}}}};
  const std::uint64_t most = settings.n > 0 ? settings.n : 100'000;
  for (const Set& set : sets) {
    const std::size_t d = set.rows[0].first.size();
    auto player = perceptron(Tie::mistake, d);
    const Point point(d);
    std::map<Vector, std::uint64_t> seen;
    double largest = 0;
    std::uint64_t period = 0;
    std::uint64_t pass = 0;
    for (; pass < most; ++pass) {
      stop_if(settings.interrupt);
      const auto [at, fresh] = seen.emplace(player.weights().vector().w, pass);
      if (!fresh) {
        period = pass - at->second;
        break;
      }
      for (const auto& [x, label] : set.rows) {
        player.round(point(x, label));
        largest = std::max(largest, std::sqrt(dot(player.weights().vector().w, player.weights().vector().w)));
      }
    }
    report.add({set.name, period == 0 ? Json(nullptr) : Json(period), pass, largest}, period > 0);
  }
  report.conclude("The same weights before the same pass prove that it never ends.");
  return report;
}

namespace {

// Returns the label of most of the five nearest rows; adds the numbers of rows that it reads to `numbers`.
int by_neighbours(const Labelled& rows, const Vector& x, std::uint64_t& numbers) {
  std::vector<std::pair<double, int>> distance;
  distance.reserve(rows.size());
  for (const auto& [y, label] : rows) {
    double sum = 0;
    for (std::size_t j = 0; j < x.size(); ++j) sum += (x[j] - y[j]) * (x[j] - y[j]);
    numbers += y.size();
    distance.emplace_back(sum, label);
  }
  std::nth_element(distance.begin(), distance.begin() + 4, distance.end());
  int votes = 0;
  for (int i = 0; i < 5; ++i) votes += distance[static_cast<std::size_t>(i)].second;
  return votes >= 3 ? 1 : 0;
}

WeightVector averaged_pass(const Labelled& rows, const Point& point, std::size_t d) {
  Linear<Perceptron> learner(Perceptron{Tie::mistake, 1}, Weights(BiasOptions{Bias::last, 1}), KeepName::average);
  learner.grow(static_cast<std::uint32_t>(d));
  for (const auto& [x, label] : rows) learner.round(point(x, label));
  return learner.result();
}

struct Timed {
  double accuracy, microseconds;  // of one prediction
};

template <class Predict>
Timed timed(const Labelled& test, const Predict& predict) {
  std::size_t right = 0;
  const auto begin = std::chrono::steady_clock::now();
  for (const auto& [x, label] : test) right += predict(x) == label;
  const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - begin;
  const double n = static_cast<double>(test.size());
  return {static_cast<double>(right) / n, time.count() / n};
}

}  // namespace

LabReport lab_knn(const LabSettings& settings) {
  LabReport report("knn",
                   "Nearest neighbours store every row and read them all to predict; a perceptron reads d + 1 weights, "
                   "and with many rows is nearly as right as a halfspace can be.",
                   "two Gaussian clouds, 3 apart in one direction, best accuracy 93.3 %; 5 neighbours, one averaged "
                   "pass, 400 new rows",
                   {"rows", "d", "5-nn right %", "perceptron right %", "5-nn reads", "perceptron reads", "5-nn us",
                    "perceptron us"});
  report.draw("rows", {"5-nn reads", "perceptron reads"}, {}, "d");
  Generator draws(settings.seed);
  const std::size_t largest = settings.n > 0 ? settings.n : 4000;
  std::uint64_t first = 0, last = 0;
  for (const auto& [n, d] : std::vector<std::pair<std::size_t, std::size_t>>{
           {largest / 16, 20}, {largest / 4, 20}, {largest, 20}, {largest, 100}}) {
    const Labelled train = clouds(std::max<std::size_t>(n, 5), d, draws);
    const Labelled test = clouds(400, d, draws);
    const Point point(d);
    const WeightVector w = averaged_pass(train, point, d);
    std::uint64_t reads = 0;  // in all predictions
    const Timed neighbours = timed(test, [&](const Vector& x) {
      stop_if(settings.interrupt);
      return by_neighbours(train, x, reads);
    });
    const Timed perceptron = timed(test, [&](const Vector& x) {
      return score(w, BiasOptions{Bias::last, 1}, point(x, 0)) >= 0 ? 1 : 0;
    });
    reads /= test.size();
    const std::uint64_t weights = w.w.size() + 1;
    // With 50 rows a feature, 5 points are four standard errors and more.
    const bool right = train.size() < 50 * d || perceptron.accuracy > 0.933 - 0.05;
    report.add({train.size(), d, 100 * neighbours.accuracy, 100 * perceptron.accuracy, reads, weights,
                neighbours.microseconds, perceptron.microseconds},
               reads == train.size() * d && weights == d + 1 && right);
    if (first == 0) first = reads;
    last = reads;
  }
  report.conclude(fmt::format(
      "From the smallest to the largest sample a neighbours' prediction reads {:.0f} times as many numbers; "
      "the perceptron's depends on d alone. Times vary from run to run.",
      static_cast<double>(last) / static_cast<double>(first)));
  return report;
}

}  // namespace halfspace::lab
