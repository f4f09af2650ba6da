// halfspace rules: what to learn with, from the table of rules.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/commands.h"
#include "cli/help.h"
#include "cli/report_flags.h"
#include "halfspace/base/error.h"
#include "halfspace/rules/rule_entry.h"
#include "report/results/rules_json.h"
#include "train/settings/learner_word.h"

namespace halfspace::cli {
namespace {

std::string line(std::string_view name, std::string_view words) {
  return help_entry("  " + std::string(name), words, help_width());
}

std::string all_learners() {
  std::string text;
  for (const Name<RuleGroup>& group : names<RuleGroup>()) {
    text += fmt::format("{}{}: {}\n", text.empty() ? "" : "\n", group.name, group.help);
    for (const RuleEntry& entry : all_rules()) {
      if (entry.group == group.value) text += line(entry.name, entry.help);
    }
  }
  text += "\nobjectives: minimized with a proof, by --objective\n";
  for (const Name<MarginLoss>& each : objective_names()) text += line(each.name, each.help);
  text += "\npresets: a rule with an order and a keeper, by --preset\n";
  for (const Preset& preset : presets()) {
    if (!rule_named(preset.name)) text += line(preset.name, preset.what);
  }
  return text + "\nhalfspace rules NAME: its parameters, theorem and cost.\n";
}

// Returns "(a positive number; default 1)".
std::string values_of(const ParameterUse& use) {
  std::string text = report::range_words(use);
  for (const ParameterChoice& choice : use.parameter->choices)
    text += (text.empty() ? "" : ", ") + std::string(choice.name);
  if (const std::string value = report::default_words(use); !value.empty()) text += "; default " + value;
  return " (" + text + ")";
}

// Returns a parameter and a value that show how to write one; empty without any.
std::string example_of(const RuleEntry& entry) {
  for (const ParameterUse& use : entry.parameters) {
    const std::string name(use.parameter->option_name());
    if (use.parameter->kind == Parameter::Kind::flag) return ":" + name;
    if (use.fallback) return ":" + name + "=" + value_text(*use.parameter, *use.fallback);
  }
  return "";
}

std::string classes_of(const RuleEntry& entry) {
  if (entry.several_classes) return "two or more";
  if (entry.for_several_classes == nullptr) return "two; more by a learner for each (--multiclass)";
  Composition composition;
  composition.rule = entry.id;
  return "two; more by the rule " + report::learner_word(entry.for_several_classes(composition));
}

std::string about_rule(const RuleEntry& entry) {
  std::string text = fmt::format("{}: {} ({})\n\n  {}\n", entry.name, entry.words, name_of(entry.group), entry.help);
  if (!entry.parameters.empty()) text += "\nParameters:\n";
  for (const ParameterUse& use : entry.parameters) {
    const std::string name(use.parameter->option_name());
    const std::string value = use.parameter->placeholder.empty() ? "" : "=" + std::string(use.parameter->placeholder);
    text += line(name + value, std::string(use.help) + values_of(use));
  }
  if (!entry.presets.empty()) text += "\nPresets:\n";
  for (const Preset& preset : entry.presets) {
    const std::string parts = fmt::format("{} × {}", name_of(preset.order), name_of(preset.keep));
    text += line(preset.name, preset.what == entry.help ? parts : fmt::format("{} ({})", preset.what, parts));
  }
  text += "\n" + line("classes", classes_of(entry));
  text += line("theorem", entry.theorem.empty() ? "none: a run prints no mistake bound" : entry.theorem);
  if (!entry.theorem.empty())
    text +=
        line("", "u: weights that the run is compared with; g: their least margin; R: the largest |x|; docs/bounds.md");
  if (!entry.cost.empty()) text += line("cost", entry.cost);
  if (!entry.source.empty()) text += line("source", entry.source);
  return text + fmt::format("\nExample:\n  halfspace train DATA --rule {}{}\n", entry.name, example_of(entry));
}

std::string about_objective(const Name<MarginLoss>& objective) {
  std::string text = fmt::format("{}: {} (objective)\n\nParameters:\n", objective.name, objective.help);
  TrainSettings unused;
  const std::vector<Option> options = learning_options(unused);
  for (const std::string& name : training::options_of_learner(objective.name)) {
    const Option* const one = find_option(options, name);
    if (one == nullptr) continue;
    const bool penalty = find_parameter(name) != nullptr;  // of rules, too, where it has another meaning
    const std::string values = one->takes.choices.empty() ? "" : " (" + one->takes_words() + ")";
    text += line(name + "=" + one->placeholder, penalty ? "in place of C: L2 / 2 |w|^2 + the mean loss is minimized"
                                                        : render_options(one->help) + values);
  }
  return text + fmt::format("\nExample:\n  halfspace train DATA --objective {}:C=10\n", objective.name);
}

std::string about(const std::string& name) {
  for (const Name<MarginLoss>& each : objective_names()) {
    if (each.name == name) return about_objective(each);
  }
  const auto preset = find_preset(name);
  return about_rule(entry_of(preset ? preset->rule : *rule_named(name)));
}

std::vector<FlagChoice> learners() {
  std::vector<FlagChoice> all;
  for (const RuleEntry& entry : all_rules()) all.push_back({std::string(entry.name), std::string(entry.help)});
  for (const Name<MarginLoss>& each : objective_names())
    all.push_back({std::string(each.name), std::string(each.help)});
  for (const Preset& preset : presets()) {
    if (!rule_named(preset.name)) all.push_back({std::string(preset.name), std::string(preset.what)});
  }
  return all;
}

report::Json json_of(const std::string& name) {
  report::Json j = run_json("rules", {});
  const auto preset = find_preset(name);
  const std::string rule(preset ? name_of(preset->rule) : std::string_view(name));
  j["rules"] = report::Json::array();
  for (report::Json& one : report::rules_json()) {
    if (name.empty() || one["name"] == rule) j["rules"].push_back(std::move(one));
  }
  j["objectives"] = report::Json::array();
  for (const Name<MarginLoss>& each : objective_names()) {
    if (name.empty() || each.name == name)
      j["objectives"].push_back(
          {{"name", each.name}, {"help", each.help}, {"parameters", training::options_of_learner(each.name)}});
  }
  return j;
}

}  // namespace

Command rules_command() {
  auto name = std::make_shared<std::string>();
  auto as_json = std::make_shared<bool>(false);
  Command command("rules", "what to learn with: rules, presets and objectives, and their parameters",
                  {{"halfspace rules", "all rules, a line each"},
                   {"halfspace rules scw1", "its parameters, theorem, cost and source"},
                   {"halfspace rules --json", "the same for programs"}});
  std::vector<FlagChoice> choices = learners();
  for (FlagChoice& choice : choices) choice.listed = false;
  command.add({{"NAME", "", "a rule, a preset or an objective (default: list all)", name.get(), one_of(choices)}});
  command.add(kOutputGroup, {json_row(*as_json)});
  command.run = [name, as_json](const Given&) {
    print_result(*as_json ? dumped(json_of(*name)) : name->empty() ? all_learners() : about(*name));
    return 0;
  };
  return command;
}

}  // namespace halfspace::cli
