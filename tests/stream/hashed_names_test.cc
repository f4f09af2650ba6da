// Hashed names: features against a slow account (read with a dictionary, hash each name, add up what falls together),
// the same however a text is cut, kept or cached; kept names; what is counted and expected of names that share.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "halfspace/stream/cache.h"
#include "stream/schema/hash_use.h"
#include "stream/stream_support.h"

namespace halfspace::testing_stream {
namespace {

std::uint64_t seed_by_hand(const std::string& column) { return XXH3_64bits_withSeed(column.data(), column.size(), 1); }
std::uint64_t hash_by_hand(const std::string& column, const std::string& name) {
  return XXH3_64bits_withSeed(name.data(), name.size(), seed_by_hand(column));
}
std::uint64_t product_by_hand(const std::string& column, const std::vector<std::uint64_t>& hashes) {
  std::string bytes;
  for (const std::uint64_t hash : hashes) {
    for (int i = 0; i < 8; ++i) bytes += static_cast<char>(hash >> (8 * i));
  }
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed_by_hand(column));
}

// Returns the rows' values.
std::vector<Values> values_of(const std::string& text, ReadOptions options, Schema& schema) {
  std::vector<Values> rows;
  Reader reader(std::move(options), text);
  reader.read([&](const Block& block) {
    for (std::size_t i = 0; i < block.rows; ++i) {
      Values& row = rows.emplace_back();
      block.with_example(i, [&](const auto& x) {
        for (std::uint32_t k = 0; k < x.size; ++k) row.emplace_back(x.index[k], x.value_at(k));
      });
    }
    return true;
  });
  schema = reader.schema();
  return rows;
}

// Numbers the features of a schema with a dictionary as a table of 2^bits does.
std::map<std::uint32_t, std::uint32_t> hashed_by_hand(const Schema& schema, std::uint32_t bits) {
  const Names all = schema.feature_names();
  std::map<std::uint32_t, std::uint32_t> to;
  std::uint32_t next = 0;
  for (const Column& column : schema.columns) {
    const std::uint32_t parts = column.kind == Column::Kind::date ? 3 : 1;
    const bool own = column.kind == Column::Kind::numeric || column.kind == Column::Kind::date ||
                     (column.kind == Column::Kind::product && column.feature != Column::no_feature);
    for (std::uint32_t part = 0; own && part < parts; ++part) to[column.feature + part] = next++;
  }
  for (const Column& column : schema.columns) {
    if (schema.format == DataFormat::vw || !Column::gives_features(column.kind)) continue;
    if (schema.format == DataFormat::jsonl && column.name.empty()) continue;
    if (column.missing_feature != Column::no_feature) to[column.missing_feature] = next;
    ++next;
  }
  for (const Column& column : schema.columns) {
    const bool vw_product = schema.format == DataFormat::vw && column.name.find(':') != std::string::npos;
    for (std::size_t k = 0; k < column.features.size(); ++k) {
      const std::string name = vw_product ? all[column.features[k]] : std::string(column.categories[k]);
      std::uint64_t hash = hash_by_hand(column.name, name);
      if (vw_product) {
        std::vector<std::uint64_t> factors;
        for (const std::string& factor : cut(name, "*")) {
          const Names parts = cut(factor, "^");
          factors.push_back(parts.size() == 1 ? hash_by_hand("", factor) : hash_by_hand(parts[0], parts[1]));
        }
        hash = product_by_hand(column.name, factors);
      } else if (column.kind == Column::Kind::product) {
        const Column &first = schema.columns[column.first], &second = schema.columns[column.second];
        if (first.kind == Column::Kind::categorical && second.kind == Column::Kind::categorical) {
          const Names both = cut(name, ":" + second.name + "=");
          hash = product_by_hand(column.name, {hash_by_hand(first.name, both[0]), hash_by_hand(second.name, both[1])});
        }
      }
      to[column.features[k]] = next + static_cast<std::uint32_t>(hash & ((std::uint64_t{1} << bits) - 1));
    }
  }
  return to;
}

Values add_up(const Values& row, const std::map<std::uint32_t, std::uint32_t>& to) {
  Values sums;
  for (const auto& [feature, value] : row) {
    const std::uint32_t number = to.at(feature);
    const auto same = std::find_if(sums.begin(), sums.end(), [&](const auto& one) { return one.first == number; });
    if (same == sums.end()) {
      sums.emplace_back(number, value);
    } else {
      same->second += value;
    }
  }
  return sums;
}

// Expects the account's rows, at sizes at which many names share a feature and few do.
void expect_hashed(const std::string& text, const ReadOptions& options) {
  Schema dictionary;
  const std::vector<Values> rows = values_of(text, options, dictionary);
  for (const std::uint32_t bits : {1U, 4U, 9U, 20U}) {
    ReadOptions hashing = options;
    hashing.columns.hash = bits;
    Schema schema;
    const std::vector<Values> hashed = values_of(text, hashing, schema);
    const auto to = hashed_by_hand(dictionary, bits);
    ASSERT_EQ(hashed.size(), rows.size());
    std::size_t shorter = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      ASSERT_EQ(hashed[i], add_up(rows[i], to)) << bits << " row " << i;
      shorter += hashed[i].size() < rows[i].size() ? 1 : 0;
    }
    if (bits == 1) {
      EXPECT_GT(shorter, 0U) << "names that share a feature are not tested";
    }
    EXPECT_EQ(schema.hashed.bits, bits);
    EXPECT_EQ(schema.features - schema.first_hashed(), std::uint32_t{1} << bits);
    for (const Column& column : schema.columns) EXPECT_TRUE(column.categories.empty());
  }
}

// Expects the same rows and schema whatever the threads and blocks, packed, and from a cache.
void expect_same_however(const std::string& text, ReadOptions options) {
  options.columns.hash = 7;
  for (const std::uint64_t kept : {0, 5, 10'000}) {
    options.columns.hash_names = kept;
    const Reading expected = expect_read_alike_however_cut(text, gzip(text), options);
    EXPECT_LE(expected.schema.hashed.names.size(), kept);
    const Folder folder;
    options.path = folder.write("data", text);
    const std::string cache = folder.path("cache");
    convert(options, cache);
    const Reading cached = read_all({.path = cache});
    EXPECT_EQ(cached.rows, expected.rows);
    EXPECT_EQ(cached.schema, expected.schema);
    EXPECT_EQ(cached.report.hashed_in_use, expected.report.hashed_in_use);
    EXPECT_GT(cached.report.hashed_in_use, 5U);
    options.path.clear();
  }
}

// Rows of 3 namespaces and one without a name: names again and again, whole numbers, values and scales.
std::string vw_text(int rows, unsigned seed) {
  std::mt19937 draw(seed);
  std::string text;
  for (int i = 0; i < rows; ++i) {
    text += draw() % 2 == 0 ? "1 " : "-1 ";
    if (draw() % 4 == 0) text += "2.5 ";
    if (draw() % 4 == 0) {  // the fast path
      text += "|n";
      for (std::size_t name = draw() % 5; name < 60; name += 1 + draw() % 30)
        text += " " + std::to_string(name) + ":" + std::to_string(draw() % 8) + ".25";
      text += "\n";
      continue;
    }
    for (const char* const space : {"", "user", "uncle", "n"}) {
      if (draw() % 4 == 0 && *space != 'n') continue;
      text += std::string("|") + space + (*space != 0 && draw() % 5 == 0 ? ":0.5" : "");
      for (std::size_t k = draw() % 4; k-- > 0;) {
        text += " w" + std::to_string(draw() % 40);
        if (draw() % 2 == 0) text += ":" + std::to_string(draw() % 16) + ".5";
      }
      text += " ";
    }
    text += "\n";
  }
  return text + "1 |n 1:1\n-1 |user a\n";
}

ReadOptions vw_products(Names products) {
  ReadOptions options{.format = DataFormat::vw, .columns = {.interactions = std::move(products)}};
  return options;
}

TEST(HashedNames, OfVowpalWabbit) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    const std::string text = vw_text(400, seed);
    expect_hashed(text, vw_products({}));
    expect_hashed(text, vw_products({"user:n"}));
    expect_hashed(text, vw_products({"user:user", "n:user"}));
    expect_hashed(text, vw_products({"|u:|u", "|:|n"}));
    expect_hashed(text, vw_products({"user:uncle:n", "|u:|u:|u"}));
  }
}

// Rows of numbers, categories with quotes, words, dates, and what is missing of each.
std::string csv_text(int rows, unsigned seed) {
  std::mt19937 draw(seed);
  std::string text = "n,c,d,t,m,when,y\n";
  const auto word = [&] { return "w" + std::to_string(draw() % 30); };
  for (int i = 0; i < rows; ++i) {
    text += draw() % 7 == 0 ? "," : std::to_string(draw() % 9) + ".5,";
    text += draw() % 7 == 0 ? "?," : "\"c \"\"" + std::to_string(draw() % 20) + "\"\"\",";
    text += draw() % 7 == 0 ? "," : "d" + std::to_string(draw() % 20) + ",";
    if (draw() % 7 != 0) text += word() + " " + word() + " " + word() + " " + word();
    text += "," + std::to_string(draw() % 5) + ",";
    if (draw() % 7 != 0) text += "2026-0" + std::to_string(1 + draw() % 9) + "-1" + std::to_string(draw() % 10);
    text += draw() % 2 == 0 ? ",yes\n" : ",no\n";
  }
  return text;
}

ReadOptions csv_options(std::uint32_t ngrams, TextValues values) {
  ReadOptions options{.columns = {.label = "y",
                                  .text = {"t"},
                                  .ngrams = ngrams,
                                  .text_values = values,
                                  .dates = {"when"},
                                  .interactions = {"c:d", "n:c", "d:m", "n:m"}}};
  return options;
}

TEST(HashedNames, OfCsv) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    expect_hashed(csv_text(300, seed), csv_options(1 + seed % 3, TextValues::counts));
    expect_hashed(csv_text(300, seed), csv_options(2, TextValues::binary));
  }
}

std::string arff_text(int rows, bool sparse, unsigned seed) {
  std::mt19937 draw(seed);
  std::string text =
      "@relation r\n@attribute n numeric\n@attribute c {a,b,'c d',e}\n@attribute t string\n@attribute y {p,q}\n@data\n";
  const std::array<std::string, 4> values = {"a", "b", "'c d'", "e"};
  for (int i = 0; i < rows; ++i) {
    const std::string words = "'w" + std::to_string(draw() % 20) + " w" + std::to_string(draw() % 20) + "'";
    const std::string value = values[draw() % 4], label = draw() % 2 == 0 ? "p" : "q";
    if (sparse && draw() % 2 == 0) {
      text += "{1 " + value + ", 2 " + words + ", 3 " + label + "}\n";
    } else {
      text += (draw() % 5 == 0 ? "?" : std::to_string(draw() % 9)) + "," + (draw() % 5 == 0 ? "?" : value) + "," +
              (draw() % 5 == 0 ? "?" : words) + "," + label + "\n";
    }
  }
  return text;
}

TEST(HashedNames, OfArff) {
  for (unsigned seed = 0; seed < 3; ++seed) {
    ReadOptions options;
    expect_hashed(arff_text(200, seed == 1, seed), options);
    options.columns.text = {"t"};
    options.columns.ngrams = 2;
    expect_hashed(arff_text(200, seed == 1, seed), options);
  }
}

std::string jsonl_text(int rows, unsigned seed) {
  std::mt19937 draw(seed);
  std::string text;
  for (int i = 0; i < rows; ++i) {
    text += "{\"y\": \"" + std::string(draw() % 2 == 0 ? "p" : "q") + "\", \"c\": \"c\\u00e4" +
            std::to_string(draw() % 30) + "\"";
    text += ", \"n\": " + (draw() % 5 == 0 ? "null" : std::to_string(draw() % 9));
    if (draw() % 3 == 0) text += ", \"rare" + std::to_string(draw() % 20) + "\": " + std::to_string(draw() % 9);
    if (draw() % 3 == 0)
      text += ", \"other" + std::to_string(draw() % 20) + "\": \"x" + std::to_string(draw() % 3) + "\"";
    text += "}\n";
  }
  return text;
}

TEST(HashedNames, OfJsonLines) {
  for (unsigned seed = 0; seed < 5; ++seed) expect_hashed(jsonl_text(300, seed), {});
}

TEST(HashedNames, TheSameHoweverATextIsCut) {
  expect_same_however(vw_text(300, 7), {});
  expect_same_however(vw_text(300, 8), vw_products({"user:n", "|u:|u:n"}));
  expect_same_however(csv_text(200, 7), csv_options(2, TextValues::counts));
  ReadOptions words{.columns = {.text = {"t"}}};
  expect_same_however(arff_text(200, true, 7), words);
  expect_same_however(jsonl_text(200, 7), {});
}

// The numbers that models written so far rely on.
TEST(HashedNames, NeverChange) {
  EXPECT_EQ(XXH3_64bits("", 0), 0x2d06800538d394c2U);  // as its author publishes
  ReadOptions options{.columns = {.interactions = {"user:item"}, .hash = 30}};
  Schema schema;
  const std::vector<Values> rows = values_of("1 |user alice |item 7\n-1 | plain\n", options, schema);
  EXPECT_EQ(rows[0], (Values{{285516065, 1}, {201905433, 1}, {761177355, 1}}));
  EXPECT_EQ(rows[1], (Values{{56138874, 1}}));
}

// The first names of good rows, once each, whatever the blocks are.
TEST(HashedNames, TheFirstAreKept) {
  ReadOptions options{.on_error = OnError::skip, .columns = {.hash = 18, .hash_names = 4}};
  for (const std::size_t block_bytes : {std::size_t{1}, std::size_t{1} << 20}) {
    options.block_bytes = block_bytes;
    const Reading vw = read_text("1 |u a |w 3\nbad |u never:\n-1 |u b a\n1 |u c d e\n", options);
    EXPECT_EQ(vw.report.rejected, 1U);
    EXPECT_EQ(vw.schema.hashed.names, (NameList{"u^a", "w^3", "u^b", "u^c"}));
    // Bad before its label is looked at.
    const Reading early = read_text("1 |u a |w 3\n1 |u never:1 nor:1e999\n-1 |u b a\n1 |u c d e\n", options);
    EXPECT_EQ(early.report.rejected, 1U);
    EXPECT_EQ(early.schema.hashed.names, vw.schema.hashed.names);
  }
  options.columns.text = {"t"};
  options.columns.label = "y";
  const Reading csv = read_text("c,t,n,y\nred,good day,1,a\nblue,good,oh,b\n,bad,2,\ngreen,x,3,b\n", options);
  EXPECT_EQ(csv.schema.hashed.names, (NameList{"c=red", "t^good", "t^day", "n=1"}));
  const auto names = csv.schema.feature_names();
  EXPECT_EQ(names.size(), csv.schema.features);
  EXPECT_EQ(names[csv.schema.hashed.features[0]], "c=red");
  EXPECT_EQ(names[csv.schema.columns[0].missing_feature], "c=?");
  std::size_t numbered = 0;
  for (std::uint32_t j = csv.schema.first_hashed(); j < csv.schema.features; ++j)
    numbered += names[j] == "hash:" + std::to_string(j - csv.schema.first_hashed()) ? 1 : 0;
  EXPECT_EQ(numbered, (std::size_t{1} << 18) - 4);
}

// What a resumed run reads: the model's names first, as if all rows were one text; predicted rows bring none.
TEST(HashedNames, AModelGoesOnWithItsOwn) {
  const std::string first = vw_text(50, 1), later = vw_text(50, 2);
  ReadOptions options{.columns = {.hash = 10, .hash_names = 200}};
  const Reading whole = read_text(first + later, options), half = read_text(first, options);
  ASSERT_LT(half.schema.hashed.names.size(), 200U);
  ASSERT_LE(whole.schema.hashed.names.size(), 200U);
  const Folder folder;
  ReadOptions cached = options;
  cached.path = folder.write("later", later);
  convert(cached, folder.path("cache"));
  ReadOptions resumed{.schema = &half.schema};
  EXPECT_EQ(read_text(later, resumed).schema, whole.schema);
  resumed.grow = false;
  const Reading predicted = read_text(later, resumed);
  EXPECT_EQ(predicted.schema, half.schema);
  EXPECT_EQ(predicted.report.unknown_features, 0U);
  resumed.path = folder.path("cache");
  EXPECT_EQ(read_all(resumed).rows, predicted.rows);
  resumed.grow = true;
  EXPECT_EQ(read_all(resumed).rows, predicted.rows);
  EXPECT_EQ(read_all(resumed).schema, whole.schema);
}

void expect_refused(const std::string& text, const ReadOptions& options, const std::string& what) {
  const Reading reading = read_text(text, options);
  EXPECT_TRUE(has(reading.error.what(), what));
}

TEST(HashedNames, WhatDoesNotGoWithItIsRefused) {
  ReadOptions options{.columns = {.hash = 18}};
  expect_refused("1 1:2\n-1 2:3\n", options, "names are hashed in");
  for (const std::uint32_t bits : {0U, 31U, 64U}) {
    options.columns.hash = bits;
    expect_refused(vw_text(5, 1), options, "hash is " + std::to_string(bits));
  }
  options.columns.hash = 18;
  ReadOptions counted = csv_options(1, TextValues::tf_idf);
  counted.columns.hash = 18;
  expect_refused(csv_text(20, 1), counted, "tf-idf");
  for (const std::string& text : {vw_text(20, 1), csv_text(20, 1)}) {
    const Reading hashed = read_text(text, options), plain = read_text(text, {});
    ReadOptions later{.columns = {.hash = 18}, .schema = &hashed.schema};
    EXPECT_FALSE(read_text(text, later).failed);
    later.columns.hash = 17;
    expect_refused(text, later, "hashes names to 2^18 features");
    later.columns.hash = 18;
    later.columns.hash_names = 3;
    expect_refused(text, later, "keeps 10000");
    later.columns.hash_names = {};
    later.schema = &plain.schema;
    expect_refused(text, later, "hashes none");
    // A cache has its own.
    const Folder folder;
    ReadOptions to_cache = options;
    to_cache.path = folder.write("data", text);
    convert(to_cache, folder.path("cache"));
    ReadOptions from_cache{.path = folder.path("cache"), .schema = &plain.schema};
    EXPECT_TRUE(has(read_all(from_cache).error.message(), "hashed to 2^18"));
    from_cache.schema = &hashed.schema;
    EXPECT_FALSE(read_all(from_cache).failed);
  }
}

// A cache cannot leave out a column whose values are in the table.
TEST(HashedNames, ACacheHasTheColumnsOfTheModel) {
  const Folder folder;
  ReadOptions options{.path = folder.write("more", "a,b,c,y\n1,x,u,p\n2,z,v,q\n"), .columns = {.hash = 6}};
  convert(options, folder.path("cache"));
  const Reading model = read_text("a,b,y\n1,x,p\n2,z,q\n", options);
  ReadOptions later{.path = folder.path("cache"), .schema = &model.schema, .grow = false};
  EXPECT_TRUE(has(read_all(later).error.message(), "other columns"));
}

TEST(HashedNames, ASumBeyondDoublesIsABadRow) {
  ReadOptions options{.on_error = OnError::skip, .columns = {.hash = 1}};
  const Reading reading = read_text("1 |u a:1\n-1 |u a:1e308 b:1e308 c:1e308\n1 |u a:1e308 b:-1e308\n", options);
  EXPECT_EQ(reading.report.rows, 2U);
  EXPECT_EQ(reading.report.rejected, 1U);
  options.on_error = OnError::stop;
  const Error error = read_text("1 |u a:1\n-1 |u a:1e308 b:1e308 c:1e308\n", options).error;
  EXPECT_EQ(error.line(), 2U);
  EXPECT_TRUE(has(error.message(), "more than a double holds"));
}

TEST(HashUse, CountsWhatItSees) {
  const Reading reading = read_text(vw_text(100, 3), {.columns = {.hash = 3}});
  std::map<std::uint32_t, std::set<std::string>> names;
  for (const std::string_view full : reading.schema.hashed.names) {
    const Names parts = cut(std::string(full), "^");
    const std::uint64_t hash = parts.size() == 1 ? hash_by_hand("", parts[0]) : hash_by_hand(parts[0], parts[1]);
    names[static_cast<std::uint32_t>(hash % 8)].insert(std::string(full));
  }
  std::size_t kept = 0, shared = 0;
  for (const auto& [feature, those] : names) {
    kept += those.size();
    shared += those.size() > 1 ? those.size() : 0;
  }
  const HashUse use = hash_use(reading.schema, reading.report);
  EXPECT_EQ(use.in_use, names.size());
  EXPECT_EQ(use.kept, kept);
  EXPECT_EQ(use.shared, shared);
  EXPECT_EQ(use.features(), 8U);
  const Names shown = reading.schema.feature_names();
  for (const auto& [feature, those] : names) {
    for (const std::string& name : those) EXPECT_TRUE(has(shown[feature], name));
  }
}

// Over all ways in which names may fall on features, the estimate has the share of names that share as its mean.
TEST(HashUse, ExpectsTheRightShare) {
  for (const std::uint32_t bits : {1U, 2U, 3U}) {
    const std::uint64_t features = std::uint64_t{1} << bits;
    for (unsigned names = 1; names <= 4; ++names) {
      double expected = 0, shared = 0;
      std::uint64_t ways = 1;
      for (unsigned k = 0; k < names; ++k) ways *= features;
      for (std::uint64_t way = 0; way < ways; ++way) {
        std::vector<unsigned> on(features);
        std::uint64_t rest = way;
        for (unsigned k = 0; k < names; ++k, rest /= features) ++on[rest % features];
        ReadReport report;
        for (const unsigned count : on) {
          report.hashed_in_use += count > 0 ? 1 : 0;
          shared += count > 1 ? double(count) / names : 0;
        }
        Schema schema;
        schema.hashed.bits = bits;
        expected += hash_use(schema, report).expected_sharing;
      }
      EXPECT_NEAR(expected / double(ways), shared / double(ways), 1e-12) << features << " " << names;
    }
  }
}

// Memory does not grow with names: nothing is stored of them but those that are kept.
TEST(HashedNames, NothingGrows) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += (i % 2 == 0 ? "1 |u n" : "-1 |u n") + std::to_string(i) + "\n";
  const Reading reading = read_text(text, {.columns = {.hash = 4, .hash_names = 10}});
  EXPECT_EQ(reading.schema.features, 16U);
  EXPECT_EQ(reading.schema.hashed.names.size(), 10U);
  EXPECT_TRUE(reading.schema.columns.empty());
  EXPECT_EQ(reading.report.hashed_in_use, 16U);
}

}  // namespace
}  // namespace halfspace::testing_stream
