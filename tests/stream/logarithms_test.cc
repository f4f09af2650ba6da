// Logarithms of columns: their values, and the same ones of every format.
#include "stream/columns/logarithms.h"

#include <fmt/format.h>

#include <cmath>

#include "halfspace/base/random.h"
#include "halfspace/detail/base/elementary.h"
#include "halfspace/stream/cache.h"
#include "stream/csv_driver.h"
#include "stream/stream_support.h"

namespace halfspace::stream {
namespace {

using namespace testing_stream;

ReadOptions with_logarithms(std::vector<LogarithmOf> logarithms) {
  return {.columns = {.label = "y", .logarithms = std::move(logarithms)}};
}

TEST(Logarithms, OfValues) {
  const CsvResult r = read_csv("a,c,y\n3,u,p\n-5,v,q\n,u,p\n0,u,q\n-9,u,q\n", with_logarithms({{"a", -5, 4}}));
  EXPECT_EQ(r.schema.feature_names(), (Names{"a", "log(a)", "c=u", "c=v", "a=?"}));
  const auto of = [](double x) { return elementary::log1p((x + 5) / 4); };
  EXPECT_EQ(r.rows[0].values, (Values{{0, 3}, {2, 1}, {1, of(3)}}));
  EXPECT_EQ(r.rows[1].values, (Values{{0, -5}, {3, 1}, {1, 0}}));
  EXPECT_EQ(r.rows[2].values, (Values{{4, 1}, {2, 1}})) << "missing";
  EXPECT_EQ(r.rows[3].values, (Values{{0, 0}, {2, 1}, {1, of(0)}}));
  EXPECT_EQ(r.rows[4].values, (Values{{0, -9}, {2, 1}, {1, 0}})) << "below the least value";
}

TEST(Logarithms, AreFinite) {
  for (const LogarithmOf& of :
       std::vector<LogarithmOf>{{"a", 0, 0x1p-1000}, {"a", -1e308, 1}, {"a", 1e308, 0x1p1000}}) {
    const CsvResult r = read_csv("a,y\n1.7e308,p\n-1.7e308,q\n5e-324,p\n", with_logarithms({of}));
    ASSERT_EQ(r.rows.size(), 3U);
    for (const CsvRow& row : r.rows) {
      ASSERT_EQ(row.values.size(), 2U);
      EXPECT_TRUE(std::isfinite(row.values[1].second));
      EXPECT_GE(row.values[1].second, 0);
    }
  }
}

TEST(Logarithms, OfColumnsThatAreNotThereAreRefused) {
  const std::string text = "a,c,y\n1,u,p\n2,v,q\n";
  EXPECT_THROW(read_csv(text, with_logarithms({{"b", 0, 1}})), Error);
  EXPECT_THROW(read_csv(text, with_logarithms({{"c", 0, 1}})), Error);
}

TEST(Logarithms, OfLaterData) {
  const Schema schema = read_csv("a,c,y\n1,u,p\n2,v,q\n", with_logarithms({{"a", 1, 0.5}})).schema;
  const CsvResult later = read_csv("y,c,a\np,u,9\n", {.schema = &schema, .grow = false});
  EXPECT_EQ(later.rows[0].values, (Values{{0, 9}, {2, 1}, {1, elementary::log1p(16)}}));
  EXPECT_THROW(read_csv("a,c,log(a),y\n1,u,5,p\n", {.schema = &schema, .grow = true}), Error)
      << "a column of the file that is called as a logarithm is another column";
}

// The numbers of a table in each format, some missing, some 0.
struct Numbers {
  std::string csv = "a,b,c,y\n", jsonl, arff, sparse;
  explicit Numbers(int rows) {
    Generator draws(31);
    arff = "@relation r\n@attribute a numeric\n@attribute b numeric\n@attribute c {u,v}\n@attribute y {p,q}\n@data\n";
    sparse = arff;
    for (int i = 0; i < rows; ++i) {
      const double kind = draws.next();
      const std::string a = kind < 0.2 ? "0" : fmt::format("{}", std::exp(3 * gaussian(draws)) - 0.5);
      const std::string b = kind > 0.9 ? "" : fmt::format("{}", gaussian(draws));
      const std::string c = draws.next() < 0.5 ? "u" : "v", y = draws.next() < 0.5 ? "p" : "q";
      csv += a + "," + b + "," + c + "," + y + "\n";
      jsonl += R"({"a":)" + a + (b.empty() ? "" : R"(,"b":)" + b) + R"(,"c":")" + c + R"(","y":")" + y + "\"}\n";
      arff += a + "," + (b.empty() ? "?" : b) + "," + c + "," + y + "\n";
      sparse += "{" + (a == "0" ? "" : "0 " + a + ",") + "1 " + (b.empty() ? "?" : b) + ",2 " + c + ",3 " + y + "}\n";
    }
  }
};

// Rows as numbers by the names of their features, without zeros.
std::vector<std::map<std::string, double>> by_name(const std::string& text, ReadOptions options) {
  const Folder folder;
  options.path = folder.write("d", text);
  Reader reader(options);
  std::vector<std::vector<std::pair<std::uint32_t, double>>> rows;
  reader.read([&](const Block& block) {
    for (std::size_t i = 0; i < block.rows; ++i) {
      rows.emplace_back();
      block.with_example(i, [&](const auto& x) {
        for (std::uint32_t k = 0; k < x.size; ++k) rows.back().emplace_back(x.index[k], x.value_at(k));
      });
    }
    return true;
  });
  const Names names = reader.schema().feature_names();
  std::vector<std::map<std::string, double>> named(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const auto& [feature, value] : rows[i]) {
      if (value != 0) named[i][names[feature]] = value;
    }
  }
  return named;
}

TEST(Logarithms, TheFormatChangesNothing) {
  const Numbers numbers(200);
  const ReadOptions options = with_logarithms({{"a", -0.5, 2}, {"b", -4, 1}});
  const auto expected = by_name(numbers.csv, options);
  EXPECT_EQ(expected.size(), 200U);
  EXPECT_EQ(by_name(numbers.jsonl, options), expected);
  EXPECT_EQ(by_name(numbers.arff, options), expected);
  EXPECT_EQ(by_name(numbers.sparse, options), expected);
}

TEST(Logarithms, HowTextIsCutMakesNoDifference) {
  const Numbers numbers(100);
  const ReadOptions options = with_logarithms({{"a", -0.5, 2}, {"b", -4, 1}});
  const CsvResult whole = read_csv(numbers.csv, options);
  for (const std::size_t chunk : {1U, 7U, 64U, 300U}) EXPECT_EQ(read_csv(numbers.csv, options, chunk), whole);
}

TEST(Logarithms, OfACache) {
  const Folder folder;
  const Numbers numbers(300);
  for (const std::string& text : {numbers.csv, numbers.jsonl, numbers.sparse}) {
    ReadOptions options = with_logarithms({{"a", -0.5, 2}, {"b", -4, 1}}), plain{.columns = {.label = "y"}};
    options.path = plain.path = folder.write("d", text);
    convert(plain, folder.path("d.cache"));
    ReadOptions cached{.path = folder.path("d.cache"), .columns = {.logarithms = options.columns.logarithms}};
    const Schema schema = read_all(options).schema;
    EXPECT_EQ(read_all(cached).schema, schema);
    EXPECT_EQ(by_name(content(cached.path), cached), by_name(text, options));
    // Of a model, with the cache that lacks the logarithms, and with one that has them.
    ReadOptions later{.path = options.path, .schema = &schema}, of_cache{.path = cached.path, .schema = &schema};
    EXPECT_EQ(by_name(content(of_cache.path), of_cache), by_name(text, later));
    convert(options, folder.path("with.cache"));
    of_cache.path = folder.path("with.cache");
    EXPECT_EQ(by_name(content(of_cache.path), of_cache), by_name(text, later));
  }
}

}  // namespace
}  // namespace halfspace::stream
