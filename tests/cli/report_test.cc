// Reports as a user makes them: the same bytes both ways, numbers that are the run's, names that stay names.
#include <regex>

#include "cli/run.h"

namespace halfspace::cli_tests {
namespace {

class Report : public CommandTest {
 protected:
  // Runs a command with a page and its JSON; the JSON in a file is the same, and so is the page drawn from it later.
  Json report(const std::string& arguments, int code = 0) const {
    const Output run = halfspace(arguments + " --json --report page.html --save-run run.json");
    EXPECT_EQ(run.code, code) << arguments << "\n" << run.err;
    EXPECT_EQ(read("run.json"), run.out) << arguments;
    const Output again = halfspace("report run.json -o again.html");
    EXPECT_EQ(again.code, 0) << again.err;
    EXPECT_EQ(read("page.html"), read("again.html")) << arguments;
    EXPECT_GT(read("page.html").size(), 5000U);
    EXPECT_LT(read("page.html").size(), 2'000'000U);
    return Json::parse(run.out);
  }
};

TEST_F(Report, IsTheSameByBothWays) {
  write("d.svm", separable());
  write("cross.svm", "+1 1:1 2:1\n+1\n-1 1:1\n-1 2:1\n");
  std::string advice = "a,b,c,won\n", losses = "x,y,z\n";
  for (int t = 0; t < 700; ++t) {
    advice += std::to_string(t % 2) + "," + std::to_string(t % 3 == 0) + ",1," + std::to_string(t % 5 > 0) + "\n";
    losses += std::to_string(t % 2) + ",0." + std::to_string(t % 10) + ",1\n";
  }
  write("advice.csv", advice);
  write("losses.csv", losses);
  report("train d.svm --preset batch");
  report("train " + sample() + " --id applicant --passes 3 --holdout 0.2 --normalize column");
  ASSERT_EQ(halfspace("train d.svm -q -o m").code, 0);
  report("evaluate m d.svm");
  report("certify d.svm");
  report("certify cross.svm", 1);
  report("experts advice.csv --outcome won");
  report("bandit losses.csv");
  report("lab halving");
  report("lab cycling");
}

std::string untimed(const std::string& text) {
  return std::regex_replace(text, std::regex("[0-9.]+ m?s\\b"), "some time");
}

// A run is saved while its text is printed as ever, and is the run that --json --figures would have printed.
TEST_F(Report, ASavedRunIsThatOfJsonAndFigures) {
  write("d.svm", separable());
  write("cross.svm", "+1 1:1 2:1\n+1\n-1 1:1\n-1 2:1\n");
  write("l.csv", "a,b\n0.5,1\n1,0.5\n0.5,0.5\n");
  write("log.csv", "action,reward,propensity\na,1,0.5\nb,0,0.5\na,0,0.5\n");
  for (const auto& [line, code] : std::vector<std::pair<std::string, int>>{{"train d.svm --preset batch -q", 0},
                                                                           {"certify d.svm", 0},
                                                                           {"certify cross.svm", 1},
                                                                           {"certify d.svm --pairs", 0},
                                                                           {"experts l.csv --losses", 0},
                                                                           {"bandit l.csv --repeat 3", 0},
                                                                           {"bandit log.csv --logged", 0},
                                                                           {"lab halving", 0}}) {
    const Output plain = halfspace(line), saving = halfspace(line + " --save-run run.json");
    EXPECT_EQ(plain.code, code) << line << "\n" << plain.err;
    EXPECT_EQ(saving.code, code) << line << "\n" << saving.err;
    EXPECT_EQ(untimed(plain.out), untimed(saving.out));
    EXPECT_FALSE(saving.out.empty()) << line;
    Json saved = Json::parse(read("run.json")), printed = Json::parse(halfspace(line + " --json --figures").out);
    EXPECT_EQ(saved["invocation"], "halfspace " + line + " --save-run run.json");
    EXPECT_EQ(saved["command"], line.substr(0, line.find(' ')));
    std::vector<std::string> differ{"invocation", "seconds"};
    if (saved["command"] == "certify") differ.insert(differ.end(), {"answers", "figures"});  // with times
    for (const std::string& key : differ) {
      EXPECT_EQ(saved.contains(key), printed.contains(key)) << line << " " << key;
      saved.erase(key);
      printed.erase(key);
    }
    EXPECT_EQ(saved, printed) << line;
    EXPECT_EQ(halfspace("report run.json -o page.html").code, 0) << line;
    EXPECT_FALSE(has(read("page.html"), "was not recorded for figures")) << line;
  }
}

// Every point of the curve has the error and the cost of predicting at its threshold, counted from predict's scores.
TEST_F(Report, AnEvaluationHasTheErrorAndTheCostOfEveryThreshold) {
  write("d.svm", "+1 1:3\n+1 1:2\n-1 1:1\n+1 1:-1\n-1 1:-2\n-1 1:-2\n-1 1:-5\n");
  write("t.svm", "+1 1:4\n-1 1:2\n+1 1:1\n-1 1:-1\n-1 1:-3\n");
  ASSERT_EQ(halfspace("train d.svm -q -o m").code, 0);
  const Json j = report("evaluate m t.svm --cost +1:-1=5");
  EXPECT_EQ(j["command"], "evaluate");
  std::vector<double> scores;
  std::istringstream lines(halfspace("predict m t.svm --scores").out);
  for (double score = 0; lines >> score;) scores.push_back(score);
  const std::vector<int> truth{1, -1, 1, -1, -1};
  ASSERT_EQ(scores.size(), truth.size());
  const Json& curve = j["curve"];
  ASSERT_EQ(curve["score"].size(), 5U);
  for (std::size_t p = 0; p < curve["score"].size(); ++p) {
    double missed = 0, false_alarms = 0;
    for (std::size_t i = 0; i < truth.size(); ++i) {
      const bool positive = scores[i] >= curve["score"][p].get<double>() - 1e-6;
      missed += truth[i] > 0 && !positive;
      false_alarms += truth[i] < 0 && positive;
    }
    EXPECT_NEAR(curve["error"][p].get<double>(), (missed + false_alarms) / 5, 1e-12) << p;
    EXPECT_NEAR(curve["cost"][p].get<double>(), (5 * missed + false_alarms) / 5, 1e-12) << p;
  }
  EXPECT_FALSE(json_of("evaluate m t.svm")["curve"].contains("cost"));
}

TEST_F(Report, ASavedRunOverwritesNoOtherFile) {
  write("d.svm", separable());
  write("old.json", "old");
  EXPECT_TRUE(ends(2, "train d.svm -q --save-run d.svm", "would overwrite DATA"));
  EXPECT_TRUE(ends(2, "train d.svm -q --report r.html --save-run ./r.html", "would overwrite what --save-run writes"));
  EXPECT_EQ(halfspace("train gone.svm -q --save-run old.json").code, 66);
  EXPECT_EQ(read("old.json"), "old") << "a run that fails keeps the file";
  EXPECT_EQ(halfspace("lab halving --save-run no/such/folder/run.json").code, 74);
  EXPECT_TRUE(ends(2, "bandit --live --arms 2 --save-run run.json", "leave out --report, --save-run and --figures"));
  EXPECT_EQ(halfspace("train d.svm -q --save-run old.json --figures --plane none").code, 0);
  EXPECT_FALSE(Json::parse(read("old.json")).contains("plane"));
}

// The figures' numbers are the ledger's: where the recording ends the run ended, and the two lemmas hold on the way.
TEST_F(Report, NumbersAreTheRuns) {
  write("d.svm", separable());
  const Json j = report("train d.svm --preset batch");
  const Json& figures = j["figures"];
  const Json& progress = figures["progress"];
  EXPECT_EQ(progress["rounds"].back(), j["rounds"]);
  EXPECT_EQ(progress["mistakes"].back(), j["mistakes"]);
  EXPECT_EQ(progress["updates"].back(), j["updates"]);
  EXPECT_EQ(progress["constant_mistakes"].back(), j["progressive"]["constant_mistakes"]);
  const Json& norms = figures["norms"];
  EXPECT_DOUBLE_EQ(std::sqrt(norms["squared_norm"].back().get<double>()), j["weight_norm"].get<double>());
  for (std::size_t i = 0; i < norms["rounds"].size(); ++i)
    EXPECT_LE(norms["squared_norm"][i].get<double>(), norms["squares"][i].get<double>());
  const Json& projection = figures["projection"];
  EXPECT_EQ(projection["margin"], j["bound"]["margin"]);
  ASSERT_GT(projection["rounds"].size(), 10U);
  for (std::size_t i = 0; i < projection["rounds"].size(); ++i)
    EXPECT_GE(projection["projection"][i].get<double>(), projection["floor"][i].get<double>());
  // What is handed out is u itself: its projection on itself is its norm.
  EXPECT_DOUBLE_EQ(projection["projection"].back().get<double>(), j["weight_norm"].get<double>());
  std::uint64_t rows = 0;
  for (const char* side : {"right", "wrong"})
    for (const Json& count : figures["training"]["margins"][side]) rows += count.get<std::uint64_t>();
  EXPECT_EQ(rows, j["rows"].get<std::uint64_t>());
  EXPECT_EQ(figures["training"]["confusion"]["-1"]["-1"], j["negatives"]);
  EXPECT_EQ(figures["training"]["roc"]["area"], 1.0);
  const Json& most = figures["weights"]["shown"][0];
  EXPECT_EQ(most["feature"], "1");
  EXPECT_EQ(most["weight"], 3.0) << "not the largest weight, but the largest effect";
}

// The error of the window at each moment is that of the last rounds of the first pass, counted from the trace.
TEST_F(Report, TheErrorOfTheWindowIsThatOfItsRounds) {
  std::string rows;
  for (int i = 0; i < 90; ++i)
    rows +=
        std::string(i * i % 7 < 3 ? "+1" : "-1") + " 1:" + std::to_string(i % 5) + " 2:" + std::to_string(i % 3) + "\n";
  write("d.svm", rows);
  const Json j = report("train d.svm --rule perceptron --order cyclic --passes 2 --window 10 --trace t.json");
  std::vector<int> wrong;
  std::istringstream trace(read("t.json"));
  for (std::string line; std::getline(trace, line);) wrong.push_back(Json::parse(line)["error"].get<bool>());
  const Json& progress = j["figures"]["progress"];
  ASSERT_EQ(progress["window_error"].size(), progress["rounds"].size());
  for (std::size_t i = 0; i < progress["rounds"].size(); ++i) {
    const auto round = progress["rounds"][i].get<std::size_t>();
    if (round > 90) {
      EXPECT_TRUE(progress["window_error"][i].is_null()) << round;
      continue;
    }
    const std::size_t size = std::min<std::size_t>(10, round);
    double errors = 0;
    for (std::size_t k = round - size; k < round; ++k) errors += wrong.at(k);
    EXPECT_DOUBLE_EQ(progress["window_error"][i].get<double>(), errors / static_cast<double>(size)) << round;
  }
}

TEST_F(Report, WhatWasHeldOutIsJudgedAsEvaluateDoes) {
  const std::string data = sample() + " --id applicant";
  const Json j = report("train " + data + " --passes 3 --holdout 0.3 --order cyclic --normalize column -o m");
  const Json& held = j["figures"]["holdout"];
  EXPECT_EQ(held["rows"], j["holdout"]["rows"]);
  std::uint64_t wrong = 0;
  for (const Json& count : held["margins"]["wrong"]) wrong += count.get<std::uint64_t>();
  EXPECT_EQ(wrong, j["holdout"]["errors"].get<std::uint64_t>());
  // The whole file by evaluate: training and held-out rows together.
  const Json all = json_of("evaluate m " + data);
  for (const char* truth : {"approved", "declined"}) {
    for (const char* predicted : {"approved", "declined"}) {
      EXPECT_EQ(held["confusion"][truth][predicted].get<int>() +
                    j["figures"]["training"]["confusion"][truth][predicted].get<int>(),
                all["confusion"][truth][predicted].get<int>());
    }
  }
}

TEST_F(Report, AreaUnderTheCurveIsEvaluates) {
  const std::string data = sample() + " --id applicant";
  const Json j = report("train " + data + " --order cyclic --passes 2 --normalize column -o m");
  const Json all = json_of("evaluate m " + data);
  EXPECT_NEAR(j["figures"]["training"]["roc"]["area"].get<double>(), all["auc"].get<double>(), 1e-12);
}

TEST_F(Report, WithoutItNothingIsRecorded) {
  write("d.svm", separable());
  const Json j = json_of("train d.svm");
  EXPECT_FALSE(j.contains("figures") || j.contains("invocation") || j.contains("plane"));
  write("run.json", j.dump());
  EXPECT_EQ(halfspace("report run.json -o page.html").code, 0);
  EXPECT_TRUE(has(read("page.html"), "was not recorded for figures"));
  // The same run but for what it was called with.
  Json recorded = Json::parse(halfspace("train d.svm --json --figures").out);
  for (const char* key : {"figures", "invocation", "plane"}) recorded.erase(key);
  Json plain = j;
  plain.erase("seconds");
  recorded.erase("seconds");
  EXPECT_EQ(recorded, plain);
}

TEST_F(Report, RegretEndsWhereTheLedgerDoes) {
  std::string table = "a,b,won\n";
  for (int t = 0; t < 5000; ++t) table += std::to_string(t % 2) + ",1," + std::to_string(t % 7 > 1) + "\n";
  write("advice.csv", table);
  const Json j = report("experts advice.csv --outcome won");
  for (const Json& player : j["algorithms"]) {
    const Json& path = player["path"];
    EXPECT_LE(path["rounds"].size(), 301U);
    EXPECT_EQ(path["rounds"].back(), 5000);
    const bool counts = !player["bound"].is_object() || player["bound"]["bounds"] == "mistakes";
    EXPECT_EQ(path["observed"].back(), player[counts ? "mistakes" : "expected_regret"]) << player["algorithm"];
    if (path.contains("bound")) {
      EXPECT_DOUBLE_EQ(path["bound"].back().get<double>(), player["bound"]["value"].get<double>());
    }
    // Every player can be stepped through: its loss and its weights end where the run does.
    EXPECT_EQ(path["loss"].back(), player["loss"]) << player["algorithm"];
    ASSERT_EQ(path["weights"].size(), player["weights"].size()) << player["algorithm"];
    for (const auto& [name, weights] : path["weights"].items()) {
      EXPECT_EQ(weights.size(), path["rounds"].size());
      EXPECT_EQ(weights.back(), player["weights"][name]) << player["algorithm"];
    }
  }
  // Without a theorem the quantity is still named.
  const Json untuned = report("experts advice.csv --outcome won --algorithm hedge --rate 0.1");
  EXPECT_TRUE(untuned["bound"].is_null());
  EXPECT_EQ(untuned["path"]["quantity"], "expected regret");
  EXPECT_EQ(untuned["path"]["observed"].back(), untuned["expected_regret"]);
}

TEST_F(Report, PullsOfArmsEndWhereTheRunDoes) {
  std::string table = "a,b\n";
  for (int t = 0; t < 700; ++t) table += std::to_string(t % 2) + "," + std::to_string(t % 3 % 2) + "\n";
  write("losses.csv", table);
  const Json j = report("bandit losses.csv");
  for (const Json& player : j["algorithms"]) {
    const Json& path = player["path"];
    EXPECT_EQ(path["loss"].back(), player["loss"]) << player["algorithm"];
    for (const auto& [name, pulls] : path["pulls"].items()) {
      EXPECT_EQ(pulls.size(), path["rounds"].size());
      EXPECT_EQ(pulls.back(), player["pulls"][name]) << player["algorithm"];
    }
    for (std::size_t i = 0; i < path["rounds"].size(); ++i)
      ASSERT_EQ(path["pulls"]["a"][i].get<int>() + path["pulls"]["b"][i].get<int>(), path["rounds"][i]);
  }
}

TEST_F(Report, HostileNamesAreShown) {
  write(
      "h.csv",
      "\"<script>alert(1)</script>\",\"</script><img src=x>\",label\n1,2,\"<b>yes\"\n3,1,no\n2,5,\"<b>yes\"\n0,1,no\n");
  report("train h.csv --passes 2 --order cyclic");
  const std::string html = read("page.html");
  EXPECT_TRUE(lacks(html, "<script>alert", "<img", "<b>"));
  EXPECT_TRUE(has(html, "&lt;script&gt;alert(1)&lt;/script&gt;"));
}

TEST_F(Report, BrokenRunsAreNamed) {
  write("broken.json", "{\"command\": \"train\",\n \"rounds\": }");
  const Output broken = halfspace("report broken.json -o p.html");
  EXPECT_EQ(broken.code, 65);
  EXPECT_TRUE(has(broken.err, "broken.json:2:12: not JSON"));
  write("other.json", "{\"command\": \"train\", \"rows\": \"many\"}");
  const Output other = halfspace("report other.json -o p.html");
  EXPECT_EQ(other.code, 65);
  EXPECT_TRUE(has(other.err, "other.json: run.rows: a number is expected, not a text"));
  EXPECT_EQ(halfspace("report nowhere.json -o p.html").code, 66);
  EXPECT_EQ(halfspace("report other.json").code, 2);
  EXPECT_FALSE(std::filesystem::exists(path("p.html")));
}

// A learner that always saying one class beats tells nothing.
TEST_F(Report, AHeadlineSaysWhereAGuessIsBetter) {
  write("xor.svm", "1 1:1 2:1\n0 1:1 2:-1\n0 1:-1 2:1\n1 1:-1 2:-1\n");
  ASSERT_EQ(halfspace("train xor.svm --preset rosenblatt -q --report r.html").code, 0);
  const std::string html = read("r.html");
  EXPECT_TRUE(has(html,
                  "A perceptron does not tell <em>1</em> from <em>0</em>: expect <strong>75.0 %</strong> of "
                  "new rows to be wrong",
                  "and always predicting the most frequent class is right on 50.00\u00a0%."));
}

// The terminal and the page count passes alike: a walk that ends within one is not done with it.
TEST_F(Report, PassesAreCountedAlike) {
  const Output said =
      halfspace("train " HALFSPACE_SOURCE_DIR "/examples/larks.csv --preset cyclic-pla --report r.html");
  const std::string passes = " passes and part of another";
  EXPECT_TRUE(has(said.out, passes + ","));
  EXPECT_TRUE(has(read("r.html"), "nothing left to learn", passes));
}

// Training accuracy is the last thing to judge a learner by.
TEST_F(Report, TheHeadlineJudgesByRowsNotLearnedFrom) {
  const auto page = [this](const std::string& flags) {
    EXPECT_EQ(halfspace("train " HALFSPACE_SOURCE_DIR "/examples/larks.csv -q --report r.html " + flags).code, 0)
        << flags;
    return read("r.html");
  };
  EXPECT_TRUE(has(page("--folds 3"), "each predicted by weights not trained on it"));
  EXPECT_TRUE(has(page("--rule tournament"), "each predicted before training on it"));
  EXPECT_TRUE(has(page("--until clean"), "without an error on all 60"));
  EXPECT_TRUE(has(page("--holdout 0.3"), "held out"));
  EXPECT_TRUE(has(page("--preset voted"), "The line is that of the final weights"));
  EXPECT_TRUE(lacks(page(""), "The line is that of the final weights"));
}

}  // namespace
}  // namespace halfspace::cli_tests
