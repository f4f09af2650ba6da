// What bad CSV is called, and where it is.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/nearest.h"
#include "halfspace/base/error.h"
#include "stream/csv_driver.h"

namespace halfspace::stream {
namespace {

struct ErrorCase {
  const char* name;
  std::string row;  // the third line of a table whose columns are n, c, w (weight), y (label)
  std::uint64_t column;
  const char* reason;
  std::string hint;
};

std::ostream& operator<<(std::ostream& out, const ErrorCase& c) {
  return out << c.name;
}

class CsvBadRow : public ::testing::TestWithParam<ErrorCase> {};

TEST_P(CsvBadRow, IsNamedAndPlaced) {
  const ErrorCase& c = GetParam();
  ReadOptions options;
  options.columns.weight = "w";
  options.columns.numeric = {"n"};
  options.line_limit = 100;
  const std::string text = "n,c,w,y\r\n1,u,1,a\r\n" + c.row + "\r\n2,v,1,b\r\n";
  for (std::size_t chunk = 1; chunk <= text.size() + 100; chunk += 3) {
    const CsvResult r = read_csv(text, options, chunk);
    ASSERT_EQ(r.bad.size(), 1U);
    const CsvBad& bad = *r.bad.begin();
    EXPECT_EQ(bad.line, 2U);
    EXPECT_EQ(bad.row, 1U);
    EXPECT_EQ(bad.column, c.column) << bad.reason;
    EXPECT_NE(bad.reason.find(c.reason), std::string::npos) << bad.reason;
    EXPECT_NE(bad.hint.find(c.hint), std::string::npos) << bad.hint;
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
  ReadOptions options;
  options.line_limit = 100;
  EXPECT_TRUE(read_csv("c,y\r\n" + std::string(98, 'u') + ",a\r\nv,b\r\n", options).bad.empty());
}

TEST(CsvBadRows, AnUnknownLabelNamesTheKnown) {
  ReadOptions options;
  options.inference_rows = 2;
  const CsvResult r = read_csv("n,y\n1,a\n2,b\n3, c\n4,a\n", options);
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
  ReadOptions options;
  options.inference_rows = 1;
  options.labels.positive = "a";
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

Error error_of(const std::string& text, const ReadOptions& options = {}) {
  try {
    read_csv(text, options);
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no error";
  return {ErrorKind::internal, ""};
}

TEST(CsvErrors, NoData) {
  for (const std::string text : {"", "\n\r\n", "\xEF\xBB\xBF", "a,y\n", "a,y\n\n  \n"}) {
    EXPECT_EQ(error_of(text).kind(), ErrorKind::data) << text;
  }
  EXPECT_NE(error_of("a,y\n").message().find("no data rows"), std::string::npos);
  const Error all_bad = error_of("a,y\n1\n2\n");
  EXPECT_EQ(all_bad.kind(), ErrorKind::data);
  EXPECT_NE(all_bad.message().find("no row can be used; the first: 1 field where 2 are expected"), std::string::npos);
  EXPECT_EQ(all_bad.text(), "1");
}

TEST(CsvErrors, Headers) {
  const auto expect = [](const std::string& header, const char* words, std::uint64_t column) {
    const Error error = error_of("\n" + header + "\n1,2,3\n");
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_NE(error.message().find(words), std::string::npos) << error.message();
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
  ReadOptions options;
  options.columns.label = "clas";
  Error error = error_of("age,class,wage\n1,2,3\n", options);
  EXPECT_EQ(error.kind(), ErrorKind::usage);
  EXPECT_NE(error.message().find(option("label") + ": there is no column 'clas'"), std::string::npos);
  EXPECT_EQ(error.hint(), "did you mean 'class'?");
  options.columns.label.clear();
  for (const char* wanted : {"4", "0", "-1", "1.5", "", "2x"}) {
    options.columns.drop = {wanted};
    error = error_of("age,class,wage\n1,2,3\n", options);
    EXPECT_EQ(error.kind(), ErrorKind::usage) << wanted;
  }
  options.columns.drop = {"something else"};
  EXPECT_EQ(error_of("age,class,wage\n1,2,3\n", options).hint(), "the columns are 'age', 'class', 'wage'");
  options.columns.drop = {"age"};
  options.columns.categorical = {"1"};
  EXPECT_NE(error_of("age,class,wage\n1,2,3\n", options)
                .message()
                .find("cannot be " + option("drop") + " and " + option("categorical")),
            std::string::npos);
  options.columns.categorical.clear();
  options.columns.drop = {"1", "2", "3"};
  EXPECT_NE(error_of("age,class,wage\n1,2,3\n", options).message().find("no column is left"), std::string::npos);
}

TEST(CsvErrors, AnotherEncodingIsTheFirstReason) {
  EXPECT_NE(error_of("c,d,y\ngreen,caf\xe9,a\nred,th\xe9,b\n").message().find("invalid UTF-8 in column 'd'"),
            std::string::npos);
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
  EXPECT_NE(found.find("read as numbers: '02139' in column 'zip'"), std::string::npos) << found;
  EXPECT_NE(found.find(option("categorical", "zip") + " reads codes as categories"), std::string::npos) << found;
  ReadOptions asked, confirmed;
  asked.columns.categorical = {"zip"};
  confirmed.columns.numeric = {"zip"};
  EXPECT_EQ(noted(codes, asked), "");
  EXPECT_EQ(noted(codes, confirmed), "");
  EXPECT_NE(noted("n,c,y\n1,007,a\n2,12345,b\n3,0012,a\n").find("'007' in column 'c'"), std::string::npos);
  EXPECT_NE(noted("b,c,y\n001,007,a\n002,012,b\n003,012,a\n").find("and so on, 2 columns"), std::string::npos);
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
    ReadOptions options;
    options.on_note = [&](const ReadNote& note) { notes += note.text + "; " + note.fix; };
    if (decimal != '\0') options.table.decimal = decimal;
    read_csv(text, options);
    return notes;
  };
  const std::string found = noted("n,y\n1.250,a\n980,b\n640,a\n");
  EXPECT_NE(found.find("points may separate thousands in column 'n': '1.250'"), std::string::npos) << found;
  EXPECT_NE(found.find(option("thousands", "point") + " " + option("decimal", "comma")), std::string::npos) << found;
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
  EXPECT_NE(all.find("points may separate thousands in column 'n': '1.857', and three digits are behind all points"),
            std::string::npos)
      << all;
  EXPECT_NE(all.find(option("thousands", "point")), std::string::npos) << all;
  EXPECT_EQ(fractions(",", "7.012"), "");
  for (const std::string other : {"7.01", "0.012", "1e3", "1250"}) EXPECT_EQ(fractions(";", other), "") << other;
  ReadOptions first;
  first.table.decimal = ',';
  first.columns.numeric = {"x"};
  const CsvResult r = read_csv("x;y\n1.234;a\n2,5;b\n", first);
  ASSERT_EQ(r.bad.size(), 1U);
  EXPECT_NE(r.bad.begin()->hint.find(option("thousands", "point")), std::string::npos) << r.bad.begin()->hint;
}

TEST(CsvErrors, AModelsColumnsHaveNoOptions) {
  const CsvResult learned = read_csv("n,y\n1,a\n2,b\n", {});
  ReadOptions options;
  options.schema = &learned.schema;
  for (const std::string cell : {"red", "inf"}) {
    const CsvResult r = read_csv("n,y\n" + cell + ",a\n1,b\n", options);
    ASSERT_EQ(r.bad.size(), 1U);
    EXPECT_EQ(r.bad.begin()->hint.find(option("categorical", "n")), std::string::npos);
    EXPECT_EQ(r.bad.begin()->hint.find(option("missing", cell)), std::string::npos);
  }
}

TEST(CsvErrors, PositiveMustBeALabel) {
  ReadOptions options;
  options.labels.positive = "c";
  EXPECT_EQ(error_of("n,y\n1,a\n2,b\n", options).kind(), ErrorKind::usage);
}

TEST(Nearest, FindsTheClosest) {
  const std::vector<std::string> known = {"age", "wage", "page", "rage", "income", "label"};
  EXPECT_EQ(nearest("ages", known), (std::vector<std::string>{"age"}));
  EXPECT_EQ(nearest("xage", known), (std::vector<std::string>{"age", "wage", "page"})) << "three at the most";
  EXPECT_EQ(nearest("lable", known), (std::vector<std::string>{"label"})) << "a swap is one edit";
  EXPECT_EQ(nearest("INCOME", known), (std::vector<std::string>{"income"}));
  EXPECT_EQ(nearest("incme", known), (std::vector<std::string>{"income"}));
  EXPECT_TRUE(nearest("height", known).empty());
  EXPECT_TRUE(nearest("zz", known).empty());
  EXPECT_EQ(did_you_mean("wag", known), "did you mean 'wage'?");
  EXPECT_EQ(did_you_mean("lab", std::vector<std::string>{"la", "lb"}), "did you mean 'la' or 'lb'?");
  EXPECT_EQ(did_you_mean("height", known), "");
}

}  // namespace
}  // namespace halfspace::stream
