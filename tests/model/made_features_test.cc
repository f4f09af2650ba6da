// Features made from columns in a model file: what is made is kept, and what cannot be is refused.
#include <gtest/gtest.h>

#include <limits>

#include "halfspace/base/error.h"
#include "halfspace/model/model_file.h"

namespace halfspace::testing {
namespace {

Model of_text(TextValues values) {
  Model model;
  model.schema.format = DataFormat::csv;
  Column column;
  column.name = "t";
  column.kind = Column::Kind::text;
  column.categories = {"nan", "nan free"};
  column.features = {0, 1};
  column.ngrams = 2;
  column.text_values = values;
  if (values == TextValues::tf_idf) {
    column.factors = {1, 1.5};
    column.unseen_factor = 2;
  }
  model.schema.features = 2;
  model.schema.columns = {column};
  model.schema.labels.names = {"no", "yes"};
  model.weights = {1, {0.5, -1}, {0}};
  model.learner.weights = model.weights;
  model.ledger.class_weight = {0, 0};
  model.ledger.next_row = 1;
  return model;
}

TEST(MadeFeatures, OfTextsAreKept) {
  for (const TextValues values : {TextValues::counts, TextValues::binary, TextValues::tf_idf}) {
    const Model model = of_text(values);
    EXPECT_EQ(decode(encode(model), "m"), model);
  }
}

TEST(MadeFeatures, OfTextsThatCannotBeAreRefused) {
  const auto refused = [](const char* field, auto&& change) {
    Model model = of_text(TextValues::tf_idf);
    change(model.schema.columns[0]);
    try {
      encode(model);
      FAIL() << field;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(field), std::string::npos) << error.what();
    }
  };
  refused("schema.columns[0].ngrams", [](Column& c) { c.ngrams = 0; });
  refused("schema.columns[0].ngrams", [](Column& c) { c.ngrams = 17; });
  refused("schema.columns[0].unseen_factor", [](Column& c) { c.unseen_factor = 0; });
  refused("schema.columns[0].factors", [](Column& c) { c.factors.pop_back(); });
  refused("schema.columns[0].factors", [](Column& c) { c.factors[1] = 3; });
  refused("schema.columns[0].factors", [](Column& c) { c.factors[1] = -1; });
}

// A number, a category, and the products of each with each.
Model of_products() {
  Model model = of_text(TextValues::counts);
  Column number, colour, square, both;
  number.name = "n";
  number.feature = 0;
  colour.name = "c";
  colour.kind = Column::Kind::categorical;
  colour.categories = {"red"};
  colour.features = {2};
  square.name = "n:n";
  square.kind = both.kind = Column::Kind::product;
  square.feature = 1;
  square.first = square.second = both.first = 0;
  both.name = "n:c";
  both.second = 1;
  both.categories = {"red"};
  both.features = {3};
  model.schema.columns = {number, colour, square, both};
  model.schema.features = 4;
  return model;
}

TEST(MadeFeatures, OfProductsAreKept) {
  const Model model = of_products();
  EXPECT_EQ(decode(encode(model), "m"), model);
}

TEST(MadeFeatures, OfProductsThatCannotBeAreRefused) {
  const auto refused = [](auto&& change) {
    Model model = of_products();
    change(model.schema.columns);
    EXPECT_THROW(encode(model), Error);
  };
  refused([](auto& columns) { columns[2].first = 2; });
  refused([](auto& columns) { columns[3].second = 2; });
  refused([](auto& columns) { columns[3].second = 4; });
  refused([](auto& columns) { columns[3].second = Column::no_feature; });
  refused([](auto& columns) { columns[2].feature = Column::no_feature; });
  refused([](auto& columns) { columns[3].feature = 1; });
  refused([](auto& columns) { columns[3].missing_feature = 1; });
  refused([](auto& columns) { columns[1].kind = Column::Kind::label; });
  refused([](auto& columns) {
    columns[2].categories = {"x"};
    columns[2].features = {3};
  });
}

TEST(MadeFeatures, OfLogarithmsAreKeptAndThoseThatCannotBeRefused) {
  Model model = of_products();
  Column& logarithm = model.schema.columns[2];
  logarithm.name = "log(n)";
  logarithm.second = Column::no_feature;
  logarithm.least = -3;
  logarithm.unit = 0.25;
  EXPECT_EQ(decode(encode(model), "m"), model);
  const auto refused = [&](auto&& change) {
    Model other = model;
    change(other.schema.columns);
    EXPECT_THROW(encode(other), Error);
  };
  for (const double unit : {0.0, -1.0, 3.0, std::numeric_limits<double>::infinity(), 0x1p-1074})
    refused([&](auto& columns) {
      columns[2].least = -1e300;
      columns[2].unit = unit;
    });
  refused([](auto& columns) { columns[2].least = std::numeric_limits<double>::quiet_NaN(); });
  refused([](auto& columns) { columns[2].first = 1; });
  refused([](auto& columns) { columns[2].feature = Column::no_feature; });
}

TEST(MadeFeatures, OfDatesAreKeptAndThoseThatCannotBeRefused) {
  Model model = of_products();
  Column& when = model.schema.columns[0];
  when.kind = Column::Kind::date;
  when.date_order = DateOrder::mdy;
  when.categories = {"weekday=Mon"};
  when.features = {3};
  model.schema.columns.resize(1);
  EXPECT_EQ(decode(encode(model), "m"), model);
  for (const std::uint32_t feature : {2U, 3U, Column::no_feature}) {
    Model other = model;
    other.schema.columns[0].feature = feature;
    EXPECT_THROW(encode(other), Error) << feature;
  }
}

}  // namespace
}  // namespace halfspace::testing
