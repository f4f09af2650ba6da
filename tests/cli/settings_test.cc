// Options by name: the library learns from settings what the command learns from flags, byte for byte.
#include "halfspace/train/settings.h"

#include <algorithm>
#include <set>

#include "cli/commands.h"
#include "cli/run.h"
#include "cli/watch_flags.h"
#include "halfspace/model/model_file.h"

namespace halfspace::cli_tests {
namespace {

class Settings : public CommandTest {};

using Named = std::vector<std::pair<std::string, std::string>>;

std::string flags_of(const Named& options) {
  std::string flags;
  for (const auto& [name, value] : options) flags += " --" + name + (value == "true" ? "" : " '" + value + "'");
  return flags;
}

TEST_F(Settings, LearnWhatTheCommandLearns) {
  const Named cases[] = {{},
                         {{"passes", "2"}},
                         {{"folds", "4"}, {"seed", "3"}},
                         {{"rule", "arow"}, {"passes", "3"}, {"normalize", "column"}},
                         {{"preset", "averaged"}, {"holdout", "0.2"}, {"class-weight", "declined=2"}},
                         {{"rule", "pa1"}, {"aggressiveness", "0.1"}, {"bias", "none"}, {"drop", "age,income"}},
                         {{"order", "shuffled"}, {"until", "clean"}, {"updates", "500"}, {"positive", "approved"}}};
  for (const Named& options : cases) {
    const std::string flags = flags_of(options);
    const Output output = halfspace("train " + sample() + " --id applicant -q -o m" + flags);
    ASSERT_EQ(output.code, 0) << output.err;
    TrainSettings settings;
    settings.data.paths = {std::string(HALFSPACE_SOURCE_DIR) + "/examples/credit.csv"};
    const std::vector<Option> table = options_of(settings);
    set_option(table, "id", "applicant");
    for (const auto& [name, value] : options) set_option(table, name, value);
    const std::vector<std::uint8_t> bytes = encode(halfspace::train(settings).model);
    EXPECT_TRUE(read("m") == std::string(bytes.begin(), bytes.end())) << flags;
    std::filesystem::remove(path("m"));
  }
}

// Folds give the bounds on new rows, of a named rule as of the plan.
TEST_F(Settings, AreValidatedByFolds) {
  for (const Named& options : {Named{{"folds", "4"}}, Named{{"folds", "4"}, {"rule", "arow"}, {"passes", "2"}}}) {
    const Output output = halfspace("train " + sample() + " --id applicant -q --json" + flags_of(options));
    ASSERT_EQ(output.code, 0) << output.err;
    TrainSettings settings;
    settings.data.paths = {std::string(HALFSPACE_SOURCE_DIR) + "/examples/credit.csv"};
    const std::vector<Option> table = options_of(settings);
    set_option(table, "id", "applicant");
    for (const auto& [name, value] : options) set_option(table, name, value);
    const auto expected = halfspace::train(settings).expected_error;
    ASSERT_TRUE(expected);
    const Json said = Json::parse(output.out)["expected_error"];
    EXPECT_EQ(name_of(expected->from), said["of"].get<std::string>());
    EXPECT_EQ(expected->bounds.upper, said["upper"].get<double>());
  }
}

// A third class behind the rows that labels are learned from.
TEST_F(Settings, SearchTheWholeFileForALateLabel) {
  std::string text = "a,label\n";
  for (int i = 0; i < 12'000; ++i)
    text += std::to_string(i % 7) + (i < 11'000 ? (i % 2 == 0 ? ",x\n" : ",y\n") : ",z\n");
  write("late.csv", text);
  ASSERT_EQ(halfspace("train late.csv --rule multiclass --passes 1 -q -o m").code, 0);
  TrainSettings settings;
  settings.data.paths = {path("late.csv")};
  const std::vector<Option> table = options_of(settings);
  set_option(table, "rule", "multiclass");
  set_option(table, "passes", "1");
  const std::vector<std::uint8_t> bytes = encode(halfspace::train(settings).model);
  EXPECT_TRUE(read("m") == std::string(bytes.begin(), bytes.end()));
}

// What the command writes, prints or does besides is its own.
TEST_F(Settings, HaveEveryFlagOfTrainThatSaysHowToLearn) {
  const std::set<std::string> of_the_command = {"help", "output", "resume", "search", "calibrate"};
  TrainSettings settings;
  const std::vector<Option> table = options_of(settings);
  const cli::Command train = cli::train_command();
  for (const Option& flag : train.rows) {
    const bool besides = flag.group == cli::kOutputGroup || flag.group == cli::kWatchGroup;
    if (flag.positional() || besides || of_the_command.contains(flag.name)) continue;
    EXPECT_NE(find_option(table, flag.name), nullptr) << flag.name;
  }
  for (const Option& one : table) EXPECT_NE(train.flag(one.name), nullptr) << one.name;
}

TEST_F(Settings, RefuseWhatIsNoOptionOrNoValue) {
  TrainSettings settings;
  const std::vector<Option> table = options_of(settings);
  const auto refused = [&](const std::string& name, const std::string& value) -> std::string {
    try {
      set_option(table, name, value);
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_NE(refused("pases", "3").find("did you mean 'passes'?"), std::string::npos) << refused("pases", "3");
  EXPECT_NE(refused("rule", "arov").find("arow-diagonal"), std::string::npos);
  EXPECT_NE(refused("passes", "0").find("a whole number of at least 1"), std::string::npos);
  EXPECT_NE(refused("single", "maybe").find("true and false"), std::string::npos);
  EXPECT_EQ(refused("single", "false"), "accepted");
  EXPECT_FALSE(settings.data.read.single);
}

}  // namespace
}  // namespace halfspace::cli_tests
