// Events to lines.
#include "service/choice_export.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "bandits/feature_hash.h"
#include "base/json.h"
#include "halfspace/base/error.h"
#include "service/live_chooser.h"

namespace halfspace::service {
namespace {

namespace dom = simdjson::dom;

// Appends the members of an object, or of all objects of an array, that are features.
void append_members(const dom::element& json, std::string& to) {
  dom::object object;
  dom::array array;
  if (json.get(object) == simdjson::SUCCESS) {
    for (const auto [key, value] : object) {
      if (key.starts_with('_') && key != "_text") continue;
      if (to.back() != '{') to += ',';
      to += Json(std::string(key)).dump() + ":" + simdjson::minify(value);
    }
  } else if (json.get(array) == simdjson::SUCCESS) {
    for (const dom::element one : array) append_members(one, to);
  }
}

// Whether each action of a request was not excluded.
std::vector<bool> drawable_of(const dom::element& json) {
  std::vector<bool> drawable;
  std::set<std::string, std::less<>> excluded;
  dom::array list;
  if (json["excludedActions"].get(list) == simdjson::SUCCESS) {
    for (const dom::element one : list) excluded.emplace(one.get_string().value());
  }
  const dom::array all = json["actions"].get_array();
  for (const dom::element action : all) drawable.push_back(!excluded.contains(action["id"].get_string().value()));
  return drawable;
}

// The context and the actions of a request, as member "c" has them, but for actions that were excluded.
std::string features_of(const dom::element& json, const std::vector<bool>& drawable) {
  std::string text = "{";
  dom::element context;
  if (json["contextFeatures"].get(context) == simdjson::SUCCESS) append_members(context, text);
  if (text.back() != '{') text += ',';
  text += "\"_multi\":[";
  std::size_t position = 0;
  const dom::array all = json["actions"].get_array();
  for (const dom::element action : all) {
    if (!drawable[position++]) continue;
    if (text.back() != '[') text += ',';
    const std::string id = simdjson::minify(action["id"].value());
    std::string features = "{";
    dom::element given;
    bandits::HashedFeatures hashed;
    if (action["features"].get(given) == simdjson::SUCCESS) bandits::add_features(given, bandits::of_action, hashed);
    if (hashed.empty())
      features += "\"id\":" + id;
    else
      append_members(given, features);
    text += features + ",\"_tag\":" + id + "}";
  }
  return text + "]}";
}

class Exporter {
 public:
  Exporter(log::Storage& storage, const std::function<void(std::string_view)>& write)
      : state_(ChooserState::begun(storage, options_)), write_(write) {}

  void take(std::uint64_t number, std::string_view record) {
    const ChoiceRecord event = choice_record(number, record);
    const ChooserState::Waiting* const waits = state_->find(event.id);
    const bool ends = event.ends && waits != nullptr && (event.rewards || waits->active);
    std::string line;
    if (ends) line = line_of(*waits, requests_.at(std::string(event.id)), event);
    state_->replay(number, record, {});
    if (event.ends) requests_.erase(std::string(event.id));
    if (event.chooses) requests_[std::string(event.id)] = event.request;
    if (!ends) return;
    write_(line);
    ++lines_;
  }
  std::uint64_t lines() const noexcept { return lines_; }

 private:
  std::string line_of(const ChooserState::Waiting& waits, const std::string& request, const ChoiceRecord& event) {
    const ChosenAction& chosen = waits.chosen;
    const dom::element json = parser_.parse(request).value();
    const std::vector<bool> drawable = drawable_of(json);
    std::vector<std::size_t> actions;  // that could be drawn, the chosen one first
    std::size_t index = 0, position = 0;
    std::vector<double> p{chosen.propensity()};
    for (std::size_t i = 0; i < chosen.probability.size(); ++i) {
      if (!drawable[i]) continue;
      if (i == chosen.action) {
        index = position;
      } else {
        actions.push_back(position + 1);
        p.push_back(chosen.probability[i]);
      }
      ++position;
    }
    actions.insert(actions.begin(), index + 1);
    const double reward = event.rewards ? event.reward : state_->settings().default_reward;
    return fmt::format(
        R"({{"_label_cost":{},"_label_probability":{},"_label_Action":{},"_labelIndex":{},"EventId":{},"Time":{},"a":[{}],"c":{},"p":[{}]}})"
        "\n",
        0 - reward, chosen.propensity(), index + 1, index, Json(waits.id).dump(), waits.time, fmt::join(actions, ","),
        features_of(json, drawable), fmt::join(p, ","));
  }

  ChooserLogOptions options_{.most_waiting = UINT64_MAX, .most_waiting_bytes = UINT64_MAX};
  std::unique_ptr<ChooserState> state_;
  const std::function<void(std::string_view)>& write_;
  std::unordered_map<std::string, std::string> requests_;  // of choices that wait
  dom::parser parser_;
  std::uint64_t lines_ = 0;
};

}  // namespace

std::uint64_t export_choices(log::Storage& storage, const std::function<void(std::string_view line)>& write) {
  if (!log::EventLog::begun(storage, ChooserState::begin_name))
    throw Error(ErrorKind::usage, "there is no log of choices").at(storage.path_of("")).fix("name the folder of one");
  Exporter exporter(storage, write);
  std::vector<std::string> segments;
  for (const std::string& name : storage.names()) {
    if (log::EventLog::first_event(name)) segments.push_back(name);
  }
  for (const std::string& name : segments) {
    const bool whole = name != segments.back();  // to the last one a service may add
    log::EventLog::read_segment(storage, name, whole,
                                [&](std::uint64_t number, std::string_view record) { exporter.take(number, record); });
  }
  return exporter.lines();
}

}  // namespace halfspace::service
