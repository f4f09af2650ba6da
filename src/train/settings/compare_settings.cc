// The options of a comparison, and the competitors that words name.
#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "base/nearest.h"
#include "halfspace/base/error.h"
#include "halfspace/detail/rules/arow_diagonal.h"
#include "halfspace/rules/passive_aggressive.h"
#include "halfspace/rules/rule_entry.h"
#include "halfspace/train/compare.h"
#include "halfspace/train/plan.h"
#include "train/settings/learner_word.h"

namespace halfspace {
namespace {

constexpr const char* by_default = "default";

// The default, the usual baseline, and two quick rules of another kind.
std::vector<std::string> compared_by_default() {
  return {by_default, "averaged", std::string(name_of(rule::pa1)), std::string(name_of(rule::arow_diagonal))};
}

[[noreturn]] void refuse_name(const std::string& name) {
  std::set<std::string> names{by_default};
  for (const Preset& preset : presets()) names.emplace(preset.name);
  for (const RuleEntry& entry : all_rules()) names.emplace(entry.name);
  for (const Name<MarginLoss>& objective : objective_names()) names.emplace(objective.name);
  const std::string near = did_you_mean(name, std::vector<std::string>(names.begin(), names.end()));
  throw Error(ErrorKind::usage, option("rules") + ": unknown rule '" + name + "'" + (near.empty() ? "" : "; " + near))
      .fix("name " + std::string(by_default) + ", or a value of " + option("preset") + ", " + option("rule") + " or " +
           option("objective") + " of training");
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ",") + word;
  return text;
}

// Returns the options that a competitor may set for itself: how to learn, but not how to read, and no parameter of
// another.
std::vector<Option> own_options(const std::string& name, TrainSettings& settings) {
  std::vector<Option> all = learning_options(settings);
  for (Option& one : stop_options(settings)) {
    if (one.name != "seconds") all.push_back(std::move(one));
  }
  all.push_back({"normalize", "HOW", "",
                 [&settings](const std::string& text) {
                   settings.normalize_columns = text == "column";
                   settings.standard_columns = text == "standard";
                 },
                 takes::one_of({{"none", ""}, {"column", ""}, {"standard", ""}})});
  std::set<std::string> others{"rule", "preset", "objective"};
  const auto add = [&](std::string_view learner) {
    for (std::string& one : training::options_of_learner(learner)) others.insert(std::move(one));
  };
  if (name != by_default) {  // with a parameter it is refused as a whole
    for (const RuleEntry& entry : all_rules()) add(entry.name);
    for (const Name<MarginLoss>& each : objective_names()) add(each.name);
  }
  const std::vector<std::string> names = training::options_of_learner(name);
  for (const std::string& own : names) others.erase(own);
  std::erase_if(all, [&](const Option& one) { return others.contains(one.name); });
  std::stable_partition(all.begin(), all.end(), [&](const Option& one) {
    return std::find(names.begin(), names.end(), one.name) != names.end();
  });
  return all;
}

// "pa1:passes=3" is the rule pa1 with three passes.
Competitor competitor_of(const std::string& text, const TrainSettings& common) {
  TrainSettings own = common;
  const training::LearnerWord word(text);
  const std::string& name = word.name;
  if (find_preset(name)) {
    own.preset = name;
  } else if (rule_named(name)) {
    own.rule = name;
  } else if (loss_of_objective(name)) {
    own.minimize = name;
  } else if (name != by_default) {
    refuse_name(name);
  }
  training::set_values(word, own_options(name, own));
  TrainOptions trained = train_options(own);
  Competitor one{
      .name = text,
      .candidate = {trained.composition, trained.until, trained.normalize_columns, trained.standard_columns}};
  if (name == by_default) {
    if (!leaves_the_plan(own)) {
      throw Error(ErrorKind::usage, "the default chooses how to learn by itself")
          .fix("name a rule for these options, or give default alone, or with passes or normalize");
    }
    one.candidate.until = {.passes = own.until.passes};
    one.candidate.standard_columns = false;  // it does so by itself
    one.candidate.train = [](const TrainOptions& rows) { return train(plan_training(rows).options).model; };
    return one;
  }
  validate(trained.composition);
  if (trained.objective) {
    one.candidate.objective = trained.objective;
    return one;
  }
  const Until& until = trained.until;
  if (until.by_default) {
    throw Error(ErrorKind::usage, "it may never stop: no pass is clean where the classes overlap")
        .fix("give " + text + ":passes=10, or " + option("passes", "10") + " for all");
  }
  if (trained.shuffle_sorted) {
    one.candidate.train = [](TrainOptions rows) {
      rows.shuffle_sorted = true;
      return train(rows).model;
    };
  }
  return one;
}

}  // namespace

std::vector<Option> options_of(CompareSettings& settings) {
  TrainSettings& common = settings.common;
  std::vector<Option> all{
      {"rules", "NAME,NAME...",
       "rules, presets, objectives, or default, which chooses by the data; each with options of its own, as in "
       "pa1:passes=3 or svm:C=10 (default without " +
           option("models") + ": " + joined(compared_by_default()) + ")",
       &settings.rules, takes::commas()},
      {"models", "FILE,FILE...", "trained models; they are evaluated, never trained", &settings.models,
       takes::commas()},
      {"folds", "K", "the same K stratified folds for all, drawn by " + option("seed") + " (default 10)",
       &common.folds},
      {"test", "FILE", "learn DATA and compare on these rows, instead of folds", &settings.test, takes::data_file()}};
  const auto take = [&](std::vector<Option> from, std::set<std::string> names, bool others) {
    for (Option& one : from) {
      if (names.contains(one.name) != others) all.push_back(std::move(one));
    }
  };
  take(stop_options(common), {"passes"}, false);
  take(learning_options(common), {"seed"}, false);
  all.push_back(confidence_option(common.confidence));
  all.back().help = "how sure intervals and verdicts are (default 0.95)";
  take(data_options(common), {"rejects"}, true);
  return all;
}

CompareOptions compare_options(const CompareSettings& settings, const std::vector<NamedModel>& models) {
  const TrainSettings& common = settings.common;
  CompareOptions options;
  options.confidence = common.confidence;
  options.interrupt = common.interrupt;
  std::vector<std::string> rules = settings.rules;
  if (rules.empty() && models.empty()) rules = compared_by_default();
  TrainSettings read = common;
  std::vector<std::string> paths = common.data.paths;
  read.folds.reset();
  if (paths.empty()) {
    options.sets.push_back(train_options(read));
  } else {
    for (const std::string& path : paths) {
      read.data.paths = {path};
      options.sets.push_back(train_options(read));
    }
  }
  std::set<std::string> names;
  const auto add = [&](Competitor one) {
    if (!names.insert(one.name).second) {
      throw Error(ErrorKind::usage, "'" + one.name + "' is named twice").fix("name each competitor once");
    }
    options.competitors.push_back(std::move(one));
  };
  for (const std::string& word : rules) {
    try {
      add(competitor_of(word, read));
    } catch (const Error& error) {
      if (!error.file().empty() || error.message().starts_with(option("rules"))) throw;
      throw Error(error.kind(), option("rules") + ", " + word + ": " + error.message()).fix(error.hint());
    }
  }
  for (const NamedModel& one : models) add({.name = one.name, .candidate = {}, .model = one.model});
  if (!settings.test.empty()) {
    TrainSettings test = read;
    test.data.paths = {settings.test};
    test.data.read.rows = nullptr;
    test.data.read.table_text = nullptr;
    options.test = read_options(test.data);
    options.test->labels.balanced = false;
  }
  const bool learns = !rules.empty();
  options.folds = common.folds;
  if (learns && options.test && common.holdout > 0) {
    throw Error(ErrorKind::usage, option("test") + " and " + option("holdout") + " exclude each other")
        .fix("give one of them");
  }
  if (common.folds && common.holdout > 0) {
    throw Error(ErrorKind::usage, option("folds") + " and " + option("holdout") + " exclude each other")
        .fix("give one of them");
  }
  if (learns && !options.test && common.holdout == 0 && !options.folds) options.folds = 10;
  return options;
}

}  // namespace halfspace
