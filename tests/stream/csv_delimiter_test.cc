// What parts the values of a table, and the marks in its numbers: told, and named.

#include "stream/csv/beginning.h"
#include "stream/csv/problems.h"
#include "stream/csv_driver.h"
#include "stream/foreign/foreign.h"
#include "stream/formats/recognise.h"
#include "stream/text/number.h"

namespace halfspace::stream {
namespace {

using namespace testing_stream;
char told_delimiter(const std::string& text, char decimal = '.') {
  ReadOptions options;
  if (decimal != '.') options.table.decimal = decimal;
  return guess_grammar(text, true, options).delimiter;
}

std::string repeated(const std::string& line, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += line;
  return text;
}

TEST(CsvDelimiter, IsToldByTheFirstRecords) {
  EXPECT_EQ(told_delimiter("a,b,y\n1,2,x\n"), ',');
  EXPECT_EQ(told_delimiter("a;b;y\n1;2;x\n"), ';');
  EXPECT_EQ(told_delimiter("a\tb\ty\n1\t2\tx\n"), '\t');
  EXPECT_EQ(told_delimiter("a|b|y\n1|2|x\n"), '|');
  EXPECT_EQ(told_delimiter("a b y\n1 2 x\n3 4 y\n"), ' ');
  EXPECT_EQ(told_delimiter("  5.1  3.5   x\n 14.9 13.0   y\n"), ' ');
  EXPECT_EQ(told_delimiter("18.0  8\t\"a car\"\r\n 9.0 10\t\"b\"\r\n"), ' ');
  EXPECT_EQ(told_delimiter("a b\tc\n1 2\t3\n"), '\t');
  EXPECT_EQ(told_delimiter("1\t2\tx\n3\t\t4\ty\n5\t6\tx\n"), ' ') << "runs of tabs are runs of blanks";
  // Ten lines of as many words, a number among them.
  EXPECT_EQ(told_delimiter(repeated("A11 6 A34 A43\n", 10)), ' ');
  EXPECT_EQ(told_delimiter(repeated("New York City\n", 10)), ',');
  EXPECT_EQ(told_delimiter("free text here\nand more text\n"), ',');
  // Decimal commas are no delimiters, nor are those in texts of an even table; a comma in every place is one.
  EXPECT_EQ(told_delimiter("5,1;3,5;x\n4,9;3,0;y\n"), ';');
  EXPECT_EQ(told_delimiter("5,1;3;x\n4;3,0;y\n"), ';');
  EXPECT_EQ(told_delimiter("5,1\t3,5\tx\n4,9\t3,0\ty\n"), '\t');
  EXPECT_EQ(told_delimiter("5,1 3,5 0\n4,9 3,0 1\n"), ' ');
  EXPECT_EQ(told_delimiter("\"Doe, J\";1;x\nplain, text;2;y\nnone;3;x\n"), ';');
  EXPECT_EQ(told_delimiter("a;b,c\nd;e,f\n"), ',');
  EXPECT_EQ(told_delimiter("step s(1,1) s(2,1)\n1 0.5 2\n2 0.7 3\n"), ' ') << "commas in names of columns";
  EXPECT_EQ(told_delimiter("a, b,c\nx, y 3\nx, y,5\n"), ',');
  // A bad row among them is one.
  EXPECT_EQ(told_delimiter("1;u;-5,1;x\n2;v;3,5;y\n3;2.100,5\n4;u;1,5;x\n5;u;2,5;y\n"), ';');
  EXPECT_EQ(told_delimiter("1;2,u;x\n2;2,v;y\n3,2\n4;5,u;x\n5;4,u;y\n"), ',');
  EXPECT_EQ(told_delimiter("1,2 3,x\n4,5 6,y\n"), ',');
  EXPECT_EQ(told_delimiter("a b c\n", ','), ';') << "with decimal commas none parts values";
}

TEST(CsvDelimiter, NamedIsTaken) {
  ReadOptions options;
  for (const char delimiter : {':', '|', ' ', ';', '~'}) {
    options.table.delimiter = delimiter;
    const std::string d(1, delimiter);
    const CsvResult r = read_csv("a" + d + "b" + d + "y\n1" + d + "2,3" + d + "x\n4" + d + "5,6" + d + "z\n", options);
    EXPECT_EQ(r.schema.columns.size(), 3U);
    EXPECT_EQ(r.schema.delimiter, delimiter);
    EXPECT_EQ(r.schema.columns[1].categories, (Names{"2,3", "5,6"}));
  }
  for (const char delimiter : {'a', '0', '.', '-', '"', '\n', '\0'}) {
    options.table.delimiter = delimiter;
    EXPECT_THROW(read_csv("a,y\n1,2\n", options), Error) << delimiter;
  }
}

// Numbers that hold the delimiter are quoted, as spreadsheets write them.
TEST(CsvDelimiter, MayBeTheDecimalMarkToo) {
  const std::string quoted = "c,v,y\nE,\"239,554\",x\nF,12,z\nE,\"-0,5\",x\nG,,z\nF,1.5,x\n";
  for (const bool named : {true, false}) {
    ReadOptions options{.table = {.decimal = ','}};
    if (named) options.table.delimiter = ',';
    options.columns.numeric = {"v"};
    const CsvResult r = read_csv(quoted, options);
    EXPECT_EQ(r.schema.delimiter, ',');
    ASSERT_EQ(r.rows.size(), 4U);
    EXPECT_EQ(r.rows[0].values[1], (std::pair<std::uint32_t, double>{0, 239.554}));
    EXPECT_EQ(r.rows[2].values[1], (std::pair<std::uint32_t, double>{0, -0.5}));
    ASSERT_EQ(r.bad.size(), 1U) << "a point is no mark then";
    // A model remembers both.
    ReadOptions later{.schema = &r.schema};
    EXPECT_EQ(read_csv("c,v,y\nE,\"1,5\",x\n", later).rows[0].values[1].second, 1.5);
    EXPECT_EQ(read_csv("c;v;y\nE;1,5;x\n", later).rows[0].values[1].second, 1.5);
  }
  EXPECT_EQ(told_delimiter("a;b\n1,5;2,5\n", ','), ';');
  EXPECT_EQ(told_delimiter("a,b\n1,5\n2,5\n", ','), ',') << "nothing else parts them";
}

TEST(CsvDelimiter, ThousandsStandInGroupsOfThree) {
  const auto value = [](const std::string& cell, char mark, char decimal = '.') {
    double number = 0;
    const NumberProblem problem = parse_cell(cell, {.delimiter = ';', .decimal = decimal, .thousands = mark}, number);
    return problem == NumberProblem::none ? number : -1e300;
  };
  EXPECT_EQ(value("1,234.5", ','), 1234.5);
  EXPECT_EQ(value("-1,234,567", ','), -1234567);
  EXPECT_EQ(value("+12,345e2", ','), 1234500);
  EXPECT_EQ(value("1.234.567,5", '.', ','), 1234567.5);
  EXPECT_EQ(value("12 345", ' '), 12345);
  EXPECT_EQ(value("12'345.25", '\''), 12345.25);
  for (const char* same : {"1234.5", "7", "-0.25", "1e5"}) EXPECT_EQ(value(same, ','), value(same, '\0')) << same;
  for (const char* none : {"1,23", "1,2345", ",123", "1234,567", "1,234.5,6", "1.5,000", "1,,234", "1,234,", "a,123",
                           "-,123", "1, 234", "0x1,234"})
    EXPECT_EQ(value(none, ','), -1e300) << none;
  ReadOptions options{.table = {.thousands = ','}};
  const CsvResult r = read_csv("v,c,y\n\"1,234.5\",a,x\n2,\"1,234\",z\n\"3,000\",7,x\n", options);
  EXPECT_EQ(r.schema.columns[0].kind, Column::Kind::numeric);
  EXPECT_EQ(r.rows[2].values[0].second, 3000);
  ReadOptions later{.schema = &r.schema};
  EXPECT_EQ(read_csv("v,c,y\n\"1,234.5\",a,x\n", later).rows[0].values[0].second, 1234.5);
  later.table.thousands = '\0';
  EXPECT_EQ(read_csv("v,c,y\n\"1,234.5\",a,x\n", later).bad.size(), 1U);
  for (const char wrong : {'x', ';', '.'}) {
    options.table.thousands = wrong;
    EXPECT_THROW(read_csv("v,y\n1,x\n", options), Error) << wrong;
  }
}

// What double quotes are to a table, single quotes may be.
TEST(CsvDelimiter, QuotesMayBeSingle) {
  const std::string text =
      "'a name',b,y\n'x, y','it''s',u\n\"z,1.5,v\n 'two\nlines' ,'\"',u\n'z'z,1,v\nz'z,1,v\n1,2,3,u\n";
  ReadOptions options{.table = {.quote = Quote::single_quote}};
  CsvResult expected;
  for (const std::size_t chunk : {std::size_t{1}, std::size_t{10}, text.size()}) {
    const CsvResult r = read_csv(text, options, chunk);
    EXPECT_EQ(r.schema.columns[0].name, "a name");
    EXPECT_EQ(r.schema.columns[0].categories, (Names{"x, y", "\"z", "two\nlines"}));
    EXPECT_EQ(r.schema.columns[1].categories, (Names{"it's", "1.5", "\""}));
    EXPECT_EQ(r.rows.size(), 3U);
    EXPECT_EQ(r.bad.size(), 3U);
    if (chunk == 1) expected = r;
    EXPECT_EQ(r, expected);
  }
  // The same table in double quotes.
  std::string swapped = text;
  for (char& c : swapped) c = c == '"' ? '\'' : c == '\'' ? '"' : c;
  const CsvResult twin = read_csv(swapped, {});
  EXPECT_EQ(twin.rows, expected.rows);
  EXPECT_EQ(twin.bad.size(), expected.bad.size());
  EXPECT_EQ(read_csv("'a name',b,y\n'x, y',1.5,u\n", {.schema = &expected.schema}).rows.size(), 1U);
}

TEST(CsvDelimiter, LinesThatNothingPartsAreRefused) {
  const auto fix = [](const std::string& text) { return csv_error(text).hint(); };
  EXPECT_TRUE(has(fix("first last state\nJohn Smith WA\nMary Ford CA\n"), option("delimiter", "space")));
  EXPECT_TRUE(has(fix("8.1   4.25  no\n17    3.25  yes\n6     3.25  no way\n"), "read_fwf('FILE', header=None)"));
  EXPECT_TRUE(has(fix("John Smith      WA\nMary Ann Ford   CA\nJo              IL\n"), "read_fwf('FILE')"));
  const auto message = [](const std::string& text) { return csv_error(text).message(); };
  EXPECT_TRUE(has(message("a:1:x\nb:2:y\n"), "splits the lines"));
  EXPECT_TRUE(has(message("name first\nr1 1 2 3\nr2 4 5 6\n"), "splits the lines"));
  EXPECT_TRUE(has(message("two words\nor three words\nin each line\n"), "splits the lines"));
  EXPECT_TRUE(has(message("my label\nspam\nham\n"), "no row has a feature"));
  EXPECT_EQ(read_csv("my label\nspam\nham\n", {.table = {.delimiter = ','}}).rows.size(), 2U);
  EXPECT_FALSE(recognise_foreign("5.1 3.5 0\n4.9 3.0 1\n"));
  EXPECT_FALSE(recognise_foreign("5 | 3.5 | x\n4 | 3.0 | y\n"));
  EXPECT_EQ(recognise_text("a|b|c\n1|2|3\n"), DataFormat::csv);
}

TEST(CsvDelimiter, CommasInSingleQuotesNameNoRows) {
  const Reading weka = read_text("kind,name,visits\nx,'Kowalski, Emil',3\ny,'Petrov, Ben',5\nx,'Moreau, Dora',7\n");
  EXPECT_TRUE(has(weka.error.hint(), option("quote", "single")));
}

// A table as R writes it is the table with a name more, whatever parts the values.
TEST(CsvDelimiter, AHeaderMayLackTheNameOfTheFirstColumn) {
  for (const std::string delimiter : {" ", "\t", ",", ";", "|"}) {
    const auto joined = [&](std::string text) {
      for (std::size_t at; (at = text.find('~')) != std::string::npos;) text.replace(at, 1, delimiter);
      return text;
    };
    const std::string rows = "\"Mazda RX4\"~21~6~\"a\"\n\"Fiat\"~32.5~4~\"b\"\n\"Audi\"~20~5~\"a\"\n";
    std::string said;
    ReadOptions options, named;
    options.on_note = [&](const ReadNote& note) { said += note.text; };
    named.columns.identifier = "1";
    named.table.delimiter = delimiter[0];
    const CsvResult lacking = read_csv(joined("\"mpg\"~\"cyl\"~\"kind\"\n" + rows), options);
    EXPECT_TRUE(has(said, "one name fewer"));
    EXPECT_EQ(lacking, read_csv(joined("\"1\"~\"mpg\"~\"cyl\"~\"kind\"\n" + rows), named)) << delimiter;
    EXPECT_EQ(lacking.schema.columns[0].kind, Column::Kind::identifier);
    // Asked for, it is what it is asked to be; data for a model may lack the name or have it.
    ReadOptions asked{.columns = {.categorical = {"1"}}};
    EXPECT_EQ(read_csv(joined("mpg~cyl~kind\n" + rows), asked).schema.columns[0].kind, Column::Kind::categorical);
    ReadOptions later{.schema = &lacking.schema};
    EXPECT_EQ(read_csv(joined("mpg~cyl~kind\n" + rows), later).rows, lacking.rows);
    EXPECT_EQ(read_csv(joined("kind~cyl~mpg\nx~a~5~1\ny~b~6~2\n"), later).rows.size(), 2U);
    const Schema without = read_csv(joined("mpg~cyl~kind\n1~2~a\n3~4~b\n"), {}).schema;
    later.schema = &without;
    EXPECT_EQ(read_csv(joined("mpg~cyl~kind\n" + rows), later).rows, lacking.rows);
  }
  EXPECT_EQ(read_csv("a,b\nx,y,p\nx,z,q\n", {.table = {.header = false}}).bad.size(), 2U);
  // A delimiter at the end of every row is no column.
  EXPECT_THROW(read_csv("a,b,y\n1,2,p,\n3,4,q,\n", {}), Error);
}

TEST(CsvDelimiter, ADecimalCommaIsAPointBetweenDigits) {
  ReadOptions options{.table = {.decimal = ','}};
  const CsvResult r = read_csv("a;b;w;y\n1,5;1.5;0,5;x\n-,5e1;2.5;1;z\n;u;2,0;x\n7;v;1;z\n", [&] {
    ReadOptions weighted = options;
    weighted.columns.weight = "w";
    return weighted;
  }());
  ASSERT_EQ(r.rows.size(), 4U);
  EXPECT_EQ(r.rows[0].values, (Values{{0, 1.5}, {1, 1}}));
  EXPECT_EQ(r.rows[1].values, (Values{{0, -5}, {2, 1}}));
  EXPECT_EQ(r.rows[0].weight, 0.5);
  EXPECT_EQ(r.schema.columns[1].categories, (Names{"1.5", "2.5", "u", "v"}));
  options.columns.numeric = {"a"};
  EXPECT_TRUE(has(read_csv("a;y\n1.5;x\n1,5;z\n", options).bad.begin()->hint, option("decimal", "point")));
  options.table.decimal.reset();
  EXPECT_TRUE(has(read_csv("a;y\n1.5;x\n1,5;z\n", options).bad.begin()->hint, option("decimal", "comma")));
  // A model's mark is that of its data.
  Schema schema = r.schema;
  ReadOptions later{.schema = &schema};
  EXPECT_EQ(read_csv("a;b;w;y\n2,5;1.5;1;x\n", later).rows[0].values, (Values{{0, 2.5}, {1, 1}}));
  const std::string by_commas = "a,b,w,y\n2.5,1.5,1,x\n";
  EXPECT_THROW(read_csv(by_commas, later), Error);
  later.table.decimal = '.';
  EXPECT_EQ(read_csv(by_commas, later).rows[0].values, (Values{{0, 2.5}, {1, 1}}));
}

// A table by commas, and the same one by other marks: cells that are quoted where they must be.
struct Twins {
  explicit Twins(std::mt19937_64& random, bool flaws) {
    const auto below = [&](std::size_t count) { return random() % count; };
    const std::size_t columns = 2 + below(4), rows = 3 + below(40);
    const char* ends[] = {"\n", "\r\n"};
    const Names cells = {"0",   "1",         "-2.5", "3e2",   "1234567.125", "123456789012345678901",
                         "red", "x|y",       "blå",  "?",     "1.2.3",       "-0",
                         "",    "two words", "a;b",  "\ttab", "cr\rx",       "line\nend",
                         "NA",  "a\"\"b"};
    for (std::size_t row = 0; row <= rows; ++row) {
      const auto blanks = [&](std::size_t least) {
        std::string text;
        for (std::size_t n = least + (below(3) == 0 ? below(4) : 0); n > 0; --n) text += below(4) == 0 ? '\t' : ' ';
        return text;
      };
      const std::size_t here = flaws && row > 0 && below(9) == 0 ? columns + 1 - below(3) : columns;
      by_blanks += blanks(0);
      for (std::size_t column = 0; column < here; ++column) {
        std::string cell = row == 0                ? "c" + std::to_string(column)
                           : column + 1 == columns ? std::string(1, "uv"[row % 2])
                           : column % 2 == 0       ? cells[below(6)]
                                                   : cells[below(cells.size())];
        const bool quoted = cell.find_first_of(" \t\n\r,;\"") != std::string::npos || cell.empty() || below(6) == 0;
        if (flaws && row > 0 && !quoted && below(20) == 0) {
          cell += "\"x";
        } else if (quoted) {
          cell = "\"" + cell + "\"";
        }
        by_commas += (column > 0 ? "," : "") + cell;
        by_blanks += (column > 0 ? blanks(1) : "") + cell;
      }
      const char* end = ends[below(2)];
      by_blanks += blanks(0);
      if (row == rows && below(2) == 0) end = "";
      by_commas += end;
      by_blanks += end;
      if (below(8) == 0 && *end != '\0') {
        by_commas += " \n";
        by_blanks += "\t \n";
      }
    }
  }
  std::string by_commas, by_blanks;
};

TEST(CsvDelimiter, RunsOfBlanksAreAsCommas) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 2000; ++round) {
    const Twins twins(random, round % 2 == 1);
    SCOPED_TRACE(twins.by_blanks);
    ReadOptions commas, blanks;
    commas.table.delimiter = ',';
    blanks.table.delimiter = ' ';
    commas.table.header = blanks.table.header = true;
    CsvResult expected;
    try {
      expected = read_csv(twins.by_commas, commas);
    } catch (const Error&) {  // no good row
      EXPECT_THROW(read_csv(twins.by_blanks, blanks), Error);
      continue;
    }
    for (const std::size_t chunk : {std::size_t{1}, 2 + random() % 30, std::size_t{100}, twins.by_blanks.size()}) {
      const CsvResult found = read_csv(twins.by_blanks, blanks, chunk);
      ASSERT_EQ(found.rows, expected.rows) << "chunk " << chunk;
      ASSERT_EQ(found.schema.columns, expected.schema.columns);
      ASSERT_EQ(found.lines, expected.lines);
      ASSERT_EQ(found.bad.size(), expected.bad.size());
      for (auto a = found.bad.begin(), b = expected.bad.begin(); b != expected.bad.end(); ++a, ++b) {
        EXPECT_EQ(a->row, b->row);
        EXPECT_EQ(a->line, b->line);
        EXPECT_EQ(a->reason, b->reason);
      }
    }
  }
}

}  // namespace
}  // namespace halfspace::stream
