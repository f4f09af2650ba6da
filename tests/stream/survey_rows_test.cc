// What a survey says of rows that are no data, and of values in notations that are not read.
#include "halfspace/stream/survey.h"
#include "stream/survey_support.h"

namespace halfspace::testing {
namespace {

using namespace testing_survey;

std::string numbers_below(const std::string& header, int rows, int first = 0) {
  std::string text = header;
  for (int i = first; i < first + rows; ++i) {
    text +=
        std::to_string(20 + i * 7 % 41) + "," + std::to_string(1000 + i * 37 % 977) + (i % 3 == 0 ? ",no\n" : ",yes\n");
  }
  return text;
}

TEST(SurveyRows, HeadersOfFilesPutTogether) {
  const std::string header = "age,income,outcome\n";
  const std::string first = numbers_below(header, 30);
  const std::string same = said_of(first + numbers_below(header, 20, 30) + numbers_below(header, 10, 50));
  expect_said(same, "! 2 rows, the first row 31, hold the names of the columns",
              "NR == 1 { h = l } NR <= 1 || l != h'");
  const std::string other_case = said_of(first + numbers_below("Age,Income,Outcome\n", 20, 30));
  expect_said(other_case, "! row 31 holds the names of the columns, as the header line", "awk '");
  const std::string other_order = said_of(first + numbers_below("income,age,outcome\n", 20, 30));
  expect_said(other_order, "! row 31 holds the names of the columns in another order", "csv.DictReader");
  for (const std::string* const said : {&same, &other_case, &other_order}) {
    EXPECT_EQ(said->find("\x1Fmissing"), std::string::npos) << *said;
  }
  // A name of a column is a value of another one.
  EXPECT_EQ(said_of(table_of(
                60, "p,q,kind,label\n", [](int i) { return i % 2 == 0 ? "p" : "kind"; }, a_or_b)),
            "");
}

TEST(SurveyRows, ALateHeaderIsNamed) {
  ReadOptions options{.columns = {.numeric = {"age", "income"}}};
  const std::string header = "age,income,outcome\n";
  const testing_stream::Folder folder;
  options.path = folder.write("table.csv", numbers_below(header, 30) + numbers_below(header, 5));
  options.on_error = OnError::stop;
  const Error error = testing_stream::read_all(options).error;
  EXPECT_TRUE(has(error.message(), "'age' in column 'age' is the name of the column"));
  EXPECT_TRUE(has(error.hint(), "awk '"));
}

TEST(SurveyRows, RowsWithinOneQuotedValue) {
  const std::string rows = "61,ok,no\n33,ok,yes\n52,fine,no\n";
  const std::string table = "age,note,outcome\n61,ok,yes\n38,\"Hello,no\n50,ok,yes\n47,world\",yes\n" + rows;
  expect_said(said_of(table), "! row 2 is one quoted value from line 3 to line 5", option("quote", "none"));
  // Where another value needs its quotes, or the lines are no rows, the quotes are meant.
  const std::string good[] = {table + "38,\"one, two\",no\n",
                              "age,note,outcome\n38,\"Dear sir,\nyou, too\",yes\n" + rows,
                              "note,outcome\n\"Dear sir, hello\nbye\",yes\nok,no\nfine,yes\n"};
  for (const std::string& one : good) EXPECT_EQ(said_of(one).find("one quoted value"), std::string::npos) << one;
}

TEST(SurveyRows, Totals) {
  const auto with = [](const std::string& region, const std::string& outcome) {
    std::string text = "region,sales,outcome\n";
    for (int i = 0; i < 60; ++i)
      text += std::string(1, "NSEW"[i % 4]) + "," + std::to_string(i % 9) + (i % 3 == 0 ? ",no\n" : ",yes\n");
    return text + region + ",99," + outcome + "\n";
  };
  expect_said(said_of(with("Grand Total", "no")), "! 1 value of the column 'region' (row 61): 'Grand Total'",
              "grep -vE '^[[:blank:]]*\"?(Grand Total)\"?[[:space:]]*[,]' FILE");
  expect_said(said_of(with("N", "no Total")), "! 1 value of the column 'outcome' (row 61): 'no Total'",
              "(no Total)\"?[[:space:]]*$' FILE");
  for (const auto& [region, outcome] :
       std::vector<std::pair<std::string, std::string>>{{"Big Total", "no"}, {"N", "no"}})
    EXPECT_TRUE(lacks(said_of(with(region, outcome)), "total")) << region;
  // Years above a total are no numbers with a mark of missing values.
  std::string years = "year,sales,outcome\n";
  for (int i = 0; i < 40; ++i)
    years += std::to_string(1990 + i % 9) + "," + std::to_string(i % 7) + (i % 3 == 0 ? ",no\n" : ",yes\n");
  const std::string said = said_of(years + "Total,150,yes\n");
  expect_said(said, "! 1 value of the column 'year' (row 41): 'Total'", "grep");
  EXPECT_TRUE(lacks(said, option("missing", "Total")));
}

TEST(SurveyRows, DatesThatAreNotRead) {
  struct Case {
    const char *before, *behind;  // of the day
  };
  for (const Case& one :
       {Case{"", "APR2024"}, Case{"", "apr2024:10:00:00"}, Case{"", "-APR-2024 10:00:00"},
        Case{"2024-04-", " 10:00:00 UTC"}, Case{"2024-04-", "T10:00:00+01:00[Europe/Berlin]"},
        Case{"\"Mon, ", " Apr 2024 10:00:00 GMT\""}, Case{"Mon Apr ", " 10:00:00 UTC 2024"}, Case{"2024年4月", "日"}}) {
    const auto day = [&](int i) { return one.before + std::to_string(10 + i % 20) + one.behind; };
    const std::string said = said_of(table_of(60, "p,q,at,label\n", day, a_or_b));
    expect_said(said, "! the column 'at' looks like dates, written otherwise than they are read", option("drop", "at"));
    EXPECT_TRUE(lacks(said, option("id", "at")));
  }
  const auto quarter = [](int i) { return std::to_string(1990 + i % 20) + "Q" + std::to_string(1 + i % 4); };
  expect_said(said_of(table_of(60, "p,q,at,label\n", quarter, a_or_b)), "! the column 'at' looks like dates",
              option("drop", "at"));
  for (const std::string prefix : {"A4Q", "mon ", "x:10:00 ", "5Q"}) {
    const auto code = [&](int i) { return prefix + std::to_string(10 + i % 5); };
    EXPECT_TRUE(lacks(said_of(table_of(60, "p,q,at,label\n", code, a_or_b)), "dates")) << prefix;
  }
}

TEST(SurveyRows, GroupsOfTwoDigits) {
  const auto rupees = [](int i) {
    return "\"" + std::to_string(2 + i % 7) + "," + std::to_string(10 + i) + "," + std::to_string(600 + i) + "\"";
  };
  const std::string said = said_of(table_of(60, "p,q,pay,label\n", rupees, a_or_b));
  expect_said(said, "! the column 'pay' has numbers with groups of two digits between commas", "$3=~tr/,//dr");
  EXPECT_TRUE(lacks(said, option("id", "pay")));
}

TEST(SurveyRows, FractionsAreNoThousands) {
  std::string table = "price;share;label\n";
  for (int i = 0; i < 40; ++i)
    table += "1." + std::to_string(101 + i * 9) + ";0," + std::to_string(123 + i * 7) + (i % 2 == 0 ? ";x\n" : ";y\n");
  const std::string said = said_of(table);
  expect_said(said, "! the column 'share' has numbers with a decimal comma",
              option("thousands", "point") + " " + option("decimal", "comma"));
  EXPECT_TRUE(lacks(said, option("thousands", "comma")));
}

TEST(SurveyRows, NoFixLeavesNoFeatures) {
  std::string texts = "", constants = "a,b,label\n";
  for (int i = 0; i < 40; ++i) {
    texts +=
        "{\"prompt\":\"mend the door " + std::to_string(i) + "\",\"label\":\"" + (i % 2 == 0 ? "x\"}\n" : "y\"}\n");
    constants += std::to_string(i) + ",7," + (i % 2 == 0 ? "x\n" : "y\n");
  }
  const std::string of_texts = said_of(texts), of_constants = said_of(constants);
  expect_said(of_texts, "the column 'prompt' has texts of several words",
              "jq -rn '[\"prompt\", \"label\"], (inputs | [.\"prompt\", .\"label\"]) | @csv' FILE");
  expect_said(of_constants, "the column 'a' counts the rows", "there is nothing else to learn from");
  expect_said(of_constants, "the column 'b' is the same in every row", "there is nothing else to learn from");
  for (const std::string& said : {of_texts, of_constants}) {
    for (const char* const flag : {"drop", "id", "text"})
      EXPECT_TRUE(lacks(said, std::string("\x1F") + flag + "\x1F" + "p"));
  }
}

TEST(SurveyRows, PlusWithoutMinus) {
  const auto strand = [](int i) { return i % 3 == 0 ? "+" : "-"; };
  expect_said(said_of(table_of(60, "p,q,strand,label\n", strand, a_or_b)),
              "! the column 'strand' has '+', and '-' is read as missing there", "\x1Fmissing-only");
}

TEST(SurveyRows, MarksOfProgramsAreNoCategories) {
  const auto kind = [](int i) { return i % 7 == 3 ? "<undefined>" : i % 2 == 0 ? "red" : "blue"; };
  expect_said(said_of(table_of(60, "p,q,kind,label\n", kind, a_or_b)),
              "! a mark of missing values is a category: <undefined> in 9 rows of 'kind'",
              option("missing", "<undefined>"));
  const auto word = [](int i) { return i % 7 == 3 ? "undefined" : i % 2 == 0 ? "red" : "blue"; };
  EXPECT_EQ(said_of(table_of(60, "p,q,kind,label\n", word, a_or_b)), "");
}

// What a survey says of few numbers in another notation, among plain ones.

// A table whose column r holds plain numbers below 250, but `cell` in two rows.
std::string said_of_few(const std::string& cell, const std::string& fraction = "") {
  return said_of(table_of(
      200, "p,q,r,label\n", [&](int i) { return i == 90 || i == 120 ? cell : std::to_string(i * 7 % 250) + fraction; },
      a_or_b));
}

TEST(SurveyOfFew, NumbersInAnotherNotationAreNamed) {
  const std::string where = ": 2 of 200 values of 'r', the first in row 91: ";
  const auto expect_few = [&](const std::string& cell, const std::string& words, const std::string& fix,
                              const std::string& fraction = "") {
    const std::string said = said_of_few(cell, fraction);
    expect_said(said, "! the column 'r' has numbers " + words, fix);
    EXPECT_TRUE(has(said, where));
    EXPECT_TRUE(lacks(said, option("missing"), option("on-error", "skip")));
  };
  const std::string thousands = "with marks between thousands", odd = "with signs or blanks";
  expect_few("\"1,564\"", thousands, option("thousands", "comma"));
  expect_few("\"6,466.64\"", thousands, option("thousands", "comma"));
  expect_few("\"1,564\"", thousands, option("thousands", "comma"), ".5");
  expect_few("\"1,564\"", thousands, option("thousands", "comma"), "000");
  expect_few("\"2,5\"", "with a decimal comma", option("decimal", "comma"));
  expect_few("$100.25", "with a unit, such as '$'", "{for ($x) {s/\\$");
  expect_few("38.6 %", "with '%' and others without", "convert them to one unit");
  expect_few("(45)", odd, "if (++$c==3)");
  expect_few("5\u00a0", odd, "if (++$c==3)");
  expect_few("5-", "with the minus sign behind them", "perl");
}

TEST(SurveyOfFew, UnitsTakeTheSignAlong) {
  const std::string unit = "! the column 'r' has numbers with a unit, such as ";
  const std::string minus = "s/(−|–) *([0-9.])/-\\2/g", brackets = "s/\\(([0-9.,]+) *\\)/-\\1/g";
  expect_said(said_of_few("−12 °C"), unit + "'°C'", minus);
  expect_said(said_of_few("–12 °C"), unit + "'°C'", minus);
  expect_said(said_of_few("$−5"), unit + "'$'", "s/\\$ *([-+.0-9(]|−|–)/\\1/g; " + minus);
  expect_said(said_of_few("($1.50)"), unit + "'$'", brackets);
  expect_said(said_of_few("\"$(1,234)\""), unit + "'$'", brackets);
  expect_said(said_of_few("(5 kg)"), unit + "'kg'", brackets);
  expect_said(said_of_few("−13%"), "! the column 'r' has numbers with '%' and others without", "convert");
  expect_said(said_of_few("(5.2%)"), "! the column 'r' has numbers with '%' and others without", "convert");
  // A quote in a cell is written twice.
  expect_said(said_of_few("\"16\"\"\""), unit + "'\"'", "{s/([0-9.]) *\"\"(");
  for (const std::string harmless : {"(2010 edition)", "(5 kg", "(a)"})
    EXPECT_TRUE(lacks(said_of_few(harmless), "has numbers")) << harmless;
}

TEST(SurveyOfFew, CommandsRewriteTheirColumns) {
  const auto of = [](const std::string& between, bool q) {
    std::string text = "p" + between + "q" + between + "label\n";
    for (int i = 0; i < 60; ++i) {
      const std::string number = std::to_string(i * 7 % 50);
      text += number + (i % 3 == 0 ? "*" : "") + between + (q && i % 3 == 1 ? "~" : "") + number + between +
              (i % 2 == 0 ? "5+\n" : "5\n");
    }
    return said_of(text);
  };
  expect_said(of(",", false), "'p' has numbers with marks such as",
              "(?:^|,)\\K(\"(?:[^\"]|\"\")*\"|[^,\\r\\n]*)}{my $x=$1; if (++$c==1)");
  expect_said(of("|", true), "'p', 'q' have numbers", "(?:^|\\|)");
  const std::string both = of(",", true);
  expect_said(both, "'p', 'q' have numbers", "if (++$c=~/^(1|2)$/)");
  EXPECT_TRUE(lacks(both, " | perl"));
  // Values of JSON have no position.
  std::string json;
  for (int i = 0; i < 60; ++i) {
    const std::string number = std::to_string(i * 7 % 50);
    json += R"({"p": ")" + number + (i % 3 == 0 ? "*" : "K") + R"(", "label": ")" + (i % 2 == 0 ? "a\"}\n" : "b\"}\n");
  }
  expect_said(said_of(json), "'p' has numbers with K, M or B", "/\\1e9\\2/g' FILE | perl -CSD -Mutf8 -pe 's{(^|[:,[])");
}

// 12B is no number of billions beside 12A and 12C.
TEST(SurveyOfFew, CodesAreNoNumbers) {
  const std::string said = said_of(table_of(
      200, "p,q,r,label\n",
      [](int i) {
        return std::to_string(i * 7 % 250) + (i % 40 == 7 ? std::string(1, static_cast<char>('A' + i / 40)) : "");
      },
      a_or_b));
  EXPECT_TRUE(lacks(said, "has numbers with", option("missing")));
  expect_said(said, "are numbers, and all are read as categories", option("categorical", "r"));
}

TEST(SurveyOfFew, UnitsThatDifferAreNotTakenOut) {
  const std::string said = said_of(table_of(
      200, "p,q,r,label\n",
      [](int i) {
        return (i == 90 ? "$" : i == 120 ? "€" : "") + std::to_string(i * 7 % 250);
      },
      a_or_b));
  expect_said(said, "! the column 'r' has numbers in different units", "convert them to one unit");
}

TEST(SurveyOfFew, ValuesOfAScaleAreNoMarksOfMissingOnes) {
  const auto of = [](const std::string& fifth, const std::string& column = "r") {
    ReadOptions options;
    if (column != "r") options.columns.categorical = {column};
    return said_of(table_of(
                       200, "p,q," + column + ",label\n",
                       [&](int i) { return i % 5 == 4 ? fifth : std::to_string(1 + i % 5); }, a_or_b),
                   options);
  };
  for (const std::string fifth : {"5 (best)", "best 5", "5+ or more", "0 none", "16/67", "5 ft 11 in"}) {
    const std::string said = of(fifth);
    expect_said(said, "are numbers, and all are read as categories", option("categorical", "r") + " confirms it");
    EXPECT_TRUE(lacks(said, option("missing")));
  }
  EXPECT_TRUE(has(of("refused"), option("missing", "refused")));
  EXPECT_EQ(of("5 (best)", "scale"), "");
  EXPECT_EQ(of("$5", "scale"), "");
}

}  // namespace

}  // namespace halfspace::testing
