// Headers that are there, headers that are not, and what is said about either.
#include "stream/csv/guess_header.h"

#include <gtest/gtest.h>

#include "csv_driver.h"
#include "halfspace/base/error.h"

namespace halfspace::stream {
namespace {

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
    const HeaderGuess guess = guess_header(text, grammar, MissingNames(usual_missing()), nullptr);
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
  EXPECT_NE(notes[0].text.find("was taken as a row"), std::string::npos) << notes[0].text;
  EXPECT_NE(render_options(notes[0].fix).find("header"), std::string::npos);
  notes.clear();
  options.table.header = true;
  EXPECT_EQ(read_csv("5.1,1\n4.9,0\n", options).rows.size(), 1U);
  EXPECT_TRUE(notes.empty()) << "nothing was guessed";
}

TEST(GuessHeader, SingleQuotesAreNoRowNames) {
  try {
    read_csv("name,size,y\n'Doe, A',1,u\n'Doe, B',2,v\n'Roe, C',3,u\n", {});
    ADD_FAILURE() << "read with a first column that has no name";
  } catch (const Error& error) {
    EXPECT_NE(error.hint().find(option("quote", "single")), std::string::npos) << error.what();
  }
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
    ReadOptions options;
    options.columns.categorical = {"1"};
    EXPECT_EQ(read(options).schema.columns.size(), 3U) << t.what;
  }
}

}  // namespace
}  // namespace halfspace::stream
