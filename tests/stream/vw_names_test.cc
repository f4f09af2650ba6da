// The dictionary of names: lists of names, what is known of a pass, hostile names, products as pairs.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "halfspace/stream/name_list.h"
#include "stream/columns/chunk_names.h"
#include "stream/columns/known_names.h"
#include "stream/columns/name_hash.h"
#include "stream/text/cell_dictionary.h"
#include "stream/vw/names.h"
#include "stream_support.h"

namespace halfspace {
namespace {

using namespace testing_stream;
using stream::hash_of_name;
using stream::KnownNames;
using stream::NameKey;
using stream::seed_of_names;
using Names = std::vector<std::string>;

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

TEST(VwPair, AProductIsFoundByItsNameAndByItsFactors) {
  for (const char* const name : {"a:b", "a:", ":b", ":", "a:a", "*:^"}) {
    const stream::VwPair pair(name);
    const std::uint64_t first_seed = stream::seed_of_space(pair.first()),
                        second_seed = stream::seed_of_space(pair.second());
    for (const std::string first : {"x", "", "*", "x*b^y", "*b^", "**", "b*"}) {
      for (const std::string second : {"y", "", "*", "y*b^z", "^", "b^"}) {
        const auto key = pair.key(first, hash_of_name(first, first_seed), second, hash_of_name(second, second_seed));
        EXPECT_EQ(key.hash, pair.hash(key.name())) << name << ' ' << key.name();
        EXPECT_EQ(key.hash, stream::VwNameHash(name)(key.name()));
        EXPECT_TRUE(key.is(key.name()));
        EXPECT_FALSE(key.is(key.name() + "x"));
      }
    }
  }
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
      ReadOptions options;
      options.format = DataFormat::vw;
      options.threads = threads;
      options.block_bytes = block;
      options.columns.interactions = {"a:b", "b:b"};
      const Reading outcome = read_text(text, options);
      ASSERT_FALSE(outcome.failed) << outcome.error.what();
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
    ReadOptions options;
    options.format = DataFormat::vw;
    const Reading outcome = read_text("1 |a x\n-1 |a y\n" + std::string(line) + "\n", options);
    ASSERT_TRUE(outcome.failed) << line;
    EXPECT_NE(std::string(outcome.error.what()).find(flaw), std::string::npos) << outcome.error.what();
  }
}

}  // namespace
}  // namespace halfspace
