// halfspace rules, learners with parameters on the command line, and the length of help.

#include "cli/commands.h"
#include "cli/help.h"
#include "cli/run.h"
#include "halfspace/rules/rule_entry.h"

namespace halfspace::cli_tests {
namespace {

class Rules : public CommandTest {
 protected:
  Rules() { write("d.svm", "+1 1:1 2:1\n-1 2:1\n+1 1:1 3:1\n-1 3:1\n+1 1:1\n-1 2:1 3:1\n"); }
  std::string model(const std::string& flags) const {
    const Output output = halfspace("train d.svm -q -o m " + flags);
    EXPECT_EQ(output.code, 0) << flags << output.err;
    return read("m");
  }
};

TEST_F(Rules, AreListedByGroup) {
  const std::string all = "\n" + halfspace("rules").out;
  for (const RuleEntry& entry : all_rules()) {
    EXPECT_TRUE(has(all, "\n  " + std::string(entry.name) + " ", "\n" + std::string(name_of(entry.group)) + ": "));
    for (const Preset& preset : entry.presets) EXPECT_TRUE(has(all, "\n  " + std::string(preset.name) + " "));
  }
  for (const Name<MarginLoss>& each : objective_names()) EXPECT_TRUE(has(all, "\n  " + std::string(each.name) + " "));
  EXPECT_EQ(halfspace("help rules").out, halfspace("rules --help").out);
}

TEST_F(Rules, AreDescribedByTheTable) {
  for (const RuleEntry& entry : all_rules()) {
    const Output output = halfspace("rules " + std::string(entry.name));
    ASSERT_EQ(output.code, 0) << output.err;
    for (const ParameterUse& use : entry.parameters)
      EXPECT_TRUE(has(output.out, "\n  " + std::string(use.parameter->option_name())));
    EXPECT_EQ(output.out.find("none: a run prints no mistake bound") != std::string::npos, entry.bounds == nullptr)
        << entry.name;
    EXPECT_EQ(entry.theorem.empty(), entry.bounds == nullptr) << entry.name;
    EXPECT_TRUE(has(output.out, "  cost  ", "  source  "));
    for (const Preset& preset : entry.presets)
      EXPECT_EQ(halfspace("rules " + std::string(preset.name)).out, output.out);
  }
  EXPECT_TRUE(has(halfspace("rules pa1").out, "aggressiveness=C", "(a positive number; default 1)"));
  EXPECT_TRUE(has(halfspace("rules kernel").out, "linear, polynomial, gaussian; default gaussian",
                  "tuned on the first rows", "a whole number from 1 to 64"));
  EXPECT_TRUE(has(halfspace("rules svm").out, "C=C", "gap=G", "penalize-bias=HOW", "l2=L"));
  EXPECT_TRUE(ends(2, "rules scw3", "no NAME is called 'scw3'; did you mean scw1 or scw2?"));
}

// The example that each ends with is a command.
TEST_F(Rules, HaveExamplesThatRun) {
  std::vector<std::string> names;
  for (const RuleEntry& entry : all_rules()) names.emplace_back(entry.name);
  for (const Name<MarginLoss>& each : objective_names()) names.emplace_back(each.name);
  for (const std::string& name : names) {
    const std::string text = halfspace("rules " + name).out;
    const std::string before = "  halfspace train DATA ";
    const std::size_t at = text.find(before);
    ASSERT_NE(at, std::string::npos) << text;
    const std::string flags = text.substr(at + before.size(), text.size() - at - before.size() - 1);
    EXPECT_EQ(halfspace("train d.svm -q " + flags).code, 0) << flags;
  }
}

TEST_F(Rules, AreJsonToo) {
  const Json j = json_of("rules");
  ASSERT_EQ(j["rules"].size(), all_rules().size());
  for (std::size_t k = 0; k < all_rules().size(); ++k) {
    EXPECT_EQ(j["rules"][k]["name"], all_rules()[k].name);
    EXPECT_EQ(j["rules"][k]["parameters"].size(), all_rules()[k].parameters.size());
  }
  EXPECT_EQ(j["objectives"].size(), objective_names().size());
  EXPECT_EQ(json_of("rules svm")["rules"].size(), 0U);
  EXPECT_EQ(json_of("rules averaged")["rules"][0]["name"], "perceptron");
}

TEST_F(Rules, TakeParametersInTheirName) {
  EXPECT_EQ(model("--rule pa1:aggressiveness=0.5"), model("--rule pa1 --aggressiveness 0.5"));
  EXPECT_EQ(model("--preset=averaged:rate=0.5"), model("--preset averaged --rate 0.5"));
  EXPECT_EQ(model("--objective svm:C=10:penalize-bias=no"), model("--objective svm --C 10 --penalize-bias no"));
  EXPECT_EQ(model("--rule minnow:positive-weights"), model("--rule minnow --positive-weights"));
  for (const std::string rule : {"pa1:aggressiveness=0.5", "pa1 --aggressiveness 0.5"})
    EXPECT_EQ(halfspace("serve --log '" + rule + "' --like d.svm --ingest /dev/null --rule " + rule).code, 0);
  EXPECT_EQ(read("pa1:aggressiveness=0.5/begin.model"), read("pa1 --aggressiveness 0.5/begin.model"));
  EXPECT_TRUE(prints("train d.svm --details -q --rule pa1:aggressiveness=0.5",
                     "composition  pa1:aggressiveness=0.5 × stream × last"));
  model("--rule kernel:kernel=polynomial:degree=3");
  EXPECT_TRUE(has(halfspace("inspect m").out, "composition  kernel:kernel=polynomial:", ":degree=3 × stream × last"));
  EXPECT_EQ(halfspace("train d.svm --resume m --rule kernel:kernel=polynomial:degree=3 -q").code, 0);
  EXPECT_TRUE(ends(2, "train d.svm --resume m --rule kernel:kernel=polynomial:degree=4 -q", "--resume keeps"));
  EXPECT_TRUE(ends(2, "train d.svm --rule pa1:aggressivness=1", "pa1 has no parameter 'aggressivness'",
                   "did you mean 'aggressiveness'?", "fix: pa1 takes aggressiveness"));
  EXPECT_TRUE(ends(2, "train d.svm --rule pa:rate=1", "pa has no parameter 'rate'", "fix: leave it out"));
  EXPECT_TRUE(ends(2, "train d.svm --rule pa1:aggressiveness=1 --aggressiveness 2",
                   "--rule pa1:aggressiveness=1 contradicts --aggressiveness", "fix: give aggressiveness once"));
  EXPECT_TRUE(ends(2, "train d.svm --rule ap1:aggressiveness=1", "no --rule is called 'ap1'; did you mean pa1"));
  EXPECT_TRUE(ends(2, "compare d.svm --rules pa1:rate=1 --folds 2", "--rules, pa1:rate=1: pa1 has no parameter 'rate'",
                   "fix: pa1 takes ", "aggressiveness", "passes"));
}

TEST_F(Rules, LeaveRoomInTheHelpOfTraining) {
  const std::string text = halfspace("train --help").out;
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 230);
  std::istringstream lines(text);
  std::size_t flags = 0;
  for (std::string line; std::getline(lines, line);)
    flags += line.starts_with("     --") || line.starts_with("  -") ? 1 : 0;
  EXPECT_LE(flags, 95U);
  EXPECT_TRUE(has(text, "halfspace help train all describes "));
  EXPECT_TRUE(lacks(text, " --aggressiveness C", " --thousands"));
  const std::string all = halfspace("help train all").out;
  const cli::Command command = cli::train_command();
  for (const cli::Row& row : command.rows) {
    EXPECT_TRUE(has(all, cli::signature(row)));
    for (const cli::FlagChoice& choice : row.takes.choices)
      EXPECT_TRUE(!choice.listed || has(all, "\n         " + choice.name)) << choice.name;
  }
  for (const std::string& name : command.rare) EXPECT_NE(command.flag(name), nullptr) << name;
  for (const cli::Topic& topic : cli::topics()) {
    const std::string values = halfspace("help " + std::string(topic.name)).out;
    for (const cli::FlagChoice& choice : command.flag(topic.flag)->takes.choices)
      EXPECT_TRUE(has(values, "\n  " + choice.name + " "));
  }
  EXPECT_TRUE(lacks(halfspace("completion bash").out, "--aggressiveness\t"));
  EXPECT_TRUE(lacks(halfspace("manual").out, "\\-\\-aggressiveness\\fR"));
}

}  // namespace
}  // namespace halfspace::cli_tests
