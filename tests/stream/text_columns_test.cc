// Columns of text: what features their tokens are, against a slow account and against Vowpal Wabbit's text.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cmath>
#include <map>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "halfspace/base/error.h"
#include "halfspace/stream/cache.h"
#include "stream/csv_driver.h"
#include "stream/stream_support.h"

namespace halfspace::stream {
namespace {

using Values = std::vector<std::pair<std::uint32_t, double>>;
using Texts = std::vector<std::string>;

ReadOptions text_options(std::uint32_t ngrams = 1, TextValues values = TextValues::counts) {
  ReadOptions options;
  options.columns.text = {"t"};
  options.columns.label = "y";
  options.columns.ngrams = ngrams;
  options.columns.text_values = values;
  return options;
}

TEST(TextColumns, TokensAreCountedInTheOrderInWhichTheyCome) {
  const CsvResult r =
      read_csv("n,t,y\n1,\"Free, free PRIZE!\",a\n2,prize call,b\n3,\"\"\"Call\"\" now\",a\n", text_options());
  EXPECT_EQ(r.schema.feature_names(), (Texts{"n", "t^free", "t^prize", "t^call", "t^now"}));
  EXPECT_EQ(r.rows[0].values, (Values{{0, 1}, {1, 2}, {2, 1}}));
  EXPECT_EQ(r.rows[1].values, (Values{{0, 2}, {2, 1}, {3, 1}}));
  EXPECT_EQ(r.rows[2].values, (Values{{0, 3}, {3, 1}, {4, 1}}));
  EXPECT_EQ(read_csv("n,t,y\n1,\"Free, free PRIZE!\",a\n2,x,b\n", text_options(1, TextValues::binary)).rows[0].values,
            (Values{{0, 1}, {1, 1}, {2, 1}}));
}

TEST(TextColumns, RunsOfTokensStayWithinACell) {
  ReadOptions options = text_options(2);
  options.columns.text = {"t", "u"};
  const CsvResult r = read_csv("t,u,y\na b a b,b a,p\nb,a,q\n", options);
  EXPECT_EQ(r.schema.feature_names(), (Texts{"t^a", "t^a b", "t^b", "t^b a", "u^b", "u^b a", "u^a"}));
  EXPECT_EQ(r.rows[0].values, (Values{{0, 2}, {1, 2}, {2, 2}, {3, 1}, {4, 1}, {5, 1}, {6, 1}}));
  EXPECT_EQ(r.rows[1].values, (Values{{2, 1}, {6, 1}}));
}

TEST(TextColumns, CharactersAreTokensWhereWordsHaveNoBlanks) {
  ReadOptions options = text_options(2);
  options.columns.text_tokens = TextTokens::characters;
  const std::string text = "t,y\n今天天，天,a\n天今,b\n";
  const CsvResult r = read_csv(text, options);
  EXPECT_EQ(r.schema.feature_names(), (Texts{"t^今", "t^今天", "t^天", "t^天天", "t^天今"}));
  EXPECT_EQ(r.rows[0].values, (Values{{0, 1}, {1, 1}, {2, 3}, {3, 1}}));
  EXPECT_EQ(r.rows[1].values, (Values{{2, 1}, {4, 1}, {0, 1}}));
  // A model has its own.
  ReadOptions later;
  later.schema = &r.schema;
  later.grow = false;
  EXPECT_EQ(read_csv("t,y\n今天,a\n", later).rows[0].values, (Values{{0, 1}, {1, 1}, {2, 1}}));
  later.columns.text_tokens = TextTokens::characters;
  EXPECT_EQ(read_csv("t,y\n今天,a\n", later).rows.size(), 1U);
  later.columns.text_tokens = TextTokens::words;
  EXPECT_THROW(read_csv("t,y\n今天,a\n", later), Error);
}

TEST(TextColumns, AMissingTextIsMissingAndOneWithoutTokensIsNothing) {
  const CsvResult r = read_csv("t,y\nx,a\n,b\nNA,a\n...,b\n\"\",a\n", text_options());
  EXPECT_EQ(r.schema.feature_names(), (Texts{"t^x", "t=?"}));
  for (const std::size_t row : {1U, 2U, 4U}) EXPECT_EQ(r.rows[row].values, (Values{{1, 1}})) << row;
  EXPECT_EQ(r.rows[3].values, Values{});
}

TEST(TextColumns, InvalidTextIsABadRowThatBringsNoTokens) {
  const CsvResult r = read_csv("t,y\nx,a\nnew \xff,b\nz,b\nother,\n", text_options());
  EXPECT_EQ(r.schema.columns[0].categories, (Texts{"x", "z"}));
  ASSERT_EQ(r.bad.size(), 2U);
  EXPECT_EQ(r.bad.begin()->column, 5U);
  EXPECT_NE(r.bad.begin()->reason.find("invalid UTF-8"), std::string::npos);
}

TEST(TextColumns, DataForAModel) {
  const Schema schema = read_csv("n,t,y\n1,a b,p\n2,c,q\n", text_options(2)).schema;
  ReadOptions later;
  later.schema = &schema;
  later.grow = false;
  const std::string text = "t,n,y\nb a b,5,p\nd c d,6,q\n";
  const CsvResult kept = read_csv(text, later);
  EXPECT_EQ(kept.schema, schema);
  EXPECT_EQ(kept.rows[0].values, (Values{{0, 5}, {3, 2}, {1, 1}, {2, 1}}));
  EXPECT_EQ(kept.rows[1].values, (Values{{0, 6}, {4, 1}}));
  EXPECT_EQ(kept.unknown_features, 4U) << "b a; d, d c and c d, each once a row";
  later.grow = true;
  EXPECT_EQ(read_csv(text, later).schema.columns[1].categories,
            (Texts{"a", "a b", "b", "c", "b a", "d", "d c", "c d"}));
  later.columns.ngrams = 2;
  later.columns.text = {"t"};
  EXPECT_EQ(read_csv(text, later).rows.size(), 2U);
  later.columns.ngrams = 1;
  EXPECT_THROW(read_csv(text, later), Error);
  later.columns.ngrams = {};
  later.columns.text_values = TextValues::binary;
  EXPECT_THROW(read_csv(text, later), Error);
  later.columns.text_values = {};
  later.columns.text = {"n"};
  EXPECT_THROW(read_csv(text, later), Error);
}

TEST(TextColumns, RefusesRunsThatAreTooLongOrNone) {
  for (const std::uint32_t ngrams : {0U, 17U}) EXPECT_THROW(read_csv("t,y\nx,a\n", text_options(ngrams)), Error);
  EXPECT_EQ(read_csv("t,y\nx,a\nx x,b\n", text_options(16)).schema.features, 2U);
}

// Tables of words drawn at random, quoted and not, with bad rows among them.
std::string table_of_texts(std::mt19937_64& random, int rows, std::vector<Texts>* plain = nullptr) {
  const Texts words = {"a", "B", "cd", "Ef", "7", "über", "x2", "ТЫ", "long-er", "the"};
  const Texts lower = {"a", "b", "cd", "ef", "7", "über", "x2", "ты", "long er", "the"};
  std::string text = "n,t,y\n";
  for (int row = 0; row < rows; ++row) {
    const bool bad = plain == nullptr && random() % 20 == 0;
    const bool quoted = random() % 3 == 0;
    std::string cell, wanted;
    for (std::size_t i = 1 + random() % 6; i > 0; --i) {
      const std::size_t word = random() % words.size();
      cell += words[word] + (quoted && random() % 2 == 0 ? ",\n" : "; ");
      wanted += (wanted.empty() ? "" : " ") + lower[word];
    }
    text += (bad ? "x" : std::to_string(random() % 10)) + "," + (quoted ? "\"" + cell + "\"" : cell) + "," +
            (random() % 2 == 0 ? "p" : "q") + "\n";
    if (plain == nullptr) continue;
    plain->emplace_back();
    for (std::size_t begin = 0; begin < wanted.size();) {
      const std::size_t end = std::min(wanted.find(' ', begin), wanted.size());
      plain->back().push_back(wanted.substr(begin, end - begin));
      begin = end + 1;
    }
  }
  return text;
}

// Counted slowly, by name.
TEST(TextColumns, AreWhatASlowCountSays) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 60; ++round) {
    std::vector<Texts> words;
    const std::string text = table_of_texts(random, 15, &words);
    const auto ngrams = static_cast<std::uint32_t>(1 + random() % 4);
    const CsvResult r = read_csv(text, text_options(ngrams));
    ASSERT_EQ(r.rows.size(), words.size());
    const Texts names = r.schema.feature_names();
    for (std::size_t row = 0; row < words.size(); ++row) {
      std::map<std::string, double> wanted, found;
      for (std::size_t i = 0; i < words[row].size(); ++i) {
        std::string run;
        for (std::size_t k = i; k < words[row].size() && k < i + ngrams; ++k) {
          run += (k == i ? "" : " ") + words[row][k];
          ++wanted["t^" + run];
        }
      }
      for (const auto& [index, value] : r.rows[row].values) found[names[index]] = value;
      found.erase("n");
      EXPECT_EQ(found, wanted) << text;
    }
  }
}

TEST(TextColumns, HowTextIsCutMakesNoDifference) {
  std::mt19937_64 random(12);
  for (int round = 0; round < 60; ++round) {
    const std::string text = table_of_texts(random, 40);
    const ReadOptions options = text_options(1 + round % 3, round % 2 == 0 ? TextValues::counts : TextValues::binary);
    const CsvResult whole = read_csv(text, options);
    for (const std::size_t chunk : {1U, 7U, 64U, 300U}) EXPECT_EQ(read_csv(text, options, chunk), whole) << text;
  }
}

struct Seen {
  Schema schema;
  std::vector<Values> rows;
  bool operator==(const Seen&) const = default;
};
Seen seen(ReadOptions options) {
  Seen all;
  Reader reader(std::move(options));
  reader.read([&](const Block& block) {
    for (std::size_t i = 0; i < block.rows; ++i) {
      block.with_example(i, [&](const auto& x) {
        all.rows.emplace_back();
        for (std::uint32_t k = 0; k < x.size; ++k) all.rows.back().emplace_back(x.index[k], x.value_at(k));
      });
    }
    return true;
  });
  all.schema = reader.schema();
  return all;
}

// A bag of words written by hand, in Vowpal Wabbit's text, has the same numbers and values.
TEST(TextColumns, AreTheBagOfWordsOfVowpalWabbit) {
  const testing_stream::Folder folder;
  std::mt19937_64 random(13);
  const Texts words = {"free", "call", "now", "prize", "hello", "you", "me"};
  for (int round = 0; round < 20; ++round) {
    std::string csv = "t,y\n", vw;
    for (int row = 0; row < 50; ++row) {
      Texts order;
      std::map<std::string, int> count;
      csv += row % 2 == 0 ? "" : "\"";
      for (std::size_t i = 1 + random() % 9; i > 0; --i) {
        const std::string& word = words[random() % words.size()];
        csv += word + " ";
        if (count[word]++ == 0) order.push_back(word);
      }
      const bool positive = random() % 2 == 0;
      csv += std::string(row % 2 == 0 ? "" : "\"") + (positive ? ",1\n" : ",-1\n");
      vw += std::string(positive ? "1" : "-1") + " |t";
      for (const std::string& word : order) vw += " " + word + ":" + std::to_string(count[word]);
      vw += "\n";
    }
    ReadOptions of_csv = text_options(), of_vw;
    of_csv.path = folder.write("d.csv", csv);
    of_vw.path = folder.write("d.vw", vw);
    const Seen a = seen(of_csv), b = seen(of_vw);
    EXPECT_EQ(a.rows, b.rows);
    EXPECT_EQ(a.schema.feature_names(), b.schema.feature_names());
  }
}

// tf-idf as its formula says, whatever the threads and blocks; bad rows do not count.
TEST(TextColumns, TfIdfIsCountedInAPassOfItsOwn) {
  const testing_stream::Folder folder;
  std::mt19937_64 random(14);
  for (int round = 0; round < 10; ++round) {
    ReadOptions options = text_options(2);
    options.path = folder.write("d.csv", table_of_texts(random, 400));
    options.on_error = OnError::skip;
    options.columns.numeric = {"n"};
    const Seen counts = seen(options);
    std::map<std::uint32_t, double> rows_with;
    for (const Values& row : counts.rows) {
      for (const auto& [index, value] : row) ++rows_with[index];
    }
    options.columns.text_values = TextValues::tf_idf;
    const Seen weighed = seen(options);
    ASSERT_EQ(weighed.rows.size(), counts.rows.size());
    const double rows = static_cast<double>(counts.rows.size());
    for (std::size_t i = 0; i < counts.rows.size(); ++i) {
      for (std::size_t k = 0; k < counts.rows[i].size(); ++k) {
        const auto [index, value] = counts.rows[i][k];
        const double factor = index == 0 ? 1 : 1 + std::log((1 + rows) / (1 + rows_with[index]));
        EXPECT_EQ(weighed.rows[i][k], (std::pair(index, value * factor)));
      }
    }
    options.threads = 3;
    options.block_bytes = 100;
    EXPECT_EQ(seen(options), weighed);
  }
}

TEST(TextColumns, TfIdfOfLaterDataIsTheModels) {
  const testing_stream::Folder folder;
  ReadOptions options = text_options(1, TextValues::tf_idf);
  options.path = folder.write("d.csv", "t,y\na b,p\na,q\na,p\n");
  Schema schema = seen(options).schema;
  EXPECT_EQ(schema.columns[0].factors, (std::vector<double>{1, 1 + std::log(2.0)}));
  EXPECT_EQ(schema.columns[0].unseen_factor, 1 + std::log(4.0));
  ReadOptions later;
  later.schema = &schema;
  later.path = folder.write("e.csv", "t,y\nb c b,p\n");
  Seen more = seen(later);
  EXPECT_EQ(more.rows[0], (Values{{1, 2 * (1 + std::log(2.0))}, {2, 1 + std::log(4.0)}}));
  // What was counted stays when rows are forgotten; what came later does not.
  Schema trimmed = more.schema;
  trimmed.trim(0);
  EXPECT_EQ(trimmed, schema);
}

TEST(TextColumns, TfIdfOfAPipeIsRefused) {
  const testing_stream::Folder folder;
  ReadOptions options = text_options(1, TextValues::tf_idf);
  options.path = folder.path("pipe");
  ASSERT_EQ(::mkfifo(options.path.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(options.path) << "t,y\na,p\nb,q\n"; });
  std::string said;
  try {
    Reader reader(options);
  } catch (const Error& error) {
    said = error.what();
  }
  writer.join();
  EXPECT_NE(said.find("a pipe can be read only once"), std::string::npos) << said;
}

// A cache of text columns is as good as their text, for a new model and for one that grows or does not.
TEST(TextColumns, OfACache) {
  const testing_stream::Folder folder;
  std::mt19937_64 random(15);
  for (const TextValues values : {TextValues::counts, TextValues::binary, TextValues::tf_idf}) {
    ReadOptions options = text_options(2, values);
    options.path = folder.write("d.csv", table_of_texts(random, 200));
    options.on_error = OnError::skip;
    options.columns.numeric = {"n"};
    convert(options, folder.path("d.cache"));
    ReadOptions cached;
    cached.path = folder.path("d.cache");
    const Seen text = seen(options);
    EXPECT_EQ(seen(cached), text);
    options.path = folder.write("small.csv", "n,t,y\n1,a b zebra,p\n2,\"c,a\",q\n");
    const Schema small = seen(options).schema;
    cached.schema = &small;
    if (values == TextValues::tf_idf) {
      EXPECT_THROW(seen(cached), Error) << "counted in other rows";
      continue;
    }
    ReadOptions of_text;
    of_text.path = folder.path("d.csv");
    of_text.on_error = OnError::skip;
    of_text.schema = &small;
    for (const bool grow : {false, true}) {
      cached.grow = of_text.grow = grow;
      EXPECT_EQ(seen(cached), seen(of_text));
    }
  }
}

TEST(TextColumns, OfArff) {
  const testing_stream::Folder folder;
  ReadOptions options = text_options();
  options.path = folder.write("d.arff",
                              "@relation r\n@attribute t string\n@attribute c {u,'v w'}\n@attribute y {p,q}\n@data\n"
                              "'Don\\'t, don',u,p\n?,'v w',q\n{0 'you don', 1 'v w', 2 q}\n'\xff',u,p\n");
  options.on_error = OnError::skip;
  const Seen all = seen(options);
  EXPECT_EQ(all.schema.feature_names(), (Texts{"t^don", "t^t", "c=u", "t=?", "c=v w", "t^you"}));
  EXPECT_EQ(all.rows, (std::vector<Values>{{{0, 2}, {1, 1}, {2, 1}}, {{3, 1}, {4, 1}}, {{5, 1}, {0, 1}, {4, 1}}}));
}

TEST(TextColumns, ArePartOfTablesOnly) {
  const testing_stream::Folder folder;
  ReadOptions options = text_options();
  options.columns.label.clear();
  options.path = folder.write("d.svm", "1 1:2\n-1 2:1\n");
  EXPECT_THROW(Reader{options}, Error);
}

}  // namespace
}  // namespace halfspace::stream
