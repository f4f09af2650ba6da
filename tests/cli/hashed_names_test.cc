// Hashed names by flags: from training to prediction, and what is said of names that share a feature.

#include "cli/run.h"

namespace halfspace::cli_tests {
namespace {

class HashedNamesTest : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    std::string vw;
    for (int i = 0; i < 600; ++i) {
      const bool good = i * 7 % 5 < 2;
      vw += std::string(good ? "1" : "-1") + " |user u" + std::to_string(i * i % 97) + " |item " +
            (good ? "boots" : "drill") + " n" + std::to_string(i) + "\n";
    }
    write("d.vw", vw);
    write("d.csv", "c,n,y\nred,1,a\nblue,2,b\nred,,a\ngreen,4,b\n");
  }
};

TEST_F(HashedNamesTest, AModelKnowsThemToTheEnd) {
  const std::string flags = "--hash 12 --hash-names 20 --interactions user:item ";
  const std::string train = "train d.vw -q " + flags;
  ASSERT_TRUE(prints(train + "--rule perceptron -o m", "names to 2^12 features, ", "of 20 names kept ",
                     " of all names are expected to"));
  EXPECT_TRUE(has(halfspace("inspect m --top 3").out, "item^boots", "names to 2^12 features"));
  EXPECT_TRUE(has(halfspace("inspect m --all").out, "hash:"));
  EXPECT_TRUE(has(halfspace("inspect m --json").out, "\"names_kept\": 20"));
  EXPECT_EQ(halfspace("evaluate m d.vw").code, 0);
  const Output predicted = halfspace("predict m d.vw");
  EXPECT_EQ(std::count(predicted.out.begin(), predicted.out.end(), '\n'), 600);
  // No name is unknown.
  write("new.vw", "1 |user nobody |item boots\n-1 |user other |item drill\n");
  const Output later = halfspace("predict m new.vw");
  EXPECT_EQ(later.out, "1\n-1\n");
  EXPECT_EQ(later.err, "");
  // Threads make no difference, nor do a cache and a run in two parts.
  EXPECT_EQ(halfspace(train + "--rule perceptron --threads 1 -o a").code, 0);
  EXPECT_EQ(halfspace(train + "--rule perceptron --threads 3 -o b").code, 0);
  EXPECT_EQ(read("a"), read("b"));
  EXPECT_EQ(halfspace("convert d.vw d.cache " + flags).code, 0);
  EXPECT_EQ(halfspace("train d.cache -q --rule perceptron -o c").code, 0);
  EXPECT_EQ(read("c"), read("a"));
  EXPECT_EQ(halfspace("predict m d.cache").out, predicted.out);
  EXPECT_EQ(halfspace("train d.vw -q --resume m -o r").code, 0);
  EXPECT_EQ(halfspace("export m -o m.onnx").code, 0);
}

TEST_F(HashedNamesTest, TheDefaultLearnsFromThem) {
  ASSERT_TRUE(prints("train d.vw --hash 10 --json -o m", "\"bits\": 10", "\"features\": 1024",
                     "\"in_use\": ", "\"expected_sharing\": "));
  EXPECT_TRUE(ends(0, "train d.csv --label y --hash 6 -q -o t"));
  EXPECT_TRUE(has(halfspace("inspect t --all").out, "c=green"));
}

TEST_F(HashedNamesTest, ACheckReportsTheTable) {
  EXPECT_TRUE(prints("check d.csv --label y --hash 18", "names to 2^18 features, 3 in use"));
  EXPECT_TRUE(has(halfspace("check d.vw --hash 18 --json").out, "\"bits\": 18"));
}

TEST_F(HashedNamesTest, WhatDoesNotGoWithThemIsRefused) {
  ASSERT_EQ(halfspace("train d.vw -q --hash 10 --rule perceptron -o m").code, 0);
  ASSERT_EQ(halfspace("train d.csv --label y -q --hash 10 --rule perceptron -o t").code, 0);
  const auto refused = [&](const std::string& command, const std::string& what) {
    const Output output = halfspace(command);
    EXPECT_NE(output.code, 0) << command;
    EXPECT_TRUE(has(output.err, what));
  };
  refused("train d.vw -q --hash 0 -o x", "--hash");
  refused("train d.vw -q --hash 31 -o x", "--hash");
  refused("train d.vw -q --hash-names 3 -o x", "--hash");
  refused("train d.vw -q --resume m --hash 11 -o x", "hashes names to 2^10 features");
  refused("train d.csv --label y -q --text c --text-values tf-idf --hash 10 -o x", "tf-idf");
  refused("certify d.csv --label y --hash 10", "cannot certify hashed names");
  refused("export t -o t.pmml", "hashes names");
  refused("convert d.vw d.cache --hash 31", "--hash");
}

}  // namespace
}  // namespace halfspace::cli_tests
