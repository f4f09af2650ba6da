// The other commands, and what all commands have in common: exit codes, help, suggestions, pipes.

#include "cli/commands.h"

#include "cli/help.h"
#include "cli/run.h"

namespace halfspace::cli_tests {
namespace {

using cli::brief_help;
using cli::Command;
using cli::every_command;
using cli::Row;
using cli::signature;

class Commands : public CommandTest {};

TEST_F(Commands, HelpIsASuccessWithExamples) {
  const Output all = halfspace("--help");
  EXPECT_EQ(all.code, 0);
  for (const char* name : {"train", "predict", "evaluate", "inspect", "check"}) {
    EXPECT_TRUE(has(all.out, name));
    const Output one = halfspace(std::string(name) + " --help");
    EXPECT_EQ(one.code, 0);
    EXPECT_TRUE(has(one.out, "Examples:")) << name;
  }
  EXPECT_EQ(halfspace("--version").out.rfind("halfspace ", 0), 0U);
}

TEST_F(Commands, BriefHelpFitsAPage) {
  for (const Command& command : every_command()) {
    const std::string text = brief_help(command, 80);
    EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 40) << text;
    EXPECT_LE(command.common.size(), 9U);  // eight, and --help
    for (const std::string& name : command.common)
      EXPECT_NE(command.flag(name), nullptr) << command.name << " " << name;
    EXPECT_TRUE(has(text, "\nExamples:\n"));
    const bool all = command.common.empty();
    EXPECT_EQ(text.find("more flags") == std::string::npos, all) << text;
    for (const Row& row : command.rows) {
      const bool common = all || row.positional() ||
                          std::find(command.common.begin(), command.common.end(), row.name) != command.common.end();
      const std::string line =
          std::string("\n  ") + (row.positional() || row.letter != 0 ? "" : "   ") + signature(row);
      EXPECT_EQ(text.find(line + "\n") != std::string::npos || text.find(line + " ") != std::string::npos, common)
          << command.name << " " << row.name;
    }
  }
  const std::vector<Command> commands = every_command();
  EXPECT_EQ(halfspace("train -h").out, brief_help(*std::ranges::find(commands, "train", &Command::name), 110));
}

TEST_F(Commands, HelpAsJsonHasEveryRow) {
  for (const Command& command : every_command()) {
    const Output output = halfspace(command.name + " --help --json");
    ASSERT_EQ(output.code, 0);
    EXPECT_EQ(output.out, halfspace("help " + command.name + " --json").out);
    const Json j = Json::parse(output.out);
    EXPECT_EQ(j["command"], command.name);
    EXPECT_EQ(j["arguments"].size() + j["flags"].size(), command.rows.size());
    std::size_t flag = 0, argument = 0;
    for (const Row& row : command.rows) {
      const Json& described = row.positional() ? j["arguments"][argument++] : j["flags"][flag++];
      EXPECT_EQ(described["name"], row.name);
      EXPECT_EQ(described["help"], row.help);
      EXPECT_EQ(described["choices"].size(), row.takes.choices.size());
      EXPECT_EQ(described["required"], row.required);
    }
    EXPECT_EQ(j["examples"].size(), command.examples.size());
  }
  EXPECT_EQ(halfspace("help --json").code, 2);
}

TEST_F(Commands, DemoShowsWhatItRuns) {
  const Output demo = halfspace("demo -o new/shown");
  ASSERT_EQ(demo.code, 0) << demo.err;
  for (const char* file : {"credit.csv", "credit.model", "credit.html", "predicted.csv", "credit.proof"})
    EXPECT_TRUE(std::filesystem::exists(path(std::string("new/shown/") + file))) << file;
  EXPECT_EQ(read("new/shown/credit.csv"), slurp(HALFSPACE_SOURCE_DIR "/examples/credit.csv"));
  std::istringstream lines(demo.out);
  int commands = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("$ halfspace ")) continue;
    ++commands;
    EXPECT_LE(sh("cd new/shown && \"$H\" " + line.substr(12) + " >/dev/null 2>&1").code, 1) << line;
  }
  EXPECT_EQ(commands, 5);
  EXPECT_TRUE(has(demo.out, "new/shown/credit.html"));
  // As it was started: a build need not be on the path.
  EXPECT_TRUE(has(demo.out, "\n  " HALFSPACE_COMMAND " help: ", "\n  " HALFSPACE_COMMAND " check FILE: "));
}

TEST_F(Commands, DemoOverwritesNothing) {
  std::filesystem::create_directory(path("halfspace-demo"));
  write("halfspace-demo/credit.csv", "mine\n");
  write("file", "mine\n");
  const Output folder = halfspace("demo");
  EXPECT_EQ(folder.code, 2) << folder.err;
  EXPECT_TRUE(has(folder.err, "halfspace-demo: this folder exists already", "fix: --output names a new one"));
  EXPECT_EQ(read("halfspace-demo/credit.csv"), "mine\n");
  EXPECT_FALSE(std::filesystem::exists(path("halfspace-demo/credit.model")));
  EXPECT_EQ(halfspace("demo -o file").code, 74);
  EXPECT_EQ(halfspace("demo -o file/new").code, 74);
  EXPECT_EQ(read("file"), "mine\n");
}

TEST_F(Commands, UsageErrorsSuggestTheNearestWord) {
  EXPECT_TRUE(ends(2, "train d.svm --pases 3", "--pases; did you mean --passes?"));
  EXPECT_TRUE(ends(2, "trian d.svm", "did you mean train?"));
  write("d.csv", "amount,decision\n1,yes\n2,no\n");
  EXPECT_TRUE(ends(2, "train d.csv --label decison", "decision"));
  EXPECT_EQ(halfspace("train d.csv --preset nonsense").code, 2);
  EXPECT_EQ(halfspace("train").code, 2);
}

TEST_F(Commands, ColumnsNamedForDataWithoutColumnsAreNotIgnored) {
  write("d.svm", separable());
  for (const char* flag : {"--weight w", "--label y", "--id i", "--drop a", "--categorical a", "--numeric a"}) {
    EXPECT_EQ(halfspace(std::string("train d.svm ") + flag).code, 2) << flag;
  }
}

TEST_F(Commands, ExitCodesTellWhatWentWrong) {
  EXPECT_EQ(halfspace("train nowhere.svm").code, 66);
  EXPECT_EQ(halfspace("predict nowhere.model nowhere.svm").code, 66);
  write("empty.svm", "");
  EXPECT_EQ(halfspace("train empty.svm").code, 65);
  write("d.svm", separable());
  EXPECT_EQ(halfspace("inspect d.svm").code, 65);
  EXPECT_EQ(halfspace("train d.svm -o nowhere/m").code, 74);
  EXPECT_EQ(sh("\"$H\" train d.svm --json >/dev/full").code, 74);
}

TEST_F(Commands, ABrokenPipeIsAQuietSuccess) {
  std::string many;
  for (int i = 0; i < 200000; ++i) many += "+1 1:1\n";
  write("d.svm", separable());
  write("many.svm", many);
  ASSERT_EQ(halfspace("train d.svm -o m").code, 0);
  const Output output = sh("{ \"$H\" predict m many.svm; echo $? >code; } | head -n 1");
  EXPECT_EQ(output.out, "+1\n");
  EXPECT_EQ(output.err, "");
  EXPECT_EQ(read("code"), "0\n");
}

TEST_F(Commands, NothingIsColouredInAPipe) {
  const Output output = halfspace("train " + sample() + " --id applicant --normalize column --passes 5 -o m");
  EXPECT_TRUE(lacks(output.out, "\x1b"));
  EXPECT_EQ(output.err, "");
}

TEST_F(Commands, PredictWritesTheDatasOwnLabels) {
  ASSERT_EQ(halfspace("train " + sample() + " --id applicant --normalize column --order cyclic --passes 5 -o m").code,
            0);
  const Output labels = halfspace("predict m " + sample());
  ASSERT_EQ(labels.code, 0) << labels.err;
  std::istringstream lines(labels.out);
  std::string line;
  std::size_t rows = 0;
  std::size_t approved = 0;
  while (std::getline(lines, line)) {
    ++rows;
    approved += line == "approved";
    EXPECT_TRUE(line == "approved" || line == "declined") << line;
  }
  EXPECT_EQ(rows, 690U);
  // The same counts as the confusion matrix that evaluate prints.
  const Json j = json_of("evaluate m " + sample() + " --id applicant");
  EXPECT_EQ(j["confusion"]["approved"]["approved"].get<std::size_t>() +
                j["confusion"]["declined"]["approved"].get<std::size_t>(),
            approved);
  EXPECT_EQ(j["rows"], 690);
}

TEST_F(Commands, PredictNeedsNoLabels) {
  write("d.csv", "age,income,decision\n30,10,yes\n60,1,no\n35,12,yes\n70,2,no\n");
  ASSERT_EQ(halfspace("train d.csv --order cyclic --passes 20 --normalize column -o m").code, 0);
  write("new.csv", "income,age\n11,31\n1,66\n");
  EXPECT_TRUE(ends(0, "predict m new.csv -o p"));
  EXPECT_EQ(read("p"), "yes\nno\n");
  EXPECT_FALSE(std::filesystem::exists(path("p.partial")));
  write("other.csv", "income\n11\n");
  EXPECT_TRUE(ends(65, "predict m other.csv -o q", "age"));
  EXPECT_FALSE(std::filesystem::exists(path("q")));
}

TEST_F(Commands, EvaluateCountsByHand) {
  // w = (1), no bias: scores 3, 1, -2, -1, 2; labels + - - + +; the positive class ranks (3, 2, -1) against (1, -2).
  write("t.svm", "+1 1:1\n-1 1:-1\n");
  ASSERT_EQ(halfspace("train t.svm --preset rosenblatt --bias none -o m").code, 0);
  write("e.svm", "+1 1:3\n-1 1:1\n-1 1:-2\n+1 1:-1\n+1 1:2\n");
  const Json j = json_of("evaluate m e.svm");
  EXPECT_EQ(j["errors"], 2);
  EXPECT_DOUBLE_EQ(j["accuracy"].get<double>(), 0.6);
  EXPECT_DOUBLE_EQ(j["auc"].get<double>(), 5.0 / 6.0);
  EXPECT_EQ(j["confusion"]["+1"]["-1"], 1);
  EXPECT_EQ(j["confusion"]["-1"]["+1"], 1);
}

TEST_F(Commands, EvaluateReadsZeroAsTheNegativeOfPlusMinusOne) {
  write("t.svm", "+1 1:1\n-1 1:-1\n");
  ASSERT_EQ(halfspace("train t.svm --preset rosenblatt -o m").code, 0);
  write("e.svm", "1 1:3\n0 1:-1\n");
  EXPECT_EQ(json_of("evaluate m e.svm")["errors"], 0);
}

TEST_F(Commands, FeaturesTheModelNeverSawCountNothing) {
  write("t.svm", "+1 1:1\n-1 1:-1\n");
  ASSERT_EQ(halfspace("train t.svm --preset rosenblatt -o m").code, 0);
  write("e.svm", "+1 1:3 7:100\n");
  const Output output = halfspace("predict m e.svm");
  EXPECT_EQ(output.code, 0);
  EXPECT_EQ(output.out, "+1\n");
  EXPECT_TRUE(has(output.err, "1 value belongs to features unknown to the model"));
}

TEST_F(Commands, CheckListsEveryBadRowAndExits65) {
  write("bad.svm", "+1 1:x\n-1 2:1 1:1\n+1 1:nan\n-1 1:1\n");
  const Output output = halfspace("check bad.svm");
  EXPECT_EQ(output.code, 65);
  EXPECT_TRUE(has(output.out, "bad.svm:1:6", "bad.svm:2:8", "bad.svm:3:6", "3 of 4 rows are bad."));
  const Json j = json_of("check bad.svm");
  EXPECT_EQ(j["rejected"], 3);
  EXPECT_EQ(j["problems"].size(), 3U);
  EXPECT_EQ(halfspace("check " + sample()).code, 0);
}

TEST_F(Commands, CompletionAndManualComeFromTheFlags) {
  const Output bash = halfspace("completion bash");
  EXPECT_EQ(bash.code, 0);
  EXPECT_TRUE(has(bash.out, "--holdout"));
  EXPECT_EQ(sh("\"$H\" completion bash >c && bash -n c").code, 0);
  EXPECT_EQ(sh("\"$H\" completion bash >c && bash -c '. ./c; COMP_WORDS=(halfspace train --hold); COMP_CWORD=2; "
               "_halfspace; echo ${COMPREPLY[@]}'")
                .out,
            "--holdout\n");
  EXPECT_TRUE(has(halfspace("completion zsh").out, "#compdef halfspace"));
  EXPECT_TRUE(has(halfspace("completion fish").out, "complete -c halfspace"));
  const Output manual = halfspace("manual");
  EXPECT_EQ(manual.code, 0);
  EXPECT_EQ(manual.out.find("\n.TH HALFSPACE 1"), manual.out.find('\n'));
  EXPECT_TRUE(has(manual.out, "\\-\\-normalize"));
}

TEST_F(Commands, AFlippedByteInAModelIsRefusedByName) {
  write("d.svm", separable());
  ASSERT_EQ(halfspace("train d.svm -o m").code, 0);
  std::string bytes = read("m");
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 0x10);
  write("m", bytes);
  const Output output = halfspace("predict m d.svm");
  EXPECT_EQ(output.code, 65);
  EXPECT_TRUE(has(output.err, "m: "));
  EXPECT_EQ(output.out, "");
}

}  // namespace
}  // namespace halfspace::cli_tests
