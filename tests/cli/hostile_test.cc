// Names of files, columns, labels, categories and arms that would drive a terminal: no command lets them through.
#include "run.h"

namespace halfspace::cli_tests {
namespace {

const std::string esc = "\x1b[31m", title = "\x1b]0;t\x07", backwards = "\xe2\x80\xae",
                  c1 = "\xc2\x9b"
                       "5m";
const std::string evil = "e" + esc + title + backwards + c1 + "\nINJECTED\r";

class Hostile : public CommandTest {
 protected:
  std::string quoted(const std::string& text) const { return "\"" + text + "\""; }
  // The name in the shell, single-quoted.
  std::string named(const std::string& ending) const { return "'" + evil + ending + "'"; }

  void expect_harmless(const std::string& arguments, bool json = false) const {
    const Output output = halfspace(arguments);
    EXPECT_NE(output.code, 70) << arguments << output.err;
    check(output.out, arguments, json);
    check(output.err, arguments, false);
  }

 private:
  static void check(const std::string& text, const std::string& arguments, bool json) {
    for (const char c : text)
      ASSERT_TRUE(static_cast<unsigned char>(c) >= 0x20 || c == '\n') << arguments << "\n" << text;
    EXPECT_TRUE(lacks(text, "\nINJECTED", "\x7f")) << arguments;
    if (json) return;  // for machines, which have no use for dots
    EXPECT_TRUE(lacks(text, backwards, "\xc2\x9b")) << arguments;
  }
};

TEST_F(Hostile, InEveryCommand) {
  std::string text = quoted("n" + evil) + "," + quoted("c" + evil) + "," + quoted("y" + evil) + "\n";
  for (int i = 0; i < 60; ++i)
    text += std::to_string(i % 7) + "," + quoted(i % 3 == 0 ? evil : "plain") + "," +
            quoted(i % 2 == 0 ? "l" + evil : "m" + evil) + "\n";
  write(evil + ".csv", text);
  const std::string data = named(".csv");
  const std::string header = " --header --label 3 ";
  expect_harmless("train " + data + header + "-o " + named(".model") + " --holdout 0.3 --calibrate platt");
  expect_harmless("train " + data + header + " --folds 3 --plot --normalize column --drift adwin");
  expect_harmless("train " + data + header + "--numeric 2");
  expect_harmless("train " + data + header + "--positive nobody");
  expect_harmless("train " + data + header + "--class-weight " + named("") + "=2");
  expect_harmless("train " + data + " --header --label " + named(""));
  expect_harmless("train " + data + header + "--drop " + named(""));
  expect_harmless("train " + named(".nowhere"));
  for (const char* rule : {"kernel", "multiclass", "winnow2", "minnow"})
    expect_harmless("train " + data + header + "-o " + named(".other") + " --rule " + rule);
  for (const char* what : {"inspect ", "inspect --all "}) {
    expect_harmless(what + named(".model"));
    expect_harmless(what + named(".other"));
  }
  expect_harmless("inspect " + named(".model") + " --json", true);
  expect_harmless("evaluate " + named(".model") + " " + data);
  expect_harmless("evaluate " + named(".model") + " " + data + " --json", true);
  expect_harmless("predict " + named(".model") + " " + data + " --keep 1 -o p");
  expect_harmless("predict " + named(".model") + " " + data + " --keep " + named(""));
  expect_harmless("predict " + named(".model") + " " + data + " --as jsonl --keep 2", true);
  expect_harmless("predict " + data + " " + named(".model"));
  expect_harmless("check " + data + header);
  expect_harmless("check " + data + header + "--numeric 2");
  expect_harmless("check " + data + header + "--json", true);
  expect_harmless("convert " + data + " " + named(".cache") + header);
  expect_harmless("train " + named(".cache"));
  // A part that is quickly decided.
  write(evil + ".few.csv", text.substr(0, text.rfind("\"\n", text.size() / 6) + 2));
  const std::string few = named(".few.csv");
  expect_harmless("certify " + few + header + "-o " + named(".cert"));
  expect_harmless("certify " + data + header + "--pairs --one-against-rest -o " + named(".folder"));
  expect_harmless("verify " + named(".cert") + " " + few);
  expect_harmless("verify " + named(".cert") + " " + few + " --json", true);
  expect_harmless("verify " + data + " " + named(".cert"));
  expect_harmless("export " + named(".model") + " -o " + named(".onnx"));
  expect_harmless("export " + named(".other") + " -o " + named(".pmml"));
  expect_harmless("export " + named(".model") + " -o " + named(""));
  expect_harmless("report " + data + " -o " + named(".html"));
  expect_harmless(named(""));
  expect_harmless("--" + named(""));
  expect_harmless("train --" + named(""));
  expect_harmless("train d --rule " + named(""));
  expect_harmless("train d --passes " + named(""));
  expect_harmless("lab " + named(""));
}

TEST_F(Hostile, InTablesOfExpertsAndArms) {
  std::string text = quoted("a" + evil) + "," + quoted("b" + evil) + "," + quoted("o" + evil) + "\n";
  for (int i = 0; i < 40; ++i)
    text += std::to_string(i % 2) + "," + std::to_string(i % 3 / 2) + "," + std::to_string(i % 2) + "\n";
  write(evil + ".csv", text);
  const std::string data = named(".csv");
  const std::string outcome = "'o" + evil + "'";
  expect_harmless("experts " + data + " --outcome " + outcome);
  expect_harmless("experts " + data + " --outcome " + outcome + " --json", true);
  expect_harmless("experts " + data + " --outcome " + named(""));
  expect_harmless("experts " + data + " --losses");
  expect_harmless("experts " + data + " --losses --drop " + named(""));
  expect_harmless("bandit " + data);
  expect_harmless("bandit " + data + " --range " + named(""));
  expect_harmless("bandit " + data + " --logged --action " + named(""));
  write("log.csv", "action,reward,propensity\n" + quoted(evil) + ",1,0.5\n" + quoted("x" + evil) + ",0,0.5\n" +
                       quoted(evil) + ",1,0.5\n");
  expect_harmless("bandit log.csv --logged");
  expect_harmless("bandit --live --arms " + named(",b") + " --state " + named(".state"));
  write("labels.svm", "a\x1b[2J 1:1\nb\xe2\x80\xae 2:1\na\x1b[2J 1:1\nb\xe2\x80\xae 2:1\n");
  expect_harmless("train labels.svm -o m");
  expect_harmless("certify labels.svm");
  expect_harmless("check labels.svm");
}

}  // namespace
}  // namespace halfspace::cli_tests
