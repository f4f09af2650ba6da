// Metrics against definitions written out by pairs, cells and every threshold; intervals and their reproducibility.
#include "halfspace/train/metrics.h"

#include "halfspace/base/error.h"
#include "halfspace/base/random.h"
#include "support/test.h"

namespace halfspace {
namespace {

struct Sample {
  std::size_t classes;
  std::vector<std::int32_t> truth, predicted;
  std::vector<double> weight;
  std::vector<std::vector<double>> score, probability;

  std::size_t size() const { return truth.size(); }
  PredictedRows rows() const {
    PredictedRows made(classes);
    for (std::size_t i = 0; i < size(); ++i) made.add({truth[i], predicted[i], weight[i], score[i], probability[i]});
    return made;
  }
};

// Draws rows with many ties; `weighted`: weights 0 to 3 in quarters.
Sample sample(std::size_t classes, std::size_t count, std::uint64_t seed, bool weighted) {
  Generator draws(seed);
  Sample s{classes, {}, {}, {}, {}, {}};
  for (std::size_t i = 0; i < count; ++i) {
    s.truth.push_back(static_cast<std::int32_t>(pick(draws, classes)));
    s.weight.push_back(weighted ? static_cast<double>(pick(draws, 13)) / 4 : 1);
    std::vector<double> score(classes == 2 ? 1 : classes);
    for (std::size_t k = 0; k < score.size(); ++k) {
      const bool own = classes == 2 ? s.truth.back() == 1 : s.truth.back() == static_cast<std::int32_t>(k);
      score[k] = std::floor(7 * draws.next()) - 3 + (own ? 2 : 0);
    }
    std::vector<double> p(classes);
    for (double& one : p) one = 0.05 + draws.next();
    const double sum = std::accumulate(p.begin(), p.end(), 0.0);
    for (double& one : p) one /= sum;
    s.predicted.push_back(
        classes == 2 ? score[0] >= 0
                     : static_cast<std::int32_t>(std::max_element(score.begin(), score.end()) - score.begin()));
    s.score.push_back(score);
    s.probability.push_back(p);
  }
  return s;
}

double weight_where(const Sample& s, auto&& holds) {
  double sum = 0;
  for (std::size_t i = 0; i < s.size(); ++i) sum += holds(i) ? s.weight[i] : 0;
  return sum;
}

// Pairs of a row of the class and another, ranked correctly.
double auc_by_pairs(const Sample& s, std::size_t vector, std::int32_t positive) {
  double right = 0, pairs = 0;
  for (std::size_t i = 0; i < s.size(); ++i) {
    for (std::size_t j = 0; j < s.size(); ++j) {
      if (s.truth[i] != positive || s.truth[j] == positive) continue;
      const double w = s.weight[i] * s.weight[j], a = s.score[i][vector], b = s.score[j][vector];
      pairs += w;
      right += a > b ? w : a == b ? w / 2 : 0;
    }
  }
  return right / pairs;
}

// The sum over distinct scores of the step of recall times the precision there.
double average_precision_by_scores(const Sample& s, std::size_t vector, std::int32_t positive) {
  std::vector<double> scores;
  for (const auto& one : s.score) scores.push_back(one[vector]);
  std::sort(scores.rbegin(), scores.rend());
  scores.erase(std::unique(scores.begin(), scores.end()), scores.end());
  const double positives = weight_where(s, [&](std::size_t i) { return s.truth[i] == positive; });
  double sum = 0, before = 0;
  for (const double least : scores) {
    const auto taken = [&](std::size_t i) { return s.score[i][vector] >= least; };
    const double all = weight_where(s, taken);
    const double yes = weight_where(s, [&](std::size_t i) { return taken(i) && s.truth[i] == positive; });
    if (all > 0) sum += (yes - before) / positives * (yes / all);
    before = yes;
  }
  return sum;
}

constexpr double close = 1e-12;

TEST(Metrics, OfTwoClassesAreTheirDefinitions) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const bool weighted = seed % 2 == 0;
    const Sample s = sample(2, 12 + seed, seed, weighted);
    const PredictedRows rows = s.rows();
    const auto cell = [&](int t, int p) {
      return weight_where(s, [&](std::size_t i) { return s.truth[i] == t && s.predicted[i] == p; });
    };
    const double tn = cell(0, 0), fp = cell(0, 1), fn = cell(1, 0), tp = cell(1, 1), n = tn + fp + fn + tp;
    if (tp + fn == 0 || tn + fp == 0 || tp + fp == 0) continue;
    const MetricOptions options{.beta = 2, .lift_share = 0.2};
    const auto value = [&](Metric metric) { return value_of(metric, rows, options, std::vector<double>{0, 1, 5, -1}); };
    EXPECT_NEAR(value(Metric::accuracy), (tp + tn) / n, close);
    EXPECT_NEAR(value(Metric::balanced_accuracy), (tp / (tp + fn) + tn / (tn + fp)) / 2, close);
    EXPECT_NEAR(value(Metric::precision), tp / (tp + fp), close);
    EXPECT_NEAR(value(Metric::recall), tp / (tp + fn), close);
    const double p = tp / (tp + fp), r = tp / (tp + fn);
    if (tp > 0) {
      EXPECT_NEAR(value(Metric::f), 5 * p * r / (4 * p + r), close);
    }
    const double root = std::sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn));
    if (root > 0) {
      EXPECT_NEAR(value(Metric::matthews), (tp * tn - fp * fn) / root, close);
    }
    EXPECT_NEAR(value(Metric::cost), (fp + 5 * fn - tp) / n, close);
    EXPECT_NEAR(value(Metric::auc), auc_by_pairs(s, 0, 1), close);
    EXPECT_NEAR(value(Metric::average_precision), average_precision_by_scores(s, 0, 1), close);
    double log_loss = 0, brier = 0;
    for (std::size_t i = 0; i < s.size(); ++i) {
      const auto k = static_cast<std::size_t>(s.truth[i]);
      log_loss -= s.weight[i] * std::log(s.probability[i][k]);
      brier += s.weight[i] * std::pow(s.probability[i][1] - s.truth[i], 2);
    }
    EXPECT_NEAR(value(Metric::log_loss), log_loss / n, close);
    EXPECT_NEAR(value(Metric::brier), brier / n, close);
  }
}

TEST(Metrics, OfSeveralClassesAreAveragesOfOneAgainstRest) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Sample s = sample(4, 60, seed, seed % 2 == 0);
    const PredictedRows rows = s.rows();
    for (const Averaging how : {Averaging::macro, Averaging::micro, Averaging::weighted}) {
      const MetricOptions options{.averaging = how};
      double precision = 0, recall = 0, f = 0, auc = 0, weights = 0;
      for (std::int32_t k = 0; k < 4; ++k) {
        const double truth = weight_where(s, [&](std::size_t i) { return s.truth[i] == k; });
        const double predicted = weight_where(s, [&](std::size_t i) { return s.predicted[i] == k; });
        const double right = weight_where(s, [&](std::size_t i) { return s.truth[i] == k && s.predicted[i] == k; });
        const double weight = how == Averaging::weighted ? truth : 1;
        weights += weight;
        precision += weight * (predicted > 0 ? right / predicted : 0);
        recall += weight * right / truth;
        f += weight * 2 * right / (truth + predicted);
        auc += weight * auc_by_pairs(s, static_cast<std::size_t>(k), k);
      }
      const double accuracy = value_of(Metric::accuracy, rows, options);
      const bool pooled = how == Averaging::micro;
      EXPECT_NEAR(value_of(Metric::precision, rows, options), pooled ? accuracy : precision / weights, close);
      EXPECT_NEAR(value_of(Metric::recall, rows, options), pooled ? accuracy : recall / weights, close);
      EXPECT_NEAR(value_of(Metric::f, rows, options), pooled ? accuracy : f / weights, close);
      if (!pooled) {
        EXPECT_NEAR(value_of(Metric::auc, rows, options), auc / weights, close);
      }
    }
  }
}

TEST(Metrics, WeightsAreCopies) {
  const Sample whole = sample(3, 50, 9, false);
  Sample weighted = whole, copied{3, {}, {}, {}, {}, {}};
  for (std::size_t i = 0; i < whole.size(); ++i) {
    weighted.weight[i] = static_cast<double>(i % 3);
    for (std::size_t c = 0; c < i % 3; ++c) {
      copied.truth.push_back(whole.truth[i]);
      copied.predicted.push_back(whole.predicted[i]);
      copied.weight.push_back(1);
      copied.score.push_back(whole.score[i]);
      copied.probability.push_back(whole.probability[i]);
    }
  }
  for (const Metric metric : values<Metric>()) {
    if (metric == Metric::lift || metric == Metric::cost) continue;
    EXPECT_NEAR(value_of(metric, weighted.rows(), {}), value_of(metric, copied.rows(), {}), close) << name_of(metric);
  }
}

TEST(Metrics, LiftSharesATieThatCrossesTheTop) {
  PredictedRows rows(2);
  const auto add = [&](int truth, double score) { rows.add({truth, 1, 1, std::span(&score, 1)}); };
  for (int i = 0; i < 2; ++i) add(1, 9);              // the two best rows
  for (int i = 0; i < 4; ++i) add(i < 1 ? 1 : 0, 5);  // a tie, a quarter of it positive
  for (int i = 0; i < 4; ++i) add(0, 1);
  EXPECT_NEAR(value_of(Metric::lift, rows, {.lift_share = 0.2}), 1 / 0.3, close);
  EXPECT_NEAR(value_of(Metric::lift, rows, {.lift_share = 0.4}), (2.5 / 4) / 0.3, close);
  EXPECT_NEAR(value_of(Metric::lift, rows, {.lift_share = 1}), 1, close);
}

TEST(Metrics, UndefinedOnesAreLeftOut) {
  PredictedRows rows(2);
  const double score = -1;
  for (int i = 0; i < 30; ++i) rows.add({0, 0, 1, std::span(&score, 1)});
  EXPECT_TRUE(std::isnan(value_of(Metric::precision, rows, {})));
  EXPECT_TRUE(std::isnan(value_of(Metric::auc, rows, {})));
  EXPECT_TRUE(std::isnan(value_of(Metric::log_loss, rows, {})));
  for (const Estimate& one : estimates(rows, std::vector<std::string>{"a", "b"}, {}, {}))
    EXPECT_FALSE(std::isnan(one.value)) << name_of(one.metric);
}

// More scores than are kept would take too much memory: curves are left out, counts are not.
TEST(Metrics, ManyScoresOfManyClassesAreNotKept) {
  constexpr std::size_t classes = 4096;
  PredictedRows rows(classes);
  const std::vector<double> scores(classes, 0.5);
  for (std::size_t i = 0; i < PredictedRows::most_scores / classes; ++i) rows.add({0, 0, 1, scores});
  EXPECT_TRUE(rows.has_scores());
  rows.add({1, 0, 1, scores});
  rows.add({0, 0, 1, scores});
  EXPECT_FALSE(rows.has_scores());
  EXPECT_TRUE(std::isnan(value_of(Metric::auc, rows, {})));
  EXPECT_NEAR(value_of(Metric::accuracy, rows, {}), 1 - 1.0 / static_cast<double>(rows.rows()), close);
}

TEST(Metrics, IntervalsHoldTheValueAndAreTheSameAgain) {
  const std::vector<std::string> names{"no", "yes"};
  const PredictedRows rows = sample(2, 400, 3, false).rows();
  const auto found = estimates(rows, names, {.costs = {{"yes", "no", 5}}}, {.seed = 7});
  const auto again = estimates(rows, names, {.costs = {{"yes", "no", 5}}}, {.seed = 7});
  const auto other = estimates(rows, names, {.costs = {{"yes", "no", 5}}}, {.seed = 8});
  ASSERT_EQ(found.size(), halfspace::names<Metric>().size());
  bool differs = false;
  for (std::size_t m = 0; m < found.size(); ++m) {
    ASSERT_TRUE(found[m].bounds) << name_of(found[m].metric);
    EXPECT_LT(found[m].bounds->lower, found[m].value) << name_of(found[m].metric);
    EXPECT_GT(found[m].bounds->upper, found[m].value) << name_of(found[m].metric);
    EXPECT_EQ(*found[m].bounds, *again[m].bounds);
    differs = differs || *found[m].bounds != *other[m].bounds;
    const bool exact = found[m].metric == Metric::accuracy || found[m].metric == Metric::precision ||
                       found[m].metric == Metric::recall;
    EXPECT_EQ(found[m].exact, exact) << name_of(found[m].metric);
  }
  EXPECT_TRUE(differs);
  for (const Estimate& one : estimates(rows, names, {}, {.resamples = 0})) EXPECT_EQ(one.bounds.has_value(), one.exact);
}

// Of 400 samples of 100 rows, a 95 % interval misses the truth in about 20: within 6 standard deviations.
TEST(Metrics, BootstrapIntervalsCoverTheTruth) {
  int missed = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    Generator draws(seed * 77);
    PredictedRows rows(2);
    for (int i = 0; i < 100; ++i) {
      const int truth = draws.next() < 0.5;
      const double score = truth + 2 * draws.next();  // P(positive above negative) = 7/8
      rows.add({truth, score >= 1.5, 1, std::span(&score, 1)});
    }
    for (const Estimate& one : estimates(rows, std::vector<std::string>{"a", "b"}, {}, {.resamples = 200})) {
      if (one.metric != Metric::auc) continue;
      missed += one.bounds->lower > 7.0 / 8 || one.bounds->upper < 7.0 / 8;
    }
  }
  EXPECT_LE(missed, 20 + 26);
  EXPECT_GE(missed, 5);
}

TEST(Metrics, TheBestThresholdIsNotBeatenByAny) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Sample s = sample(2, 40, seed, seed % 3 == 0);
    const std::vector<double> costs{0, 1, 4, 0};
    for (const Metric metric :
         {Metric::accuracy, Metric::balanced_accuracy, Metric::f, Metric::matthews, Metric::cost}) {
      const auto at = [&](double threshold) {
        Sample moved = s;
        for (std::size_t i = 0; i < s.size(); ++i) moved.predicted[i] = s.score[i][0] >= threshold;
        const double value = value_of(metric, moved.rows(), {}, costs);
        return std::isnan(value) ? -1e300 : (higher_is_better(metric) ? value : -value);
      };
      const double best = at(best_threshold(s.rows(), metric, {}, costs));
      for (double threshold = -4; threshold <= 7; threshold += 0.5) ASSERT_LE(at(threshold), best + close) << threshold;
    }
  }
  const PredictedRows rows = sample(2, 40, 1, false).rows();
  EXPECT_THROW(best_threshold(rows, Metric::auc, {}), Error);
  EXPECT_THROW(best_threshold(sample(3, 40, 1, false).rows(), Metric::f, {}), Error);
}

TEST(Metrics, CurvePointsAreThoseOfTheirThresholds) {
  const Sample s = sample(2, 80, 5, true);
  const PredictedRows rows = s.rows();
  const std::vector<CurvePoint> all = curve_of(rows, 1'000'000);
  for (const CurvePoint& point : all) {
    const auto taken = [&](std::size_t i) { return s.score[i][0] >= point.score; };
    const double yes = weight_where(s, [&](std::size_t i) { return taken(i) && s.truth[i] == 1; });
    const double no = weight_where(s, [&](std::size_t i) { return taken(i) && s.truth[i] == 0; });
    EXPECT_NEAR(point.recall, yes / weight_where(s, [&](std::size_t i) { return s.truth[i] == 1; }), close);
    EXPECT_NEAR(point.false_positive_rate, no / weight_where(s, [&](std::size_t i) { return s.truth[i] == 0; }), close);
    EXPECT_NEAR(point.precision, yes / (yes + no), close);
  }
  EXPECT_EQ(all.back().recall, 1);
  EXPECT_LE(curve_of(rows, 4).size(), 5U);
}

TEST(Metrics, CostsAreParsedByName) {
  const Cost cost = parse_cost("a:b:ok=2.5");
  EXPECT_EQ(cost.truth, "a:b");
  EXPECT_EQ(cost.predicted, "ok");
  EXPECT_EQ(cost.cost, 2.5);
  for (const char* wrong : {"", "a", "a:b", "a=5", "a:=5", ":b=5", "a:b=x"})
    EXPECT_THROW(parse_cost(wrong), Error) << wrong;
  const std::vector<std::string> names{"x", "y"};
  EXPECT_EQ(cost_matrix(std::vector<Cost>{{"y", "x", 9}}, names), (std::vector<double>{0, 1, 9, 0}));
  EXPECT_THROW(cost_matrix(std::vector<Cost>{{"z", "x", 9}}, names), Error);
}

}  // namespace
}  // namespace halfspace
