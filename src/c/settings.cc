// Options by name, and descriptions of all there are.
#include <memory>

#include "base/json.h"
#include "c/handles.h"
#include "report/results/option_json.h"
#include "report/results/rules_json.h"

namespace halfspace::c {
namespace {

struct SettingsKind {
  std::string_view name;
  void (*choose)(halfspace_settings&);
};
template <class Settings>
void choose_kind(halfspace_settings& settings) {
  settings.options = options_of(settings.values.emplace<Settings>());
}
constexpr SettingsKind kinds[] = {
    {"train", choose_kind<TrainSettings>},          {"evaluate", choose_kind<EvaluateSettings>},
    {"predict", choose_kind<PredictSettings>},      {"certify", choose_kind<CertifySettings>},
    {"bandit", choose_kind<BanditSettings>},        {"compare", choose_kind<CompareSettings>},
    {"experts", choose_kind<lab::ExpertsSettings>}, {"replay", choose_kind<lab::ReplaySettings>},
    {"lab", choose_kind<lab::LabSettings>},         {"explain", choose_kind<ExplainSettings>},
    {"choose", choose_kind<ChooserSettings>}};

std::unique_ptr<halfspace_settings> new_settings(std::string_view what) {
  auto settings = std::make_unique<halfspace_settings>();
  std::string names;
  for (const SettingsKind& kind : kinds) {
    if (kind.name == what) {
      kind.choose(*settings);
      return settings;
    }
    names += (names.empty() ? "" : ", ") + std::string(kind.name);
  }
  throw Error(ErrorKind::usage, "there are no settings \"" + std::string(what) + "\"").fix("use one of " + names);
}

Json described_options(const std::vector<Option>& options) {
  Json list = Json::array();
  for (const Option& option : options) {
    if (!option.positional()) list.push_back(report::option_json(option));
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
  if (what == "rules") return report::rules_json();
  if (what == "bandits") return described_bandits();
  return described_options(new_settings(what)->options);
}

void add_path(halfspace_settings& settings, const std::string& path) {
  const auto set_only = [&](std::string& only) {
    if (!only.empty()) throw Error(ErrorKind::usage, "these settings read one file").fix("add no other to " + only);
    only = path;
  };
  std::visit(
      [&](auto& values) {
        if constexpr (requires { values.data.paths; }) {
          values.data.paths.push_back(path);
        } else if constexpr (requires { values.common.data.paths; }) {
          values.common.data.paths.push_back(path);
        } else if constexpr (requires { values.table.path; }) {
          set_only(values.table.path);
        } else if constexpr (requires { values.lab; }) {
          set_only(values.data);
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

void halfspace_settings_free(halfspace_settings* settings) { delete settings; }

int halfspace_settings_set(halfspace_settings* settings, const char* name, const char* value, halfspace_error* error) {
  return guarded(error, [&] {
    const std::vector<Option>& options = checked(settings, "settings").options;
    const std::string text = &checked(value, "value");
    set_option(options, &checked(name, "name"), text);
    const Option* const set = find_option(options, name);
    if (set->takes_value() || text == "true") settings->given.emplace_back(set, text);
  });
}

int halfspace_settings_add_path(halfspace_settings* settings, const char* path, halfspace_error* error) {
  return guarded(error, [&] { add_path(checked(settings, "settings"), &checked(path, "path")); });
}

}  // extern "C"
