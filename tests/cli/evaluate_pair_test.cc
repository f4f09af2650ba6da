// halfspace evaluate with two models, as a user meets it.

#include "cli/run.h"

namespace halfspace::cli_tests {
namespace {

class EvaluatePair : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    ASSERT_EQ(
        sh("head -491 " + sample() + " >d.csv; (head -1 " + sample() + "; tail -200 " + sample() + ") >t.csv").code, 0);
    train("good", "--rule arow --normalize column");
    train("poor", "--rule perceptron --passes 1");
  }
  void train(const std::string& model, const std::string& flags) const {
    ASSERT_TRUE(ends(0, "train d.csv --id applicant -q -o " + model + " " + flags));
  }
  std::string predicted(const std::string& model) const { return halfspace("predict " + model + " t.csv").out; }
};

// The counts of rows are those of the predictions, and p is the binomial tail of the rows where one is right.
TEST_F(EvaluatePair, CountsTheRowsThatOneOfThemGetsRight) {
  const Output output = halfspace("evaluate good poor t.csv --json");
  ASSERT_EQ(output.code, 0) << output.err;
  const Json j = Json::parse(output.out);
  std::istringstream truth(read("t.csv")), first(predicted("good")), second(predicted("poor"));
  std::string row, a, b;
  std::getline(truth, row);
  int count[2][2] = {{0, 0}, {0, 0}};
  while (std::getline(truth, row)) {
    const std::string label = row.substr(row.rfind(',') + 1);
    ASSERT_TRUE(std::getline(first, a) && std::getline(second, b));
    ++count[a == label][b == label];
  }
  EXPECT_EQ(j["both_right"], count[1][1]);
  EXPECT_EQ(j["only_first_right"], count[1][0]);
  EXPECT_EQ(j["only_second_right"], count[0][1]);
  EXPECT_EQ(j["both_wrong"], count[0][0]);
  const int n = count[1][0] + count[0][1], least = std::min(count[1][0], count[0][1]);
  double choose = 1, tail = 0;
  for (int k = 0; k <= least; ++k) {
    tail += choose * std::ldexp(1.0, 1 - n);
    choose = choose * (n - k) / (k + 1);
  }
  EXPECT_NEAR(j["test"]["p_value"].get<double>(), std::min(1.0, tail), 1e-12);
  EXPECT_EQ(j["better"], "good");
  EXPECT_EQ(j["significant"], true);
  const Json alone = json_of("evaluate poor t.csv");
  EXPECT_EQ(j["models"][1]["model"], "poor");
  for (const char* key : {"metrics", "confusion", "expected_error"}) EXPECT_EQ(j["models"][1][key], alone[key]) << key;
}

TEST_F(EvaluatePair, SaysWhichIsBetterLast) {
  const std::string text = halfspace("evaluate poor good t.csv").out;
  const std::string last = text.substr(text.rfind('\n', text.size() - 2) + 1);
  EXPECT_EQ(last.find("  better       good: significantly better than poor (p"), 0U) << text;
  const std::string same = halfspace("evaluate good good t.csv").out;
  EXPECT_TRUE(has(same, "neither: both are right on equally many rows"));
  const std::string learned = halfspace("evaluate good poor d.csv").out;
  EXPECT_TRUE(has(learned, "not tested: good was trained on these rows"));
}

TEST_F(EvaluatePair, NeedsTheSameRowsForBoth) {
  const auto refused = [&](const std::string& arguments, const std::string& reason) {
    const Output output = halfspace("evaluate " + arguments);
    EXPECT_NE(output.code, 0);
    EXPECT_TRUE(has(output.err, reason, "fix: "));
  };
  refused("good poor", "no rows to evaluate them on");
  refused("good poor good t.csv", "two models, not more");
  refused("good poor -", "standard input can be read once");
  // A model of another column rejects a row that the first reads.
  ASSERT_EQ(
      sh("printf 'a,b,y\\n1,2,p\\n3,1,n\\n2,5,p\\n4,1,n\\n' >s.csv; printf 'a,b,y\\n1,x,p\\n3,1,n\\n2,5,p\\n' >u.csv")
          .code,
      0);
  ASSERT_EQ(halfspace("train s.csv --rule pa1 -q -o both && \"$H\" train s.csv --rule pa1 --drop b -q -o one").code, 0);
  refused("both one u.csv --on-error skip", "the models read different rows: 2 and 3");
}

}  // namespace
}  // namespace halfspace::cli_tests
