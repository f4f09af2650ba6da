// Statements about runs in which products and steps underflow, or sums cancel: none is false, and where doubles cannot
// tell, the run says so.

#include "halfspace/rules/margin_perceptron.h"
#include "halfspace/rules/perceptron.h"
#include "halfspace/rules/rule_entry.h"
#include "halfspace/train/train.h"
#include "support/test.h"

namespace halfspace {
namespace {

using testing::TemporaryFolder;

TrainOptions perceptron(const std::string& path, double rate) {
  TrainOptions options;
  options.read.path = path;
  options.composition.rule = rule::perceptron;
  options.composition.bias.position = Bias::none;
  options.composition.set(parameter::rate, rate);
  return options;
}

// A step of the smallest double along 0.7 is one of 1: |w| over the steps is no ceiling of the margin 0.7.
TEST(TinyNumbers, ACeilingHoldsWhereStepsUnderflow) {
  const TemporaryFolder folder;
  const std::string path = folder.write("b", "1 1:0.7\n-1 1:-0.7\n");
  for (const double rate : {5e-324, 1e-323, 1e-320, 1e-315, 1e-300, 1.0, 1e300}) {
    TrainOptions options = perceptron(path, rate);
    options.composition.order = OrderName::cyclic;
    options.until.passes = 3;
    const TrainResult result = train(options);
    EXPECT_GE(result.margin_ceiling.value_or(1), 0.7) << rate;
    ASSERT_TRUE(result.evaluation) << rate;
    EXPECT_LE(result.evaluation->margin(), 0.7) << rate;
    EXPECT_GE(result.evaluation->margin(), 0.7 * (1 - 1e-9)) << rate;
    EXPECT_EQ(result.training_errors, 0U) << rate;
    EXPECT_TRUE(result.bound || result.why_no_bound.find("products") != std::string::npos) << result.why_no_bound;
    EXPECT_LE(result.bound ? result.bound->value : 0, 6) << rate;
  }
}

TEST(TinyNumbers, ACeilingHoldsWhereWeightsAreLost) {
  const TemporaryFolder folder;
  const std::string path = folder.write("c", "-1 1:4e-322 2:7e-322\n1 2:-9e-322\n");
  const TrainResult result = train(perceptron(path, 1e-150));
  EXPECT_EQ(result.weight_norm, 0);
  ASSERT_TRUE(result.margin_ceiling);
  EXPECT_GE(*result.margin_ceiling, 4e-322);
  EXPECT_FALSE(result.bound);
}

// Each step of 0.2 is lost, as a share of the least double.
TEST(TinyNumbers, ACeilingHoldsWhereStepsRoundToNothing) {
  const TemporaryFolder folder;
  TrainOptions options = perceptron(folder.write("l", "1 1:0.2\n-1 1:-0.2\n"), 1e-323);
  options.composition.order = OrderName::cyclic;
  options.until.passes = 3;
  const TrainResult result = train(options);
  EXPECT_EQ(result.weight_norm, 0);
  ASSERT_TRUE(result.margin_ceiling);
  EXPECT_GE(*result.margin_ceiling, 0.2);
}

// Small rows are lost beside weights of 1e17, which later cancel: what is left is less than their steps promise.
TEST(TinyNumbers, ACeilingHoldsWhereSumsCancel) {
  const TemporaryFolder folder;
  std::string text = "1 1:100000000000000000 2:-99999999999999984\n";
  for (int i = 0; i < 40; ++i) text += "1 1:-2 2:3\n";
  text += "-1 1:99999999999999984 2:-100000000000000000\n";
  const TrainResult result = train(perceptron(folder.write("d", text), 1));
  EXPECT_LT(result.weight_norm, 23);
  ASSERT_TRUE(result.margin_ceiling);
  EXPECT_GE(*result.margin_ceiling, 1 / std::sqrt(2.0));
}

// Weights of rows, parameters and the bias take part in the same products.
TEST(TinyNumbers, NoBoundWhereProductsLeaveTheDoubles) {
  const TemporaryFolder folder;
  std::string text = "label,weight,x,y\n";
  for (int i = 0; i < 40; ++i)
    text += std::string(i % 2 == 0 ? "a" : "b") + ",1e-200," + std::to_string(i % 7 - 3) + "," +
            std::to_string(i % 2 == 0 ? 1 : -1) + "\n";
  TrainOptions options = perceptron(folder.write("w.csv", text), 1e-100);
  options.read.columns.label = "label";
  options.read.columns.weight = "weight";
  const TrainResult result = train(options);
  EXPECT_FALSE(result.bound);
  EXPECT_EQ(result.why_no_bound,
            "the theorem asks for parameters, weights of rows, and rows whose products stay within the doubles");
}

}  // namespace
}  // namespace halfspace
