// What a survey says of tables, and what it does not say of good ones.
#include "halfspace/stream/survey.h"

#include "stream/stream_support.h"
#include "stream/survey_support.h"

namespace halfspace::testing {
namespace {

using namespace testing_survey;

TEST(Survey, SaysNothingOfAGoodTable) {
  const auto colours = [](const std::string& third) {
    return table_of(
        100, "p,q,r,label\n", [&](int i) { return i % 7 == 0   ? third
                                                  : i % 3 == 0 ? "red"
                                                               : "blue"; }, a_or_b);
  };
  EXPECT_EQ(said_of(colours("green")), "");
  EXPECT_EQ(said_of(colours("")),
            "  a missing value is a feature of its own, such as 'r=?': in 15 rows of 'r'; fill in "
            "the values to avoid that; " +
                option("drop") + " leaves columns out\n");
}

// What the column of the label, and columns of numbers and texts, were taken for, with the flag that changes it.
TEST(Survey, DecisionsAreNotedWithTheirFlags) {
  const auto table = [](const std::string& header) {
    return table_of(
        60, header, [](int i) { return i % 2 == 0 ? "no" : "yes"; }, a_or_b);
  };
  expect_said(said_of(table("p,q,class,survived\n")),
              "  the label was taken from the column 'class', for its name; the last column, 'survived', is a feature",
              option("label", "survived"));
  EXPECT_EQ(said_of(table("p,q,survived,class\n")), "");
  ReadOptions given{.columns = {.label = "class"}};
  EXPECT_EQ(said_of(table("p,q,class,survived\n"), given), "");
  given.columns.drop = {"survived"};
  given.columns.label.clear();
  EXPECT_EQ(said_of(table("p,q,class,survived\n"), given), "") << "no feature is behind it";

  for (const std::string mark : {"999", "-99"}) {
    const auto far = [&](int others) {
      return said_of(table_of(
          80, "p,q,r,label\n", [&](int i) { return i % 4 == 0 ? mark : std::to_string(i * 7 % others); }, a_or_b));
    };
    expect_said(far(30), "! numbers far from all others may mean a missing value: " + mark + " in 20 rows of 'r'",
                option("missing", mark));
    EXPECT_EQ(far(2000).find("may mean a missing") == std::string::npos, mark == "999") << "others are as far apart";
  }

  const auto houses = table_of(
      80, "p,q,house,label\n", [](int i) { return std::to_string(i % 30) + (i % 3 == 0 ? "A" : ""); }, a_or_b);
  expect_said(said_of(houses), "  the column 'house' holds numbers and other texts", option("categorical", "house"));
  const auto limits = table_of(
      80, "p,q,lead,label\n", [](int i) { return i % 9 == 0   ? std::to_string(i)
                                                 : i % 2 == 0 ? "<5"
                                                              : ">100"; },
      a_or_b);
  expect_said(said_of(limits), "  the column 'lead' holds numbers and other texts", option("missing", "<5,>100"));
  const auto spelled = table_of(
      80, "p,q,left,label\n", [](int i) { return i % 3 == 0 ? "yes" : std::to_string(i % 2); }, a_or_b);
  expect_said(said_of(spelled), "! 66 % of the column 'left' are numbers", option("missing", "yes"));
  for (const std::string& asked_for : {houses, spelled}) {
    EXPECT_EQ(said_of(asked_for, {.columns = {.categorical = {"3"}}}), "");
  }
}

TEST(Survey, LooksAtWholeRowsUpToItsLimits) {
  // The third column is constant up to row 200; rows have three values each.
  const std::string table = table_of(
      300, "x,y,z,label\n", [](int i) { return i < 200 ? "7" : "8"; }, a_or_b);
  const auto constant = [&](const SurveyLimits& limits) {
    return said_of(table, {}, limits).find("is the same in every row") != std::string::npos;
  };
  EXPECT_FALSE(constant({}));
  EXPECT_TRUE(constant({.rows = 200}));
  EXPECT_FALSE(constant({.rows = 201}));
  EXPECT_TRUE(constant({.values = 598}));
  EXPECT_TRUE(constant({.values = 600}));
  EXPECT_FALSE(constant({.values = 601}));
  EXPECT_FALSE(constant({.rows = 200, .features = 2}));
}

TEST(Survey, OfNoRowsItLooksAtTheLabelsAlone) {
  const TemporaryFolder folder;
  ReadOptions read;
  read.path = folder.write("t.svm", "1 1:2\n1 1:3 2:4\n-1 2:5\n");
  Survey labels({.rows = 0}), all({});
  Reader reader(read);
  reader.read([&](const Block& block) {
    labels.add(block);
    all.add(block);
    return true;
  });
  EXPECT_EQ(all.feature(1).values, 2U);
  EXPECT_EQ(labels.feature(1).values, 0U);
  EXPECT_EQ(labels.sorted_by_class(), all.sorted_by_class());
}

TEST(Survey, ColumnsThatAreNotWhatTheyWereTakenFor) {
  const auto of = [](auto&& cell) { return said_of(table_of(60, "p,q,r,label\n", cell, a_or_b)); };
  const auto number = [](int i) { return std::to_string(i * 7 % 31); };
  expect_said(of([&](int i) { return i == 40 ? "abc" : number(i); }),
              "! 98 % of the column 'r' are numbers, and all are read as categories; row 41: 'abc'",
              option("missing", "abc"));
  expect_said(of([&](int i) { return i % 20 == 5 ? "odd" + std::to_string(i) : number(i); }), "row 6: 'odd5'",
              option("numeric", "r"));
  expect_said(of([](int i) { return "id" + std::to_string(i); }),
              "! the column 'r' has a different value in nearly every row", option("id", "r"));
  expect_said(of([](int i) { return "call me: " + std::to_string(i % 40); }),
              "! the column 'r' has texts of several words, mostly different", option("text", "r"));
  expect_said(of([](int i) { return std::to_string(1000 + i); }), "! the column 'r' counts the rows",
              option("drop", "r"));
  expect_said(of([](int i) { return "2024-05-" + std::to_string(10 + i % 20); }), "! the column 'r' looks like dates",
              option("drop", "r"));
  expect_said(of([](int i) { return std::to_string(1990 + i % 20) + "-0" + std::to_string(1 + i % 9); }),
              "! the column 'r' looks like months", option("drop", "r"));
  const std::vector<std::string> months = {"January", "feb", "Mar", "APR", "May", "June", "Jul", "Aug", "Sept"};
  expect_said(of([&](int i) { return months[static_cast<std::size_t>(i % 9)] + "-" + std::to_string(1990 + i % 20); }),
              "! the column 'r' looks like months", option("drop", "r"));
  expect_said(of([&](int i) {
                return std::to_string(1 + i % 28) + " " + months[static_cast<std::size_t>(i % 9)] + " " +
                       std::to_string(1990 + i % 20);
              }),
              "! the column 'r' looks like dates", option("drop", "r"));
  expect_said(of([](int i) { return std::to_string(20240500 + 1 + i % 30); }), "! the column 'r' looks like dates",
              option("drop", "r"));
  expect_said(of([](int) { return std::string("x"); }), "  the column 'r' is the same in every row",
              option("drop", "r"));
  expect_said(of([](int) { return std::string("3"); }), "  the column 'r' is the same in every row",
              option("drop", "r"));
  expect_said(of([](int) { return std::string(); }), "  the column 'r' has no value", option("drop", "r"));
  expect_said(of([](int i) { return std::to_string(i % 7 * 5000); }), "  the largest values of the features differ",
              option("normalize", "column"));
  for (const std::string harmless : {"May", "mayor 12", "Jan 123", "Jan Feb 12", "7.5.2", "12-30", "1/2", "2024-5",
                                     "2024-13", "10:30", "1.2.3.4", "2024-05-01x"}) {
    EXPECT_EQ(of([&](int i) { return i % 2 == 0 ? harmless : "b"; }), "") << harmless;
  }
}

// A customer's number is none of what a customer is; a price that hardly repeats is.
TEST(Survey, WholeNumbersThatNameRows) {
  const auto of = [](const std::string& name, auto&& cell, int rows = 300) {
    return said_of(table_of(rows, "p,q," + name + ",label\n", cell, a_or_b));
  };
  const auto drawn = [](int i) { return std::to_string(100 + i * 7919 % 10007); };
  const std::string numbers = "has a different whole number in nearly every row";
  for (const std::string name : {"id", "ID", "CustomerId", "patient_id", "customerID", "row no", "task_hash"}) {
    expect_said(of(name, drawn), "! the column '" + name + "' " + numbers, option("id", name));
    expect_said(of(name, drawn, 9000), numbers, option("drop", name));
  }
  for (const std::string name : {"price", "paid", "Idaho", "identity", "now", "nobody"})
    EXPECT_TRUE(lacks(of(name, drawn), numbers)) << name;
  EXPECT_TRUE(lacks(of("id", [&](int i) { return drawn(i / 2); }), numbers)) << "each comes twice";
  EXPECT_TRUE(lacks(of(
                        "id", [&](int i) { return drawn(i % 6000); }, 9000),
                    numbers))
      << "half come twice";
  EXPECT_TRUE(lacks(of("id", [&](int i) { return drawn(i) + ".5"; }), numbers)) << "no whole numbers";
  EXPECT_TRUE(lacks(of("id", [&](int i) { return drawn(i) + (i == 200 ? ".5" : ""); }), numbers));
  // Long numbers that begin alike are names by whatever name.
  expect_said(of("cell", [](int i) { return std::to_string(207'000'000 + i * 7919 % 10007); }), numbers,
              option("id", "cell"));
  // Without names of columns it is the first that tells the rows apart.
  std::string text;
  for (int i = 0; i < 100; ++i) text += drawn(i) + "," + drawn(i) + (i % 2 == 0 ? ",a\n" : ",b\n");
  const std::string said = said_of(text);
  expect_said(said, "! the column '1' " + numbers, option("id", "1"));
  EXPECT_TRUE(lacks(said, "'2' " + numbers));
}

// A depth or a frequency ascends as the numbers of rows do: no command to try leaves it out.
TEST(Survey, WholeNumbersThatAscend) {
  const auto of = [](const std::string& name, int step) {
    std::string text = name + ",p,label\n";
    for (int i = 0; i < 60; ++i)
      text += std::to_string(20 + i * step) + "," + std::to_string(i * 7 % 13) + (i % 2 == 0 ? ",a\n" : ",b\n");
    return said_of(text);
  };
  const std::string said = of("freq_hz", 5);
  expect_said(said, "! the column 'freq_hz' has whole numbers that ascend from row to row", option("id"));
  EXPECT_TRUE(lacks(said, option("id", "freq_hz"), option("drop", "freq_hz")));
  expect_said(of("row_id", 5), "! the column 'row_id' has a different whole number", option("id", "row_id"));
  expect_said(of("Unnamed: 0", 5), "! the column 'Unnamed: 0' has a different whole number",
              option("id", "Unnamed: 0"));
  expect_said(of("depth", 1), "! the column 'depth' counts the rows", option("id", "depth"));
}

TEST(Survey, TextsOfOneWordAreNoFreeText) {
  const auto of = [](auto&& cell) { return said_of(table_of(60, "p,q,r,label\n", cell, a_or_b)); };
  const std::string names = "! the column 'r' has a different value in nearly every row";
  expect_said(of([](int i) { return "750-67-" + std::to_string(8000 + i); }), names, option("id", "r"));
  expect_said(of([](int i) { return "https://a.b/c/" + std::to_string(i); }), names, option("id", "r"));
  expect_said(of([](int i) { return std::to_string(i % 24) + (i % 2 == 0 ? ":05" : ":47"); }),
              "! the column 'r' looks like times of day", option("drop", "r"));
  expect_said(
      of([](int i) { return "\"18:0" + std::to_string(i % 10) + ":" + std::to_string(10 + i % 47) + ",978\""; }),
      "! the column 'r' looks like times of day", option("drop", "r"));
  expect_said(of([](int i) { return "s" + std::to_string(i % 40); }), "  the column 'r' has mostly different texts",
              option("drop", "r"));
  EXPECT_TRUE(lacks(of([](int i) { return std::to_string(i % 30) + ":5"; }), "times"));
}

// A table is looked at alike, in whatever format it is written.
TEST(Survey, ArffIsATableToo) {
  std::string text =
      "@relation r\n@attribute id numeric\n@attribute name string\n@attribute what string\n"
      "@attribute none numeric\n@attribute same {x,y}\n@attribute outcome {a,b}\n@data\n";
  for (int i = 0; i < 60; ++i)
    text += std::to_string(100 + i * 7919 % 10007) + ",n" + std::to_string(i) + ",'call me: " + std::to_string(i) +
            "',0,x," + (i % 2 == 0 ? "a\n" : "b\n");
  const std::string said = said_of(text);
  expect_said(said, "! the column 'id' has a different whole number in nearly every row", option("id", "id"));
  expect_said(said, "! the column 'name' has a different value in nearly every row", option("id", "name"));
  expect_said(said, "! the column 'what' has texts of several words", option("text", "what"));
  expect_said(said, "'same'", "the same in every row");
  expect_said(said, "  the label was taken from the column 'outcome', the last one", option("label"));
  std::string far = "@relation r\n@attribute p numeric\n@attribute class {a,b}\n@data\n";
  for (int i = 0; i < 30; ++i) far += std::to_string(i % 5 == 0 ? 999 : 1 + i % 7) + (i % 2 == 0 ? ",a\n" : ",b\n");
  expect_said(said_of(far), "! numbers far from all others may mean a missing value: 999 in 6 rows of 'p'", "write ?");
  // What sparse rows leave out is 0, and no missing value.
  std::string sparse = "@relation r\n@attribute p numeric\n@attribute q numeric\n@attribute class {a,b}\n@data\n";
  for (int i = 0; i < 30; ++i) sparse += "{0 " + std::to_string(1 + i % 7) + (i % 2 == 0 ? "}\n" : ",2 b}\n");
  EXPECT_EQ(said_of(sparse), "");
}

TEST(Survey, NumbersThatAreNamesOfFeatures) {
  const auto said_of_lines = [](const std::function<std::string(int)>& words) {
    std::string text;
    for (int i = 0; i < 40; ++i) text += (i % 2 == 0 ? "1 |" : "-1 |") + words(i) + "\n";
    return said_of(text);
  };
  const auto number = [](int i) { return std::to_string(i * 7919 % 10007); };
  for (const std::string& said :
       {said_of_lines([&](int i) { return "n " + number(i) + ".5 " + number(i + 1) + ".25"; }),
        said_of_lines(
            [&](int i) { return " fare:" + number(i) + " at=POINT (-" + number(i) + ".5 41." + number(i) + ")"; }),
        said_of_lines([&](int i) { return " text foo | Length " + number(i) + " | H " + number(i % 5); })}) {
    expect_said(said, "are numbers, such as", "behind a name and a colon");
  }
  // Indices, values, and a number among words.
  EXPECT_EQ(said_of_lines([&](int i) { return "n " + number(i) + " " + number(i + 1); }), "");
  EXPECT_EQ(said_of_lines([&](int i) { return "n bias " + number(i) + ":0.5 " + number(i + 1) + ":1.5"; }), "");
  EXPECT_EQ(said_of_lines([&](int i) { return "n I have " + std::to_string(i % 4) + " big old cats"; }), "");
}

// name=number is a name in Vowpal Wabbit text, whatever its author means.
TEST(Survey, NamesThatHoldTheirNumber) {
  const auto said_of_lines = [](const std::function<std::string(int)>& words) {
    std::string text;
    for (int i = 0; i < 60; ++i) text += (i % 2 == 0 ? "1 |f " : "-1 |f ") + words(i) + "\n";
    return said_of(text);
  };
  const auto number = [](int i) { return std::to_string(i * 7919 % 10007); };
  for (const std::string& said :
       {said_of_lines([&](int i) { return "w=" + number(i) + ".25 h=-" + number(i + 1) + ".5 c=x"; }),
        said_of_lines([&](int i) { return "w=" + number(i) + " c=" + std::to_string(i % 3); })}) {
    expect_said(said, "are name=number, such as", R"(s/=(-?[0-9.]+([eE][-+]?[0-9]+)?)( |$)/:\1\3/g)");
  }
  // Numbers of categories come again.
  EXPECT_EQ(said_of_lines([&](int i) { return "c=" + std::to_string(i % 9) + " d=" + std::to_string(i % 11); }), "");
  EXPECT_EQ(said_of_lines([&](int i) { return "w:" + std::to_string(i % 5) + " c=x" + std::to_string(i % 3); }), "");
}

// Labels that other programs read as targets of a regression.
TEST(Survey, LabelsThatAreFractions) {
  const auto said_of_labels = [](const std::vector<std::string>& labels, ReadOptions options = {}) {
    std::string text;
    for (std::size_t i = 0; i < 60; ++i)
      text += labels[i % labels.size()] + " |f a:1 b:" + std::to_string(i % 7) + "\n";
    return said_of(text, std::move(options));
  };
  const std::string two = said_of_labels({"0.25", "0.75"});
  expect_said(two, "each is a class: '0.25', '0.75'", "$1 = $1 > 0.5 ? 1 : -1");
  expect_said(said_of_labels({"1", "0.5", "0"}), "each is a class: '0', '0.5', '1'", "above and below 0.25");
  EXPECT_EQ(said_of_labels({"0", "1", "2"}), "");
  EXPECT_EQ(said_of_labels({"1.0", "-1.0"}), "");
  EXPECT_EQ(said_of_labels({"a", "0.5"}), "");
  ReadOptions named{.labels = {.classes = {"0.25", "0.75"}}};
  EXPECT_EQ(said_of_labels({"0.25", "0.75"}, named), "");
}

TEST(Survey, DecimalCommasAreNamed) {
  std::string table = "a;b;label\n";
  for (int i = 0; i < 40; ++i)
    table += std::to_string(i % 3) + "," + std::to_string(i % 7) + ";" + std::to_string(i * 11 % 13) + ";" +
             (i % 2 == 0 ? "x\n" : "y\n");
  expect_said(said_of(table), "! the column 'a' has numbers with a decimal comma", option("decimal", "comma"));
  ReadOptions options{.table = {.decimal = ','}};
  EXPECT_EQ(said_of(table, options), "");
  std::string points = "a;b;label\n";
  for (int i = 0; i < 40; ++i)
    points += (i % 3 == 0 ? "98" : "1.23") + std::to_string(i % 7) + ";0," + std::to_string(i * 11 % 13) + ";" +
              (i % 2 == 0 ? "x\n" : "y\n");
  expect_said(said_of(points, options), "! the column 'a' has numbers with marks between thousands",
              option("thousands", "point"));
}

// 776 beside 1,176 has no mark between thousands; beside 1,5 another column's commas are decimal ones.
// One command has the flags for both marks.
TEST(Survey, MarksOfThousandsBesideDecimalCommas) {
  const auto said_of_cells = [](const std::function<std::string(int)>& cells) {
    std::string text = "a;b;y\n";
    for (int i = 0; i < 40; ++i) text += cells(i) + (i % 3 == 0 ? ";no\n" : ";yes\n");
    return said_of(text);
  };
  const auto hundred = [](int i) { return std::to_string(101 + i * 7919 % 897); };
  const auto tenth = [](int i) { return std::to_string(1 + i % 7) + "," + std::to_string(1 + i * 31 % 99); };
  for (const auto& [mark, name] :
       {std::pair<std::string, std::string>{"'", "apostrophe"}, {" ", "space"}, {".", "point"}}) {
    const std::string both = option("thousands", name) + " " + option("decimal", "comma");
    const auto grouped = [&, own = mark](int i) { return std::to_string(1 + i % 80) + own + hundred(i); };
    expect_said(said_of_cells([&](int i) { return grouped(i) + ",25;" + grouped(i + 9) + ",5"; }),
                "marks between thousands", both);
    expect_said(said_of_cells([&](int i) { return grouped(i) + ";" + tenth(i); }), "with a decimal comma", both);
  }
  const std::string commas_to_points = R"(s/([0-9]),([0-9])/\1.\2/g)", space = "\xc2\xa0";
  expect_said(said_of_cells([&](int i) { return "1" + space + hundred(i) + ",25;" + tenth(i); }), "signs or blanks",
              commas_to_points);
  const std::string whole =
      said_of_cells([&](int i) { return "1" + space + hundred(i) + ";x" + std::to_string(i % 3); });
  expect_said(whole, "signs or blanks", "s/\\xc2\\xa0//g");
  EXPECT_TRUE(lacks(whole, commas_to_points));
  // Fewer decimals are no thousands.
  const std::string plain = said_of_cells([&](int i) { return std::to_string(i % 9) + ".5;" + tenth(i); });
  expect_said(plain, "with a decimal comma", option("decimal", "comma"));
  EXPECT_TRUE(lacks(plain, option("thousands")));
}

TEST(Survey, CommasAreToldByWhatStandsBesideThem) {
  const auto said = [](auto&& p, auto&& q) {
    std::string table = "p,q,label\n";
    for (int i = 0; i < 40; ++i) table += "\"" + p(i) + "\",\"" + q(i) + "\"," + (i % 2 == 0 ? "x\n" : "y\n");
    return said_of(table);
  };
  const auto unsure = [](int i) { return std::to_string(1 + i % 7) + "," + std::to_string(101 + i * 7 % 23); };
  const auto short_ones = [&](int i) { return i % 4 == 0 ? std::to_string(200 + i) : unsure(i); };
  const auto long_ones = [&](int i) { return i % 4 == 0 ? std::to_string(2000 + i) : unsure(i); };
  const auto fractions = [](int i) { return std::to_string(i % 7) + "," + std::to_string(i % 9); };
  expect_said(said(unsure, unsure), "'p', 'q' have numbers with commas", option("decimal", "comma"));
  expect_said(said(unsure, [](int i) { return std::to_string(i % 7) + ".5"; }),
              "'p' has numbers with marks between thousands", option("thousands", "comma"));
  expect_said(said(unsure, short_ones), "'q', 'p' have numbers with marks between thousands",
              option("thousands", "comma"));
  expect_said(said(unsure, long_ones), "'q', 'p' have numbers with a decimal comma", option("decimal", "comma"));
  expect_said(said(unsure, fractions), "'q', 'p' have numbers with a decimal comma", option("decimal", "comma"));
}

TEST(Survey, NumbersWithUnitsAndOddMarks) {
  const auto of = [](auto&& cell) { return said_of(table_of(60, "p,q,r,label\n", cell, a_or_b)); };
  const auto number = [](int i) { return std::to_string(i * 7 % 31); };
  const std::string units = "! the column 'r' has numbers with a unit", odd = "! the column 'r' has numbers with signs";
  expect_said(of([&](int i) { return number(i) + "%"; }), units, "{s/([0-9.]) *%(");
  expect_said(of([&](int i) { return "\"$1," + std::to_string(100 + i) + ".50\""; }), units, "perl -pe");
  expect_said(of([&](int i) { return "\"" + number(i) + ",50 €\""; }), units, "perl -pe");
  expect_said(of([&](int i) { return i % 3 == 0 ? number(i) : "-£" + number(i); }), units, "perl -pe");
  expect_said(of([&](int i) { return i % 2 == 0 ? number(i) : "\u2212" + number(i); }), odd, "perl -pe");
  expect_said(of([&](int i) { return i % 2 == 0 ? number(i) : "(" + number(i) + ".5)"; }), odd, "-\\1/g");
  expect_said(of([&](int i) { return "1\u00a0" + std::to_string(100 + i); }), odd, "perl -pe");
  expect_said(of([&](int i) {
                const std::string grouped = std::to_string(1 + i % 5) + "," + std::to_string(100 + i);
                return i % 2 == 0 ? "\"" + grouped + "\"" : "\"(" + grouped + ")\"";
              }),
              odd, "-\\1/g");
  const auto every = [&](const std::string& before, const std::string& after) {
    return of([&](int i) { return before + number(i) + after; });
  };
  const struct {
    std::string before, after, edit;
  } cases[] = {{"", " kg", "s/([0-9.]) *kg("},
               {"", " cm", "*cm("},
               {"", " °C", "*°C("},
               {"", " kr", "*kr("},
               {"USD ", ".5", "s/USD *([-+"},
               {"¥", ".9", "s/¥ *("},
               {"", "-bedroom flat", "*-bedro"},
               {"", " sq ft", "*sq ft("},
               {"", "'", ""}};
  for (const auto& c : cases) {
    if (!c.edit.empty()) expect_said(every(c.before, c.after), units, c.edit);
    EXPECT_EQ(c.edit.empty(), every(c.before, c.after).find(units) == std::string::npos) << c.after;
  }
  expect_said(of([&](int i) { return number(i) + (i % 3 == 0 ? " year" : " years"); }), units, "*year(");
  const auto two = [&](const std::string& first, const std::string& second) {
    return of([&](int i) { return i % 2 == 0 ? number(i) + first : second + number(i); });
  };
  expect_said(two("%", "0."), "! the column 'r' has numbers with '%' and others without", "convert them to one unit");
  expect_said(two(" €", "$"), "! the column 'r' has numbers in different units", "convert them to one unit");
  expect_said(every("$", "K"), "numbers in a unit to convert, '$ K'", "convert them to one unit");
  const auto noted = [&](const std::string& before, const std::string& after, const std::string& edit) {
    expect_said(every(before, after), "! the column 'r' has numbers ", edit);
  };
  noted("", "K", "\\1e3");
  noted("", "M", "\\1e6");
  noted("0x1", "", "hex($1)");
  noted("", ".5D+02", "[dD]");
  noted("", "±0.1", "±|");
  for (const std::string harmless : {"(a)", "$", "%", "(", "()", "a\u00a0b", "\u2212", "5 km", "% 5x"}) {
    EXPECT_EQ(of([&](int i) { return i % 2 == 0 ? harmless : "b"; }), "") << harmless;
  }
}

TEST(Survey, NumbersInOtherNotations) {
  const auto of = [](auto&& cell) { return said_of(table_of(60, "p,q,amount,label\n", cell, a_or_b)); };
  const auto tenths = [](int i) { return std::to_string(i * 7 % 31) + "." + std::to_string(i % 10); };
  const struct {
    std::string before, after, other_after, words, edit;
  } cases[] = {{"", " DR", " CR", "numbers marked DR or CR", "CR as negative (swap [Cc] and [Dd] for DR): perl"},
               {"", "N", "S", "numbers marked N, S, E or W", "S and W as negative: perl"},
               {"", "-", "", "numbers with the minus sign behind them", "\"-\".$3"},
               {"", "×10^3", "×10^-2", "numbers with a power of ten", "\"e\".$4"},
               {"", " x 10^3", " x 10^-2", "numbers with a power of ten", "\"e\".$4"},
               {"~", "", "", "numbers marked as approximate", "perl"},
               {"ca. ", "", "", "numbers marked as approximate", "perl"},
               {"", " (30%)", " (7%)", "numbers with others in brackets", "without the brackets: perl"},
               {"", "%  [3]", "% [4]", "numbers with others in brackets", "without the brackets: perl"},
               {"", " (CR)", " (DR)", "numbers marked DR or CR", "swap [Cc] and [Dd]"},
               {"", " million", " billion", "numbers with words for thousands", "\"e9\""},
               {"", "M", "B", "numbers with K, M or B", "\\1e9"},
               {"", "×10³", "×10⁻²", "numbers with a raised power of ten", "tr/"},
               {"", "*", "", "numbers with marks such as", "perl"},
               {"'", "", "", "numbers behind an apostrophe", "\\x27"}};
  for (const auto& c : cases) {
    const std::string said = of([&](int i) { return c.before + tenths(i) + (i % 3 == 0 ? c.other_after : c.after); });
    expect_said(said, "! the column 'amount' has " + c.words, c.edit);
    EXPECT_TRUE(lacks(said, option("id", "amount")));
  }
  const auto eighths = [](int i) { return std::to_string(1 + i % 15) + "/" + (i % 2 == 0 ? "8" : "16"); };
  expect_said(of(eighths), "! the column 'amount' has numbers written as fractions", "$5/$6");
  expect_said(of([&](int i) { return std::to_string(1 + i % 9) + " " + eighths(i); }),
              "! the column 'amount' has numbers written as fractions", "$5/$6");
  expect_said(of([&](int i) { return tenths(i) + "/5"; }), "! the column 'amount' has numbers written as fractions",
              "$5/$6");
  expect_said(of([&](int i) { return std::to_string(1 + i % 9) + (i % 2 == 0 ? "½" : "¼"); }),
              "! the column 'amount' has numbers written as fractions", "\"½\",1/2");
  expect_said(of([&](int i) { return (i % 3 == 0 ? "CR " : "DR ") + tenths(i); }),
              "! the column 'amount' has numbers behind DR or CR", "swap [Cc] and [Dd]");
  expect_said(of([&](int i) { return "–" + tenths(i); }), "! the column 'amount' has numbers with signs", "\\x80\\x93");
  // Three of sixty are negative.
  expect_said(of([&](int i) { return tenths(i) + (i % 20 == 7 ? "-" : ""); }),
              "! the column 'amount' has numbers with the minus sign behind them", "\"-\".$3");
}

TEST(Survey, CommandsFitTheFormat) {
  const auto of = [](const std::string& head, const std::string& between) {
    std::string text = head;
    for (int i = 0; i < 30; ++i) {
      text += std::to_string(i % 7) + between + std::to_string(10 + i) + (i % 3 == 0 ? ".5-" : ".5") + between +
              (i % 2 == 0 ? "a\n" : "b\n");
    }
    return said_of(text);
  };
  const std::string noted = "has numbers with the minus sign behind them";
  expect_said(of("p;q;label\n", ";"), noted, "[^;\\r\\n]*)}{my $x=$1; if (++$c==2) {for ($x) {s{^( *)(\")?([\\d.,]+)");
  expect_said(of("p\tq\tlabel\n", "\t"), noted, "s{(?:^|\\t)\\K(");
  expect_said(of("@relation r\n@attribute p numeric\n@attribute q string\n@attribute class {a,b}\n@data\n", ","), noted,
              "s{(^|[:,[]) *([\"\\x27])?");
}

TEST(Survey, NumbersAmongOtherText) {
  const auto of = [](auto&& cell) { return said_of(table_of(60, "p,q,amount,label\n", cell, a_or_b)); };
  const auto number = [](int i, int below) { return std::to_string(1 + i * 37 % below); };
  const std::string noted = "! the column 'amount' has a number among other text in 60 of 60 cells, such as ";
  expect_said(of([&](int i) { return number(i, 97) + (i % 3 == 0 ? ".5 H" : ".5 L"); }),
              noted + "'1.5 H': read as names", "write each number in a column of its own");
  expect_said(of([&](int i) { return (i % 2 == 0 ? "<" : ">=") + number(i, 97); }), noted, option("categorical"));
  expect_said(of([&](int i) { return std::to_string(100 + i) + "/" + std::to_string(50 + i % 40); }), noted, "column");
  for (const std::string middle : {"x", " of ", "m 1", " ft 1", "'", "° 2"}) {
    const std::string last = middle == "m 1" ? "s" : middle == " ft 1" ? " in" : middle == "° 2" ? "' N" : "";
    expect_said(of([&](int i) { return number(i, 9) + middle + number(i, 7) + last; }), noted, "column");
  }
  expect_said(of([&](int i) { return number(i, 97) + (i % 2 == 0 ? " (old)" : " (new)"); }), noted, "column");
  const auto silent = [&](auto&& cell) {
    const std::string said = of(cell);
    EXPECT_TRUE(lacks(said, "number among", "has numbers"));
  };
  silent([&](int i) { return "A" + number(i, 97); });
  silent([&](int i) { return number(i, 97) + (i % 2 == 0 ? "A" : "B"); });
  silent([&](int i) { return number(i, 97) + " " + std::string(1, static_cast<char>('A' + i % 23)) + " Street"; });
  silent([&](int i) { return "10.0." + number(i, 97) + "." + number(i, 89); });
  silent([&](int i) { return number(i, 40) + "-" + std::to_string(50 + i % 40); });
  silent([&](int i) { return number(i, 9) + "." + number(i, 7) + "." + number(i, 5); });
  silent([&](int i) { return number(i, 12) + "/" + number(i, 31); });
  silent([&](int i) { return std::to_string(1950 + i) + "/" + std::to_string(51 + i % 40); });
  silent([&](int i) { return number(i, 22) + "q" + number(i, 35); });
  silent([&](int i) { return number(i, 12) + ":" + std::to_string(10 + i % 50); });
  ReadOptions asked{.columns = {.categorical = {"amount"}}};
  const auto flagged = [&](int i) { return number(i, 97) + (i % 3 == 0 ? ".5 H" : ".5 L"); };
  EXPECT_EQ(said_of(table_of(60, "p,q,amount,label\n", flagged, a_or_b), asked), "");
  EXPECT_TRUE(lacks(said_of(table_of(60, "p,q,range id,label\n", flagged, a_or_b)), "number among"));
}

TEST(Survey, FewRowsOfAMarkOfMissingValues) {
  const auto of = [](const std::string& mark, auto&& cell, const std::string& classes = "ab") {
    return said_of(table_of(
        60, "p,q,age,label\n", [&](int i) { return i == 7 || i == 40 ? mark : std::string(cell(i)); },
        [&](int, bool a) { return classes == "ab" ? (a ? "a" : "b") : (a ? "1" : "-1"); }));
  };
  const auto years = [](int i) { return std::to_string(20 + i * 7 % 60); };
  const auto tenths = [](int i) { return std::to_string(20 + i * 7 % 60) + "." + std::to_string(i % 10); };
  const auto visits = [](int i) { return std::to_string(i * 7 % 5); };
  const std::string far = "! numbers far from all others may mean a missing value: ";
  expect_said(of("-9", years), far + "-9 in 2 rows of 'age'", option("missing", "-9") + " reads");
  expect_said(of("-99", years), far + "-99 in 2 rows of 'age'", option("missing", "-99") + " reads");
  expect_said(of("-200", years), far + "-200 in 2 rows of 'age'", option("missing", "-200") + " reads");
  expect_said(of("999", years), far + "999 in 2 rows of 'age'", option("missing", "999") + " reads");
  expect_said(of("-99.0", tenths), far + "-99 in 2 rows of 'age'", option("missing", "-99,-99.0,-99.00") + " reads");
  const std::string negative = "  -1 may mean a missing value: no other number is negative, in 2 rows of 'age'";
  expect_said(of("-1", visits), negative, option("missing", "-1") + " reads");
  expect_said(of("-1", visits, "signs"), negative, "; where they do, leave these cells empty in the file");
  const auto silent = [&](const std::string& mark, auto&& cell) {
    const std::string said = of(mark, cell);
    EXPECT_TRUE(lacks(said, "may mean a missing"));
  };
  silent("-1", [](int i) { return std::to_string(i % 2); });
  silent("-1", tenths);
  silent("-9", [](int i) { return std::to_string(i * 7 % 60 - 20); });
  silent("-7", years);
}

TEST(Survey, NoFixLeavesRowsWithoutFeatures) {
  std::string table = "at,label\n";
  for (int i = 0; i < 40; ++i) table += std::to_string(i) + (i % 2 == 0 ? ",x\n" : ",y\n");
  const std::string said = said_of(table);
  expect_said(said, "the column 'at' counts the rows", "there is nothing else to learn from");
  EXPECT_TRUE(lacks(said, option("id", "at")));
}

TEST(Survey, LabelsThatAreNone) {
  const auto of = [](auto&& label, const std::string& name = "label") {
    return said_of(table_of(
        100, "p,q,r," + name + "\n", [](int i) { return std::to_string(i * 7 % 31); }, label));
  };
  expect_said(of([](int i, bool) { return std::to_string(i * 37 % 100) + ".5"; }),
              "! the label 'label' has 100 different values in 100 rows, all of them numbers", option("label"));
  expect_said(of([](int i, bool) { return "n" + std::to_string(i); }), "it names the rows rather than their classes",
              option("label"));
  expect_said(of([](int i, bool) { return i < 55 ? "a" : "b"; }), "! the rows are sorted by class",
              option("order", "shuffled"));
  expect_said(of([](int i, bool a) { return i == 30 ? "label" : a_or_b(i, a); }),
              "! a class is called 'label' as its column is (row 31)", "second header");
  expect_said(of([](int i, bool a) { return i % 10 == 4 ? "NULL" : a_or_b(i, a); }),
              "! a class is called 'NULL' (row 5)", option("missing", "NULL"));
  expect_said(of(a_or_b, "result"), "  the label was taken from the column 'result', the last one", option("label"));
  expect_said(of(a_or_b, "Y"), "  the label was taken from the column 'Y', for its name", option("label"));
  // Rings of 4,000 shells: most have some ten, hardly one has 2 or 28. Letters by their numbers are no quantity.
  const auto many = [](auto&& label) {
    return said_of(table_of(
        4000, "p,q,r,label\n", [](int i) { return std::to_string(i * 7 % 31); }, label));
  };
  expect_said(many([](int i, bool) { return std::to_string(i % 8 + i / 8 % 8 + i / 64 % 8 + i / 512 % 8); }),
              "all of them numbers: it looks like a quantity", option("label"));
  EXPECT_EQ(many([](int i, bool) { return std::to_string(i * 7919 % 4001 % 26); }), "");
  EXPECT_EQ(many([](int i, bool) { return std::to_string(i < 3000 ? i % 3 * 7 : i % 997 == 5 ? 25 : i % 24); }), "");
  EXPECT_EQ(of([](int i, bool) { return std::to_string(i * 37 % 11); }), "") << "eleven classes of a hundred rows";
  EXPECT_EQ(of([](int, bool a) { return a ? "+" : "-"; }), "");
  EXPECT_EQ(of([](int i, bool) { return i / 4 % 2 == 0 ? "a" : "b"; }), "") << "runs of four are no order";
}

TEST(Survey, ClassesThatAreNone) {
  const auto of = [](auto&& label) {
    return said_of(table_of(
        60, "p,q,r,label\n", [](int i) { return std::to_string(i * 7 % 31); }, label));
  };
  expect_said(of([](int i, bool a) { return i == 59 ? "total" : a_or_b(i, a); }),
              "! 1 value of the column 'label' (row 60): 'total', as totals of other rows are called", "grep -vE '");
  expect_said(of([](int i, bool a) { return i == 59 ? "text" : a_or_b(i, a); }),
              "! the class 'text' has one row alone, the last of all (row 60)", "sed '$d' FILE");
  expect_said(of([](int i, bool a) { return i == 0 ? "text" : a_or_b(i, a); }),
              "! the class 'text' has one row alone, the first of all (row 1)", "sed 2d FILE");
  EXPECT_EQ(of([](int i, bool a) { return i == 30 ? "rare" : a_or_b(i, a); }), "");
  for (const std::string none : {"unknown", "Inconnu", "k.A.", "not available"}) {
    expect_said(of([&](int i, bool a) { return i % 9 == 4 ? none : a_or_b(i, a); }),
                "! a class is called '" + none + "' (row 5)", option("missing", none));
    EXPECT_EQ(of([&](int, bool a) { return a ? none : "b"; }), "") << "one of two classes";
  }
  expect_said(of([](int i, bool a) { return i % 2 == 0 ? "none" : a_or_b(i, a); }),
              "  a class is called 'none' (row 1)", option("missing", "none"));
  const auto beside = [&](const std::string& mark, int others) {
    return of([&](int i, bool) { return i % 9 == 4 ? mark : std::to_string(i * 7 % others); });
  };
  for (const std::string mark : {"999", "-9", "-99"})
    expect_said(beside(mark, 2), "! a class is called '" + mark + "'", option("missing", mark));
  EXPECT_EQ(beside("9", 2), "");
  EXPECT_EQ(beside("-9", 10), "") << "others are as far apart";
}

TEST(Survey, NumbersThatNoDoubleHolds) {
  const auto of = [](const std::string& cell) {
    return said_of(table_of(
        60, "p,q,r,label\n", [&](int i) { return cell + std::to_string(i % 7); }, a_or_b));
  };
  const std::string above = "! the column 'r' has whole numbers above 2^53";
  expect_said(of("900719925474099"), above, option("id", "r"));
  expect_said(of("123456789012345678"), above, option("categorical", "r"));
  EXPECT_TRUE(lacks(of("90071992547409"), above));
  EXPECT_TRUE(lacks(of("1e2"), above));
}

TEST(Survey, ColumnsNamedLikeWeights) {
  const auto of = [](const std::string& name, const ReadOptions& options = {}) {
    return said_of(table_of(
                       60, "p,q," + name + ",label\n", [](int i) { return std::to_string(i % 7) + ".5"; }, a_or_b),
                   options);
  };
  for (const std::string name : {"sample_weight", "caseWeight", "Survey Weights", "importance_weight", "freq_weight"})
    expect_said(of(name), "  the column '" + name + "' is a feature, and is named like a weight",
                option("weight", name));
  for (const std::string name : {"weight", "birth_weight", "weight_sample"}) EXPECT_EQ(of(name), "") << name;
  ReadOptions options{.columns = {.weight = "sample_weight"}};
  EXPECT_EQ(of("sample_weight", options), "");
}

TEST(Survey, ASecondHeaderLine) {
  std::string table = table_of(
      40, "p,q,r,label\n", [](int i) { return std::to_string(i % 7); }, a_or_b);
  table += table;
  ReadOptions options;
  const std::string said = said_of(table, options);
  expect_said(said, "row 41 holds the names of the columns", "awk '");
  EXPECT_TRUE(lacks(said, option("missing")));
  // A column alone shows less.
  std::string one = "p,q,label\n";
  for (int i = 0; i < 40; ++i) one += (i == 30 ? "p" : std::to_string(i % 7)) + (i % 2 == 0 ? ",1,x\n" : ",2,y\n");
  expect_said(said_of(one), "the column 'p' holds its own name (row 31): it looks like a second header line",
              option("numeric", "p") + " " + option("on-error", "skip"));
}

// Thousands of columns make no thousand notes.
TEST(Survey, ManyColumnsAreToldAtOnce) {
  std::string header, row, text;
  for (int i = 0; i < 500; ++i) header += "c" + std::to_string(i) + ",", row += "x,";
  for (int i = 0; i < 20; ++i) text += row + (i % 3 == 0 ? "1," : "2,") + (i % 2 == 0 ? "a\n" : "b\n");
  std::string first = "c0";
  for (int i = 1; i < 50; ++i) first += ",c" + std::to_string(i);
  EXPECT_EQ(said_of(header + "w,label\n" + text),
            "  the columns 'c0', 'c1', 'c2', 'c3' and 496 more are the same in every row; " + option("drop", first) +
                " leaves the first 50 of them out\n");
}

// No flag is named that the format refuses.
TEST(Survey, NamesFlagsThatGoWithTheFormat) {
  std::string arff = "@relation r\n@attribute day string\n@attribute odd string\n@attribute class {a,b}\n@data\n",
              lines;
  for (int i = 0; i < 60; ++i) {
    const std::string day = "2024-05-" + std::to_string(10 + i % 20), odd = i == 9 ? "D" : std::to_string(i % 7);
    arff += day + "," + odd + (i % 2 == 0 ? ",a\n" : ",b\n");
    lines += R"({"day":")" + day + R"(","note":"call me: )" + std::to_string(i) +
             (i % 2 == 0 ? "\",\"label\":\"a\"}\n" : "\",\"label\":\"b\"}\n");
  }
  const std::string of_arff = said_of(arff), of_lines = said_of(lines);
  expect_said(of_arff, "'day' looks like dates", "of a table in CSV " + option("dates", "day"));
  expect_said(of_arff, "98 % of the column 'odd' are numbers", option("numeric", "odd"));
  EXPECT_TRUE(lacks(of_arff, option("missing", "D")));
  expect_said(of_lines, "'day' looks like dates", "of a table in CSV " + option("dates", "day"));
  expect_said(of_lines, "'note' has texts of several words", "of a table in CSV " + option("text", "note"));
  expect_said(said_of("NULL 1:1\na 1:2\nb 2:1\n"), "a class is called 'NULL' (row 1)", "take such rows out");
}

// Where no column can be named, none is asked for.
TEST(Survey, AQuantityWithoutColumns) {
  std::string vw, svm;
  for (int i = 0; i < 40; ++i) {
    vw += std::to_string(i) + ".5 | a b\n";
    svm += std::to_string(i) + ".5 1:1\n";
  }
  for (const std::string& text : {vw, svm}) {
    const std::string said = said_of(text);
    expect_said(said, "it looks like a quantity", "make classes of it");
    EXPECT_TRUE(lacks(said, option("label")));
  }
}

}  // namespace
}  // namespace halfspace::testing
