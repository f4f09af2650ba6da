// Judging before learning, probabilities, and streams that drift, as a user meets them.

#include "cli/run.h"

namespace halfspace::cli_tests {
namespace {

class Selection : public CommandTest {
 protected:
  Json train(const std::string& arguments) const {
    const Output output = halfspace("train " + arguments + " --json");
    EXPECT_EQ(output.code, 0) << output.err;
    return output.code == 0 ? Json::parse(output.out) : Json();
  }
  std::string credit() const { return sample() + " --id applicant --normalize row "; }
  void expect_refused(const std::string& arguments, const std::string& reason, const std::string& fix) const {
    const Output output = halfspace("train " + arguments + " -o never");
    EXPECT_EQ(output.code, 2) << arguments;
    EXPECT_TRUE(has(output.err, reason, "fix: " + fix));
    EXPECT_FALSE(std::filesystem::exists(path("never")));
  }
};

// A table with few rows of one class: those that chose the learner count with their weights, too.
TEST_F(Selection, ByTheDataCountsRowsWithTheirWeights) {
  std::istringstream lines(slurp(sample()));
  std::string rare;
  int row = 0;
  for (std::string line; std::getline(lines, line); ++row) {
    if (!line.ends_with("declined") || row % 6 == 0) rare += line + "\n";
  }
  write("rare.csv", rare);
  const auto recall = [&](const std::string& flags) {
    EXPECT_EQ(halfspace("train rare.csv --id applicant -q -o m " + flags).code, 0);
    const Json confusion = Json::parse(halfspace("evaluate --json m " + sample()).out)["confusion"]["declined"];
    return confusion["declined"].get<double>() / 274;
  };
  EXPECT_LT(recall(""), 0.6);
  EXPECT_GT(recall("--class-weight declined=8"), 0.7);
}

TEST_F(Selection, FoldsAreToldAndChangeNothing) {
  const Json j = train(credit() + "--rule tournament --passes 3 --folds 5 -o folds");
  ASSERT_EQ(j["folds"]["fold"].size(), 5U);
  double sum = 0;
  std::uint64_t rows = 0;
  for (const Json& fold : j["folds"]["fold"]) {
    sum += fold["accuracy"].get<double>();
    rows += fold["rows"].get<std::uint64_t>();
  }
  EXPECT_NEAR(j["folds"]["accuracy"].get<double>(), sum / 5, 1e-12);
  EXPECT_EQ(rows, 690U);
  EXPECT_GT(j["folds"]["standard_error"].get<double>(), 0);
  EXPECT_EQ(j["rounds"], 3 * 690);  // the model learned from all rows
  train(credit() + "--rule tournament --passes 3 -o plain");
  EXPECT_EQ(read("folds"), read("plain"));
  const Json again = train(credit() + "--rule tournament --passes 3 --folds 5 --threads 1");
  EXPECT_EQ(again["folds"], j["folds"]);
  const Json other = train(credit() + "--rule tournament --passes 3 --folds 5 --seed 2");
  EXPECT_NE(other["folds"], j["folds"]);
}

TEST_F(Selection, FoldsOfSeveralClasses) {
  std::string text;
  for (int i = 0; i < 60; ++i)
    text += std::to_string(i % 3) + " " + std::to_string(1 + i % 3) + ":1 " + std::to_string(4 + i % 7) + ":0.5\n";
  write("d.svm", text);
  EXPECT_EQ(train("d.svm --order cyclic --passes 5 --folds 4")["folds"]["accuracy"], 1.0);
}

TEST_F(Selection, TheBestCandidateLearnsFromAllRows) {
  const Json j = train(credit() + "--rule pa1 --passes 2 --search aggressiveness=0.001..10 --folds 5 -o best");
  const Json& search = j["search"];
  EXPECT_EQ(search["judged_by"], "folds");
  ASSERT_EQ(search["candidates"].size(), 7U);
  double most = 0;
  Json best;
  for (const Json& one : search["candidates"]) {
    if (one["accuracy"].get<double>() > most) best = one["parameters"];
    most = std::max(most, one["accuracy"].get<double>());
  }
  EXPECT_EQ(search["best"], best);
  EXPECT_EQ(j["folds"]["accuracy"], most);
  EXPECT_GE(search["lead"]["by"].get<double>(), 0);
  EXPECT_EQ(j["composition"]["aggressiveness"], best["aggressiveness"]);
  train(credit() + "--rule pa1 --passes 2 -o plain --aggressiveness " + best["aggressiveness"].dump());
  EXPECT_EQ(read("best"), read("plain"));
}

TEST_F(Selection, EveryNumberOfARuleCanBeSearched) {
  const Json j = train(credit() + "--rule tournament --passes 2 --search validation-share=0.01,0.02,0.05 --folds 3");
  EXPECT_EQ(j["search"]["candidates"].size(), 3U);
  EXPECT_EQ(j["composition"]["validation_share"], j["search"]["best"]["validation-share"]);
}

TEST_F(Selection, SeveralSearchesAreAGrid) {
  const Json j = train(credit() + "--rule margin --passes 2 --search margin=0.5,1 --search rate=0.1..10:3 --folds 3");
  ASSERT_EQ(j["search"]["candidates"].size(), 6U);
  EXPECT_EQ(j["search"]["candidates"][1]["parameters"], Json({{"margin", 0.5}, {"rate", 1.0}}));
  EXPECT_TRUE(has(halfspace("train " + credit() +
                            "--rule margin --passes 2 --search margin=0.5,1 --search rate=0.1..10:3 --folds 3 -q")
                      .out,
                  "best         margin ", ", ahead of margin ", "3 folds"));
}

TEST_F(Selection, HeldOutRowsJudgeWhereThereAreNoFolds) {
  const Json j = train(credit() + "--search passes=1,4 --holdout 0.2");
  EXPECT_EQ(j["search"]["judged_by"], "holdout");
  EXPECT_EQ(j["rounds"], 690 * j["search"]["best"]["passes"].get<int>());
  EXPECT_FALSE(j.contains("holdout"));
  // Beside folds they judge the winner alone.
  const Json both = train(credit() + "--search passes=1,4 --holdout 0.2 --folds 3");
  EXPECT_EQ(both["holdout"]["rows"], 138);
  EXPECT_EQ(both["folds"]["rows"], 552);
}

TEST_F(Selection, WhatMakesNoSenseIsRefused) {
  write("d.svm", separable());
  write("one.svm", "+1 1:1\n+1 1:2\n");
  expect_refused("d.svm --folds 1", "--folds takes at least 2", "5 and 10");
  expect_refused("d.svm --folds 4", "the class '-1' has 3 rows, and every one of the 4 folds needs one",
                 "give --folds 3");
  expect_refused("d.svm --folds 2 --seconds 1", "depend on the clock", "use --passes");
  expect_refused("d.svm --search rate=1,2", "needs validation rows", "add --folds 5");
  expect_refused("d.svm --search rat=1 --folds 2", "unknown parameter 'rat'; did you mean 'rate'?",
                 "the parameters are rate, ");
  expect_refused("d.svm --search margin=1 --folds 2", "margin belongs to the rule margin", "leave it out");
  expect_refused("d.svm --search rate=0..1 --folds 2", "must begin above 0", "give NAME=LO..HI");
  expect_refused("d.svm --search rate=2..1 --folds 2", "must end above its beginning", "give NAME=LO..HI");
  expect_refused("d.svm --search rate --folds 2", "no values given", "give NAME=LO..HI");
  expect_refused("d.svm --search rate=1 --search rate=2 --folds 2", "searched twice", "give NAME=LO..HI");
  expect_refused("d.svm --search passes=1.5 --folds 2", "not a whole number", "give NAME=LO..HI");
  expect_refused("d.svm --calibrate platt", "needs rows that training does not use", "add --holdout 0.2");
  expect_refused("d.svm --calibrate platt --holdout 0.2 --search rate=1,2", "the best candidate trains on all of them",
                 "use --folds 5");
  EXPECT_EQ(halfspace("train one.svm --folds 2").code, 65);
  const Output pipe = sh("cat d.svm | \"$H\" train - --folds 2");
  EXPECT_EQ(pipe.code, 2);
  EXPECT_TRUE(has(pipe.err, "standard input can be read only once\n  fix: save the data to a file first"));
  halfspace("train d.svm -o m");
  expect_refused("d.svm --resume m --folds 2", "not a resumed one", "leave out --resume");
}

TEST_F(Selection, ProbabilitiesFollowTheScores) {
  for (const char* how : {"platt --holdout 0.3", "isotonic --holdout 0.3", "platt --folds 4", "isotonic --folds 4"}) {
    const Json j = train(credit() + "--passes 3 -o m --calibrate " + how);
    EXPECT_EQ(j["calibration"]["rows"], std::string(how).find("folds") == std::string::npos ? 207 : 690);
    std::istringstream scores(halfspace("predict m " + sample() + " --scores").out);
    const Output predicted = halfspace("predict m " + sample() + " --probability");
    EXPECT_EQ(predicted.err, "note: the number is the probability of 'declined'\n");
    std::istringstream probabilities(predicted.out);
    std::vector<std::pair<double, double>> rows;
    double score = 0;
    double p = 0;
    while (scores >> score && probabilities >> p) rows.emplace_back(score, p);
    ASSERT_EQ(rows.size(), 690U);
    std::sort(rows.begin(), rows.end());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      EXPECT_TRUE(rows[i].second >= 0 && rows[i].second <= 1);
      if (i > 0) {
        EXPECT_GE(rows[i].second, rows[i - 1].second) << how;
      }
    }
    const Json evaluated = json_of("evaluate m " + sample())["probability"];
    EXPECT_LT(evaluated["brier"].get<double>(), evaluated["constant_brier"].get<double>()) << how;
    std::uint64_t in_bins = 0;
    for (const Json& bin : evaluated["reliability"]) in_bins += bin["rows"].get<std::uint64_t>();
    EXPECT_EQ(in_bins, 690U);
    EXPECT_TRUE(has(halfspace("evaluate m " + sample()).out, "Brier score"));
  }
  train(credit() + "--preset averaged -o plain");
  EXPECT_TRUE(ends(2, "predict plain " + sample() + " --probability", "fix: train it with --calibrate platt"));
}

// Fitted on rows that were not learned from: calibrated on its own training rows a separable set would look certain.
TEST_F(Selection, CalibrationSeesHeldOutRowsAlone) {
  std::string text;
  unsigned state = 3;
  const auto draw = [&state] { return (state = state * 1664525U + 1013904223U) >> 16; };
  for (int i = 0; i < 200; ++i) {
    text += draw() % 2 == 0 ? "-1" : "+1";  // pure chance, and a feature of its own for each row
    text += " " + std::to_string(1 + i) + ":1\n";
  }
  write("chance.svm", text);
  for (const char* how : {"--holdout 0.5", "--folds 2"}) {
    train(std::string("chance.svm --rule perceptron --order cyclic --passes 20 -o m --calibrate isotonic ") + how);
    std::istringstream probabilities(halfspace("predict m chance.svm --probability").out);
    double p = 0;
    while (probabilities >> p) EXPECT_TRUE(p > 0.2 && p < 0.8) << how << " " << p;
  }
}

TEST_F(Selection, ProbabilitiesOfSeveralClasses) {
  std::string text;
  for (int i = 0; i < 90; ++i)
    text += std::to_string(i % 7 == 0 ? (i + 1) % 3 : i % 3) + " " + std::to_string(1 + i % 3) + ":1 5:0.5\n";
  write("d.svm", text);
  train("d.svm --order cyclic --passes 5 --folds 3 --calibrate platt -o m");
  std::istringstream lines(halfspace("predict m d.svm --probability").out);
  std::istringstream labels(halfspace("predict m d.svm").out);
  std::string line;
  int rows = 0;
  while (std::getline(lines, line)) {
    std::istringstream numbers(line);
    double p[3];
    numbers >> p[0] >> p[1] >> p[2];
    ASSERT_TRUE(numbers) << line;
    EXPECT_NEAR(p[0] + p[1] + p[2], 1, 1e-12);
    int label = -1;
    labels >> label;
    EXPECT_GT(p[label], 1.0 / 3);
    ++rows;
  }
  EXPECT_EQ(rows, 90);
  EXPECT_EQ(json_of("evaluate m d.svm")["probability"]["impossible"], 0);
}

// Rows of two classes that overlap.
std::string noisy(int rows) {
  std::string text;
  unsigned state = 5;
  for (int i = 0; i < rows; ++i) {
    state = state * 1664525U + 1013904223U;
    const int value = static_cast<int>((state >> 8) % 97) - (state >> 31 != 0 ? 40 : 55);
    text += (state >> 31 != 0 ? "+1 1:" : "-1 1:") + std::to_string(value) + " 2:" + std::to_string(i % 13) + "\n";
  }
  return text;
}

// A run that is broken off and resumed ends calibrated as the one that never stopped: every byte.
TEST_F(Selection, ResumingKeepsTheCalibration) {
  write("d.svm", noisy(900));
  for (const std::string how :
       {"--calibrate platt", "--calibrate isotonic", "--calibrate platt --order cyclic --passes 3",
        "--calibrate isotonic --order shuffled --passes 2"}) {
    SCOPED_TRACE(how);
    const std::string base = "d.svm --preset averaged --holdout 0.3 " + how;
    const std::string passes = how.find("--passes") == std::string::npos ? "" : how.substr(how.find("--passes"));
    train(base + " -o whole");
    for (const char* updates : {"40", "100"}) {
      train(base + " --updates " + updates + " -o part");
      train("d.svm --resume part -o part " + passes);
      EXPECT_TRUE(read("part") == read("whole")) << updates;
    }
  }
}

// Its next file has the rows to fit the next curve on.
TEST_F(Selection, ARunThatEndedIsCalibratedAnewWithFurtherRows) {
  write("a.svm", noisy(300));
  write("b.svm", noisy(500));
  train("a.svm --preset tournament --holdout 0.3 --calibrate platt -o m");
  const Json on = train("b.svm --resume m -o m");
  EXPECT_EQ(on["calibration"]["method"], "platt");
  EXPECT_EQ(on["calibration"]["rows"], on["holdout"]["rows"]);
  EXPECT_EQ(halfspace("predict m b.svm --probability").code, 0);
  const Json other = train("b.svm --resume m --calibrate isotonic -o n");
  EXPECT_EQ(other["calibration"]["method"], "isotonic");
  EXPECT_FALSE(train("b.svm --resume m --calibrate none -o n").contains("calibration"));
  // Two rows, of which none is held out: said, and the model stays as it was.
  write("few.svm", "+1 1:1\n");
  const std::string before = read("m");
  EXPECT_TRUE(ends(2, "train few.svm --resume m -o m -q", "calibration rows has the class"));
  EXPECT_EQ(read("m"), before);
  train("a.svm -o plain");
  EXPECT_EQ(halfspace("train b.svm --resume plain --calibrate platt -o n -q").code, 2) << "no rows are held out";
}

// A checkpoint has no curves yet: it knows that there are to be some.
TEST_F(Selection, ACheckpointOfACalibratedRunGoesOnToItsCurves) {
  const std::string good = noisy(60'000);
  write("bad.svm", good + "+1 1:x\n");
  write("mended.svm", good + "+1 1:1\n");
  const std::string how = "--order stream --holdout 0.2 --calibrate platt";
  EXPECT_EQ(halfspace("train bad.svm -q -o m --checkpoint 1000rows " + how).code, 65);
  EXPECT_TRUE(ends(2, "predict m mended.svm --probability", "interrupted before its probabilities were fitted"));
  EXPECT_EQ(halfspace("predict m mended.svm").code, 0);
  EXPECT_EQ(halfspace("evaluate m mended.svm").code, 0);
  EXPECT_EQ(halfspace("export m -o m.onnx").code, 2);
  train("mended.svm --resume m -o m");
  train("mended.svm -o whole " + how);
  EXPECT_TRUE(read("m") == read("whole"));
}

// Curves by folds are about the rows of the folds: they stay with a run that goes on over them, and with no other.
TEST_F(Selection, CurvesByFoldsStayWithTheirRows) {
  write("d.svm", noisy(3'000));
  const std::string how = "d.svm --preset averaged --order shuffled --passes 40 --folds 3 --calibrate isotonic -q -o ";
  for (const std::string held : {"", "--holdout 0.1 "}) {
    ASSERT_EQ(halfspace("train " + held + how + "whole").code, 0);
    for (int k = 0; k < 6; ++k) {
      sh("rm -f m; \"$H\" train " + held + how +
         "m --checkpoint 3000rows >out & p=$!;"
         " for i in $(seq 500); do sleep 0.0" +
         std::to_string(1 + k) + "; [ ! -s m ] || break; done; kill -9 $p; wait");
      if (read("m") == read("whole")) continue;  // it had ended
      EXPECT_EQ(halfspace("predict m d.svm --probability").code, 0);
      ASSERT_EQ(halfspace("train d.svm --resume m --passes 40 -q -o m").code, 0);
      EXPECT_TRUE(read("m") == read("whole")) << held << k;
    }
    EXPECT_TRUE(notes("train d.svm --resume whole --passes 50 -q -o n", "it is dropped"));
    EXPECT_EQ(halfspace("predict n d.svm --probability").code, 2);
    const Output told = halfspace("train d.svm --resume whole --passes 50 --calibrate none -q -o n2");
    EXPECT_EQ(told.code, 0);
    EXPECT_TRUE(lacks(told.err, "it is dropped"));
    EXPECT_TRUE(read("n") == read("n2"));
  }
}

// A stream whose truth turns around in its middle.
std::string turning() {
  std::string text;
  unsigned state = 9;
  const auto draw = [&state] { return (state = state * 1664525U + 1013904223U) >> 16; };
  for (int i = 0; i < 6000; ++i) {
    const bool up = draw() % 2 == 0;
    const bool positive = (i < 3000) == up;
    text += std::string(positive ? "+1" : "-1") + (up ? " 1:1" : " 2:1") + " 3:" + std::to_string(draw() % 100) + "\n";
  }
  return text;
}

TEST_F(Selection, DriftIsReportedWhereItIs) {
  write("d.svm", turning());
  for (const char* how : {"adwin", "error --drift-above 0.08 --false-alarms 1000000"}) {
    // An average over both halves: it does not get over the turn.
    const std::string base = std::string("d.svm --rule perceptron --rate 1 --normalize row --drift ") + how;
    const Json j = train(base + " --window 500 --decay 0.99 --log l");
    ASSERT_GE(j["drift"]["alarms"].get<int>(), 1) << how;
    const Json alarm = j["drift"]["latest"][0];
    EXPECT_GT(alarm["row"].get<int>(), 3000) << how;
    EXPECT_LT(alarm["row"].get<int>(), 4000) << how;
    EXPECT_LT(alarm["before"].get<double>(), alarm["after"].get<double>());
    EXPECT_EQ(j["window"]["rounds"], 500);
    std::istringstream log(read("l"));
    std::string line;
    std::uint64_t before = 0;
    int drifts = 0;
    while (std::getline(log, line)) {
      const Json event = Json::parse(line);
      if (event["event"] == "row") {
        EXPECT_TRUE(event.contains("window_error") && event.contains("faded_error"));
        before = event["rounds"];
      }
      if (event["event"] == "drift") {
        EXPECT_GT(event["round"].get<std::uint64_t>(), before);
        ++drifts;
      }
    }
    EXPECT_EQ(drifts, j["drift"]["alarms"].get<int>());
    EXPECT_TRUE(has(halfspace("train " + base).out, "drift at row 3,"));
    // It never acts: the model is the one that nobody watched, but for what was watched.
    const Json plain = train("d.svm --rule perceptron --rate 1 --normalize row -o plain");
    EXPECT_EQ(plain["mistakes"], j["mistakes"]);
    EXPECT_FALSE(plain.contains("drift"));
  }
}

TEST_F(Selection, WatchingGoesOnAfterABreak) {
  write("d.svm", turning());
  for (const char* drift : {"adwin --drift-delta 0.1", "error --drift-above 0.1 --false-alarms 100"}) {
    const std::string flags =
        std::string("--rule perceptron --normalize row --window 300 --decay 0.99 --drift ") + drift;
    const Json whole = train("d.svm " + flags + " -o whole");
    for (const char* updates : {"3", "20", "40"}) {
      train("d.svm " + flags + " -o part --updates " + updates);
      const Json rest = train("d.svm --resume part -o part");
      EXPECT_EQ(rest["window"], whole["window"]);
      EXPECT_EQ(rest["faded"], whole["faded"]);
      EXPECT_EQ(rest["drift"], whole["drift"]);
      EXPECT_EQ(rest["expected_error"], whole["expected_error"]);
    }
    EXPECT_EQ(read("part"), read("whole"));
  }
  expect_refused("d.svm --resume part --window 10", "keeps the model's own", "leave out --window");
  expect_refused("d.svm --drift error", "needs the error to detect", "add --drift-above 0.15");
  expect_refused("d.svm --drift error --drift-above 1", "between 0 and 1", "0.15 is 15 % wrong");
  expect_refused("d.svm --drift error --drift-above 0.1 --false-alarms 0", "at least 1", "10000 is the default");
  expect_refused("d.svm --drift adwin --drift-above 0.1", "does nothing with --drift adwin", "leave one of the two");
  expect_refused("d.svm --order shuffled --passes 2 --drift adwin", "need the rows in file order",
                 "use --order stream");
}

}  // namespace
}  // namespace halfspace::cli_tests
