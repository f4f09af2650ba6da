// halfspace train as a user meets it: results, JSON, resumption, interruption, and what is never left behind.
#include <fmt/format.h>

#include <regex>

#include "cli/run.h"
#include "halfspace/base/random.h"
#include "halfspace/rules/rule_entry.h"
#include "support/every.h"
#include "support/limit_of_memory.h"

namespace halfspace::cli_tests {
namespace {

class Train : public CommandTest {
 protected:
  Json train(const std::string& arguments) const {
    const Output output = halfspace("train " + arguments + " --json");
    EXPECT_EQ(output.code, 0) << output.err;
    return output.code == 0 ? Json::parse(output.out) : Json();
  }
};

TEST_F(Train, JsonHoldsEveryPromisedKey) {
  const Json j = train(sample() + " --id applicant --preset averaged --passes 3 --holdout 0.2");
  for (const char* key :
       {"rounds", "mistakes", "updates", "passes", "stopped", "rows", "features", "nonzeros", "positives", "negatives",
        "radius", "weight_norm", "training_errors", "margin", "bound", "holdout", "seconds"}) {
    EXPECT_TRUE(j.contains(key)) << key;
  }
  for (const char* key : {"value", "theorem", "margin", "radius"}) EXPECT_TRUE(j["bound"].contains(key)) << key;
  EXPECT_TRUE(j["holdout"].contains("rows") && j["holdout"].contains("accuracy"));
  for (const char* key : {"total", "read", "learn"}) EXPECT_TRUE(j["seconds"].contains(key)) << key;
  EXPECT_EQ(j["rows"], 690);
  EXPECT_EQ(j["holdout"]["rows"], 138);
  EXPECT_EQ(j["rounds"], 3 * 552);
  EXPECT_EQ(j["stopped"], "passes");
  EXPECT_LE(j["mistakes"].get<double>(), j["bound"]["value"].get<double>());
}

// A sum of squares that left the doubles says nothing of the radius: no figure is better than 0 or infinity.
TEST_F(Train, RadiusIsRightOrNotGiven) {
  for (const int exponent : {-320, -165, -150, -130, 0, 130, 150, 200, 300}) {
    SCOPED_TRACE(exponent);
    write("d.svm", fmt::format("+1 1:4e{0} 2:3e{0}\n-1 1:-4e{0} 2:-3e{0}\n", exponent));
    const double truth = 5 * std::pow(10.0, exponent);
    const std::string given = exponent < -130 ? "below 1e-135" : exponent > 130 ? "above 1e135" : "";
    for (const char* command : {"train d.svm --preset averaged --bias none --passes 3 --details", "check d.svm"}) {
      const Json radius = json_of(std::string(command))["radius"];
      const Output output = halfspace(command);
      const std::string said = output.out + output.err;
      EXPECT_EQ(radius.is_null(), !given.empty()) << command;
      if (given.empty()) {
        EXPECT_NEAR(radius.get<double>() / truth, 1, 1e-12) << command;
      } else {
        EXPECT_TRUE(has(said, given));
      }
      EXPECT_TRUE(lacks(said, "margin 0"));
    }
    ASSERT_EQ(halfspace("certify d.svm --bias none -o c").code, 0);
    const std::string proof = halfspace("verify c d.svm").out;
    if (exponent >= -300) {
      EXPECT_TRUE(has(proof, fmt::format("(about {:.6g})", truth)));
    }
    EXPECT_TRUE(lacks(proof, "(about 0)", "(about inf)"));
  }
}

// By raw weight, income in units of money is the last but one of 28.
TEST_F(Train, InspectRanksWeightsByWhatTheyDo) {
  ASSERT_EQ(halfspace("train " + sample() + " --id applicant -q -o m").code, 0);
  const std::string text = halfspace("inspect m").out;
  const std::size_t head = text.find("weight × deviation\n");
  ASSERT_NE(head, std::string::npos) << text;
  const std::size_t income = text.find("\n  income "), debt = text.find("\n  debt ");
  EXPECT_LT(text.find("\n  credit_score "), income) << text;
  EXPECT_LT(income, debt) << text;
  EXPECT_LT(debt, text.find("\n  purpose=repairs ")) << text;
  const Json model = json_of("inspect m");
  EXPECT_GT(std::abs(model["effects"]["income"].get<double>()), 1);
  EXPECT_LT(std::abs(model["weights"]["income"].get<double>()), 0.01);
  // A model of too many features has none.
  write("wide.svm", "+1 9000:1\n-1 1:1\n");
  ASSERT_EQ(halfspace("train wide.svm -q -o wide").code, 0);
  EXPECT_TRUE(json_of("inspect wide")["effects"].is_null());
  EXPECT_TRUE(has(halfspace("inspect wide").out, "its deviation is unknown"));
}

// A run whose model could not be saved is no result; and what is to be done is said.
TEST_F(Train, NumbersThatLeaveTheDoublesAreRefusedInWords) {
  write("d.csv", "y,w,a\n1,1e100,1e150\n0,1e100,2e150\n1,1e100,3e150\n");
  for (const char* rule : {"ftrl", "nag", "arow-diagonal"}) {
    const Output output = halfspace("train d.csv --label y --weight w -o m --rule " + std::string(rule));
    EXPECT_EQ(output.code, 65) << rule;
    EXPECT_TRUE(has(output.err, "left the range of doubles", "the weights of the rows"));
    EXPECT_FALSE(std::filesystem::exists(path("m")));
  }
}

// Zeros that a price makes are counted, left out of the file, and as good as before to go on with and to predict with.
TEST_F(Train, ExactZerosAreCountedAndLeftOut) {
  std::string rows, first, second;
  for (int i = 0; i < 400; ++i) {
    // The first feature tells the classes apart; each of the others is in one row.
    const std::string row = fmt::format("{} 1:{} {}:1\n", i % 2 == 0 ? "+1" : "-1", i % 2 == 0 ? 1 : -1, i + 2);
    (i < 200 ? first : second) += row;
  }
  write("d.svm", first + second);
  write("first.svm", first);
  write("second.svm", second);
  const Json j = train("d.svm --rule ftrl --l1 1 -o sparse");
  EXPECT_EQ(j["nonzero_weights"], 1);
  const Json known = json_of("inspect sparse");
  EXPECT_EQ(known["nonzero_weights"], 1);
  EXPECT_NE(known["weights"]["1"], 0.0);
  EXPECT_EQ(known["weights"]["2"], 0.0);
  const Output said = halfspace("train d.svm --rule ftrl --l1 1 -o sparse");
  EXPECT_TRUE(has(said.out + said.err, "1 of 401 are not 0"));
  EXPECT_EQ(train("d.svm --rule ftrl -o whole")["nonzero_weights"], 401);
  EXPECT_LT(std::filesystem::file_size(path("sparse")) + 400 * 7, std::filesystem::file_size(path("whole")));

  ASSERT_EQ(halfspace("train first.svm --rule ftrl --l1 1 -o half").code, 0);
  ASSERT_EQ(halfspace("train second.svm --resume half -o on").code, 0);
  EXPECT_EQ(json_of("inspect on")["weights"], known["weights"]);
  EXPECT_EQ(halfspace("predict on d.svm --scores").out, halfspace("predict sparse d.svm --scores").out);
}

// Unless it is said how long to go on with the rows that it had, a run that ended learns from those given, once.
TEST_F(Train, ARunThatEndedGoesOnWithNewRows) {
  write("d.svm", separable());
  ASSERT_EQ(halfspace("train d.svm --passes 2 -o m").code, 0);
  EXPECT_TRUE(notes("train d.svm --resume m -o m2", "this model's run ended after 16 rounds", "they now count twice"));
  EXPECT_EQ(json_of("inspect m2")["provenance"]["rounds"], 24);
  EXPECT_EQ(json_of("train d.svm --resume m --passes 3")["passes"], 3);
}

// The golden batch loop: 8 points, bias last, rule B; the golden trace ends at w = (3, 4, -19).
TEST_F(Train, BatchReachesTheGoldenWeights) {
  write("d.svm", separable());
  const Json j = train("d.svm --preset batch -o m");
  EXPECT_EQ(j["stopped"], "clean");
  EXPECT_EQ(j["mistakes"], 99);
  EXPECT_EQ(j["passes"], 35);
  EXPECT_EQ(j["training_errors"], 0);
  EXPECT_GT(j["margin"].get<double>(), 0);
  EXPECT_EQ(j["bound"]["theorem"], "novikoff");
  const Json model = json_of("inspect m");
  EXPECT_EQ(model["weights"]["1"], 3.0);
  EXPECT_EQ(model["weights"]["2"], 4.0);
  EXPECT_EQ(model["bias"], -19.0);
}

TEST_F(Train, EveryPresetRunsAndKeepsItsBound) {
  write("ones.svm", "+1 1:1 3:1\n-1 2:1\n+1 1:1\n-1 2:1 3:1\n-1 3:1\n+1 1:1 2:1\n");
  for (const Preset& known : presets()) {
    const std::string preset(known.name);
    const std::string data =
        testing::takes_ones_only(known.rule) ? "ones.svm" : sample() + " --id applicant --normalize column";
    const Json j = train(data + " --order cyclic --passes 2 --updates 2000 --preset " + preset);
    ASSERT_TRUE(j.contains("rounds")) << preset;
    EXPECT_GT(j["rounds"].get<int>(), 0) << preset;
    if (j["bound"].is_object()) {
      EXPECT_LE(j["mistakes"].get<double>(), j["bound"]["value"].get<double>()) << preset;
    }
  }
}

TEST_F(Train, EveryPresetEndsCleanOnSeparableDataByItself) {
  write("d.svm", separable());
  for (const Preset& known : presets()) {
    if (known.clean == Clean::no) continue;
    const std::string preset(known.name);
    const Json j = train("d.svm --preset " + preset);
    EXPECT_EQ(j["stopped"], "clean") << preset;
    EXPECT_EQ(j["training_errors"], 0) << preset;
    EXPECT_EQ(j["bound"]["margin"].get<double>() > 0, true) << preset;
  }
}

// Where only mistakes are played, a bound over them must not be the trivial one.
TEST_F(Train, OrdersThatLookForMistakesHaveABoundThatSaysSomething) {
  for (const char* order : {"first-mistake", "random-mistake"}) {
    const Json j = train(sample() + " --id applicant --rule perceptron --updates 300 --order " + order);
    EXPECT_EQ(j["mistakes"], 300);
    EXPECT_EQ(j["bound"]["theorem"], "hinge over the mistakes") << order;
    EXPECT_GT(j["bound"]["value"].get<int>(), 300) << order;
    EXPECT_GT(j["bound"]["hinge"].get<double>(), 0) << order;
  }
}

TEST_F(Train, SameBytesForEveryThreadCount) {
  for (const char* threads : {"1", "2", "4"}) {
    train(sample() + " --id applicant --passes 2 -o m" + threads + " --threads " + threads);
  }
  EXPECT_EQ(read("m1"), read("m2"));
  EXPECT_EQ(read("m1"), read("m4"));
}

// Stopped after k updates and resumed, the model file is the one of the run that never stopped: every byte.
TEST_F(Train, ResumedIsUninterrupted) {
  for (const char* how :
       {"--preset averaged --order cyclic", "--preset random-pla", "--preset pocket", "--preset voted --order cyclic",
        "--preset minnow --order cyclic", "--rule perceptron --order random --keep pocket"}) {
    const std::string base = sample() + " --id applicant --passes 1000 " + how;
    train(base + " --updates 57 -o whole");
    for (int k : {1, 20, 56}) {
      train(base + " --updates " + std::to_string(k) + " -o part");
      train(sample() + " --id applicant --passes 1000 --updates 57 --resume part -o part");
      const Json part = json_of("inspect part");
      const Json whole = json_of("inspect whole");
      EXPECT_EQ(part["weights"], whole["weights"]) << how << " " << k;
      EXPECT_EQ(part["bias"], whole["bias"]) << how << " " << k;
      EXPECT_EQ(part["provenance"]["rounds"], whole["provenance"]["rounds"]) << how << " " << k;
    }
  }
}

// A stream that ended is told from one that was broken off, and rows that come again are told, too.
TEST_F(Train, ARunThatEndedSaysWhereItGoesOn) {
  write("a.svm", separable());
  write("b.svm", "-1 1:3 3:1\n+1 1:9 2:2\n-1 2:1 3:4\n");
  train("a.svm --preset averaged -o ended");
  train("a.svm --preset averaged --updates 2 -o part");
  const std::string ended = "run ended after 8 rounds: training continues with all rows of b.svm";
  EXPECT_TRUE(has(halfspace("train b.svm --resume ended -o on -q").err, ended));
  EXPECT_TRUE(has(halfspace("train a.svm --resume ended -o twice -q").err, "run ended after 8 rounds",
                  "was already trained on these rows"));
  const Output on = halfspace("train a.svm --resume part -o on -q");
  EXPECT_EQ(on.code, 0);
  EXPECT_TRUE(lacks(on.err, "ended"));
  EXPECT_TRUE(read("on") == read("ended"));
  // What a script does that knows no better: nothing is learned twice without a word.
  EXPECT_TRUE(has(halfspace("train a.svm --resume on -o on -q").err, "on these rows"));
}

TEST_F(Train, DataThatEndBeforeTheBreakAreRefused) {
  write("d.svm", separable());
  write("begin.svm", separable().substr(0, separable().find('\n') + 1));
  train("d.svm --preset averaged --updates 3 -o part");
  EXPECT_TRUE(ends(65, "train begin.svm --resume part -o on", "the data end before row"));
  const std::uint64_t row = json_of("inspect part")["provenance"]["rows"].get<std::uint64_t>();
  const Output skipped = sh("sed '" + std::to_string(row) +
                            "s/:.*/:x/' d.svm >bad.svm; \"$H\" train bad.svm --resume part --on-error skip -o on");
  EXPECT_EQ(skipped.code, 65) << skipped.err;
  EXPECT_FALSE(std::filesystem::exists(path("on")));
}

// Rows of a cache are borrowed where they are mapped, whole blocks of them: whatever is done with them, it is what text
// comes to.
TEST_F(Train, ACacheIsLearnedAsItsText) {
  Generator draws(3);
  std::string text;
  for (int i = 0; i < 9000; ++i) {
    text += draws.next() < 0.4 ? "+1" : "-1";
    for (std::uint32_t index = 1 + static_cast<std::uint32_t>(pick(draws, 30)); index < 200;
         index += 1 + static_cast<std::uint32_t>(pick(draws, 60))) {
      text += " " + std::to_string(index) + ":" + std::to_string(draws.next() - 0.45);
    }
    text += "\n";
  }
  write("d.svm", text);
  ASSERT_EQ(halfspace("convert d.svm d.cache").code, 0);
  for (const char* how :
       {"--order cyclic --passes 3", "--order shuffled --passes 2", "--order random --passes 1",
        "--preset pocket --updates 9", "--preset pla --updates 30", "--rule arow-diagonal --order cyclic --passes 2",
        "--rule minnow --order cyclic --passes 2", "--order cyclic --passes 2 --holdout 0.2 --calibrate platt",
        "--rule kernel --budget 20 --order cyclic --passes 2", "--order cyclic --passes 2 --folds 2",
        "--preset voted --order cyclic --passes 2"}) {
    SCOPED_TRACE(how);
    Json cached = train(std::string("d.cache -o c.model ") + how), read = train(std::string("d.svm -o t.model ") + how);
    for (Json* json : {&cached, &read}) {
      json->erase("seconds");
      json->erase("invocation");
      json->erase("model");
    }
    EXPECT_EQ(cached, read);
    EXPECT_EQ(json_of("inspect c.model")["weights"], json_of("inspect t.model")["weights"]);
  }
}

// A stream given in two files is the stream.
TEST_F(Train, AStreamGoesOnInTheNextFile) {
  std::string first = separable();
  std::string second = "-1 1:3 3:1\n+1 1:9 2:2\n-1 2:1 3:4\n";
  write("a.svm", first);
  write("b.svm", second);
  write("ab.svm", first + second);
  train("ab.svm --preset averaged -o whole");
  train("a.svm --preset averaged -o part");
  train("b.svm --resume part -o part");
  const Json part = json_of("inspect part");
  const Json whole = json_of("inspect whole");
  EXPECT_EQ(part["weights"], whole["weights"]);
  EXPECT_EQ(part["bias"], whole["bias"]);
}

TEST_F(Train, AStreamBrokenOffGoesOnWhereItStoodAndNowhereElse) {
  write("d.svm", separable());
  train("d.svm --preset rosenblatt -o whole");
  train("d.svm --preset rosenblatt --updates 2 -o part");
  write("other.svm", "+1 1:1\n" + separable());
  EXPECT_TRUE(ends(65, "train other.svm --resume part -o other", "differs from the row"));
  train("d.svm --resume part -o part");
  const Json part = json_of("inspect part");
  const Json whole = json_of("inspect whole");
  EXPECT_EQ(part["weights"], whole["weights"]);
  EXPECT_EQ(part["provenance"]["mistakes"], whole["provenance"]["mistakes"]);
}

// A label that the first rows did not have makes the run begin again, with all classes, and its logs anew.
TEST_F(Train, ALabelThatComesLateBeginsTheRunAgain) {
  std::string text;
  for (int i = 0; i < 12'000; ++i)
    text += (i > 11'000 && i % 3 == 0 ? "late"
             : i % 2 == 0             ? "a"
                                      : "b") +
            std::string(" 1:") + std::to_string(i % 7) + "\n";
  write("d.svm", text);
  for (const char* how : {"", "--on-error skip --order cyclic --passes 2 "}) {
    const Output output = halfspace("train d.svm " + std::string(how) + "-o m --json --log l");
    ASSERT_EQ(output.code, 0) << output.err;
    const Json result = Json::parse(output.out);
    EXPECT_EQ(result["classes"].size(), 3U);
    EXPECT_EQ(result["classes"]["late"], 333);
    EXPECT_TRUE(has(output.err, "the label 'late'"));
    const std::string log = read("l");
    EXPECT_EQ(Json::parse(log.substr(0, log.find('\n')))["rounds"], 1);
    EXPECT_EQ(log.find("\"rounds\":1,"), log.rfind("\"rounds\":1,"));
  }
  const Output checked = halfspace("check d.svm --json");
  EXPECT_EQ(checked.code, 0);
  EXPECT_EQ(Json::parse(checked.out)["classes"].size(), 3U);
  // A pipe is read once: there such a row is bad.
  const Output refused = sh("cat d.svm | \"$H\" train - -q");
  EXPECT_EQ(refused.code, 65);
  EXPECT_TRUE(has(refused.err, "--classes"));
  // It is not where the classes are named, which gives the run of the file.
  ASSERT_EQ(halfspace("train d.svm --order stream -o whole -q").code, 0);
  ASSERT_EQ(sh("cat d.svm | \"$H\" train - --classes late,b,a -o named -q").code, 0);
  EXPECT_EQ(json_of("inspect named")["weights"], json_of("inspect whole")["weights"]);
  EXPECT_EQ(halfspace("train d.svm --resume named --classes a,b,late -q").code, 0);
  EXPECT_EQ(halfspace("train d.svm --resume named --classes a,b,later -q").code, 2);
  EXPECT_EQ(halfspace("train d.svm --resume named --positive a -q").code, 2);
  // A model's labels are what there is.
  write("two.svm", "a 1:1\nb 1:2\n");
  ASSERT_EQ(halfspace("train two.svm -q -o two").code, 0);
  EXPECT_EQ(halfspace("train d.svm --resume two -q -o again").code, 65);
}

TEST_F(Train, ResumingOnOtherDataIsRefused) {
  write("d.svm", separable());
  write("e.svm", separable() + "+1 1:3\n");
  train("d.svm --preset averaged --passes 2 -o m");
  EXPECT_TRUE(ends(65, "train e.svm --resume m --passes 3 -o m", "the data differ from"));
}

TEST_F(Train, AnInterruptStopsCleanlyAndWritesTheModel) {
  write("x.svm", "+1 1:1\n-1 1:1\n");  // never clean
  const Output output =
      sh("\"$H\" train x.svm --order shuffled --seconds 60 -o m --json & p=$!; sleep 0.5; kill -INT $p; wait $p");
  EXPECT_EQ(output.code, 130) << output.err;
  EXPECT_EQ(Json::parse(output.out)["stopped"], "interrupted");
  EXPECT_EQ(halfspace("inspect m").code, 0);
}

TEST_F(Train, BadDataLearnNothingAndLeaveTheModelAlone) {
  write("d.svm", separable());
  write("bad.svm", separable() + "+1 1:2 2:abc\n");
  train("d.svm -o m");
  const std::string before = read("m");
  EXPECT_TRUE(ends(65, "train bad.svm -o m", "bad.svm:9:10: 'abc' is not a number", "    +1 1:2 2:abc\n             ^",
                   "\n  no model was trained; m is unchanged; --on-error skip skips such rows\n"));
  EXPECT_EQ(read("m"), before);
  EXPECT_EQ(halfspace("train bad.svm -o new").code, 65);
  EXPECT_FALSE(std::filesystem::exists(path("new")));
}

TEST_F(Train, SkippedRowsAreSetAsideAndTheRestIsLearned) {
  write("bad.svm", "+1 1:2 2:abc\n" + separable() + "+1 0:1\n");
  write("d.svm", separable());
  const Json j = train("bad.svm --on-error skip --rejects r.csv -o a");
  EXPECT_EQ(j["rejected"], 2);
  EXPECT_EQ(j["rows"], 8);
  const std::string rejects = read("r.csv");
  EXPECT_TRUE(has(rejects, "bad.svm,1,", "bad.svm,10,"));
  train("d.svm -o b");
  EXPECT_EQ(json_of("inspect a")["weights"], json_of("inspect b")["weights"]);
}

TEST_F(Train, StandardInputIsAStream) {
  write("d.svm", separable());
  const Output output = sh("gzip -c d.svm | \"$H\" train - --preset rosenblatt --json");
  ASSERT_EQ(output.code, 0) << output.err;
  EXPECT_EQ(Json::parse(output.out)["mistakes"], train("d.svm --preset rosenblatt")["mistakes"]);
}

TEST_F(Train, BalancedClassesWeighTheSameInAll) {
  std::string text;  // two rows of 'rare', six of 'usual'
  for (int i = 0; i < 8; ++i)
    text += (i % 4 == 0 ? "rare" : "usual") + std::string(" 1:") + std::to_string(i % 3) + " 2:1\n";
  write("d.svm", text);
  train("d.svm --rule pa1 -o balanced --class-weight balanced");
  train("d.svm --rule pa1 -o given --class-weight rare=2 --class-weight usual=0.66666666666666663");
  EXPECT_EQ(read("balanced"), read("given"));
  train("d.svm --rule pa1 -o held --class-weight balanced --holdout 0.25");
  train("d.svm --rule pa1 -o same --class-weight rare=1.5 --class-weight usual=0.75 --holdout 0.25");
  EXPECT_EQ(json_of("inspect held")["weights"], json_of("inspect same")["weights"]);
  const Output pipe = sh("cat d.svm | \"$H\" train - --rule pa1 --class-weight balanced -q");
  EXPECT_EQ(pipe.code, 2);
  EXPECT_TRUE(has(pipe.err, "reads the data twice"));
}

TEST_F(Train, ARunThatNothingStopsIsRefused) {
  write("d.svm", separable());
  EXPECT_TRUE(ends(2, "train d.svm --rule perceptron --order shuffled", "nothing would stop this run"));
  // Nor would anything stop a resumed one: the perceptron comes to rest only where the classes do not overlap.
  train("d.svm --rule perceptron --order shuffled --passes 3 --updates 1 -o part");
  EXPECT_TRUE(ends(2, "train d.svm --resume part", "nothing would stop this run"));
  // Orders of mistakes end no pass while there is one, whatever else may stop them.
  for (const char* flags :
       {"--preset pocket --passes 3", "--preset pla --passes 3", "--order random-mistake --passes 3"}) {
    const Output refused = halfspace(std::string("train d.svm ") + flags);
    EXPECT_EQ(refused.code, 2) << flags;
    EXPECT_TRUE(has(refused.err, "--passes would not stop this run"));
  }
  train("d.svm --rule perceptron --order stream -o once");
  EXPECT_TRUE(ends(2, "train d.svm --resume once --passes 2", "goes once through its rows"));
  EXPECT_TRUE(ends(2, "train d.svm --resume once --until clean", "goes once through its rows"));
  EXPECT_EQ(halfspace("train d.svm --resume once").code, 0);
  train("d.svm --preset pocket --updates 1 -o part");
  EXPECT_TRUE(ends(2, "train d.svm --resume part --passes 2", "--passes would not stop this run"));
  EXPECT_EQ(halfspace("train d.svm --preset pla --updates 3").code, 0);
}

TEST_F(Train, MoreThanTwoClassesAreMulticlass) {
  write("d.svm", "0 1:1\n1 2:1\n2 3:1\n0 1:2\n1 2:2\n2 3:2\n");
  const Json j = train("d.svm --order cyclic --until clean -o m");
  EXPECT_EQ(j["composition"]["rule"], "multiclass");
  EXPECT_EQ(j["stopped"], "clean");
  EXPECT_EQ(halfspace("predict m d.svm").out, "0\n1\n2\n0\n1\n2\n");
  const Json pa = train("d.svm --rule pa1 --aggressiveness 0.5");
  EXPECT_EQ(pa["composition"]["rule"], "multiclass");
  EXPECT_EQ(pa["composition"]["class_update"], "pa1");
  EXPECT_EQ(pa["composition"]["aggressiveness"], 0.5);
  const Json margin = train("d.svm --rule margin --passes 3");
  EXPECT_EQ(margin["composition"]["several_classes"], "one-against-rest");
  EXPECT_FALSE(margin.contains("margin_ceiling"));
  EXPECT_TRUE(margin["bound"].is_null());
  EXPECT_EQ(train("d.svm --rule perceptron --multiclass one-against-one")["composition"]["several_classes"],
            "one-against-one");
  EXPECT_EQ(halfspace("train d.svm --rule kernel").code, 2);
  EXPECT_EQ(halfspace("train d.svm --rule margin --keep vote").code, 2);
  EXPECT_EQ(halfspace("train d.svm --rule margin --keep pocket").code, 2);
  EXPECT_EQ(halfspace("train d.svm --rule multiclass --multiclass one-against-rest").code, 2);
}

TEST_F(Train, UpdatesOfClassesKeepTheirBoundsAndAreResumed) {
  std::string rows;
  for (int i = 0; i < 90; ++i) {
    rows += std::to_string(i % 3) + " " + std::to_string(1 + (i % 11 == 0 ? i + 1 : i) % 3) +
            ":1 4:" + std::to_string(i % 7) + "\n";
  }
  write("d.svm", rows);
  for (const char* update : {"max-score", "uniform", "proportional", "pa", "pa1", "pa2"}) {
    const std::string how = std::string("d.svm --order cyclic --class-update ") + update;
    const Json whole = train(how + " --passes 4 -o whole");
    EXPECT_EQ(whole["composition"]["class_update"], update);
    if (!whole["bound"].is_null()) {
      EXPECT_LE(whole["mistakes"].get<double>(), whole["bound"]["value"].get<double>()) << update;
    }
    train(how + " --passes 2 -o half");
    train("d.svm --resume half --passes 4 -o half");
    EXPECT_EQ(read("half"), read("whole")) << update;
  }
  EXPECT_TRUE(ends(2, "train " + sample() + " --id applicant --class-update uniform",
                   "--class-update is not for --rule perceptron"));
}

TEST_F(Train, TheLogAndTheTraceAreJsonLines) {
  write("d.svm", separable());
  train("d.svm --preset batch --log l --trace t");
  std::istringstream log(read("l"));
  std::string line;
  std::string last;
  while (std::getline(log, line)) {
    EXPECT_TRUE(Json::accept(line)) << line;
    last = line;
  }
  EXPECT_EQ(Json::parse(last)["event"], "end");
  std::istringstream trace(read("t"));
  std::uint64_t rounds = 0;
  std::uint64_t mistakes = 0;
  while (std::getline(trace, line)) {
    const Json round = Json::parse(line);
    EXPECT_EQ(round["round"], ++rounds);
    mistakes += round["mistake"].get<bool>();
  }
  EXPECT_EQ(rounds, 35U * 8U);
  EXPECT_EQ(mistakes, 99U);
}

TEST_F(Train, OneClassIsAWarning) {
  write("d.svm", "+1 1:1\n+1 1:2\n");
  EXPECT_TRUE(notes("train d.svm", "one class only"));
}

// A stream whose mistakes outgrow the memory is bounded in segments: the bound still holds, and is not the trivial one.
TEST_F(Train, AStreamLongerThanItsMemoryKeepsItsBound) {
  std::string text;
  unsigned state = 7;
  const auto draw = [&state] { return (state = state * 1664525U + 1013904223U) >> 8; };
  for (int i = 0; i < 60000; ++i) {
    std::string row;
    for (int j = 1; j <= 40; ++j) row += " " + std::to_string(j) + ":0." + std::to_string(100 + draw() % 900);
    text += (draw() % 2 == 0 ? "+1" : "-1") + row + "\n";
  }
  write("noise.svm", text);
  const auto piped = [&](const std::string& memory) {
    return Json::parse(sh("cat noise.svm | \"$H\" train - --preset rosenblatt --json" + memory).out);
  };
  const Json whole = piped(""), segments = piped(" --memory 1M");
  EXPECT_EQ(whole["mistakes"], segments["mistakes"]);
  EXPECT_NE(whole["bound"]["value"], segments["bound"]["value"]);  // there were several
  for (const Json& j : {whole, segments}) {
    EXPECT_EQ(j["bound"]["theorem"], "hinge over the mistakes");
    EXPECT_LE(j["mistakes"].get<double>(), j["bound"]["value"].get<double>());
  }
  // They say nothing of labels that are noise, nor would a file read again.
  const Json file = train("noise.svm --preset rosenblatt");
  EXPECT_EQ(file["mistakes"], whole["mistakes"]);
  EXPECT_EQ(file["no_bound"], "a sample of the rows promises none below the 30,000 mistakes of guessing");
}

TEST_F(Train, ColumnNormalisationIsUndoneInTheWeightsShown) {
  write("d.csv", "a,b,label\n1000,1,1\n-1000,1,0\n500,2,1\n-800,2,0\n");
  train("d.csv --normalize column --order cyclic --passes 5 -o m");
  const Json model = json_of("inspect m");
  // The score from the numbers shown, on the data's own values, is the score predicted.
  const double score =
      model["weights"]["a"].get<double>() * 500 + model["weights"]["b"].get<double>() * 2 + model["bias"].get<double>();
  std::istringstream scores(halfspace("predict m d.csv --scores").out);
  double shown = 0;
  for (int i = 0; i < 3; ++i) scores >> shown;
  EXPECT_DOUBLE_EQ(score, shown);
}

// A proof in hand is not ignored: its separator's margin bounds the mistakes, and every margin.
TEST_F(Train, TakesTheBoundOfItsProof) {
  const std::string larks = std::string(HALFSPACE_SOURCE_DIR) + "/examples/larks.csv";
  const Json plain = train(larks + " --preset cyclic-pla");
  const Json proved = train(larks + " --preset cyclic-pla --certify");
  const Json certificate = json_of("certify " + larks);
  EXPECT_EQ(plain["mistakes"], proved["mistakes"]);
  EXPECT_GT(plain["bound"]["value"].get<double>(), 9'000);
  EXPECT_EQ(proved["bound"]["comparator"], "proof");
  EXPECT_EQ(std::floor(proved["bound"]["value"].get<double>()), certificate["mistake_bound"].get<double>());
  EXPECT_LT(proved["margin_ceiling"].get<double>(), plain["margin_ceiling"].get<double>());
  // Of scaled columns, weighted rows or another rule the proof says nothing.
  for (const char* other : {"--normalize column", "--class-weight skylark=2", "--rule pa --passes 9"}) {
    const Json run = train(larks + " --certify --until clean --order cyclic " + other);
    EXPECT_NE(run["bound"]["comparator"], "proof") << other;
  }
}

// A run without a bound says what the theorem asks for.
// Rows of zeros move no weights, and may be mistakes for ever: of Minnow's guesses none was ever made.
TEST_F(Train, MinnowsBoundCountsRowsOfZeros) {
  write("z.svm", "+1 1:1\n+1\n-1\n");
  const Json j = Json::parse(
      halfspace(
          "train z.svm --rule minnow --positive-weights --bias none --tie positive --order cyclic --passes 3 --json")
          .out);
  EXPECT_EQ(j["mistakes"], 3);
  ASSERT_TRUE(j["bound"].is_object());
  EXPECT_GE(j["bound"]["value"].get<double>(), 3);
}

TEST_F(Train, SaysWhatTheTheoremAsksFor) {
  for (const RuleEntry& entry : all_rules())
    EXPECT_TRUE(entry.bounds == nullptr || !entry.bounds_ask.empty()) << entry.name;
  write("xor.svm", "+1 1:1\n-1 2:1\n-1 1:1\n+1 2:1\n-1 1:1 2:1\n");
  write("weighted.csv", "a,w,label\n1,2,yes\n-1,1,no\n1,3,no\n");
  const std::vector<std::pair<std::string, std::string>> runs{
      {"xor.svm --rule romma", "weights that separate all rows, and those at hand do not"},
      {"xor.svm --rule aggressive-romma", "weights that separate all rows, and those at hand do not"},
      {"xor.svm --rule winnow1", "a disjunction of at most 64 features that fits every row"},
      {"weighted.csv --rule alma --class-weight no=2", "rows of weight 1"},
      {"weighted.csv --rule eg --class-weight no=2", "rows of weight 1"},
      {"weighted.csv --rule minnow --class-weight no=2", "rows of weight 1"},
  };
  for (const auto& [arguments, words] : runs) {
    const Json run = train(arguments);
    ASSERT_TRUE(run.contains("no_bound")) << arguments;
    EXPECT_TRUE(has(run["no_bound"].get<std::string>(), "the theorem asks for " + words))
        << arguments << run["no_bound"];
    const Output text = halfspace("train " + arguments);
    EXPECT_TRUE(has(text.out + text.err, "no bound: the theorem asks for"));
  }
}

// One number too large is an error with its row, not a machine without memory.
TEST_F(Train, NamesTheRowWithTooManyFeatures) {
  write("wide.svm", "+1 1:1\n-1 2:1\n+1 3:1 2147483646:1\n");
  for (const char* order : {"stream", "cyclic --passes 2", "shuffled --passes 2"}) {
    const Output output = halfspace(std::string("train wide.svm -o m --order ") + order);
    EXPECT_EQ(output.code, 65) << order;
    EXPECT_TRUE(has(output.err, "row 3 makes it 2147483646 features"));
    EXPECT_TRUE(read("m").empty()) << order;
  }
  EXPECT_TRUE(prints("check wide.svm", "2,147,483,646"));
}

// What much memory is said to be needed beforehand is enough, whatever the rule keeps of a feature.
TEST_F(Train, SaysHowMuchMemoryManyFeaturesTake) {
  write("wide.svm", "+1 1:1\n-1 2:1\n+1 3:1 4000000:1\n");
  for (const char* rule : {"perceptron --keep average", "arow-diagonal --keep average", "coin"}) {
    const std::string arguments = std::string("train wide.svm -q --threads 1 --rule ") + rule;
    const Output free = halfspace(arguments);
    ASSERT_EQ(free.code, 0) << free.err;
    std::smatch said;
    ASSERT_TRUE(std::regex_search(free.err, said, std::regex("4000000 features: the learner takes about (\\d+) MiB")))
        << rule << free.err;
    EXPECT_EQ(free.err.find("features: the", static_cast<std::size_t>(said.position()) + 30), std::string::npos);
    if (!memory_can_be_limited) continue;
    const std::uint64_t enough = std::stoull(said[1]) + 160;
    EXPECT_EQ(sh(limit_of_memory(enough << 10) + "\"$H\" " + arguments).code, 0) << rule;
    const Output little = sh(limit_of_memory(enough << 9) + "\"$H\" " + arguments);
    EXPECT_EQ(little.code, 65) << rule;
    EXPECT_TRUE(has(little.err, "row 3 makes it 4000000 features: the learner takes about"));
  }
  write("square.svm", "+1 1:1\n-1 2:1\n+1 3:1 3600:1\n");
  EXPECT_TRUE(notes("train square.svm -q --rule arow", "--rule arow-diagonal keeps one number a feature"));
}

// Columns without names are known by their places, whether the next file names them or not.
TEST_F(Train, AModelWithoutAHeaderReadsFilesWithOne) {
  write("rows.csv", "1,2,yes\n3,4,no\n5,1,yes\n0,4,no\n");
  write("named.csv", "a,b,c\n1,2,yes\n3,4,no\n5,1,yes\n0,4,no\n");
  ASSERT_EQ(halfspace("train rows.csv -q -o m").code, 0);
  const std::string expected = halfspace("predict m rows.csv").out;
  EXPECT_EQ(halfspace("predict m named.csv").out, expected);
  EXPECT_EQ(halfspace("predict m named.csv --header").out, expected);
  EXPECT_EQ(halfspace("predict m rows.csv --no-header").out, expected);
}

// A bound is the number that it is, however far beyond counting.
TEST_F(Train, ABoundBeyondCountingIsSaidAsItIs) {
  write("far.svm", "1 1:1\n1 1:1e-30\n-1 1:-1e-30\n");
  const Output output = halfspace("train far.svm --rule perceptron --bias none --json");
  const Json bound = Json::parse(output.out)["bound"];
  ASSERT_FALSE(bound.is_null()) << output.out;
  ASSERT_EQ(bound["theorem"], "novikoff");
  EXPECT_GT(bound["value"].get<double>(), 1e50);
  EXPECT_TRUE(lacks(halfspace("train far.svm --rule perceptron --bias none").out, "18,446,744,073,709,551,615"));
}

}  // namespace
}  // namespace halfspace::cli_tests
