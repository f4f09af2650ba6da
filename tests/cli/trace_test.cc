// halfspace train --trace text: the run round by round.
#include "cli/run.h"

namespace halfspace::cli_tests {
namespace {

using Trace = CommandTest;

// The trace as text is what one computes by hand: two rows, w = (0, 0, 0), and a bias.
TEST_F(Trace, IsTheRunByHand) {
  write("d.csv", "a,b,class\n1,2,no\n3,0.5,yes\n");
  const Output output = halfspace("train d.csv --preset batch --trace text");
  ASSERT_EQ(output.code, 0) << output.err;
  EXPECT_EQ(output.out.substr(0, output.out.find("\n\n") + 1),
            "  round  row  a    b   y  score  update  w a   w b  w bias\n"
            "      1    1  1    2  -1      0       *   -1    -2      -1\n"
            "      2    2  3  0.5  +1     -5       *    2  -1.5       0\n"
            "      3    1  1    2  -1     -1            2  -1.5       0\n"
            "      4    2  3  0.5  +1   5.25            2  -1.5       0\n");
  EXPECT_FALSE(std::filesystem::exists(path("text")));
  EXPECT_TRUE(lacks(halfspace("train d.csv --preset batch --trace text --bias none").out, "w bias"));
  // With a keeper, its weights after each round as well.
  const std::string averaged =
      halfspace("train d.csv --rule perceptron --keep average --order cyclic --passes 2 --trace text --bias none").out;
  EXPECT_EQ(averaged.substr(0, averaged.find("\n\n") + 1),
            "  round  row  a    b   y  score  update  w a   w b  average a  average b\n"
            "      1    1  1    2  -1      0       *   -1    -2         -1         -2\n"
            "      2    2  3  0.5  +1     -4       *    2  -1.5        0.5      -1.75\n"
            "      3    1  1    2  -1     -1            2  -1.5          1   -1.66667\n"
            "      4    2  3  0.5  +1   5.25            2  -1.5       1.25     -1.625\n");
  EXPECT_TRUE(has(halfspace("train d.csv --preset pocket --updates 2 --trace text").out, "pocket a"));
  // Of a vote the sum: each vector as often as rounds ended with it, by its sign on the row.
  const std::string voted =
      halfspace("train d.csv --rule perceptron --keep vote --order cyclic --passes 2 --trace text --bias none").out;
  EXPECT_EQ(voted.substr(0, voted.find("\n\n") + 1),
            "  round  row  a    b   y  score  update  w a   w b  vote\n"
            "      1    1  1    2  -1      0       *   -1    -2    -1\n"
            "      2    2  3  0.5  +1     -4       *    2  -1.5    +0\n"
            "      3    1  1    2  -1     -1            2  -1.5    -3\n"
            "      4    2  3  0.5  +1   5.25            2  -1.5    +2\n");
  EXPECT_EQ(halfspace("train d.csv --preset batch --trace ./text").code, 0);
  EXPECT_TRUE(std::filesystem::exists(path("text")));
}

TEST_F(Trace, IsForSmallRuns) {
  write("d.svm", separable());
  EXPECT_TRUE(has(halfspace("train d.svm --preset batch --trace text").out,
                  "  the first 200 of 280 rounds; --trace FILE writes all"));
  write("wide.svm", "+1 1:1 2:1\n-1 7:1\n");
  EXPECT_TRUE(
      ends(2, "train wide.svm --preset batch --trace text -o m", "shows at most 6 features, and row 2 has number 7"));
  EXPECT_FALSE(std::filesystem::exists(path("m")));
  EXPECT_EQ(halfspace("train d.svm --trace text --json").code, 2);
  EXPECT_EQ(halfspace("train d.svm --rule kernel --kernel linear --trace text").code, 2);
  write("three.svm", "1 1:1\n2 2:1\n3 1:1 2:1\n");
  EXPECT_EQ(halfspace("train three.svm --rule multiclass --trace text").code, 2);
}

}  // namespace
}  // namespace halfspace::cli_tests
