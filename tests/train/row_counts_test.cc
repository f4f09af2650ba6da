// A row of weight k is k rows, and one of weight 0 is none: figures of weighted rows against those of the rows repeated.
#include "train/metrics/row_counts.h"

#include <fmt/format.h>

#include "halfspace/base/random.h"
#include "halfspace/detail/rules/multiclass.h"
#include "halfspace/rules/passive_aggressive.h"
#include "halfspace/rules/perceptron.h"
#include "halfspace/train/choose.h"
#include "halfspace/train/compare.h"
#include "halfspace/train/evaluate.h"
#include "halfspace/train/folds.h"
#include "halfspace/train/plan.h"
#include "support/test.h"
#include "train/evaluate/paired_evaluation.h"

namespace halfspace {
namespace {

using testing::TemporaryFolder;

struct WeightedRow {
  double a, b;
  int label, times;
};

std::vector<WeightedRow> some_rows(std::uint64_t seed, std::size_t count, int classes) {
  Generator draws(seed);
  std::vector<WeightedRow> rows;
  for (std::size_t i = 0; i < count; ++i) {
    const int label = static_cast<int>(pick(draws, static_cast<std::uint64_t>(classes)));
    // Few values: scores tie.
    rows.push_back({std::round(gaussian(draws) + label), std::round(gaussian(draws) - label), label,
                    static_cast<int>(pick(draws, 5))});
  }
  return rows;
}

// Writes rows in a format that carries weights: with them, or with the rows repeated.
std::string text_of(const std::vector<WeightedRow>& rows, const std::string& format, bool repeated, double unit = 1) {
  std::string text = format == "csv" ? "a,b,w,label\n" : "";
  for (const WeightedRow& row : rows) {
    for (int k = 0; k < (repeated ? row.times : 1); ++k) {
      const double weight = repeated ? 1 : row.times * unit;
      if (format == "csv") {
        text += fmt::format("{},{},{},c{}\n", row.a, row.b, weight, row.label);
      } else if (format == "vw") {
        text += fmt::format("{} {} |f a:{} b:{}\n", row.label == 0 ? -1 : row.label, weight, row.a, row.b);
      } else {
        text +=
            fmt::format("{{\"a\": {}, \"b\": {}, \"w\": {}, \"label\": \"c{}\"}}\n", row.a, row.b, weight, row.label);
      }
    }
  }
  return text;
}

ReadOptions read_of(const std::string& path, const std::string& format) {
  ReadOptions read;
  read.path = path;
  read.columns.weight = format == "vw" ? "" : "w";
  if (format != "vw") read.columns.label = "label";
  read.labels.scan_all = true;
  return read;
}

Model learned(const TemporaryFolder& folder, const std::string& format, int classes, std::uint64_t seed) {
  TrainOptions options;
  options.read = read_of(folder.write("learn." + format, text_of(some_rows(seed, 60, classes), format, true)), format);
  options.composition.rule = rule::pa1;
  options.composition.order = OrderName::shuffled;
  options.composition.keep = KeepName::average;
  options.until.passes = 2;
  options.composition = fit_to_labels(options.composition, Labels{});
  if (classes > 2) options.composition.rule = rule::multiclass;
  options.holdout = 0.4;
  options.calibrate = CalibrationMethod::platt;
  options.conformal = true;
  return train(options).model;
}

void expect_equal(const ModelEvaluation& weighted, const ModelEvaluation& repeated) {
  EXPECT_EQ(weighted.confusion.counts(), repeated.confusion.counts());
  ASSERT_EQ(weighted.metrics.size(), repeated.metrics.size());
  for (std::size_t m = 0; m < weighted.metrics.size(); ++m) {
    const Estimate &own = weighted.metrics[m], &other = repeated.metrics[m];
    const std::string_view name = name_of(own.metric);
    ASSERT_EQ(own.metric, other.metric);
    EXPECT_NEAR(own.value, other.value, 1e-9) << name;
    ASSERT_EQ(own.bounds.has_value(), other.bounds.has_value()) << name;
    if (!own.bounds) continue;
    EXPECT_NEAR(own.bounds->lower, other.bounds->lower, 1e-9) << name;
    EXPECT_NEAR(own.bounds->upper, other.bounds->upper, 1e-9) << name;
  }
  ASSERT_EQ(weighted.expected_error().has_value(), repeated.expected_error().has_value());
  EXPECT_EQ(weighted.expected_error()->bounds, repeated.expected_error()->bounds);
  ASSERT_EQ(weighted.reliability.has_value(), repeated.reliability.has_value());
  if (weighted.reliability) {
    EXPECT_NEAR(weighted.reliability->log_loss(), repeated.reliability->log_loss(), 1e-9);
    EXPECT_NEAR(weighted.reliability->calibration_error(), repeated.reliability->calibration_error(), 1e-9);
    EXPECT_NEAR(weighted.reliability->constant_brier(), repeated.reliability->constant_brier(), 1e-12);
  }
  ASSERT_TRUE(weighted.sets && repeated.sets);
  EXPECT_EQ(weighted.sets->counts, repeated.sets->counts);
  EXPECT_EQ(weighted.sets->covered, repeated.sets->covered);
}

TEST(RowCounts, AreThoseOfTheRowsRepeatedInEveryFormat) {
  const TemporaryFolder folder;
  for (const std::string format : {"csv", "vw", "jsonl"}) {
    for (const int classes : {2, 3}) {
      if (format == "vw" && classes > 2) continue;  // the labels of two classes are -1 and 1
      for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const Model model = learned(folder, format, classes, seed);
        const auto rows = some_rows(100 + seed, 40, classes);
        EvaluateOptions options;
        options.resamples = 200;
        options.read = read_of(folder.write("w." + format, text_of(rows, format, false)), format);
        const ModelEvaluation weighted = evaluate(model, options);
        EXPECT_TRUE(weighted.weighted);
        // The model knows its column of weights.
        if (format == "csv") {
          options.read.columns = {};
          EXPECT_EQ(evaluate(model, options).confusion.counts(), weighted.confusion.counts());
        }
        options.read = read_of(folder.write("r." + format, text_of(rows, format, true)), format);
        expect_equal(weighted, evaluate(model, options));
      }
    }
  }
}

TEST(RowCounts, OfWeightsThatAreNotWholeGiveNoInterval) {
  const TemporaryFolder folder;
  const Model model = learned(folder, "csv", 2, 3);
  const auto rows = some_rows(7, 40, 2);
  EvaluateOptions options;
  options.read = read_of(folder.write("w.csv", text_of(rows, "csv", false, 0.3)), "csv");
  const ModelEvaluation found = evaluate(model, options);
  EXPECT_FALSE(found.expected_error());
  EXPECT_EQ(found.resamples, 0U);
  for (const Estimate& one : found.metrics) EXPECT_FALSE(one.bounds) << name_of(one.metric);
  // Shares do not depend on the unit of the weights.
  options.read = read_of(folder.write("r.csv", text_of(rows, "csv", true)), "csv");
  const ModelEvaluation repeated = evaluate(model, options);
  EXPECT_NEAR(found.confusion.accuracy(), repeated.confusion.accuracy(), 1e-12);
  EXPECT_NEAR(*found.area, *repeated.area, 1e-12);
  // Each row once, if that is wanted.
  options.read = read_of(folder.write("w.csv", text_of(rows, "csv", false, 0.3)), "csv");
  options.weighted = false;
  EXPECT_EQ(evaluate(model, options).confusion.rows(), 40);
}

// Data without the model's column of weights have rows of weight 1.
TEST(RowCounts, NeedNoColumnOfWeights) {
  const TemporaryFolder folder;
  const Model model = learned(folder, "csv", 2, 3);
  EvaluateOptions options;
  options.read.path = folder.write("plain.csv", "a,b,label\n1,2,c1\n-1,1,c0\n");
  const ModelEvaluation found = evaluate(model, options);
  EXPECT_EQ(found.confusion.rows(), 2);
  EXPECT_FALSE(found.weighted);
  const Model of_json = learned(folder, "jsonl", 2, 3);
  options.read.path = folder.write("plain.jsonl", "{\"a\": 1, \"b\": 2, \"label\": \"c1\"}\n");
  EXPECT_EQ(evaluate(of_json, options).confusion.rows(), 1);
}

TEST(RowCounts, OfTwoModels) {
  const TemporaryFolder folder;
  const Model first = learned(folder, "csv", 2, 3), second = learned(folder, "csv", 2, 4);
  const auto rows = some_rows(8, 60, 2);
  EvaluateOptions options;
  options.read = read_of(folder.write("w.csv", text_of(rows, "csv", false)), "csv");
  const PairedEvaluation weighted = evaluate_pair(first, second, options);
  options.read = read_of(folder.write("r.csv", text_of(rows, "csv", true)), "csv");
  const PairedEvaluation repeated = evaluate_pair(first, second, options);
  EXPECT_EQ(weighted.both_right, repeated.both_right);
  EXPECT_EQ(weighted.only_first_right, repeated.only_first_right);
  EXPECT_EQ(weighted.test->p_value, repeated.test->p_value);
}

TrainOptions training_on(const std::string& path) {
  TrainOptions options;
  options.read = read_of(path, "csv");
  options.composition.rule = rule::pa1;
  options.composition.order = OrderName::cyclic;
  options.composition.keep = KeepName::average;
  options.until.passes = 2;
  return options;
}

// Rows of weight 0 are dealt into no fold, and class weights make no row more frequent.
TEST(RowCounts, OfFolds) {
  const TemporaryFolder folder;
  auto rows = some_rows(9, 120, 2);
  const std::string all = folder.write("all.csv", text_of(rows, "csv", false));
  std::erase_if(rows, [](const WeightedRow& row) { return row.times == 0; });
  const std::string some = folder.write("some.csv", text_of(rows, "csv", false));
  double sum = 0;
  for (const WeightedRow& row : rows) sum += row.times;
  const auto validation = [](const TrainOptions& options) {
    return Folds(options, 4).cross_validate(std::vector<Candidate>{candidate_of(options)})[0];
  };
  const Validation with = validation(training_on(all)), without = validation(training_on(some));
  double counted = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(with.fold[k].rows, without.fold[k].rows);
    EXPECT_EQ(with.fold[k].errors, without.fold[k].errors);
    counted += with.fold[k].rows;
  }
  EXPECT_EQ(counted, sum);
  TrainOptions classes = training_on(some);
  classes.read.labels.class_weights = {{"c0", 0.1}, {"c1", 1.0 / 3}};
  counted = 0;
  for (const FoldScore& fold : validation(classes).fold) {
    counted += fold.rows;
    EXPECT_TRUE(fold.whole);
  }
  EXPECT_EQ(counted, sum);
}

// Weights of every size a reader takes: counts stay finite, and sums beyond counts of rows have no interval.
TEST(RowCounts, OfWeightsOfEverySize) {
  const TemporaryFolder folder;
  const Model model = learned(folder, "csv", 2, 3);
  for (const double weight : {1.0, 3.0, 0x1p34, 0x1p40, 0x1p40 + 1, 0x1p53 + 2, 1e18, 1e99}) {
    const std::string path = folder.write("w.csv", text_of(some_rows(9, 90, 2), "csv", false, weight));
    EvaluateOptions options;
    options.read = read_of(path, "csv");
    const ModelEvaluation found = evaluate(model, options);
    EXPECT_TRUE(std::isfinite(found.confusion.rows()));
    EXPECT_EQ(found.expected_error(0.95).has_value(), found.confusion.rows() <= 0x1p40) << weight;
    TrainOptions training = training_on(path);
    training.holdout = 0.3;
    training.threshold = ThresholdChoice{};
    try {
      const TrainResult result = train(training);
      EXPECT_TRUE(std::isfinite(result.holdout->rows));
      EXPECT_TRUE(!result.expected_error || result.holdout->rows <= 0x1p40) << weight;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::data) << weight << ": " << error.what();
    }
    TrainOptions plain;
    plain.read = read_of(path, "csv");
    // Some candidates overflow on some folds, and have no scores there.
    try {
      const TrainPlan plan = plan_training(plain);
      EXPECT_TRUE(plan.choice);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::data) << weight << ": " << error.what();
    }
  }
  EvaluateOptions options;
  options.read = read_of(folder.write("w.csv", text_of(some_rows(9, 9, 2), "csv", false, 1e101)), "csv");
  EXPECT_THROW(evaluate(model, options), Error);
}

TEST(RowCounts, OfTrainingErrors) {
  const TemporaryFolder folder;
  const TrainOptions options = training_on(folder.write("w.csv", text_of(some_rows(9, 120, 2), "csv", false)));
  const TrainResult result = train(options);
  EvaluateOptions own;
  own.read = options.read;
  const ModelEvaluation found = evaluate(result.model, own);
  EXPECT_EQ(*result.training_errors, found.confusion.errors());
  EXPECT_EQ(result.training_rows, found.confusion.rows());
  TrainOptions balanced = options;
  balanced.read.labels.balanced = true;
  balance_classes(balanced);
  ASSERT_EQ(balanced.read.labels.class_weights.size(), 2U);
  for (const auto& [name, factor] : balanced.read.labels.class_weights) {
    const std::size_t k = name == "c1" ? 1 : 0;
    EXPECT_DOUBLE_EQ(factor * 2 * found.confusion.rows_of(k), found.confusion.rows());
  }
}

TEST(RowCounts, OfAComparison) {
  const TemporaryFolder folder;
  const auto rows = some_rows(11, 80, 2), test = some_rows(12, 80, 2);
  CompareOptions options;
  options.sets = {training_on(folder.write("d.csv", text_of(rows, "csv", true)))};
  for (const RuleName rule : {rule::perceptron, rule::pa1}) {
    Candidate candidate = candidate_of(options.sets[0]);
    candidate.composition.rule = rule;
    options.competitors.push_back({std::string(name_of(rule)), candidate});
  }
  const auto found = [&](bool repeated) {
    options.test = read_of(folder.write("t.csv", text_of(test, "csv", repeated)), "csv");
    return compare(options);
  };
  const Comparison weighted = found(false), repeated = found(true);
  for (std::size_t c = 0; c < 2; ++c) {
    EXPECT_EQ(weighted.sets[0].results[c].score, repeated.sets[0].results[c].score);
    EXPECT_EQ(weighted.sets[0].results[c].lower, repeated.sets[0].results[c].lower);
  }
  EXPECT_EQ(weighted.pairs[0].wins, repeated.pairs[0].wins);
  EXPECT_EQ(weighted.pairs[0].adjusted_p, repeated.pairs[0].adjusted_p);
  EXPECT_EQ(weighted.sets[0].rows, repeated.sets[0].rows);
}

TEST(RowCounts, OfAMinimum) {
  const TemporaryFolder folder;
  auto rows = some_rows(13, 60, 2);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].a += 0.0137 * static_cast<double>(i);
  for (const MarginLoss loss : {MarginLoss::hinge, MarginLoss::squared_hinge, MarginLoss::logistic}) {
    const auto minimum = [&](bool repeated) {
      TrainOptions options = training_on(folder.write("d.csv", text_of(rows, "csv", repeated)));
      options.until = {};
      options.objective = Objective{.loss = loss, .gap = 1e-9};
      return train(options);
    };
    const TrainResult weighted = minimum(false), repeated = minimum(true);
    EXPECT_NEAR(weighted.minimum->widest().primal, repeated.minimum->widest().primal,
                1e-7 * repeated.minimum->widest().primal);
    EXPECT_EQ(weighted.training_rows, repeated.training_rows);
    // A row on the boundary, of weight 4 at most, is predicted by rounding.
    EXPECT_NEAR(*weighted.training_errors, *repeated.training_errors, 4);
  }
}

TEST(RowCounts, OfCurvesFromScoresToProbabilities) {
  const auto rows = some_rows(14, 60, 2);
  std::vector<double> score, count, each_score;
  std::vector<std::uint8_t> positive, each_positive;
  for (const WeightedRow& row : rows) {
    score.push_back(row.a);
    positive.push_back(row.label == 1 ? 1 : 0);
    count.push_back(row.times);
    each_score.insert(each_score.end(), static_cast<std::size_t>(row.times), row.a);
    each_positive.insert(each_positive.end(), static_cast<std::size_t>(row.times), row.label == 1 ? 1 : 0);
  }
  const Platt own = fit_platt(score, positive, count), repeated = fit_platt(each_score, each_positive);
  EXPECT_NEAR(own.a, repeated.a, 1e-9);
  EXPECT_NEAR(own.b, repeated.b, 1e-9);
  EXPECT_EQ(fit_isotonic(score, positive, count), fit_isotonic(each_score, each_positive));
}

}  // namespace
}  // namespace halfspace
