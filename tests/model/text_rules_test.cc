// How text is read stands in a model file where it is not the usual way; else the file is what it always was.
#include <gtest/gtest.h>

#include "halfspace/base/error.h"
#include "halfspace/model/model_file.h"
#include "model/format.h"

namespace halfspace::testing {
namespace {

Model small(std::vector<std::string> categories) {
  Model model;
  model.schema.format = DataFormat::csv;
  Column column;
  column.name = "c";
  column.kind = Column::Kind::categorical;
  for (std::string& name : categories) {
    column.categories.push_back(std::move(name));
    column.features.push_back(model.schema.features++);
  }
  model.schema.columns = {column};
  model.schema.labels.names = {"no", "yes"};
  model.weights = {1, std::vector<double>(model.schema.features, 0.5), {0}};
  model.learner.weights = model.weights;
  model.ledger.class_weight = {0, 0};
  model.ledger.next_row = 1;
  return model;
}

std::uint32_t version_of(const Model& model) {
  return encode(model)[model::kMagic.size()];
}

TEST(TextRules, AreWrittenWhereTheyAreNotImplied) {
  Model usual = small({"x"});
  EXPECT_EQ(version_of(usual), 1U);
  EXPECT_EQ(decode(encode(usual), "m"), usual);
  Model other = usual;
  other.schema.missing = {"?", "none"};
  EXPECT_EQ(version_of(other), 2U);
  EXPECT_EQ(decode(encode(other), "m"), other);
  other.schema.missing = {};
  EXPECT_EQ(decode(encode(other), "m"), other);
  for (const char delimiter : {'|', ' ', ';'}) {
    for (const char decimal : {'.', ','}) {
      other = usual;
      other.schema.delimiter = delimiter;
      other.schema.decimal = decimal;
      EXPECT_EQ(version_of(other), delimiter == ';' && decimal == '.' ? 1U : 2U);
      EXPECT_EQ(decode(encode(other), "m"), other);
    }
  }
}

// Ways of reading that programs of before do not know make a version of their own.
TEST(TextRules, OtherCutsAreANewVersion) {
  using Change = void (*)(Schema&);
  for (const Change change :
       {Change([](Schema& s) { s.delimiter = s.decimal = ','; }), Change([](Schema& s) { s.thousands = ','; }),
        Change([](Schema& s) { s.thousands = '.', s.decimal = ',', s.delimiter = ';'; }),
        Change([](Schema& s) { s.quote = Quote::single_quote; }), Change([](Schema& s) { s.skip_lines = 3; }),
        Change([](Schema& s) { s.comment = "#%"; }), Change([](Schema& s) {
          s.columns[0].kind = Column::Kind::text;
          s.columns[0].text_tokens = TextTokens::characters;
        })}) {
    Model model = small({"x"});
    change(model.schema);
    EXPECT_EQ(version_of(model), 7U);
    EXPECT_EQ(decode(encode(model), "m"), model);
    // None of it is lost in an older version.
    std::vector<std::uint8_t> bytes = encode(model);
    bytes[model::kMagic.size()] = 6;
    EXPECT_THROW(decode(bytes, "m"), Error);
  }
  for (const Change change :
       {Change([](Schema& s) { s.thousands = 'x'; }), Change([](Schema& s) { s.thousands = '.'; }),
        Change([](Schema& s) { s.comment = "%#"; }), Change([](Schema& s) { s.comment = "a"; }),
        Change([](Schema& s) { s.comment = ","; }), Change([](Schema& s) { s.comment = "##"; })}) {
    Model model = small({"x"});
    change(model.schema);
    EXPECT_THROW(encode(model), Error);
  }
  Model plain = small({"x"});
  plain.schema.quote = Quote::none;
  EXPECT_EQ(version_of(plain), 4U);
}

// A model of before - was named: it knows it as a category, and predicts with it as it did.
TEST(TextRules, WhatIsACategoryOfAnOldModelIsNotMissing) {
  Model old = small({"x", "-"});
  old.schema.missing = {"?", "N/A", "NA", "NaN", "None", "nan", "null"};
  EXPECT_EQ(version_of(old), 1U);
  EXPECT_EQ(decode(encode(old), "m"), old);
}

TEST(TextRules, NamesAscendAndOneModelHasOneEncoding) {
  for (const std::vector<std::string>& names : {std::vector<std::string>{"b", "a"}, {"a", "a"}, {""}}) {
    Model model = small({"x"});
    model.schema.missing = names;
    EXPECT_THROW(encode(model), Error);
  }
  Model model = small({"x"});
  model.schema.missing = {"a"};
  std::vector<std::uint8_t> bytes = encode(model);
  bytes[model::kMagic.size()] = 1;
  EXPECT_THROW(decode(bytes, "m"), Error);
}

}  // namespace
}  // namespace halfspace::testing
