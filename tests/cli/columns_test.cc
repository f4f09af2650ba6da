// Features made from columns, by flags: from training to prediction.

#include "cli/run.h"

namespace halfspace::cli_tests {
namespace {

class ColumnsTest : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    std::string csv = "when,message,size,colour,y\n";
    const char* const words[] = {"free", "Call", "now", "prize", "home", "love"};
    for (int i = 0; i < 300; ++i) {
      const bool spam = i * 7 % 5 < 2;
      std::string message = std::string(words[i % 3 + (spam ? 0 : 3)]) + ", " + words[i * i % 6];
      csv += "2026-0" + std::to_string(1 + i % 9) + "-1" + std::to_string(i % 10) + ",\"" + message + "\"," +
             std::to_string(i % 17) + "," + (i % 4 == 0 ? "red" : "blue") + (spam ? ",spam\n" : ",ham\n");
    }
    write("d.csv", csv);
  }
};

const char* const every_flag =
    "--text message --ngrams 2 --dates when --interactions size:colour,size:size --on-error stop ";

TEST_F(ColumnsTest, AModelKnowsThemToTheEnd) {
  const std::string train = std::string("train d.csv -q ") + every_flag;
  EXPECT_EQ(halfspace(train + "--order shuffled --passes 3 -o m").code, 0);
  EXPECT_TRUE(has(halfspace("inspect m --json").out, "message^free", "message^call home", "when.year",
                  "when.weekday=Mon", "size:colour=red", "size:size"));
  const Output predicted = halfspace("predict m d.csv");
  EXPECT_EQ(predicted.code, 0) << predicted.err;
  EXPECT_EQ(std::count(predicted.out.begin(), predicted.out.end(), '\n'), 300);
  EXPECT_EQ(halfspace("evaluate m d.csv").code, 0);
  EXPECT_EQ(halfspace(std::string("check d.csv ") + every_flag).code, 0);
  EXPECT_EQ(halfspace(train + "--folds 3 --search rate=0.1..1").code, 0);
  // Threads make no difference, nor does a cache.
  EXPECT_EQ(halfspace(train + "--threads 1 -o a").code, 0);
  EXPECT_EQ(halfspace(train + "--threads 3 -o b").code, 0);
  EXPECT_EQ(read("a"), read("b"));
  EXPECT_EQ(halfspace(std::string("convert d.csv d.cache ") + every_flag).code, 0);
  EXPECT_EQ(halfspace("train d.cache -q -o c").code, 0);
  EXPECT_EQ(read("c"), read("a"));
}

// A column whose first text comes late is categorical once enough rows are looked at.
TEST_F(ColumnsTest, InferenceRowsReachAsFarAsAsked) {
  std::string csv = "size,y\n";
  for (int i = 0; i < 12'000; ++i)
    csv += (i == 11'000 ? "large" : std::to_string(i % 3)) + (i % 2 == 0 ? ",a\n" : ",b\n");
  write("late.csv", csv);
  EXPECT_TRUE(ends(65, "train late.csv -q -o m", "'large' in column 'size' is not a number"));
  EXPECT_EQ(halfspace("train late.csv -q --inference-rows 12000 -o m").code, 0);
  EXPECT_TRUE(has(halfspace("inspect m --all").out, "size=large"));
  EXPECT_EQ(halfspace("check late.csv --inference-rows 0").code, 2);
}

TEST_F(ColumnsTest, ABrokenOffRunGoesOnToTheSameBits) {
  for (const std::string values : {"counts", "tf-idf"}) {
    const std::string flags = std::string("-q --order stream ") + every_flag + "--text-values " + values;
    EXPECT_EQ(halfspace("train d.csv " + flags + " -o whole").code, 0);
    EXPECT_EQ(halfspace("train d.csv " + flags + " --updates 40 -o part").code, 0);
    EXPECT_EQ(halfspace("train d.csv -q --resume part -o resumed").code, 0);
    EXPECT_EQ(read("resumed"), read("whole"));
  }
}

TEST_F(ColumnsTest, WhatCannotBeIsRefusedByName) {
  EXPECT_EQ(halfspace(std::string("train d.csv -q -o m ") + every_flag).code, 0);
  const auto refused = [&](const std::string& line, const std::string& why) {
    const Output output = halfspace(line);
    EXPECT_NE(output.code, 0) << line;
    EXPECT_TRUE(has(output.err, why)) << line;
  };
  refused("train d.csv --ngrams 2", "--ngrams does nothing without --text");
  refused("train d.csv --text-values binary", "--text-values does nothing without --text");
  refused("train d.csv --date-order dmy", "--date-order does nothing without --dates");
  refused("certify d.csv --text message", "cannot certify the tokens of a text");
  refused("certify d.csv --dates when", "cannot certify the parts of dates");
  refused("certify d.csv --interactions size:colour", "cannot certify a product of columns");
  refused("export m -o m.pmml", "PMML's regression takes columns unchanged");
  refused("export m -o m.sql", "it reads dates from 'when'");
  refused("export m -o m.c", "it derives features from 'message'");
  refused("export m -o m.onnx --table t", "--table is of SQL, and the format is onnx");
  refused("export m -o m.sql --function f", "--function is of C, and the format is sql");
  refused("export m -o m.txt", "names no format");
  refused("train d.csv --text y --label y", "cannot be --label and --text");
  refused("train d.csv --dates size", "is not a date");
  refused("train d.csv --resume m --ngrams 3 --text message", "makes features of the text 'message' in its own way");
  EXPECT_EQ(halfspace("export m -o m.onnx").code, 0);
  write("d.vw", "1 |a x y\n-1 |b z\n");
  refused("train d.vw --interactions ab", "no pair of namespaces");
  refused("train d.vw --dates a", "columns can be named in CSV, ARFF, JSON Lines");
  const Output piped = sh("cat d.csv | \"$H\" train - -q --text message --text-values tf-idf");
  EXPECT_EQ(piped.code, 2);
  EXPECT_TRUE(has(piped.err, "a pipe can be read only once"));
}

}  // namespace
}  // namespace halfspace::cli_tests
