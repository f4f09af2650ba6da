// How much features vary over the training rows: by its definition, for every way to train, and across a resumption.
#include "halfspace/detail/train/feature_spread.h"

#include "halfspace/base/random.h"
#include "halfspace/model/model_file.h"
#include "halfspace/rules/perceptron.h"
#include "halfspace/train/train.h"
#include "support/test.h"

namespace halfspace {
namespace {

using testing::TemporaryFolder;

struct Data {
  std::string text;
  std::vector<double> deviations;  // of the two columns
};

// Rows of two columns, far from 0 and of other scales, with weights; by its definition the deviation of each column.
Data data_of(std::uint64_t seed, int rows, bool header = true) {
  Generator draws(seed);
  Data data{header ? "a,b,w,y\n" : "", {}};
  std::vector<double> weight;
  std::vector<std::vector<double>> values(2);
  for (int i = 0; i < rows; ++i) {
    const double a = std::round(1e6 + 1000 * gaussian(draws)), b = std::round(64 * gaussian(draws)) / 1024;
    const auto w = static_cast<double>(pick(draws, 3));
    data.text +=
        std::to_string(a) + "," + std::to_string(b) + "," + std::to_string(w) + (a + b > 1e6 ? ",p\n" : ",n\n");
    weight.push_back(w);
    values[0].push_back(std::stod(std::to_string(a)));
    values[1].push_back(std::stod(std::to_string(b)));
  }
  for (const std::vector<double>& column : values) {
    double all = 0, mean = 0, variance = 0;
    for (const double w : weight) all += w;
    for (std::size_t i = 0; i < column.size(); ++i) mean += weight[i] * column[i] / all;
    for (std::size_t i = 0; i < column.size(); ++i) variance += weight[i] * std::pow(column[i] - mean, 2) / all;
    data.deviations.push_back(std::sqrt(variance));
  }
  return data;
}

TrainOptions options_of(const std::string& path) {
  TrainOptions options;
  options.read.path = path;
  options.read.columns.weight = "w";
  options.composition.rule = rule::perceptron;
  options.composition.order = OrderName::stream;
  options.spread = true;
  return options;
}

TEST(FeatureSpread, IsTheStandardDeviationOfTheTrainingRows) {
  const TemporaryFolder folder;
  const Data data = data_of(1, 3000);
  TrainOptions options = options_of(folder.write("d.csv", data.text));
  for (const OrderName order : {OrderName::stream, OrderName::cyclic, OrderName::shuffled}) {
    for (const bool normalize : {false, true}) {
      if (normalize && order == OrderName::stream) continue;
      options.composition.order = order;
      options.normalize_columns = normalize;
      if (order != OrderName::stream) options.until.passes = 2;
      const Model model = train(options).model;
      ASSERT_TRUE(model.spread);
      for (const std::size_t j : {0U, 1U}) {
        const int exponent = normalize ? model.schema.exponents[j] : 0;
        EXPECT_NEAR(std::ldexp(model.spread->deviation(j), -exponent) / data.deviations[j], 1, 1e-6);
      }
      EXPECT_EQ(decode(encode(model), "m"), model);
    }
  }
}

// Rows without the feature have its value 0; far from 0 the differences are what counts.
TEST(FeatureSpread, DoesNotDependOnWhereTheValuesLie) {
  for (const double offset : {0.0, 1.0, -1e6, 1.7e9, 1e12}) {
    FeatureSpread spread;
    BlockBuffer buffer;
    for (std::uint64_t row = 0; row < 4000; ++row) {
      buffer.clear();
      buffer.add(0, offset + static_cast<double>(row % 7));
      if (row % 4 == 0) buffer.add(1, offset);
      buffer.end_row(0, row + 1);
      EXPECT_TRUE(spread.add(buffer.finish(), 0, 1));
    }
    EXPECT_NEAR(spread.deviation(0), 2, 1e-3) << offset;
    EXPECT_NEAR(spread.deviation(1), std::sqrt(3.0 / 16) * std::abs(offset), 1e-9 * std::abs(offset)) << offset;
  }
}

TEST(FeatureSpread, HasTheSameBitsForAnyThreadsAndAcrossAResumption) {
  const TemporaryFolder folder;
  const Data first = data_of(2, 2000), second = data_of(3, 1000, false);
  TrainOptions options = options_of(folder.write("all.csv", first.text + second.text));
  const std::optional<FeatureSpread> whole = train(options).model.spread;
  ASSERT_TRUE(whole);
  options.read.threads = 1;
  options.read.block_bytes = 700;
  EXPECT_EQ(train(options).model.spread, whole);
  options.read.path = folder.write("first.csv", first.text);
  const Model part = train(options).model;
  options.read.path = folder.write("second.csv", "a,b,w,y\n" + second.text);
  options.resume = &part;
  EXPECT_EQ(train(options).model.spread, whole);
  // A model without the numbers of its earlier rows gets none.
  Model without = part;
  without.spread.reset();
  options.resume = &without;
  EXPECT_FALSE(train(options).model.spread);
}

TEST(FeatureSpread, OfManyRowsIsThatOfEverySixteenth) {
  FeatureSpread spread;
  BlockBuffer buffer;
  double sum = 0;
  for (std::uint64_t row = 0; row < FeatureSpread::every_row + 1600; ++row) {
    const auto value = static_cast<double>(row % 7);
    buffer.clear();
    buffer.add(0, value);
    buffer.end_row(0, row + 1);
    EXPECT_TRUE(spread.add(buffer.finish(), 0, 1));
    sum += row < FeatureSpread::every_row ? value : row % 16 == 0 ? 16 * value : 0;
  }
  EXPECT_EQ(spread.weight, static_cast<double>(FeatureSpread::every_row + 1600));
  EXPECT_EQ(spread.features[0].values, sum);  // the first value is 0
  EXPECT_NEAR(spread.deviation(0), 2, 1e-3);
}

TEST(FeatureSpread, IsDroppedWhereItWouldBeTooLargeOrNoNumber) {
  const TemporaryFolder folder;
  for (const char* row : {"+1 8193:1\n", "+1 1:1e100\n"}) {
    TrainOptions options = options_of(folder.write("d.svm", std::string("-1 1:1\n") + row));
    options.read.columns.weight.clear();
    EXPECT_FALSE(train(options).model.spread) << row;
  }
}

}  // namespace
}  // namespace halfspace
