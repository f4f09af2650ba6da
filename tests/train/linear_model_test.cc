// Models of given weights: they predict by them, and nothing claims that they were learned.
#include "train/predict/linear_model.h"

#include "halfspace/base/error.h"
#include "halfspace/model/export.h"
#include "halfspace/model/model_file.h"
#include "halfspace/stream/array_rows.h"
#include "halfspace/train/evaluate.h"
#include "halfspace/train/train.h"
#include "halfspace/train/trainer.h"
#include "support/test.h"

namespace halfspace {
namespace {

constexpr double kTwo[] = {2, -1}, kBias[] = {0.5};
constexpr double kThree[] = {1, 0, 0, 1, -1, -1}, kBiases[] = {0.5, 0, -0.5};
constexpr double kValues[] = {1, 1, -1, 0};
constexpr std::int32_t kClasses[] = {1, 0};

GivenWeights two() { return {.weights = kTwo, .biases = kBias, .features = 2, .classes = {"+", "-"}}; }
GivenWeights three() { return {.weights = kThree, .biases = kBiases, .features = 2, .classes = {"c", "a", "b"}}; }
ArrayRows rows_of(const GivenWeights& given) {
  return {DenseArray{.values = &kValues[0], .rows = 2, .columns = 2},
          ArrayLabels{.classes = kClasses, .names = given.classes}, ArrayNames{.columns = given.columns, .label = "y"}};
}

TEST(LinearModel, PredictsByTheWeights) {
  const Model model = linear_model(two());
  Predictor predictor(model);
  const double row[] = {1, 1}, border[] = {0, 0.5};
  EXPECT_EQ(predictor.predict(row).score, 1.5);
  EXPECT_EQ(predictor.predict(row).label, "-") << "classes stay in the given order";
  EXPECT_EQ(predictor.predict(border).score, 0);
  EXPECT_EQ(predictor.predict(border).label, "+") << "a score of 0 is the first class";

  const Model several = linear_model(three());
  Predictor of_several(several);
  const double first[] = {2, 1}, second[] = {0, 2}, equal[] = {0, 0.5};
  EXPECT_EQ(of_several.predict(first).label, "c");
  EXPECT_EQ(of_several.predict(second).label, "a");
  EXPECT_EQ(of_several.predict(equal).label, "c") << "the first of the highest scores wins";
}

TEST(LinearModel, HasTheProbabilitiesThatAreNamed) {
  const double row[] = {1, 0.25};
  GivenWeights given = two();
  EXPECT_TRUE(Predictor(linear_model(given)).predict(row).probabilities.empty());
  for (const auto how : {GivenProbabilities::logistic, GivenProbabilities::softmax}) {
    given.probabilities = how;
    Predictor predictor(linear_model(given));
    const Prediction found = predictor.predict(row);
    EXPECT_NEAR(found.probabilities[1], 1 / (1 + std::exp(-2.25)), 1e-15);
    EXPECT_NEAR(found.probabilities[0] + found.probabilities[1], 1, 1e-15);
  }
  const double scores[] = {1.5, 0.25, -1.75};
  double powers = 0, curves = 0;
  for (const double score : scores) {
    powers += std::exp(score);
    curves += 1 / (1 + std::exp(-score));
  }
  GivenWeights several = three();
  several.probabilities = GivenProbabilities::softmax;
  Predictor by_softmax(linear_model(several));
  several.probabilities = GivenProbabilities::logistic;
  Predictor by_curves(linear_model(several));
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(by_softmax.predict(row).probabilities[k], std::exp(scores[k]) / powers, 1e-15);
    EXPECT_NEAR(by_curves.predict(row).probabilities[k], 1 / (1 + std::exp(-scores[k])) / curves, 1e-15);
  }
}

// It is saved, read, evaluated and exported as any other.
TEST(LinearModel, IsAModel) {
  for (GivenWeights given : {two(), three()}) {
    for (const bool named : {false, true}) {
      for (const auto how : {GivenProbabilities::none, GivenProbabilities::logistic, GivenProbabilities::softmax}) {
        if (named) given.columns = {"age", "income"};
        given.probabilities = how;
        const Model model = linear_model(given);
        EXPECT_TRUE(decode(encode(model), "m") == model);
        EXPECT_TRUE(has_given_weights(model));
        EXPECT_FALSE(to_onnx(model).empty());
        EXPECT_FALSE(to_pmml(model).empty());
        EXPECT_EQ(model.schema.feature_names()[1], named ? "income" : "2");
        const ArrayRows rows = rows_of(given);
        EvaluateOptions options;
        options.read.rows = &rows;
        EXPECT_EQ(evaluate(model, options).report.rows, 2U);
      }
    }
  }
}

TEST(LinearModel, OfSparseRows) {
  GivenWeights given = two();
  given.sparse = true;
  const Model model = linear_model(given);
  EXPECT_EQ(model.schema.format, DataFormat::csr);
  EXPECT_EQ(model.schema.features, 2U);
  given.columns = {"a", "b"};
  EXPECT_THROW(linear_model(given), Error);
}

// The theorems of a run are about its start, which the composition names.
TEST(LinearModel, IsNotResumed) {
  const Model model = linear_model(two());
  const ArrayRows rows = rows_of(two());
  TrainOptions options;
  options.read.rows = &rows;
  EXPECT_FALSE(has_given_weights(Trainer(options, rows.schema()).model())) << "zeros, as they start";
  options.resume = &model;
  EXPECT_THROW(train(options), Error);
  EXPECT_THROW(Trainer(options, rows.schema()), Error);
  options.resume = nullptr;
  options.calibrate = CalibrationMethod::softmax;
  options.holdout = 0.5;
  EXPECT_THROW(train(options), Error) << "no run is calibrated so";
}

TEST(LinearModel, RefusesWhatDoesNotFit) {
  const auto refused = [](const auto& change, const char* words) {
    GivenWeights given = three();
    change(given);
    try {
      linear_model(given);
      ADD_FAILURE() << words;
    } catch (const Error& error) {
      EXPECT_TRUE(has(error.message(), words));
      EXPECT_FALSE(error.hint().empty());
    }
  };
  static constexpr double nan[] = {1, 0, 0, 1, std::numeric_limits<double>::quiet_NaN(), -1};
  static constexpr double infinity[] = {0, 0, std::numeric_limits<double>::infinity()};
  refused([](GivenWeights& given) { given.weights = nan; }, "the weight of feature 1 of class 'b' is not finite");
  refused([](GivenWeights& given) { given.biases = infinity; }, "the bias of class 'b' is not finite");
  refused([](GivenWeights& given) { given.classes = {"a"}; }, "two classes or more");
  refused([](GivenWeights& given) { given.classes = {"a", "b"}; }, "3 vectors of weights for 2 classes");
  refused([](GivenWeights& given) { given.features = 3; }, "6 weights for 3 x 3");
  refused([](GivenWeights& given) { given.features = 0; }, "no features");
  refused([](GivenWeights& given) { given.classes = {"a", "b", "a"}; }, "empty or duplicate");
  refused([](GivenWeights& given) { given.classes = {"1", "2", "1"}; }, "empty or duplicate");
  refused([](GivenWeights& given) { given.columns = {"x", "x"}; }, "empty or duplicate");
  refused([](GivenWeights& given) { given.columns = {"x"}; }, "1 names for 2 columns");
  refused([](GivenWeights& given) { given.columns = {"x", "y"}; }, "like the label");
}

}  // namespace
}  // namespace halfspace
