// What bad CSV is called, and where it is.
#include <unistd.h>

#include "base/nearest.h"
#include "stream/csv_driver.h"
#include "stream/stream_support.h"

namespace halfspace::stream {
namespace {

using namespace testing_stream;

struct ErrorCase {
  const char* name;
  std::string row;  // the third line of a table whose columns are n, c, w (weight), y (label)
  std::uint64_t column;
  const char* reason;
  std::string hint;
};

std::ostream& operator<<(std::ostream& out, const ErrorCase& c) { return out << c.name; }

class CsvBadRow : public ::testing::TestWithParam<ErrorCase> {};

TEST_P(CsvBadRow, IsNamedAndPlaced) {
  const ErrorCase& c = GetParam();
  ReadOptions options{.line_limit = 100, .columns = {.weight = "w", .numeric = {"n"}}};
  const std::string text = "n,c,w,y\r\n1,u,1,a\r\n" + c.row + "\r\n2,v,1,b\r\n";
  for (std::size_t chunk = 1; chunk <= text.size() + 100; chunk += 3) {
    const CsvResult r = read_csv(text, options, chunk);
    ASSERT_EQ(r.bad.size(), 1U);
    const CsvBad& bad = *r.bad.begin();
    EXPECT_EQ(bad.line, 2U);
    EXPECT_EQ(bad.row, 1U);
    EXPECT_EQ(bad.column, c.column) << bad.reason;
    EXPECT_TRUE(has(bad.reason, c.reason));
    EXPECT_TRUE(has(bad.hint, c.hint));
    if (std::string(c.name) == "unclosed") {
      EXPECT_EQ(bad.text, c.row + "\r\n2,v,1,b");
      EXPECT_EQ(r.rows.size(), 1U);
    } else {
      EXPECT_EQ(bad.text, c.row.substr(0, 101));
      EXPECT_EQ(r.rows.size(), 2U);
      EXPECT_EQ(r.data_rows, 3U);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    EachKind, CsvBadRow,
    ::testing::Values(
        ErrorCase{"too_few", "1,u,1", 6, "3 fields where 4 are expected", "left empty"},
        ErrorCase{"too_many", "1,u,1, a,", 10, "5 fields where 4 are expected", "quote a field"},
        ErrorCase{"unclosed", "1,\"u,1,a", 3, "never closed", "close it"},
        ErrorCase{"after_quote", "1,\"u\" v,1,a", 7, "text after the closing quote", "\"\""},
        ErrorCase{"backslash", "1,\"u \\\"v\\\"\",1,a", 8, "which stands behind a backslash", "sed 's/\\\\\"/\"\"/g'"},
        ErrorCase{"second_quoted", "1,\"u\" \"v\",1,a", 7, "text after the closing quote", "\"\""},
        ErrorCase{"stray_quote", "1,u\"v,1,a", 4, "a quote inside an unquoted field", "quote the whole field"},
        ErrorCase{"first_flaw", "1,u\"v,\"1\"x,a", 4, "a quote inside an unquoted field", ""},
        ErrorCase{"not_a_number", "1, u, 1 ,a\"", 11, "inside an unquoted", ""},
        ErrorCase{"number_text", "  1x , u, 1 ,a", 3, "'1x' in column 'n' is not a number", option("categorical", "n")},
        ErrorCase{"number_quoted", "\" 1\",u,1,a", 2, "' 1' in column 'n' is not a number", option("categorical", "n")},
        ErrorCase{"hexadecimal", "0x1F,u,1,a", 1, "is not a number", option("categorical", "n")},
        ErrorCase{"carriage_return", "1\r2," + std::string(60, 'u') + ",1,a", 1, "'1.2' in column 'n' is not a number",
                  ""},
        ErrorCase{"nan", "NAN,u,1,a", 1, "is not finite", "leave the field empty"},
        ErrorCase{"infinity", "-inf,u,1,a", 1, "is not finite", "leave the field empty"},
        ErrorCase{"overflow", "1e999,u,1,a", 1, "too large for a double", "scale"},
        ErrorCase{"missing_label", "1,u,1,", 7, "the label in column 'y' is missing", option("label")},
        ErrorCase{"missing_label_quoted", "1,u,1,\"?\"", 8, "the label in column 'y' is missing: '?'",
                  option("missing-only", "-,N/A,NA,NaN,None,nan,null")},
        ErrorCase{"missing_label_named", "1,u,1,NaN", 7, "the label in column 'y' is missing: 'NaN'",
                  option("missing-only", "-,?,N/A,NA,None,nan,null")},
        ErrorCase{"negative_weight", "1,u,-1,a", 5, "'-1' in column 'w' is not a weight", "from 0 to"},
        ErrorCase{"missing_weight", "1,u,,a", 5, "is not a weight", "from 0 to"},
        ErrorCase{"infinite_weight", "1,u,inf,a", 5, "is not a weight", "from 0 to"},
        ErrorCase{"category_utf8", "1,\xC3\xA9\xC3(,1,a", 5, "invalid UTF-8 in column 'c'", "convert"},
        ErrorCase{"category_surrogate", "1,x\xED\xA0\x80,1,a", 4, "invalid UTF-8 in column 'c'", "convert"},
        ErrorCase{"label_utf8", "1,u,1,\"a\xFF\"", 9, "invalid UTF-8 in column 'y'", "convert"},
        ErrorCase{"nul", std::string("1,u\0,1,a", 8), 4, "a NUL byte", "UTF-8"},
        ErrorCase{"nul_quoted", std::string("1,\"u\0\",1,a", 10), 5, "a NUL byte", "UTF-8"},
        ErrorCase{"too_long", "1," + std::string(95, 'u') + ",1,a", 101, "longer than the limit of 100 bytes",
                  "limit"}),
    [](const auto& param) { return std::string(param.param.name); });

TEST(CsvBadRows, TheLimitItselfIsGood) {
  EXPECT_TRUE(read_csv("c,y\r\n" + std::string(98, 'u') + ",a\r\nv,b\r\n", {.line_limit = 100}).bad.empty());
}

TEST(CsvBadRows, AnUnknownLabelNamesTheKnown) {
  const CsvResult r = read_csv("n,y\n1,a\n2,b\n3, c\n4,a\n", {.inference_rows = 2});
  ASSERT_EQ(r.bad.size(), 1U);
  EXPECT_EQ(r.bad.begin()->column, 4U);
  EXPECT_EQ(r.bad.begin()->reason, "'c' is not a label of this data");
  EXPECT_EQ(r.bad.begin()->hint,
            "the first rows have 'a', 'b'; if it is right, " + option("classes") + " names all classes");
}

TEST(CsvBadRows, OneBadTextIsBadInEveryRow) {
  const CsvResult r = read_csv("c,y\nu,a\n\xFF,b\n\xFF,b\nv,b\n", {});
  EXPECT_EQ(r.bad.size(), 2U);
  EXPECT_EQ(r.schema.features, 2U);
}

TEST(CsvBadRows, ParsingStopsAtTheFirstWhenTold) {
  ReadOptions options{.labels = {.positive = "a"}, .inference_rows = 1};
  const auto format = make_csv(options);
  const std::string text = "n,y\n1,a\nx,a\ny,a\n";
  Schema schema;
  const std::size_t begin = format->infer_schema(text, true, nullptr, schema);
  ParsedChunk chunk;
  format->parse(std::string_view(text).substr(begin), true, chunk);
  ASSERT_EQ(chunk.bad.size(), 1U);
  EXPECT_EQ(chunk.bad[0].line, 1U);
  EXPECT_EQ(chunk.rows.rows(), 1U);
}

TEST(CsvErrors, NoData) {
  for (const std::string text : {"", "\n\r\n", "\xEF\xBB\xBF", "a,y\n", "a,y\n\n  \n"}) {
    EXPECT_EQ(csv_error(text).kind(), ErrorKind::data) << text;
  }
  EXPECT_TRUE(has(csv_error("a,y\n").message(), "no data rows"));
  const Error all_bad = csv_error("a,y\n1\n2\n");
  EXPECT_EQ(all_bad.kind(), ErrorKind::data);
  EXPECT_TRUE(has(all_bad.message(), "no row can be used; the first: 1 field where 2 are expected"));
  EXPECT_EQ(all_bad.text(), "1");
}

TEST(CsvErrors, Headers) {
  const auto expect = [](const std::string& header, const char* words, std::uint64_t column) {
    const Error error = csv_error("\n" + header + "\n1,2,3\n");
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_TRUE(has(error.message(), words));
    EXPECT_EQ(error.file(), "data.csv");
    EXPECT_EQ(error.line(), 2U);
    EXPECT_EQ(error.column(), column);
    EXPECT_FALSE(error.hint().empty());
  };
  expect("a,b, a", "columns 1 and 3 are both named 'a'", 6);
  expect("2,,b", "columns 1 and 2 are both named '2'", 3);
  expect("a,b\xFF,c", "invalid UTF-8 in the name of column 2", 4);
  expect("a,b\"b,c", "a quote inside an unquoted field", 4);
  expect("a,\"b\"b,c", "text after the closing quote", 6);
  expect("a,\"b,c", "never closed", 3);
  expect(std::string("a,b\0,c", 6), "a NUL byte", 4);
}

TEST(CsvErrors, ColumnsThatAreNotThere) {
  ReadOptions options{.columns = {.label = "clas"}};
  Error error = csv_error("age,class,wage\n1,2,3\n", options);
  EXPECT_EQ(error.kind(), ErrorKind::usage);
  EXPECT_TRUE(has(error.message(), option("label") + ": there is no column 'clas'"));
  EXPECT_EQ(error.hint(), "did you mean 'class'?");
  options.columns.label.clear();
  for (const char* wanted : {"4", "0", "-1", "1.5", "", "2x"}) {
    options.columns.drop = {wanted};
    error = csv_error("age,class,wage\n1,2,3\n", options);
    EXPECT_EQ(error.kind(), ErrorKind::usage) << wanted;
  }
  options.columns.drop = {"something else"};
  EXPECT_EQ(csv_error("age,class,wage\n1,2,3\n", options).hint(), "the columns are 'age', 'class', 'wage'");
  options.columns.drop = {"age"};
  options.columns.categorical = {"1"};
  EXPECT_TRUE(has(csv_error("age,class,wage\n1,2,3\n", options).message(),
                  "cannot be " + option("drop") + " and " + option("categorical")));
  options.columns.categorical.clear();
  options.columns.drop = {"1", "2", "3"};
  EXPECT_TRUE(has(csv_error("age,class,wage\n1,2,3\n", options).message(), "no column is left"));
}

TEST(CsvErrors, AnotherEncodingIsTheFirstReason) {
  EXPECT_TRUE(has(csv_error("c,d,y\ngreen,caf\xe9,a\nred,th\xe9,b\n").message(), "invalid UTF-8 in column 'd'"));
}

TEST(CsvErrors, LeadingZerosOfCodes) {
  const auto noted = [](const std::string& text, ReadOptions options = {}) {
    std::string notes;
    options.on_note = [&](const ReadNote& note) { notes += note.text + "; " + note.fix; };
    read_csv(text, options);
    return notes;
  };
  const std::string codes = "n,zip,y\n1,02139,a\n2,90210,b\n3,00501,a\n";
  const std::string found = noted(codes);
  EXPECT_TRUE(has(found, "read as numbers: '02139' in column 'zip'",
                  option("categorical", "zip") + " reads codes as categories"));
  ReadOptions asked, confirmed;
  asked.columns.categorical = {"zip"};
  confirmed.columns.numeric = {"zip"};
  EXPECT_EQ(noted(codes, asked), "");
  EXPECT_EQ(noted(codes, confirmed), "");
  EXPECT_TRUE(has(noted("n,c,y\n1,007,a\n2,12345,b\n3,0012,a\n"), "'007' in column 'c'"));
  EXPECT_TRUE(has(noted("b,c,y\n001,007,a\n002,012,b\n003,012,a\n"), "and so on, 2 columns"));
  for (const std::string cells :
       {"01,02,12", "0.50,0.25,0.75", "000,000,000", "0123,1234,1235", "0123,0124,x", "0,5,7"}) {
    std::string rows = "n,c,y\n";
    for (std::size_t at = 0, row = 0; at < cells.size(); ++row) {
      const std::size_t end = std::min(cells.find(',', at), cells.size());
      rows += std::to_string(row) + "," + cells.substr(at, end - at) + (row % 2 == 0 ? ",a\n" : ",b\n");
      at = end + 1;
    }
    EXPECT_EQ(noted(rows), "") << cells;
  }
}

TEST(CsvErrors, PointsThatMaySeparateThousands) {
  const auto noted = [](const std::string& text, char decimal = '\0') {
    std::string notes;
    ReadOptions options{.on_note = [&](const ReadNote& note) { notes += note.text + "; " + note.fix; }};
    if (decimal != '\0') options.table.decimal = decimal;
    read_csv(text, options);
    return notes;
  };
  const std::string found = noted("n,y\n1.250,a\n980,b\n640,a\n");
  EXPECT_TRUE(has(found, "points may separate thousands in column 'n': '1.250'",
                  option("thousands", "point") + " " + option("decimal", "comma")));
  EXPECT_EQ(noted("n,y\n1.250,a\n980,b\n640,a\n", '.'), "");
  for (const std::string other : {"1.25", "0.125", "1250", "1e3"})
    EXPECT_EQ(noted("n,y\n1.250,a\n980,b\n640,a\n" + other + ",b\n"), "") << other;
  // Every fraction of a table between semicolons has three digits.
  const auto fractions = [&](const std::string& mark, const std::string& last) {
    std::string text = "n" + mark + "y\n";
    for (int i = 0; i < 20; ++i)
      text += std::to_string(i % 9 + 1) + "." + std::to_string(857 - i) + mark + (i % 2 == 0 ? "a\n" : "b\n");
    return noted(text + last + mark + "b\n");
  };
  const std::string all = fractions(";", "7.012");
  EXPECT_TRUE(has(all, "points may separate thousands in column 'n': '1.857', and three digits are behind all points",
                  option("thousands", "point")));
  EXPECT_EQ(fractions(",", "7.012"), "");
  for (const std::string other : {"7.01", "0.012", "1e3", "1250"}) EXPECT_EQ(fractions(";", other), "") << other;
  const CsvResult r = read_csv("x;y\n1.234;a\n2,5;b\n", {.table = {.decimal = ','}, .columns = {.numeric = {"x"}}});
  ASSERT_EQ(r.bad.size(), 1U);
  EXPECT_TRUE(has(r.bad.begin()->hint, option("thousands", "point")));
}

TEST(CsvErrors, AModelsColumnsHaveNoOptions) {
  const CsvResult learned = read_csv("n,y\n1,a\n2,b\n", {});
  ReadOptions options{.schema = &learned.schema};
  for (const std::string cell : {"red", "inf"}) {
    const CsvResult r = read_csv("n,y\n" + cell + ",a\n1,b\n", options);
    ASSERT_EQ(r.bad.size(), 1U);
    EXPECT_TRUE(lacks(r.bad.begin()->hint, option("categorical", "n"), option("missing", cell)));
  }
}

TEST(CsvErrors, PositiveMustBeALabel) {
  ReadOptions options{.labels = {.positive = "c"}};
  EXPECT_EQ(csv_error("n,y\n1,a\n2,b\n", options).kind(), ErrorKind::usage);
}

TEST(Nearest, FindsTheClosest) {
  const Names known = {"age", "wage", "page", "rage", "income", "label"};
  EXPECT_EQ(nearest("ages", known), (Names{"age"}));
  EXPECT_EQ(nearest("xage", known), (Names{"age", "wage", "page"})) << "three at the most";
  EXPECT_EQ(nearest("lable", known), (Names{"label"})) << "a swap is one edit";
  EXPECT_EQ(nearest("INCOME", known), (Names{"income"}));
  EXPECT_EQ(nearest("incme", known), (Names{"income"}));
  EXPECT_TRUE(nearest("height", known).empty());
  EXPECT_TRUE(nearest("zz", known).empty());
  EXPECT_EQ(did_you_mean("wag", known), "did you mean 'wage'?");
  EXPECT_EQ(did_you_mean("lab", Names{"la", "lb"}), "did you mean 'la' or 'lb'?");
  EXPECT_EQ(did_you_mean("height", known), "");
}

// CSV through the whole reader: what the pipeline and the format must agree on.

class CsvReader : public ::testing::Test {
 protected:
  CsvReader()
      : path_(::testing::TempDir() + "halfspace_csv_" +
              ::testing::UnitTest::GetInstance()->current_test_info()->name() + "_" + std::to_string(getpid()) +
              ".csv") {
    options.path = path_;
    options.format = DataFormat::csv;
  }
  ~CsvReader() override { std::filesystem::remove(path_); }

  void write(const std::string& text) const { std::ofstream(path_, std::ios::binary) << text; }

  struct Seen {
    std::vector<std::uint64_t> rows;
    std::vector<std::uint32_t> indices;
    std::uint64_t rejected = 0;
    Schema schema;
    bool operator==(const Seen&) const = default;
  };
  Seen read() const {
    Seen seen;
    Reader reader(options);
    reader.read([&](const Block& block) {
      seen.rows.insert(seen.rows.end(), block.row, block.row + block.rows);
      seen.indices.insert(seen.indices.end(), block.index, block.index + block.stored());
      return true;
    });
    seen.rejected = reader.report().rejected;
    seen.schema = reader.schema();
    return seen;
  }

  ReadOptions options;

 private:
  std::string path_;
};

TEST_F(CsvReader, ALabelOfNearlyAsManyClassesAsRowsIsToldBeforeARowIsGiven) {
  for (const int classes : {14, 15, 30}) {
    std::string text = "n,name\n", said;
    for (int i = 0; i < 30; ++i) text += "1,v" + std::to_string(i % classes) + "\n";
    write(text);
    options.on_note = [&](const ReadNote& note) { said += note.text + " " + note.fix; };
    const Reader reader(options);
    EXPECT_EQ(said.find("'name' has " + std::to_string(classes) + " different values in 30 rows") != std::string::npos,
              classes >= 15)
        << said;
  }
}

TEST_F(CsvReader, ABadRowIsLocated) {
  write("\n n ,c,y\r\n1,\"two\nlines\",a\r\n2,x,b\r\n\r\n3 , x\",b\r\n");
  const Error error = testing_stream::error_from([&] { read(); });
  EXPECT_EQ(error.kind(), ErrorKind::data);
  EXPECT_EQ(error.file(), options.path);
  EXPECT_EQ(error.line(), 7U);
  EXPECT_EQ(error.column(), 6U);
  EXPECT_EQ(error.text(), "3 , x\",b");
}

TEST_F(CsvReader, SkippingIsTheFileWithoutTheBadRows) {
  options.on_error = OnError::skip;
  options.inference_rows = 2;
  write("n,c,y\nx\n1,u,a\n2,\"v\"w,z\n3,v,b\n4,w,c\n5,q,b,\n6,x,a\n7,u,a\n");
  const Seen with = read();
  EXPECT_EQ(with.rows, (std::vector<std::uint64_t>{2, 4, 7, 8}));
  EXPECT_EQ(with.rejected, 4U);
  write("n,c,y\n1,u,a\n3,v,b\n6,x,a\n7,u,a\n");
  const Seen without = read();
  EXPECT_EQ(with.schema, without.schema);
  EXPECT_EQ(with.indices, without.indices);
}

// However little of an overlong record is held at once, it ends at the same place.
TEST_F(CsvReader, OverlongRecordsDoNotDependOnTheBlocks) {
  options.on_error = OnError::skip;
  options.line_limit = 20;
  const std::vector<std::string> overlong = {
      "\"open,a\nu,a\nv,a\nw,b\nu,a\nu,b\nv,a\n",
      "\"0123456789\n0123456789\n01234\",a\nu,a\n",
      "0123456789012345,\"x\ny\nz\",a\n",
      "0123456789012345678901234,\"x\ny\nz\",a\nu,b\n",
      "\"0123456789012345678\"\"\"\"\"\"\"\"\n,a\nu,b\n",
      std::string(30, ' ') + "\nu,a\n",
      std::string(30, ' ') + "u,a\nv,b\n",
      std::string(17, 'x') + ",a\r\n" + std::string(18, 'x') + ",a\r\n" + std::string(19, 'x') + ",a\r\n" +
          std::string(20, 'x') + ",a\r\n" + std::string(21, 'x') + ",a\r\n",
  };
  for (const std::string& record : overlong) {
    write("c,y\nu,a\nv,b\n" + record + "v,a\n" + record + "z,b\n");
    options.block_bytes = 1 << 20;
    const Seen whole = read();
    EXPECT_GT(whole.rejected, 0U) << record;
    for (options.block_bytes = 1; options.block_bytes < 150; ++options.block_bytes) {
      ASSERT_EQ(read(), whole) << record << "\nblock of " << options.block_bytes;
    }
  }
}

TEST_F(CsvReader, ASecondPassSeesTheSame) {
  write("n,c,y\n1,u,a\n?,v,b\n3,w,a\n");
  Reader reader(options);
  std::vector<std::uint32_t> first, second;
  for (std::vector<std::uint32_t>* indices : {&first, &second}) {
    reader.read([&](const Block& block) {
      indices->insert(indices->end(), block.index, block.index + block.stored());
      return true;
    });
  }
  EXPECT_EQ(first, (std::vector<std::uint32_t>{0, 1, 2, 3, 0, 4}));
  EXPECT_EQ(first, second);
}

TEST_F(CsvReader, RowNormalisationIsKeptWithAKnownSchema) {
  write("n,m,y\n3,4,a\n1,0,b\n");
  const Schema schema = read().schema;
  options.schema = &schema;
  options.row_normalised = true;
  Reader reader(options);
  EXPECT_TRUE(reader.schema().row_normalised);
  reader.read([&](const Block& block) {
    EXPECT_NEAR(block.squared_norm[0], 1, 1e-12);
    return true;
  });
}

TEST_F(CsvReader, ClassAndRowWeightsMultiply) {
  write("n,w,y\n3,2,a\n1,0.5,b\n");
  options.columns.weight = "w";
  options.labels.class_weights = {{"b", 3}};
  Reader(options).read([&](const Block& block) {
    EXPECT_EQ(block.weight[0], 2);
    EXPECT_EQ(block.weight[1], 1.5);
    return true;
  });
}

}  // namespace

}  // namespace halfspace::stream
