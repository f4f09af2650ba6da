// The line that matters of train and evaluate: what to expect of new rows, or why nothing is said of them.
#include <fmt/format.h>

#include "cli/run.h"

namespace halfspace::cli_tests {
namespace {

class NewRowsCommand : public CommandTest {
 protected:
  Json json(const std::string& arguments) const {
    const Output output = halfspace(arguments + " --json");
    EXPECT_EQ(output.code, 0) << output.err;
    return output.code == 0 ? Json::parse(output.out) : Json();
  }
  // The first line of the ledger.
  std::string first_line(const std::string& arguments) const {
    const std::string out = halfspace(arguments + (arguments.starts_with("train") ? " -q" : "")).out;
    const std::size_t begin = out.find("  new rows ");
    EXPECT_TRUE(begin == 0 || (begin != std::string::npos && out.substr(begin - 2, 2) == "\n\n")) << out;
    return begin == std::string::npos ? "" : out.substr(begin, out.find('\n', begin) - begin);
  }
  void expect_none(const std::string& arguments, const std::string& why) const {
    const std::string line = first_line("train " + arguments);
    EXPECT_EQ(line.find("  new rows     no estimate: "), 0U) << line;
    EXPECT_EQ(line.find("--holdout 0.2 holds out rows") != std::string::npos,
              arguments.find("--holdout") == std::string::npos)
        << line;
    EXPECT_TRUE(has(line, why));
    const Json j = json("train " + arguments);
    EXPECT_TRUE(j["expected_error"].is_null());
    EXPECT_TRUE(has(j["no_expected_error"].get<std::string>(), why)) << j["no_expected_error"];
  }
};

TEST_F(NewRowsCommand, IsTheFirstLineAndTheSameInJson) {
  const std::string command = "train " + sample() + " --rule tournament --id applicant";
  const Json expected = json(command)["expected_error"];
  EXPECT_EQ(expected["of"], "learning");
  EXPECT_EQ(expected["rows"], 690);
  EXPECT_EQ(expected["confidence"], 0.95);
  EXPECT_FALSE(expected["assumption"].get<std::string>().empty());
  EXPECT_EQ(expected["error"], expected["errors"].get<double>() / 690);
  const std::string line = first_line(command);
  EXPECT_EQ(
      line.find(fmt::format("  new rows     {:.1f} % wrong, {:.1f} to {:.1f} % with 95 % confidence   if they are "
                            "like these 690",
                            100 * expected["error"].get<double>(), 100 * expected["lower"].get<double>() - 0.05,
                            100 * expected["upper"].get<double>() + 0.05)),
      0U)
      << line;
  const Json surer = json(command + " --confidence 0.999")["expected_error"];
  EXPECT_LT(surer["lower"], expected["lower"]);
  EXPECT_GT(surer["upper"], expected["upper"]);
  EXPECT_TRUE(has(first_line(command + " --confidence 0.999"), "99.9 % confidence"));
  EXPECT_EQ(halfspace(command + " --confidence 95").code, 2);
}

// The rate of a constant prediction stands below the line, and says which figure to report, once.
TEST_F(NewRowsCommand, HasTheConstantBesideIt) {
  const std::string out = halfspace("train " + sample() + " --id applicant -q").out;
  const std::size_t at = out.find("\n               report this; always approved: 39.71 % wrong\n  data ");
  EXPECT_NE(at, std::string::npos) << out;
  EXPECT_EQ(out.find("report this", at + 20), std::string::npos);
  EXPECT_TRUE(has(out, "\n  probability  the logistic function of the score\n"));
}

// Of the same rows: where rows are held out, of these.
TEST_F(NewRowsCommand, HasTheConstantOfTheRowsHeldOut) {
  const std::string command = "train " + sample() + " --id applicant --holdout 0.2 -q";
  const Json holdout = json(command)["holdout"];
  const double rows = holdout["rows"], constant = holdout["constant_errors"];
  EXPECT_EQ(constant, 51);
  const std::string said = halfspace(command).out;
  EXPECT_TRUE(
      has(said, fmt::format("\n               report this; always approved: {:.2f} % wrong\n", 100 * constant / rows)));
}

// Where the model errs more on what it was trained on, that error is not called too low.
TEST_F(NewRowsCommand, TrainingIsTooLowOnlyWhereItIsLower) {
  write("d.svm", "-1 1:-1\n+1 1:1\n-1 1:-1\n+1 1:1\n");
  const std::string said = halfspace("train d.svm --rule perceptron -q").out;
  EXPECT_TRUE(has(said, "0 of 4 rows wrong (0.00 %)   too low for new rows"));
  write("e.svm", "+1 1:1\n+1 1:1\n+1 1:1\n-1 1:1\n");
  const std::string other = halfspace("train e.svm --rule perceptron -q").out;
  EXPECT_TRUE(has(other, "   of rows that it was trained on"));
}

TEST_F(NewRowsCommand, IsThereAtAnyMomentOfAStream) {
  const Output output = sh("cat " + sample() + " | \"$H\" train - --id applicant --log l");
  EXPECT_TRUE(has(output.out, "new rows wrong"));
  std::istringstream log(read("l"));
  std::string line;
  while (std::getline(log, line)) {
    const Json event = Json::parse(line);
    ASSERT_TRUE(event.contains("expected_error")) << line;
    EXPECT_LE(event["expected_error"]["lower"], event["expected_error"]["upper"]);
  }
}

TEST_F(NewRowsCommand, NothingIsSaidWhereRowsAreNotNew) {
  write("d.svm", separable());
  write("w.csv", "x,w,y\n1,1,a\n2,0.5,b\n3,1,a\n4,1,b\n");
  expect_none("d.svm --preset averaged --passes 2", "trained on more than once");
  expect_none("d.svm --rule perceptron --order random --updates 3 --passes 2", "trained on more than once");
  expect_none("d.svm --rule perceptron --order first-mistake --updates 3", "finds mistaken");
  expect_none("d.svm --rule perceptron --order random-mistake --updates 3", "finds mistaken");
  expect_none("w.csv --weight w", "rows have weights");
  expect_none("d.svm --class-weight +1=2", "rows have weights");
  expect_none("d.svm --rule perceptron --normalize column", "scaled by rows that came later");
  expect_none("d.svm --rule pa1 --search aggressiveness=0.1,1 --holdout 0.4", "chose the settings");
}

TEST_F(NewRowsCommand, RowsKeptApartHaveBoundsOfTheirOwn) {
  const std::string data = sample() + " --id applicant";
  EXPECT_EQ(json("train " + data + " --preset averaged --passes 3 --holdout 0.2")["expected_error"]["of"], "held_out");
  EXPECT_EQ(json("train " + data + " --folds 3")["expected_error"]["of"], "folds");
  EXPECT_TRUE(has(first_line("train " + data + " --folds 3"), "approximate, from the folds"));
  ASSERT_EQ(sh("head -400 " + sample() + " >first; (head -1 " + sample() + "; tail -n +401 " + sample() + ") >second;" +
               " \"$H\" train first --rule tournament --id applicant -o m")
                .code,
            0);
  const Json judged = json("evaluate m second");
  EXPECT_EQ(judged["expected_error"]["of"], "held_out");
  EXPECT_EQ(judged["expected_error"]["rows"], judged["rows"]);
  EXPECT_TRUE(has(first_line("evaluate m second"), " % wrong, "));
  // The rows that were learned from are not new.
  const Json learned = json("evaluate m first");
  EXPECT_TRUE(learned["expected_error"].is_null());
  EXPECT_EQ(first_line("evaluate m first").find("  new rows     no estimate: the model was trained on these data"), 0U);
}

TEST_F(NewRowsCommand, ResumedRunsAddUpUnlessTheyReadAgain) {
  ASSERT_EQ(sh("head -401 " + sample() + " >first; (head -1 " + sample() + "; tail -n +402 " + sample() + ") >second;" +
               " \"$H\" train first --rule tournament --id applicant -o m")
                .code,
            0);
  EXPECT_EQ(json("train second --resume m -o n")["expected_error"]["rows"], 690);
  EXPECT_EQ(json("inspect n")["expected_error"]["rows"], 690);
  EXPECT_TRUE(json("train first --resume n -o n")["expected_error"].is_null());
  EXPECT_TRUE(json("inspect n")["expected_error"].is_null());
}

TEST_F(NewRowsCommand, FollowedSumsTo1) {
  const std::string data = sample() + " --rule tournament --id applicant -o m";
  const Json followed = json("train " + data)["followed"];
  double sum = 0;
  for (const auto& [name, probability] : followed.items()) sum += probability.get<double>();
  EXPECT_NEAR(sum, 1, 1e-9);
  EXPECT_EQ(json("inspect m")["followed"], followed);
  EXPECT_TRUE(has(halfspace("inspect m").out, "  followed     "));
}

// Of a table too large to be validated on, of which no row is read beforehand.
TEST_F(NewRowsCommand, TheLineOfThePlanNamesFlags) {
  std::string text;
  const std::string row = "+1 1:1 # " + std::string(60'000, 'x') + "\n";
  for (int i = 0; i < 4300; ++i) text += row;
  write("big.svm", text + "-1 1:2\n");
  const Output output = halfspace("train big.svm -q");
  EXPECT_EQ(output.code, 0) << output.err;
  EXPECT_TRUE(has(output.out, "one pass: more passes, such as --passes 5, may win more\n"));
  EXPECT_TRUE(lacks(output.err, "several learners were tried"));
  EXPECT_TRUE(has(halfspace("train big.svm -q --passes 2").out,
                  "tournament, 2 passes: of so many values it is compared with no other\n"));
}

// Theory where the rule has a theorem, or where it is asked for.
TEST_F(NewRowsCommand, TheLedgerSaysWhatMatters) {
  const std::string data = sample() + " --rule tournament --id applicant -q";
  const std::string brief = halfspace("train " + data).out, details = halfspace("train " + data + " --details").out;
  for (const char* key : {"\n  mistakes ", "\n  regret ", "\n  radius ", "\n  time ", "composition "}) {
    EXPECT_TRUE(lacks(brief, key));
    EXPECT_TRUE(has(details, key));
  }
  EXPECT_TRUE(has(halfspace("train " + sample() + " --id applicant -q --preset averaged").out, "\n  mistakes "));
  // A page draws no ceiling where there is none, and whom the tournament followed.
  ASSERT_EQ(halfspace("train " + data + " --report p.html").code, 0);
  EXPECT_TRUE(lacks(read("p.html"), "ceiling"));
  EXPECT_TRUE(has(read("p.html"), "Members of the mixture", "bounds for new rows"));
  ASSERT_EQ(halfspace("train " + sample() + " --id applicant --preset averaged --report p.html").code, 0);
  EXPECT_TRUE(has(read("p.html"), "Mistakes under their bound"));
}

}  // namespace
}  // namespace halfspace::cli_tests
