#include <gtest/gtest.h>

#include "halfspace/base/error.h"
#include "halfspace/stream/schema.h"

namespace halfspace {
namespace {

using Names = std::vector<std::string>;

TEST(Labels, TheLargerNumberIsPositiveWhateverTheOrder) {
  for (const Names& pair : {Names{"-1", "+1"}, {"0", "1"}, {"1", "2"}, {"-3.5", "1e2"}, {"9", "10"}}) {
    EXPECT_EQ(Labels::from(pair, "", LabelsAre::texts).names, pair);
    EXPECT_EQ(Labels::from({pair[1], pair[0]}, "", LabelsAre::texts).names, pair);
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
    EXPECT_EQ(Labels::from(pair, "", LabelsAre::texts).names, pair);
    EXPECT_EQ(Labels::from({pair[1], pair[0]}, "", LabelsAre::texts).names, pair);
  }
}

TEST(Labels, PositiveOverrides) {
  const auto names = [](Names distinct, const std::string& positive, LabelsAre are = LabelsAre::texts) {
    return Labels::from(std::move(distinct), positive, are).names;
  };
  EXPECT_EQ(names({"cat", "dog"}, "cat"), (Names{"dog", "cat"}));
  EXPECT_EQ(names({"cat", "dog"}, "dog"), (Names{"cat", "dog"}));
  EXPECT_EQ(names({"1", "2"}, "1.0", LabelsAre::numbers), (Names{"2", "1"}));
  EXPECT_THROW(names({"1", "2"}, "1.0"), Error);
  EXPECT_EQ(names({"spam"}, "spam"), (Names{"", "spam"}));
  EXPECT_EQ(names({"ham"}, "spam"), (Names{"ham", "spam"}));
  for (const auto& [distinct, positive] :
       std::vector<std::pair<Names, std::string>>{{{"cat", "dog"}, "cow"}, {{"1", "2", "3"}, "1"}, {{}, "1"}}) {
    try {
      Labels::from(distinct, positive, LabelsAre::texts);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      EXPECT_FALSE(error.hint().empty());
    }
  }
}

TEST(Labels, ManyNumbersByValueThenNames) {
  EXPECT_EQ(Labels::from({"b", "10", "9", "a", "-1"}, "", LabelsAre::texts).names, (Names{"-1", "9", "10", "a", "b"}));
}

TEST(Labels, NumbersAreOneLabelByValueAndTheFirstSpellingStays) {
  const Labels labels = Labels::from({"1.0", "+1", "-1", "1", "-1e0"}, "", LabelsAre::numbers);
  EXPECT_EQ(labels.names, (Names{"-1", "1.0"}));
  for (const char* text : {"1", "+1", "1.0", "1e0", "01"}) EXPECT_EQ(labels.find(text), 1) << text;
  for (const char* text : {"-1", "-1.00"}) EXPECT_EQ(labels.find(text), 0) << text;
}

// Of texts none is another, and numbers are compared by all their digits: as doubles the last two of each row are one.
TEST(Labels, TextsAreClassesAndNumbersAreExact) {
  for (const Names& row :
       {Names{"3.10", "3.1"}, {"007", "7"}, {"+1", "1"}, {"1.0", "1"}, {"1e2", "100"}, {"-0", "0"}}) {
    EXPECT_EQ(Labels::from(row, "", LabelsAre::texts).names,
              (Names{std::min(row[0], row[1]), std::max(row[0], row[1])}));
    EXPECT_EQ(Labels::from(row, "", LabelsAre::numbers).names, Names{row[0]});
    EXPECT_EQ((Labels{{row[0], "2"}}.find(row[1])), std::nullopt);
    EXPECT_EQ((Labels{{row[0], "2"}}.find_number(row[1])), 0);
    EXPECT_EQ((Labels{row}.find_number(row[1] + "e0")), std::nullopt) << "two classes are this number";
  }
  for (const Names& row : {Names{"9007199254740992", "9007199254740993"},
                           {"0.1", "0.1000000000000000055511151231257827"},
                           {"1e-99999", "2e-99999"},
                           {"18446744073709551614", "18446744073709551615"}}) {
    const Labels labels = Labels::from({row[1], row[0]}, "", LabelsAre::numbers);
    EXPECT_EQ(labels.names, row);
    EXPECT_EQ(labels.find("+" + row[1]), 1);
  }
}

TEST(Labels, ZeroAndMinusOneStandForOneAnotherInBinaryProblemsOnly) {
  const auto find = [](Names names, const char* text) { return Labels{std::move(names)}.find_number(text); };
  EXPECT_EQ(find({"-1", "+1"}, "0"), 0);
  EXPECT_EQ(find({"0", "1"}, "-1"), 0);
  EXPECT_EQ(find({"0", "1"}, "-1.0"), 0);
  EXPECT_EQ(find({"1", "2"}, "0"), std::nullopt);
  EXPECT_EQ(find({"-1", "2"}, "0"), std::nullopt);
  EXPECT_EQ(find({"-1", "1", "2"}, "0"), std::nullopt);
  EXPECT_EQ(find({"1", "-1"}, "0"), 1);  // --positive -1
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
  EXPECT_EQ(Labels::from(distinct, "", LabelsAre::numbers).names, expected);
}

}  // namespace
}  // namespace halfspace
