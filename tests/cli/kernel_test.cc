// The kernel perceptron as a user meets it: trained, resumed, predicted with, looked into; and what is refused.

#include "cli/run.h"

namespace halfspace::cli_tests {
namespace {

class KernelCommand : public CommandTest {
 protected:
  Json train(const std::string& arguments) const {
    const Output output = halfspace("train " + arguments + " --json");
    EXPECT_EQ(output.code, 0) << output.err;
    return output.code == 0 ? Json::parse(output.out) : Json();
  }
  // Two rings: no line tells them apart.
  static std::string rings(double scale = 1) {
    std::string rows;
    for (int i = 0; i < 120; ++i) {
      const double turn = 0.37 * i;
      const double radius = scale * (i % 2 == 0 ? 1 : 2.5);
      rows += std::string(i % 2 == 0 ? "+1" : "-1") + " 1:" + std::to_string(radius * std::cos(turn)) +
              " 2:" + std::to_string(radius * std::sin(turn)) + "\n";
    }
    return rows;
  }
};

TEST_F(KernelCommand, TellsApartWhatNoLineDoes) {
  write("d.svm", rings());
  EXPECT_GT(train("d.svm --rule perceptron --order cyclic --passes 20")["training_errors"], 20);
  for (const char* kernel : {"--kernel gaussian --gamma 0.5", "--kernel polynomial --degree 2"}) {
    const Json j = train(std::string("d.svm --rule kernel --order cyclic --until clean -o m ") + kernel);
    EXPECT_EQ(j["stopped"], "clean") << kernel;
    EXPECT_EQ(j["training_errors"], 0) << kernel;
    EXPECT_EQ(j["bound"]["theorem"], "novikoff") << kernel;
    EXPECT_LE(j["mistakes"].get<double>(), j["bound"]["value"].get<double>()) << kernel;
    EXPECT_GT(j["margin"].get<double>(), 0) << kernel;
    const Output evaluated = halfspace("evaluate m d.svm --json");
    EXPECT_EQ(Json::parse(evaluated.out)["errors"], 0) << kernel;
    const Json inside = json_of("inspect m");
    EXPECT_EQ(inside["support_vectors"], j["support_vectors"]);
    EXPECT_EQ(inside["coefficients"].size(), j["support_vectors"].get<std::size_t>());
    EXPECT_TRUE(inside["weights"].is_null());
    const std::string text = halfspace("inspect m").out;
    EXPECT_TRUE(has(text, "support vectors"));
  }
}

TEST_F(KernelCommand, LinearIsThePerceptronAndHasWeightsByFeature) {
  const std::string how = sample() + " --id applicant --order cyclic --passes 2 --normalize column ";
  const Json dual = train(how + "--rule kernel --kernel linear -o dual");
  const Json primal = train(how + "--rule perceptron --keep last -o primal");
  EXPECT_EQ(dual["mistakes"], primal["mistakes"]);
  EXPECT_EQ(dual["training_errors"], primal["training_errors"]);
  EXPECT_NEAR(dual["weight_norm"].get<double>(), primal["weight_norm"].get<double>(), 1e-6);
  const Json a = json_of("inspect dual")["weights"];
  const Json b = json_of("inspect primal")["weights"];
  ASSERT_EQ(a.size(), b.size());
  for (const auto& [name, weight] : b.items()) EXPECT_NEAR(a[name].get<double>(), weight.get<double>(), 1e-9) << name;
}

TEST_F(KernelCommand, BudgetsAreKeptAndResumedBitForBit) {
  write("d.svm", rings());
  const std::string kernel = "--rule kernel --gamma 0.5 --budget 8 --eviction ";
  const std::string passes = " --passes 50";  // 60 updates may never come: some end with nothing left to learn
  for (const std::string eviction : {"random", "forgetron", "projectron"}) {
    for (const char* order : {"cyclic", "shuffled", "random-mistake", "first-mistake", "random"}) {
      const std::string how = "d.svm " + kernel + eviction + " --order " + order + passes;
      const Json whole = train(how + " --updates 60 -o whole");
      EXPECT_LE(whole["support_vectors"], 8) << how;
      EXPECT_EQ(whole["composition"]["eviction"], eviction);
      if (whole["bound"].is_object()) {
        EXPECT_LE(whole["mistakes"].get<double>(), whole["bound"]["value"].get<double>()) << how;
      }
      train(how + " --updates 25 -o half");
      train("d.svm --resume half --updates 60 -o half" + passes);
      EXPECT_EQ(halfspace("inspect half --json").out, halfspace("inspect whole --json").out) << how;
      EXPECT_EQ(halfspace("predict half d.svm --scores").out, halfspace("predict whole d.svm --scores").out) << how;
    }
    EXPECT_TRUE(train("d.svm " + kernel + eviction + " --order cyclic --passes 3")["bound"].is_object()) << eviction;
  }
}

// A data row's distance to another does not depend on the order played in; a run's composition says what was found.
TEST_F(KernelCommand, GammaIsSuitedToTheRowsUnlessItIsGiven) {
  write("d.svm", rings(1000));
  const Json first = train("d.svm --rule kernel -o m")["composition"]["gamma"];
  EXPECT_LT(first.get<double>(), 1e-6);
  EXPECT_GT(first.get<double>(), 1e-8);
  for (const char* order : {"stream", "cyclic --passes 2", "shuffled --passes 2", "random-mistake --updates 9"})
    EXPECT_EQ(train("d.svm --rule kernel --order " + std::string(order))["composition"]["gamma"], first) << order;
  const Json scaled = train("d.svm --rule kernel --normalize column")["composition"]["gamma"];
  EXPECT_GT(scaled.get<double>(), 0.1);
  EXPECT_EQ(train("d.svm --rule kernel --normalize column --order shuffled --passes 2")["composition"]["gamma"],
            scaled);
  // A run that goes on keeps what it began with.
  write("small.svm", "+1 1:0.001\n-1 1:0.002\n");
  EXPECT_EQ(train("small.svm --resume m")["composition"]["gamma"], first);
  // With 1 all rows are far from all others, and every new one is an error.
  EXPECT_EQ(train("d.svm --rule kernel --gamma 1")["composition"]["gamma"], 1);
  const auto right = [&](const std::string& flags) {
    return train("d.svm --rule kernel --order cyclic --passes 5 --folds 4 " + flags)["folds"]["accuracy"].get<double>();
  };
  EXPECT_GT(right(""), 0.95);
  EXPECT_LT(right("--gamma 1"), 0.6);
}

TEST_F(KernelCommand, APipeIsToldThatItsGammaIsNotSuited) {
  write("d.svm", rings());
  const Output piped = sh("cat d.svm | \"$H\" train - --rule kernel --json");
  EXPECT_EQ(piped.code, 0) << piped.err;
  EXPECT_EQ(Json::parse(piped.out)["composition"]["gamma"], 1);
  EXPECT_TRUE(has(piped.err, "gamma is 1, not tuned to the rows"));
  const Output given = sh("cat d.svm | \"$H\" train - --rule kernel --gamma 2 --json");
  EXPECT_TRUE(lacks(given.err, "not tuned"));
}

TEST_F(KernelCommand, WhatItCannotDoIsRefusedWithAFix) {
  write("d.svm", rings());
  const auto refused = [&](const std::string& arguments, const std::string& why) {
    const Output output = halfspace("train d.svm " + arguments);
    EXPECT_EQ(output.code, 2) << arguments;
    EXPECT_TRUE(has(output.err, why, "fix:"));
  };
  refused("--rule kernel --keep vote", "--keep vote");
  refused("--rule kernel --keep average --budget 5", "--keep average");
  refused("--rule kernel --rate 0.5", "--rate");
  refused("--rule kernel --eviction forgetron", "--eviction");
  refused("--rule perceptron --budget 5", "--rule kernel");
  refused("--rule kernel --certify", "--certify");
  train("d.svm --rule kernel -o m");
  refused("--resume m --gamma 2", "--resume");
  write("three.svm", "0 1:1\n1 2:1\n2 3:1\n");
  EXPECT_TRUE(ends(2, "train three.svm --rule kernel", "multiclass"));
}

}  // namespace
}  // namespace halfspace::cli_tests
