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
                   "If the majority of some k of n analysts is always right, the perceptron errs at most n k times; if "
                   "k is even and their vote never ties, at most n k / 4 times.",
                   "Novikoff 1962 on votes: radius sqrt(n), margin 1/sqrt(k) for odd k, 2/sqrt(k) for even k",
                   {"analysts", "k", "rounds", "mistakes", "bound", "ratio"});
  report.draw("rounds", {"mistakes"}, {"bound"}, "k");
  Generator draws(settings.seed);
  std::vector<std::pair<std::size_t, std::size_t>> sizes{{20, 3}, {50, 5}, {100, 9}, {500, 3}, {100, 4}, {500, 4}};
  if (settings.n > 0) sizes = {{settings.n, 1}, {settings.n, 3}, {settings.n, 9}};
  if (settings.n > 1) sizes.emplace_back(settings.n, std::min<std::size_t>(4, settings.n / 2 * 2));
  for (const auto& [n, wanted] : sizes) {
    const bool even = wanted % 2 == 0;
    const std::size_t k = even ? wanted : std::min(wanted, n - (n + 1) % 2);
    const std::uint64_t rounds = 20 * n * k;
    auto player = perceptron_combiner(n);
    std::uint64_t mistakes = 0;
    Vector advice(n);
    for (std::uint64_t t = 0; t < rounds; ++t) {
      stop_if(settings.interrupt);
      double twice = 0;  // the votes of the k for 1
      do {
        for (double& a : advice) a = draws.next() < 0.5 ? 0 : 1;
        twice = 2 * std::accumulate(advice.begin(), advice.begin() + static_cast<std::ptrdiff_t>(k), 0.0);
      } while (twice == static_cast<double>(k));
      const int outcome = twice > static_cast<double>(k) ? 1 : 0;
      mistakes += player.predict(advice) != outcome;
      player.reveal(advice, outcome);
    }
    const double bound = static_cast<double>(n * k / (even ? 4 : 1));
    report.add({n, k, rounds, mistakes, bound, static_cast<double>(mistakes) / bound},
               static_cast<double>(mistakes) <= bound);
  }
  report.conclude(
      "The quality of the others does not matter; not knowing the k costs a factor of k. Where an even number of votes "
      "may tie there is no margin, and no bound.");
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

LabReport lab_radius(const LabSettings& settings) {
  LabReport report("radius",
                   "The radius of the mistake bound is the largest 2-norm of a row: with the largest coordinate in its "
                   "place, as some notes have it, the bound is false, from two rows on.",
                   "Hadamard rows, all labels -1, u = (-1, 0, ..., 0), margin 1; a score of 0 predicts +1",
                   {"rows", "mistakes", "(largest coordinate / margin)^2", "(R / margin)^2"});
  report.draw("rows", {"mistakes"}, {"(largest coordinate / margin)^2", "(R / margin)^2"});
  const std::size_t largest = settings.n > 0 ? settings.n : 256;
  for (std::size_t d = 2; d <= largest; d *= 2) {
    auto player = perceptron(Tie::positive, d);
    const Point point(d);
    std::uint64_t mistakes = 0;
    double coordinate = 0, squared = 0, margin = INFINITY;
    for (std::size_t t = 0; t < d; ++t) {
      stop_if(settings.interrupt);
      Vector x(d);
      for (std::size_t j = 0; j < d; ++j) x[j] = std::popcount(t & j) % 2 == 0 ? 1 : -1;
      mistakes += player.round(point(x, 0)).mistake;
      for (const double value : x) coordinate = std::max(coordinate, std::abs(value));
      squared = std::max(squared, dot(x, x));
      margin = std::min(margin, x[0]);  // -1 times <u, x>
    }
    const std::uint64_t claimed = whole_mistakes(novikoff_bound(coordinate * coordinate, 1, margin));
    const std::uint64_t bound = whole_mistakes(novikoff_bound(squared, 1, margin));
    report.add({d, mistakes, claimed, bound}, mistakes > claimed && mistakes <= bound);
  }
  report.conclude("(1, 1) and (1, -1), both -1, are wrong once each: the claim allows one mistake.");
  return report;
}

namespace {

struct Starts {
  std::uint64_t count = 0, wrong = 0;  // wrong: counts that differ from the formula
  double sum = 0, squares = 0;

  // Plays the point until it is right.
  void play(const Vector& x, int label, Tie tie, const Vector& w) {
    auto player = perceptron(tie, x.size());
    player.weights().vector().w = w;
    const Point point(x.size());
    const auto example = point(x, label);
    const double sign = sign_of(label);
    const auto formula =
        single_point_mistakes(sign * player.predict(example).score, example.squared_norm, 1, tie, sign);
    std::uint64_t mistakes = 0;
    while (player.round(example).mistake) ++mistakes;
    // The formula assumes exact arithmetic: a nearly whole quotient may round to either side.
    wrong += !formula || (mistakes > *formula ? mistakes - *formula : *formula - mistakes) > 1;
    ++count;
    sum += static_cast<double>(mistakes);
    squares += static_cast<double>(mistakes * mistakes);
  }
  double mean() const { return sum / static_cast<double>(count); }
};

}  // namespace

LabReport lab_single_point(const LabSettings& settings) {
  LabReport report(
      "single-point",
      "On one point repeated the number of mistakes is floor(-y<w0,x> / |x|^2) + 1, or 0: from zero at most "
      "one, from a random start more, the shorter the point.",
      "the quiz of the notes; the mean over normal starts is sum over j >= 0 of Phi(-j |x|)",
      {"|x|", "start", "starts", "wrong counts", "mean mistakes", "mean by formula", "4 std errors"});
  report.draw("|x|", {"mean mistakes"}, {"mean by formula"}, "start");
  Generator draws(settings.seed);
  const std::uint64_t starts = settings.n > 0 ? settings.n : 20'000;
  for (const double norm : {0.1, 0.5, 1.0, 3.0}) {
    const Vector x{norm * 0.6, norm * 0.8, 0};
    // A score of 0 is a mistake for whichever labels the rule for ties says: four of these six.
    Starts zero;
    for (const Tie tie : {Tie::positive, Tie::mistake, Tie::negative}) {
      for (const int label : {0, 1}) zero.play(x, label, tie, {0, 0, 0});
    }
    report.add({norm, "0", zero.count, zero.wrong, zero.mean(), 4 / 6.0, 0},
               zero.wrong == 0 && zero.sum == 4 && zero.squares == 4);
    Starts normal;
    for (std::uint64_t i = 0; i < starts; ++i) {
      stop_if(settings.interrupt);
      normal.play(x, 1, Tie::mistake, {gaussian(draws), gaussian(draws), gaussian(draws)});
    }
    const double mean = normal.mean(), count = static_cast<double>(normal.count);
    const double error = 4 * std::sqrt(std::max(normal.squares / count - mean * mean, 1e-12) / count);
    const double expected = single_point_expected_mistakes(norm, 1, 1);
    report.add({norm, "normal", normal.count, normal.wrong, mean, expected, error},
               normal.wrong == 0 && std::abs(mean - expected) <= error);
  }
  report.conclude("From zero one update is enough, whatever the point: w = y x is right on x.");
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

namespace {

enum class Misprint { none, every_round, predicted_label };

// Counts Minnow's mistakes on these rows from equal weights, by the rule or as it is misprinted.
std::uint64_t minnow_mistakes(const Labelled& rows, double rate, Misprint misprint) {
  Vector logarithm(rows.front().first.size());
  std::uint64_t mistakes = 0;
  for (const auto& [x, label] : rows) {
    double score = 0;  // it has the sign of <w, x>
    const double most = *std::max_element(logarithm.begin(), logarithm.end());
    for (std::size_t j = 0; j < x.size(); ++j) score += elementary::exp(logarithm[j] - most) * x[j];
    const double predicted = score >= 0 ? 1 : -1;
    const bool mistake = predicted != sign_of(label);
    mistakes += mistake;
    if (!mistake && misprint != Misprint::every_round) continue;
    const double towards = misprint == Misprint::predicted_label ? predicted : sign_of(label);
    for (std::size_t j = 0; j < x.size(); ++j) logarithm[j] += rate * towards * x[j];
  }
  return mistakes;
}

}  // namespace

LabReport lab_wrong_minnow(const LabSettings&) {
  LabReport report("wrong-minnow",
                   "Minnow moves on mistakes alone, by the true label, and its bound has ln cosh(rate R) and a "
                   "comparator without negative weights: as some notes print it, each of the four is refuted.",
                   "Littlestone 1988, Kivinen and Warmuth 1997; rows of two to five features",
                   {"as printed", "rounds", "mistakes", "claimed", "corrected", "the theorem's bound"});
  report.draw("rounds", {"mistakes", "corrected"}, {"the theorem's bound"}, "as printed");
  std::uint64_t before[2] = {0, 0};
  const auto grows = [&](int which, const char* printed, const Labelled& rows, double rate, Misprint misprint,
                         double radius) {
    const std::uint64_t mistakes = minnow_mistakes(rows, rate, misprint);
    const std::uint64_t corrected = minnow_mistakes(rows, rate, Misprint::none);
    const std::uint64_t bound = whole_mistakes(minnow_bound(2, 1, 0.5 * radius, radius, rate));
    report.add({printed, rows.size(), mistakes, bound, corrected, bound},
               corrected <= bound && mistakes > std::max(bound, before[which]));
    before[which] = mistakes;
  };
  for (const std::size_t n : {80u, 320u, 1280u}) {
    // u = (0, 1), margin 1/2: half of the rows pull the first weight up, whether they are mistakes or not.
    Labelled rows(n / 2, {{1, 0.5}, 1});
    rows.resize(n, {{-1, 0.5}, 1});
    grows(0, "moves in every round", rows, 0.5, Misprint::every_round, 1);
  }
  for (const std::size_t n : {80u, 320u, 1280u})  // u = (0, 1), margin 1
    grows(1, "moves by the predicted label", Labelled(n, {{2, -1}, 0}), 0.25, Misprint::predicted_label, 2);
  // One feature, whose only weight is always 1, and u = -1: ln 1 = 0 mistakes are claimed. (x, -x) has room for u.
  const std::uint64_t signed_mistakes = minnow_mistakes(Labelled(100, {{1}, 0}), 0.5, Misprint::none);
  const std::uint64_t doubled = minnow_mistakes(Labelled(100, {{1, -1}, 0}), 0.5, Misprint::none);
  const std::uint64_t bound = whole_mistakes(minnow_bound(2, 1, 1, 1, 0.5));
  report.add({"u of any sign", 100, signed_mistakes, 0, doubled, bound}, signed_mistakes == 100 && doubled <= bound);
  // The majority of the first three of five, rate 3. The denominator of the theorem is negative: there is no bound.
  const double rate = 3, margin = 1 / 3.0, printed = elementary::log(elementary::exp(1.0) / 2);
  const std::uint64_t claimed = whole_mistakes(elementary::log(5.0) / (rate * margin - printed));
  const Labelled rows{{{1, 1, -1, -1, -1}, 1}, {{-1, 1, 1, -1, -1}, 1}, {{1, -1, 1, -1, -1}, 1}};
  const std::uint64_t forced = minnow_mistakes(rows, rate, Misprint::none);
  report.add({"ln((eR + e - eR) / 2)", rows.size(), forced, claimed, nullptr, nullptr},
             forced > claimed && std::isinf(minnow_bound(5, 1, margin, 1, rate)));
  report.conclude("Four times the rounds, about four times the mistakes; corrected, no more than the bound.");
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
