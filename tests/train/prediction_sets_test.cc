// Prediction sets: their thresholds, the coverage that their theorem promises, and adaptive sets on any sequence.

#include "halfspace/detail/train/prediction_sets.h"

#include "halfspace/base/error.h"
#include "halfspace/base/random.h"
#include "halfspace/model/model_file.h"
#include "halfspace/rules/perceptron.h"
#include "halfspace/stream/array_rows.h"
#include "halfspace/train/evaluate.h"
#include "halfspace/train/train.h"
#include "halfspace/train/trainer.h"
#include "support/test.h"

namespace halfspace::testing {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(ConformalRank, IsTheCeiling) {
  // In integers: of coverage p / 1000 the rank is the least k with 1000 k >= p (n + 1).
  for (std::uint64_t p = 1; p < 1000; ++p) {
    const double coverage = static_cast<double>(p) / 1000;
    for (const std::uint64_t n : {0, 1, 8, 9, 10, 19, 99, 100, 999, 12345}) {
      ASSERT_EQ(conformal_rank(n, coverage), (p * (n + 1) + 999) / 1000) << n << " " << coverage;
    }
    const std::uint64_t fewest = fewest_rows(coverage);
    EXPECT_LE(conformal_rank(fewest, coverage), fewest);
    if (fewest > 0) {
      EXPECT_GT(conformal_rank(fewest - 1, coverage), fewest - 1);
    }
  }
  EXPECT_EQ(fewest_rows(0.9), 9U);
  EXPECT_EQ(fewest_rows(0.99), 99U);
}

TEST(Nonconformity, IsTheMarginOfTheBestOther) {
  const double one[] = {1.5}, three[] = {1, -2, 4}, wide[] = {-1.7e308, 1.7e308};
  EXPECT_EQ(nonconformity(one, 1), -1.5);
  EXPECT_EQ(nonconformity(one, 0), 1.5);
  EXPECT_EQ(nonconformity(three, 2), -3);
  EXPECT_EQ(nonconformity(three, 0), 3);
  EXPECT_EQ(nonconformity(three, 1), 6);
  EXPECT_TRUE(std::isfinite(nonconformity(wide, 0)));
  const double zero[] = {0.0};
  EXPECT_FALSE(std::signbit(nonconformity(zero, 1)));
}

// Compares thresholds with those of all scores, sorted.
TEST(PredictionSets, TakeTheOrderStatistic) {
  Generator draws(3);
  for (int round = 0; round < 300; ++round) {
    std::vector<std::vector<double>> of_class(2 + pick(draws, 3));
    std::vector<double> all;
    for (auto& one : of_class) {
      for (std::uint64_t i = pick(draws, 40); i > 0; --i) {
        one.push_back(round % 2 == 0 ? gaussian(draws) : static_cast<double>(pick(draws, 5)));
        all.push_back(one.back());
      }
    }
    const ConformalScores kept = conformal_scores(of_class);
    for (const double coverage : {0.05, 0.5, 0.8, 0.9, 0.95}) {
      const auto slow = [&](std::vector<double> scores) {
        std::sort(scores.begin(), scores.end());
        const std::uint64_t k = conformal_rank(scores.size(), coverage);
        return k > scores.size() ? infinity : scores[k - 1];
      };
      const PredictionSets marginal(kept, coverage), each(kept, coverage, true);
      for (std::size_t k = 0; k < of_class.size(); ++k) {
        EXPECT_EQ(marginal.thresholds()[k], slow(all));
        EXPECT_EQ(each.thresholds()[k], slow(of_class[k]));
      }
    }
  }
}

TEST(PredictionSets, ThinnedScoresErrOnTheSafeSide) {
  Generator draws(5);
  std::vector<std::vector<double>> of_class(2);
  std::vector<double> all;
  for (int i = 0; i < 30'000; ++i) {
    all.push_back(gaussian(draws));
    of_class[i % 3 == 0 ? 0 : 1].push_back(all.back());
  }
  const ConformalScores kept = conformal_scores(of_class);
  EXPECT_EQ(kept.of_class[1].scores.size(), ConformalScores::most_scores);
  EXPECT_EQ(kept.of_class[1].rows, 20'000U);
  EXPECT_EQ(kept.of_class[1].scores.back(), *std::max_element(of_class[1].begin(), of_class[1].end()));
  std::sort(all.begin(), all.end());
  for (int p = 1; p < 1000; ++p) {
    const double coverage = p / 1000.0;
    const double threshold = PredictionSets(kept, coverage).thresholds()[0];
    const std::uint64_t k = conformal_rank(all.size(), coverage);
    ASSERT_GE(threshold, all[k - 1]) << coverage;
    const auto at = static_cast<double>(std::upper_bound(all.begin(), all.end(), threshold) - all.begin());
    EXPECT_LE(at / 30'000, coverage + 1.0 / ConformalScores::most_scores + 0.001);
  }
}

TEST(PredictionSets, TooFewRowsGiveAllClasses) {
  const ConformalScores few = conformal_scores({{-1, -2, -3, -4}, {-1, -2, -3, -4}});
  const PredictionSets sets(few, 0.9), each(few, 0.8, true), none(conformal_scores({{}, {}}), 0.5);
  EXPECT_EQ(sets.always(), (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(each.always(), (std::vector<std::size_t>{}));
  EXPECT_EQ(none.always(), (std::vector<std::size_t>{0, 1}));
  std::uint8_t set[2] = {0, 0};
  const double score[] = {1e300};
  sets.contains(score, set);
  EXPECT_EQ(set[0] + set[1], 2);
  EXPECT_THROW(PredictionSets(few, 1), Error);
  EXPECT_THROW(PredictionSets(few, 0), Error);
}

// Rows of `classes` overlapping clouds in a plane.
struct Sample {
  std::vector<double> values;
  std::vector<std::int32_t> label;

  Sample(Generator& draws, std::size_t rows, std::size_t classes) {
    for (std::size_t i = 0; i < rows; ++i) {
      label.push_back(static_cast<std::int32_t>(pick(draws, classes)));
      values.push_back(gaussian(draws) + 1.2 * (label.back() == 0) - 0.3);
      values.push_back(gaussian(draws) + 1.2 * (label.back() == 1));
    }
  }
};

// Trains on every row that is not held out, and returns the model.
Model trained(const Sample& sample, std::size_t classes, double holdout, bool calibrated) {
  TrainOptions options;
  options.composition.rule = rule::perceptron;
  options.composition.keep = KeepName::average;
  options.composition.order = OrderName::stream;
  options.holdout = holdout;
  options.conformal = true;
  if (calibrated) options.calibrate = CalibrationMethod::isotonic;
  Schema schema;
  for (std::size_t k = 0; k < classes; ++k) schema.labels.names.push_back(std::to_string(k));
  schema.features = 2;
  Trainer trainer(options, schema);
  BlockBuffer rows;
  for (std::size_t i = 0; i < sample.label.size(); ++i) {
    rows.add(0, sample.values[2 * i]);
    rows.add(1, sample.values[2 * i + 1]);
    rows.end_row(sample.label[i], i + 1);
  }
  trainer.learn(rows.finish());
  return trainer.result().model;
}

struct Covered {
  double mean = 0;               // over the simulations
  std::vector<double> of_class;  // the same, of the rows of each class
};

// Draws `runs` data sets, each with n held-out rows, a model and `fresh` new rows; returns the mean coverage of the sets.
Covered simulated(std::size_t n, std::size_t classes, double coverage, bool each_class, int runs, std::size_t fresh) {
  Covered result;
  result.of_class.assign(classes, 0);
  for (int run = 0; run < runs; ++run) {
    Generator draws(static_cast<std::uint64_t>(1000 + run));
    const Model model = trained(Sample(draws, 2 * n, classes), classes, 0.5, run % 2 == 1);
    EXPECT_EQ(model.conformal->rows(), n);
    const PredictionSets sets(*model.conformal, coverage, each_class);
    const Sample news(draws, fresh, classes);
    Predictor predictor(model);
    BlockBuffer rows;
    for (std::size_t i = 0; i < fresh; ++i) {
      rows.add(0, news.values[2 * i]);
      rows.add(1, news.values[2 * i + 1]);
      rows.end_row(news.label[i], i + 1);
    }
    std::vector<std::int32_t> predicted;
    std::vector<double> scores;
    const std::uint32_t vectors = predictor.score_all(rows.finish(), predicted, scores);
    std::vector<std::uint8_t> set(classes);
    std::vector<double> seen(classes, 0), right(classes, 0);
    for (std::size_t i = 0; i < fresh; ++i) {
      sets.contains(std::span<const double>(scores).subspan(i * vectors, vectors), set);
      const auto truth = static_cast<std::size_t>(news.label[i]);
      result.mean += set[truth] / static_cast<double>(fresh) / runs;
      seen[truth] += 1;
      right[truth] += set[truth];
    }
    for (std::size_t k = 0; k < classes; ++k)
      result.of_class[k] += seen[k] == 0 ? 1.0 / runs : right[k] / seen[k] / runs;
  }
  return result;
}

// Returns t with P(|mean of 2,000 simulations - its expectation| > t) < 1e-6, by Bernstein's inequality. The coverage of a
// simulation lies in [0, 1]; given the held-out rows it has a beta distribution of k and n + 1 - k, seen through `fresh`
// rows, so that its variance is at most q (1 - q) (1 / (n + 2) + 1 / fresh), with q = k / (n + 1).
double error_of_simulation(double q, double n, double fresh) {
  const double variance = q * (1 - q) * (1 / (n + 2) + 1 / fresh), runs = 2000, log = std::log(2e6);
  const double third = std::max(q, 1 - q) / 3;
  return (third * log + std::sqrt(third * third * log * log + 2 * runs * variance * log)) / runs;
}

TEST(PredictionSets, CoverAsTheTheoremSays) {
  const double coverage = 0.9;
  for (const std::size_t n : {19, 25, 99}) {
    for (const std::size_t classes : {2, 3}) {
      const double k = static_cast<double>(conformal_rank(n, coverage)), all = static_cast<double>(n) + 1;
      const double slack = error_of_simulation(k / all, static_cast<double>(n), 50);
      const double mean = simulated(n, classes, coverage, false, 2000, 50).mean;
      EXPECT_GE(mean, coverage - slack) << n << " held out, " << classes << " classes";
      EXPECT_LE(mean, coverage + 1 / all + slack) << n << " held out, " << classes << " classes";
      EXPECT_NEAR(mean, k / all, slack) << n << " held out, " << classes << " classes";
    }
  }
}

// For the rows of each class at least 0.8; a class without rows in a simulation counts as covered.
TEST(PredictionSets, CoverEachClass) {
  const Covered covered = simulated(60, 2, 0.8, true, 2000, 50);
  for (const double one : covered.of_class) {
    EXPECT_GE(one, 0.8 - error_of_simulation(0.8, 15, 10));
    EXPECT_LE(one, 0.9);
  }
}

TEST(PredictionSets, SurviveTheModelFile) {
  Generator draws(7);
  Model model = trained(Sample(draws, 100, 3), 3, 0.3, false);
  const auto bytes = encode(model);
  const Model back = decode(bytes, "m");
  EXPECT_TRUE(back == model);
  EXPECT_EQ(back.conformal->rows(), 30U);
  EXPECT_EQ(encode(back), bytes);
  Model damaged = model;
  std::swap(damaged.conformal->of_class[0].scores.front(), damaged.conformal->of_class[0].scores.back());
  EXPECT_THROW(encode(damaged), Error);
  damaged = model;
  damaged.conformal->of_class.pop_back();
  EXPECT_THROW(encode(damaged), Error);
  damaged = model;
  damaged.holdout = 0;
  EXPECT_THROW(encode(damaged), Error);
}

TEST(PredictionSets, NeedRowsHeldOut) {
  Generator draws(7);
  EXPECT_THROW(trained(Sample(draws, 10, 2), 2, 0, false), Error);
}

TEST(PredictionSets, AreEvaluated) {
  Generator draws(11);
  const Model model = trained(Sample(draws, 400, 2), 2, 0.5, false);
  Evaluator evaluator(model, 0.8, true);
  const Sample news(draws, 300, 2);
  BlockBuffer rows;
  for (std::size_t i = 0; i < 300; ++i) {
    rows.add(0, news.values[2 * i]);
    rows.add(1, news.values[2 * i + 1]);
    rows.end_row(news.label[i], i + 1);
  }
  evaluator.add(rows.finish());
  const ModelEvaluation found = evaluator.result();
  ASSERT_TRUE(found.sets);
  EXPECT_EQ(found.sets->counts.rows, 300U);
  EXPECT_EQ(found.sets->held_out, 200U);
  EXPECT_EQ(found.sets->covered[0] + found.sets->covered[1], found.sets->counts.covered);
  EXPECT_NEAR(found.sets->counts.coverage(), 0.8, 0.1);
  EXPECT_LE(found.sets->counts.singles + found.sets->counts.empty, 300U);
}

// ---- Adaptive sets ----

// Checks the theorem's bound after every round.
void expect_within_bound(const AdaptiveSets& sets, const char* what) {
  const auto rows = static_cast<double>(sets.rows());
  const double observed = static_cast<double>(sets.errors()) / rows;
  ASSERT_LE(std::abs(observed - (1 - sets.coverage())), sets.bound()) << what << ", " << sets.rows() << " rows";
  ASSERT_GE(sets.level(), -AdaptiveSets::step - 1e-9) << what;
  ASSERT_LE(sets.level(), 1 + AdaptiveSets::step + 1e-9) << what;
}

TEST(AdaptiveSets, KeepTheirBoundOnAnySequence) {
  for (const double coverage : {0.5, 0.8, 0.9, 0.99}) {
    for (int kind = 0; kind < 7; ++kind) {
      AdaptiveSets sets(coverage);
      Generator draws(static_cast<std::uint64_t>(kind));
      double drifting = 0;
      for (int t = 0; t < 6000; ++t) {
        const double limit = sets.threshold();
        double truth = gaussian(draws);
        const double beyond = std::isfinite(limit) ? std::nextafter(limit, infinity) : 0;
        if (kind == 1) truth = drifting += 0.01;                         // ever worse
        if (kind == 2) truth = drifting -= 0.01;                         // ever better
        if (kind == 3) truth = beyond;                                   // always just outside
        if (kind == 4) truth = std::isfinite(limit) ? limit : 0;         // always just inside
        if (kind == 5) truth = (t / 500) % 2 == 0 ? beyond : -1e300;     // in phases
        if (kind == 6) truth = t % 1000 < 10 ? 1e300 : gaussian(draws);  // outliers
        sets.add(truth);
        expect_within_bound(sets, "sequence");
      }
      EXPECT_EQ(sets.rows(), 6000U);
    }
  }
}

TEST(AdaptiveSets, AreNeverWrongAtLevelZero) {
  AdaptiveSets sets(0.9);
  while (sets.level() > 0) sets.add(0, false);
  EXPECT_EQ(sets.threshold(), infinity);
  while (sets.level() < 1) sets.add(0, true);
  EXPECT_EQ(sets.threshold(), -infinity);
}

// The quantile of the latest truths only, by sorting them.
TEST(AdaptiveSets, TakeTheQuantileOfTheWindow) {
  AdaptiveSets sets(0.7);
  Generator draws(23);
  std::vector<double> all;
  for (int t = 0; t < 3000; ++t) {
    if (const double level = sets.level(); level > 0 && level < 1) {
      std::vector<double> latest(all.end() - std::min<std::ptrdiff_t>(std::ssize(all), AdaptiveSets::window),
                                 all.end());
      std::sort(latest.begin(), latest.end());
      const auto rank =
          static_cast<std::size_t>(std::ceil((static_cast<double>(latest.size()) + 1) * (1 - level) - 1e-12));
      ASSERT_EQ(sets.threshold(), rank > latest.size() ? infinity : latest[std::max<std::size_t>(rank, 1) - 1]) << t;
    }
    all.push_back(static_cast<double>(pick(draws, 1000)) + t / 10.0);
    sets.add(all.back());
  }
}

TEST(AdaptiveSets, AreIssuedWhileTraining) {
  Generator draws(29);
  for (const std::size_t classes : {2, 3}) {
    const Sample sample(draws, 3000, classes);
    TrainOptions options;
    options.composition.order = OrderName::stream;
    options.sets = 0.9;
    if (classes > 2) options.composition = fit_to_labels(options.composition, {.names = {"0", "1", "2"}});
    Schema schema;
    for (std::size_t k = 0; k < classes; ++k) schema.labels.names.push_back(std::to_string(k));
    Trainer trainer(options, schema);
    BlockBuffer rows;
    for (std::size_t i = 0; i < sample.label.size(); ++i) {
      rows.add(0, sample.values[2 * i]);
      rows.add(1, sample.values[2 * i + 1]);
      rows.end_row(sample.label[i], i + 1);
    }
    trainer.learn(rows.finish());
    const TrainResult result = trainer.result();
    ASSERT_TRUE(result.sets);
    EXPECT_EQ(result.sets->sets.rows(), 3000U);
    EXPECT_EQ(result.sets->counts.covered, 3000 - result.sets->sets.errors());
    expect_within_bound(result.sets->sets, "training");
    EXPECT_FALSE(result.model.conformal);
    if (classes == 2) {
      EXPECT_GT(result.sets->counts.singles, 1000U);
    }
  }
  TrainOptions shuffled;
  shuffled.composition.order = OrderName::shuffled;
  shuffled.until.passes = 1;
  shuffled.sets = 0.9;
  EXPECT_THROW(Trainer(shuffled, Schema{}), Error);
}

}  // namespace
}  // namespace halfspace::testing
