// Lines before a table, and lines between its rows that are none: passed over where a flag says so, and named where not.
#include "stream/csv/beginning.h"
#include "stream/csv/table.h"
#include "stream/csv_driver.h"
#include "stream/stream_support.h"
#include "stream/text/text.h"

namespace halfspace::stream {
namespace {

using namespace testing_stream;

const std::string table = "a,b,c,label\n1,2,u,x\n3,4,v,y\n5,6,u,x\n7,8,v,y\n9,1,u,x\n";

// The number of lines that the error proposes to pass over; 0: there is no error, -1: another one.
int proposed(const std::string& text, const ReadOptions& options = {}) {
  const Reading reading = read_text(text, options);
  if (!reading.failed) return 0;
  const std::vector<NamedOption> flags = proposed_options(reading.error.hint());
  return flags.empty() || flags.front().name != "skip-lines" ? -1 : std::stoi(flags.front().value);
}

// Followed, the proposal reads the table that stands behind the lines.
void expect_preamble(const std::string& lines, const std::string& text = table) {
  const auto count = static_cast<int>(std::count(lines.begin(), lines.end(), '\n'));
  SCOPED_TRACE(lines + text);
  EXPECT_EQ(proposed(lines + text), count);
  ReadOptions skip;
  skip.on_error = OnError::skip;
  EXPECT_EQ(proposed(lines + text, skip), count) << "rows set aside make no classes of the words above them";
  ReadOptions options{.table = {.skip_lines = static_cast<std::uint64_t>(count)}};
  const Reading followed = read_good(lines + text, options), expected = read_text(text);
  EXPECT_EQ(followed.rows, expected.rows);
  EXPECT_EQ(followed.schema.labels, expected.schema.labels);
  EXPECT_EQ(followed.schema.columns, expected.schema.columns);
}

TEST(Preamble, IsNamedWithItsLines) {
  expect_preamble("Export of 2026\n");
  expect_preamble("Report\nof the day\n");
  expect_preamble("Export\nby A. Nobody, Berlin\n\nseven columns\n\n");
  expect_preamble("# made by a program\n# version 3\n");
  expect_preamble("a;b;c\nd;e;f\n");
  expect_preamble("\"a quoted\nnote\"\n");
  expect_preamble("a line, with five, values, in, it\n");
  expect_preamble("Title,,,\n");
  expect_preamble("Title,,,\n,,,\nby me,2026,,\n");
  expect_preamble("1,1,2,2\n");
  expect_preamble("1,2,3,\n");
  std::string long_one;
  for (int i = 0; i < 30; ++i) long_one += (i % 3 == 0 ? "a word on " : "line ") + std::to_string(i) + "\n";
  expect_preamble(long_one);
  // Parted by something else than the first lines are.
  expect_preamble("Stand: 1, 2, 3\n", "a;b;label\n1;2;x\n3;4;y\n5;6;x\n7;8;y\n");
  expect_preamble("Stand 1\n", "a\tb\tlabel\n1\t2\tx\n3\t4\ty\n5\t6\tx\n7\t8\ty\n");
  expect_preamble("note;;\n", "a;b;label\n1,5;2;x\n3,5;4;y\n5,5;6;x\n7;8;y\n");
  // Lines among the rows that look like comments are proposed to be some.
  const Reading commented = read_text("Title\n" + table.substr(0, 20) + "# noon\n" + table.substr(20));
  ASSERT_TRUE(commented.failed);
  EXPECT_EQ(proposed_options(commented.error.hint()),
            (std::vector<NamedOption>{{"skip-lines", "1"}, {"comment", "#"}}));
  // A bad row among the first hides no table, nor does a comma in the line above it.
  std::string bad = "day;use;eur;label\n";
  for (int i = 0; i < 20; ++i)
    bad += i == 8 ? "1.2.25;2.647,74\n" : "1.2.25;a use;-" + std::to_string(i) + ",98;" + (i % 2 == 0 ? "x\n" : "y\n");
  for (const std::string before : {"Export;1.2.25\n\nowner;me\n", "owner;me\n\nAll of these, but not those.\n\n"}) {
    const auto lines = static_cast<int>(std::count(before.begin(), before.end(), '\n'));
    ReadOptions skip;
    skip.on_error = OnError::skip;
    EXPECT_EQ(proposed(before + bad), lines) << before;
    skip.table.skip_lines = static_cast<std::uint64_t>(lines);
    EXPECT_EQ(read_text(before + bad, skip).report.rows, 19U) << before;
  }
  EXPECT_EQ(proposed("\n" + bad), -1) << "a bad row makes no line of the table one before it";
  // Without a header.
  expect_preamble("Title\n\n", "1,2,3,x\n3,4,5,y\n5,6,7,x\n7,8,9,y\n");
}

TEST(Preamble, IsNotSeenWhereThereIsNone) {
  EXPECT_EQ(proposed(table), 0);
  EXPECT_EQ(proposed("a,b,c,\n1,2,u,x\n3,4,v,y\n5,6,u,x\n"), 0);
  EXPECT_EQ(proposed("a,b,c,label,,\n1,2,u,x,,\n3,4,v,y,,\n5,6,u,x,,\n"), 0);
  EXPECT_EQ(proposed("a,b,c\nr1,1,2,x\nr2,3,4,y\nr3,5,6,x\n"), 0) << "R's tables";
  EXPECT_EQ(proposed("1,1,1,x\n1,2,2,y\n2,2,3,x\n3,1,2,y\n"), 0) << "rows of small numbers";
  EXPECT_EQ(proposed("u,v,x\nw,v,y\nu,w,x\nw,w,y\n"), 0) << "texts alone";
  EXPECT_EQ(proposed("a,b,label\nlow,high,x\n1,2,y\n3,4,x\n5,6,y\n"), 1) << "two lines of names";
  EXPECT_EQ(proposed("a,b,label\nlow,low,x\n1,2,y\n3,4,x\n5,6,y\n"), 0);
  EXPECT_EQ(proposed("x\ny\nx\ny\n"), -1) << "no row has a feature, and no line to skip would help";
  // A row that is bad is no preamble of those below it.
  ReadOptions skip;
  skip.on_error = OnError::skip;
  EXPECT_EQ(proposed("a,b,label\n1,2,x\n3,4\n5,6,x\n7,8,y\n9,1,x\n", skip), 0);
  EXPECT_EQ(proposed("1,2,x\n3,4\n5,6,x\n7,8,y\n9,1,x\n", skip), 0);
  // Who says where the table begins is believed.
  ReadOptions zero{.on_error = OnError::skip, .table = {.skip_lines = 0}};
  EXPECT_EQ(proposed("Title,,,\n" + table, zero), 0);
}

TEST(Preamble, TellsTwoLinesOfNames) {
  const Reading reading = read_text("a,b,label\nm,kg,x\n1,2,y\n3,4,x\n5,6,y\n");
  EXPECT_TRUE(has(reading.error.message(), "line 2"));
  EXPECT_TRUE(has(reading.error.hint(), option("skip-lines", "0")));
}

// A header of numbers that come twice is told from a row, and the way out reads the rows.
TEST(Preamble, EqualNamesArePassedOver) {
  const std::string rows = "0.5,3,4,2,x\n1.5,2,4,3,y\n2.5,3,1,2,x\n0.5,2,4,1,y\n";
  for (const std::string header : {"1,1,2,2,3\n", "1,1,2,2,\n1,1,2,3,4\n", "a,a,b,c,d\n"}) {
    if (header.find('\n') + 1 != header.size()) continue;
    ReadOptions options;
    const Reading reading = read_text(header + rows, options);
    ASSERT_TRUE(reading.failed) << header;
    EXPECT_EQ(proposed_options(reading.error.hint()),
              (std::vector<NamedOption>{{"skip-lines", "1"}, {"no-header", ""}}))
        << reading.error.what();
    options.table.skip_lines = 1;
    options.table.header = false;
    EXPECT_EQ(read_text(header + rows, options).report.rows, 4U);
  }
  // The numbers of a table without names, as programs write them.
  const Reading counted = read_good("0,1,2,3,4\n" + rows);
  EXPECT_EQ(counted.report.rows, 4U);
  EXPECT_EQ(counted.schema.columns[0].name, "0");
}

// Rows, features and classes are those of the table alone, and lines are those of the file.
TEST(SkipLines, ReadsTheTableBehindThem) {
  std::mt19937_64 random(9);
  const Names junk = {"", "x", "a,b", "\"open", "1,2,u,x", ",,,", "\xff\xfe", "# no"};
  for (int round = 0; round < 200; ++round) {
    std::string rows = round % 3 == 0 ? "" : "a,b,c,label\n";
    for (int row = 0; row < 12; ++row) {
      rows += std::to_string(random() % 9) + "," + (random() % 5 == 0 ? "" : std::to_string(random() % 9)) + ",\"u\n" +
              std::to_string(random() % 3) + "\"," + (row % 2 == 0 ? "x" : "y") +
              (random() % 8 == 0 ? ",more\n" : "\n");
    }
    std::string before;
    const std::uint64_t lines = random() % 6;
    for (std::uint64_t i = 0; i < lines; ++i) before += junk[random() % junk.size()] + "\n";
    ReadOptions options{.table = {.skip_lines = 0, .header = round % 3 != 0}};
    CsvResult expected = read_csv(rows, options);
    options.table.skip_lines = lines;
    for (const std::size_t chunk : {std::size_t{1}, std::size_t{30}, std::size_t{4000}}) {
      CsvResult found = read_csv(before + rows, options, chunk);
      EXPECT_EQ(found.schema.skip_lines, lines);
      EXPECT_EQ(found.lines, expected.lines + lines);
      ASSERT_EQ(found.rows.size(), expected.rows.size()) << before << rows;
      for (CsvRow& row : found.rows) row.line -= lines;
      EXPECT_EQ(found.rows, expected.rows) << before << rows;
      ASSERT_EQ(found.bad.size(), expected.bad.size());
      EXPECT_TRUE(std::equal(found.bad.begin(), found.bad.end(), expected.bad.begin(),
                             [&](const CsvBad& a, const CsvBad& b) { return a.line == b.line + lines; }));
      found.schema.skip_lines = 0;
      EXPECT_EQ(found.schema, expected.schema);
    }
  }
}

TEST(SkipLines, PassesOverThemInEachFile) {
  const Folder folder;
  ReadOptions options{.path = folder.write("one.csv", "note\n\n" + table),
                      .more = {folder.write("two.csv", "\xef\xbb\xbfother note, longer\n\"\n" + table + "bad,row\n")},
                      .table = {.skip_lines = 2}};
  const Reading reading = read_all(options);
  EXPECT_EQ(reading.error.file(), options.more[0]);
  EXPECT_EQ(reading.error.line(), 9U);
  options.on_error = OnError::skip;
  EXPECT_EQ(read_all(options).report.rows, 10U);
  // A header that is not the first's, by its line of the file.
  options.more = {folder.write("three.csv", "note\n\na,b,d,label\n1,2,u,x\n")};
  EXPECT_EQ(read_all(options).error.line(), 3U);
  // Fewer lines than are passed over, and none at all.
  options.more = {folder.write("four.csv", "note\n")};
  EXPECT_EQ(read_all(options).report.rows, 5U);
  options.path = folder.write("short.csv", "note\n");
  options.more.clear();
  EXPECT_TRUE(read_all(options).failed);
}

TEST(SkipLines, DataForAModelHaveAsManyOrNone) {
  ReadOptions options{.table = {.skip_lines = 2}};
  const Schema named = read_text("note\nnote\n" + table, options).schema;
  EXPECT_EQ(named.skip_lines, 2U);
  Names notes;
  ReadOptions later{.on_note = [&](const ReadNote& note) { notes.push_back(note.text); }, .schema = &named};
  EXPECT_EQ(read_text("other\nlines\n" + table, later).report.rows, 5U);
  EXPECT_EQ(notes, Names());
  EXPECT_EQ(read_text(table, later).report.rows, 5U);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_TRUE(has(notes[0], "begins with the first line"));
  // Without names a row may be meant.
  const std::string rows = table.substr(table.find('\n') + 1);
  options.table.header = false;
  const Schema nameless = read_text("note\nnote\n" + rows, options).schema;
  later.schema = &nameless;
  EXPECT_EQ(read_text("other\nlines\n" + rows, later).report.rows, 5U);
  const Reading unsure = read_text(rows, later);
  ASSERT_TRUE(unsure.failed);
  EXPECT_EQ(proposed_options(unsure.error.hint()), (std::vector<NamedOption>{{"skip-lines", "0"}}));
  later.table.skip_lines = 0;
  EXPECT_EQ(read_text(rows, later).report.rows, 5U);
}

// A comment between any two records changes nothing but the numbers of lines.
TEST(Comments, AreNoRows) {
  std::mt19937_64 random(4);
  const Names comments = {"#", "# one, two, three, four", "#\"open, \"quote", " %x", "%,\"a\"\"", "#1,2,u,x", "\t#"};
  for (int round = 0; round < 200; ++round) {
    std::string plain, with;
    for (int row = -1; row < 12; ++row) {
      while (random() % 3 == 0) with += comments[random() % comments.size()] + (random() % 2 == 0 ? "\n" : "\r\n");
      const std::string record =
          row < 0 ? "a,b,c,label\n"
                  : std::to_string(random() % 9) + "," + (random() % 3 == 0 ? "\"#\n%\"" : "x#") + "," +
                        (random() % 7 == 0 ? "\"odd\" text" : "u") + (row % 2 == 0 ? ",x\n" : ",y\n");
      plain += record;
      with += record;
    }
    if (round % 2 == 0) with += "# the end";
    ReadOptions options{.table = {.skip_lines = 0, .comment = "#%"}};
    const CsvResult expected = read_csv(plain, options);
    for (const std::size_t chunk : {std::size_t{1}, std::size_t{25}, std::size_t{4000}}) {
      const CsvResult found = read_csv(with, options, chunk);
      EXPECT_EQ(found.schema, expected.schema);
      ASSERT_EQ(found.rows.size(), expected.rows.size()) << with;
      for (std::size_t i = 0; i < found.rows.size(); ++i) {
        EXPECT_EQ(found.rows[i].values, expected.rows[i].values) << with;
        EXPECT_EQ(found.rows[i].row, expected.rows[i].row);
        const std::string line(stream::line_at(with, found.rows[i].line));
        EXPECT_EQ(line, stream::line_at(plain, expected.rows[i].line)) << "errors name the line of the file";
      }
      EXPECT_EQ(found.bad.size(), expected.bad.size());
    }
  }
}

TEST(Comments, HaveMarksThatNoValueBeginsWith) {
  ReadOptions options;
  for (const char* marks : {"a", "1", "-", "\"", ",", ".", " ", "#,"}) {
    options.table.comment = marks;
    EXPECT_THROW(read_csv(table, options), Error) << marks;
  }
  options.table.comment = "%#%";
  EXPECT_EQ(read_csv(table, options).schema.comment, "#%");
  options.table.comment = "";
  EXPECT_EQ(read_csv(table, options).schema.comment, "");
  // A line that is too long is a bad row, whatever it begins with.
  options.table.comment = "#";
  options.line_limit = 40;
  const std::string text = table + "#" + std::string(60, 'x') + "\n1,2,u,x\n";
  for (const std::size_t chunk : {std::size_t{1}, std::size_t{4000}}) {
    const CsvResult found = read_csv(text, options, chunk);
    EXPECT_EQ(found.rows.size(), 6U);
    EXPECT_EQ(found.bad.size(), 1U);
  }
}

// A line among the rows that has too few fields and begins as comments do is told how to be one.
TEST(Comments, AreNamedByARowThatLooksLikeOne) {
  ReadOptions options{.table = {.skip_lines = 0}};
  const CsvResult found = read_csv(table + "# the next day\n1,2,u,x\n", options);
  ASSERT_EQ(found.bad.size(), 1U);
  EXPECT_EQ(proposed_options(found.bad.begin()->hint), (std::vector<NamedOption>{{"comment", "#"}}));
  options.table.comment = "#";
  EXPECT_EQ(read_csv(table + "# the next day\n1,2,u,x\n", options).bad.size(), 0U);
}

TEST(Comments, AreRememberedByAModel) {
  const Schema schema = read_csv(table, {.table = {.comment = "#"}}).schema;
  ReadOptions later{.schema = &schema};
  EXPECT_EQ(read_csv("# new\n" + table + "# end\n", later).bad.size(), 0U);
  later.table.comment = "";
  later.table.skip_lines = 0;
  EXPECT_EQ(read_csv(table + "# end\n", later).bad.size(), 1U);
}

// Tables of experts and bandits are cut by the same code.
TEST(TableBeginning, OfExpertsIsTheSame) {
  const Folder folder;
  TableFileOptions options;
  options.path = folder.write("t.csv", "A report\nof losses\na,b\n1,0\n# noon\n0,1\n\"1\",x\n0,0\n");
  EXPECT_EQ(proposed_options(error_from([&] { TableReader{options}; }).hint()),
            (std::vector<NamedOption>{{"skip-lines", "2"}, {"comment", "#"}}));
  options.table.skip_lines = 2;
  options.table.comment = "#";
  TableReader reader(options);
  EXPECT_EQ(reader.columns(), (Names{"a", "b"}));
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.number(0), 1);
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.number(1), 1);
  EXPECT_EQ(reader.row(), 2U);
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(error_from([&] { reader.number(1); }).line(), 7U);
  // More lines than the first look takes.
  std::string many;
  for (int i = 0; i < 200'000; ++i) many += "line " + std::to_string(i) + "\n";
  options.path = folder.write("many.csv", many + "a,b\n1,0\n0,1\n");
  options.table.skip_lines = 200'000;
  TableReader late(options);
  ASSERT_TRUE(late.next());
  EXPECT_EQ(late.error(0, "r", "f").line(), 200'002U);
  options.table.skip_lines = 300'000;
  EXPECT_THROW(TableReader{options}, Error);
}

TEST(Preamble, ALineThatDeclaresTheDelimiterIsObeyed) {
  const std::string semicolons = "a;b;c\n1,5;2;x\n3,5;4;y\n5,5;6;x\n";
  const Reading expected = read_text(semicolons, {.table = {.delimiter = ';'}});
  for (const std::string line : {"sep=;\n", "sep=;\r\n", "\"sep=;\"\n", "sep=;;;\n", "\xef\xbb\xbfsep=;\n"}) {
    const Reading found = read_text(line + semicolons);
    ASSERT_FALSE(found.failed) << line << found.error.what();
    EXPECT_EQ(found.rows, expected.rows) << line;
    EXPECT_EQ(found.schema.columns, expected.schema.columns) << line;
    EXPECT_EQ(found.schema.skip_lines, 1U);
  }
  EXPECT_EQ(read_text("sep=,x\na,b\n1,2\n3,4\n").schema.skip_lines, 0U);
}

// Headers that are there, headers that are not, and what is said about either.

struct HeaderCase {
  const char *what, *text;
  bool header, said;  // `said`: the user is told what was decided
};

constexpr HeaderCase cases[] = {
    {"names over numbers", "a,b,y\n1,2,0\n3,4,1\n", true, false},
    {"names over numbers and texts", "a,b,y\n1,x,no\n3,x,yes\n", true, false},
    {"a name over one column of numbers is enough", "a,b,y\nx,2,no\nz,4,yes\n", true, false},
    {"iris as UCI has it", "5.1,3.5,1.4,0.2,Iris-setosa\n4.9,3.0,1.4,0.2,Iris-setosa\n", false, true},
    {"numbers alone", "1,2\n3,4\n", false, true},
    {"a first row with a gap", "?,3.5,x\n4.9,3.0,y\n", false, true},
    {"an odd value in the first row", "n.a.,3.5,7,x\n4.9,3.0,2,y\n4,3.0,2,y\n", false, true},
    {"an odd value below", "a,b,y\n1,2,0\n,oops,1\n2,2,0\n1,1,1\n1,1,1\n1,1,1\n1,1,1\n1,1,1\n1,1,1\n1,1,1\n1,1,0\n",
     true, false},
    {"years beside names", "month,day,1978,1979,1980,1981\nJan,1,,14.5,14.2,14\nJan,2,1,14.6,14.1,13\n", true, true},
    {"years in every row", "a,1978,1979,1980,1981\nb,1979,1980,1981,1982\n", false, true},
    {"a name that is missing", "n.a.,7,8,9,12\nx,4,3,2,1\n", false, true},
    {"years beside a name", "id,name,2001\n1,x,7\n2,z,8\n", true, true},
    {"texts that come again", "p,x,s\ne,x,s\np,b,y\n", false, true},
    {"one text twice", "t,t,f\nf,g,g\n", false, true},
    {"texts that do not", "cap,odor,class\nx,a,e\nb,l,p\n", true, true},
    {"names over decimal commas", "day;use;eur\nMon;rent;1,5\nTue;use;-2,25\n", true, false},
    {"names over dates and amounts", "when;use\n1.2.2025;use\n2.2.2025;rent\n", true, false},
    {"names over times", "at;use\n9:05;use\n13:10;rent\n", true, false},
    {"decimal commas alone", "1,5;x\n2,5;y\n", false, true},
    {"dates over dates", "1.2.2025;x\n1.2.2025;y\n", false, true},
    {"dates over decimal commas", "town;1.2.2025;2.2.2025\na;1,5;2,5\nb;1,5;3\n", true, false},
    {"one line", "1,2,3\n", true, false},
    {"quotes", "\"5.1\";\"a\"\n\"4.9\";\"b\"\n", false, true},
    {"names over marks of missing values", "a,y\n.,no\n.,yes\n4,no\n.,no\n7,yes\n", true, false},
    {"a mark in the first row", ".,no\n.,yes\n4,no\n.,no\n7,yes\n", false, true},
    {"blank lines first", "\n\n5,a\n6,b\n", false, true},
};

TEST(GuessHeader, AsAPersonWould) {
  for (const HeaderCase& c : cases) {
    const std::string_view text = c.text;
    const CsvGrammar grammar{text.find(';') == std::string_view::npos ? ',' : ';', 1000};
    const HeaderGuess guess = guess_header(text, grammar, MissingNames(default_missing()), nullptr);
    EXPECT_EQ(guess.header, c.header) << c.what << ": " << guess.why;
    EXPECT_EQ(!guess.why.empty(), c.said) << c.what << ": " << guess.why;
  }
}

TEST(GuessHeader, AModelsColumnsAreKnownByName) {
  Schema schema;
  schema.columns.resize(2);
  schema.columns[0].name = "2001";
  schema.columns[1].name = "grade";
  EXPECT_TRUE(guess_header("2001,2002\n7,8\n", {',', 1000}, {}, &schema).header);
  EXPECT_FALSE(guess_header("2003,2002\n7,8\n", {',', 1000}, {}, &schema).header);
}

TEST(GuessHeader, NoRowIsLostAndTheUserIsTold) {
  ReadOptions options;
  std::vector<ReadNote> notes;
  options.on_note = [&](const ReadNote& note) { notes.push_back(note); };
  const CsvResult r = read_csv("5.1,1\n4.9,0\n", options);
  EXPECT_EQ(r.rows.size(), 2U);
  EXPECT_FALSE(r.schema.header);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_TRUE(has(notes[0].text, "was taken as a row"));
  EXPECT_TRUE(has(render_options(notes[0].fix), "header"));
  notes.clear();
  options.table.header = true;
  EXPECT_EQ(read_csv("5.1,1\n4.9,0\n", options).rows.size(), 1U);
  EXPECT_TRUE(notes.empty()) << "nothing was guessed";
}

TEST(GuessHeader, SingleQuotesAreNoRowNames) {
  const Error error = csv_error("name,size,y\n'Doe, A',1,u\n'Doe, B',2,v\n'Roe, C',3,u\n");
  EXPECT_TRUE(has(error.hint(), option("quote", "single")));
}

TEST(GuessHeader, RowNamesAreDistinctAndNoMeasurements) {
  const struct {
    const char *what, *text, *why;
  } tables[] = {
      {"names", "v w\na 1 2\nb 3 4\nc 5 6\n", ""},
      {"counted", "v,w\n1,1.5,x\n2,1.5,y\n3,2,x\n", ""},
      {"some of counted rows", "v,w\n4,1.5,x\n9,1.5,y\n12,2,x\n", ""},
      {"quoted", "v,w\n\"12\",1.5,x\n\"9\",1.5,y\n\"4\",2,x\n", ""},
      {"a bad row", "v,w\na,1,2\nb,1,2\nc,1,2\nd,1\ne,1,2\nf,1,2\n", ""},
      {"repeated", "v,w\nx,1,2\ny,3,4\nx,5,6\n", "'x' is repeated there"},
      {"measurements", "v,w\n5.1,1,2\n4.9,3,4\n6.0,5,6\n", "it holds numbers such as '5.1'"},
      {"whole measurements", "v,w\n34,1,2\n59,3,4\n26,5,6\n", "it holds numbers such as '34'"},
  };
  for (const auto& t : tables) {
    const CsvGrammar grammar{std::string_view(t.text)[1] == ' ' ? ' ' : ',', 1000};
    EXPECT_TRUE(header_lacks_a_name(t.text, grammar)) << t.what;
    EXPECT_EQ(why_first_column_is_data(t.text, grammar), t.why) << t.what;
    if (std::string_view(t.why).empty()) continue;
    const auto read = [&](const ReadOptions& options) { return read_csv(t.text, options); };
    EXPECT_THROW(read({}), Error) << t.what;
    EXPECT_EQ(read({.columns = {.categorical = {"1"}}}).schema.columns.size(), 3U) << t.what;
  }
}

}  // namespace

}  // namespace halfspace::stream
