// train --least-loss as users see it: the line, --json, the page, what it refuses, and that it goes on with a model.

#include "run.h"

namespace halfspace::cli_tests {
namespace {

// Rows of which every fifth is labelled the other way.
std::string noisy_rows(int rows) {
  std::string text;
  for (int i = 0; i < rows; ++i) {
    const double a = std::sin(i * 12.9898), b = std::cos(i * 78.233);
    const bool positive = (a + 0.5 * b > 0.1) != (i % 5 == 0);
    text += (positive ? "+1 1:" : "-1 1:") + std::to_string(a) + " 2:" + std::to_string(b) + "\n";
  }
  return text;
}

class LeastLossCommand : public CommandTest {
 protected:
  Json run(const std::string& flags) const {
    const Output output = halfspace("train d.svm --least-loss --json " + flags);
    EXPECT_EQ(output.code, 0) << output.err;
    return Json::parse(output.out);
  }
};

TEST_F(LeastLossCommand, IsSaidInALineInJsonAndOnThePage) {
  write("d.svm", noisy_rows(400));
  for (const std::string rule :
       {"ftrl", "nag", "coin", "tournament", "ftrl --loss hinge", "nag --loss squared-hinge"}) {
    SCOPED_TRACE(rule);
    const Json found = run("--rule " + rule).at("least_loss");
    const double bound = found.at("bound"), mean = found.at("mean"), norm = found.at("norm");
    EXPECT_EQ(found.at("rounds"), 400);
    EXPECT_EQ(found.at("weight"), 400);
    EXPECT_GT(bound, 0);
    EXPECT_LT(bound, mean);
    EXPECT_DOUBLE_EQ(mean, found.at("sum").get<double>() / 400);
    const double by_hand = (found.at("constant").get<double>() - norm * found.at("gradient_norm").get<double>()) / 400;
    EXPECT_NEAR(bound, by_hand, 1e-12);
    EXPECT_TRUE(found.at("norm_of_weights"));
  }
  const Output text = halfspace("train d.svm --rule nag --least-loss --least-loss-norm 1.5 --report page.html -q");
  EXPECT_TRUE(has(text.out, "least loss   no linear model with |w| <= 1.5 has mean log loss below 0."));
  EXPECT_TRUE(lacks(text.out, "|w| is the norm of the final weights"));
  EXPECT_TRUE(has(text.out, "proved, over 400 rounds"));
  const std::string page = read("page.html");
  EXPECT_TRUE(has(page, "No linear model with ‖w‖ ≤ 1.5 has a mean log loss below <strong>0.", "Least loss"));
}

TEST_F(LeastLossCommand, SaysWhatItIsAbout) {
  write("d.svm", noisy_rows(100));
  const auto line = [&](const std::string& flags) {
    const Output output = halfspace("train d.svm --least-loss -q " + flags);
    const std::size_t at = output.out.find("least loss");
    return at == std::string::npos ? output.err : output.out.substr(at, output.out.find('\n', at) - at);
  };
  EXPECT_TRUE(has(line("--rule nag"), "; |w| is the norm of the final weights, with the bias"));
  EXPECT_TRUE(has(line("--rule nag --normalize row"), "; w acts on rows after --normalize"));
  EXPECT_TRUE(has(line("--rule nag --normalize column"), "w acts on columns after --normalize"));
  EXPECT_TRUE(has(line("--rule nag --passes 3"), "over 300 rounds"));
  EXPECT_TRUE(has(line("--rule ftrl --l2 5"), "with its penalties below"));
  EXPECT_TRUE(has(line("--rule ftrl --least-loss-norm 1e9"), "no bound: nothing above 0 is proved for |w| <= 1e+09"));
  EXPECT_TRUE(has(line("--rule perceptron"), "--least-loss needs a rule with a convex loss"));
  write("three.svm", "1 1:1\n2 1:2\n3 2:1\n");
  EXPECT_TRUE(ends(2, "train three.svm --rule nag --least-loss", "needs two classes"));
  EXPECT_TRUE(has(halfspace("train d.svm --rule nag --least-loss-norm 1").err, "--least-loss"));
  EXPECT_TRUE(lacks(halfspace("train d.svm --rule nag").out, "least loss"));
}

TEST_F(LeastLossCommand, GoesOnWithAModelBitForBit) {
  write("d.svm", noisy_rows(3000));
  for (const std::string rule : {"ftrl --l2 1", "nag --keep average", "tournament"}) {
    SCOPED_TRACE(rule);
    ASSERT_EQ(halfspace("train d.svm --least-loss --rule " + rule + " -q -o whole.model").code, 0);
    ASSERT_EQ(halfspace("train d.svm --least-loss --rule " + rule + " -q --updates 700 -o part.model").code, 0);
    const Output rest = halfspace("train d.svm --resume part.model --json -o rest.model");
    ASSERT_EQ(rest.code, 0) << rest.err;
    EXPECT_EQ(Json::parse(rest.out).at("least_loss").at("rounds"), 3000);
    EXPECT_EQ(read("rest.model"), read("whole.model"));
  }
  ASSERT_EQ(halfspace("train d.svm --rule nag -q --updates 700 -o plain.model").code, 0);
  EXPECT_TRUE(ends(2, "train d.svm --resume plain.model --least-loss", "the model to resume has no loss sums"));
}

// The figure of docs/bounds.md.
TEST_F(LeastLossCommand, BoundsTheLossOfA9a) {
  const char* const given = std::getenv("HALFSPACE_DATA");
  const std::filesystem::path folder =
      given != nullptr ? given : std::filesystem::path(HALFSPACE_SOURCE_DIR).parent_path() / "shared" / "data";
  const std::filesystem::path a9a = folder / "a9a" / "a9a";
  if (!std::filesystem::exists(a9a)) GTEST_SKIP() << "a9a is not here; set HALFSPACE_DATA to the folder of data sets";
  const Output output =
      halfspace("train '" + a9a.string() + "' --rule ftrl --alpha 0.1 --beta 0 --least-loss --least-loss-norm 4.62 -q");
  EXPECT_TRUE(
      has(output.out, "no linear model with |w| <= 4.62 has mean log loss below 0.3097; this run's was 0.3327"));
}

}  // namespace
}  // namespace halfspace::cli_tests
