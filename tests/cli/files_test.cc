// Several files as one stream, as a user names them.
#include <algorithm>
#include <string>

#include "cli/run.h"

namespace halfspace::cli_tests {
namespace {

class ManyFiles : public CommandTest {
 protected:
  // credit.csv in four parts, of which one is packed; the names are not in the order of their rows.
  void SetUp() override {
    CommandTest::SetUp();
    const std::string text = slurp(sample());
    write("all.csv", text);
    const Output made =
        sh("head -n 1 all.csv >head; tail -n +2 all.csv >rows\n"
           "for part in 1:1,200 2:201,350 3:351,351 4:352,690; do\n"
           "  { cat head; sed -n \"${part#*:}p\" rows; } >part-${part%%:*}.csv\n"
           "done\n"
           "gzip -c part-2.csv >x && mv x part-2.csv\n"
           "printf %s \"$(cat part-3.csv)\" >x && mv x part-3.csv && rm head rows");
    ASSERT_EQ(made.code, 0) << made.err;
  }
};

TEST_F(ManyFiles, LearnPredictAndConvertAsTheOneFile) {
  ASSERT_EQ(halfspace("train all.csv -o whole --passes 3 --holdout 0.2 -q").code, 0);
  for (const std::string data :
       {"part-1.csv part-2.csv part-3.csv part-4.csv", "'part-?.csv'", "part-1.csv 'part-[2-4].csv'"}) {
    SCOPED_TRACE(data);
    ASSERT_EQ(halfspace("train " + data + " -o parts --passes 3 --holdout 0.2 -q --threads 2").code, 0);
    EXPECT_EQ(read("parts"), read("whole"));
    const Output predicted = halfspace("predict whole " + data + " --keep applicant --scores");
    EXPECT_EQ(predicted.code, 0) << predicted.err;
    EXPECT_EQ(predicted.out, halfspace("predict whole all.csv --keep applicant --scores").out);
    EXPECT_EQ(halfspace("evaluate whole " + data + " --json").out, halfspace("evaluate whole all.csv --json").out);
    EXPECT_EQ(halfspace("convert " + data + " cache").code, 0);
    ASSERT_EQ(halfspace("train cache -o cached --passes 3 --holdout 0.2 -q").code, 0);
    EXPECT_EQ(read("cached"), read("whole"));
    const std::string chosen = " --rule pa1 --search aggressiveness=0.1,1 --folds 3 -q -o ";
    ASSERT_EQ(halfspace("train " + data + chosen + "f").code, 0);
    ASSERT_EQ(halfspace("train all.csv" + chosen + "g").code, 0);
    EXPECT_EQ(read("f"), read("g"));
  }
  ASSERT_EQ(halfspace("train all.csv -o once -q").code, 0);
  const Output piped = sh("cat part-1.csv | \"$H\" train - part-2.csv part-3.csv part-4.csv -o piped -q");
  EXPECT_EQ(piped.code, 0) << piped.err;
  EXPECT_EQ(read("piped"), read("once"));
  const Output checked = halfspace("check 'part-*.csv' --json");
  EXPECT_NE(checked.out.find("\"compression\": \"mixed\""), std::string::npos) << checked.out;
}

TEST_F(ManyFiles, ResumeOverTheSameFiles) {
  ASSERT_EQ(halfspace("train 'part-*.csv' --preset cyclic-pla --updates 50 -o first -q").code, 0);
  ASSERT_EQ(halfspace("train 'part-*.csv' --resume first --updates 90 -o second -q").code, 0);
  ASSERT_EQ(halfspace("train all.csv --preset cyclic-pla --updates 50 -o one -q").code, 0);
  ASSERT_EQ(halfspace("train all.csv --resume one --updates 90 -o two -q").code, 0);
  EXPECT_EQ(read("second"), read("two"));
  const Output other = halfspace("train part-1.csv part-2.csv --resume first --updates 120 -o third -q");
  EXPECT_EQ(other.code, 65);
  EXPECT_NE(other.err.find("not the data this model was trained on"), std::string::npos) << other.err;
}

TEST_F(ManyFiles, PatternsThatMatchNothingAndNamesThatLookLikePatterns) {
  const Output none = halfspace("train part-1.csv 'none-*.csv'");
  EXPECT_EQ(none.code, 66);
  EXPECT_NE(none.err.find("none-*.csv: no file matches this pattern"), std::string::npos) << none.err;
  write("odd[1].csv", "a,y\n1,p\n2,q\n");
  write("odd1.csv", "a,y\n1,p\n2,q\n3,p\n");
  EXPECT_NE(halfspace("check 'odd[1].csv'").out.find("all 2 can be learned"), std::string::npos);
  EXPECT_EQ(halfspace("train part-1.csv missing.csv").code, 66);
  EXPECT_NE(halfspace("check").err.find("DATA is missing"), std::string::npos);
  const Output none_behind = halfspace("convert part-1.csv");
  EXPECT_NE(none_behind.err.find("CACHE is missing"), std::string::npos) << none_behind.err;
}

TEST_F(ManyFiles, NothingNamedIsOverwritten) {
  const std::string before = read("part-4.csv");
  const Output forgotten = halfspace("convert part-1.csv part-4.csv");
  EXPECT_EQ(forgotten.code, 2);
  EXPECT_NE(forgotten.err.find("is no cache"), std::string::npos) << forgotten.err;
  EXPECT_EQ(halfspace("train 'part-*.csv' -o part-4.csv").code, 2);
  EXPECT_EQ(halfspace("check part-1.csv part-2.csv --on-error skip --rejects part-2.csv").code, 2);
  EXPECT_EQ(read("part-4.csv"), before);
}

TEST_F(ManyFiles, WhatIsAboutOneFileSaysSo) {
  for (const std::string line :
       {"certify 'part-*.csv'", "certify part-1.csv part-2.csv --pairs", "train 'part-*.csv' --certify"}) {
    const Output refused = halfspace(line);
    EXPECT_EQ(refused.code, 2) << line;
    EXPECT_NE(refused.err.find("one file"), std::string::npos) << refused.err;
  }
  ASSERT_EQ(halfspace("convert part-1.csv cache").code, 0);
  EXPECT_NE(halfspace("train part-2.csv cache").err.find("cache: is a cache, which is read alone"), std::string::npos);
  EXPECT_EQ(sh("cat part-1.csv | \"$H\" train part-2.csv - --folds 3").code, 2) << "a pipe is gone after one reading";
}

TEST_F(ManyFiles, BadRowsAreNamedWithTheirFiles) {
  write("a.csv", "x,y\n1,p\n2,q\n");
  write("b.csv", "x,y\n\n1,p\nbad,q\n4,p\n");
  const Output skipped = halfspace("train a.csv b.csv -o m -q --numeric x --on-error skip --rejects r");
  ASSERT_EQ(skipped.code, 0) << skipped.err;
  EXPECT_NE(read("r").find("b.csv,4,1,"), std::string::npos) << read("r");
  const Output rows = halfspace("predict m a.csv b.csv --as csv --on-error skip");
  EXPECT_NE(rows.out.find("4,,\"b.csv, line 4, byte 1: "), std::string::npos) << rows.out;
  EXPECT_EQ(std::count(rows.out.begin(), rows.out.end(), '\n'), 6);
  const Output stopped = halfspace("evaluate m a.csv b.csv");
  EXPECT_EQ(stopped.code, 65);
  EXPECT_NE(stopped.err.find("b.csv:4:1: "), std::string::npos) << stopped.err;
}

}  // namespace
}  // namespace halfspace::cli_tests
