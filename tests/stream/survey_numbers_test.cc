// What a survey says of few numbers in another notation, among plain ones.
#include <gtest/gtest.h>

#include <string>

#include "halfspace/base/error.h"
#include "halfspace/stream/survey.h"
#include "stream/survey_support.h"

namespace halfspace::testing {
namespace {

using testing_survey::a_or_b;
using testing_survey::expect_said;
using testing_survey::said_of;
using testing_survey::table_of;

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
    EXPECT_NE(said.find(where), std::string::npos) << said;
    EXPECT_EQ(said.find(option("missing")), std::string::npos) << said;
    EXPECT_EQ(said.find(option("on-error", "skip")), std::string::npos) << said;
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
    EXPECT_EQ(said_of_few(harmless).find("has numbers"), std::string::npos) << harmless;
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
  EXPECT_EQ(both.find(" | perl"), std::string::npos) << both;
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
  EXPECT_EQ(said.find("has numbers with"), std::string::npos) << said;
  EXPECT_EQ(said.find(option("missing")), std::string::npos) << said;
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
    EXPECT_EQ(said.find(option("missing")), std::string::npos) << said;
  }
  EXPECT_NE(of("refused").find(option("missing", "refused")), std::string::npos);
  EXPECT_EQ(of("5 (best)", "scale"), "");
  EXPECT_EQ(of("$5", "scale"), "");
}

}  // namespace
}  // namespace halfspace::testing
