// Rules with one vector a class, on two classes: their models predict as those of one vector do, with the second class's
// score, probability and threshold.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "halfspace/base/random.h"
#include "halfspace/model/model_file.h"
#include "halfspace/rules/rule_entry.h"
#include "halfspace/train/train.h"
#include "support/test.h"

namespace halfspace {
namespace {

class TwoClassRules : public ::testing::Test {
 protected:
  void SetUp() override {
    path_ = std::filesystem::path(::testing::TempDir()) / "two-class-rules.csv";
    std::ofstream file(path_);
    file << "a,b,y\n";
    Generator draws(5);
    for (int i = 0; i < rows; ++i) {
      x_.push_back({gaussian(draws), gaussian(draws)});
      positive_.push_back(x_.back()[0] + 0.5 * x_.back()[1] + 0.4 * gaussian(draws) > 0.3);
      file << fmt::format("{},{},{}\n", x_.back()[0], x_.back()[1], positive_.back() ? "yes" : "no");
    }
  }
  void TearDown() override { std::filesystem::remove(path_); }

  TrainResult trained(RuleName rule, KeepName keep) const {
    TrainOptions options;
    options.read.path = path_.string();
    options.composition.rule = rule;
    options.composition.keep = keep;
    options.composition.order = OrderName::cyclic;
    options.until.passes = 3;
    return train(options);
  }

  static constexpr int rows = 300;
  std::filesystem::path path_;
  std::vector<std::vector<double>> x_;
  std::vector<bool> positive_;
};

TEST_F(TwoClassRules, ScoresAndProbabilitiesAreTheSecondClass) {
  int models = 0;
  for (const RuleEntry& entry : all_rules()) {
    if (!entry.several_classes) continue;
    for (const KeepName keep : {KeepName::last, KeepName::average, KeepName::vote}) {
      if (!entry.keeps(keep)) continue;
      SCOPED_TRACE(fmt::format("{} {}", entry.name, name_of(keep)));
      TrainResult found = trained(entry.id, keep);
      if (found.model.weights.classes != 2) continue;
      ++models;
      Predictor predictor(found.model);
      int wrong = 0;
      for (int i = 0; i < rows; ++i) {
        const Prediction of_row = predictor.predict(x_[static_cast<std::size_t>(i)]);
        ASSERT_EQ(of_row.scores.size(), 1u);
        EXPECT_EQ(of_row.label, of_row.score >= 0 ? "yes" : "no");
        wrong += (of_row.label == "yes") != positive_[static_cast<std::size_t>(i)] ? 1 : 0;
        if (of_row.probabilities.empty()) continue;
        EXPECT_EQ(of_row.probabilities[1] >= 0.5, of_row.score >= 0);
        EXPECT_NEAR(of_row.probabilities[0] + of_row.probabilities[1], 1, 1e-12);
      }
      EXPECT_LT(wrong, rows / 4);
      EXPECT_EQ(found.training_errors, wrong);
      const double score = predictor.predict(x_[0]).score;
      found.model.threshold = score;
      EXPECT_EQ(Predictor(found.model).predict(x_[0]).label, "yes");
      found.model.threshold = std::nextafter(score, INFINITY);
      EXPECT_EQ(Predictor(found.model).predict(x_[0]).label, "no");
    }
  }
  EXPECT_GE(models, 3);
}

TEST_F(TwoClassRules, CalibratedModelsAreSaved) {
  for (const CalibrationMethod method : {CalibrationMethod::platt, CalibrationMethod::isotonic}) {
    for (const RuleEntry& entry : all_rules()) {
      if (!entry.several_classes) continue;
      SCOPED_TRACE(fmt::format("{} {}", entry.name, name_of(method)));
      TrainOptions options;
      options.read.path = path_.string();
      options.composition.rule = entry.id;
      options.composition.order = OrderName::cyclic;
      options.until.passes = 3;
      options.calibrate = method;
      options.holdout = 0.3;
      const Model model = train(options).model;
      const Model again = decode(encode(model), "m");
      Predictor of_model(model), of_file(again);
      const Prediction one = of_model.predict(x_[0]), other = of_file.predict(x_[0]);
      ASSERT_EQ(one.probabilities.size(), 2u);
      EXPECT_EQ(one.probabilities[1], other.probabilities[1]);
    }
  }
}

}  // namespace
}  // namespace halfspace
