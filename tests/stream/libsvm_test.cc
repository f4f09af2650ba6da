// LIBSVM text through the whole reader: what is accepted, what is refused and where, which labels are learned.

#include "stream_support.h"

namespace halfspace {
namespace {

using namespace testing_stream;

ReadOptions libsvm() {
  ReadOptions options{.format = DataFormat::libsvm, .threads = 1};
  return options;
}

std::string rows_of(std::string_view text, const ReadOptions& options = libsvm()) {
  const Reading outcome = read_good(text, options);
  return outcome.rows;
}

TEST(Libsvm, OneRowInEveryPart) {
  EXPECT_EQ(rows_of("+1 1:0.5 3:-2\n-1 2:1e1\n"),
            "1 1 0x1p+0 0x1.1p+2 0:0x1p-1 2:-0x1p+1\n"
            "2 0 0x1p+0 0x1.9p+6 1:0x1.4p+3\n");
}

TEST(Libsvm, LineEndsBlanksCommentsAndMarksDoNotMatter) {
  const std::string plain = rows_of("+1 1:0.5 3:2\n-1 2:7\n+1\n");
  for (const char* text :
       {"+1 1:0.5 3:2\r\n-1 2:7\r\n+1\r\n", "+1 1:0.5 3:2\n-1 2:7\n+1", "+1 1:0.5 3:2\r\n-1 2:7\r\n+1\r",
        "\xef\xbb\xbf+1 1:0.5 3:2\n-1 2:7\n+1\n", "  +1\t1:0.5   3:2 \t\n-1 2:7\t\n +1 \n",
        "# a comment\n\n+1 1:0.5 3:2 # 4:5\n   \n-1 2:7#x\n\t\n+1#\n#", "+1 1:.5 3:2e0\n-1 2:+7.0\n+1\n"}) {
    EXPECT_EQ(rows_of(text), plain) << text;
  }
}

TEST(Libsvm, ExplicitZerosAreStored) {
  const Reading outcome = read_text("+1 1:0 2:0.0 3:1\n-1 1:1 2:-0 3:3\n", libsvm());
  EXPECT_EQ(outcome.report.stored, 6u);
  EXPECT_EQ(outcome.report.nonzeros, 3u);
  EXPECT_TRUE(has(outcome.rows, " 1:-0x0p+0"));
}

TEST(Libsvm, IndicesUpToTheLargest) {
  EXPECT_EQ(rows_of("+1 2147483647:1\n-1\n"), "1 1 0x1p+0 0x1p+0 2147483646:0x1p+0\n2 0 0x1p+0 0x0p+0\n");
  ReadOptions options = libsvm();
  options.zero_based = true;
  const Reading outcome = read_text("+1 0:1 2147483647:1\n-1\n", options);
  EXPECT_EQ(outcome.schema.features, 2147483648u);
  EXPECT_TRUE(outcome.schema.zero_based);
  EXPECT_EQ(outcome.rows, "1 1 0x1p+0 0x1p+1 0:0x1p+0 2147483647:0x1p+0\n2 0 0x1p+0 0x0p+0\n");
  EXPECT_EQ(rows_of("+1 12345678:1 123456789:1 0123456790:1\n-1\n"),
            "1 1 0x1p+0 0x1.8p+1 12345677:0x1p+0 123456788:0x1p+0 123456789:0x1p+0\n2 0 0x1p+0 0x0p+0\n");
}

// 24 digits that are a small number modulo 2^64.
std::string too_long_decimal(std::mt19937_64& random) {
  for (;;) {
    const std::uint64_t sixteen = 1'000'000'000'000'000 + random() % 9'000'000'000'000'000;
    if (sixteen * 100'000'000 >= std::uint64_t{1} << 52) continue;
    const std::string digits = std::to_string(sixteen);
    return digits.substr(0, 8) + "." + digits.substr(8) + "12345678";
  }
}

// The quick reader against C's strtod: decimals of every length, near 2^53 too.
TEST(Libsvm, DecimalsAreThoseOfStrtod) {
  std::mt19937_64 random(9);
  std::string text;
  std::vector<double> expected;
  for (int row = 0; row < 200'000; ++row) {
    text += row % 2 == 0 ? "+1" : "-1";
    // One value the quick reader gives up at would take its whole row from it: most rows have but one.
    for (int k = 1; k <= (row % 50 == 0 ? 20 : 1); ++k) {
      std::string value = random() % 4 == 0 ? "-" : "";
      value += std::to_string(random() % (random() % 3 == 0 ? 1'000'000'000 : 10));
      if (random() % 4 != 0) {
        value += ".";
        for (std::uint64_t places = random() % 18; places > 0; --places)
          value += static_cast<char>('0' + random() % 10);
      }
      if (random() % 30 == 0) value = "0.900719925474099" + std::to_string(random() % 10);
      if (row % 5'000 == 1) value = too_long_decimal(random);
      if (random() % 30 == 0) value += "e" + std::to_string(random() % 20);
      text += " " + std::to_string(k) + ":" + value;
      expected.push_back(std::strtod(value.c_str(), nullptr));
    }
    text += "\n";
  }
  const Folder folder;
  ReadOptions options = libsvm();
  options.path = folder.write("data", text);
  std::size_t next = 0;
  Reader(options).read([&](const Block& block) {
    for (std::size_t i = 0; i < block.rows; ++i) {
      block.with_example(i, [&](const auto& x) {
        for (std::uint32_t k = 0; k < x.size; ++k)
          ASSERT_EQ(std::bit_cast<std::uint64_t>(x.value_at(k)), std::bit_cast<std::uint64_t>(expected[next++]));
      });
    }
    return !::testing::Test::HasFatalFailure();
  });
  EXPECT_EQ(next, expected.size());
}

const RowFlaw refused_lines[] = {
    {"+1 1:1 abc", 8, "'abc' has no ':'"},
    {"+1 1:1 5", 8, "'5' has no ':'"},
    {"+1 1:x", 6, "'x' is not a number"},
    {"+1 1:1 12:0x10", 11, "'0x10' is not a number"},
    {"+1 1:2abc", 6, "'2abc' is not a number"},
    {"+1 1:2:3", 6, "'2:3' is not a number"},
    {"+1 1:1,2", 6, "'1,2' is not a number"},
    {"+1 1:1.5.5", 6, "'1.5.5' is not a number"},
    {"+1 1:1e", 6, "'1e' is not a number"},
    {"+1 1:1 2:nan", 10, "'nan' is not a finite number"},
    {"+1 1:1 2:-NaN 3:4", 10, "'-NaN' is not a finite number"},
    {"+1 2:inf", 6, "'inf' is not a finite number"},
    {"+1 2:-Infinity", 6, "'-Infinity' is not a finite number"},
    {"+1 2:1e309", 6, "'1e309' is too large for a double"},
    {"+1 2:-2e308", 6, "'-2e308' is too large for a double"},
    {"+1 0:1", 4, "index 0, but indices start at 1"},
    {"+1 1:1 -3:1", 8, "the index '-3' is negative"},
    {"+1 1:1 2147483648:1", 8, "the index '2147483648' is greater than 2147483647"},
    {"+1 99999999999999999999999:1", 4, "the index '99999999999999999999999' is greater than 2147483647"},
    {"+1 3:1 2:1", 8, "index 2 after index 3"},
    {"+1 3:1 3:2", 8, "index 3 is twice in the row"},
    {"+1 :5", 4, "'' is not a feature index"},
    {"+1 a:5", 4, "'a' is not a feature index"},
    {"+1 +3:5", 4, "'+3' is not a feature index"},
    {"+1 1.5:5", 4, "'1.5' is not a feature index"},
    {"+1 1:", 6, "index 1 has no value"},
    {"+1 1: 2:3", 6, "index 1 has no value"},
    {"+1 1:  # 5", 6, "index 1 has no value"},
    {"+1 qid:3 1:1", 4, "'qid:' is for ranking, which is not supported"},
    {"1:1 2:3", 1, "the row has no label"},
    {"  3:1", 3, "the row has no label"},
    {"third 1:1", 1, "'third' is not a label of this data"},
    {"\t7 1:1", 2, "'7' is not a label of this data"},
    {"third 2:1 1:1", 11, "index 1 after index 2"},
    {std::string("+1\0 1:1", 7), 1, "a control character in the label '+1.'"},
    {std::string(30, '\0'), 1, "a control character in the label '..............................'"},
    {"nan 1:1", 1, "the label 'nan' is not a finite number"},
    {"1e999 1:1", 1, "the label '1e999' is not a finite number"},
    {"\xff 1:1", 1, "the label '.' is not valid UTF-8"},
    {"+1 1:1\r2:1", 6, "'1.2:1' is not a number"},
};

TEST(Libsvm, QueriesAreTakenOutByACommand) {
  const std::string said = read_text("1 qid:1 1:0.5\n", libsvm()).error.what();
  EXPECT_TRUE(has(said, "sed -E 's/[[:blank:]]qid:[^[:blank:]]+//' FILE"));
}

// Each row stands on line 4, far from the end of the text (the quick reader tries it first) and at its very end.
TEST(Libsvm, EveryBadRowIsLocatedAndExplained) {
  const std::string before = "-1 1:1\n# comment\n+1 1:0.25\n";
  const std::string after = "\n+1 1:1 2:2 3:3 4:4 5:5 6:6 7:7 8:8 9:9 10:10" + std::string(60, ' ') + "\n";
  for (const RowFlaw& bad : refused_lines) {
    for (const std::string& end : {std::string(), std::string("\n"), std::string("\r\n"), after}) {
      ReadOptions options = libsvm();
      options.inference_rows = 2;
      const Folder folder;
      options.path = folder.write("data", before + bad.line + end);
      const Reading outcome = read_all(options);
      EXPECT_EQ(outcome.error.file(), options.path);
      expect_placed(outcome.error, bad, 4);
      EXPECT_EQ(outcome.rows, "1 0 0x1p+0 0x1p+0 0:0x1p+0\n2 1 0x1p+0 0x1p-4 0:0x1p-2\n");

      options.on_error = OnError::skip;
      options.rejects = folder.path("rejects");
      const Reading skipped = read_all(options);
      EXPECT_FALSE(skipped.failed) << skipped.error.what();
      EXPECT_EQ(skipped.report.rejected, 1u);
      EXPECT_EQ(skipped.report.rows, end == after ? 3u : 2u) << bad.line;
    }
  }
}

TEST(Libsvm, ALongLineIsRefusedAndTheNextOneRead) {
  ReadOptions options = libsvm();
  options.line_limit = 20;
  options.on_error = OnError::skip;
  const std::string fits = "+1 1:1 2:2 3:3 4:004";
  ASSERT_EQ(fits.size(), 20u);
  for (const std::size_t block_bytes : {std::size_t{1}, std::size_t{16}, std::size_t{1} << 20}) {
    options.block_bytes = block_bytes;
    for (const std::string line_end : {"\n", "\r\n"}) {
      for (const std::size_t extra : {1u, 2u, 3u, 4u, 50u, 300'000u}) {
        const Folder folder;
        options.rejects = folder.path("rejects");
        const std::string longer = fits + std::string(extra, '0');
        options.path =
            folder.write("data", "-1 1:1" + line_end + fits + line_end + longer + line_end + "-1 2:1" + line_end);
        const Reading outcome = read_all(options);
        EXPECT_FALSE(outcome.failed) << outcome.error.what();
        EXPECT_EQ(outcome.report.rows, 3u);
        EXPECT_EQ(outcome.report.rejected, 1u);
        EXPECT_TRUE(has(outcome.rows, "\n4 0 0x1p+0 0x1p+0 1:0x1p+0\n"));
        EXPECT_EQ(content(options.rejects), "file,line,column,reason,text\n" + options.path +
                                                ",3,21,the line is longer than 20 bytes," + fits + "\n");
      }
    }
  }
}

TEST(Libsvm, RejectsAreQuoted) {
  ReadOptions options = libsvm();
  options.on_error = OnError::skip;
  const Folder folder;
  options.rejects = folder.path("rejects");
  options.path = folder.write("data", "-1 1:1\n+1 1:1\n\n+1 1:\"a,b\"\n+1 x\n");
  EXPECT_EQ(read_all(options).report.rejected, 2u);
  EXPECT_EQ(content(options.rejects), "file,line,column,reason,text\n" + options.path +
                                          ",4,6,\"'\"\"a,b\"\"' is not a number\",\"+1 1:\"\"a,b\"\"\"\n" +
                                          options.path + ",5,4,'x' has no ':',+1 x\n");
}

Names labels_of(std::string_view text, ReadOptions options = libsvm()) {
  const Reading outcome = read_good(text, options);
  return outcome.schema.labels.names;
}

TEST(LibsvmLabels, WhichIsPositiveDoesNotDependOnTheRows) {
  EXPECT_EQ(labels_of("+1 1:1\n-1 1:1\n"), (Names{"-1", "+1"}));
  EXPECT_EQ(labels_of("2 1:1\n1 1:1\n"), (Names{"1", "2"}));
  EXPECT_EQ(labels_of("yes 1:1\nno 1:1\n"), (Names{"no", "yes"}));
  EXPECT_EQ(labels_of("1 1:1\n1.0 1:1\n0 1:1\n+1 1:1\n"), (Names{"0", "1"}));
  EXPECT_EQ(labels_of("c 1:1\nb 1:1\na 1:1\n"), (Names{"a", "b", "c"}));
}

TEST(LibsvmLabels, OneLabelAloneIsSettledByConvention) {
  EXPECT_EQ(labels_of("-1 1:1\n-1 1:1\n"), (Names{"-1", "+1"}));
  EXPECT_EQ(labels_of("+1 1:1\n"), (Names{"-1", "+1"}));
  EXPECT_EQ(labels_of("0 1:1\n"), (Names{"0", "1"}));
  EXPECT_EQ(labels_of("2 1:1\n"), (Names{"1", "2"}));
  EXPECT_EQ(labels_of("1 1:1\n"), (Names{"-1", "1"}));
  EXPECT_EQ(labels_of("spam 1:1\n"), (Names{"", "spam"}));
}

TEST(LibsvmLabels, AFileIsSearchedForTheSecondLabel) {
  std::string text;
  for (int i = 0; i < 500; ++i) text += "1 1:1\n";
  ReadOptions options = libsvm();
  options.inference_rows = 10;
  options.block_bytes = 64;
  EXPECT_EQ(labels_of(text + "2 1:1\n", options), (Names{"1", "2"}));
  EXPECT_EQ(labels_of(text + "0 1:1\n", options), (Names{"0", "1"}));
  EXPECT_EQ(labels_of(text, options), (Names{"-1", "1"}));
  // A label that commits the matter by itself ends the search: a third kind is then an unknown label.
  std::string committed;
  for (int i = 0; i < 500; ++i) committed += "2 1:1\n";
  const Reading outcome = read_text(committed + "0 1:1\n", options);
  EXPECT_EQ(outcome.error.line(), 501u);
  EXPECT_EQ(outcome.error.message(), "'0' is not a label of this data");
}

TEST(LibsvmLabels, TheRowsAfterASearchAreAllThere) {
  std::string text;
  for (int i = 0; i < 500; ++i) text += "a 1:" + std::to_string(i) + "\n";
  text += "b 1:1\n";
  ReadOptions options = libsvm();
  options.inference_rows = 10;
  options.block_bytes = 64;
  const Reading outcome = read_text(text, options);
  EXPECT_EQ(outcome.report.rows, 501u);
  EXPECT_EQ(outcome.report.class_rows, (std::vector<std::uint64_t>{500, 1}));
}

TEST(LibsvmLabels, AllLabelsOfAFile) {
  std::string text = "a 1:1\nb 1:1\n";
  for (int i = 0; i < 100; ++i) text += "a 1:1\n";
  text += "c 1:1\n";
  ReadOptions options = libsvm();
  options.inference_rows = 5;
  options.block_bytes = 32;
  ASSERT_TRUE(read_text(text, options).failed);
  options.labels.scan_all = true;
  EXPECT_EQ(labels_of(text, options), (Names{"a", "b", "c"}));
}

TEST(LibsvmLabels, LabelsOfBadRowsAreNotLearned) {
  ReadOptions options = libsvm();
  options.on_error = OnError::skip;
  EXPECT_EQ(labels_of("0 1:1\n3 1:x\n1 1:1\n", options), (Names{"0", "1"}));
}

TEST(LibsvmLabels, TooManyAreNoLabels) {
  std::string text;
  for (int i = 0; i < 70'000; ++i) text += std::to_string(i) + " 1:1\n";
  ReadOptions options = libsvm();
  options.labels.scan_all = true;
  EXPECT_TRUE(read_text(text, options).error.message().starts_with("the label has 10000 different values"));
  options.labels.any_value = true;
  EXPECT_EQ(read_text(text, options).error.message(), "more than 65535 different labels");
}

TEST(LibsvmLabels, ManyClassesAndLongNames) {
  std::string text;
  for (int i = 0; i < 3000; ++i) text += "class-number-" + std::to_string(i % 1000) + " 1:" + std::to_string(i) + "\n";
  const Reading outcome = read_good(text, libsvm());
  EXPECT_EQ(outcome.schema.labels.names.size(), 1000u);
  EXPECT_EQ(outcome.report.class_rows, std::vector<std::uint64_t>(1000, 3));
}

TEST(LibsvmLabels, IgnoredLabels) {
  ReadOptions options = libsvm();
  Schema model;
  model.format = DataFormat::libsvm;
  model.labels.names = {"-1", "+1"};
  model.features = 5;
  options.schema = &model;
  options.labels.ignore = true;
  EXPECT_EQ(rows_of("1:1 2:1\n+1 1:1\n 3:1\nx 1:1\nx 2:1\nnan 1:1\n\xff 1:1\n", options),
            "1 -1 0x1p+0 0x1p+1 0:0x1p+0 1:0x1p+0\n2 -1 0x1p+0 0x1p+0 0:0x1p+0\n3 -1 0x1p+0 0x1p+0 2:0x1p+0\n"
            "4 -1 0x1p+0 0x1p+0 0:0x1p+0\n5 -1 0x1p+0 0x1p+0 1:0x1p+0\n6 -1 0x1p+0 0x1p+0 0:0x1p+0\n"
            "7 -1 0x1p+0 0x1p+0 0:0x1p+0\n");
  EXPECT_EQ(read_text("1:1\nx 1:x\n", options).error.line(), 2u);
}

TEST(LibsvmSchema, AModelsFeaturesGrowOrAreCounted) {
  Schema model;
  model.format = DataFormat::libsvm;
  model.labels.names = {"-1", "+1"};
  model.features = 2;
  ReadOptions options = libsvm();
  options.schema = &model;
  const std::string text = "+1 1:1 3:5 4:6\n-1 2:1 1000000:2\n" + std::string("+1 x\n") + "+1 9:1\n";
  options.on_error = OnError::skip;
  Reading outcome = read_text(text, options);
  EXPECT_EQ(outcome.schema.features, 1'000'000u);
  EXPECT_EQ(outcome.report.unknown_features, 0u);
  EXPECT_EQ(outcome.report.stored, 6u);
  options.grow = false;
  outcome = read_text(text, options);
  EXPECT_EQ(outcome.schema.features, 2u);
  EXPECT_EQ(outcome.report.unknown_features, 4u);
  EXPECT_EQ(outcome.rows, "1 1 0x1p+0 0x1p+0 0:0x1p+0\n2 0 0x1p+0 0x1p+0 1:0x1p+0\n4 1 0x1p+0 0x0p+0\n");
  model.zero_based = true;
  EXPECT_EQ(read_text("+1 0:1 1:2\n", options).rows, "1 1 0x1p+0 0x1.4p+2 0:0x1p+0 1:0x1p+1\n");
}

TEST(LibsvmSchema, ANamelessClassIsNamedByTheFirstNewLabel) {
  Schema model;
  model.format = DataFormat::libsvm;
  model.labels.names = {"", "spam"};
  ReadOptions options = libsvm();
  options.schema = &model;
  options.block_bytes = 16;
  Reading outcome = read_text("spam 1:1\nham 1:1\nspam 1:2\nham 1:2\n", options);
  EXPECT_EQ(outcome.schema.labels.names, (Names{"ham", "spam"}));
  EXPECT_EQ(outcome.report.class_rows, (std::vector<std::uint64_t>{2, 2}));
  for (const std::size_t block_bytes : {std::size_t{16}, std::size_t{1} << 20}) {
    options.block_bytes = block_bytes;
    outcome = read_text("spam 1:1\nham 1:1\n\n eggs 1:2\nham 1:2\n", options);
    EXPECT_EQ(outcome.error.line(), 4u);
    EXPECT_EQ(outcome.error.column(), 2u);
    EXPECT_EQ(outcome.error.text(), " eggs 1:2");
    EXPECT_EQ(outcome.error.message(), "'eggs' is not a label of this data");
    EXPECT_EQ(outcome.rows, "1 1 0x1p+0 0x1p+0 0:0x1p+0\n2 0 0x1p+0 0x1p+0 0:0x1p+0\n");
  }
}

}  // namespace
}  // namespace halfspace
