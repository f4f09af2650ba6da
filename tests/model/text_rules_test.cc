// How text is read stands in a model file.
#include <gtest/gtest.h>

#include "halfspace/base/error.h"
#include "halfspace/model/model_file.h"

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

TEST(TextRules, AreKept) {
  const Model usual = small({"x"});
  EXPECT_EQ(decode(encode(usual), "m"), usual);
  Model other = usual;
  for (const std::vector<std::string>& missing : {std::vector<std::string>{"?", "none"}, {}}) {
    other.schema.missing = missing;
    EXPECT_EQ(decode(encode(other), "m"), other);
  }
  for (const char delimiter : {'|', ' ', ';'}) {
    for (const char decimal : {'.', ','}) {
      other = usual;
      other.schema.delimiter = delimiter;
      other.schema.decimal = decimal;
      EXPECT_EQ(decode(encode(other), "m"), other);
    }
  }
}

TEST(TextRules, OfOtherCutsAreKeptOrRefused) {
  using Change = void (*)(Schema&);
  for (const Change change :
       {Change([](Schema& s) { s.delimiter = s.decimal = ','; }), Change([](Schema& s) { s.thousands = ','; }),
        Change([](Schema& s) { s.thousands = '.', s.decimal = ',', s.delimiter = ';'; }),
        Change([](Schema& s) { s.quote = Quote::single_quote; }), Change([](Schema& s) { s.skip_lines = 3; }),
        Change([](Schema& s) { s.comment = "#%"; }), Change([](Schema& s) { s.quote = Quote::none; }),
        Change([](Schema& s) {
          s.columns[0].kind = Column::Kind::text;
          s.columns[0].text_tokens = TextTokens::characters;
        })}) {
    Model model = small({"x"});
    change(model.schema);
    EXPECT_EQ(decode(encode(model), "m"), model);
  }
  for (const Change change :
       {Change([](Schema& s) { s.thousands = 'x'; }), Change([](Schema& s) { s.thousands = '.'; }),
        Change([](Schema& s) { s.comment = "%#"; }), Change([](Schema& s) { s.comment = "a"; }),
        Change([](Schema& s) { s.comment = ","; }), Change([](Schema& s) { s.comment = "##"; })}) {
    Model model = small({"x"});
    change(model.schema);
    EXPECT_THROW(encode(model), Error);
  }
}

TEST(TextRules, NamesAscend) {
  for (const std::vector<std::string>& names : {std::vector<std::string>{"b", "a"}, {"a", "a"}, {""}}) {
    Model model = small({"x"});
    model.schema.missing = names;
    EXPECT_THROW(encode(model), Error);
  }
}

}  // namespace
}  // namespace halfspace::testing
