// Names of tables, found while chunks are parsed: the same rows whatever is known when; hostile names.

#include "halfspace/detail/stream/name_list.h"
#include "stream/formats/parser.h"
#include "stream/names/known_names.h"
#include "stream/pipeline/chunks.h"
#include "stream_support.h"

namespace halfspace {
namespace {

using namespace testing_stream;
using stream::hash_of_name;
using stream::KnownNames;
using stream::NameKey;
using stream::seed_of_names;

// Expects the same rows, names and bad rows whatever the threads and blocks.
void expect_the_same_however_cut(const std::string& text, ReadOptions options) {
  options.on_error = OnError::skip;
  Names seen;
  for (const unsigned threads : {1U, 4U}) {
    for (const std::size_t block : {std::size_t{100}, std::size_t{5000}, std::size_t{1} << 20}) {
      options.threads = threads;
      options.block_bytes = block;
      const Reading outcome = read_good(text, options);
      std::string all = outcome.rows + std::to_string(outcome.report.rejected) + "\n";
      for (const std::string& name : outcome.schema.feature_names()) all += name + "\n";
      for (const Column& column : outcome.schema.columns) {
        for (const double factor : column.factors) all += std::to_string(factor) + " ";
      }
      seen.push_back(all);
      EXPECT_EQ(seen.front(), seen.back()) << threads << ' ' << block;
    }
  }
}

std::string hundred(std::mt19937& draw, const char* prefix) {
  return prefix + std::to_string(draw() % 100 * (draw() % 100));
}

// Categories, quoted ones too, missing values of every kind of column, products, dates, tokens and rows that are bad at
// their beginning or their end.
std::string csv_of_names(std::mt19937& draw) {
  std::string text = "label,n,who,what,when,note\n";
  for (int i = 0; i < 2000; ++i) {
    text += draw() % 2 == 0 ? "yes," : "no,";
    text += draw() % 20 == 0 ? "NA," : draw() % 50 == 0 ? "odd," : std::to_string(draw() % 1000) + ",";
    text += draw() % 15 == 0 ? "?," : hundred(draw, draw() % 3 == 0 ? "a_longer_name" : "u") + ",";
    text += draw() % 4 == 0 ? "\"a \"\"" + hundred(draw, "q") + "\"\"\"," : draw() % 9 == 0 ? "," : "w,";
    text += "2026-0" + std::to_string(1 + draw() % 9) + "-1" + std::to_string(draw() % 10) + ",";
    for (auto k = draw() % 6; k > 0; --k) text += hundred(draw, "t") + " ";
    if (draw() % 60 == 0) text += ",one too many";
    if (draw() % 70 == 0) text += "\xff";
    text += "\n";
  }
  return text;
}

TEST(TableNames, OfCsvHoweverCut) {
  std::mt19937 draw(1);
  const std::string text = csv_of_names(draw);
  for (const TextValues values : {TextValues::counts, TextValues::binary, TextValues::tf_idf}) {
    ReadOptions options{.format = DataFormat::csv,
                        .columns = {.label = "label",
                                    .categorical = {"who", "what"},
                                    .numeric = {"n"},
                                    .text = {"note"},
                                    .ngrams = 3,
                                    .text_values = values,
                                    .dates = {"when"},
                                    .interactions = {"n:who", "who:what", "n:n"}}};
    expect_the_same_however_cut(text, options);
  }
}

TEST(TableNames, OfJsonLinesHoweverCut) {
  std::mt19937 draw(2);
  std::string text;
  for (int i = 0; i < 2000; ++i) {
    text +=
        "{\"y\":" + std::to_string(draw() % 2) + ",\"n\":" + (draw() % 9 == 0 ? "null" : std::to_string(draw() % 90));
    if (draw() % 7 != 0) text += ",\"who\":\"" + hundred(draw, draw() % 3 == 0 ? "\\u00e9" : "u") + "\"";
    if (i > 1200 && draw() % 3 == 0) text += ",\"" + hundred(draw, "late") + "\":" + (draw() % 2 == 0 ? "2" : "\"x\"");
    if (i > 1200 && draw() % 50 == 0) text += ",\"k=v\":1,\"k\":\"v\"";  // one feature twice
    if (draw() % 60 == 0) text += ",\"n\":1";                            // a member twice
    text += "}\n";
  }
  ReadOptions options{.format = DataFormat::jsonl, .columns = {.label = "y"}};
  expect_the_same_however_cut(text, options);
}

TEST(TableNames, OfArffHoweverCut) {
  std::mt19937 draw(3);
  std::string text =
      "@relation r\n@attribute n numeric\n@attribute who string\n@attribute what {a,b,'c d'}\n"
      "@attribute y {no,yes}\n@data\n";
  for (int i = 0; i < 2000; ++i) {
    text += draw() % 9 == 0 ? "?," : std::to_string(draw() % 90) + ",";
    text += draw() % 9 == 0 ? "?," : hundred(draw, draw() % 3 == 0 ? "'it\\'s long" : "'u") + "',";
    text += draw() % 30 == 0 ? "undeclared," : draw() % 2 == 0 ? "'c d'," : "a,";
    text += draw() % 2 == 0 ? "yes\n" : "no\n";
  }
  ReadOptions options{.format = DataFormat::arff, .columns = {.label = "y"}};
  expect_the_same_however_cut(text, options);
}

// Once its names are known, a chunk leaves nothing to commit.
TEST(TableNames, KnownNamesAreFinalOnceParsed) {
  std::mt19937 draw(4);
  std::string json;
  for (int i = 0; i < 200; ++i) {
    json += "{\"y\":" + std::to_string(i % 2) + ",\"n\":" + (i % 9 == 0 ? "null" : std::to_string(i)) + ",\"who\":\"" +
            hundred(draw, "u") + "\"}\n";
  }
  std::string csv = "label,n,who,note\n";
  for (int i = 0; i < 200; ++i) {
    csv += (i % 2 == 0 ? "yes," : "no,") + (i % 9 == 0 ? std::string("NA,") : std::to_string(i) + ",") +
           hundred(draw, "u") + "," + hundred(draw, "t") + " " + hundred(draw, "t") + "\n";
  }
  ReadOptions options{.columns = {.categorical = {"who"}}};
  ReadOptions with_text = options;
  with_text.columns.text = {"note"};
  const std::pair<std::unique_ptr<stream::Format>, std::string> formats[] = {{stream::make_csv(with_text), csv},
                                                                             {stream::make_jsonl(options), json}};
  for (const auto& [format, own] : formats) {
    const std::string padded = own + std::string(stream::TextBuffer::margin, '\0');  // parsers look that far ahead
    const std::string_view text(padded.data(), own.size());
    Schema schema;
    const std::size_t begin = format->infer_schema(text, true, nullptr, schema);
    format->begin_pass(schema);
    stream::ParsedChunk chunk;
    for (int pass = 0; pass < 2; ++pass) {
      chunk.clear();
      chunk.text = text.substr(begin);
      format->parse(chunk.text, true, chunk);
      EXPECT_TRUE(chunk.bad.empty());
      EXPECT_EQ(format->final_after_parse(chunk), pass == 1);
      if (pass == 0) format->commit(chunk, schema);
      for (const std::uint32_t index : chunk.rows.indices()) EXPECT_LT(index, schema.features);
    }
  }
}

// Families of names of which hash tables and comparisons have been afraid.
std::map<std::string, Names> hostile_families() {
  std::map<std::string, Names> families;
  for (std::uint32_t i = 0; i < 100000; ++i) {
    std::string bytes;
    for (std::uint32_t rest = i; bytes.size() < 3; rest /= 256) bytes += static_cast<char>(rest % 256);
    families["last bytes"].push_back("a name that begins as all the others do " + bytes);
    families["first bytes"].push_back(bytes + " and ends as all the others do, a name");
    families["three bytes"].push_back(bytes);
    families["numbers"].push_back(std::to_string(i));
    families["NULs"].push_back(std::string(8, '\0') + bytes);
  }
  std::string prefix;
  for (int i = 0; i < 3000; ++i) families["prefixes"].push_back(prefix += "p");
  for (int i = 0; i < 20; ++i)
    families["64 kB"].push_back(std::string(std::size_t{1} << 16, 'x') + static_cast<char>('a' + i));
  return families;
}

// A look-up visits a few slots whatever the names are; the table has at most two slots a name.
TEST(TableNames, HostileNamesVisitFewSlots) {
  for (const auto& [family, names] : hostile_families()) {
    for (const std::uint32_t column : {0U, 5000U}) {
      NameList list;
      KnownNames known;
      const auto key = [&](const std::string& name) {
        return NameKey{hash_of_name(name, seed_of_names(column)), column, name};
      };
      std::uint32_t feature = 0;
      for (const std::string& name : names) known.insert(column, list.push_back(name), feature++, key(name).hash);
      std::size_t visits = 0, misses = 0;
      feature = 0;
      for (const std::string& name : names) {
        EXPECT_EQ(known.view().find(key(name)), feature++);
        visits += known.view().visits(key(name));
        misses += known.view().visits(key(name + "!"));
      }
      EXPECT_LT(visits, 4 * names.size() + 100) << family;
      EXPECT_LT(misses, 12 * names.size() + 100) << family;
      EXPECT_LT(known.slots(), 2 * names.size() + 500) << family;
    }
  }
}

TEST(TableNames, OfSixtyFourKilobytes) {
  std::string csv = "label,who\n", vw, json;
  for (int i = 0; i < 60; ++i) {
    const std::string name = std::string(65536, static_cast<char>('a' + i % 2)) + std::to_string(i % 7);
    csv += (i % 2 == 0 ? "yes," : "no,") + name + "\n";
    vw += (i % 2 == 0 ? "1 |" : "-1 |") + std::string(i % 3 == 0 ? "a " : "b ") + name + "\n";
    json += "{\"y\":" + std::to_string(i % 2) + ",\"who\":\"" + name + "\"}\n";
  }
  const std::pair<DataFormat, std::string> texts[] = {
      {DataFormat::csv, csv}, {DataFormat::vw, vw}, {DataFormat::jsonl, json}};
  for (const auto& [format, text] : texts) {
    ReadOptions options{.format = format};
    if (format != DataFormat::vw) options.columns.categorical = {"who"};
    expect_the_same_however_cut(text, options);
  }
}

// Text with NULs is no text: no name has one.
TEST(TableNames, WithNulsAreRejected) {
  const std::pair<DataFormat, std::string> texts[] = {
      {DataFormat::csv, std::string("label,who\nyes,a\nno,b\nno,a\0b\n", 28)},
      {DataFormat::vw, std::string("1 |a x\n-1 |a y\n-1 |a x\0y\n", 26)},
      {DataFormat::jsonl, "{\"y\":0,\"who\":\"a\"}\n{\"y\":1,\"who\":\"b\"}\n{\"y\":1,\"who\":\"a\\u0000\"}\n"}};
  for (const auto& [format, text] : texts) {
    const Reading outcome = read_text(text, {.format = format});
    EXPECT_EQ(outcome.error.kind(), ErrorKind::data) << outcome.error.what();
  }
}

// What is added after a snapshot is taken is not in it, although the memory is shared.
TEST(TableNames, SnapshotsExcludeLaterNames) {
  NameList list;
  KnownNames known;
  std::vector<KnownNames::Snapshot> snapshots;
  const auto key = [](std::uint32_t i) {
    static Names names;
    while (names.size() <= i) names.push_back("name" + std::to_string(names.size()));
    return NameKey{hash_of_name(names[i], 7), 0, names[i]};
  };
  for (std::uint32_t i = 0; i < 3000; ++i) {
    known.publish();
    snapshots.push_back(known.snapshot());
    const NameKey added = key(i);
    known.insert(0, list.push_back(added.text), i, added.hash);
  }
  for (std::uint32_t i = 0; i < 3000; ++i) {
    EXPECT_EQ(snapshots[i].find(key(i)), KnownNames::none);
    EXPECT_EQ(snapshots[i].find(key(i / 2)), i == 0 ? KnownNames::none : i / 2);
  }
}

// Names of one hash that differ in bytes that are 0 alone, beside one another in a slot or a list.
TEST(TableNames, NamesOfZerosAndOneHash) {
  Names names = {"a"};
  for (std::size_t size = 0; size < 12; ++size) {
    names.push_back(std::string(size, '\0'));
    names.push_back("a" + std::string(size + 1, '\0'));
  }
  NameList list;
  KnownNames known;
  std::uint32_t feature = 0;
  for (const std::uint32_t column : {0U, 1U, 5000U}) {
    for (const std::string& name : names) {
      EXPECT_EQ(known.feature(column, 0, name), KnownNames::none);
      known.insert(column, list.push_back(name), feature++, 0);
    }
  }
  feature = 0;
  for (const std::uint32_t column : {0U, 1U, 5000U}) {
    for (const std::string& name : names) EXPECT_EQ(known.feature(column, 0, name), feature++);
  }
}

// A dictionary that is filled at once finds the same names, in little more memory than they need.
TEST(TableNames, AllNamesOfAColumnAtOnce) {
  for (const std::uint32_t count : {0U, 1U, 33U, 1000U, 100000U}) {
    Column column;
    for (std::uint32_t i = 0; i < count; ++i) {
      column.categories.push_back("name" + std::to_string(i));
      column.features.push_back(2 * i);
    }
    const auto hash = [](std::string_view name) { return hash_of_name(name, 3); };
    KnownNames known;
    known.reserve(count);
    known.insert_all(1, column, hash);
    known.publish();
    const KnownNames::Snapshot snapshot = known.snapshot();
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::string_view name = column.categories[i];
      EXPECT_EQ(snapshot.find(NameKey{hash(name), 1, name}), 2 * i);
      EXPECT_EQ(snapshot.find(NameKey{hash(name), 0, name}), KnownNames::none);
    }
    EXPECT_LT(known.slots(), 2 * count + 500);
  }
}

}  // namespace
}  // namespace halfspace
