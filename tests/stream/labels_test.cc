
#include "halfspace/stream/memory_data.h"
#include "stream/labels/label_doubts.h"
#include "stream/npy_support.h"
#include "stream/stream_support.h"

namespace halfspace {
namespace {

using namespace testing_stream;

TEST(Labels, TheLargerNumberIsPositiveWhateverTheOrder) {
  for (const Names& pair : {Names{"-1", "+1"}, {"0", "1"}, {"1", "2"}, {"-3.5", "1e2"}, {"9", "10"}}) {
    EXPECT_EQ(Labels::from(pair, "", LabelsAre::texts).names, pair);
    EXPECT_EQ(Labels::from({pair[1], pair[0]}, "", LabelsAre::texts).names, pair);
  }
}

TEST(Labels, OfTwoNamesTheLastButKnownPairsAreKnown) {
  for (const std::string& both : cut("cat,dog;no,YES;No,yes;-,+;ham,Spam;F,t;n,Y;neg,POS;negative,Positive;bad,Good;"
                                     "false,True",
                                     ";")) {
    const Names pair = cut(both, ",");
    EXPECT_EQ(Labels::from(pair, "", LabelsAre::texts).names, pair);
    EXPECT_EQ(Labels::from({pair[1], pair[0]}, "", LabelsAre::texts).names, pair);
  }
}

TEST(Labels, PositiveOverrides) {
  const auto names = [](Names distinct, const std::string& positive, LabelsAre are = LabelsAre::texts) {
    return Labels::from(std::move(distinct), positive, are).names;
  };
  EXPECT_EQ(names({"cat", "dog"}, "cat"), (Names{"dog", "cat"}));
  EXPECT_EQ(names({"cat", "dog"}, "dog"), (Names{"cat", "dog"}));
  EXPECT_EQ(names({"1", "2"}, "1.0", LabelsAre::numbers), (Names{"2", "1"}));
  EXPECT_THROW(names({"1", "2"}, "1.0"), Error);
  EXPECT_EQ(names({"spam"}, "spam"), (Names{"", "spam"}));
  EXPECT_EQ(names({"ham"}, "spam"), (Names{"ham", "spam"}));
  for (const auto& [distinct, positive] :
       std::vector<std::pair<Names, std::string>>{{{"cat", "dog"}, "cow"}, {{"1", "2", "3"}, "1"}, {{}, "1"}}) {
    const Error error =
        error_from([&, names = distinct, one = positive] { Labels::from(names, one, LabelsAre::texts); });
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_FALSE(error.hint().empty());
  }
}

TEST(Labels, ManyNumbersByValueThenNames) {
  EXPECT_EQ(Labels::from({"b", "10", "9", "a", "-1"}, "", LabelsAre::texts).names, (Names{"-1", "9", "10", "a", "b"}));
}

TEST(Labels, NumbersAreOneLabelByValueAndTheFirstSpellingStays) {
  const Labels labels = Labels::from({"1.0", "+1", "-1", "1", "-1e0"}, "", LabelsAre::numbers);
  EXPECT_EQ(labels.names, (Names{"-1", "1.0"}));
  for (const char* text : {"1", "+1", "1.0", "1e0", "01"}) EXPECT_EQ(labels.find(text), 1) << text;
  for (const char* text : {"-1", "-1.00"}) EXPECT_EQ(labels.find(text), 0) << text;
}

// Of texts none is another, and numbers are compared by all their digits: as doubles the last two of each row are one.
TEST(Labels, TextsAreClassesAndNumbersAreExact) {
  for (const Names& row :
       {Names{"3.10", "3.1"}, {"007", "7"}, {"+1", "1"}, {"1.0", "1"}, {"1e2", "100"}, {"-0", "0"}}) {
    EXPECT_EQ(Labels::from(row, "", LabelsAre::texts).names,
              (Names{std::min(row[0], row[1]), std::max(row[0], row[1])}));
    EXPECT_EQ(Labels::from(row, "", LabelsAre::numbers).names, Names{row[0]});
    EXPECT_EQ((Labels{{row[0], "2"}}.find(row[1])), std::nullopt);
    EXPECT_EQ((Labels{{row[0], "2"}}.find_number(row[1])), 0);
    EXPECT_EQ((Labels{row}.find_number(row[1] + "e0")), std::nullopt) << "two classes are this number";
  }
  for (const Names& row : {Names{"9007199254740992", "9007199254740993"},
                           {"0.1", "0.1000000000000000055511151231257827"},
                           {"1e-99999", "2e-99999"},
                           {"18446744073709551614", "18446744073709551615"}}) {
    const Labels labels = Labels::from({row[1], row[0]}, "", LabelsAre::numbers);
    EXPECT_EQ(labels.names, row);
    EXPECT_EQ(labels.find("+" + row[1]), 1);
  }
}

TEST(Labels, ZeroAndMinusOneStandForOneAnotherInBinaryProblemsOnly) {
  const auto find = [](Names names, const char* text) { return Labels{std::move(names)}.find_number(text); };
  EXPECT_EQ(find({"-1", "+1"}, "0"), 0);
  EXPECT_EQ(find({"0", "1"}, "-1"), 0);
  EXPECT_EQ(find({"0", "1"}, "-1.0"), 0);
  EXPECT_EQ(find({"1", "2"}, "0"), std::nullopt);
  EXPECT_EQ(find({"-1", "2"}, "0"), std::nullopt);
  EXPECT_EQ(find({"-1", "1", "2"}, "0"), std::nullopt);
  EXPECT_EQ(find({"1", "-1"}, "0"), 1);  // --positive -1
}

TEST(Labels, WhatIsNotThereIsNotFound) {
  const Labels labels{{"", "spam"}};
  EXPECT_EQ(labels.find(""), std::nullopt);
  EXPECT_EQ(labels.find("ham"), std::nullopt);
  EXPECT_EQ(labels.find("SPAM"), std::nullopt);
  EXPECT_EQ(labels.find("spam"), 1);
}

TEST(Schema, FeatureNamesAreThoseOfTheFormat) {
  Schema libsvm;
  libsvm.format = DataFormat::libsvm;
  libsvm.features = 3;
  EXPECT_EQ(libsvm.feature_names(), (Names{"1", "2", "3"}));
  libsvm.zero_based = true;
  EXPECT_EQ(libsvm.feature_names(), (Names{"0", "1", "2"}));

  Schema csv;
  csv.format = DataFormat::csv;
  csv.features = 5;
  Column age;
  age.name = "age";
  age.feature = 0;
  age.missing_feature = 4;
  Column colour;
  colour.name = "colour";
  colour.kind = Column::Kind::categorical;
  colour.categories = {"red", "blue", "green"};
  colour.features = {1, 3, Column::no_feature};
  colour.missing_feature = 2;
  csv.columns = {age, colour};
  EXPECT_EQ(csv.feature_names(), (Names{"age", "colour=red", "colour=?", "colour=blue", "age=?"}));
}

// As many labels as a column of measured numbers has: each is one of them once, whatever its spelling.
TEST(Labels, AreTheSameByWalkingAndBySorting) {
  Names distinct;
  for (int i = 0; i < 30'000; ++i) distinct.push_back(std::to_string((i * 7919) % 10'007) + (i % 3 == 0 ? ".0" : ""));
  Names expected(10'007);
  for (std::string& text : distinct) {
    std::string& name = expected[static_cast<std::size_t>(std::stoi(text))];
    if (name.empty()) name = text;
  }
  EXPECT_EQ(Labels::from(distinct, "", LabelsAre::numbers).names, expected);
}

// Labels that are no classes: told by the first rows, before any is given, in every format.

using Label = std::function<std::string(int)>;

// The notes and the error, if there is one, about rows with these labels.
struct Said {
  std::string notes, error;
  std::uint64_t rows = 0;
};

Said said_of(const std::string& text, ReadOptions options = {}) {
  Said said;
  options.on_note = [&](const ReadNote& note) { said.notes += note.text + "\n"; };
  const Reading outcome = read_text(text, options);
  said.error = outcome.failed ? outcome.error.message() : "";
  said.rows = outcome.report.rows;
  return said;
}

std::string table(int rows, const Label& label) {
  std::string text = "a,b,worth\n";
  for (int i = 0; i < rows; ++i) text += std::to_string(i % 13) + ",x," + label(i) + "\n";
  return text;
}

std::string amount(int i) { return "$" + std::to_string(i % 40) + "." + std::to_string(10 + i % 7); }
std::string fraction(int i) { return std::to_string(i * 37 % 400) + ".5"; }
// Sums of three: few at either end.
std::string mark(int i) { return std::to_string(i % 7 + i / 7 % 7 + i / 49 % 7); }

TEST(LabelDoubts, AWordAndItsInitial) {
  const auto noted = [](const std::string& first, const std::string& second, const std::string& third) {
    return said_of(table(30, [&](int i) { return i % 3 == 0 ? first : i % 3 == 1 ? second : third; })).notes;
  };
  EXPECT_TRUE(has(noted("true", "T", "false"), "the labels 'true' and 'T' may be one class, and are two"));
  EXPECT_TRUE(has(noted("yes", "No", "n"), "the labels 'No' and 'n' may be one class"));
  EXPECT_TRUE(lacks(noted("true", "false", "N"), "may be one class"));
}

TEST(LabelDoubts, AreNotedOfFewValues) {
  const struct {
    Label label;
    const char* said;
  } cases[] = {
      {[](int i) { return amount(i % 20); },
       "the label 'worth' has 20 different values in 400 rows, all of them amounts"},
      {mark, "the label 'worth' has 19 different values in 400 rows, all of them numbers"},
      {[](int i) { return std::to_string(i % 12) + " %"; }, "all of them amounts"},
      {[](int i) { return "1," + std::to_string(100 + i % 30); }, ""},  // a comma delimits
      {[](int i) { return "\"1," + std::to_string(100 + i % 30) + "\""; }, "all of them"},
      {[](int i) { return "2024-" + std::to_string(10 + i % 2) + "-" + std::to_string(10 + i % 15); },
       "all of them dates"},
      {[](int i) { return std::to_string(i % 12) + ":30"; }, "all of them times of day"},
      {[](int i) { return i == 7       ? std::string("python")
                          : i % 2 == 0 ? "2.0"
                                       : "3.0"; },
       "the labels are numbers, but for 'python' (row 8): each is a class"},
      {[](int i) { return i % 3 == 0   ? "<=50K"
                          : i % 3 == 1 ? ">50K"
                                       : "<=50K."; },
       "the labels '<=50K' and '<=50K.' differ by the dot at its end alone, and are two classes"},
      {[](int i) { return i % 3 == 0   ? "Yes"
                          : i % 3 == 1 ? "no"
                                       : "yes"; }, "differ by the case of its letters alone"},
      {[](int i) { return i % 2 == 0 ? "caf\u00E9" : "cafe\u0301"; }, "differ by how its accents are encoded alone"},
      {[](int i) { return i % 2 == 0 ? "\u1EBFm" : "\u00EA\u0301m"; }, "differ by how its accents are encoded alone"},
      {[](int i) { return i % 2 == 0 ? "th\u00E9 vert" : "th\u00E9\u00A0vert"; },
       "differ by the kind of its blanks alone"},
      {[](int i) { return i % 2 == 0 ? "vert" : "ver\u200Bt"; }, "differ by the kind of its blanks alone"},
      {[](int i) { return i % 2 == 0 ? "3.1" : "3.10"; },
       "the labels '3.1' and '3.10' are one number, and two classes: labels are texts here"},
      {[](int i) { return i % 2 == 0 ? "caf\u00E9" : "cafe"; }, ""},
      // Classes.
      {[](int i) { return std::to_string(i * 7 % 10); }, ""},
      {[](int i) { return std::to_string(1 + i % 20); }, ""},
      {[](int i) { return std::string(1, static_cast<char>('a' + i % 26)); }, ""},
      {[](int i) { return std::string(1, static_cast<char>((i % 2 == 0 ? 'a' : 'A') + i % 26)); }, ""},
      {[](int i) { return i % 5 == 0 ? "9" : std::string(1, static_cast<char>('a' + i % 20)); }, ""},
      {[](int i) { return i % 2 == 0 ? "1" : "1.0e1"; }, ""},
  };
  for (const auto& [label, expected] : cases) {
    const std::string text = table(400, label);
    const Said said = said_of(text);
    if (label(0).starts_with("1,")) continue;
    EXPECT_EQ(said.error, "") << label(1);
    EXPECT_EQ(said.rows, 400u) << label(1);
    if (*expected == '\0') {
      EXPECT_EQ(said.notes, "") << label(1);
    } else {
      EXPECT_TRUE(has(said.notes, expected)) << label(1);
    }
    EXPECT_EQ(said_of(text, {.labels = {.any_value = true}}).notes, "") << label(1);
  }
}

std::string jsonl(int rows, const Label& label) {
  std::string text;
  for (int i = 0; i < rows; ++i) text += "{\"a\": " + std::to_string(i % 13) + ", \"y\": \"" + label(i) + "\"}\n";
  return text;
}
std::string arff(int rows, const Label& label) {
  std::string text = "@relation r\n@attribute a numeric\n@attribute worth string\n@data\n";
  for (int i = 0; i < rows; ++i) text += std::to_string(i % 13) + ",'" + label(i) + "'\n";
  return text;
}
std::string libsvm(int rows, const Label& label) {
  std::string text;
  for (int i = 0; i < rows; ++i) text += label(i) + " 1:" + std::to_string(i % 13) + "\n";
  return text;
}
std::string vw(int rows, const Label& label) {
  std::string text;
  for (int i = 0; i < rows; ++i) text += label(i) + " |f a:" + std::to_string(i % 13) + "\n";
  return text;
}

// A format whose labels are texts, or numbers, keeps them apart, or together, whatever reads it.
TEST(LabelDoubts, TextsAreClassesAndSpellingsOfANumberAreOneClass) {
  using Write = std::string (*)(int, const Label&);
  const Names texts = {"3.1", "3.10", "+3.1", "007", "7", "1e2", "100", "9007199254740993", "9007199254740992"};
  const Label label = [&](int i) { return texts[static_cast<std::size_t>(i) % texts.size()]; };
  for (const Write write : std::initializer_list<Write>{table, jsonl, arff}) {
    const Reading found = read_text(write(90, label));
    EXPECT_EQ(found.schema.labels.names.size(), texts.size()) << write(1, label) << found.error.message();
    for (const std::uint64_t rows : found.report.class_rows) EXPECT_EQ(rows, 10U) << write(1, label);
  }
  for (const Write write : std::initializer_list<Write>{libsvm, vw}) {
    const Reading found = read_text(write(90, label));
    EXPECT_EQ(found.schema.labels.names, (Names{"3.1", "007", "1e2", "9007199254740992", "9007199254740993"}));
    EXPECT_EQ(found.report.class_rows, (std::vector<std::uint64_t>{30, 20, 20, 10, 10}));
    EXPECT_TRUE(
        has(said_of(write(90, label)).notes, "the labels '3.1', '3.10' and '+3.1' are one number, and one class"));
    EXPECT_EQ(said_of(write(90, [](int i) { return i % 3 == 0 ? "+1" : i % 3 == 1 ? "1" : "-1"; })).notes, "");
  }
  // Numbers where they are written as numbers.
  const auto numbers = [](int i) { return std::string(i % 3 == 0 ? "1" : i % 3 == 1 ? "1.0" : "0.1e2"); };
  std::string of_json, of_arff = "@relation r\n@attribute a numeric\n@attribute worth numeric\n@data\n";
  for (int i = 0; i < 30; ++i) {
    of_json += "{\"a\": " + std::to_string(i % 13) + ", \"y\": " + numbers(i) + "}\n";
    of_arff += std::to_string(i % 13) + "," + numbers(i) + "\n";
  }
  for (const std::string& text : {of_json, of_arff})
    EXPECT_EQ(read_text(text).schema.labels.names, (Names{"1", "10"})) << text.substr(0, 60);
  std::vector<double> values(30);
  std::vector<std::int64_t> labels;
  for (int i = 0; i < 30; ++i) labels.push_back(9007199254740992 + i % 2);
  const Folder folder;
  ReadOptions options{.path = folder.write("X.npy", shaped("<f8", "(30, 1)", npy_bytes(values)))};
  folder.write("y.npy", shaped("<i8", "(30,)", npy_bytes(labels)));
  EXPECT_EQ(read_all(options).schema.labels.names, (Names{"9007199254740992", "9007199254740993"}));
}

// In a bad row, with its place: predictions are a label a line.
TEST(LabelDoubts, NoLabelHasALineBreak) {
  const auto label = [](const char* broken) {
    return [broken](int i) { return i % 3 == 0 ? std::string("a") : i % 3 == 1 ? "c" : broken; };
  };
  for (const std::string& text : {table(30, label("\"b\nc\"")), jsonl(30, label("b\\nc")), jsonl(30, label("b\\rc"))}) {
    EXPECT_TRUE(has(said_of(text).error, "has a line break, and predictions are a label a line"));
    EXPECT_EQ(read_text(text, {.on_error = OnError::skip}).report.rows, 20U) << text.substr(0, 60);
  }
}

TEST(LabelDoubts, AreErrorsOfManyValuesBeforeARowIsGiven) {
  using Write = std::string (*)(int, const Label&);
  for (const Write write : std::initializer_list<Write>{table, jsonl, arff, libsvm, vw}) {
    for (const Label& label : {Label(fraction), Label([](int i) { return std::to_string(i * 7919 % 1500); })}) {
      const std::string text = write(1500, label);
      const Said said = said_of(text);
      EXPECT_TRUE(has(said.error, "different values in 1500 rows, all of them numbers: it looks like a quantity"))
          << text.substr(0, 60);
      EXPECT_EQ(said.rows, 0u);
      EXPECT_EQ(said_of(text, {.labels = {.any_value = true}}).error, "") << text.substr(0, 60);
    }
  }
  EXPECT_TRUE(has(said_of(table(1500, [](int i) { return "row" + std::to_string(i); })).error, "it names the rows"));
}

TEST(LabelDoubts, AreErrorsOfArraysAndRowsInMemory) {
  std::vector<double> values, labels;
  MemoryData data;
  for (int i = 0; i < 1000; ++i) {
    values.push_back(i % 13);
    labels.push_back(i * 0.25);
    const double row[] = {1.0 * (i % 13)};
    data.add(std::to_string(i * 0.25), row);
  }
  const Folder folder;
  ReadOptions options{.path = folder.write("X.npy", shaped("<f8", "(1000, 1)", npy_bytes(values)))};
  folder.write("y.npy", shaped("<f8", "(1000,)", npy_bytes(labels)));
  EXPECT_TRUE(has(read_all(options).error.message(), "it looks like a quantity"));
  EXPECT_TRUE(has(read_all({.rows = &data}).error.message(), "it looks like a quantity"));
}

// Of more rows than are looked at first, names may be classes; a quantity is one.
TEST(LabelDoubts, AreOfTheFirstRowsWhereThereAreMore) {
  ReadOptions options{.inference_rows = 200};
  const auto names = [](int i) { return "n" + std::to_string(i % 150); };
  const Said few = said_of(table(3000, names), options);
  EXPECT_TRUE(has(few.notes, "has 150 different values in the first 200 rows: it names the rows"));
  EXPECT_EQ(few.error, "");
  EXPECT_TRUE(has(said_of(table(3000, [](int i) { return "n" + std::to_string(i); }), options).error,
                  "in the first 200 rows: it names the rows"));
  EXPECT_TRUE(has(said_of(table(3000, fraction), options).error, "in the first 200 rows"));
  options.labels.scan_all = true;
  EXPECT_TRUE(has(said_of(table(3000, fraction), options).error, "in the first 200 rows"));
  EXPECT_TRUE(has(said_of(table(3000, [](int i) { return i < 200 ? "a" : std::to_string(i) + ".5"; }), options).error,
                  "it names the rows"));
}

TEST(LabelDoubts, ThousandsOfFewRowsEachAreNames) {
  const auto names = [](int count) { return [count](int i) { return "n" + std::to_string(i * 7919 % count); }; };
  EXPECT_TRUE(has(said_of(table(9000, names(1500))).error,
                  "has 1500 different values in 9000 rows, fewer than 20 rows "
                  "each: it looks like a name"));
  EXPECT_EQ(said_of(table(9000, names(400))).error, "") << "fewer classes";
  EXPECT_TRUE(lacks(said_of(table(9000, names(400))).notes, "looks like a name"));
  // The first rows of many tell less.
  ReadOptions options{.inference_rows = 6000};
  const Said few = said_of(table(30'000, names(1100)), options);
  EXPECT_EQ(few.error, "");
  EXPECT_TRUE(has(few.notes, "in the first 6000 rows, fewer than 20 rows each"));
  EXPECT_TRUE(has(said_of(table(30'000, names(2000)), options).error, "it looks like a name"));
  options.labels.any_value = true;
  EXPECT_EQ(said_of(table(30'000, names(2000)), options).error, "");
}

TEST(LabelDoubts, ManyClassesThatAreNumbersAreClasses) {
  // 1,000 classes of as many rows; and numbers whose rows follow no rule.
  EXPECT_EQ(said_of(libsvm(20'000, [](int i) { return std::to_string(i % 500); })).error, "");
  const auto uneven = [](int i) {
    const int k = i * 7919 % 4001 % 300;
    return std::to_string(k % 7 == 0 ? k * 31 % 300 : k / 40 * 7 * 31 % 300);
  };
  EXPECT_EQ(said_of(libsvm(9000, uneven)).error, "");
}

TEST(LabelDoubts, SayOfAnUnknownLabelWhatItDiffersBy) {
  Schema model = read_text(table(40, [](int i) { return i % 2 == 0 ? "<=50K" : ">50K"; })).schema;
  ReadOptions options{.schema = &model};
  const struct {
    const char *label, *hint;
  } cases[] = {{"<=50K.", "it differs from '<=50K' by the dot at its end alone: write it so, such as with sed"},
               {">50k", "it differs from '>50K' by the case of its letters alone"},
               {"none", "the labels are '<=50K', '>50K'"}};
  for (const auto& [label, hint] : cases) {
    const Reading outcome = read_text("a,b,worth\n1,x," + std::string(label) + "\n", options);
    ASSERT_TRUE(outcome.failed) << label;
    EXPECT_TRUE(outcome.error.hint().starts_with(hint)) << outcome.error.hint();
  }
}

TEST(LabelDoubts, OneRowHasOneLabel) {
  const Reading outcome = read_text("1,3 1:2\n2 1:1\n");
  EXPECT_EQ(outcome.error.message(), "'1,3' are several labels, and a row has one");
  EXPECT_EQ(outcome.error.column(), 1u);
  EXPECT_TRUE(has(outcome.error.hint(), "awk"));
}

}  // namespace

}  // namespace halfspace
