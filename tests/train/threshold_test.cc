// Decision thresholds: placed at a probability, or where a metric is best, with bounds on their error that hold.

#include "halfspace/train/threshold.h"

#include "halfspace/base/error.h"
#include "halfspace/base/random.h"
#include "halfspace/detail/rules/kernel_perceptron.h"
#include "halfspace/model/model_file.h"
#include "halfspace/train/trainer.h"
#include "support/test.h"

namespace halfspace::testing {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const std::vector<std::string> names = {"no", "yes"};

// Scores of two classes: noise, raised for the positive class.
struct Scored {
  std::vector<double> score;
  std::vector<std::int32_t> label;

  Scored(Generator& draws, std::size_t rows, double raised) {
    for (std::size_t i = 0; i < rows; ++i) {
      label.push_back(static_cast<std::int32_t>(pick(draws, 2)));
      score.push_back(gaussian(draws) + (label.back() == 1 ? raised : 0));
    }
    label[0] = 0;
    label[1] = 1;
  }
  Calibration calibrated(CalibrationMethod method) const { return calibrate(method, 1, score, label, names); }
};

TEST(Threshold, AtAProbabilityIsTheLeastScoreThatReachesIt) {
  Generator draws(5);
  for (int round = 0; round < 40; ++round) {
    const Scored rows(draws, 200, 1.5);
    for (const CalibrationMethod method : {CalibrationMethod::platt, CalibrationMethod::isotonic}) {
      const Calibration curves = rows.calibrated(method);
      const auto positive = [&](double score) { return curves.probabilities({&score, 1})[1]; };
      const double lowest = positive(-std::numeric_limits<double>::max()), highest = positive(1e300);
      for (const double wanted : {0.1, 0.2, 0.5, 0.75, 0.9}) {
        if (!(lowest < wanted && wanted <= highest)) continue;
        const double threshold = threshold_at(curves, wanted);
        EXPECT_GE(positive(threshold), wanted);
        EXPECT_LT(positive(std::nextafter(threshold, -infinity)), wanted);
      }
    }
  }
}

TEST(Threshold, AtAProbabilityThatNoScoreHasIsRefused) {
  Generator draws(6);
  const Scored rows(draws, 200, 1.5), against(draws, 200, -1.5);
  const Calibration rises = rows.calibrated(CalibrationMethod::platt);
  EXPECT_THROW(threshold_at({}, 0.5), Error);
  EXPECT_THROW(threshold_at(rises, 0), Error);
  EXPECT_THROW(threshold_at(rises, 1), Error);
  EXPECT_THROW(threshold_at(rises, std::nan("")), Error);
  EXPECT_THROW(threshold_at(against.calibrated(CalibrationMethod::platt), 0.5), Error) << "falls";
  const Calibration flat = against.calibrated(CalibrationMethod::isotonic);
  EXPECT_THROW(threshold_at(flat, 0.001), Error) << "every score reaches it";
  EXPECT_THROW(threshold_at(flat, 0.999), Error) << "no score reaches it";
}

TEST(Threshold, OfAMetricIsBestAmongAllThresholds) {
  Generator draws(7);
  for (int round = 0; round < 60; ++round) {
    const Scored rows(draws, 30 + pick(draws, 40), 1);
    MetricOptions options;
    options.costs = {{"no", "yes", 1}, {"yes", "no", 5}};
    const double threshold = threshold_of(rows.score, rows.label, Metric::cost, options, names);
    const auto cost = [&](double at) {
      double sum = 0;
      for (std::size_t i = 0; i < rows.label.size(); ++i) {
        const bool positive = rows.score[i] >= at;
        if (positive != (rows.label[i] == 1)) sum += positive ? 1 : 5;
      }
      return sum;
    };
    for (const double score : rows.score) {
      EXPECT_GE(cost(score), cost(threshold));
      EXPECT_GE(cost(std::nextafter(score, infinity)), cost(threshold));
    }
    const double least_errors = threshold_of(rows.score, rows.label, Metric::accuracy, {}, names);
    for (const double score : rows.score)
      EXPECT_GE(errors_at(score, rows.score, rows.label), errors_at(least_errors, rows.score, rows.label));
  }
}

// The scores say nothing of the labels, so that every threshold errs on half of the new rows; the best of the rows that
// chose it looks much better.
TEST(ExpectedErrorOfThreshold, HoldsAlthoughTheRowsChoseTheThreshold) {
  Generator draws(8);
  int wrong = 0, flattered = 0;
  constexpr int rounds = 400;
  for (int round = 0; round < rounds; ++round) {
    const Scored rows(draws, 100, 0);
    const double threshold = threshold_of(rows.score, rows.label, Metric::accuracy, {}, names);
    const auto errors = static_cast<std::uint64_t>(errors_at(threshold, rows.score, rows.label));
    const auto expected = expected_error_of_threshold(rows.label.size(), errors, 0.8);
    ASSERT_TRUE(expected.has_value());
    EXPECT_EQ(expected->from, ExpectedFrom::threshold);
    EXPECT_EQ(expected->errors, errors);
    wrong += expected->bounds.lower <= 0.5 && 0.5 <= expected->bounds.upper ? 0 : 1;
    flattered += kept_out_error(rows.label.size(), errors, 0.8).upper < 0.5;
  }
  EXPECT_LE(wrong, rounds / 5);
  EXPECT_GT(flattered, rounds / 5) << "the test is no test if bounds for rows that chose nothing would hold";
}

TEST(ExpectedErrorOfThreshold, IsThatOfTheTheorem) {
  for (const std::uint64_t errors : {0, 1, 2, 7, 29, 30}) {
    const auto expected = expected_error_of_threshold(30, errors, 0.9, 4);
    ASSERT_TRUE(expected.has_value());
    const double each = 1 - 0.1 / (30.0 * 33 / 2 * 4);
    EXPECT_NEAR(expected->bounds.upper, kept_out_error(28, std::min<std::uint64_t>(errors, 28), each).upper, 1e-9);
    EXPECT_NEAR(expected->bounds.lower, kept_out_error(28, errors < 2 ? 0 : errors - 2, each).lower, 1e-9);
  }
  EXPECT_FALSE(expected_error_of_threshold(2, 0).has_value());
  EXPECT_THROW(expected_error_of_threshold(30, 3, 1), Error);
}

// Two overlapping clouds, learned with a threshold.
TrainResult learned(const TrainOptions& options, std::size_t classes = 2) {
  Schema schema;
  schema.features = 2;
  for (std::size_t k = 0; k < classes; ++k) schema.labels.names.push_back(std::to_string(k));
  Trainer trainer(options, schema);
  Generator draws(9);
  BlockBuffer rows;
  for (std::size_t i = 0; i < 600; ++i) {
    const auto label = static_cast<std::int32_t>(pick(draws, classes));
    rows.add(0, gaussian(draws) + 1.2 * label);
    rows.add(1, gaussian(draws) - 0.8 * label);
    rows.end_row(label, i + 1);
  }
  trainer.learn(rows.finish());
  return trainer.result();
}
TrainOptions asking(ThresholdChoice threshold) {
  TrainOptions options;
  options.composition.keep = KeepName::average;
  options.composition.order = OrderName::stream;
  options.holdout = 0.3;
  options.threshold = threshold;
  return options;
}
std::uint64_t wrong_on_held_out(const TrainResult& result) {
  return static_cast<std::uint64_t>(result.holdout->errors);
}

TEST(Threshold, IsPlacedAtTheEndOfARun) {
  TrainOptions options = asking({});
  const TrainResult best = learned(options);
  ASSERT_TRUE(best.model.threshold.has_value());
  EXPECT_EQ(best.threshold_by, "accuracy");
  EXPECT_EQ(best.expected_error->from, ExpectedFrom::threshold);
  EXPECT_EQ(best.expected_error->errors, wrong_on_held_out(best));
  options.threshold.reset();
  const TrainResult plain = learned(options);
  EXPECT_FALSE(plain.model.threshold.has_value());
  EXPECT_LE(wrong_on_held_out(best), wrong_on_held_out(plain));
  EXPECT_EQ(best.model.weights.w, plain.model.weights.w);
  EXPECT_EQ(best.model.ledger.mistakes, plain.model.ledger.mistakes) << "learning ignores it";
  EXPECT_TRUE(decode(encode(best.model), "m") == best.model);
}

TEST(Threshold, OfAProbabilityNeedsOne) {
  TrainOptions options = asking({0.2, {}});
  EXPECT_THROW(learned(options), Error);
  options.calibrate = CalibrationMethod::platt;
  const TrainResult result = learned(options);
  ASSERT_TRUE(result.model.threshold.has_value());
  EXPECT_EQ(*result.model.threshold, threshold_at(result.model.calibration, 0.2));
  EXPECT_EQ(result.threshold_by, "probability");
  EXPECT_FALSE(result.expected_error.has_value()) << "the held-out rows fitted the probabilities";
  EXPECT_TRUE(has(result.why_no_expected_error, "evaluate"));
}

TEST(Threshold, IsOfTwoClasses) {
  try {
    learned(asking({}), 3);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_TRUE(has(error.message(), "needs two classes")) << error.what();
  }
}

// Predictions of every kind of model decide by it: one vector, votes, and kernels.
TEST(Threshold, DecidesWhateverMakesTheScore) {
  for (const KeepName keep : {KeepName::last, KeepName::average, KeepName::vote}) {
    for (const bool kernel : {false, true}) {
      if (kernel && keep == KeepName::vote) continue;
      TrainOptions options = asking({});
      options.composition.keep = keep;
      if (kernel) options.composition.rule = rule::kernel;
      Model model = learned(options).model;
      ASSERT_TRUE(model.threshold.has_value());
      BlockBuffer rows;
      Generator draws(10);
      for (std::size_t i = 0; i < 50; ++i) {
        rows.add(0, gaussian(draws));
        rows.add(1, gaussian(draws));
        rows.end_row(0, i + 1);
      }
      const Block block = rows.finish();
      std::vector<std::int32_t> classes;
      std::vector<double> scores;
      Predictor(model).predict(block, classes, scores);
      model.threshold = scores[17];
      Predictor(model).predict(block, classes, scores);
      for (std::size_t i = 0; i < scores.size(); ++i) EXPECT_EQ(classes[i], scores[i] >= scores[17] ? 1 : 0);
    }
  }
}

}  // namespace
}  // namespace halfspace::testing
