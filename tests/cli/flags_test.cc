// The table of flags: complete, strict with numbers, helpful with words, and the one source of completion and manual.
#include "cli/flags.h"

#include <fmt/format.h>
#include <strings.h>

#include <algorithm>
#include <cctype>

#include "cli/commands.h"
#include "cli/foreign_flags.h"
#include "cli/help.h"
#include "cli/run.h"
#include "cli/terminal.h"
#include "halfspace/base/error.h"
#include "halfspace/detail/rules/kernel_perceptron.h"
#include "halfspace/detail/rules/multiclass.h"
#include "halfspace/rules/rule_entry.h"
#include "support/test_name.h"
#include "train/settings/learner_word.h"

namespace halfspace::cli_tests {
namespace {

using cli::Command;
using cli::every_command;
using cli::FlagChoice;
using cli::Row;

TEST(FlagTable, EveryRowAndChoiceSaysWhatItIs) {
  for (const Command& command : every_command()) {
    EXPECT_FALSE(command.purpose.empty()) << command.name;
    EXPECT_FALSE(command.examples.empty()) << command.name;
    EXPECT_TRUE(command.run) << command.name;
    std::set<std::string> names;
    std::set<char> letters;
    for (const Row& row : command.rows) {
      const std::string where = command.name + " " + cli::flag_name(row);
      EXPECT_FALSE(row.help.empty()) << where;
      for (const std::string& flag : row.needs) EXPECT_NE(command.flag(flag), nullptr) << where << " " << flag;
      EXPECT_TRUE(names.insert(row.name).second) << where << " stands there twice";
      EXPECT_TRUE(row.letter == 0 || letters.insert(row.letter).second) << where;
      EXPECT_EQ(row.takes_value(), row.positional() || !row.placeholder.empty()) << where;
      std::set<std::string> choices;
      for (const FlagChoice& choice : row.takes.choices) {
        EXPECT_FALSE(choice.help.empty()) << where << " " << choice.name;
        EXPECT_TRUE(choices.insert(choice.name).second) << where << " " << choice.name;
      }
    }
  }
}

// The words of a flag are those of the library, all of them.
template <class E>
void expect_choices_of(const char* flag, std::optional<E> (*named)(std::string_view)) {
  const Command train = cli::train_command();
  const Row* row = train.flag(flag);
  ASSERT_NE(row, nullptr) << flag;
  std::size_t known = 0;
  while (!name_of(static_cast<E>(known)).empty()) ++known;
  EXPECT_EQ(row->takes.choices.size(), known) << flag;
  for (const FlagChoice& choice : row->takes.choices) EXPECT_TRUE(named(choice.name)) << flag << " " << choice.name;
}

TEST(FlagTable, ChoicesAreThoseOfTheLibrary) {
  expect_choices_of<RuleName>("rule", rule_named);
  expect_choices_of<OrderName>("order", value_named<OrderName>);
  expect_choices_of<KeepName>("keep", value_named<KeepName>);
  expect_choices_of<Tie>("tie", value_named<Tie>);
  expect_choices_of<Bias>("bias", value_named<Bias>);
  expect_choices_of<ClassUpdate>("class-update", value_named<ClassUpdate>);
  expect_choices_of<KernelName>("kernel", value_named<KernelName>);
  expect_choices_of<Eviction>("eviction", value_named<Eviction>);
}

struct NumberFlag {
  std::string command, row;
};
void PrintTo(const NumberFlag& flag, std::ostream* out) { *out << flag.command << ' ' << flag.row; }
std::vector<NumberFlag> number_flags() {
  std::vector<NumberFlag> flags;
  for (const Command& command : every_command()) {
    for (const Row& row : command.rows) {
      if (row.number()) flags.push_back({command.name, row.name});
    }
  }
  return flags;
}

class NumberFlags : public ::testing::TestWithParam<NumberFlag> {};

TEST_P(NumberFlags, RefuseWhatIsNoNumberOfTheirKind) {
  for (const Command& command : every_command()) {
    if (command.name != GetParam().command) continue;
    const Row& row = *command.flag(GetParam().row);
    std::vector<std::string> wrong{"", "x", "3x", " 3", "3 ", "nan", "-nan", "inf", "0x10", "1e999", "--3"};
    const bool whole = row.takes_words().starts_with("a whole number") || row.takes.form == cli::Takes::Form::size;
    if (whole) wrong.insert(wrong.end(), {"-1", "-3", "1e3", "99999999999999999999999"});
    if (row.takes_words().starts_with("a whole number")) wrong.insert(wrong.end(), {"2.5", "5k"});
    for (const std::string& text : wrong) {
      try {
        row.set(text);
        FAIL() << cli::flag_name(row) << " took '" << text << "'";
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::usage);
        EXPECT_TRUE(has(cli::with_flags(error.message()), cli::flag_name(row) + " takes ")) << error.message();
        EXPECT_TRUE(has(error.message(), "'" + text + "'"));
        EXPECT_FALSE(error.hint().empty());
      }
    }
    EXPECT_NO_THROW(row.set(fmt::format("{}", std::clamp(2.0, row.takes.least, row.takes.most))));
  }
}

// What no terminal shows can be typed all the same.
TEST(AsFlag, AShellReadsTheValue) {
  const struct {
    std::string value, flag;
  } cases[] = {{"a_b", "--drop a_b"},
               {"gr\u00f6\u00dfe", "--drop gr\u00f6\u00dfe"},
               {"it's", "--drop 'it'\\''s'"},
               {"\ufeffid", "--drop $'\\xef\\xbb\\xbfid'"},
               {"a\x01 '\\", "--drop $'a\\x01 \\'\\\\'"}};
  for (const auto& c : cases) EXPECT_EQ(cli::as_flag("drop", c.value), c.flag);
}

INSTANTIATE_TEST_SUITE_P(All, NumberFlags, ::testing::ValuesIn(number_flags()), [](const auto& flag) {
  return halfspace::testing::test_name(flag.param.command + "_" + flag.param.row);
});

// Rows may be made at run time, with a setter of their own, and tell afterwards whether they were given.
TEST(FlagTable, RowsOfRunTimeStringsSetThroughACallback) {
  std::vector<std::string> heard;
  Command command("learn", "learns", {{"halfspace learn", "learns"}});
  for (const std::string name : {"alpha", "beta"}) {
    command.add("Parameters", {Row("--" + name, "X", "the parameter " + name, [&heard, name](const std::string& text) {
                  if (text == "bad") throw Error(ErrorKind::usage, option(name) + " is refused").fix("give another");
                  heard.push_back(name + "=" + text);
                })});
  }
  const std::vector<std::string> words{"--beta", "0.5"};
  const cli::Given given = cli::parse(command, words);
  EXPECT_EQ(heard, std::vector<std::string>{"beta=0.5"});
  EXPECT_TRUE(given("beta"));
  EXPECT_FALSE(given("alpha"));
  EXPECT_TRUE(given.any_of_group("Parameters"));
  const std::vector<std::string> bad{"--alpha=bad"};
  EXPECT_THROW(cli::parse(command, bad), Error);
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), {}};
}

// foreign_flags.txt lists what the other programs have.
TEST(ForeignFlags, AreAllAnswered) {
  const Command train = cli::train_command();
  std::istringstream lines(slurp(HALFSPACE_SOURCE_DIR "/tests/cli/foreign_flags.txt"));
  std::size_t names = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('#')) continue;
    for (const std::string& flag : words_of(line)) {
      const bool own = flag[1] == '-'
                           ? train.flag(std::string_view(flag).substr(2)) || cli::synonym(train, flag.substr(2))
                           : train.flag(flag[1]) != nullptr;
      EXPECT_TRUE(own || !cli::instead_of(train, flag).empty()) << flag;
      ++names;
    }
  }
  EXPECT_GT(names, 500U);
}

// A flag in an answer is one of the command that the answer names before it, and its word is a value of that flag.
TEST(ForeignFlags, AreAnsweredByFlagsThatThereAre) {
  const std::vector<Command> commands = every_command();
  const auto named = [&](std::string_view name) {
    return std::find_if(commands.begin(), commands.end(), [&](const Command& command) { return command.name == name; });
  };
  std::set<std::string> seen;
  for (const cli::ForeignFlags& answer : cli::foreign_flags()) {
    const auto asked = named(answer.command);
    ASSERT_NE(asked, commands.end()) << answer.command;
    for (const std::string& name : words_of(std::string(answer.names))) {
      EXPECT_TRUE(seen.insert(asked->name + " " + name).second) << name << " is answered twice";
      const bool own = name[0] == '-' ? asked->flag(name[1]) : asked->flag(std::string_view(name));
      EXPECT_FALSE(own) << asked->name << " has " << name;
    }
    if (answer.instead.starts_with('=')) {
      EXPECT_NE(asked->flag(answer.instead.substr(1)), nullptr) << answer.instead;
      continue;
    }
    auto command = asked;
    const Row* row = nullptr;
    std::string before;
    for (std::string word : words_of(std::string(answer.instead))) {
      const bool ends = word.back() == ';';
      word.erase(word.find_last_not_of(",;:.") + 1);
      if (before == "halfspace" && word[0] != '-') {
        command = named(word);
        ASSERT_NE(command, commands.end()) << answer.instead;
      } else if (word.starts_with("--") && before != "halfspace") {
        row = command->flag(std::string_view(word).substr(2));
        EXPECT_NE(row, nullptr) << answer.instead << ": " << command->name << " has no " << word;
      } else if (word[0] == '-' && before == "write") {
        EXPECT_NE(command->flag(word[1]), nullptr) << answer.instead;
      } else if (row != nullptr && before == cli::flag_name(*row) && !row->takes.choices.empty() &&
                 std::islower(static_cast<unsigned char>(word[0]))) {
        EXPECT_TRUE(std::any_of(row->takes.choices.begin(), row->takes.choices.end(),
                                [&](const FlagChoice& choice) { return choice.name == row->choice_in(word); }))
            << answer.instead << ": " << word;
        const std::vector<std::string> own = training::options_of_learner(row->choice_in(word));
        for (const auto& given : training::LearnerWord(row->takes.parameters ? word : "").values)
          EXPECT_NE(std::find(own.begin(), own.end(), given.first), own.end()) << answer.instead << ": " << word;
      }
      before = word;
      if (ends) command = asked;
    }
  }
}

enum class Fruit : std::uint8_t { apple, pear };

}  // namespace
}  // namespace halfspace::cli_tests

template <>
struct halfspace::NamesOf<halfspace::cli_tests::Fruit> {
  using Fruit = halfspace::cli_tests::Fruit;
  static constexpr Name<Fruit> table[] = {{Fruit::apple, "apple", "red or green"}, {Fruit::pear, "pear", "long"}};
};

namespace halfspace::cli_tests {
namespace {

TEST(FlagTable, ChoicesComeFromAnEnumsTable) {
  const std::vector<FlagChoice> choices = choices_of<Fruit>();
  ASSERT_EQ(choices.size(), 2U);
  EXPECT_EQ(choices[0].name, "apple");
  EXPECT_EQ(choices[1].help, "long");
}

class Flags : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    write("d.svm", separable());
  }
  void expect_refused(const std::string& arguments, const std::string& why) const {
    const Output output = halfspace(arguments);
    EXPECT_EQ(output.code, 2) << arguments;
    EXPECT_TRUE(has(output.err, why)) << arguments;
    EXPECT_TRUE(has(output.err, "\n  fix: "));
    EXPECT_EQ(output.out, "");
  }
};

TEST_F(Flags, NumbersThatWouldWrapOrMeanNothingAreRefused) {
  expect_refused("train d.svm --passes -3", "--passes takes a whole number of at least 1, not '-3'");
  expect_refused("train d.svm --passes 1e3", "--passes takes a whole number of at least 1, not '1e3'");
  expect_refused("train d.svm --passes 0", "--passes takes a whole number of at least 1, not '0'");
  expect_refused("train d.svm --seed -1", "--seed takes a whole number of at least 0, not '-1'");
  expect_refused("train d.svm --seconds nan", "--seconds takes a number above 0, not 'nan'");
  expect_refused("train d.svm --rate=1,5", "--rate takes a number, not '1,5'");
  expect_refused("train d.svm --memory 3Q", "--memory takes a size such as 512M or 4G, not '3Q'");
  expect_refused("bandit d.csv --repeat 0", "--repeat takes a whole number from 1 to 1000000, not '0'");
  // A number is a decimal, as in data: no other base, no blanks, nothing infinite.
  for (const char* text : {"0x10", "'\t2'", "' 2'", "'2 '", "inf", "1e400", "nan", "2e"}) {
    const std::string given(text);
    expect_refused("train d.svm --class-weight +1=" + given, "--class-weight takes NAME=WEIGHT");
    expect_refused("train d.svm --rule perceptron --rate " + given, "--rate takes a number");
    expect_refused("train d.svm --holdout " + given, "--holdout takes a number");
    expect_refused("train d.svm --checkpoint " + given + "s -o m", "--checkpoint takes a time or a number of rows");
    expect_refused("train d.svm --rule pa1 --folds 2 --search aggressiveness=" + given, "is not a number");
  }
  EXPECT_EQ(halfspace("train d.svm --class-weight +1=+2.5e-1 --rule perceptron --rate .5 -o m").code, 0);
  EXPECT_EQ(halfspace("train d.svm --seed 18446744073709551615 --memory 1.5GB -o m").code, 0);
}

TEST_F(Flags, ValuesHaveTheirOwnSuggestions) {
  expect_refused("train d.svm --rule percepton", "no --rule is called 'percepton'; did you mean perceptron?");
  expect_refused("train d.svm --rule rosenblat", "did you mean --preset rosenblatt?");
  expect_refused("train d.svm --preset avreaged", "no --preset is called 'avreaged'; did you mean averaged?");
  expect_refused("train d.svm --order cylic", "did you mean cyclic?");
  expect_refused("bandit l.csv --algorithm exp3ix", "did you mean exp3-ix?");
  expect_refused("experts l.csv --losses --algorithm hegde", "did you mean hedge?");
  expect_refused("lab minow", "did you mean minnow?");
  expect_refused("completion zhs", "did you mean zsh?");
  for (const auto& [given, meant] :
       std::vector<std::pair<std::string, std::string>>{{"--kernel rbf", "gaussian"},
                                                        {"--loss log_loss", "logistic"},
                                                        {"--calibrate sigmoid", "platt"},
                                                        {"--metric roc_auc", "auc"},
                                                        {"--objective hinge", "svm"},
                                                        {"--multiclass ovr", "one-against-rest"},
                                                        {"--normalize l2", "row"}})
    expect_refused("train d.svm " + given, "; did you mean " + meant + "?");
  expect_refused("train d.svm --keep xyzzy",
                 "no --keep is called 'xyzzy'\n  fix: --keep takes last, average, pocket or vote");
}

TEST_F(Flags, WhatIsForgottenOrTooMuchIsNamed) {
  expect_refused("train", "DATA is missing");
  expect_refused("export m", "--output is missing");
  expect_refused("train d.svm --passes", "--passes needs a value: a whole number of at least 1");
  expect_refused("train d.svm -o --json", "--output needs a value");
  expect_refused("train d.svm -o ''", "--output takes the name of a file, not ''");
  expect_refused("train d.svm --json=yes", "--json takes no value");
  expect_refused("train d.svm --seed 1 --seed 2", "--seed is given twice");
  expect_refused("inspect d.svm e.svm", "unexpected argument 'e.svm'");
  expect_refused("train d.svm --pases 3 --sede 1",
                 "unknown flag --pases; did you mean --passes? · unknown flag --sede; did you mean --seed");
  expect_refused("train d.svm -z", "unknown flag -z");
  expect_refused("train d.vw --oaa 3 -b 18",
                 "unknown flag --oaa: leave it out: the labels name the classes; --multiclass one-against-rest, or "
                 "one-against-one · unknown flag -b: leave it out: names are not hashed");
  for (const auto& [line, answer] : std::vector<std::pair<std::string, std::string>>{
           {"train d.svm --random_seed 3 --epochs 2 -fm -v 'a b'",
            "unknown flag --random_seed: write --seed N · unknown flag -fm: write --output MODEL · unknown flag -v: "
            "write "
            "--folds K\n  fix: halfspace train d.svm --seed 3 --passes 2 --output=m --folds 'a b'\n"},
           {"train d.svm --class_weight=balanced --bfgs",
            "unknown flag --class_weight: write --class-weight NAME=W · unknown flag --bfgs: write --objective "
            "logistic"},
           {"train d.svm --class_weight=balanced", "\n  fix: halfspace train d.svm --class-weight=balanced\n"},
           {"train d.svm -s2 -w-1 2", "unknown flag -s2: write --objective logistic (0, 7), squared-hinge (1, 2)"},
           {"predict m d.svm --bfgs", "unknown flag --bfgs: with halfspace train, write --objective logistic"},
           {"predict m d.svm -p out",
            "unknown flag -p: write --output FILE\n  fix: halfspace predict m d.svm --output out\n"},
           {"predict m d.svm --max_iter 3", "unknown flag --max_iter: with halfspace train, write --passes N"},
           {"evaluate m d.svm --folds 5", "unknown flag --folds: a flag of halfspace train"},
           {"compare d.svm --cv 5", "unknown flag --cv: write --folds K\n  fix: halfspace compare d.svm --folds 5\n"},
           {"bandit l.csv --epsilon 0.1", "unknown flag --epsilon: write --algorithm NAME"}})
    expect_refused(line, answer);
  expect_refused("train d.svm --figures",
                 "--figures does nothing without --json or --report or --save-run\n"
                 "  fix: add --json or --report or --save-run, or leave out --figures");
  for (const char* arms : {"-3", "+3", "3.5", "0x3", "' 3'", "0", "red", "99999999999999999999"})
    expect_refused("bandit --live --arms " + std::string(arms), "--arms takes 1 to");
  expect_refused("bandit --live --arms red,,blue", "--arms: an arm has no name");
  expect_refused("bandit l.csv --state s", "--state does nothing without --live");
  expect_refused("bandit l.csv --reward r", "--reward does nothing without --logged");
  expect_refused("certify d.svm --bias none --bias-scale 2", "--bias-scale does nothing with --bias none");
  expect_refused("certify d.svm --pairs --extra-seconds 1", "--extra-seconds does nothing with --pairs");
  expect_refused("train d.svm --bias none --bias-scale 2", "--bias-scale does nothing without a bias");
  expect_refused("train d.svm --rule kernel --bias-scale 2", "--bias-scale does nothing without a bias");
  expect_refused("train d.svm --no-header", "CSV data may have a header, and this is LIBSVM");
  expect_refused("inspect m --all --top 3", "--top does nothing with --all");
  expect_refused("inspect m --json --top 3", "--top does nothing with --json");
  expect_refused("experts l.csv --losses --gains", "--losses does nothing with --gains");
  expect_refused("experts l.csv --losses --loss log", "--loss does nothing without --outcome");
  expect_refused("experts l.csv --outcome a --range 0,2", "--range does nothing with --outcome");
  expect_refused("experts l.csv --losses --algorithm hedge --beta 0.2",
                 "--beta does nothing with --algorithm hedge\n  fix: leave one of the two out");
  expect_refused("bandit l.csv --algorithm exp3 --delta 0.1", "--delta does nothing with --algorithm exp3");
  expect_refused("bandit l.csv --logged --rounds 3", "--rounds does nothing with --logged");
  expect_refused("bandit --live --arms 3 --gains", "--gains does nothing with --live");
  write("d.csv", "a,k\n1,x\n2,y\n");
  expect_refused("train d.csv --zero-based", "indices are counted in LIBSVM data, and this is CSV");
  expect_refused("--vresion", "unknown flag --vresion; did you mean --version?");
  expect_refused("predict m d.svm --scores --probability", "--scores contradicts --probability");
}

TEST_F(Flags, OfOtherProgramsWithTheSameMeaningAreTaken) {
  write("d.csv", "y,a,b\n0,1,x\n1,2,y\n0,3,x\n1,1,y\n0,2,x\n");
  for (const auto& [theirs, ours] : std::vector<std::pair<std::string, std::string>>{
           {"--epochs 3", "--passes 3"},
           {"--learning-rate=0.5 --rule perceptron", "--rate=0.5 --rule perceptron"},
           {"--learning_rate 0.5 --rule perceptron", "--rate 0.5 --rule perceptron"},
           {"--target b", "--label b"},
           {"--test-size 0.2", "--holdout 0.2"}}) {
    const Output taken = halfspace("train d.csv -q -o m " + theirs);
    EXPECT_EQ(taken.code, 0) << taken.err;
    const std::string flag = theirs.substr(0, theirs.find_first_of(" =")),
                      own = ours.substr(0, ours.find_first_of(" ="));
    EXPECT_EQ(taken.err.rfind("note: " + flag + " is " + own + " here\n", 0), 0U) << taken.err;
    EXPECT_EQ(halfspace("train d.csv -q -o n " + ours).code, 0);
    EXPECT_EQ(read("m"), read("n")) << theirs;
  }
  expect_refused("train d.csv --passes 2 --epochs 3", "--passes is given twice");
  expect_refused("convert d.csv d.cache --epochs 3", "unknown flag --epochs");
}

// What asks for nothing that does not happen anyway.
TEST_F(Flags, ThatDoNoHarmAreAccepted) {
  write("l.csv", "a,b\n0.5,1\n1,0.5\n0.5,0.5\n");
  write("o.csv", "o,a,b\n1,1,0\n0,1,0\n1,1,1\n");
  write("log.csv", "action,reward,propensity\na,1,0.5\nb,0,0.5\na,0,0.5\n");
  ASSERT_EQ(halfspace("train d.svm -q -o m").code, 0);
  for (const char* line : {"inspect m --all --json",
                           "inspect m --json --top 20",
                           "train d.svm --bias none --bias-scale 1 -q",
                           "train d.svm --ngrams 1 --text-values counts -q",
                           "train d.svm --figures --report r.html -q",
                           "evaluate m d.svm -q",
                           "predict m d.svm --quiet",
                           "certify d.svm --bias none --bias-scale 1.0",
                           "certify d.svm --one-against-rest --extra-seconds 0.4",
                           "experts l.csv --gains --rises",
                           "experts l.csv --losses --skip-undecided --loss zero-one",
                           "experts l.csv --losses --algorithm hedge --beta 0.5 --budget 2000000",
                           "bandit log.csv --logged --seed 3",
                           "bandit log.csv --logged --repeat 1",
                           "bandit l.csv --algorithm exp3 --delta 0.05",
                           "train d.svm --plane none -q",
                           "train d.svm --drift-delta 0.01 -q",
                           "certify d.svm --pairs --bias-scale 1.0",
                           "train d.svm --drift adwin --false-alarms 10000 -q",
                           "certify d.svm --pairs --extra-seconds 0",
                           "train d.svm --rule kernel --degree 2 --eviction random -q",
                           "experts l.csv --rises --range 0,1",
                           "experts o.csv --outcome o --range 0,1",
                           "bandit l.csv --rises --range 0,1"}) {
    const Output output = halfspace(line);
    EXPECT_LE(output.code, 1) << line << "\n" << output.err;  // 1 is a verdict
  }
  EXPECT_EQ(halfspace("experts l.csv --gains --rises").out, halfspace("experts l.csv --rises").out);
  EXPECT_EQ(sh("echo '{\"ask\":true}' | \"$H\" bandit --live --arms 2 --delimiter tab --header").code, 0);
  EXPECT_EQ(sh("echo '{\"ask\":true}' | \"$H\" bandit --live --arms 2 --json -").code, 0);
}

// What a resumed run learns by anyway may be said again.
TEST_F(Flags, MayRepeatWhatAModelWasLearnedBy) {
  const std::string learning =
      "--rule pa1 --aggressiveness 0.5 --order cyclic --keep average --seed 3 --normalize column "
      "--class-weight +1=2 --single --holdout 0.2 --positive +1 --classes=-1,+1";
  ASSERT_EQ(halfspace("train d.svm --passes 2 -q -o m " + learning).code, 0);
  ASSERT_EQ(halfspace("train d.svm --resume m --passes 4 -q -o plain").code, 0);
  const Output again =
      halfspace("train d.svm --resume m --passes 4 -q -o again --tie positive --bias last " + learning);
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(read("again"), read("plain"));
  for (const char* other : {"--rule arow", "--aggressiveness 1", "--order shuffled", "--keep last", "--seed 4",
                            "--normalize row", "--class-weight +1=3", "--holdout 0.3", "--positive=-1", "--classes=+1",
                            "--start small", "--bias none", "--bias-scale 2", "--preset averaged", "--classes all"})
    expect_refused("train d.svm --resume m --passes 4 " + std::string(other), "--resume keeps the model's own");
  ASSERT_EQ(halfspace("train d.svm --preset averaged -q -o m").code, 0);
  EXPECT_EQ(halfspace("train d.svm --resume m --preset averaged -q").code, 0);
  expect_refused("train d.svm --resume m --single", "--resume keeps the model's own");
}

TEST_F(Flags, HelpIsACommandToo) {
  EXPECT_EQ(halfspace("help").out, halfspace("--help").out);
  EXPECT_EQ(halfspace("help train").out, halfspace("train --help").out);
  EXPECT_EQ(halfspace("help help").out, halfspace("help --help").out);
  EXPECT_TRUE(has(halfspace("help help").out, "report the content of data, and its errors"));
  expect_refused("help tarin", "no COMMAND is called 'tarin'; did you mean train?");
  expect_refused("help train predict", "unexpected argument 'predict'");
  expect_refused("help formats all", "unexpected argument 'all'");
}

// What the first columns of results say is explained.
TEST_F(Flags, HelpExplainsTheWordsOfTheOutput) {
  std::string last;
  const std::string all = halfspace("help words").out;
  for (const cli::Word& word : cli::glossary()) {
    EXPECT_LT(strcasecmp(last.c_str(), word.term.c_str()), 0) << word.term << " is not in its place";
    last = word.term;
    EXPECT_TRUE(has(all, "  " + word.term + " ")) << word.term;
  }
  std::set<std::string> labels = {"balanced accuracy", "precision", "recall",      "F1",          "Matthews", "AUC",
                                  "average precision", "lift",      "log loss",    "Brier score", "accuracy", "truth",
                                  "calibration",       "regret",    "probability", "arm",         "expert",   "ledger"};
  for (const char* one :
       {"arow",        "scw",       "scw-i",       "nag",      "platt",    "hedge",       "tournament",
        "mixture",     "always",    "error since", "rounds/s", "separate", "approximate", "identifier",
        "categorical", "numeric",   "detected",    "look",     "note",     "fix",         "try",
        "prediction",  "converges", "deviation",   "preset",   "p-value",  "report"})
    labels.insert(one);
  const std::string data = sample() + " --id applicant ";
  for (const std::string& line :
       {"train " + data + "-q --details --window 100 --drift adwin --preset averaged --certify",
        "train " + data + "-q --details --holdout 0.2 --calibrate platt", "check " + data}) {
    std::istringstream lines(halfspace(line).out);
    for (std::string text; std::getline(lines, text);) {
      if (text.starts_with("  ") && text.find(": ") > 14 && text.size() > 15 && text[14] == ' ' && text[15] != ' ' &&
          std::islower(static_cast<unsigned char>(text[2])))
        labels.insert(text.substr(2, text.find("  ", 2) - 2));
    }
  }
  EXPECT_GT(labels.size(), 30U);
  for (const std::string& label : labels) EXPECT_EQ(halfspace("help words '" + label + "'").code, 0) << label;
  EXPECT_EQ(halfspace("help words epoch").out, halfspace("help words passes").out);
  EXPECT_EQ(halfspace("help words epoch").out, "  pass (epoch)                One time through all training rows.\n");
  EXPECT_EQ(halfspace("help epoch").out, halfspace("help words epoch").out);
  EXPECT_EQ(halfspace("help fold").out, halfspace("help words folds").out);
  EXPECT_EQ(halfspace("help new rows").out, halfspace("help words 'new rows'").out);
  EXPECT_EQ(halfspace("help margin folds").out, halfspace("help words margin folds").out);
  EXPECT_EQ(halfspace("help verify").out, halfspace("verify --help").out);  // a command comes before a word
  EXPECT_TRUE(has(halfspace("help words balanced margin").out, "  margin "));
  expect_refused("help words margn", "'margn' is not explained; did you mean margin?");
  expect_refused("help words --json", "--json is of one command's flags");
}

TEST_F(Flags, MayBeWrittenInEveryUsualWay) {
  EXPECT_EQ(halfspace("train d.svm -qom --seed=7").code, 0);
  EXPECT_TRUE(std::filesystem::exists(path("m")));
  EXPECT_EQ(halfspace("train -o n -q -- d.svm").code, 0);
  EXPECT_TRUE(std::filesystem::exists(path("n")));
  EXPECT_TRUE(has(halfspace("certify -h").out, "none, first or last"));
  EXPECT_EQ(halfspace("train --nonsense --help").code, 0);
  EXPECT_EQ(sh("\"$H\" train --help >/dev/full").code, 74);
}

TEST_F(Flags, HelpKeepsToItsWidth) {
  for (const Command& command : every_command()) {
    std::istringstream lines(halfspace(command.name + " --help").out);
    for (std::string line; std::getline(lines, line) && line != "Examples:";) EXPECT_LE(line.size(), 114U) << line;
  }
}

// What bash would offer for the last of these words, as it lists them after a second TAB.
class Completion : public Flags {
 protected:
  std::string offered(const std::string& words, const std::string& type = "9") const {
    return sh("\"$H\" completion bash >c; bash -c '. ./c; COMP_TYPE=" + type + "; COLUMNS=80; COMP_WORDS=(" + words +
              "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _halfspace; printf \"%s\\n\" \"${COMPREPLY[@]}\"'")
        .out;
  }
};

TEST_F(Completion, BashCompletesCommandsFlagsValuesAndFiles) {
  EXPECT_EQ(offered("halfspace tra"), "train\n");
  EXPECT_EQ(offered("halfspace train --calib"), "--calibrate\n");
  EXPECT_EQ(offered("halfspace train --calibrate p"), "platt\n");
  EXPECT_EQ(offered("halfspace train --calibrate = p"), "platt\n");
  EXPECT_EQ(offered("halfspace train --calibrate =").substr(0, 6), "platt\n");
  EXPECT_EQ(offered("halfspace bandit --algorithm exp3-ix"), "exp3-ix\nexp3-ix-anytime\n");
  EXPECT_EQ(offered("halfspace lab min"), "minnow\n");
  EXPECT_EQ(offered("halfspace completion z"), "zsh\n");
  write("two words.svm", "");
  EXPECT_EQ(offered("halfspace train two"), "two words.svm\n");
  EXPECT_EQ(offered("halfspace train d.svm -o two"), "two words.svm\n");
  EXPECT_EQ(offered("halfspace train d.svm --passes \"\""), "\n");
}

TEST_F(Completion, BashShowsWhatEachOfSeveralMeans) {
  EXPECT_EQ(offered("halfspace train --calibrate \"\"", "63"),
            "platt        (a logistic curve of the score)\nisotonic     (any non-decreasing curve)\n"
            "temperature  (three classes or more: a tempered softmax)\n"
            "none         (scores only (default))\n");
  EXPECT_EQ(offered("halfspace train --calibrate pla", "63"), "platt\n");
}

TEST_F(Completion, EveryChoiceOfEveryCommandIsCompleted) {
  const std::string fish = halfspace("completion fish").out;
  const std::string zsh = halfspace("completion zsh").out;
  const std::string bash = halfspace("completion bash").out;
  const std::string manual = halfspace("manual").out;
  for (const Command& command : every_command()) {
    EXPECT_TRUE(has(manual, ".SS " + command.name + "\n"));
    for (const Row& row : command.rows) {
      if (!row.listed) continue;
      for (const FlagChoice& choice : row.takes.choices) {
        EXPECT_TRUE(has(bash, choice.name + "\t")) << choice.name;
        EXPECT_TRUE(has(zsh, "'" + choice.name + ":")) << choice.name;
        EXPECT_TRUE(has(fish, choice.name + "\\\\t")) << choice.name;
      }
    }
  }
}

TEST_F(Completion, TheShellsReadTheirScripts) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const std::string name = shell;
    const Output output =
        sh("\"$H\" completion " + name + " >c && if command -v " + name + " >/dev/null; then " + name + " -n c; fi");
    EXPECT_EQ(output.code, 0) << name << output.err;
    EXPECT_EQ(output.err, "") << name;
  }
}

TEST_F(Completion, TheManualListsEveryExitCode) {
  const std::string manual = halfspace("manual").out;
  EXPECT_TRUE(has(manual, ".TP\n1\ncertify: not separable; verify: ", ".TP\n3\ncertify: undecided", ".TP\n130\n",
                  ".TP\n143\n", ".TP\n74\n"));
}

}  // namespace
}  // namespace halfspace::cli_tests
