#include <gtest/gtest.h>

#include "halfspace/base/error.h"
#include "halfspace/stream/schema.h"

namespace halfspace {
namespace {

using Names = std::vector<std::string>;

TEST(Labels, TheLargerNumberIsPositiveWhateverTheOrder) {
  for (const Names& pair : {Names{"-1", "+1"}, {"0", "1"}, {"1", "2"}, {"-3.5", "1e2"}, {"9", "10"}}) {
    EXPECT_EQ(Labels::from(pair, "").names, pair);
    EXPECT_EQ(Labels::from({pair[1], pair[0]}, "").names, pair);
  }
}

TEST(Labels, OfTwoNamesTheLastButKnownPairsAreKnown) {
  for (const Names& pair : {Names{"cat", "dog"},
                            {"no", "YES"},
                            {"No", "yes"},
                            {"-", "+"},
                            {"ham", "Spam"},
                            {"F", "t"},
                            {"n", "Y"},
                            {"neg", "POS"},
                            {"negative", "Positive"},
                            {"bad", "Good"},
                            {"false", "True"}}) {
    EXPECT_EQ(Labels::from(pair, "").names, pair);
    EXPECT_EQ(Labels::from({pair[1], pair[0]}, "").names, pair);
  }
}

TEST(Labels, PositiveOverrides) {
  EXPECT_EQ(Labels::from({"cat", "dog"}, "cat").names, (Names{"dog", "cat"}));
  EXPECT_EQ(Labels::from({"cat", "dog"}, "dog").names, (Names{"cat", "dog"}));
  EXPECT_EQ(Labels::from({"1", "2"}, "1.0").names, (Names{"2", "1"}));
  EXPECT_EQ(Labels::from({"spam"}, "spam").names, (Names{"", "spam"}));
  EXPECT_EQ(Labels::from({"ham"}, "spam").names, (Names{"ham", "spam"}));
  for (const auto& [distinct, positive] :
       std::vector<std::pair<Names, std::string>>{{{"cat", "dog"}, "cow"}, {{"1", "2", "3"}, "1"}, {{}, "1"}}) {
    try {
      Labels::from(distinct, positive);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      EXPECT_FALSE(error.hint().empty());
    }
  }
}

TEST(Labels, ManyNumbersByValueThenNames) {
  EXPECT_EQ(Labels::from({"b", "10", "9", "a", "-1"}, "").names, (Names{"-1", "9", "10", "a", "b"}));
}

TEST(Labels, NumbersAreOneLabelByValueAndTheFirstSpellingStays) {
  const Labels labels = Labels::from({"1.0", "+1", "-1", "1", "-1e0"}, "");
  EXPECT_EQ(labels.names, (Names{"-1", "1.0"}));
  for (const char* text : {"1", "+1", "1.0", "1e0", "01"}) EXPECT_EQ(labels.find(text), 1) << text;
  for (const char* text : {"-1", "-1.00"}) EXPECT_EQ(labels.find(text), 0) << text;
}

TEST(Labels, ZeroAndMinusOneStandForOneAnotherInBinaryProblemsOnly) {
  EXPECT_EQ((Labels{{"-1", "+1"}}.find("0")), 0);
  EXPECT_EQ((Labels{{"0", "1"}}.find("-1")), 0);
  EXPECT_EQ((Labels{{"0", "1"}}.find("-1.0")), 0);
  EXPECT_EQ((Labels{{"1", "2"}}.find("0")), std::nullopt);
  EXPECT_EQ((Labels{{"-1", "2"}}.find("0")), std::nullopt);
  EXPECT_EQ((Labels{{"-1", "1", "2"}}.find("0")), std::nullopt);
  EXPECT_EQ((Labels{{"1", "-1"}}.find("0")), 1);  // --positive -1
}

TEST(Labels, WhatIsNotThereIsNotFound) {
  const Labels labels{{"", "spam"}};
  EXPECT_EQ(labels.find(""), std::nullopt);
  EXPECT_EQ(labels.find("ham"), std::nullopt);
  EXPECT_EQ(labels.find("SPAM"), std::nullopt);
  EXPECT_EQ(labels.find("spam"), 1);
}

TEST(Schema, FeatureNamesAreThoseOfTheFormat) {
  Schema libsvm;
  libsvm.format = DataFormat::libsvm;
  libsvm.features = 3;
  EXPECT_EQ(libsvm.feature_names(), (Names{"1", "2", "3"}));
  libsvm.zero_based = true;
  EXPECT_EQ(libsvm.feature_names(), (Names{"0", "1", "2"}));

  Schema csv;
  csv.format = DataFormat::csv;
  csv.features = 5;
  Column age;
  age.name = "age";
  age.feature = 0;
  age.missing_feature = 4;
  Column colour;
  colour.name = "colour";
  colour.kind = Column::Kind::categorical;
  colour.categories = {"red", "blue", "green"};
  colour.features = {1, 3, Column::no_feature};
  colour.missing_feature = 2;
  csv.columns = {age, colour};
  EXPECT_EQ(csv.feature_names(), (Names{"age", "colour=red", "colour=?", "colour=blue", "age=?"}));
}

// As many labels as a column of measured numbers has: each is one of them once, whatever its spelling.
TEST(Labels, AreTheSameByWalkingAndBySorting) {
  std::vector<std::string> distinct;
  for (int i = 0; i < 30'000; ++i) distinct.push_back(std::to_string((i * 7919) % 10'007) + (i % 3 == 0 ? ".0" : ""));
  std::vector<std::string> expected(10'007);
  for (std::string& text : distinct) {
    std::string& name = expected[static_cast<std::size_t>(std::stoi(text))];
    if (name.empty()) name = text;
  }
  EXPECT_EQ(Labels::from(distinct, "").names, expected);
}

}  // namespace
}  // namespace halfspace
