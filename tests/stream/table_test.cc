// Tables by column name: the records of CSV, cells, and errors at their place.
#include "stream/csv/table.h"

#include <unistd.h>

#include "stream/stream_support.h"

namespace halfspace::stream {
namespace {

using namespace testing_stream;

class TableReaderTest : public ::testing::Test {
 protected:
  std::string file(const std::string& text) {
    path_ = (std::filesystem::path(::testing::TempDir()) / ("halfspace-table-" + std::to_string(::getpid()) + ".csv"))
                .string();
    std::ofstream(path_, std::ios::binary) << text;
    return path_;
  }
  TableFileOptions options(const std::string& text) {
    TableFileOptions made;
    made.path = file(text);
    return made;
  }
  void TearDown() override { std::filesystem::remove(path_); }

  Error error_of(const std::string& text) {
    return error_from([&] {
      TableReader reader(options(text));
      while (reader.next()) {
        for (std::size_t c = 0; c < reader.columns().size(); ++c) reader.number(c);
      }
    });
  }

  std::string path_;
};

TEST_F(TableReaderTest, ReadsCellsByName) {
  TableReader reader(options("\xef\xbb\xbf\"a \"\"b\"\"\",c,\r\n\r\n 1.5 ,\"x,\ny\",?\r\n-2,NA,0"));
  EXPECT_EQ(reader.columns(), (Names{"a \"b\"", "c", "3"}));
  EXPECT_EQ(reader.column("c", "columns"), 1U);
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.number(0), 1.5);
  EXPECT_EQ(reader.text(1), "x,\ny");
  EXPECT_TRUE(reader.missing(2));
  EXPECT_EQ(reader.row(), 1U);
  ASSERT_TRUE(reader.next());
  EXPECT_TRUE(reader.missing(1));
  EXPECT_EQ(reader.number(2), 0);
  EXPECT_FALSE(reader.next());
  EXPECT_FALSE(reader.next());
}

TEST_F(TableReaderTest, FindsTheDelimiter) {
  EXPECT_EQ(TableReader(options("a;b\n")).columns().size(), 2U);
  EXPECT_EQ(TableReader(options("a\tb\n")).columns().size(), 2U);
  EXPECT_EQ(TableReader(options("a;b,c\n")).columns().size(), 2U);
}

// What stands within quotes, commas and line ends among it, splits nothing.
TEST_F(TableReaderTest, FindsTheDelimiterOutsideOfQuotes) {
  EXPECT_EQ(TableReader(options("\"x,y\"\tz\n1\t2\n")).columns(), (Names{"x,y", "z"}));
  EXPECT_EQ(TableReader(options("\"x\n,;\t\"\n1\n")).columns(), (Names{"x\n,;\t"}));
  EXPECT_EQ(TableReader(options("\n\n\"x\ny\";z\n1;2\n")).columns(), (Names{"x\ny", "z"}));
}

// As examples are: the same options, guesses and notes.
TEST_F(TableReaderTest, AreReadAsExamplesAre) {
  Names notes;
  TableFileOptions given = options("1,5;x\n2,5;-999\n");
  given.on_note = [&](const ReadNote& note) { notes.push_back(note.text); };
  given.table.decimal = ',';
  given.table.missing = {"-999"};
  TableReader commas(given);
  EXPECT_EQ(commas.columns(), (Names{"1", "2"}));
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_TRUE(has(notes[0], "the first line was taken as a row"));
  ASSERT_TRUE(commas.next());
  EXPECT_EQ(commas.row(), 1U);
  EXPECT_EQ(commas.number(0), 1.5);
  EXPECT_FALSE(commas.missing(1));
  ASSERT_TRUE(commas.next());
  EXPECT_TRUE(commas.missing(1));
  EXPECT_THROW(commas.number(1), Error);

  TableReader declared(options("\xef\xbb\xbfsep=;\r\na,1;b\r\n1;x\r\n"));
  EXPECT_EQ(declared.columns(), (Names{"a,1", "b"}));
  ASSERT_TRUE(declared.next());
  EXPECT_EQ(declared.error(1, "", "").line(), 3U);

  given = options("\"a\nb\",c\n1,2\n");
  EXPECT_EQ(TableReader(given).columns(), (Names{"a\nb", "c"}));
  given = options("a,b\n\"x,\"\n");
  given.table.quote = Quote::none;
  TableReader quotes(given);
  ASSERT_TRUE(quotes.next());
  EXPECT_EQ(quotes.text(0), "\"x");
  TableReader blanks(options("  a  b\n 1  0\n 2  1\n"));
  EXPECT_EQ(blanks.columns(), (Names{"a", "b"}));
  TableReader rows(options("a,b\nmon,1,0\ntue,2,1\n"));
  EXPECT_TRUE(rows.names_rows());
  EXPECT_EQ(rows.columns(), (Names{"1", "a", "b"}));
  ASSERT_TRUE(rows.next());
  EXPECT_EQ(rows.text(0), "mon");
  EXPECT_FALSE(rows.missing_label(1));
}

TEST_F(TableReaderTest, ErrorsAreAtTheirPlace) {
  Error error = error_of("a,b\n1,2\n\n3,x7\n");
  EXPECT_EQ(error.line(), 4U);
  EXPECT_EQ(error.column(), 3U);
  EXPECT_EQ(error.text(), "3,x7");
  EXPECT_EQ(error.kind(), ErrorKind::data);
  error = error_of("a,b\n\"1\",\"p\nq\"\n");
  EXPECT_EQ(error.line(), 2U);
  error = error_of("a,b\n1,2\n3\n");
  EXPECT_EQ(error.line(), 3U);
  error = error_of("a,b\n1,2,3\n");
  EXPECT_EQ(error.column(), 5U);
  error = error_of("a,b\n1,\"2\n");
  EXPECT_EQ(error.column(), 3U);
  error = error_of(std::string("a,b\n1,2\0\n", 9));
  EXPECT_EQ(error.line(), 2U);
  EXPECT_EQ(error_of("a\nnan\n").kind(), ErrorKind::data);
  EXPECT_EQ(error_of("").kind(), ErrorKind::data);
}

TEST_F(TableReaderTest, LinesAreCountedBehindRecordsOfSeveral) {
  TableReader reader(options("a,b\n\"x\ny\",2\n\n3,4,5\n"));
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(error_from([&] { reader.next(); }).line(), 5U);
}

TEST_F(TableReaderTest, UnknownAndAmbiguousColumnsAreUsageErrors) {
  TableReader reader(options("outcome,x,x\n"));
  const Error error = error_from([&] { reader.column("outcom", "outcome"); });
  EXPECT_EQ(error.kind(), ErrorKind::usage);
  EXPECT_TRUE(has(error.hint(), "outcome"));
  EXPECT_THROW(reader.column("x", "columns"), Error);
}

// Records across the chunks in which the file is read.
TEST_F(TableReaderTest, LargeFilesAreCutNowhere) {
  std::string text = "n,text\n";
  for (int i = 0; i < 60'000; ++i)
    text += std::to_string(i) + ",\"some, text\nof two lines " + std::string(static_cast<std::size_t>(i % 37), 'x') +
            "\"\n";
  TableReader reader(options(text));
  int rows = 0;
  while (reader.next()) {
    ASSERT_EQ(reader.number(0), rows);
    ASSERT_EQ(reader.text(1).size(), 24U + static_cast<std::size_t>(rows % 37));
    ++rows;
  }
  EXPECT_EQ(rows, 60'000);
}

}  // namespace
}  // namespace halfspace::stream
