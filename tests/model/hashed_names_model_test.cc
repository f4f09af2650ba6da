// Hashed names in a model file: they are kept, and fields that cannot be are refused.
#include <gtest/gtest.h>

#include "halfspace/base/error.h"
#include "halfspace/model/model_file.h"
#include "model/format.h"

namespace halfspace::testing {
namespace {

// A number, a column of hashed categories, and the missing values of both.
Model of_hashed_names() {
  Model model;
  model.schema.format = DataFormat::csv;
  Column number, colour;
  number.name = "n";
  number.feature = 0;
  number.missing_feature = 1;
  colour.name = "c";
  colour.kind = Column::Kind::categorical;
  colour.missing_feature = 2;
  model.schema.features = 3 + 8;
  model.schema.columns = {number, colour};
  model.schema.hashed.bits = 3;
  model.schema.hashed.to_keep = 2;
  model.schema.hashed.names = {"c=red", "c=blue"};
  model.schema.hashed.features = {10, 3};
  model.schema.labels.names = {"no", "yes"};
  model.weights = {1, {0.5, -1, 0, 1, 0, 0, 0, 0, 0, 0, 2}, {0}};
  model.learner.weights = model.weights;
  model.ledger.class_weight = {0, 0};
  model.ledger.next_row = 1;
  return model;
}

TEST(HashedNamesOfModels, AreKept) {
  const Model model = of_hashed_names();
  EXPECT_EQ(decode(encode(model), "m"), model);
  EXPECT_EQ(model.schema.first_hashed(), 3U);
  EXPECT_EQ(model.schema.feature_names(), (std::vector<std::string>{"n", "n=?", "c=?", "c=blue", "hash:1", "hash:2",
                                                                    "hash:3", "hash:4", "hash:5", "hash:6", "c=red"}));
}

// Weights grow with the rows, the table is there from the start.
TEST(HashedNamesOfModels, StayWhenASchemaIsTrimmed) {
  Schema schema = of_hashed_names().schema;
  const Schema whole = schema;
  schema.trim(1);
  EXPECT_EQ(schema, whole);
}

TEST(HashedNamesOfModels, ThatCannotBeAreRefused) {
  const auto refused = [](const std::string& field, auto&& change) {
    Model model = of_hashed_names();
    change(model.schema);
    try {
      encode(model);
      FAIL() << field;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(field), std::string::npos) << error.what();
    }
  };
  refused("schema.hash_bits", [](Schema& s) { s.hashed.bits = 31; });
  refused("schema.hash_bits", [](Schema& s) { s.hashed.bits = 4; });
  refused("schema.hashed_features", [](Schema& s) { s.hashed.features.pop_back(); });
  refused("schema.hashed_features", [](Schema& s) { s.hashed.features[1] = 2; });
  refused("schema.hashed_features", [](Schema& s) { s.hashed.features[1] = 11; });
  refused("more names than are kept", [](Schema& s) { s.hashed.to_keep = 1; });
  refused("a column numbers its names", [](Schema& s) {
    s.columns[1].categories = {"red"};
    s.columns[1].features = {4};
  });
}

// Another hash is another model: a program that does not know it must not read it.
TEST(HashedNamesOfModels, OfAnotherHashAreRefused) {
  std::vector<std::uint8_t> bytes = encode(of_hashed_names());
  const std::vector<std::uint8_t> fields = {3, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0};  // bits, version, names to keep
  const auto at = std::search(bytes.begin(), bytes.end(), fields.begin(), fields.end());
  ASSERT_NE(at, bytes.end());
  at[4] = 2;
  constexpr std::size_t size = sizeof(model::Checksum);
  const model::Checksum sum = model::checksum(std::span(bytes).first(bytes.size() - size));
  std::copy(sum.begin(), sum.end(), bytes.end() - static_cast<std::ptrdiff_t>(sum.size()));
  try {
    decode(bytes, "m");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("hash_version"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace halfspace::testing
