// What a model says of its calibration beside the curves: that there are none yet, or that folds gave them.

#include <gtest/gtest.h>

#include "halfspace/base/error.h"
#include "halfspace/model/export.h"
#include "halfspace/model/model_file.h"
#include "halfspace/train/evaluate.h"
#include "model/map.h"
#include "model/models.h"

namespace halfspace::testing {
namespace {

constexpr std::size_t version_at = model::kMagic.size();

Model with_holdout(double share) {
  Model model = rich({}, 2);
  model.holdout = share;
  return model;
}

TEST(CalibrationStates, AreStoredInAVersionOfTheirOwn) {
  const Model usual = with_holdout(0.25);
  EXPECT_LT(encode(usual)[version_at], model::kStatesCalibration) << "programs of before read it";
  Model unfitted = usual, by_folds = usual;
  unfitted.calibration = {.method = CalibrationMethod::isotonic, .rows = 0, .platt = {}, .isotonic = {}};
  by_folds.calibration.by_folds = true;
  for (const Model& model : {unfitted, by_folds}) {
    const auto bytes = encode(model);
    EXPECT_EQ(bytes[version_at], model::kStatesCalibration);
    const Model back = decode(bytes, "m");
    EXPECT_TRUE(back == model);
    EXPECT_EQ(encode(back), bytes);
  }
  EXPECT_FALSE(unfitted.calibration.fitted());
}

TEST(CalibrationStates, HaveOneEncoding) {
  Model model = with_holdout(0.25);
  model.calibration.by_folds = true;
  auto bytes = encode(model);
  bytes[Map(model).places().at("calibration.by_folds").at] = 0;
  EXPECT_THROW(decode(summed_again(bytes), "m"), Error) << "there is nothing to say that needs this version";
  model.holdout = 0;
  EXPECT_THROW(encode(model), Error) << "without rows held out it is so in any case";
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
