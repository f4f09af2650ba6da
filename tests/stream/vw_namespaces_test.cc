// Namespaces of Vowpal Wabbit's text that are multiplied by two or three, or left out.

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "halfspace/stream/cache.h"
#include "stream/vw/namespaces.h"
#include "stream_support.h"

namespace halfspace {
namespace {

using namespace testing_stream;
using Names = std::vector<std::string>;
using NamedRow = std::map<std::string, double>;

ReadOptions of_namespaces(Names interactions, Names ignore = {}, Names only = {}) {
  ReadOptions options;
  options.threads = 1;
  options.format = DataFormat::vw;
  options.columns.interactions = std::move(interactions);
  options.columns.ignore = std::move(ignore);
  options.columns.only = std::move(only);
  return options;
}

std::vector<NamedRow> named_rows(const ReadOptions& options, std::string_view text) {
  Reader reader(options, text);
  std::vector<NamedRow> rows;
  reader.read([&](const Block& block) {
    const Names names = reader.schema().feature_names();
    for (std::size_t i = 0; i < block.rows; ++i) {
      block.with_example(i, [&](const auto& x) {
        NamedRow& row = rows.emplace_back();
        for (std::uint32_t k = 0; k < x.size; ++k) row[names[x.index[k]]] = x.value_at(k);
      });
    }
    return true;
  });
  return rows;
}

// The products of the first row alone.
NamedRow products(Names interactions, std::string_view features) {
  NamedRow row = named_rows(of_namespaces(std::move(interactions)), "1 " + std::string(features) + "\n-1 |\n")[0];
  std::erase_if(row, [](const auto& one) { return one.first.find('*') == std::string::npos; });
  return row;
}

TEST(VwNamespaces, TriplesAreMultiplied) {
  EXPECT_EQ(products({"a:b:c"}, "|a x:2 y |b z:3 |c u:5 v:0.5"),
            (NamedRow{{"a^x*b^z*c^u", 30}, {"a^x*b^z*c^v", 3}, {"a^y*b^z*c^u", 15}, {"a^y*b^z*c^v", 1.5}}));
  EXPECT_EQ(products({"c:a:b"}, "|a x:2 |b z:3 |c u:5"), (NamedRow{{"c^u*a^x*b^z", 30}}));
  EXPECT_EQ(products({"a:a:b"}, "|a x:2 y:3 |b z"),
            (NamedRow{{"a^x*a^x*b^z", 4}, {"a^x*a^y*b^z", 6}, {"a^y*a^y*b^z", 9}}));
  EXPECT_EQ(products({"a:a:a"}, "|a x:2 y:3"),
            (NamedRow{{"a^x*a^x*a^x", 8}, {"a^x*a^x*a^y", 12}, {"a^x*a^y*a^y", 18}, {"a^y*a^y*a^y", 27}}));
  EXPECT_EQ(products({"a::b"}, "|a x:2 | y:3 |b z"), (NamedRow{{"a^x*y*b^z", 6}}));
  EXPECT_EQ(products({"a:b:c", "a:b"}, "|a x:2 |b z:3"), (NamedRow{{"a^x*b^z", 6}}));
}

// As Vowpal Wabbit's -q and --cubic take them: namespaces with the same first letter are one.
TEST(VwNamespaces, FirstLettersStandForAllNamespacesWithThem) {
  EXPECT_EQ(products({"|u:|i"}, "|user x:2 |item y:3 |us z:5 |other w"),
            (NamedRow{{"user^x*item^y", 6}, {"us^z*item^y", 15}}));
  EXPECT_EQ(products({"|u:|u"}, "|user x:2 |us z:5"),
            (NamedRow{{"user^x*user^x", 4}, {"user^x*us^z", 10}, {"us^z*us^z", 25}}));
  EXPECT_EQ(products({"|:|"}, "|a x:2 | y:3"), (NamedRow{{"a^x*a^x", 4}, {"a^x*y", 6}, {"y*y", 9}}));
  EXPECT_EQ(products({"|:|a"}, "|a x:2 w |b y:3"),
            (NamedRow{{"a^x*a^x", 4}, {"a^x*a^w", 2}, {"a^w*a^w", 1}, {"b^y*a^x", 6}, {"b^y*a^w", 3}}));
  EXPECT_EQ(products({"|u:|i:city"}, "|user x:2 |item y:3 |city z:5 |cities z"),
            (NamedRow{{"user^x*item^y*city^z", 30}}));
}

const char* const four_spaces =
    "1 2 'one|user a:2 b |item c:3 d:http |userage :7 | e\n-1 |item c |other x:1 |user a\n1 |other x y:2\n"
    "-1 | e:2 |item 3:1 4:2\n1 |item 3:4 5:6\n-1 |other 3:4 5:6\n-1 |other 3:4 5:7\n1 |item 3:4 5:7\n";
const char* const without_users =
    "1 2 'one |item c:3 d:http | e\n-1 |item c |other x:1 \n1 |other x y:2\n"
    "-1 | e:2 |item 3:1 4:2\n1 |item 3:4 5:6\n-1 |other 3:4 5:6\n-1 |other 3:4 5:7\n1 |item 3:4 5:7\n";

TEST(VwNamespaces, IgnoredOnesMightAsWellNotBeThere) {
  const Names products_of_all = {"item:", "|:|o"};
  const auto expected = named_rows(of_namespaces(products_of_all), without_users);
  EXPECT_EQ(named_rows(of_namespaces(products_of_all, {"user", "userage"}), four_spaces), expected);
  EXPECT_EQ(named_rows(of_namespaces(products_of_all, {"|u"}), four_spaces), expected);
  EXPECT_EQ(named_rows(of_namespaces(products_of_all, {}, {"item", "other", ""}), four_spaces), expected);
  EXPECT_EQ(named_rows(of_namespaces(products_of_all, {}, {"|i", "|ot", ""}), four_spaces), expected);
  EXPECT_EQ(
      named_rows(of_namespaces({"item:"}, {"user"}, {"item", "", "|us", "other"}), four_spaces)[0],
      (NamedRow{{"item^c", 3}, {"item^d^http", 1}, {"userage^0", 7}, {"e", 1}, {"item^c*e", 3}, {"item^d^http*e", 1}}));
  // The fast path for numbers leaves them out, too.
  const auto plain = named_rows(of_namespaces({}), without_users);
  EXPECT_EQ(named_rows(of_namespaces({}, {"|u"}), four_spaces), plain);
  EXPECT_EQ(named_rows(of_namespaces({}, {"other", "|u"}), four_spaces)[6], NamedRow{});
}

TEST(VwNamespaces, RulesAreOfAModel) {
  for (const ReadOptions& rules : {of_namespaces({"|u:item"}, {"other"}), of_namespaces({}, {}, {"user", "|i"})}) {
    const Reading learned = read_text(four_spaces, rules);
    ASSERT_FALSE(learned.failed) << learned.error.what();
    ReadOptions later = of_namespaces({});
    later.schema = &learned.schema;
    EXPECT_EQ(read_text(four_spaces, later).rows, learned.rows);
    later.grow = false;
    const Reading predicted = read_text(four_spaces, later);
    EXPECT_EQ(predicted.rows, learned.rows);
    EXPECT_EQ(predicted.report.unknown_features, 0U);
    later.columns.ignore = {"item"};
    EXPECT_EQ(read_text(four_spaces, later).error.kind(), ErrorKind::usage);
    later.columns.ignore.clear();
    later.columns.only = {"item"};
    EXPECT_EQ(read_text(four_spaces, later).error.kind(), ErrorKind::usage);
    // A run that ends early forgets features, and no rule.
    Schema none = learned.schema;
    none.trim(0);
    EXPECT_EQ(stream::namespaces_of(none), stream::namespaces_of(learned.schema));
    EXPECT_EQ(none.feature_names(), Names{});
  }
}

TEST(VwNamespaces, ACacheHasTheRulesOfItsText) {
  const Folder folder;
  ReadOptions rules = of_namespaces({"item:user"}, {"|o"});
  rules.path = folder.write("data", four_spaces);
  const Reading learned = read_all(rules);
  convert(rules, folder.path("cache"));
  ReadOptions plain = of_namespaces({});
  plain.path = rules.path;
  convert(plain, folder.path("plain"));
  ReadOptions later = of_namespaces({});
  later.format = DataFormat::automatic;
  later.path = folder.path("cache");
  EXPECT_EQ(read_all(later).rows, learned.rows);
  later.schema = &learned.schema;
  EXPECT_EQ(read_all(later).rows, learned.rows);
  later.path = folder.path("plain");
  EXPECT_TRUE(read_all(later).failed);
  later.schema = nullptr;
  later.columns.ignore = {"item"};
  EXPECT_EQ(read_all(later).error.kind(), ErrorKind::usage);
}

TEST(VwNamespaces, ThreadsAndBlocksDoNotMatter) {
  std::string text;
  for (int i = 0; i < 300; ++i) {
    text += (i % 2 == 0 ? "1 |a x" : "-1 |a y") + std::to_string(i % 7) + ":2 |b z" + std::to_string(i % 5) + " |c" +
            std::to_string(i % 3) + " u:0.1 |d w" + std::to_string(i) + "\n";
  }
  ReadOptions options = of_namespaces({"a:|c:b"}, {"d", "|c2"});
  const Reading one = read_text(text, options);
  ASSERT_FALSE(one.failed) << one.error.what();
  options.threads = 4;
  options.block_bytes = 100;
  const Reading many = read_text(text, options);
  EXPECT_EQ(many.rows, one.rows);
  EXPECT_EQ(many.schema, one.schema);
}

TEST(VwNamespaces, BadRowsAreBadWhereverTheyAre) {
  const struct {
    const char* line;
    std::size_t column;
  } cases[] = {{"1 |a x |b y:1:2", 13},         {"1 |a x |b y:", 13},
               {"1 |a x |b y:1e999", 13},       {"1 |a x |b \xff", 11},
               {"1 |a x |b:1e300 y:1e300", 17}, {"1 |a x:1e200 |c x:1e200", 1}};
  for (const auto& [line, column] : cases) {
    const std::string text = "1 |a x\n-1 |a y |b z\n" + std::string(line) + "\n";
    for (const Names& ignored : {Names{}, Names{"b"}}) {
      const Reading reading = read_text(text, of_namespaces({"a:c"}, ignored));
      ASSERT_TRUE(reading.failed) << line;
      EXPECT_EQ(reading.error.kind(), ErrorKind::data);
      EXPECT_NE(std::string(reading.error.what()).find(":3:" + std::to_string(column) + ":"), std::string::npos)
          << line << "\n"
          << reading.error.what();
    }
  }
  const Reading product = read_text("1 |a x\n-1 |a x:1e200 |b y:1e200 |c z\n", of_namespaces({"a:b:c"}));
  ASSERT_TRUE(product.failed);
  EXPECT_NE(std::string(product.error.what()).find("a^x*b^y*c^z"), std::string::npos) << product.error.what();
}

TEST(VwNamespaces, WrongRulesAreRefusedAndUnusedOnesNoted) {
  const ReadOptions wrong[] = {of_namespaces({"a"}),           of_namespaces({"a:b:c:d"}),
                               of_namespaces({"a:b c"}),       of_namespaces({"a:b|"}),
                               of_namespaces({"a:b"}, {"b"}),  of_namespaces({"a:b"}, {}, {"a"}),
                               of_namespaces({}, {"a:b"}),     of_namespaces({}, {"|"}),
                               of_namespaces({}, {}, {"a b"}), of_namespaces({}, {"a"}, {"a"}),
                               of_namespaces({"a:b"}, {"|b"})};
  for (const ReadOptions& options : wrong) {
    const Reading reading = read_text(four_spaces, options);
    EXPECT_TRUE(reading.failed);
    EXPECT_EQ(reading.error.kind(), ErrorKind::usage) << reading.error.what();
  }
  std::vector<std::string> notes;
  ReadOptions options = of_namespaces({"user:item:none", "|u:|i"}, {"nowhere", "|o"}, {"user", "item", "none", "|x"});
  options.on_note = [&](const ReadNote& note) { notes.push_back(note.text); };
  ASSERT_FALSE(read_text(four_spaces, options).failed);
  ASSERT_EQ(notes.size(), 3U);
  EXPECT_NE(notes[0].find("all of the namespaces 'user', 'item' and 'none'"), std::string::npos) << notes[0];
  EXPECT_NE(notes[1].find("'nowhere'"), std::string::npos) << notes[1];
  EXPECT_NE(notes[2].find("'none' and '|x'"), std::string::npos) << notes[2];
}

}  // namespace
}  // namespace halfspace
