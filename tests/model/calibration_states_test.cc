// What a model says of its calibration beside the curves: that there are none yet, or that folds gave them.

#include <gtest/gtest.h>

#include "halfspace/base/error.h"
#include "halfspace/model/export.h"
#include "halfspace/model/model_file.h"
#include "halfspace/train/evaluate.h"
#include "model/map.h"
#include "model/models.h"
#include "train/predict/linear_model.h"

namespace halfspace::testing {
namespace {

Model with_holdout(double share) {
  Model model = rich({}, 2);
  model.holdout = share;
  return model;
}

TEST(CalibrationStates, AreStored) {
  const Model usual = with_holdout(0.25);
  Model unfitted = usual, by_folds = usual;
  unfitted.calibration = {.method = CalibrationMethod::isotonic, .rows = 0, .platt = {}, .isotonic = {}};
  by_folds.calibration.by_folds = true;
  for (const Model& model : {unfitted, by_folds}) {
    const auto bytes = encode(model);
    const Model back = decode(bytes, "m");
    EXPECT_TRUE(back == model);
    EXPECT_EQ(encode(back), bytes);
  }
  EXPECT_FALSE(unfitted.calibration.fitted());
}

TEST(CalibrationStates, FoldsGaveTheCurvesWithRowsHeldOutAlone) {
  Model model = with_holdout(0.25);
  model.calibration.by_folds = true;
  EXPECT_NO_THROW(encode(model));
  model.holdout = 0;
  EXPECT_THROW(encode(model), Error) << "without rows held out it is so in any case";
}

// Given weights of several classes may have the softmax of their scores, which has no curves.
TEST(CalibrationStates, TheSoftmaxIsStored) {
  const double weights[] = {1, 2, 3, 4, 5, 6}, biases[] = {0.5, 0, -0.5};
  Model model = linear_model({.weights = weights,
                              .biases = biases,
                              .features = 2,
                              .classes = {"a", "b", "c"},
                              .probabilities = GivenProbabilities::softmax});
  const auto bytes = encode(model);
  const Model back = decode(bytes, "m");
  EXPECT_TRUE(back == model);
  EXPECT_TRUE(has_given_weights(back));
  EXPECT_EQ(encode(back), bytes);
  for (const char* field : {"calibration.fitted", "calibration.by_folds"}) {
    auto wrong = bytes;
    wrong[Map(model).places().at(field).at] ^= 1;
    EXPECT_THROW(decode(summed_again(wrong), "m"), Error) << field;
  }
  auto rows = bytes;
  rows[Map(model).places().at("calibration.rows").at] = 1;
  EXPECT_THROW(decode(summed_again(rows), "m"), Error);
  Model two = played({}, 1);
  for (const auto method : {CalibrationMethod::softmax, CalibrationMethod::temperature}) {
    two.calibration = {.method = method, .rows = 0, .platt = {}, .isotonic = {}};
    EXPECT_THROW(encode(two), Error) << "of two classes it is Platt's curve";
  }
}

TEST(CalibrationStates, ATemperatureIsOfAllClasses) {
  const double weights[] = {1, 2, 3}, biases[] = {0, 0, 0};
  Model model = linear_model({.weights = weights,
                              .biases = biases,
                              .features = 1,
                              .classes = {"a", "b", "c"},
                              .probabilities = GivenProbabilities::softmax});
  model.calibration = {
      .method = CalibrationMethod::temperature, .rows = 9, .platt = {{-2, 1}, {-2, 0}, {-2, -1}}, .isotonic = {}};
  EXPECT_TRUE(decode(encode(model), "m") == model);
  const double row[] = {0.5};
  Predictor predictor(model);
  const auto p = predictor.predict(row).probabilities;
  const double e[] = {std::exp(1 - 1), std::exp(2.0), std::exp(3 + 1)};  // of 2 s - b
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(p[k], e[k] / (e[0] + e[1] + e[2]), 1e-15);
  for (const double a : {-3.0, 2.0}) {
    Model wrong = model;
    wrong.calibration.platt[1].a = a;
    EXPECT_THROW(encode(wrong), Error);
  }
}

// Its scores are what they are, and nothing takes them for probabilities.
TEST(CalibrationStates, AModelWithoutItsCurvesPredictsScores) {
  Model model = played({}, 1);
  model.calibration.method = CalibrationMethod::platt;
  Predictor predictor(model);
  const double row[] = {1.0, 2.0};
  EXPECT_TRUE(predictor.predict(row).probabilities.empty());
  EXPECT_THROW(to_onnx(model), Error);
  EXPECT_THROW(to_pmml(model), Error);
}

}  // namespace
}  // namespace halfspace::testing
