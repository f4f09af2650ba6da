// Columns of text: what features their tokens are, against a slow account and against Vowpal Wabbit's text.
#include <sys/stat.h>

#include <thread>

#include "base/utf8.h"
#include "halfspace/stream/cache.h"
#include "stream/csv_driver.h"
#include "stream/stream_support.h"
#include "stream/text/tokens.h"

namespace halfspace::stream {
namespace {

using namespace testing_stream;

ReadOptions text_options(std::uint32_t ngrams = 1, TextValues values = TextValues::counts) {
  ReadOptions options{.columns = {.label = "y", .text = {"t"}, .ngrams = ngrams, .text_values = values}};
  return options;
}

TEST(TextColumns, TokensAreCountedInTheOrderInWhichTheyCome) {
  const CsvResult r =
      read_csv("n,t,y\n1,\"Free, free PRIZE!\",a\n2,prize call,b\n3,\"\"\"Call\"\" now\",a\n", text_options());
  EXPECT_EQ(r.schema.feature_names(), (Names{"n", "t^free", "t^prize", "t^call", "t^now"}));
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
  EXPECT_EQ(r.schema.feature_names(), (Names{"t^a", "t^a b", "t^b", "t^b a", "u^b", "u^b a", "u^a"}));
  EXPECT_EQ(r.rows[0].values, (Values{{0, 2}, {1, 2}, {2, 2}, {3, 1}, {4, 1}, {5, 1}, {6, 1}}));
  EXPECT_EQ(r.rows[1].values, (Values{{2, 1}, {6, 1}}));
}

TEST(TextColumns, CharactersAreTokensWhereWordsHaveNoBlanks) {
  ReadOptions options = text_options(2);
  options.columns.text_tokens = TextTokens::characters;
  const std::string text = "t,y\n今天天，天,a\n天今,b\n";
  const CsvResult r = read_csv(text, options);
  EXPECT_EQ(r.schema.feature_names(), (Names{"t^今", "t^今天", "t^天", "t^天天", "t^天今"}));
  EXPECT_EQ(r.rows[0].values, (Values{{0, 1}, {1, 1}, {2, 3}, {3, 1}}));
  EXPECT_EQ(r.rows[1].values, (Values{{2, 1}, {4, 1}, {0, 1}}));
  // A model has its own.
  ReadOptions later{.schema = &r.schema, .grow = false};
  EXPECT_EQ(read_csv("t,y\n今天,a\n", later).rows[0].values, (Values{{0, 1}, {1, 1}, {2, 1}}));
  later.columns.text_tokens = TextTokens::characters;
  EXPECT_EQ(read_csv("t,y\n今天,a\n", later).rows.size(), 1U);
  later.columns.text_tokens = TextTokens::words;
  EXPECT_THROW(read_csv("t,y\n今天,a\n", later), Error);
}

TEST(TextColumns, AMissingTextIsMissingAndOneWithoutTokensIsNothing) {
  const CsvResult r = read_csv("t,y\nx,a\n,b\nNA,a\n...,b\n\"\",a\n", text_options());
  EXPECT_EQ(r.schema.feature_names(), (Names{"t^x", "t=?"}));
  for (const std::size_t row : {1U, 2U, 4U}) EXPECT_EQ(r.rows[row].values, (Values{{1, 1}})) << row;
  EXPECT_EQ(r.rows[3].values, Values{});
}

TEST(TextColumns, InvalidTextIsABadRowThatBringsNoTokens) {
  const CsvResult r = read_csv("t,y\nx,a\nnew \xff,b\nz,b\nother,\n", text_options());
  EXPECT_EQ(r.schema.columns[0].categories, (Names{"x", "z"}));
  ASSERT_EQ(r.bad.size(), 2U);
  EXPECT_EQ(r.bad.begin()->column, 5U);
  EXPECT_TRUE(has(r.bad.begin()->reason, "invalid UTF-8"));
}

TEST(TextColumns, DataForAModel) {
  const Schema schema = read_csv("n,t,y\n1,a b,p\n2,c,q\n", text_options(2)).schema;
  ReadOptions later{.schema = &schema, .grow = false};
  const std::string text = "t,n,y\nb a b,5,p\nd c d,6,q\n";
  const CsvResult kept = read_csv(text, later);
  EXPECT_EQ(kept.schema, schema);
  EXPECT_EQ(kept.rows[0].values, (Values{{0, 5}, {3, 2}, {1, 1}, {2, 1}}));
  EXPECT_EQ(kept.rows[1].values, (Values{{0, 6}, {4, 1}}));
  EXPECT_EQ(kept.unknown_features, 4U) << "b a; d, d c and c d, each once a row";
  later.grow = true;
  EXPECT_EQ(read_csv(text, later).schema.columns[1].categories,
            (Names{"a", "a b", "b", "c", "b a", "d", "d c", "c d"}));
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
std::string table_of_texts(std::mt19937_64& random, int rows, std::vector<Names>* plain = nullptr) {
  const Names words = {"a", "B", "cd", "Ef", "7", "über", "x2", "ТЫ", "long-er", "the"};
  const Names lower = {"a", "b", "cd", "ef", "7", "über", "x2", "ты", "long er", "the"};
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
    std::vector<Names> words;
    const std::string text = table_of_texts(random, 15, &words);
    const auto ngrams = static_cast<std::uint32_t>(1 + random() % 4);
    const CsvResult r = read_csv(text, text_options(ngrams));
    ASSERT_EQ(r.rows.size(), words.size());
    const Names names = r.schema.feature_names();
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
  const Names words = {"free", "call", "now", "prize", "hello", "you", "me"};
  for (int round = 0; round < 20; ++round) {
    std::string csv = "t,y\n", vw;
    for (int row = 0; row < 50; ++row) {
      Names order;
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
  ReadOptions later{.path = folder.write("e.csv", "t,y\nb c b,p\n"), .schema = &schema};
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
  const std::string said = error_from([&] { Reader{options}; }).what();
  writer.join();
  EXPECT_TRUE(has(said, "a pipe can be read only once"));
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
    ReadOptions cached{.path = folder.path("d.cache")};
    const Seen text = seen(options);
    EXPECT_EQ(seen(cached), text);
    options.path = folder.write("small.csv", "n,t,y\n1,a b zebra,p\n2,\"c,a\",q\n");
    const Schema small = seen(options).schema;
    cached.schema = &small;
    if (values == TextValues::tf_idf) {
      EXPECT_THROW(seen(cached), Error) << "counted in other rows";
      continue;
    }
    ReadOptions of_text{.path = folder.path("d.csv"), .on_error = OnError::skip, .schema = &small};
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
  EXPECT_EQ(all.schema.feature_names(), (Names{"t^don", "t^t", "c=u", "t=?", "c=v w", "t^you"}));
  EXPECT_EQ(all.rows, (std::vector<Values>{{{0, 2}, {1, 1}, {2, 1}}, {{3, 1}, {4, 1}}, {{5, 1}, {0, 1}, {4, 1}}}));
}

TEST(TextColumns, ArePartOfTablesOnly) {
  const testing_stream::Folder folder;
  ReadOptions options = text_options();
  options.columns.label.clear();
  options.path = folder.write("d.svm", "1 1:2\n-1 2:1\n");
  EXPECT_THROW(Reader{options}, Error);
}

// What a token is.

Names tokens_of(std::string_view text) {
  static Tokens tokens;  // what it read before leaves no trace
  tokens.read(text);
  Names all;
  for (std::size_t i = 0; i < tokens.size(); ++i) all.emplace_back(tokens.run(i, 1));
  return all;
}

TEST(Tokens, AreRunsOfLettersAndDigitsInLowerCase) {
  EXPECT_EQ(tokens_of("Don't PAY £1,500 -- it's 2nd-rate_stuff"),
            (Names{"don", "t", "pay", "1", "500", "it", "s", "2nd", "rate", "stuff"}));
  EXPECT_EQ(tokens_of(""), Names{});
  EXPECT_EQ(tokens_of(" ..., !?\t\n\"\"\x7f"), Names{});
  EXPECT_EQ(tokens_of("a"), Names{"a"});
  EXPECT_EQ(tokens_of("ÄÖÜ ß ÉCOLE Œuvre Ÿ ŽLUŤOUČKÝ İ"), (Names{"äöü", "ß", "école", "œuvre", "ÿ", "žluťoučký", "İ"}));
  EXPECT_EQ(tokens_of("ΑΘΉΝΑ Ώ ЁЛКА Привет Ґ ԵՐԵՎԱՆ ẠN"), (Names{"αθήνα", "ώ", "ёлка", "привет", "ґ", "երեվան", "ạn"}));
  // Marks beyond ASCII part tokens; letters without case do not.
  EXPECT_EQ(tokens_of("«so»—that…is 100€ 日本語。中文！ a×b x² 😀ok naïve\u00a0e\u0301"),
            (Names{"so", "that", "is", "100", "日本語", "中文", "a", "b", "x²", "ok", "naïve", "e\u0301"}));
}

// Each letter by itself, and no run over what stands between words.
TEST(Tokens, MayBeCharacters) {
  Tokens tokens;
  tokens.read("今天，X光 é!", TextTokens::characters);
  Names all, pairs;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    all.emplace_back(tokens.run(i, 1));
    if (tokens.longest_run(i) > 1) pairs.emplace_back(tokens.run(i, 2));
  }
  EXPECT_EQ(all, (Names{"今", "天", "x", "光", "é"}));
  EXPECT_EQ(pairs, (Names{"今天", "x光"}));
  tokens.read("今天 x", TextTokens::words);
  EXPECT_EQ(tokens.size(), 2U);
  EXPECT_EQ(tokens.longest_run(0), 2U);
  EXPECT_EQ(tokens.run(0, 2), "今天 x");
}

// They are the words, cut into code points.
TEST(Tokens, CharactersAreThoseOfTheWords) {
  std::mt19937_64 random(8);
  const Names pieces = {"a", "Z", "7", " ", "-", "é", "日", "ก", "ำ", "\u0301", "😀", "。", "𠀋"};
  for (int round = 0; round < 500; ++round) {
    std::string text;
    for (std::size_t n = random() % 20; n > 0; --n) text += pieces[random() % pieces.size()];
    Tokens characters;
    characters.read(text, TextTokens::characters);
    Names words;
    for (std::size_t i = 0; i < characters.size(); i += characters.longest_run(i))
      words.emplace_back(characters.run(i, characters.longest_run(i)));
    EXPECT_EQ(words, tokens_of(text)) << text;
    for (std::size_t i = 0; i < characters.size(); ++i) EXPECT_TRUE(valid_utf8(characters.run(i, 1))) << text;
  }
}

TEST(Tokens, RunsHaveABlankBetweenTheirTokens) {
  Tokens tokens;
  tokens.read("Call -- NOW, please");
  ASSERT_EQ(tokens.size(), 3U);
  EXPECT_EQ(tokens.run(0, 1), "call");
  EXPECT_EQ(tokens.run(0, 2), "call now");
  EXPECT_EQ(tokens.run(1, 2), "now please");
  EXPECT_EQ(tokens.run(0, 3), "call now please");
}

std::string encoded(std::uint32_t point) {
  const auto rest = [&](int shift) { return static_cast<char>(0x80 | (point >> shift & 0x3f)); };
  if (point < 0x80) return {static_cast<char>(point)};
  if (point < 0x800) return {static_cast<char>(0xc0 | point >> 6), rest(0)};
  if (point < 0x10000) return {static_cast<char>(0xe0 | point >> 12), rest(6), rest(0)};
  return {static_cast<char>(0xf0 | point >> 18), rest(12), rest(6), rest(0)};
}

// Every code point is a letter or parts tokens; its lower case is valid, as long, and its own lower case.
TEST(Tokens, OfEveryCodePoint) {
  for (std::uint32_t point = 0; point < 0x110000; ++point) {
    if (point >= 0xd800 && point < 0xe000) continue;
    const std::string text = encoded(point);
    ASSERT_TRUE(valid_utf8(text)) << point;
    const Names tokens = tokens_of("a" + text + "b");
    if (tokens.size() == 2) {
      ASSERT_EQ(tokens, (Names{"a", "b"})) << point;
      continue;
    }
    ASSERT_EQ(tokens.size(), 1U) << point;
    ASSERT_EQ(tokens[0].size(), text.size() + 2) << point;
    ASSERT_TRUE(valid_utf8(tokens[0])) << point;
    ASSERT_EQ(tokens_of(tokens[0]), tokens) << point;
  }
}

// Tokens joined by anything that is no letter are those tokens.
TEST(Tokens, OfJoinedTokensAreThoseTokens) {
  std::mt19937_64 random(3);
  const Names words = {"a", "7", "über", "мир", "日本", "x2", "the"};
  const Names gaps = {" ", ", ", "—", "!?", "\n", "。", "😀", "\u00a0"};
  for (int round = 0; round < 500; ++round) {
    Names wanted;
    std::string text = random() % 2 == 0 ? gaps[random() % gaps.size()] : "";
    for (std::size_t i = random() % 8; i > 0; --i) {
      wanted.push_back(words[random() % words.size()]);
      text += wanted.back() + gaps[random() % gaps.size()];
    }
    EXPECT_EQ(tokens_of(text), wanted) << text;
  }
}

}  // namespace

}  // namespace halfspace::stream
