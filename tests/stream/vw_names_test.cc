// The dictionary of names: lists of names, what is known of a pass, hostile names, products as numbers.
#include <atomic>
#include <thread>

#include "halfspace/detail/stream/name_list.h"
#include "halfspace/stream/cache.h"
#include "stream/names/cell_dictionary.h"
#include "stream/names/known_names.h"
#include "stream/vw/names.h"
#include "stream/vw/products.h"
#include "stream_support.h"

namespace halfspace {
namespace {

using namespace testing_stream;
using stream::hash_of_name;
using stream::KnownNames;
using stream::NameKey;
using stream::seed_of_names;

// Short and long names, empty ones, NULs, prefixes of one another, and sizes next to 255.
Names hostile_names() {
  Names names = {"",     std::string(1, '\0'),   std::string(2, '\0'),
                 "\xff", std::string("a\0b", 3), std::string("a\0c", 3)};
  for (std::size_t size = 1; size < 600; ++size) names.push_back(std::string(size, 'p'));
  for (const std::size_t size : {std::size_t{4095}, std::size_t{65535}, std::size_t{65536}, std::size_t{200000}}) {
    names.push_back(std::string(size, '\xff'));
    names.push_back(std::string(size - 1, '\xff') + "z");
  }
  for (int i = 0; i < 3000; ++i) names.push_back("n" + std::to_string(i * 7919));
  return names;
}

TEST(NameList, HoldsWhatAVectorHolds) {
  const Names names = hostile_names();
  NameList list;
  std::vector<const char*> where;
  for (const std::string& name : names) {
    const std::string_view stored = list.push_back(name);
    EXPECT_EQ(stored, name);
    where.push_back(stored.data());
  }
  ASSERT_EQ(list.size(), names.size());
  EXPECT_TRUE(std::equal(list.begin(), list.end(), names.begin(), names.end()));
  for (std::size_t k = 0; k < names.size(); ++k) {
    EXPECT_EQ(list[k], names[k]);
    EXPECT_EQ(NameList::stored_at(where[k]), names[k]);
  }
  EXPECT_EQ(list, NameList(names));
}

TEST(NameList, ACopyIsAnother) {
  std::mt19937 draw(3);
  std::vector<std::pair<NameList, Names>> lists(1);
  for (int i = 0; i < 20000; ++i) {
    auto& [list, names] = lists[draw() % lists.size()];
    switch (draw() % 8) {
      case 0:
        if (names.empty()) break;
        list.pop_back();
        names.pop_back();
        break;
      case 1:
        if (lists.size() < 8) {
          lists.push_back({list, names});
        } else {
          lists[draw() % lists.size()] = lists[draw() % lists.size()];
        }
        break;
      default:
        names.push_back(std::string(draw() % 20, static_cast<char>('a' + draw() % 26)));
        list.push_back(names.back());
    }
  }
  for (const auto& [list, names] : lists) EXPECT_TRUE(std::equal(list.begin(), list.end(), names.begin(), names.end()));
}

TEST(KnownNames, FindsEachName) {
  const Names names = hostile_names();
  NameList list;
  KnownNames known;
  for (std::uint32_t column = 0; column < 2; ++column) {
    std::uint32_t feature = column;
    for (const std::string& name : names) {
      const std::uint64_t hash = hash_of_name(name, seed_of_names(column));
      EXPECT_EQ(known.feature(column, hash, name), Column::no_feature);
      known.insert(column, list.push_back(name), feature, hash);
      feature += 2;
    }
  }
  std::vector<std::uint32_t> features(names.size());
  for (std::uint32_t column = 0; column < 2; ++column) {
    const KnownNames::View view = known.view();
    view.find_all(
        names.size(),
        [&](std::size_t i) {
          return NameKey{hash_of_name(names[i], seed_of_names(column)), column, names[i]};
        },
        features.data());
    for (std::size_t i = 0; i < names.size(); ++i) EXPECT_EQ(features[i], 2 * i + column);
  }
}

// Names of one hash are told apart by their bytes.
TEST(KnownNames, CollidingHashes) {
  NameList list;
  KnownNames known;
  const auto hash = [](std::uint32_t i) { return i % 3 == 0 ? ~std::uint64_t{0} : std::uint64_t{i % 2} << 32; };
  for (std::uint32_t i = 0; i < 1000; ++i) known.insert(i % 2, list.push_back("n" + std::to_string(i / 2)), i, hash(i));
  for (std::uint32_t i = 0; i < 1000; ++i) EXPECT_EQ(known.feature(i % 2, hash(i), "n" + std::to_string(i / 2)), i);
  EXPECT_EQ(known.feature(0, hash(3), "n"), Column::no_feature);
}

// XXH3 without a seed multiplies the first 8 bytes, xor a constant, by the next 8: names with these first bytes collide
// whatever follows. The process's seed takes that away.
TEST(NameHash, NoNamesCollideOnPurpose) {
  constexpr unsigned char secret[] = {0xb8, 0xfe, 0x6c, 0x39, 0x23, 0xa4, 0x4b, 0xbe,
                                      0x7c, 0x01, 0x81, 0x2c, 0xf7, 0x21, 0xad, 0x1c};
  std::vector<std::uint64_t> hashes;
  for (int i = 0; i < 4096; ++i) {
    std::string name(reinterpret_cast<const char*>(secret), 8);
    name += std::to_string(10000000 + i);
    name += std::string(16, 'x');
    hashes.push_back(hash_of_name(name, seed_of_names()) >> 32);
  }
  std::sort(hashes.begin(), hashes.end());
  EXPECT_GT(std::unique(hashes.begin(), hashes.end()) - hashes.begin(), 4000);
}

// Threads that look up while names are added see the names of their snapshot, and no others.
TEST(KnownNames, SnapshotsDoNotChange) {
  constexpr std::uint32_t count = 50000;
  Names names;
  for (std::uint32_t i = 0; i < count; ++i) names.push_back("name" + std::to_string(i));
  NameList list;
  KnownNames known;
  std::atomic<std::uint32_t> published = 0;
  std::atomic<std::uint32_t> wrong = 0;
  const auto look = [&] {
    std::mt19937 draw(1);
    while (published < count) {
      const std::uint32_t least = published;
      const KnownNames::Snapshot snapshot = known.snapshot();
      for (int k = 0; k < 200; ++k) {
        const std::uint32_t i = static_cast<std::uint32_t>(draw()) % count;
        const std::uint32_t feature = snapshot.find(NameKey{hash_of_name(names[i], 7), 0, names[i]});
        if (feature == KnownNames::none ? i < least : feature != i) ++wrong;
      }
    }
  };
  std::thread one(look), two(look);
  for (std::uint32_t i = 0; i < count; ++i) {
    known.insert(0, list.push_back(names[i]), i, hash_of_name(names[i], 7));
    if (i % 100 != 99) continue;
    known.publish();
    published = i + 1;
  }
  one.join();
  two.join();
  EXPECT_EQ(wrong, 0U);
}

// A table finds each pair that was put into it, and no other, whatever it has grown to.
TEST(PairTable, HoldsWhatAMapHolds) {
  std::mt19937 engine(11);
  const auto draw = [&] { return static_cast<std::uint32_t>(engine()); };
  auto table = std::make_shared<stream::PairTable>(0);
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> pairs;
  const auto number = [&] {
    constexpr std::uint32_t special[] = {0, 1, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff};
    return draw() % 8 == 0 ? special[draw() % 6] : draw() % 200;
  };
  for (std::uint32_t i = 0; i < 30000; ++i) {
    const std::pair<std::uint32_t, std::uint32_t> pair(number(), number());
    if (pair.first == 0xffffffff && pair.second == 0xffffffff) continue;  // no pair of features
    const auto known = pairs.find(pair);
    ASSERT_EQ(table->find(pair.first, pair.second, 0xffffffff),
              known == pairs.end() ? stream::PairTable::none : known->second);
    if (known == pairs.end()) {
      if (table->full()) table = table->grown();
      table->insert(pair.first, pair.second, i);
      pairs.emplace(pair, i);
    }
    EXPECT_EQ(table->find(pair.first, pair.second, pairs.at(pair)), stream::PairTable::none);
    EXPECT_EQ(table->find(pair.first, pair.second, pairs.at(pair) + 1), pairs.at(pair));
  }
  for (const auto& [pair, value] : pairs) ASSERT_EQ(table->find(pair.first, pair.second, 0xffffffff), value);
}

// Triples that share their first two factors, or are the same numbers in another order, are different products.
TEST(KnownProducts, FindsEachTriple) {
  stream::KnownProducts known;
  const std::size_t product = known.add_column(3, 0), pairs = known.add_column(2, 0);
  std::uint32_t feature = 0;
  for (std::uint32_t a = 0; a < 12; ++a) {
    for (std::uint32_t b = 0; b < 12; ++b) {
      for (std::uint32_t c = 0; c < 12; ++c) {
        EXPECT_EQ(known.view().find(product, {a, b, c}), Column::no_feature);
        known.insert(product, {a, b, c}, feature++);
      }
    }
  }
  for (std::uint32_t i = 0; i < feature; ++i) {
    EXPECT_EQ(known.view().find(product, {i / 144, i / 12 % 12, i % 12}), i);
    EXPECT_EQ(known.view().find(pairs, {i / 144, i / 12 % 12, 0}), Column::no_feature);
  }
}

// Threads that look up while products are added see those of their snapshot, and no others.
TEST(KnownProducts, SnapshotsDoNotChange) {
  constexpr std::uint32_t count = 40000;
  stream::KnownProducts known;
  known.add_column(2, 0);
  known.add_column(3, 0);
  known.publish(0);
  const auto factors = [](std::uint32_t i) { return stream::Factors{i % 300, i / 300, i % 7}; };
  std::atomic<std::uint32_t> published = 0;
  std::atomic<std::uint32_t> wrong = 0;
  const auto look = [&] {
    std::mt19937 engine(1);
    const auto draw = [&] { return static_cast<std::uint32_t>(engine()); };
    while (published < count) {
      const std::uint32_t least = published;
      const stream::KnownProducts::Snapshot snapshot = known.snapshot();
      std::uint32_t most = 0;
      for (int i = 0; i < 100; ++i) {
        const std::uint32_t at = draw() % count;
        stream::Factors wanted = factors(at);
        if (at % 2 == 0) wanted[2] = 0;
        const std::uint32_t found = snapshot.find(at % 2, wanted);
        if (found != Column::no_feature) most = std::max(most, at);
        wrong += found != Column::no_feature ? found != at : at < least;
      }
      wrong += most > published + 1000;  // beyond what may have been published since
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back(look);
  for (std::uint32_t i = 0; i < count; ++i) {
    stream::Factors added = factors(i);
    if (i % 2 == 0) added[2] = 0;
    known.insert(i % 2, added, i);
    if (i % 1000 == 999) {
      known.publish(i + 1);
      published = i + 1;
    }
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0U);
}

TEST(ChunkProducts, NumbersEachOnce) {
  std::mt19937 engine(2);
  const auto draw = [&] { return static_cast<std::uint32_t>(engine()); };
  stream::ChunkProducts products;
  std::map<std::array<std::uint32_t, 4>, std::uint32_t> numbers;
  for (int i = 0; i < 20000; ++i) {
    const std::array<std::uint32_t, 4> one{draw() % 20, 0x80000000 + draw() % 20, draw() % 3, draw() % 2};
    const std::uint32_t number = products.find_or_insert({{one[0], one[1], one[2]}, one[3]});
    EXPECT_EQ(number, numbers.emplace(one, static_cast<std::uint32_t>(numbers.size())).first->second);
  }
  EXPECT_EQ(products.entries().size(), numbers.size());
}

TEST(RowNames, FindsWhatIsInTheRow) {
  stream::RowNames row;
  for (std::uint32_t count : {3U, 1000U, 10U}) {
    row.clear();
    for (std::uint32_t i = 0; i < count; ++i) {
      row.expect(1);
      EXPECT_EQ(row.find_or_insert(i * 64, i), stream::RowNames::none);
    }
    for (std::uint32_t i = 0; i < count; ++i) EXPECT_EQ(row.find_or_insert(i * 64, 0), i);
  }
}

// Whatever is known when a chunk is parsed: small blocks and many threads read the same rows.
TEST(VwNames, BlocksAndThreadsDoNotMatter) {
  std::mt19937 draw(5);
  std::string text;
  for (int i = 0; i < 3000; ++i) {
    text += i % 3 == 0 ? "1 " : "-1 ";
    text += "|a x" + std::to_string(draw() % 500) + " x" + std::to_string(draw() % 500) + ":2 y*b^" +
            std::to_string(draw() % 9) + " |b " + std::to_string(draw() % 300) + " z" + std::to_string(draw() % 40) +
            "\n";
    if (i % 11 == 0) text += "1 |late" + std::to_string(i / 100) + " x:1 x:2 :3\n";
    if (i % 50 == 0) text += "1 |a 1:2 3:4\n-1 |a 2:1 3:1\n";
  }
  Names seen;
  for (const unsigned threads : {1U, 4U}) {
    for (const std::size_t block : {std::size_t{100}, std::size_t{5000}, std::size_t{1} << 18}) {
      ReadOptions options{.format = DataFormat::vw,
                          .threads = threads,
                          .block_bytes = block,
                          .columns = {.interactions = {"a:b", "b:b"}}};
      const Reading outcome = read_good(text, options);
      std::string all = outcome.rows;
      for (const std::string& name : outcome.schema.feature_names()) all += name + "\n";
      seen.push_back(all);
      EXPECT_EQ(seen.front(), seen.back());
    }
  }
}

// The first flaw of a line is reported, although names are looked up after the line has been read.
TEST(VwNames, TheFirstFlawOfALine) {
  const std::pair<const char*, const char*> cases[] = {
      {"1 |a \xff:1 b:c:", "not valid UTF-8"},      {"1 |a \xff b:1e999", "not valid UTF-8"},
      {"1 |a b:1e999 \xff", "too large"},           {"1 |a b:1e308 b:1e308 c:1e999", "the value of 'b' is too large"},
      {"1 |\xff b:1e308 b:1e308", "the namespace"},
  };
  for (const auto& [line, flaw] : cases) {
    const Reading outcome = read_text("1 |a x\n-1 |a y\n" + std::string(line) + "\n", {.format = DataFormat::vw});
    EXPECT_TRUE(has(outcome.error.what(), flaw));
  }
}

// Namespaces of Vowpal Wabbit's text that are multiplied by two or three, or left out.

ReadOptions of_namespaces(Names interactions, Names ignore = {}, Names only = {}) {
  ReadOptions options{
      .format = DataFormat::vw,
      .threads = 1,
      .columns = {.interactions = std::move(interactions), .ignore = std::move(ignore), .only = std::move(only)}};
  return options;
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
    const Reading learned = read_good(four_spaces, rules);
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
  const Reading one = read_good(text, options);
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
      EXPECT_EQ(reading.error.kind(), ErrorKind::data);
      EXPECT_TRUE(has(reading.error.what(), ":3:" + std::to_string(column) + ":")) << line << "\n";
    }
  }
  const Reading product = read_text("1 |a x\n-1 |a x:1e200 |b y:1e200 |c z\n", of_namespaces({"a:b:c"}));
  EXPECT_TRUE(has(product.error.what(), "a^x*b^y*c^z"));
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
  Names notes;
  ReadOptions options = of_namespaces({"user:item:none", "|u:|i"}, {"nowhere", "|o"}, {"user", "item", "none", "|x"});
  options.on_note = [&](const ReadNote& note) { notes.push_back(note.text); };
  ASSERT_FALSE(read_text(four_spaces, options).failed);
  ASSERT_EQ(notes.size(), 3U);
  EXPECT_TRUE(has(notes[0], "all of the namespaces 'user', 'item' and 'none'"));
  EXPECT_TRUE(has(notes[1], "'nowhere'"));
  EXPECT_TRUE(has(notes[2], "'none' and '|x'"));
}

// Products of namespaces in schemas of files: what is checked, and how the texts of earlier files become numbers.

ReadOptions of_products(Names interactions) {
  ReadOptions options{.format = DataFormat::vw, .threads = 1, .columns = {.interactions = std::move(interactions)}};
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

const std::vector<Names> rules = {{"a:b"}, {"a:a"},          {":b", "b:"},    {"a:b:c"},        {"|a:|b"},
                                  {"|:|"}, {"a:a:a", "c:a"}, {"|a:b:|", ":"}, {"|ab:|a", "a:c"}};

TEST(ProductFields, OfRowsAreAccepted) {
  for (const Names& of : rules) {
    const Reading reading = read_good(random_rows(3, 300), of_products(of));
    EXPECT_TRUE(stream::has_products(reading.schema));
    EXPECT_EQ(stream::check_products(reading.schema), "");
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
    const Reading again = read_good(text, options);
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
