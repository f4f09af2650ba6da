// halfspace train --objective as a user meets it: what is proved, in words and in JSON; its models with other commands; and
// what it rejects.
#include <fmt/format.h>

#include "cli/run.h"
#include "halfspace/base/random.h"

namespace halfspace::cli_tests {
namespace {

class ObjectiveCommand : public CommandTest {
 protected:
  Json train(const std::string& arguments) const {
    const Output output = halfspace("train " + arguments + " --json");
    EXPECT_EQ(output.code, 0) << output.err;
    return output.code == 0 ? Json::parse(output.out) : Json();
  }
  // Rows of so many classes, as LIBSVM.
  std::string rows(int classes, int count = 300) const {
    Generator draws(7);
    std::string text;
    for (int i = 0; i < count; ++i) {
      const double x = draws.next() * 2 - 1, z = draws.next() * 2 - 1;
      const double angle = std::atan2(x + 0.1 * gaussian(draws), z) + 3.2;
      text += fmt::format("{} 1:{:.4f} 2:{:.4f}\n", static_cast<int>(angle * classes / 6.5), x, z);
    }
    return text;
  }
};

TEST_F(ObjectiveCommand, ProvesItsGap) {
  write("d.svm", rows(2));
  for (const std::string name : {"svm", "squared-hinge", "logistic"}) {
    for (const std::string bias : {"", " --penalize-bias no", " --bias none"}) {
      SCOPED_TRACE(name + bias);
      const Json j = train("d.svm --objective " + name + " --C 2 --gap 1e-8" + bias);
      const Json& minimum = j["minimum"];
      EXPECT_EQ(minimum["objective"], name);
      EXPECT_EQ(minimum["C"], 2);
      EXPECT_EQ(minimum["stopped"], "gap");
      EXPECT_LE(minimum["gap"].get<double>(), 1e-8);
      const double primal = minimum["primal"].get<double>(), dual = minimum["dual"].get<double>();
      EXPECT_GE(primal, dual);
      EXPECT_NEAR(minimum["radius"].get<double>(), std::sqrt(2 * (primal - dual)), 1e-3 * std::sqrt(primal));
      EXPECT_EQ(minimum["of_vector"].size(), 1);
      EXPECT_EQ(j["rounds"], 0);
      EXPECT_TRUE(j["bound"].is_null());
      EXPECT_LT(j["training_errors"].get<double>(), 60);
    }
  }
}

TEST_F(ObjectiveCommand, L2IsThePriceOfTheMeanLoss) {
  write("d.svm", rows(2, 200));
  const Json by_cost = train("d.svm --objective logistic --C 0.5 --gap 1e-12");
  const Json by_l2 = train("d.svm --objective logistic --l2 0.01 --gap 1e-12");
  EXPECT_DOUBLE_EQ(by_l2["minimum"]["C"].get<double>(), 0.5);
  EXPECT_NEAR(by_l2["minimum"]["primal"].get<double>(), by_cost["minimum"]["primal"].get<double>(), 1e-9);
}

TEST_F(ObjectiveCommand, SaysWhatIsProved) {
  write("d.svm", rows(2));
  const Output output = halfspace("train d.svm --objective svm --gap 1e-9");
  EXPECT_EQ(output.code, 0) << output.err;
  EXPECT_TRUE(has(output.out, "minimized", "objective", "at most", "no weights have less than", "proved", "certain",
                  "every weight is within", "certain digits"));
  EXPECT_TRUE(lacks(output.out, "mistakes"));
}

TEST_F(ObjectiveCommand, ModelsServeOtherCommands) {
  write("d.svm", rows(2));
  write("e.svm", rows(3));
  for (const std::string data : {"d.svm", "e.svm"}) {
    SCOPED_TRACE(data);
    const Json j = train(data + " --objective logistic --holdout 0.2 -o m.model");
    EXPECT_EQ(j["minimum"]["of_vector"].size(), 1U);
    EXPECT_EQ(j["minimum"]["jointly"].get<bool>(), data == "e.svm");
    const Json apart = train(data + " --objective logistic --multiclass one-against-rest");
    EXPECT_EQ(apart["minimum"]["of_vector"].size(), data == "d.svm" ? 1U : 3U);
    const Json evaluated = json_of("evaluate m.model " + data);
    EXPECT_TRUE(evaluated.contains("accuracy"));
    EXPECT_EQ(halfspace("predict m.model " + data + " --probability").code, 0);
    EXPECT_EQ(halfspace("inspect m.model").code, 0);
    const Output resumed = halfspace("train " + data + " --resume m.model");
    EXPECT_EQ(resumed.code, 0);
    EXPECT_TRUE(
        has(resumed.err, std::string("goes on from there by the rule ") + (data == "d.svm" ? "nag" : "multinomial")));
  }
}

// Each class against the rest is a problem of its own, and the widest gap is that of all.
TEST_F(ObjectiveCommand, SeveralClassesHaveAProofEach) {
  write("d.svm", rows(4));
  const Json minimum = train("d.svm --objective squared-hinge --gap 1e-7")["minimum"];
  ASSERT_EQ(minimum["of_vector"].size(), 4);
  double widest = 0;
  for (const Json& of : minimum["of_vector"]) widest = std::max(widest, of["gap"].get<double>());
  EXPECT_EQ(minimum["gap"].get<double>(), widest);
  EXPECT_LE(widest, 1e-7);
  EXPECT_EQ(minimum["of_vector"][2]["class"], "2");
}

TEST_F(ObjectiveCommand, StopsWhenItIsTold) {
  write("d.svm", rows(2));
  const Json minimum = train("d.svm --objective svm --gap 0 --passes 3")["minimum"];
  EXPECT_EQ(minimum["stopped"], "passes");
  EXPECT_LE(minimum["of_vector"][0]["passes"].get<int>(), 3);
  EXPECT_GT(minimum["gap"].get<double>(), 0);
}

TEST_F(ObjectiveCommand, WritesACertificateThatVerifyChecks) {
  write("d.svm", rows(2));
  ASSERT_TRUE(prints("train d.svm --objective svm --C 0.3 --certificate c.proof -o m.model",
                     "  certificate  c.proof   ", "in rational arithmetic"));
  const Output verified = halfspace("verify c.proof d.svm");
  EXPECT_EQ(verified.code, 0) << verified.out;
  EXPECT_TRUE(has(verified.out, "hinge losses, C = 0.3", "no weights have an objective below", "every weight is within",
                  "\n\nvalid: the relative gap to the minimum is at most "));
  EXPECT_TRUE(lacks(verified.out, "undecided"));
  const Json j = json_of("verify c.proof d.svm");
  EXPECT_EQ(j["valid"], true);
  const Json minimum = j["minimum"];
  EXPECT_EQ(minimum["objective"], "svm");
  EXPECT_EQ(minimum["costs"][0], "3/10");
  EXPECT_EQ(minimum["penalize_bias"], true);
  ASSERT_EQ(minimum["of_vector"].size(), 1u);
  const Json bounds = minimum["of_vector"][0];
  EXPECT_LE(bounds["dual"].get<double>(), bounds["primal"].get<double>());
  EXPECT_LE(bounds["gap"].get<double>(), 1e-6);
  EXPECT_GT(bounds["radius"].get<double>(), 0);
  // Other data are not those of the certificate.
  write("other.svm", rows(2, 299));
  const Json other = json_of("verify c.proof other.svm");
  EXPECT_EQ(other["valid"], false);
  EXPECT_EQ(other["minimum"]["of_vector"].size(), 0u);
  // Of more than two classes each has a proof.
  write("three.svm", rows(3));
  ASSERT_EQ(halfspace("train three.svm --objective squared-hinge --certificate c3.proof").code, 0);
  EXPECT_TRUE(prints("verify c3.proof three.svm", "class 2: no weights have", ", for each class\n"));
}

TEST_F(ObjectiveCommand, WritesNoCertificateThatItCannotProve) {
  write("d.svm", rows(2));
  const std::string train = "train d.svm --objective svm --certificate ";
  for (const std::string& line :
       {train + "d.svm", train + "m -o m", train + "c --holdout 0.2", std::string("train d.svm --certificate c")}) {
    EXPECT_TRUE(ends(2, line, "fix: "));
  }
  EXPECT_FALSE(std::filesystem::exists(path("c")));
  EXPECT_NE(halfspace(train + "no/folder/c").code, 0);
  ASSERT_EQ(halfspace(train + "c").code, 0);
  EXPECT_TRUE(ends(2, "certify d.svm --resume c", "of a minimum, not of separability"));
}

TEST_F(ObjectiveCommand, RejectsWhatHasNoEffect) {
  write("d.svm", rows(2));
  for (const char* flags :
       {"--rule pa", "--preset averaged", "--order cyclic", "--keep average", "--until clean", "--updates 5",
        "--start small", "--rate 0.5", "--sets 0.9", "--C 0", "--gap=-1", "--trace t.json",
        "--checkpoint 5s -o x.model", "--least-loss", "--window 50", "--l2 0", "--C 1 --l2 1"}) {
    const Output output = halfspace(std::string("train d.svm --objective svm ") + flags);
    EXPECT_EQ(output.code, 2) << flags << output.out;
    EXPECT_TRUE(has(output.err, "--")) << flags;
  }
  EXPECT_EQ(halfspace("train d.svm --objective svm --search C=1,2").code, 2);
  for (const char* flags :
       {"--search passes=1,2", "--search aggressiveness=1,2", "--search C=0,1", "--l2 1 --search C=1,2",
        "--C 1 --search l2=1,2", "--search C=1,2 --search l2=1,2", "--bias none --search bias-scale=1,2"})
    EXPECT_EQ(halfspace(std::string("train d.svm --objective svm --folds 3 ") + flags).code, 2) << flags;
  for (const char* flags : {"--C 1", "--gap 1e-3", "--penalize-bias no"})
    EXPECT_EQ(halfspace(std::string("train d.svm ") + flags).code, 2) << flags;
}

// The table over C, and the model of the best: byte for byte that of a run with this C.
TEST_F(ObjectiveCommand, SearchesThePrice) {
  write("d.svm", rows(2));
  write("e.svm", rows(3));
  for (const std::string task : {"d.svm --objective svm --folds 4", "d.svm --objective logistic --holdout 0.25",
                                 "e.svm --objective squared-hinge --folds 3"}) {
    SCOPED_TRACE(task);
    const Json j = train(task + " --search C=0.001..100:5 -o best");
    const Json& candidates = j["search"]["candidates"];
    ASSERT_EQ(candidates.size(), 5U);
    double most = 0, last = 0;
    for (const Json& one : candidates) {
      most = std::max(most, one["accuracy"].get<double>());
      EXPECT_LE(one["minimum"]["gap"].get<double>(), 1e-6);
      EXPECT_GT(one["minimum"]["passes"].get<double>(), 0);
      EXPECT_GT(one["minimum"]["primal"].get<double>(), last);  // the least of |w|^2 / 2 + C L increases with C
      last = one["minimum"]["primal"].get<double>();
      if (one["parameters"] == j["search"]["best"]) {
        EXPECT_EQ(one["accuracy"], most);
      }
    }
    const Json best = j["search"]["best"]["C"];
    EXPECT_EQ(j["minimum"]["C"], best);
    const std::string plain = task.substr(0, task.find(" --", task.find("--objective") + 1));
    train(plain + " --C " + best.dump() + " -o plain");
    EXPECT_EQ(read("best"), read("plain"));
    EXPECT_TRUE(has(halfspace("train " + task + " --search C=0.001..100:5 -q").out, "objective", "gap at most",
                    "passes", "best         C ", "ahead of C "));
  }
}

TEST_F(ObjectiveCommand, SearchesTheOtherPriceAndTheBias) {
  write("d.svm", rows(2));
  const Json j = train("d.svm --objective logistic --folds 3 --search l2=0.01,1 --search bias-scale=1,3");
  ASSERT_EQ(j["search"]["candidates"].size(), 4U);
  EXPECT_EQ(j["minimum"]["l2"], j["search"]["best"]["l2"]);
}

// Folds score one price, and fit the curve of a loss whose scores are no probabilities.
TEST_F(ObjectiveCommand, FoldsScoreAndCalibrate) {
  write("d.svm", rows(2));
  const Json j = train("d.svm --objective svm --folds 5 --calibrate platt -o m");
  EXPECT_EQ(j["folds"]["fold"].size(), 5U);
  EXPECT_LE(j["folds"]["minimum"]["gap"].get<double>(), 1e-6);
  EXPECT_EQ(j["calibration"]["rows"], 300);
  EXPECT_EQ(halfspace("predict m d.svm --probability").code, 0);
  EXPECT_EQ(train("d.svm --objective svm --folds 5 --calibrate platt --threads 1")["folds"], j["folds"]);
}

}  // namespace
}  // namespace halfspace::cli_tests
