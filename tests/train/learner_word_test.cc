// A learner with its parameters in one word is the learner that options of their own make, to the bit.
#include "train/settings/learner_word.h"

#include "halfspace/base/error.h"
#include "halfspace/model/model_file.h"
#include "halfspace/rules/rule_entry.h"
#include "support/test.h"

namespace halfspace {
namespace {

using Values = std::vector<std::pair<std::string, std::string>>;

class LearnerWords : public ::testing::Test {
 protected:
  LearnerWords() {
    std::string rows;
    for (int i = 0; i < 60; ++i) {
      rows += i * 7 % 5 < 2 ? "+1" : "-1";
      for (int j = 1; j <= 5; ++j) {
        if (i * (j + 2) % 7 < 3 || j == 5) rows += " " + std::to_string(j) + ":1";
      }
      rows += "\n";
    }
    folder_.write("rows", rows);
  }

  // The settings that set_option() makes.
  TrainSettings settings(const Values& values) const {
    TrainSettings own;
    own.data.paths = {folder_.path("rows")};
    const std::vector<Option> options = options_of(own);
    for (const auto& [name, value] : values) set_option(options, name, value);
    return own;
  }
  std::vector<std::uint8_t> bytes(const Values& values) const {
    const TrainSettings own = settings(values);
    return encode(halfspace::train(own).model);
  }
  std::string refused(const Values& values) const {
    try {
      train_options(settings(values));
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
  // Returns values of the rule's parameters with which `use` has an effect, and this value; empty if there are none.
  Values values_with(const RuleEntry& entry, const ParameterUse& use, const std::string& value) const {
    const std::string name(use.parameter->option_name());
    std::vector<Values> tried{{{name, value}}};
    for (std::size_t t = 0; t < tried.size() && t < 400; ++t) {
      Values all = tried[t];
      all.emplace_back("rule", std::string(entry.name));
      if (refused_by_validation(all).empty()) return tried[t];
      for (const ParameterUse& other : entry.parameters) {
        const std::string more(other.parameter->option_name());
        const bool taken =
            std::any_of(tried[t].begin(), tried[t].end(), [&](const auto& given) { return given.first == more; });
        if (taken || tried[t].size() == 3) continue;
        for (const std::string& each : some_values(other)) {
          tried.push_back(tried[t]);
          tried.back().emplace_back(more, each);
        }
      }
    }
    return {};
  }
  std::string refused_by_validation(const Values& values) const {
    try {
      validate(train_options(settings(values)).composition);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
  // Values of the domain that are not the default.
  static std::vector<std::string> some_values(const ParameterUse& use) {
    const Parameter& parameter = *use.parameter;
    if (parameter.kind == Parameter::Kind::flag) return {"true"};
    std::vector<std::string> values;
    for (const ParameterChoice& choice : parameter.choices) values.emplace_back(choice.name);
    if (!values.empty()) return values;
    for (const double value : {0.25, 0.75, 2.0, 3.0}) {
      if (use.domain.holds(value) && use.fallback != value) values.push_back(value_text(parameter, value));
    }
    return values;
  }
  static std::string word_of(const std::string& learner, const Values& values) {
    std::string word = learner;
    for (const auto& [name, value] : values) word += ":" + name + (value == "true" ? "" : "=" + value);
    return word;
  }
  void expect_same(const std::string& option, const std::string& learner, Values values) const {
    const std::string word = word_of(learner, values);
    SCOPED_TRACE(word);
    values.emplace_back(option, learner);
    EXPECT_EQ(bytes({{option, word}}), bytes(values));
    values.back().second = word;
    EXPECT_EQ(bytes({{option, word}}), bytes(values)) << "given twice, with the same values";
  }

  testing::TemporaryFolder folder_;
};

TEST_F(LearnerWords, MakeTheModelsOfTheOptions) {
  std::size_t tested = 0;
  for (const RuleEntry& entry : all_rules()) {
    for (const ParameterUse& use : entry.parameters) {
      const std::vector<std::string> values = some_values(use);
      ASSERT_FALSE(values.empty()) << entry.name << " " << use.parameter->name;
      const Values all = values_with(entry, use, values.back());
      ASSERT_FALSE(all.empty()) << entry.name << " " << use.parameter->name;
      expect_same("rule", std::string(entry.name), all);
      for (const Preset& preset : entry.presets) {
        if (preset.clean == Clean::no) expect_same("preset", std::string(preset.name), all);
      }
      ++tested;
    }
  }
  EXPECT_GT(tested, 30U);
}

TEST_F(LearnerWords, MakeTheModelsOfObjectives) {
  for (const Name<MarginLoss>& each : objective_names()) {
    const std::string name(each.name);
    expect_same("objective", name, {{"C", "10"}, {"gap", "0.001"}, {"penalize-bias", "no"}});
    expect_same("objective", name, {{"l2", "0.01"}});
    EXPECT_NE(bytes({{"objective", name + ":C=10"}}), bytes({{"objective", name}}));
  }
}

TEST_F(LearnerWords, HoldOnlyTheirOwnParameters) {
  for (const RuleEntry& entry : all_rules()) {
    const std::string name(entry.name);
    const std::vector<std::string> own = training::options_of_learner(name);
    EXPECT_EQ(own.size(), entry.parameters.size());
    for (const Parameter* parameter : parameters()) {
      const std::string other(parameter->option_name());
      if (std::find(own.begin(), own.end(), other) != own.end()) continue;
      EXPECT_TRUE(has(refused({{"rule", name + ":" + other + "=1"}}), name + " has no parameter '" + other + "'"));
    }
    EXPECT_TRUE(has(refused({{"rule", name + ":passes=3"}}), "has no parameter 'passes'"));
  }
  EXPECT_TRUE(has(refused({{"objective", "svm:rate=1"}}), "svm has no parameter 'rate'",
                  "svm takes C, l2, gap, penalize-bias"));
}

TEST_F(LearnerWords, AreRefusedWithWhatWouldDo) {
  EXPECT_TRUE(has(refused({{"rule", "scw1:agressiveness=1"}}), "scw1 has no parameter 'agressiveness'",
                  "did you mean 'aggressiveness'?", "scw1 takes deviations, aggressiveness"));
  EXPECT_TRUE(has(refused({{"rule", "scw1:aggressiveness=x"}}), "aggressiveness takes a number, not 'x'"));
  EXPECT_TRUE(has(refused({{"rule", "kernel:kernel=cubic"}}), "'cubic' is no value of kernel"));
  EXPECT_TRUE(has(refused({{"rule", "scw1:"}}), "scw1 has no parameter ''"));
  EXPECT_TRUE(has(refused({{"rule", "scw3:deviations=1"}}), "'scw3' is no value of rule"));
  EXPECT_TRUE(has(refused({{"rule", "pa1:aggressiveness=1:aggressiveness=2"}}), "pa1 names aggressiveness twice"));
  EXPECT_TRUE(has(refused_by_validation({{"rule", "pa1:aggressiveness=-1"}}), "aggressiveness must be"));
}

TEST_F(LearnerWords, ContradictNoOption) {
  const std::string give = "give aggressiveness once";
  EXPECT_TRUE(has(refused({{"rule", "pa1:aggressiveness=2"}, {"aggressiveness", "1"}}),
                  "rule pa1:aggressiveness=2 contradicts aggressiveness", give));
  EXPECT_TRUE(has(refused({{"aggressiveness", "1"}, {"rule", "pa1:aggressiveness=2"}}), give));
  EXPECT_EQ(refused({{"aggressiveness", "2.0"}, {"rule", "pa1:aggressiveness=2"}}), "");
  EXPECT_TRUE(has(refused({{"rule", "perceptron:rate=2"}, {"preset", "averaged:rate=1"}}), "give rate once"));
  for (const auto& [name, value] : Values{{"C", "2"}, {"l2", "2"}, {"gap", "1e-3"}, {"penalize-bias", "no"}}) {
    const std::string other = name == "penalize-bias" ? "yes" : "1";
    EXPECT_TRUE(has(refused({{"objective", "svm:" + name + "=" + value}, {name, other}}), "give " + name + " once"));
  }
  EXPECT_TRUE(has(refused({{"rule", "minnow:positive-weights=false"}, {"positive-weights", "true"}}),
                  "give positive-weights once"));
  // The last one of an option is the one that counts.
  EXPECT_EQ(bytes({{"rule", "pa1:aggressiveness=2"}, {"rule", "pa1"}}), bytes({{"rule", "pa1"}}));
}

}  // namespace
}  // namespace halfspace
