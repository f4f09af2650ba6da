// Options by name, and descriptions of all there are.
#include <memory>

#include "base/json.h"
#include "c/handles.h"
#include "halfspace/rules/rule_entry.h"
#include "report/option_json.h"

namespace halfspace::c {
namespace {

std::unique_ptr<halfspace_settings> new_settings(const std::string& what) {
  auto settings = std::make_unique<halfspace_settings>();
  if (what == "train") {
    settings->options = options_of(settings->values.emplace<TrainSettings>());
  } else if (what == "evaluate") {
    settings->options = options_of(settings->values.emplace<EvaluateSettings>());
  } else if (what == "predict") {
    settings->options = options_of(settings->values.emplace<PredictSettings>());
  } else if (what == "certify") {
    settings->options = options_of(settings->values.emplace<CertifySettings>());
  } else if (what == "bandit") {
    settings->options = options_of(settings->values.emplace<BanditSettings>());
  } else if (what == "compare") {
    settings->options = options_of(settings->values.emplace<CompareSettings>());
  } else {
    throw Error(ErrorKind::usage, "there are no settings \"" + what + "\"")
        .fix("use train, evaluate, predict, certify, bandit or compare");
  }
  return settings;
}

Json described_options(const std::vector<Option>& options) {
  Json list = Json::array();
  for (const Option& option : options) {
    if (!option.positional()) list.push_back(report::option_json(option));
  }
  return list;
}

// The name of the option that sets a parameter.
std::string_view option_name(const Parameter& parameter) {
  return parameter.off.empty() ? parameter.name : parameter.off;
}

Json described_rules() {
  Json list = Json::array();
  for (const RuleEntry& entry : all_rules()) {
    Json rule = {{"name", entry.name}, {"help", entry.help}, {"several_classes", entry.several_classes}};
    rule["parameters"] = Json::array();
    for (const ParameterUse& use : entry.parameters) {
      Json parameter = {{"name", use.parameter->name}, {"option", option_name(*use.parameter)}, {"help", use.help}};
      parameter["default"] = use.fallback ? Json(*use.fallback) : Json(nullptr);
      parameter["choices"] = Json::array();
      for (const ParameterChoice& choice : use.parameter->choices) parameter["choices"].push_back(choice.name);
      rule["parameters"].push_back(parameter);
    }
    rule["presets"] = Json::array();
    for (const Preset& preset : entry.presets) rule["presets"].push_back(preset.name);
    list.push_back(rule);
  }
  return list;
}

Json described_bandits() {
  Json list = Json::array();
  for (const BanditName name : values<BanditName>())
    list.push_back({{"name", name_of(name)}, {"help", help_of(name)}, {"needs_rounds", needs_horizon(name)}});
  return list;
}

Json described_by_name(const std::string& what) {
  if (what == "rules") return described_rules();
  if (what == "bandits") return described_bandits();
  return described_options(new_settings(what)->options);
}

std::vector<std::string>& paths_of(halfspace_settings& settings) {
  return std::visit(
      [](auto& values) -> std::vector<std::string>& {
        if constexpr (requires { values.data.paths; }) {
          return values.data.paths;
        } else if constexpr (requires { values.common.data.paths; }) {
          return values.common.data.paths;
        } else {
          throw Error(ErrorKind::usage, "these settings read no file").fix("add files to settings of another kind");
        }
      },
      settings.values);
}

}  // namespace

void attend(ReadOptions& read, const halfspace_rows* rows, const halfspace_watch* watch) {
  if (rows != nullptr) read = rows->read(std::move(read));
  if (watch == nullptr) return;
  if (watch->stop != nullptr) read.interrupt = &watch->stop->set;
  if (watch->on_note == nullptr) return;
  read.on_note = [watch = *watch](const ReadNote& note) {
    watch.on_note(watch.context, render_options(note.text).c_str(), render_options(note.fix).c_str());
  };
}

}  // namespace halfspace::c

using namespace halfspace;
using namespace halfspace::c;

extern "C" {

char* halfspace_describe(const char* what, halfspace_error* error) {
  return made(error, [&] { return copied(described_by_name(&checked(what, "what")).dump()); });
}

halfspace_settings* halfspace_settings_new(const char* what, halfspace_error* error) {
  return made(error, [&] { return new_settings(&checked(what, "what")).release(); });
}

void halfspace_settings_free(halfspace_settings* settings) {
  delete settings;
}

int halfspace_settings_set(halfspace_settings* settings, const char* name, const char* value, halfspace_error* error) {
  return guarded(error, [&] {
    set_option(checked(settings, "settings").options, &checked(name, "name"), &checked(value, "value"));
  });
}

int halfspace_settings_add_path(halfspace_settings* settings, const char* path, halfspace_error* error) {
  return guarded(error, [&] { paths_of(checked(settings, "settings")).emplace_back(&checked(path, "path")); });
}

}  // extern "C"
