// Products of columns: against tables in which they were written out by hand, and against a slow account.

#include "halfspace/stream/cache.h"
#include "stream/csv_driver.h"
#include "stream/stream_support.h"

namespace halfspace::stream {
namespace {

using namespace testing_stream;

ReadOptions times(Names pairs) {
  ReadOptions options{.columns = {.label = "y", .interactions = std::move(pairs)}};
  return options;
}

TEST(Interactions, OfNumbersAndCategories) {
  const CsvResult r =
      read_csv("a,b,c,d,y\n2,3,red,x,p\n4,0.5,blue,y,q\n-1,5,red,y,p\n", times({"a:b", "a:c", "c:b", "c:d", "a:a"}));
  EXPECT_EQ(r.schema.feature_names(), (Names{"a", "b", "a:b", "a:a", "c=red", "d=x", "a:c=red", "c=red:b", "c=red:d=x",
                                             "c=blue", "d=y", "a:c=blue", "c=blue:b", "c=blue:d=y", "c=red:d=y"}));
  EXPECT_EQ(r.rows[0].values, (Values{{0, 2}, {1, 3}, {4, 1}, {5, 1}, {2, 6}, {6, 2}, {7, 3}, {8, 1}, {3, 4}}));
  EXPECT_EQ(r.rows[2].values, (Values{{0, -1}, {1, 5}, {4, 1}, {10, 1}, {2, -5}, {6, -1}, {7, 5}, {14, 1}, {3, 1}}));
}

TEST(Interactions, NothingComesOfAMissingValue) {
  const CsvResult r = read_csv("a,b,c,y\n1,2,u,p\n,3,u,q\n4,,,p\n", times({"a:b", "a:c", "c:b"}));
  EXPECT_EQ(r.schema.feature_names(), (Names{"a", "b", "a:b", "c=u", "a:c=u", "c=u:b", "a=?", "b=?", "c=?"}));
  EXPECT_EQ(r.rows[1].values, (Values{{6, 1}, {1, 3}, {3, 1}, {5, 3}}));
  EXPECT_EQ(r.rows[2].values, (Values{{0, 4}, {7, 1}, {8, 1}}));
}

TEST(Interactions, PairsOfCategoriesAreToldApart) {
  const CsvResult r = read_csv("c,d,y\nx:d=y,z,p\nx,y:d=z,q\nx\\,y,p\n", times({"c:d"}));
  ASSERT_EQ(r.schema.columns[3].categories.size(), 3U);
  EXPECT_EQ(r.schema.feature_names()[2], "c=x\\:d=y:d=z");
  EXPECT_EQ(r.schema.feature_names()[5], "c=x:d=y:d=z");
  EXPECT_EQ(r.schema.columns[3].categories[2], "x\\\\:d=y");
}

TEST(Interactions, ThatCannotBeAreRefused) {
  const std::string text = "a,c,t,y\n1,u,w,p\n2,v,w w,q\n";
  for (const Names& pairs :
       std::vector<Names>{{"a"}, {"a:x"}, {"x:a"}, {":"}, {"a:y"}, {"c:c"}, {"a:c", "a:c"}, {"t:a"}, {""}, {"9:a"}}) {
    ReadOptions options = times(pairs);
    options.columns.text = {"t"};
    EXPECT_THROW(read_csv(text, options), Error) << pairs[0];
  }
  EXPECT_THROW(read_csv("a,c,a:c,y\n1,u,3,p\n2,v,4,q\n", times({"a:c"})), Error);
  EXPECT_EQ(read_csv("a:b,c,y\n1,u,p\n2,v,q\n", times({"a:b:c"})).schema.columns.back().name, "a:b:c");
  EXPECT_EQ(read_csv("a,c,y\n1,u,p\n2,v,q\n", times({"1:2"})).schema.columns.back().name, "a:c");
  const CsvResult large = read_csv("a,b,y\n1e200,1e200,p\n1,2,q\n", times({"a:b"}));
  ASSERT_EQ(large.bad.size(), 1U);
  EXPECT_TRUE(has(large.bad.begin()->reason, "too large"));
}

// Tables of numbers and categories, with missing values, quotes and bad rows.
std::string random_table(std::mt19937_64& random, int rows) {
  const Names numbers = {"0", "1.5", "-2", "", "1e3", "0.1", "NA"},
              texts = {"u", "\"v, w\"", "x:y", "?", "\"\"\"z\"\"\""};
  std::string text = "a,c,b,d,y\n";
  for (int row = 0; row < rows; ++row) {
    const bool bad = random() % 25 == 0;
    text += (bad ? "x" : numbers[random() % numbers.size()]) + "," + texts[random() % texts.size()] + "," +
            numbers[random() % numbers.size()] + "," + texts[random() % texts.size()] + "," +
            (random() % 2 == 0 ? "p" : "q") + "\n";
  }
  return text;
}

TEST(Interactions, AreWhatTheNamesSay) {
  std::mt19937_64 random(21);
  for (int round = 0; round < 60; ++round) {
    ReadOptions options = times({"a:b", "c:a", "d:c", "b:d"});
    options.columns.numeric = {"a", "b"};
    const std::string text = random_table(random, 30);
    const CsvResult r = read_csv(text, options);
    const Names names = r.schema.feature_names();
    for (const CsvRow& row : r.rows) {
      std::map<std::string, double> found, wanted;
      std::map<char, std::string> category;
      for (const auto& [index, value] : row.values) {
        found[names[index]] = value;
        const std::string& name = names[index];
        if (name.find(':') != std::string::npos && name[1] == ':') continue;
        if (name.size() > 1 && name.substr(1) != "=?" && name[1] == '=' && name.find(":d=") == std::string::npos &&
            name.find(":c=") == std::string::npos && name.find(":a") == std::string::npos)
          category[name[0]] = name.substr(2);
      }
      if (found.contains("a") && found.contains("b")) wanted["a:b"] = found["a"] * found["b"];
      if (category.contains('c') && found.contains("a")) wanted["c=" + category['c'] + ":a"] = found["a"];
      if (category.contains('d') && found.contains("b")) wanted["b:d=" + category['d']] = found["b"];
      if (category.contains('c') && category.contains('d'))
        wanted["d=" + (category['d'] == "x:y" ? "x\\:y" : category['d']) + ":c=" + category['c']] = 1;
      std::map<std::string, double> products;
      for (const auto& [name, value] : found) {
        const bool plain = name == "a" || name == "b" || name.ends_with("=?") ||
                           (name.size() > 1 && name[1] == '=' && category[name[0]] == name.substr(2));
        if (!plain) products.emplace(name, value);
      }
      EXPECT_EQ(products, wanted) << text;
    }
  }
}

TEST(Interactions, HowTextIsCutMakesNoDifference) {
  std::mt19937_64 random(22);
  for (int round = 0; round < 60; ++round) {
    const std::string text = random_table(random, 40);
    ReadOptions options = times({"a:b", "c:a", "d:c"});
    options.columns.numeric = {"a", "b"};
    const CsvResult whole = read_csv(text, options);
    for (const std::size_t chunk : {1U, 7U, 64U, 300U}) EXPECT_EQ(read_csv(text, options, chunk), whole) << text;
  }
}

// A table in which the products were written out by hand gives the same numbers and values, bit for bit.
TEST(Interactions, AreTheColumnsWrittenOutByHand) {
  std::mt19937_64 random(23);
  for (int round = 0; round < 40; ++round) {
    const bool header = round % 2 == 0;
    std::string asked = header ? "a,b,c,d,y\n" : "", by_hand = header ? "a,b,c,d,a:b,c:d,y\n" : "";
    for (int row = 0; row < 30; ++row) {
      // Products of whole numbers and halves are exact.
      const double a = static_cast<double>(random() % 21) / 2 - 5, b = static_cast<double>(random() % 9) - 4;
      const std::string c(1, static_cast<char>('r' + random() % 3)), d(1, static_cast<char>('k' + random() % 4));
      const auto text = [](double value) { return std::to_string(value); };
      const std::string label = random() % 2 == 0 ? ",p\n" : ",q\n",
                        plain = text(a) + "," + text(b) + "," + c + "," + d;
      asked += plain + label;
      by_hand += plain + "," + text(a * b) + "," + c + ":" + (header ? "d" : "4") + "=" + d + label;
    }
    ReadOptions options = times(header ? Names{"a:b", "c:d"} : Names{"1:2", "3:4"});
    options.table.header = header;
    if (!header) options.columns.label.clear();
    ReadOptions plain = options;
    plain.columns.interactions.clear();
    const CsvResult made = read_csv(asked, options), written = read_csv(by_hand, plain);
    EXPECT_EQ(made.rows, written.rows);
    const std::size_t names = made.schema.feature_names().size();
    EXPECT_EQ(names, written.schema.feature_names().size());
  }
}

TEST(Interactions, OfLaterData) {
  const std::string text = "a,c,d,y\n2,u,k,p\n3,v,l,q\n";
  const Schema schema = read_csv(text, times({"a:c", "c:d"})).schema;
  ReadOptions later{.schema = &schema, .grow = false};
  const CsvResult kept = read_csv("d,y,c,a\nl,p,u,5\n", later);
  EXPECT_EQ(kept.rows[0].values, (Values{{0, 5}, {1, 1}, {6, 1}, {3, 5}}));
  EXPECT_EQ(kept.unknown_features, 1U) << "u with l is new";
  later.grow = true;
  EXPECT_EQ(read_csv("d,y,c,a\nl,p,u,5\n", later).schema.feature_names().back(), "c=u:d=l");
  later.columns.interactions = {"a:c"};
  EXPECT_EQ(read_csv(text, later).rows.size(), 2U);
  later.columns.interactions = {"c:a"};
  EXPECT_THROW(read_csv(text, later), Error) << "the model has no such product";
  // A column of the file that is called as a product is another column.
  later.columns.interactions.clear();
  EXPECT_THROW(read_csv("a,c,d,a:c,y\n2,u,k,1,p\n", later), Error);
}

TEST(Interactions, OfACache) {
  const testing_stream::Folder folder;
  std::mt19937_64 random(24);
  ReadOptions options = times({"a:b", "c:a", "d:c"});
  options.columns.numeric = {"a", "b"};
  options.on_error = OnError::skip;
  options.path = folder.write("d.csv", random_table(random, 300));
  convert(options, folder.path("d.cache"));
  ReadOptions cached{.path = folder.path("d.cache")};
  testing_stream::expect_read_alike(cached, options);
  options.path = folder.write("small.csv", "a,c,b,d,y\n1,u,2,u,p\n2,x:y,3,v,q\n");
  const Schema small = read_all(options).schema;
  ReadOptions of_text{.path = folder.path("d.csv"), .on_error = OnError::skip};
  of_text.schema = cached.schema = &small;
  for (const bool grow : {false, true}) {
    cached.grow = of_text.grow = grow;
    testing_stream::expect_read_alike(cached, of_text);
  }
}

}  // namespace
}  // namespace halfspace::stream
