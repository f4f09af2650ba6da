// Options by name: the library learns, evaluates and certifies from settings what the commands do from flags.
#include "halfspace/train/settings.h"

#include "cli/commands.h"
#include "cli/run.h"
#include "cli/watch_flags.h"
#include "halfspace/model/model_file.h"
#include "halfspace/proof/certify_settings.h"
#include "halfspace/reasons/explanation.h"

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
                         {{"calibrate", "platt"}, {"folds", "4"}},
                         {{"calibrate", "isotonic"}, {"rule", "arow"}, {"holdout", "0.2"}},
                         {{"calibrate", "isotonic"}, {"rule", "arow"}, {"folds", "3"}},
                         {{"calibrate", "none"}},
                         {{"order", "shuffled"}, {"until", "clean"}, {"updates", "500"}, {"positive", "approved"}}};
  for (const Named& options : cases) {
    const std::string flags = flags_of(options);
    ASSERT_TRUE(ends(0, "train " + sample() + " --id applicant -q -o m" + flags));
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

// What a command writes, prints or does besides is its own.
void expect_rows_are_flags(const std::vector<Option>& table, const cli::Command& command,
                           const std::set<std::string>& of_the_command) {
  for (const Option& flag : command.rows) {
    const bool besides = flag.group == cli::kOutputGroup || flag.group == cli::kWatchGroup;
    if (flag.positional() || besides || flag.name == "help" || of_the_command.contains(flag.name)) continue;
    EXPECT_NE(find_option(table, flag.name), nullptr) << command.name << " " << flag.name;
  }
  for (const Option& one : table) {
    const Option* flag = command.flag(one.name);
    ASSERT_NE(flag, nullptr) << command.name << " " << one.name;
    EXPECT_EQ(flag->help, render_options(one.help, [](std::string_view name, std::string_view value) {
                return "--" + std::string(name) + (value.empty() ? "" : " " + std::string(value));
              }));
  }
}

TEST_F(Settings, HaveEveryFlagOfTheirCommand) {
  TrainSettings training;
  expect_rows_are_flags(options_of(training), cli::train_command(),
                        {"output", "resume", "search", "report", "details", "plot", "trace", "plane", "image",
                         "certify", "certificate", "least-loss", "least-loss-norm"});
  EvaluateSettings evaluating;
  expect_rows_are_flags(options_of(evaluating), cli::evaluate_command(), {});
  PredictSettings predicting;
  expect_rows_are_flags(
      options_of(predicting), cli::predict_command(),
      {"output", "as", "keep", "tags", "scores", "probability", "sets", "each-class", "reasons", "against"});
  ExplainSettings explaining;
  expect_rows_are_flags(options_of(explaining), cli::explain_command(), {"columns"});
  CertifySettings certifying;
  expect_rows_are_flags(options_of(certifying), cli::certify_command(), {"output"});
}

TEST_F(Settings, EvaluateAsTheCommandDoes) {
  ASSERT_EQ(halfspace("train " + sample() + " --id applicant --rule arow --passes 1 -q -o m").code, 0);
  const Model model = load_model(path("m").string());
  ASSERT_EQ(sh("sed 2d " + sample() + " >fewer.csv && echo bad >>fewer.csv").code, 0);
  for (const Named& options :
       {Named{}, Named{{"confidence", "0.8"}}, Named{{"threads", "1"}, {"confidence", "0.99"}}}) {
    const Output output = halfspace("evaluate m fewer.csv --json --on-error skip" + flags_of(options));
    ASSERT_EQ(output.code, 0) << output.err;
    const Json said = Json::parse(output.out);
    EvaluateSettings settings;
    settings.data.paths = {path("fewer.csv")};
    const std::vector<Option> table = options_of(settings);
    set_option(table, "on-error", "skip");
    for (const auto& [name, value] : options) set_option(table, name, value);
    const ModelEvaluation result = evaluate(model, settings);
    EXPECT_EQ(result.confusion.accuracy(), said["accuracy"].get<double>());
    EXPECT_EQ(result.confusion.rows(), said["rows"].get<std::uint64_t>());
    EXPECT_EQ(*result.area, said["auc"].get<double>());
    EXPECT_EQ(result.report.rejected, said["rejected"].get<std::uint64_t>());
    EXPECT_EQ(result.expected_error()->bounds.upper, said["expected_error"]["upper"].get<double>());
  }
  EvaluateSettings sure;
  sure.data.paths = {path("fewer.csv")};
  set_option(options_of(sure), "confidence", "1");
  EXPECT_THROW(evaluate(model, sure), Error);
}

TEST_F(Settings, CertifyWhatTheCommandCertifies) {
  write("d.svm", separable());
  const Named cases[] = {{}, {{"bias", "none"}}, {{"bias-scale", "2"}, {"memory", "1G"}}, {{"extra-seconds", "0"}}};
  for (const Named& options : cases) {
    const Output output = halfspace("certify d.svm --json -o proof" + flags_of(options));
    const Json said = Json::parse(output.out);
    CertifySettings settings;
    settings.data.paths = {path("d.svm")};
    const std::vector<Option> table = options_of(settings);
    for (const auto& [name, value] : options) set_option(table, name, value);
    const CertifyResult result = certify(settings);
    EXPECT_EQ(name_of(result.verdict), said["verdict"].get<std::string>()) << flags_of(options);
    EXPECT_EQ(result.margin_lower, said["margin"]["lower"].get<double>());
    EXPECT_EQ(result.rows, said["rows"].get<std::uint64_t>());
    EXPECT_EQ(proof::encode_certificate(result.certificate).size(), read("proof").size());
  }
}

TEST_F(Settings, AskManyQuestionsAsTheCommandDoes) {
  write("three.svm", "a 1:1\na 1:2\nb 2:1\nb 1:9\nc 3:1\nc 1:1 3:2\n");
  for (const Named& options : {Named{{"pairs", "true"}}, Named{{"pairs", "true"}, {"one-against-rest", "true"}},
                               Named{{"one-against-rest", "true"}, {"seconds", "20"}, {"threads", "2"}}}) {
    const Output output = halfspace("certify three.svm --json" + flags_of(options));
    const Json said = Json::parse(output.out)["answers"];
    CertifySettings settings;
    settings.data.paths = {path("three.svm")};
    const std::vector<Option> table = options_of(settings);
    for (const auto& [name, value] : options) set_option(table, name, value);
    const std::vector<PairwiseAnswer> answers = pairwise(settings);
    ASSERT_EQ(answers.size(), said.size());
    for (std::size_t i = 0; i < answers.size(); ++i) {
      EXPECT_EQ(answers[i].question.positive, said[i]["positive"].get<std::string>());
      EXPECT_EQ(name_of(answers[i].verdict), said[i]["verdict"].get<std::string>());
    }
    EXPECT_THROW(certify(settings), Error) << "one question";
    set_option(table, "bias-scale", "2");
    EXPECT_THROW(pairwise(settings), Error);
  }
  CertifySettings one;
  one.data.paths = {path("three.svm")};
  EXPECT_THROW(pairwise(one), Error);
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
  EXPECT_TRUE(has(refused("pases", "3"), "did you mean 'passes'?"));
  EXPECT_TRUE(has(refused("rule", "arov"), "arow-diagonal"));
  EXPECT_TRUE(has(refused("passes", "0"), "a whole number of at least 1"));
  EXPECT_TRUE(has(refused("single", "maybe"), "true and false"));
  EXPECT_EQ(refused("single", "false"), "accepted");
  EXPECT_FALSE(settings.data.read.single);
}

}  // namespace
}  // namespace halfspace::cli_tests
