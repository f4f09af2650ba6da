// Parses a learner with its parameters.
#include "train/settings/learner_word.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/nearest.h"
#include "base/printable.h"
#include "halfspace/base/error.h"
#include "halfspace/rules/rule_entry.h"

namespace halfspace::training {
namespace {

// Stores the values of a word in settings that have no others.
void set_own_values(const LearnerWord& word, TrainSettings& own) {
  const std::vector<Option> all = learning_options(own);
  std::vector<Option> options;
  for (const std::string& name : options_of_learner(word.name)) options.push_back(*find_option(all, name));
  set_values(word, options);
}

// Returns whether a flag gives an option another value than a word does.
bool contradicts(const TrainSettings& flags, const TrainSettings& word, const std::string& name) {
  if (name == "C") return flags.cost && flags.cost != word.cost;
  if (name == "gap") return flags.gap && flags.gap != word.gap;
  if (name == "penalize-bias") return !flags.penalize_bias.empty() && flags.penalize_bias != word.penalize_bias;
  for (const Parameter* parameter : parameters()) {
    if (parameter->option_name() != name) continue;
    const std::string key(parameter->name);
    if (parameter->kind == Parameter::Kind::flag)
      return flags.switches.contains(key) && flags.switches.at(key) && !word.switches.at(key);
    return flags.parameters.contains(key) && flags.parameters.at(key) != word.parameters.at(key);
  }
  return false;
}

void take_values(const TrainSettings& word, TrainSettings& settings) {
  for (const auto& [name, value] : word.parameters) settings.parameters.insert_or_assign(name, value);
  for (const auto& [name, thrown] : word.switches) settings.switches[name] |= thrown;
  if (word.cost) settings.cost = word.cost;
  if (word.gap) settings.gap = word.gap;
  if (!word.penalize_bias.empty()) settings.penalize_bias = word.penalize_bias;
}

}  // namespace

LearnerWord::LearnerWord(const std::string& word) : name(word.substr(0, word.find(':'))) {
  for (std::size_t at = name.size(); at < word.size();) {
    const std::size_t end = std::min(word.find(':', at + 1), word.size());
    const std::string given = word.substr(at + 1, end - at - 1);
    const std::size_t equals = std::min(given.find('='), given.size());
    values.emplace_back(given.substr(0, equals), equals == given.size() ? "true" : given.substr(equals + 1));
    at = end;
  }
}

std::vector<std::string> options_of_learner(std::string_view name) {
  if (loss_of_objective(name)) return {"C", "l2", "gap", "penalize-bias"};
  const auto preset = find_preset(name);
  const auto rule = preset ? std::optional(preset->rule) : rule_named(name);
  std::vector<std::string> names;
  if (!rule) return names;
  for (const ParameterUse& use : entry_of(*rule).parameters) names.emplace_back(use.parameter->option_name());
  return names;
}

void set_values(const LearnerWord& word, std::span<const Option> options) {
  std::vector<std::string> taken;
  for (const auto& [name, text] : word.values) {
    if (find_option(options, name) == nullptr) {
      std::vector<std::string> known;
      for (const Option& one : options) known.push_back(one.name);
      const std::string near = did_you_mean(name, known);
      throw Error(ErrorKind::usage, fmt::format("{} has no parameter '{}'{}", printable(word.name), printable(name),
                                                near.empty() ? "" : "; " + near))
          .fix(known.empty() ? "leave it out" : fmt::format("{} takes {}", word.name, fmt::join(known, ", ")));
    }
    if (std::find(taken.begin(), taken.end(), name) != taken.end())
      throw Error(ErrorKind::usage, word.name + " names " + name + " twice").fix("give it once");
    taken.push_back(name);
    set_option(options, name, text);
  }
}

const std::string& checked_word(const std::string& text) {
  const LearnerWord word(text);
  TrainSettings scratch;
  if (!word.values.empty()) set_own_values(word, scratch);
  return text;
}

TrainSettings spelled_out(const TrainSettings& settings) {
  TrainSettings all = settings;
  for (const auto& [option_name, text] :
       {std::pair("preset", &all.preset), std::pair("rule", &all.rule), std::pair("objective", &all.minimize)}) {
    const LearnerWord word(*text);
    if (word.values.empty()) continue;
    TrainSettings own;
    set_own_values(word, own);
    for (const auto& [name, value] : word.values) {
      if (contradicts(all, own, name))
        throw Error(ErrorKind::usage, option(option_name, *text) + " contradicts " + option(name))
            .fix("give " + name + " once");
    }
    take_values(own, all);
    *text = word.name;
  }
  return all;
}

}  // namespace halfspace::training
