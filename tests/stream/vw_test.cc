// Vowpal Wabbit's text through the whole reader: names, values, labels, what is refused and where.

#include "halfspace/stream/cache.h"
#include "stream/formats/recognise.h"
#include "stream_support.h"

namespace halfspace {
namespace {

using namespace testing_stream;

ReadOptions vw() {
  ReadOptions options{.threads = 1};
  return options;
}

Reading read_vw(std::string_view text, ReadOptions options = vw()) {
  options.format = DataFormat::vw;
  Reading outcome = read_text(text, options);
  EXPECT_FALSE(outcome.failed) << outcome.error.what();
  return outcome;
}

TEST(Vw, NamesValuesWeightsAndLabels) {
  const Reading outcome = read_good("1 2.5 'tag|a x:0.5 y |b x:3\n-1 | lonely:-2\n1 x|a y:4\n", vw());
  EXPECT_EQ(outcome.rows,
            "1 1 0x1.4p+1 0x1.48p+3 0:0x1p-1 1:0x1p+0 2:0x1.8p+1\n"
            "2 0 0x1p+0 0x1p+2 3:-0x1p+1\n"
            "3 1 0x1p+0 0x1p+4 1:0x1p+2\n");
  EXPECT_EQ(outcome.schema.format, DataFormat::vw);
  EXPECT_EQ(outcome.schema.labels.names, (Names{"-1", "1"}));
  EXPECT_EQ(outcome.schema.feature_names(), (Names{"a^x", "a^y", "b^x", "lonely"}));
}

TEST(Vw, FeaturesAsVowpalWabbitMeansThem) {
  const std::pair<const char*, std::map<std::string, double>> cases[] = {
      {"|a:0.5 x:2 y |a x", {{"a^x", 2}, {"a^y", 0.5}}},
      {"|a x:1 x:2|a x:4", {{"a^x", 7}}},
      {"|a x:0 y:-0.0", {{"a^x", 0}, {"a^y", 0}}},
      {"|a :5 :7 z |b :1", {{"a^0", 5}, {"a^1", 7}, {"a^z", 1}, {"b^0", 1}}},
      {"|a:3 colour:red url:http://x|y :blue", {{"a^colour^red", 1}, {"a^url^http://x|y", 1}, {"a^^blue", 1}}},
      {"| a  b\tc:1e1 \t |  ", {{"a", 1}, {"b", 1}, {"c", 10}}},
      {"|\ta |b", {{"a", 1}}},
      {"|a #x x^y:2 a=b:.5", {{"a^#x", 1}, {"a^x^y", 2}, {"a^a=b", 0.5}}},
      {"|a x|b x", {{"a^x", 1}, {"b^x", 1}}},
      {"|ns x:3.0517578125e-05 y:123456789.125 z:+4", {{"ns^x", 0x1p-15}, {"ns^y", 123456789.125}, {"ns^z", 4}}},
  };
  for (const auto& [line, expected] : cases) {
    ReadOptions options = vw();
    options.format = DataFormat::vw;
    EXPECT_EQ(named_rows(options, "1 " + std::string(line) + "\n-1 |\n")[0], expected) << line;
  }
}

// Products stand behind all others, named whole; the rest of the row is what it is without them.
TEST(Vw, NamespacesAreMultiplied) {
  ReadOptions options = vw();
  options.columns.interactions = {"a:b", "a:a", ":b"};
  options.format = DataFormat::vw;
  NamedRow first = {{"a^x", 2}, {"a^y", 0.5}, {"b^z", 3}, {"b^w", 1}, {"o", 7}};
  first.merge(NamedRow{{"a^x*b^z", 6}, {"a^x*b^w", 2}, {"a^y*b^z", 1.5}, {"a^y*b^w", 0.5}, {"a^x*a^x", 4}});
  first.merge(NamedRow{{"a^x*a^y", 1}, {"a^y*a^y", 0.25}, {"o*b^z", 21}, {"o*b^w", 7}});
  const std::vector<NamedRow> expected = {first,
                                          {{"a^x", 5}, {"c^q", 1}, {"a^x*a^x", 25}},
                                          {{"b^z", 1}},
                                          {{"a^x", 1}, {"b^z", 1}, {"a^x*b^z", 1}, {"a^x*a^x", 1}}};
  const char* const rows = "1 |a x:2 y:0.5 |b z:3 w | o:7\n-1 |a x:4 |a x:1 |c q\n1 |b z\n-1 |a x |b z\n";
  EXPECT_EQ(named_rows(options, rows), expected);
  const Folder folder;
  options.path = folder.write("data", rows);
  options.columns.interactions = {"a:b:c:d"};
  EXPECT_THROW(Reader{options}, Error);
  options.columns.interactions = {"ab"};
  EXPECT_THROW(Reader{options}, Error);
}

TEST(Vw, ProductsAreOfAModelAndSaidWhenTheyAreNone) {
  const Folder folder;
  ReadOptions options = vw();
  options.path = folder.write("data", "1 |a x:2 |b z:3\n-1 |a x:1 |b z:1 w\n");
  Names told;
  options.on_note = [&](const ReadNote& note) { told.push_back(note.text); };
  options.columns.interactions = {"a:b"};
  const Reading learned = read_all(options);
  ASSERT_FALSE(learned.failed) << learned.error.what();
  EXPECT_TRUE(told.empty());
  ReadOptions other = options;
  other.columns.interactions = {"a:d"};
  EXPECT_FALSE(read_all(other).failed);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_TRUE(has(told[0], "'d'"));

  options.columns.interactions.clear();
  options.schema = &learned.schema;
  options.grow = false;
  EXPECT_EQ(read_all(options).rows, learned.rows);
  options.columns.interactions = {"a:a"};
  EXPECT_EQ(read_all(options).error.kind(), ErrorKind::usage);
  // A cache has products or has none, as its text was read.
  ReadOptions to_cache = vw();
  to_cache.path = options.path;
  convert(to_cache, folder.path("plain"));
  to_cache.columns.interactions = {"a:b"};
  convert(to_cache, folder.path("multiplied"));
  options.columns.interactions.clear();
  options.path = folder.path("plain");
  EXPECT_TRUE(read_all(options).failed);
  options.path = folder.path("multiplied");
  EXPECT_EQ(read_all(options).rows, learned.rows);
}

TEST(Vw, LineEndsBlankLinesAndMarksDoNotMatter) {
  const std::string plain = read_vw("1 |f a:1 b\n-1 |f c\n1 |\n").rows;
  for (const char* text :
       {"1 |f a:1 b\r\n-1 |f c\r\n1 |\r\n", "1 |f a:1 b\n-1 |f c\n1 |",
        "\xef\xbb\xbf"
        "1 |f a:1 b\n-1 |f c\n1 |\r",
        "\n \n1 |f a:1 b\n\t\n\r\n-1 |f c\n\n\n1 |\n\n", "  1   |f   a:1\tb \n-1 'x |f c \n1 x| \n"}) {
    EXPECT_EQ(read_vw(text).rows, plain) << text;
  }
}

TEST(Vw, LabelsAreNumbersByValueOrNames) {
  EXPECT_EQ(read_vw("+1 | a\n1.0 | b\n-1 | c\n-1e0 | d\n").schema.labels.names, (Names{"-1", "+1"}));
  EXPECT_EQ(read_vw("spam |w a\nham |w b c\n").schema.labels.names, (Names{"ham", "spam"}));
  EXPECT_EQ(read_vw("3 | a\n1 | a\n2 | a\n").schema.labels.names, (Names{"1", "2", "3"}));
  ReadOptions options = vw();
  options.labels.ignore = true;
  EXPECT_EQ(read_vw("1 | a\n| b\n'tag | c\n-1 | d\n5|e f\n", options).rows,
            "1 -1 0x1p+0 0x1p+0 0:0x1p+0\n2 -1 0x1p+0 0x1p+0 1:0x1p+0\n3 -1 0x1p+0 0x1p+0 2:0x1p+0\n"
            "4 -1 0x1p+0 0x1p+0 3:0x1p+0\n5 -1 0x1p+0 0x1p+0 4:0x1p+0\n");
}

const std::vector<RowFlaw> vw_flaws = {
    {"1 a b", 6, "the row has no '|'"},
    {"  | a b", 1, "the row has no label"},
    {"'tag | a b", 1, "the row has no label"},
    {" 1|f a", 2, "'1' touches the bar and so is the row's tag, not its label"},
    {"1\t1 |f a", 2, "a tab before the first '|', after which Vowpal Wabbit restarts the line"},
    {" 1:0.5 2:1 | a", 2, "'1:0.5' is a label with costs, as cost-sensitive learning and contextual bandits have them"},
    {"shared | a", 1, "'shared' is part of a contextual bandit's example, which has several lines"},
    {"ccb action |a b", 1, "'ccb' is part of a contextual bandit's example, which has several lines"},
    {"0,3,7 | a", 1, "'0,3,7' is a list of labels, as multilabel learning has them"},
    {"inf | a", 1, "the label 'inf' is not a finite number"},
    {"\xff | a", 1, "the label '.' is not valid UTF-8"},
    {"x | a", 1, "'x' is not a label of this data"},
    {"1 -2 | a", 3, "'-2' is not an importance"},
    {"1 nan | a", 3, "'nan' is not an importance"},
    {"1 x | a", 3, "'x' is not an importance"},
    {"1 2 'user 0|n a", 5, "a blank in the tag, which is one word in Vowpal Wabbit text"},
    {"1 2 0.5 | a", 5, "'0.5' is an initial prediction, which is not supported"},
    {"1 2 3 4 | a", 5, "more words before the '|' than a label, an importance and a tag"},
    {std::string("1 |f a\0b", 8), 7, "a NUL byte"},
    {std::string("1\0 |f a", 7), 2, "a NUL byte"},
    {"1 |f a b\x01 c", 9, "a control character"},
    {"1 |f a\rb", 7, "a carriage return within the line"},
    {"1 |:2 a", 4, "a ':' where the name of a namespace or a blank is expected"},
    {"1 |\xff a", 4, "the namespace '.' is not valid UTF-8"},
    {"1 |f: a", 6, "a ':' without a value"},
    {"1 |f:x a", 6, "'x' is not a number"},
    {"1 |f a: b", 8, "a ':' without a value"},
    {"1 |f a:1x b", 8, "'1x' is not a number"},
    {"1 |f a:1:2 b", 8, "'1:2' is not a number"},
    {"1 |f a:-inf", 8, "'-inf' is not a finite number"},
    {"1 |f a:nan", 8, "'nan' is not a finite number"},
    {"1 |f a:1e999 b", 8, "'1e999' is too large for a double"},
    {"1 |f b:1e308 b:1e308", 14, "the value of 'b' is too large for a double"},
    {"1 |f:1e200 b:1e200", 12, "the value of 'b' is too large for a double"},
    {"1 |f a \xc3\x28", 8, "the feature '.(' is not valid UTF-8"},
};

TEST(Vw, EveryFlawIsPlacedAndLeavesTheOtherRows) {
  const Reading sound = read_vw("1 |f a:2\n-1 |f last\n");
  for (const RowFlaw& flaw : vw_flaws) {
    const std::string text = "1 |f a:2\n" + flaw.line + "\n-1 |f last\n";
    for (const std::size_t block_bytes : {std::size_t{1}, std::size_t{7}, std::size_t{1} << 18}) {
      ReadOptions options = vw();
      options.format = DataFormat::vw;
      options.block_bytes = block_bytes;
      options.inference_rows = 1;
      options.labels.positive = "1";
      expect_placed(read_text("1 |f a:2\n-1 | a\n" + flaw.line + "\n", options).error, flaw, 3);
      if (flaw.line[0] == 'x') continue;  // a label like any other where it is met early
      options.on_error = OnError::skip;
      const Reading skipped = read_good(text, options);
      EXPECT_EQ(skipped.report.rejected, 1u) << flaw.line;
      EXPECT_EQ(skipped.schema.feature_names(), sound.schema.feature_names()) << flaw.line;
      EXPECT_EQ(skipped.report.rows, 2u);
    }
  }
}

TEST(Vw, LinesBeyondTheLimitAreBad) {
  ReadOptions options = vw();
  options.format = DataFormat::vw;
  options.line_limit = 20;
  const std::string text = "1 |f a\n-1 |f " + std::string(100, 'b') + "\n-1 |f c\n";
  for (const std::size_t block_bytes : {std::size_t{1}, std::size_t{64}, std::size_t{1} << 18}) {
    options.block_bytes = block_bytes;
    const Reading outcome = read_text(text, options);
    EXPECT_EQ(outcome.error.message(), "the line is longer than 20 bytes");
    EXPECT_EQ(outcome.error.line(), 2u);
    EXPECT_EQ(outcome.error.column(), 21u);
  }
}

// Rows of all kinds; about one in ten is bad when asked for.
std::string vw_sample(bool with_bad) {
  std::mt19937_64 random(7);
  std::string text;
  for (int i = 0; i < 3000; ++i) {
    text += i < 50 || random() % 2 == 0 ? "1" : "-1";
    if (random() % 4 == 0) text += " 0." + std::to_string(random() % 90 + 1);
    if (random() % 4 == 0) text += " 'row" + std::to_string(i);
    text += text.back() == '1' && (text.size() == 1 || text[text.size() - 2] != 'w') ? " " : "";
    for (std::uint64_t n = random() % 3 + 1; n != 0; --n) {
      text += random() % 5 == 0 ? "| " : "|n" + std::to_string(random() % 7) + (random() % 6 == 0 ? ":0.5 " : " ");
      for (std::uint64_t k = random() % 12; k != 0; --k) {
        text += "w" + std::to_string(random() % (1 + static_cast<std::uint64_t>(i)));
        if (random() % 2 == 0) text += ":" + std::to_string(random() % 1000) + "." + std::to_string(random() % 100);
        text += " ";
      }
    }
    if (with_bad && random() % 10 == 0) text += "|f bad:1x new" + std::to_string(i);
    text += random() % 5 == 0 ? "\r\n" : "\n";
    if (random() % 50 == 0) text += "\n";
  }
  return text;
}

TEST(Vw, NothingDependsOnThreadsBlocksOrCompression) {
  for (const bool with_bad : {false, true}) {
    const std::string text = vw_sample(with_bad);
    ReadOptions options = vw();
    options.on_error = OnError::skip;
    options.inference_rows = 100;
    const Reading outcome = expect_read_alike_however_cut(text, zstd(text), options);
    EXPECT_EQ(outcome.report.rejected > 0, with_bad);
    EXPECT_GT(outcome.schema.columns.size(), 5u);
  }
}

TEST(Vw, NamesAModelHasNotSeenAreCountedOrAdded) {
  const Schema model = read_vw("1 |f a b\n-1 |g a\n").schema;
  ReadOptions options = vw();
  options.schema = &model;
  options.grow = false;
  const Reading fixed = read_vw("-1 |g b a:2 |new x y |f b\n", options);
  EXPECT_EQ(fixed.rows, "1 0 0x1p+0 0x1.4p+2 2:0x1p+1 1:0x1p+0\n");
  EXPECT_EQ(fixed.report.unknown_features, 3u);
  EXPECT_EQ(fixed.schema, model);
  options.grow = true;
  const Reading grown = read_vw("-1 |g b a:2 |new x y |f b\n", options);
  EXPECT_EQ(grown.schema.feature_names(), (Names{"f^a", "f^b", "g^a", "g^b", "new^x", "new^y"}));
  Schema trimmed = grown.schema;
  trimmed.trim(3);
  EXPECT_EQ(trimmed, model);
}

TEST(Vw, ACacheIsReadAsItsText) {
  const Folder folder;
  ReadOptions text = vw();
  text.path = folder.write("data.vw", "1 |g b a:2 |new x y |f b\n-1 |f a\n");
  convert(text, folder.path("cache"));
  ReadOptions cache = vw();
  cache.path = folder.path("cache");
  EXPECT_EQ(read_all(cache).rows, read_all(text).rows);
  const Schema model = read_vw("1 |f a b\n-1 |g a |other z\n").schema;
  for (const bool grow : {false, true}) {
    text.schema = cache.schema = &model;
    text.grow = cache.grow = grow;
    const Reading from_text = read_all(text), from_cache = read_all(cache);
    ASSERT_FALSE(from_cache.failed) << from_cache.error.what();
    EXPECT_EQ(from_cache.rows, from_text.rows);
    EXPECT_EQ(from_cache.schema.feature_names(), from_text.schema.feature_names());
  }
}

// A line is read quickly or carefully, by what stood in its block before it: it says the same. Numbers as names and
// others, in order or not, twice, in several namespaces, with values of every kind, and some of their bytes changed.
TEST(Vw, ALineSaysTheSameWhateverStoodBeforeIt) {
  const Names values =
      cut("1~-0.5~0~1e5~1e400~1.~.5~+1~1.2.3~~nan~red~1:2~-~0x1~1|a~-0~1\r~1\t~12345678901234567890~"
          "0.12345678901234567",
          "~");
  const Names names = {"0", "00", "01", "7", "007", "100000000", "99999999", "12x", "-1", "", "a", "1.5"};
  const Names heads = {"1 |", "-1 |", "1 | ", "1 |s", "2 |s",     "1 2.5 |", "1 'tag |", "1|",
                       "| ",  "1  |", " 1 |", "9 |",  "1 |s:0.5", "nan |",   "1 |\xff",  "1 2 3 |"};
  for (unsigned seed = 1; seed <= 60; ++seed) {
    std::mt19937_64 random(seed);
    const auto any = [&](std::size_t count) { return static_cast<std::size_t>(random() % count); };
    std::string text = "1 | 3:1\n-1 | 2:1\n";
    std::size_t head = 0;
    for (int i = 0; i < 150; ++i) {
      if (any(10) == 0) head = any(heads.size());
      std::string line = any(3) == 0 ? heads[any(2)] : heads[head];
      std::size_t number = 0;
      for (std::size_t k = any(12); k-- > 0;) {
        number = any(30) == 0 ? any(50) : number + 1 + any(seed % 3 == 0 ? 2'000'000 : 9);
        line += " " + (any(50) == 0 ? names[any(names.size())] : std::to_string(number));
        if (any(50) == 0) continue;
        line += ":" + (any(30) == 0 ? values[any(values.size())]
                                    : std::to_string(any(100'000)) + "." + std::to_string(any(1'000)));
        if (any(80) == 0) line += " |" + std::string(any(2), 's');
      }
      if (any(25) == 0) line[any(line.size())] = static_cast<char>(random());
      if (any(25) == 0) line += any(2) == 0 ? " " : "  \r";
      text += line + (any(8) == 0 ? "\r\n" : "\n");
    }
    if (any(2) == 0) text.pop_back();
    ReadOptions options = vw();
    options.inference_rows = 2;
    options.labels.ignore = seed % 4 == 0;
    if (seed % 7 == 0) options.line_limit = 90;
    options.columns.keep = {"tag"};
    Schema model;
    if (seed % 5 == 0) {
      model = read_text("1 | 3:1 2:1 7:1 40:2 100:1 99999999:1\n-1 |s 1:1\n", vw()).schema;
      options.schema = &model;
      options.grow = seed % 2 == 0;
    }
    expect_account_whatever_the_blocks(text, options, seed);
  }
}

TEST(Vw, IsRecognisedByItsFirstLines) {
  using stream::recognise_text;
  for (const char* text :
       {"1 |f a:1 b\n", "-1 0.5 'tag|f a:1 |g b\n", "|f a:1\n", "1 | a:1 b:2\n", "1 | one\n2 | two\n",
        "1 | one\n2 | two words\n", "spam |w hello world\n", "1:0.5 2:1 | a b\n", "shared | a b\n",
        "ccb shared |User b\n", "\n\n1 |a x |b y\n", "1|f a b\n2|f c d\n", "'t|f a b\n'u|g c d\n",
        "1 | a b | c:1\n2 | d e | f:2\n", "0,1 | one\n1 | two\n", "1 | one\n0,1 | two\n"}) {
    EXPECT_EQ(recognise_text(text), DataFormat::vw) << text;
  }
  for (const char* text :
       {"1|one\n2|two\n", "id | word\n1 | one\n", "1 | 2\n2 | 3\n", "a | one\n", "a|b|c\n1|2|3\n", "a | b,c\n1 | 2,3\n",
        "a;b|c\n", "| a | b |\n| 1 | 2 |\n", "name | age | city\n", "free text | with bars\n", "1,2|one\n3,4|two\n",
        "a,b | c\n1,2 | 3\n", "1|Bob Smith|good film\n2|Al Jones|bad film\n", "1|so good a film\n0|the worst film\n",
        "1 | Bob Smith | good film\n2 | Al Jones | bad film\n",
        "id|name|review\n1|Bob|good film\n2|Al|no film at all\n"}) {
    EXPECT_NE(recognise_text(text), DataFormat::vw) << text;
  }
}

}  // namespace
}  // namespace halfspace
