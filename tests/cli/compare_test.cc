// halfspace compare, as a user meets it.

#include "cli/run.h"

namespace halfspace::cli_tests {
namespace {

class Compare : public CommandTest {
 protected:
  Json compare(const std::string& arguments) const {
    const Output output = halfspace("compare " + arguments + " --json");
    EXPECT_EQ(output.code, 0) << output.err;
    return output.code == 0 ? Json::parse(output.out) : Json();
  }
  void expect_refused(const std::string& arguments, const std::string& reason, const std::string& fix) const {
    const Output output = halfspace("compare " + arguments);
    EXPECT_EQ(output.code, 2) << arguments << output.err;
    EXPECT_TRUE(has(output.err, reason, "fix: " + fix));
  }
  static std::string last_line(const std::string& text) {
    const std::size_t end = text.find_last_not_of('\n');
    return text.substr(text.rfind('\n', end) + 1, end - text.rfind('\n', end));
  }
  // Twelve small sets of a linear truth.
  std::string write_sets(int count) const {
    std::string names;
    for (int s = 0; s < count; ++s) {
      std::string text;
      for (int i = 0; i < 80; ++i) {
        const int a = (i * i * (7 + s) + 3 * i) % 19 - 9, b = i * (i + s) % 23 - 11;
        text += std::string(a + b > 0 ? "+1" : "-1") + " 1:" + std::to_string(a) + " 2:" + std::to_string(b) + "\n";
      }
      write("s" + std::to_string(s), text);
      names += "s" + std::to_string(s) + " ";
    }
    return names;
  }
  std::string credit() const { return sample() + " --id applicant "; }
};

TEST_F(Compare, NotesAFileSortedByClass) {
  std::string sorted, mixed;
  for (int i = 0; i < 600; ++i) {
    const std::string row = std::to_string(i * 37 % 101) + "," + std::to_string(i * 13 % 17);
    sorted += row + (i < 300 ? ",no\n" : ",yes\n");
    mixed += row + (i * 7 % 3 < 1 ? ",no\n" : ",yes\n");
  }
  write("sorted.csv", sorted);
  write("mixed.csv", mixed);
  const auto notes = [&](const std::string& arguments) { return halfspace("compare " + arguments).err; };
  const std::string said = notes("sorted.csv --rules averaged,pa1 --folds 2");
  EXPECT_TRUE(
      has(said, "sorted.csv: the rows are sorted by class", "fix: write NAME:order=shuffled:passes=10 for a rule"));
  EXPECT_EQ(said.find("sorted by class", said.find("sorted by class") + 1), std::string::npos) << "once: " << said;
  EXPECT_TRUE(lacks(notes("mixed.csv --rules averaged,pa1 --folds 2"), "sorted by class"));
  EXPECT_TRUE(lacks(notes("sorted.csv --rules averaged:order=shuffled:passes=10 --folds 2"), "sorted by class"));
}

TEST_F(Compare, OneSetByFolds) {
  const Output text = halfspace("compare " + credit() + "--rules averaged,arow --folds 5");
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_TRUE(has(text.out, "95 % interval"));
  EXPECT_EQ(last_line(text.out).find("  best         arow"), 0U) << text.out;
  EXPECT_TRUE(has(last_line(text.out), "significantly better than averaged")) << text.out;
  for (std::size_t begin = 0; begin < text.out.size();) {
    const std::size_t end = text.out.find('\n', begin);
    EXPECT_LE(end - begin, 100U) << text.out.substr(begin, end - begin);
    begin = end + 1;
  }
  const Json j = compare(credit() + "--rules averaged,arow --folds 5");
  EXPECT_EQ(j["command"], "compare");
  EXPECT_EQ(j["test"], "corrected-t");
  EXPECT_EQ(j["best"], "arow");
  EXPECT_EQ(j["significantly_better_than"][0], "averaged");
  const Json& result = j["sets"][0]["results"][1];
  EXPECT_EQ(result["fold"].size(), 5U);
  // As train validates the same rule, by the same folds.
  const Json trained = json_of("train " + credit() + "--rule arow --folds 5");
  EXPECT_EQ(result["accuracy"], trained["folds"]["accuracy"]);
  for (std::size_t k = 0; k < 5; ++k) EXPECT_EQ(result["fold"][k]["errors"], trained["folds"]["fold"][k]["errors"]);
}

// Each fold's minimum is that of train() on the other folds' rows, whoever else competes.
TEST_F(Compare, ObjectivesCompeteByName) {
  const Json j =
      compare(credit() + "--rules arow,logistic:C=0.5,logistic:C=5,svm:l2=0.01:bias=none:normalize=column --folds 4");
  EXPECT_EQ(j["sets"][0]["results"].size(), 4U);
  const Json alone = compare(credit() + "--rules logistic:C=5 --folds 4");
  const auto fold = [](const Json& result, const std::string& name) {
    for (const Json& one : result["sets"][0]["results"]) {
      if (one["competitor"] == name) return one["fold"];
    }
    return Json();
  };
  EXPECT_EQ(fold(j, "logistic:C=5"), fold(alone, "logistic:C=5"));
  const Json trained = json_of("train " + credit() + "--objective logistic --C 5 --folds 4")["folds"]["fold"];
  EXPECT_EQ(fold(j, "logistic:C=5"), trained);
  EXPECT_NE(fold(j, "logistic:C=0.5"), trained);
  expect_refused(credit() + "--rules logistic:rate=2", "logistic has no parameter 'rate'",
                 "logistic takes l2, C, gap, ");
  expect_refused(credit() + "--rules logistc", "did you mean 'logistic'", "name default");
}

TEST_F(Compare, ManySetsAreRanked) {
  const Json j = compare(write_sets(12) + "--rules averaged:passes=20,perceptron:updates=1,pa:updates=1 --folds 4");
  EXPECT_EQ(j["test"], "nemenyi");
  EXPECT_EQ(j["best"], "averaged:passes=20");
  EXPECT_EQ(j["significantly_better_than"].size(), 2U);
  EXPECT_EQ(j["over_sets"]["sets"].size(), 12U);
  EXPECT_GT(j["over_sets"]["critical_difference"].get<double>(), 0);
  EXPECT_EQ(j["over_sets"]["pairs"].size(), 3U);
  const Output csv = halfspace("compare " + write_sets(2) + "--rules averaged,winnow1 --folds 3 --as csv");
  EXPECT_EQ(csv.out.find("data,competitor,accuracy,lower,upper,rank,seconds,not_run\ns0,averaged,0."), 0U) << csv.out;
  EXPECT_TRUE(has(csv.out, "s1,winnow1,,,,,,"));
}

TEST_F(Compare, ModelsOnNewRows) {
  write_sets(2);
  EXPECT_EQ(halfspace("train s0 --rule arow -o a.model -q").code, 0);
  EXPECT_EQ(halfspace("train s0 --rule perceptron --updates 1 -o b.model -q").code, 0);
  const Json j = compare("s1 --models a.model,b.model");
  EXPECT_EQ(j["test"], "mcnemar");
  const Json& results = j["sets"][0]["results"];
  EXPECT_EQ(j["best"], results[results[0]["accuracy"] >= results[1]["accuracy"] ? 0 : 1]["competitor"]);
  const Json both = compare("s0 --test s1 --rules arow --models a.model");
  EXPECT_EQ(both["sets"][0]["results"][0]["errors"], both["sets"][0]["results"][1]["errors"]);
  expect_refused("s0 --rules pa1 --models a.model", "models are evaluated as they are", "add --test FILE");
  expect_refused("s0 --models a.model --folds 5", "models are not trained", "leave out --folds");
}

TEST_F(Compare, ReportsWhatItRejects) {
  write("d.svm", separable());
  expect_refused("d.svm --rules averged", "unknown rule 'averged'; did you mean 'averaged'", "name default");
  expect_refused("d.svm --rules batch", "--rules, batch: it may never stop", "give batch:passes=10, or --passes 10");
  expect_refused("d.svm --rules pa1,pa1", "'pa1' is named twice", "name each competitor once");
  expect_refused("d.svm --rules pa1 --folds 10", "and every one of the 10 folds needs one", "give --folds ");
  EXPECT_TRUE(ends(66, "compare d.svm nothing.svm --rules pa1 --folds 2", "nothing.svm"));
}

TEST_F(Compare, AReportIsAPageOfItsJson) {
  const Output run =
      halfspace("compare " + write_sets(6) +
                "--rules averaged,perceptron:updates=1,arow --folds 3 --report p.html --save-run r.json");
  EXPECT_EQ(run.code, 0) << run.err;
  const std::string page = read("p.html");
  EXPECT_TRUE(has(page, "Mean ranks over the data sets", "critical difference", "Who beats whom",
                  "Accuracy against time", "Learning curves", "class=\"bond\""));
  EXPECT_EQ(halfspace("report r.json -o again.html").code, 0);
  EXPECT_EQ(page, read("again.html"));
}

}  // namespace
}  // namespace halfspace::cli_tests
