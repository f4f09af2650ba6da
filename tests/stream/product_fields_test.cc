// Products of namespaces in schemas of files: what is checked, and how the texts of earlier files become numbers.

#include "stream/vw/product_fields.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <string>
#include <vector>

#include "halfspace/stream/cache.h"
#include "stream_support.h"

namespace halfspace {
namespace {

using namespace testing_stream;
using Names = std::vector<std::string>;

ReadOptions of_products(Names interactions) {
  ReadOptions options;
  options.threads = 1;
  options.format = DataFormat::vw;
  options.columns.interactions = std::move(interactions);
  return options;
}

std::string random_rows(unsigned seed, int rows) {
  std::mt19937 engine(seed);
  const auto draw = [&] { return static_cast<unsigned>(engine()); };
  const char* const spaces[] = {"a", "b", "ab", "c", ""};
  std::string text;
  for (int i = 0; i < rows; ++i) {
    text += i % 2 == 0 ? "1" : "-1";
    for (const char* const space : spaces) {
      text += std::string(" |") + space;
      for (unsigned k = draw() % 4; k > 0; --k) {
        const unsigned number = draw() % 25;
        text += number == 0 ? " x*b^y" : number == 1 ? " x" : " n" + std::to_string(number);
      }
    }
    text += "\n";
  }
  return text;
}

// As files of earlier versions have products.
Schema with_texts(Schema schema) {
  const Names names = schema.feature_names();
  for (Column& column : schema.columns) {
    if (column.products.empty()) continue;
    column.products.clear();
    for (const std::uint32_t feature : column.features) column.categories.push_back(names[feature]);
  }
  return schema;
}

const std::vector<Names> rules = {{"a:b"}, {"a:a"},          {":b", "b:"},    {"a:b:c"},        {"|a:|b"},
                                  {"|:|"}, {"a:a:a", "c:a"}, {"|a:b:|", ":"}, {"|ab:|a", "a:c"}};

TEST(ProductFields, TextsBecomeTheNumbersTheyWereMadeOf) {
  for (const Names& of : rules) {
    const Reading reading = read_text(random_rows(3, 300), of_products(of));
    ASSERT_FALSE(reading.failed) << reading.error.what();
    ASSERT_TRUE(stream::has_products(reading.schema));
    EXPECT_EQ(stream::check_products(reading.schema), "");
    Schema schema = with_texts(reading.schema);
    EXPECT_FALSE(stream::has_products(schema));
    EXPECT_EQ(stream::number_products(schema), "") << of[0];
    EXPECT_EQ(schema.feature_names(), reading.schema.feature_names());
    EXPECT_EQ(schema.features, reading.schema.features);
  }
}

// a^x*b^y*b^z is x*b^y with z, or x with y*b^z: two products of one name, and two features.
TEST(ProductFields, ProductsOfOneNameAreTwo) {
  const Reading reading = read_text("1 |a x*b^y |b z\n-1 |a x |b y*b^z\n", of_products({"a:b"}));
  ASSERT_FALSE(reading.failed);
  EXPECT_EQ(reading.schema.features, 6U);
  const Names names = reading.schema.feature_names();
  EXPECT_EQ(names[2], "a^x*b^y*b^z");
  EXPECT_EQ(names[5], names[2]);
}

TEST(ProductFields, TextsOfNoProductAreRefused) {
  Schema schema = with_texts(read_text("1 |a x |b y\n-1 |a z |b w\n", of_products({"a:b"})).schema);
  for (const char* const text : {"a^x*b^x", "b^y*a^x", "a^x", "", "a^x*b^y*b^y", "a^x*", "x*y", "a^xb^y"}) {
    Schema wrong = schema;
    for (Column& column : wrong.columns)
      if (stream::multiplies(wrong, column)) column.categories = {"a^x*b^y", text};
    EXPECT_NE(stream::number_products(wrong), "") << text;
  }
}

TEST(ProductFields, OnlyProductsThatRowsCanHaveAreAccepted) {
  const Reading reading = read_text(random_rows(4, 50), of_products({"a:b", "|a:|:c"}));
  const Schema& good = reading.schema;
  ASSERT_EQ(stream::check_products(good), "");
  const auto column = [](Schema& schema, std::size_t n) -> Column& {
    for (Column& one : schema.columns)
      if (!one.products.empty() && n-- == 0) return one;
    throw std::logic_error("no such column");
  };
  const std::vector<std::function<void(Schema&)>> damages = {
      [&](Schema& s) { std::swap(column(s, 0).products[0], column(s, 0).products[1]); },
      [&](Schema& s) { column(s, 0).products[0] = column(s, 0).features[0]; },
      [&](Schema& s) { column(s, 1).products[2] = column(s, 1).products[0]; },
      [&](Schema& s) { std::copy_n(column(s, 0).products.begin(), 2, column(s, 0).products.end() - 2); },
      [&](Schema& s) { std::copy_n(column(s, 1).products.begin(), 3, column(s, 1).products.end() - 3); },
      [&](Schema& s) { column(s, 0).features[0] = column(s, 0).features[1]; },
      [&](Schema& s) { column(s, 0).features.back() = s.features; },
      [&](Schema& s) { ++s.features; },
  };
  for (std::size_t i = 0; i < damages.size(); ++i) {
    Schema schema = good;
    damages[i](schema);
    EXPECT_NE(stream::check_products(schema), "") << i;
  }
}

TEST(ProductFields, TrimmedSchemasReadTheSameRows) {
  const std::string text = random_rows(5, 200);
  const Reading whole = read_text(text, of_products({"a:b", "|a:|:c"}));
  for (std::uint32_t features = 0; features < whole.schema.features; features += 37) {
    Schema schema = whole.schema;
    schema.trim(features);
    EXPECT_EQ(stream::check_products(schema), "");
    ReadOptions options = of_products({});
    options.schema = &schema;
    options.grow = true;
    if (features < 100) continue;  // all rules are still there
    const Reading again = read_text(text, options);
    ASSERT_FALSE(again.failed) << again.error.what();
    EXPECT_EQ(again.schema.features, whole.schema.features);
  }
}

// Of a cache, whose features have other numbers, a model knows the products of names that it knows.
TEST(ProductFields, ACacheIsMatchedByFactors) {
  const Folder folder;
  for (const Names& of : rules) {
    const Reading learned = read_text(random_rows(6, 100), of_products(of));
    ReadOptions options = of_products(of);
    options.path = folder.write("data", random_rows(8, 100));
    convert(options, folder.path("cache"));
    ReadOptions later = of_products({});
    for (const bool grow : {false, true}) {
      later.schema = &learned.schema;
      later.grow = grow;
      later.format = DataFormat::vw;
      later.path = options.path;
      const Reading by_text = read_all(later);
      later.format = DataFormat::automatic;
      later.path = folder.path("cache");
      const Reading by_cache = read_all(later);
      ASSERT_FALSE(by_text.failed || by_cache.failed) << of[0];
      EXPECT_EQ(by_cache.rows, by_text.rows) << of[0];
      if (!grow) continue;
      EXPECT_EQ(by_cache.schema.feature_names(), by_text.schema.feature_names()) << of[0];
    }
  }
}

}  // namespace
}  // namespace halfspace
