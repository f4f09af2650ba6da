// Shards of caches, and of files that only some workers read.
#include "halfspace/mixing/shards.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "halfspace/base/error.h"
#include "halfspace/base/random.h"
#include "halfspace/model/model_file.h"
#include "halfspace/stream/cache.h"
#include "halfspace/train/settings.h"
#include "mixing/mixing_files.h"

namespace halfspace {
namespace {

class ShardsTest : public MixingFiles {};

// Numbers of the rows that the parts of each shard have.
std::vector<std::vector<std::uint64_t>> rows_by_shard(const MixOptions& options, const ShardPlan& plan) {
  std::vector<std::vector<std::uint64_t>> rows(plan.shards);
  for (std::uint32_t shard = 0; shard < plan.shards; ++shard) {
    const ReadOptions read = options_of_shard(plan, options.read, shard);
    if (read.parts.empty()) continue;
    Reader(read).read([&](const Block& block) {
      rows[shard].insert(rows[shard].end(), block.row, block.row + block.rows);
      return true;
    });
  }
  return rows;
}

// Every row of a cache is in exactly one shard, in order, and shards are about equal.
TEST_F(ShardsTest, ShardsDivideTheRowsOfACache) {
  for (const int count : {1, 63, 4096, 4097, 20'000}) {
    const std::string text = file("rows.svm", numbers(23, count, 4)), cache = (folder_ / "rows.hsc").string();
    convert(options_for({text}).read, cache);
    const MixOptions options = options_for({cache});
    for (const std::uint32_t shards : {1U, 2U, 8U, 64U}) {
      const auto by_shard = rows_by_shard(options, plan_shards(options.read, shards));
      std::vector<std::uint64_t> all;
      std::size_t most = 0, fewest = ~std::size_t{0};
      for (const std::vector<std::uint64_t>& rows : by_shard) {
        EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
        all.insert(all.end(), rows.begin(), rows.end());
        most = std::max(most, rows.size());
        fewest = std::min(fewest, rows.size());
      }
      std::sort(all.begin(), all.end());
      std::vector<std::uint64_t> expected(static_cast<std::size_t>(count));
      std::iota(expected.begin(), expected.end(), std::uint64_t{1});
      EXPECT_EQ(all, expected) << count << " rows, " << shards << " shards";
      EXPECT_TRUE(count < 20'000 || most <= fewest + fewest / 2) << most << " " << fewest;
    }
  }
}

// Values, weights and labels of a part are those of its rows, however blocks are cut and stored.
TEST_F(ShardsTest, PartsOfACacheHaveTheRowsOfTheText) {
  const auto described = [](const Block& block, std::size_t i) {
    std::string text;
    block.with_example(i, [&](const auto& x) {
      text = std::to_string(x.row) + " " + std::to_string(x.label) + " " + std::to_string(x.weight) + " " +
             std::to_string(x.squared_norm);
      for (std::uint32_t k = 0; k < x.size; ++k)
        text += " " + std::to_string(x.index[k]) + ":" + std::to_string(x.value_at(k));
    });
    return text;
  };
  std::string table = "a,b,weight,class\n", ones, sparse;
  for (int i = 0; i < 9000; ++i) {
    table += std::to_string(i % 7) + "," + std::to_string(i / 7.0) + "," + std::to_string(1 + i % 3) + "," +
             (i % 2 == 0 ? "yes\n" : "no\n");
    ones += (i % 3 == 0 ? "1" : "-1") + std::string(" ") + std::to_string(1 + i % 5) + ":1 " +
            std::to_string(9 + i % 90'000) + ":1\n";
    sparse += (i % 3 == 0 ? "1" : "-1") + std::string(" 3:") + std::to_string(i % 19) + ".25 70:1\n";
  }
  for (const std::string& path : {file("table.csv", table), file("ones.svm", ones), file("sparse.svm", sparse)}) {
    TrainSettings settings;
    settings.data.paths = {path};
    if (path.ends_with("csv")) settings.data.read.columns.weight = "weight";
    const ReadOptions text = train_options(settings).read;
    std::vector<std::string> expected;
    Reader(text).read([&](const Block& block) {
      for (std::size_t i = 0; i < block.rows; ++i) expected.push_back(described(block, i));
      return true;
    });
    const std::string cache = (folder_ / "rows.hsc").string();
    convert(text, cache);
    Generator draws(29);
    for (int round = 0; round < 30; ++round) {
      ReadOptions read;
      std::vector<std::string> wanted, found;
      std::uint64_t values = 0;
      for (std::uint64_t end = 0; end < 9000;) {
        const std::uint64_t begin = end + static_cast<std::uint64_t>(draws.next() * 3000);
        end = begin + 1 + static_cast<std::uint64_t>(draws.next() * (round % 2 == 0 ? 6000 : 50));
        if (end > 9000) break;
        read.parts.push_back({cache, begin, end, true});
        wanted.insert(wanted.end(), expected.begin() + static_cast<std::ptrdiff_t>(begin),
                      expected.begin() + static_cast<std::ptrdiff_t>(end));
      }
      if (read.parts.empty()) continue;
      Reader reader(read);
      reader.read([&](const Block& block) {
        for (std::size_t i = 0; i < block.rows; ++i) {
          found.push_back(described(block, i));
          block.with_example(i, [&](const auto& x) {
            for (std::uint32_t k = 0; k < x.size; ++k) values += x.value_at(k) != 0 ? 1 : 0;
          });
        }
        return true;
      });
      EXPECT_EQ(found, wanted) << path;
      EXPECT_EQ(reader.report().rows, wanted.size());
      EXPECT_EQ(reader.report().nonzeros, values);
    }
    ReadOptions beyond;
    beyond.parts = {{cache, 8999, 9001, true}};
    EXPECT_THROW(Reader{beyond}, Error);
    beyond.parts = {{cache, 10, 20, true}, {cache, 19, 30, true}};
    EXPECT_THROW(Reader{beyond}, Error);
  }
}

// One shard of a cache is the plain learner, and the model is one of the shards, not of how they are read.
TEST_F(ShardsTest, ACacheIsTrainedOnInShards) {
  const std::string text = file("rows.svm", numbers(31, 9000, 6)), cache = (folder_ / "rows.hsc").string();
  MixOptions options = options_for({text});
  convert(options.read, cache);
  options.read.path = cache;
  TrainSettings settings;
  settings.data.paths = {text};
  settings.preset = "averaged";
  const ShardPlan one = plan_shards(options.read, 1);
  EXPECT_EQ(mixed_model(options, one, trained(options, one, 1)).weights, train(settings).model.weights);
  const ShardPlan plan = decode_plan(encode(plan_shards(options.read, 8)));
  EXPECT_FALSE(has_open_names(plan));
  options.read.threads = 1;
  const std::vector<std::uint8_t> alone = encode(mixed_model(options, plan, trained(options, plan, 2)));
  options.read.threads = 3;
  EXPECT_EQ(encode(mixed_model(options, plan, trained(options, plan, 2))), alone);
  std::vector<FilePart> slices;
  for (std::uint32_t i = 0; i < 7; ++i) {
    for (const FilePart& part : slice_of(plan.files, i, 7)) slices.push_back(part);
  }
  std::uint64_t end = 0;
  for (const FilePart& part : slices) {
    EXPECT_TRUE(part.cached);
    EXPECT_EQ(part.begin, end);
    end = part.end;
  }
  EXPECT_EQ(end, 9000U);
}

// A cache has all names, in the order of its text.
TEST_F(ShardsTest, NamesOfACacheAreComplete) {
  std::string text = "colour,size,class\n";
  for (int i = 0; i < 9000; ++i)
    text += "c" + std::to_string(i / 30) + "," + std::to_string(i % 9) + (i % 3 == 0 ? ",yes\n" : ",no\n");
  const std::string path = file("rows.csv", text), cache = (folder_ / "rows.hsc").string();
  convert(options_for({path}).read, cache);
  const MixOptions options = options_for({cache});
  const ShardPlan plan = plan_shards(options.read, 4);
  EXPECT_FALSE(has_open_names(plan));
  EXPECT_EQ(plan.schema.features, 301U);
  MergedNames merged(plan.schema);
  for (std::uint32_t shard = 0; shard < 4; ++shard) merged.add(names_of_shard(plan, options.read, shard));
  EXPECT_EQ(encode_schema(merged.schema()), encode_schema(plan.schema));
  const Model model = mixed_model(options, plan, trained(options, plan, 2));
  EXPECT_EQ(model.schema.feature_names().back(), "colour=c299");
  EXPECT_EQ(model.ledger.rounds, 18'000U);
  EXPECT_NE(model.weights.w.back(), 0.0);
}

FileRows plain_file(const std::string& name, std::uint64_t bytes) {
  return {.path = name, .begin = 10, .end = 10 + bytes};
}

// Every byte of every file is in exactly one shard, a shard has bytes of one file, and the largest shards are divided.
TEST_F(ShardsTest, ShardsByFileDivideEachFile) {
  Generator draws(37);
  for (int round = 0; round < 300; ++round) {
    std::vector<FileRows> files;
    const int count = 1 + static_cast<int>(draws.next() * 20);
    for (int i = 0; i < count; ++i) {
      files.push_back(plain_file("f" + std::to_string(i), static_cast<std::uint64_t>(draws.next() * 3'000'000)));
      files.back().compressed = draws.next() < 0.2;
    }
    const std::uint32_t shards = std::bit_ceil(static_cast<std::uint32_t>(count)) << (round % 3);
    ShardPlan first;
    first.schema.labels.names = {"-1", "1"};
    const ShardPlan plan = decode_plan(encode(plan_by_file(first, files, shards)));
    ASSERT_EQ(plan.shards, shards);
    std::map<std::string, std::vector<std::pair<std::uint64_t, std::uint64_t>>> pieces;
    std::vector<std::uint64_t> bytes(shards);
    for (std::uint32_t shard = 0; shard < shards; ++shard) {
      const std::size_t file = file_of_shard(plan, shard);
      for (const FilePart& part : parts_of_shard(plan, shard)) {
        ASSERT_LT(file, files.size());
        EXPECT_EQ(part.path, files[file].path);
        pieces[part.path].emplace_back(part.begin, part.end);
        bytes[shard] += part.end - part.begin;
      }
    }
    for (const FileRows& file : files) {
      auto& of_file = pieces[file.path];
      std::sort(of_file.begin(), of_file.end());
      std::uint64_t end = file.begin;
      for (const auto& [from, to] : of_file) {
        EXPECT_EQ(from, end);
        end = to;
      }
      EXPECT_EQ(end, file.end);
    }
    // A file with one shard more than another has shards at least as large as that one's would be without it.
    const auto divisible = [&](std::size_t i) {
      return !files[i].compressed &&
             (files[i].end - files[i].begin + plan.range_size - 1) / plan.range_size > plan.shards_of_file[i];
    };
    for (std::size_t i = 0; i < files.size(); ++i) {
      if (plan.shards_of_file[i] == 1) continue;
      for (std::size_t j = 0; j < files.size(); ++j) {
        if (!divisible(j)) continue;
        EXPECT_GE((files[i].end - files[i].begin) / (plan.shards_of_file[i] - 1),
                  (files[j].end - files[j].begin) / plan.shards_of_file[j]);
      }
    }
    const std::uint32_t used = std::accumulate(plan.shards_of_file.begin(), plan.shards_of_file.end(), 0U);
    for (std::size_t j = 0; used < shards && j < files.size(); ++j) EXPECT_FALSE(divisible(j));
  }
}

TEST_F(ShardsTest, ShardsByFileAreAtLeastTheFiles) {
  std::vector<FileRows> files(5, plain_file("f", 100'000));
  EXPECT_EQ(plan_by_file(ShardPlan{}, files, 0).shards, 8U);
  EXPECT_EQ(plan_by_file(ShardPlan{}, files, 0).shards_of_file, (std::vector<std::uint32_t>{2, 2, 2, 1, 1}));
  EXPECT_THROW(plan_by_file(ShardPlan{}, files, 4), Error);
  EXPECT_THROW(plan_by_file(ShardPlan{}, files, 9), Error);
  files.resize(4, plain_file("f", 100'000));
  EXPECT_EQ(plan_by_file(ShardPlan{}, files, 0).shards, 4U);
  files.resize(most_shards, plain_file("f", 1));
  EXPECT_EQ(plan_by_file(ShardPlan{}, files, 0).shards, most_shards);
  files.resize(most_shards + 1, plain_file("f", 1));
  EXPECT_THROW(plan_by_file(ShardPlan{}, files, 0), Error);
}

// What a Reader finds out of more files is what it finds of all of them as one stream.
TEST_F(ShardsTest, MoreFilesFitTheFirst) {
  const std::string first = "a,b,class\n1,2,yes\n3,4,no\n", second = "a,b,class\n5,6,yes\n", bare = "7,8,no\n";
  const std::vector<std::string> paths{file("1.csv", first), file("2.csv", second), file("3.csv", bare)};
  ReadOptions all;
  all.path = paths[0];
  all.more = {paths[1]};
  const std::vector<FileRows> expected = Reader(all).files();
  all.more.clear();
  Reader reader(all);
  const Schema schema = reader.schema();
  const auto rows_read = [](Reader& from) {
    std::uint64_t rows = 0;
    from.read([&](const Block& block) {
      rows += block.rows;
      return true;
    });
    return rows;
  };
  EXPECT_EQ(reader.files({paths[1]}), std::vector<FileRows>{expected[1]});
  EXPECT_EQ(rows_read(reader), 2U);
  ReadOptions named;
  named.path = "elsewhere.csv";
  named.schema = &schema;
  Reader from_text(named, first);
  EXPECT_EQ(from_text.files({paths[1]}), std::vector<FileRows>{expected[1]});
  EXPECT_EQ(rows_read(from_text), 2U);
  for (const auto& [text, words] :
       std::vector<std::pair<std::string, std::string>>{{"b,a,class\n1,2,yes\n", "another order"},
                                                        {"a,c,class\n1,2,yes\n", "column 2"},
                                                        {"1 1:2\n-1 1:3\n", "LIBSVM"}}) {
    const std::string other = file("other.csv", text);
    try {
      from_text.files({other});
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.file(), other);
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("elsewhere.csv"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace halfspace
