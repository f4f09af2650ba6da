// Decision thresholds from the command: by a metric or a cost, at a probability, by folds, and where they are refused.

#include "cli/run.h"

namespace halfspace::cli_tests {
namespace {

class Threshold : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    write("d.csv", rows(0, 600));
    write("t.csv", rows(600, 900));
  }
  // One row in five is bad; its values overlap with those of good ones.
  static std::string rows(int from, int to) {
    std::ostringstream text;
    text << "a,b,y\n";
    for (int i = from; i < to; ++i) {
      const bool bad = (i * i * 7 + 3 * i) % 23 < 5;
      text << (i * 37 % 101) + (bad ? 45 : 0) << ',' << i * 13 % 17 << ',' << (bad ? "z bad" : "good") << '\n';
    }
    return text.str();
  }
  Json train(const std::string& arguments) const {
    const Output output = halfspace("train d.csv --rule pa1 --normalize column --json " + arguments);
    EXPECT_EQ(output.code, 0) << output.err;
    return output.code == 0 ? Json::parse(output.out) : Json();
  }
  void expect_refused(const std::string& arguments, const std::string& reason, const std::string& fix) const {
    const Output output = halfspace("train " + arguments + " -o never");
    EXPECT_NE(output.code, 0) << arguments;
    EXPECT_TRUE(has(output.err, reason, fix));
    EXPECT_FALSE(std::filesystem::exists(path("never")));
  }
  // The mean cost of a row of a file, where a missed bad row costs 5 and a false alarm 1.
  double cost(const std::string& model, const std::string& file) const {
    const Json j = json_of("evaluate " + model + " " + file + " --cost 'z bad:good=5' --cost 'good:z bad=1'");
    const Json& c = j["confusion"];
    return (5 * c["z bad"]["good"].get<double>() + c["good"]["z bad"].get<double>()) / j["rows"].get<double>();
  }
};

constexpr const char* by_cost = "--metric cost --cost 'z bad:good=5' --cost 'good:z bad=1' --threshold auto ";

// Of a rare class the advice is the line that finds it: both flags.
TEST_F(Threshold, ARareClassIsAdvisedAMetricAndAThreshold) {
  ASSERT_EQ(sh("awk -F, 'NR == 1 || $11 == \"approved\" || ++n % 10 == 1' " + sample() + " >rare.csv").code, 0);
  const Output output = halfspace("train rare.csv --id applicant --positive declined -q");
  EXPECT_TRUE(has(output.out, "the largest AUC ("));
  const std::size_t line = output.err.find("try: halfspace ");
  ASSERT_NE(line, std::string::npos) << output.err;
  EXPECT_EQ(output.err.substr(line),
            "try: halfspace train rare.csv --id applicant --positive declined -q --metric f1 --threshold auto\n");
  EXPECT_EQ(halfspace("train rare.csv --id applicant --positive declined -q --metric f1 --threshold auto").code, 0);
}

TEST_F(Threshold, ByCostIsCheaper) {
  const Json plain = train("--holdout 0.4 -o plain"), moved = train(std::string("--holdout 0.4 -o moved ") + by_cost);
  EXPECT_FALSE(plain.contains("threshold"));
  ASSERT_TRUE(moved.contains("threshold"));
  EXPECT_EQ(moved["threshold"]["by"], "cost");
  EXPECT_LT(moved["threshold"]["score"].get<double>(), 0) << "rare rows that cost much to miss";
  EXPECT_LT(cost("moved", "t.csv"), cost("plain", "t.csv"));
  EXPECT_EQ(moved["expected_error"]["of"], "threshold");
  EXPECT_EQ(moved["expected_error"]["errors"], moved["holdout"]["errors"]);
  const Output said = halfspace(std::string("train d.csv --rule pa1 --normalize column --holdout 0.4 -q ") + by_cost);
  EXPECT_TRUE(
      has(said.out, "threshold    z bad from a score of ", "least cost on rows scored by weights not trained on them"));
  EXPECT_TRUE(has(halfspace("inspect moved").out,
                  "a row is z bad when the sum of weight × value, with the bias, is at least -"));
  EXPECT_EQ(json_of("inspect moved")["threshold"]["score"], moved["threshold"]["score"]);
  EXPECT_EQ(json_of("inspect plain")["threshold"], nullptr);
  EXPECT_EQ(json_of("evaluate moved t.csv")["threshold"], moved["threshold"]["score"]);
  EXPECT_EQ(json_of("evaluate plain t.csv")["threshold"], 0);
}

// The prediction says the positive class exactly where the score, and so the probability, is large enough.
TEST_F(Threshold, AtAProbabilityPredictsFromItOn) {
  for (const std::string calibration : {"platt", "isotonic"}) {
    const Json j = train("--holdout 0.4 --threshold 0.2 -o m --calibrate " + calibration);
    EXPECT_EQ(j["threshold"]["by"], "probability");
    EXPECT_GE(j["threshold"]["probability"].get<double>(), 0.2);
    const Output table = halfspace("predict m t.csv --probability --as csv");
    EXPECT_EQ(table.err, "");
    std::istringstream lines(table.out);
    std::string line;
    std::getline(lines, line);
    EXPECT_EQ(line, "row,prediction,probability_of_z bad");
    int positive = 0, row = 0;
    for (; std::getline(lines, line); ++row) {
      const double probability = std::stod(line.substr(line.rfind(',') + 1));
      EXPECT_EQ(line.find("z bad") != std::string::npos, probability >= 0.2) << line;
      positive += line.find("z bad") != std::string::npos ? 1 : 0;
    }
    EXPECT_EQ(row, 300);
    EXPECT_GT(positive, 60);
  }
}

TEST_F(Threshold, ComesFromFoldsToo) {
  const Json folds = train(std::string("--folds 5 -o folds ") + by_cost);
  EXPECT_LT(folds["threshold"]["score"].get<double>(), 0);
  EXPECT_EQ(folds["expected_error"]["of"], "threshold");
  EXPECT_EQ(folds["expected_error"]["rows"], 600);
  EXPECT_EQ(folds["rounds"], train("--folds 5")["rounds"]) << "all rows train";
  const Json searched = train(std::string("--folds 5 --search aggressiveness=0.01,0.1,1 ") + by_cost);
  EXPECT_EQ(searched["threshold"]["by"], "cost");
  const Json best =
      Json::parse(halfspace(std::string("train d.csv --json --metric f1 --threshold auto -o chosen")).out);
  EXPECT_EQ(best["threshold"]["by"], "f1");
  EXPECT_EQ(best["expected_error"]["of"], "threshold");
}

TEST_F(Threshold, IsDroppedByAResumedRun) {
  train(std::string("--holdout 0.4 -o m ") + by_cost);
  write("more.csv", rows(900, 1200));
  const Output more = halfspace("train more.csv --resume m -q -o later");
  ASSERT_EQ(more.code, 0) << more.err;
  EXPECT_TRUE(has(more.err, "the model's threshold was placed before these rows were learned: it is dropped"));
  EXPECT_EQ(json_of("inspect later")["threshold"], nullptr);
  const Output again = halfspace(std::string("train more.csv --resume m -q --json -o later ") + by_cost);
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(Json::parse(again.out)["threshold"]["by"], "cost");
}

TEST_F(Threshold, IsExported) {
  const Json j = train(std::string("--holdout 0.4 -o m ") + by_cost);
  ASSERT_EQ(halfspace("export m -o m.pmml").code, 0);
  std::ostringstream score;
  score.precision(6);
  score << "<Constant dataType=\"double\">" << j["threshold"]["score"].get<double>();
  EXPECT_TRUE(has(read("m.pmml"), score.str().substr(0, score.str().size() - 1))) << score.str();
  EXPECT_EQ(halfspace("export m -o m.onnx").code, 0);
}

TEST_F(Threshold, IsRefusedWhereItCannotBePlaced) {
  expect_refused("d.csv --rule pa1 --threshold auto", "needs rows that training does not use", "--holdout 0.2");
  expect_refused("d.csv --rule pa1 --threshold 0.2", "needs a model with probabilities", "--calibrate platt");
  expect_refused("d.csv --rule pa1 --threshold 1.5", "takes auto or a probability", "--threshold auto");
  expect_refused("d.csv --rule pa1 --threshold 2x", "takes auto or a probability", "--threshold auto");
  expect_refused("d.csv --rule pa1 --holdout 0.3 --threshold auto --metric auc", "no threshold changes auc", "f1");
  expect_refused("d.csv --rule pa1 --holdout 0.3 --cost 'z bad:good=5'", "--cost has no effect", "--metric cost");
  write("three.csv", "a,y\n1,a\n2,b\n3,c\n4,a\n5,b\n6,c\n7,a\n8,b\n9,c\n1,a\n2,b\n3,c\n");
  expect_refused("three.csv --rule multiclass --holdout 0.5 --threshold auto", "needs two classes, and the data have 3",
                 "highest score");
}

}  // namespace
}  // namespace halfspace::cli_tests
