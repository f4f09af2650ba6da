// What a command does to files and streams that are not its own: closed descriptors, readers that leave, signals, and
// outputs that name an input.
#include <signal.h>
#include <sys/stat.h>

#include <chrono>
#include <thread>

#include "cli/commands.h"
#include "cli/run.h"
#include "halfspace/base/error.h"

namespace halfspace::cli_tests {
namespace {

using cli::Command;
using cli::every_command;
using cli::Row;
using cli::Takes;

class Processes : public CommandTest {
 protected:
  // A file of noisy rows over which a run takes its time.
  void write_noise(const std::string& name, int rows) const {
    std::string text;
    unsigned state = 1;
    for (int i = 0; i < rows; ++i) {
      state = state * 1664525U + 1013904223U;
      text +=
          (state >> 31 != 0 ? "+1 1:" : "-1 1:") + std::to_string(state % 977) + " 2:" + std::to_string(i % 13) + "\n";
    }
    write(name, text);
  }
  static bool json_lines(const std::string& text) {
    std::istringstream lines(text);
    std::size_t count = 0;
    for (std::string line; std::getline(lines, line); ++count) {
      if (!Json::accept(line)) return false;
    }
    return count > 0;
  }
};

TEST_F(Processes, ClosedStreamsNeverBecomeFiles) {
  write("d.svm", separable());
  for (const char* closed : {"<&-", ">&-", "2>&-", "<&- >&-", "<&- 2>&-", ">&- 2>&-", "<&- >&- 2>&-"}) {
    const bool no_stdout = std::string(closed).find(" >&-") != std::string::npos || closed[0] == '>';
    const Output quiet =
        sh(std::string("rm -f m l; \"$H\" train d.svm -q --json -o m --log l >/dev/null ") + (no_stdout ? "" : closed));
    EXPECT_EQ(quiet.code, 0) << closed << quiet.err;
    const Output output = sh(std::string("rm -f m l; \"$H\" train d.svm -o m --log l ") + closed);
    EXPECT_EQ(output.code, no_stdout ? 74 : 0) << closed << output.err;
    EXPECT_TRUE(read("l").empty() || json_lines(read("l"))) << closed << "\n" << read("l");
    if (!no_stdout) {
      EXPECT_EQ(halfspace("inspect m").code, 0) << closed;
    }
    // An error is said to nobody, and is one all the same.
    EXPECT_EQ(sh(std::string("\"$H\" train nowhere.svm ") + closed).code, 66) << closed;
    EXPECT_EQ(sh(std::string("\"$H\" train - ") + closed).code, closed[0] == '<' ? 74 : 65) << closed;
  }
}

TEST_F(Processes, ALogTakesNothingButItsEvents) {
  write("asks", "{\"ask\":1}\n{\"ask\":2}\n");
  const std::string live = "\"$H\" bandit --live --arms 3 --state s ";
  ASSERT_EQ(sh(live + "<asks").code, 0);
  // A resumed run greets its user on stderr, and stderr is closed; then it dies with what it has acknowledged.
  sh("{ cat asks; sleep 2; } | " + live +
     ">replies 2>&- & p=$!; until [ $(wc -l <replies) -ge 2 ]; do sleep 0.05; done;"
     " kill -9 $p; wait");
  const Output status = sh("echo '{\"status\":true}' | " + live);
  EXPECT_EQ(status.code, 0) << status.err;
  EXPECT_TRUE(has(status.out, "\"asks\":4"));
}

TEST_F(Processes, AReaderThatLeavesDoesNotCostTheModel) {
  write_noise("d.svm", 20000);
  const Output output =
      sh("{ \"$H\" train d.svm --order cyclic --passes 40 -o m --log l; echo $? >code; } | head -n 1");
  EXPECT_EQ(read("code"), "0\n");
  EXPECT_TRUE(lacks(output.err, "halfspace: "));
  EXPECT_EQ(halfspace("inspect m").code, 0);
  EXPECT_TRUE(json_lines(read("l")));
  // With nothing to write, nobody is left to work for.
  const Output endless =
      sh("{ timeout 20 \"$H\" train d.svm --order shuffled --seconds 60; echo $? >code; } | head -n 1");
  EXPECT_EQ(read("code"), "0\n") << endless.err;
}

TEST_F(Processes, SignalsSaveTheModelAndAreTold) {
  write_noise("d.svm", 2000);
  const std::pair<const char*, int> signals[] = {{"INT", 130}, {"TERM", 143}, {"HUP", 129}};
  for (const auto& [name, code] : signals) {
    const Output output =
        sh(std::string("rm -f m; \"$H\" train d.svm --order shuffled --seconds 60 -q -o m & p=$!; sleep 0.5; kill -") +
           name + " $p; wait $p");
    EXPECT_EQ(output.code, code) << output.err;
    EXPECT_EQ(halfspace("inspect m").code, 0) << name;
  }
  // nohup's way: what ignores SIGHUP goes on ignoring it.
  const Output deaf = sh(
      "rm -f m; trap '' HUP; \"$H\" train d.svm --order shuffled --seconds 60 -q -o m & p=$!; sleep 0.5; kill -HUP $p;"
      " sleep 0.2; kill -TERM $p; wait $p");
  EXPECT_EQ(deaf.code, 143) << deaf.err;
}

// While rows are gathered for their scales nothing is learned yet.
TEST_F(Processes, ASignalBeforeTheFirstRoundLeavesTheModel) {
  write("m", "an earlier model");
  for (const char* flags : {"--normalize column", "--order shuffled --passes 2"}) {
    const Output output =
        sh(std::string("rm -f p; mkfifo p; \"$H\" train p --label label -o m ") + flags +
           " & t=$!; exec 3>p; printf 'a,label\\n1,yes\\n2,no\\n' >&3; sleep 0.3; kill -INT $t; exec 3>&-; wait $t");
    EXPECT_EQ(output.code, 130) << flags << output.err;
    EXPECT_TRUE(has(output.err, "no model was trained; m is unchanged"));
    EXPECT_EQ(read("m"), "an earlier model") << flags;
  }
}

// Nothing has come yet: whoever waits leaves at once, and says what that means.
TEST_F(Processes, AWaitForTheFirstRowIsLeftForASignal) {
  write("m", "an earlier model");
  write("d.svm", separable());
  const std::pair<const char*, int> signals[] = {{"INT", 130}, {"TERM", 143}, {"HUP", 129}};
  for (const auto& [name, code] : signals) {
    for (const std::string data : {"p", "- <>p", "d.svm p", "--resume p d.svm"}) {
      const Output output =
          sh("rm -f p; mkfifo p; \"$H\" train -q -o m " + data + " & t=$!; sleep 0.3; kill -" + name + " $t; wait $t");
      EXPECT_EQ(output.code, code) << name << " " << data << output.err;
      EXPECT_EQ(read("m"), "an earlier model");
      if (data[0] != '-' || data[1] == ' ') {
        EXPECT_TRUE(has(output.err, "no model was trained; m is unchanged"));
      }
    }
  }
}

// A stream that stays away is waited for, and its model is that of the rows that came: it can be gone on with.
TEST_F(Processes, AStreamThatStaysAwayEndsWithItsModel) {
  write_noise("d.svm", 30'000);
  for (const std::string how : {"--preset averaged", "--preset averaged --order cyclic --passes 1"}) {
    const std::string train = "train -q --holdout 0.2 --calibrate platt " + how;
    ASSERT_EQ(halfspace(train + " d.svm -o whole").code, 0);
    const Output output = sh("rm -f m p; mkfifo p; \"$H\" " + train +
                             " p -o m & t=$!; exec 3>p; head -n 25000 d.svm >&3; sleep 1; kill -INT $t; wait $t");
    EXPECT_EQ(output.code, 130) << output.err;
    const Json part = json_of("inspect m")["provenance"];
    EXPECT_EQ(part["rows"], 25'000) << "each row that came, and came whole";
    EXPECT_EQ(part["stopped"], "interrupted");
    ASSERT_EQ(
        halfspace("train d.svm --resume m -q -o m " + how.substr(std::min(how.find("--passes"), how.size()))).code, 0);
    EXPECT_TRUE(read("m") == read("whole")) << how;
  }
}

// Who does not read what a run prints does not hold it up once it was asked to end.
TEST_F(Processes, AReaderThatSleepsDoesNotHoldUpASignal) {
  write_noise("d.svm", 60'000);
  ASSERT_EQ(halfspace("train d.svm -q -o m").code, 0);
  for (const std::string line :
       {"predict m d.svm --scores", "train d.svm -q --order shuffled --seconds 60 -o n --trace p"}) {
    const Output output = sh("rm -f p out n; mkfifo p out; exec 3<>p 4<>out; \"$H\" " + line +
                             " >out & t=$!; sleep 1; kill -TERM $t; wait $t");
    EXPECT_EQ(output.code, 143) << line << output.err;
  }
  EXPECT_EQ(halfspace("inspect n").code, 0);
}

TEST_F(Processes, KilledTrainingGoesOnFromItsCheckpoint) {
  write_noise("d.svm", 20'000);
  const std::string train = "\"$H\" train d.svm --order shuffled --passes 30 --json -o ";
  ASSERT_EQ(sh(train + "whole >out").code, 0);
  std::size_t killed = 0;
  for (int k = 0; k < 12; ++k) {
    sh("rm -f m; " + train + "m --checkpoint 20000rows >out & p=$!; sleep 0.0" + std::to_string(3 + k % 7) +
       "; kill -9 $p; wait");
    if (read("m").empty()) continue;  // it died before the first one
    killed += read("m") != read("whole");
    ASSERT_EQ(sh("\"$H\" train d.svm --resume m --passes 30 -o m -q").code, 0);
    ASSERT_EQ(read("m"), read("whole")) << k;
  }
  RecordProperty("killed", static_cast<int>(killed));
}

TEST_F(Processes, CheckpointsAreAskedForInRowsOrTime) {
  write_noise("d.svm", 3'000);
  for (const char* every : {"1000rows", "0.001s", "1m", "2h"})
    EXPECT_EQ(halfspace(std::string("train d.svm -q -o m --checkpoint ") + every).code, 0) << every;
  for (const char* every : {"1000", "rows", "-1s", "0s", "nans", "1.5rows", "1e99h", "''", "1 s"})
    EXPECT_EQ(halfspace(std::string("train d.svm -q -o m --checkpoint ") + every).code, 2) << every;
  EXPECT_TRUE(ends(2, "train d.svm -q --checkpoint 1s", "--output"));
}

// A row that stops the run does not take back what was kept, and what is said of it is true.
TEST_F(Processes, AnErrorLeavesTheCheckpoint) {
  std::string good;
  for (int i = 0; i < 60'000; ++i) good += i % 3 == 0 ? "+1 1:1 2:0.25\n" : "-1 1:-1 2:0.5\n";
  write("bad.svm", good + "+1 1:x\n");
  write("mended.svm", good + "+1 1:1\n");
  EXPECT_TRUE(ends(65, "train bad.svm -q --order stream -o m --checkpoint 1000rows", "m holds the model after "));
  ASSERT_EQ(halfspace("train mended.svm --resume m -q -o m").code, 0);
  ASSERT_EQ(halfspace("train mended.svm --order stream -q -o whole").code, 0);
  EXPECT_EQ(read("m"), read("whole"));
}

// A disk that is full for a while costs a checkpoint, not the run.
TEST_F(Processes, ACheckpointThatCannotBeWrittenIsTold) {
  write_noise("d.svm", 20'000);
  const Output output =
      sh("trap '' XFSZ; ulimit -f 1; \"$H\" train d.svm --order shuffled --passes 20 -q -o m --checkpoint 1000rows "
         ">/dev/null");
  EXPECT_EQ(output.code, 74) << output.err;
  EXPECT_TRUE(has(output.err, "warning: no checkpoint at "));
}

TEST_F(Processes, OutputsOverwriteNoInput) {
  write("d.svm", separable());
  ASSERT_EQ(halfspace("train d.svm -q -o m").code, 0);
  ASSERT_EQ(sh("ln d.svm hard.svm && ln -s d.svm soft.svm && ln -s fresh dangling").code, 0);
  const std::string data = read("d.svm"), model = read("m");
  for (const char* line :
       {"train d.svm -o d.svm", "train d.svm -o ./d.svm", "train d.svm -o hard.svm", "train hard.svm -o soft.svm",
        "train d.svm --report d.svm", "train d.svm --log d.svm", "train soft.svm --trace d.svm",
        "predict m d.svm -o d.svm", "predict m d.svm -o m", "certify d.svm -o d.svm", "convert d.svm d.svm",
        "train d.svm -o fresh --report fresh", "train d.svm -o fresh --log dangling", "train d.svm -o -",
        "train d.svm --report -", "export m --format onnx -o m", "train d.svm -o ''",
        "train d.svm --on-error skip --rejects d.svm"}) {
    const Output output = halfspace(line);
    EXPECT_EQ(output.code, 2) << line << "\n" << output.err;
    EXPECT_TRUE(has(output.err, "fix: ")) << line;
    EXPECT_EQ(read("d.svm"), data) << line;
    EXPECT_EQ(read("m"), model) << line;
    EXPECT_FALSE(std::filesystem::exists(path("fresh")) || std::filesystem::exists(path("-"))) << line;
  }
  // A model may be gone on with in place, and what is no file may be named twice.
  EXPECT_EQ(halfspace("train d.svm -q --resume m -o m").code, 0);
  EXPECT_EQ(halfspace("train d.svm -q -o /dev/null --log /dev/null").code, 0);
  EXPECT_EQ(halfspace("predict m d.svm -o -").code, 0);
}

bool needs(const Row& row, const Row& other) {
  return std::find(row.needs.begin(), row.needs.end(), other.name) != row.needs.end();
}

// Every pair of file flags of every command, so that a new one is held to the same.
TEST_F(Processes, EveryOutputIsHeldAgainstEveryOtherFile) {
  write("same", "x");
  ASSERT_EQ(::link(path("same").c_str(), path("other-name").c_str()), 0);
  int pairs = 0;
  for (const Command& command : every_command()) {
    for (const Row& output : command.rows) {
      if (!output.takes_file() || output.takes.form == Takes::Form::input) continue;
      for (const Row& other : command.rows) {
        if (&other == &output || !other.takes_file()) continue;
        const bool lost = other.takes.replaced_by != output.name;
        for (const bool same : {false, true}) {
          std::vector<std::string> flags, positionals;
          for (const Row& row : command.rows) {
            const std::string file = &row == &output          ? path("same")
                                     : &row == &other && same ? path("other-name")
                                                              : path("f-" + row.name);
            const bool wanted = &row == &output || &row == &other || row.required || row.positional() ||
                                needs(output, row) || needs(other, row);
            if (!wanted || row.name == "help") continue;
            const std::string value = !row.takes.choices.empty() ? row.takes.choices.front().name
                                      : row.takes_file()         ? file
                                                                 : "1";
            if (row.positional()) {
              positionals.push_back(value);
            } else {
              flags.push_back("--" + row.name);
              if (row.takes_value()) flags.push_back(value);
            }
          }
          flags.insert(flags.end(), positionals.begin(), positionals.end());
          std::string said;
          try {
            cli::parse(command, flags);
          } catch (const Error& error) {
            said = error.message();
          }
          if (said.find("does nothing with") != std::string::npos) continue;  // they are never given together
          EXPECT_EQ(said.find("would overwrite") != std::string::npos, same && lost)
              << command.name << " " << cli::flag_name(output) << " " << cli::flag_name(other) << ": " << said;
          ++pairs;
        }
      }
    }
  }
  EXPECT_GT(pairs, 40);
}

}  // namespace
}  // namespace halfspace::cli_tests
