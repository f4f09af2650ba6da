// The rules of the wider family as a user meets them: train, inspect, predict, resume, and what they refuse.

#include "cli/run.h"
#include "halfspace/rules/rule_entry.h"

namespace halfspace::cli_tests {
namespace {

// Returns the names of the rules over weights whose start is their own: all but those akin to the perceptron.
std::vector<std::string> family() {
  std::vector<std::string> names;
  for (const RuleEntry& entry : all_rules()) {
    if (!entry.against_small_start().empty() && !entry.support_vectors && !entry.several_classes)
      names.emplace_back(entry.name);
  }
  return names;
}

class FamilyCommand : public CommandTest {
 protected:
  // Rows of 0 and 1: positive when one of the first two features is there.
  void SetUp() override {
    CommandTest::SetUp();
    std::string text;
    unsigned state = 1;
    for (int i = 0; i < 300; ++i) {
      std::string row;
      bool positive = false;
      for (int j = 1; j <= 9; ++j) {
        state = state * 1103515245 + 12345;
        if ((state >> 16) % 3 != 0) continue;
        row += " " + std::to_string(j) + ":1";
        positive = positive || j <= 2;
      }
      text += (positive ? "+1" : "-1") + row + "\n";
    }
    write("d.svm", text);
    const std::size_t half = text.find('\n', text.size() / 2) + 1;
    write("first.svm", text.substr(0, half));
    write("second.svm", text.substr(half));
  }
  Json json(const std::string& arguments) const {
    const Output output = halfspace(arguments + " --json");
    EXPECT_EQ(output.code, 0) << arguments << "\n" << output.err;
    return output.code == 0 ? Json::parse(output.out) : Json();
  }
};

TEST_F(FamilyCommand, TrainsInspectsPredictsAndHoldsOut) {
  for (const std::string& rule : family()) {
    for (const std::string keep : {"last", "average", "pocket"}) {
      const std::string what = rule + " " + keep;
      if (!entry_of(*rule_named(rule)).keeps(*value_named<KeepName>(keep))) continue;
      const Json j = json("train d.svm --rule " + rule + " --keep " + keep + " --holdout 0.2 --trace t -o m");
      ASSERT_TRUE(j.is_object()) << what;
      EXPECT_EQ(j["rounds"], 240) << what;
      EXPECT_GE(j["holdout"]["accuracy"].get<double>(), 0.7) << what;
      const bool has_theorem = entry_of(*rule_named(rule)).bounds != nullptr;
      EXPECT_EQ(j["bound"].is_object(), has_theorem) << what;
      if (has_theorem) {
        EXPECT_LE(j["mistakes"].get<double>(), j["bound"]["value"].get<double>()) << what;
      }
      EXPECT_EQ(j["composition"]["rule"], rule);
      std::istringstream trace(read("t"));
      std::string line;
      int rounds = 0, mistakes = 0;
      while (std::getline(trace, line)) {
        ++rounds;
        mistakes += Json::parse(line)["mistake"].get<bool>();
      }
      EXPECT_EQ(rounds, 240) << what;
      EXPECT_EQ(mistakes, j["mistakes"].get<int>()) << what;
      const Json model = json("inspect m");
      EXPECT_EQ(model["weights"].size(), 9U) << what;
      EXPECT_NE(model["weights"]["1"], 0.0) << what;
      EXPECT_EQ(halfspace("predict m d.svm -o p").code, 0) << what;
      const std::string predicted = read("p");
      EXPECT_EQ(std::count(predicted.begin(), predicted.end(), '\n'), 300) << what;
      EXPECT_GE(json("evaluate m d.svm")["accuracy"].get<double>(), 0.7) << what;
    }
  }
}

TEST_F(FamilyCommand, GoesOnBitForBit) {
  std::vector<std::string> rules = family();
  rules.emplace_back("multiclass-tournament");
  for (const std::string& rule : rules) {
    for (const std::string order : {"stream", "cyclic --passes 3"}) {
      const std::string keep = entry_of(*rule_named(rule)).keeps(KeepName::average) ? "average" : "last";
      const std::string flags = " --rule " + rule + " --keep " + keep + " --order " + order + " -q";
      ASSERT_EQ(halfspace("train d.svm -o whole" + flags).code, 0) << flags;
      ASSERT_EQ(halfspace("train d.svm -o part --updates 5" + flags).code, 0) << flags;
      const std::string passes = order == "stream" ? "" : " --passes 3";
      const Output resumed = halfspace("train d.svm --resume part -o part -q" + passes);
      ASSERT_EQ(resumed.code, 0) << flags << "\n" << resumed.err;
      EXPECT_EQ(read("part"), read("whole")) << flags;
    }
  }
}

TEST_F(FamilyCommand, RefusesWhatMakesNoSenseWithAFix) {
  const auto refused = [&](const std::string& flags, const std::string& message, const std::string& fix, int code = 2) {
    const Output output = halfspace("train d.svm -q -o never " + flags);
    EXPECT_EQ(output.code, code) << flags;
    EXPECT_TRUE(has(output.err, message)) << flags;
    EXPECT_NE(output.err.find(fix, output.err.find("fix: ")), std::string::npos) << flags << "\n" << output.err;
    EXPECT_FALSE(std::filesystem::exists(path("never"))) << flags;
  };
  refused("--rule arow --keep vote", "--keep vote", "use --keep last, average or pocket");
  refused("--rule arow --rate 2", "--rate is not for --rule arow", "leave it out");
  refused("--rule adagrad --start small", "--start small", "leave out --start");
  refused("--rule pa --ball 2", "--ball is not for --rule pa", "adagrad");
  refused("--rule adagrad --regularization 2", "--regularization", "arow-diagonal");
  refused("--rule winnow1 --alpha 1", "--alpha must be above 1", "leave it out");
  refused("--rule alma --alpha 1.5", "--alpha must be above 0 and at most 1", "leave it out");
  refused("--rule winnow2 --bias none", "threshold", "leave out --bias");
  refused("--rule eg --positive-weights", "--positive-weights", "leave it out");
  refused("--rule perceptron --rate 0", "--rate must be a positive number", "leave it out");
  refused("--rule pa1 --class-update pa", "--class-update is not for --rule pa1", "multiclass");
  refused("--decay 2", "--decay must be above 0", "0.999");
  refused("--drift adwin --drift-above 0.3", "does nothing with --drift adwin", "leave one of the two out");
  refused("--rejects r", "--rejects needs --on-error skip", "add --on-error skip");
  refused("--holdout 1", "--holdout must be a share", "--holdout 0.2");
  refused("--rule arow --memory 200", "coordinates takes", "arow-diagonal");
  write("d.svm", "+1 1:1 2:0.5\n-1 1:1\n");
  refused("--rule winnow1", "data row 1", "--rule eg", 65);
}

}  // namespace
}  // namespace halfspace::cli_tests
