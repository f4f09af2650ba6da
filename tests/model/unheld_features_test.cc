// A model that is said to know features that it holds nothing of: an export would name them all.
#include <gtest/gtest.h>

#include "halfspace/base/error.h"
#include "model/linear_part.h"

namespace halfspace::model {
namespace {

Model claiming(std::uint32_t features) {
  Model model;
  model.schema.labels.names = {"-1", "+1"};
  model.schema.format = DataFormat::libsvm;
  model.schema.features = features;
  model.weights.classes = 1;
  model.weights.w = {1.0};
  model.weights.bias = {0.0};
  return model;
}

TEST(UnheldFeatures, AreRefusedBeforeMemoryIsTakenForThem) {
  EXPECT_NO_THROW(refuse_unheld_features(claiming(1'000)));
  for (const std::uint32_t features : {10'000'000u, 2'000'000'000u}) {
    try {
      linear_part(claiming(features), "ONNX");
      FAIL() << features;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::data) << error.what();
      EXPECT_NE(error.message().find(std::to_string(features)), std::string::npos) << error.message();
    }
  }
}

}  // namespace
}  // namespace halfspace::model
