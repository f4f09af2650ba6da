// Formats the table of rules as JSON.
#include "report/results/rules_json.h"

namespace halfspace::report {
namespace {

Json parameter_json(const ParameterUse& use) {
  Json j = {{"name", use.parameter->name},
            {"option", use.parameter->option_name()},
            {"help", use.help},
            {"range", range_words(use)}};
  j["default"] = use.fallback ? Json(*use.fallback) : Json(nullptr);
  j["choices"] = Json::array();
  for (const ParameterChoice& choice : use.parameter->choices) j["choices"].push_back(choice.name);
  return j;
}

}  // namespace

Json rules_json() {
  Json list = Json::array();
  for (const RuleEntry& entry : all_rules()) {
    Json rule = {{"name", entry.name},       {"words", entry.words},
                 {"help", entry.help},       {"group", name_of(entry.group)},
                 {"theorem", entry.theorem}, {"cost", entry.cost},
                 {"source", entry.source},   {"several_classes", entry.several_classes}};
    rule["parameters"] = Json::array();
    for (const ParameterUse& use : entry.parameters) rule["parameters"].push_back(parameter_json(use));
    rule["presets"] = Json::array();
    for (const Preset& preset : entry.presets) rule["presets"].push_back(preset.name);
    list.push_back(std::move(rule));
  }
  return list;
}

std::string range_words(const ParameterUse& use) {
  const Parameter& parameter = *use.parameter;
  if (parameter.kind == Parameter::Kind::choice) return "";
  if (parameter.kind == Parameter::Kind::flag) return "without a value";
  const std::string demand = use.domain.demand();  // "must be a positive number", "must lie between 0 and 1"
  constexpr std::string_view be = "must be ", lie = "must lie ";
  return demand.substr(demand.starts_with(be) ? be.size() : lie.size());
}

std::string default_words(const ParameterUse& use) {
  if (use.tuned != nullptr) return "tuned on the first rows";
  if (!use.fallback || use.parameter->kind == Parameter::Kind::flag) return "";
  return value_text(*use.parameter, *use.fallback);
}

std::string learner_word(const Composition& composition) {
  std::string word(name_of(composition.rule));
  for (const ParameterUse& use : entry_of(composition.rule).parameters) {
    const Parameter& parameter = *use.parameter;
    const auto value = composition.given(parameter);
    if (!value || value == use.fallback || !applies(use, composition)) continue;
    word += ":" + std::string(parameter.option_name());
    if (parameter.kind != Parameter::Kind::flag) word += "=" + value_text(parameter, *value);
  }
  return word;
}

}  // namespace halfspace::report
