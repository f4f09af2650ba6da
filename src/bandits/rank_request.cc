// JSON to the rows of actions.
#include "bandits/rank_request.h"

#include <simdjson.h>

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

#include "base/printable.h"
#include "halfspace/base/error.h"

namespace halfspace::bandits {
namespace {

namespace dom = simdjson::dom;

[[noreturn]] void refuse(const std::string& where, const std::string& what, const std::string& fix) {
  throw Error(ErrorKind::data, where + ": " + what).fix(fix);
}

std::string text_of_id(const dom::element& value, const std::string& where) {
  std::string_view text;
  if (value.get(text) != simdjson::SUCCESS) refuse(where, "is no text", "give a text of 1 to 256 bytes");
  if (text.empty() || text.size() > RankRequest::longest_id)
    refuse(where, "has " + std::to_string(text.size()) + " bytes", "give a text of 1 to 256 bytes");
  if (std::any_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }))
    refuse(where, "has a control character", "leave it out: an id is a part of a path");
  return std::string(text);
}

dom::array array_of(const dom::element& value, const std::string& where) {
  dom::array array;
  if (value.get(array) != simdjson::SUCCESS) refuse(where, "is no array", "write [ ... ]");
  return array;
}

// Adds the features of an object, or of each object of an array.
void add_objects(const dom::element& json, const std::string& where, std::uint64_t path, HashedFeatures& features) {
  dom::array array;
  const auto refuse_other = [&](const dom::element& value) {
    if (!value.is_object() && !value.is_null())
      refuse(where, "are no objects", R"(write [{"name": 1, "other": "text"}])");
  };
  if (json.get(array) == simdjson::SUCCESS) {
    for (const dom::element one : array) refuse_other(one);
  } else {
    refuse_other(json);
  }
  add_features(json, path, features);
}

}  // namespace

struct RankReader::Impl {
  Impl(unsigned bits, bool with_products) : products(with_products), rows(bits, with_products) {}

  // Returns the number of the action with this id.
  std::size_t action(const std::string& id, const std::string& where) const {
    const auto found = numbers.find(id);
    if (found == numbers.end()) refuse(where, "there is no action '" + printable(id) + "'", "name one of the actions");
    return found->second;
  }

  void read_action(const dom::element& json, const std::string& where) {
    dom::object object;
    if (json.get(object) != simdjson::SUCCESS)
      refuse(where, "is no object", R"(write {"id": "a", "features": [ ... ]})");
    std::string id;
    HashedFeatures& features = actions.emplace_back();
    for (const auto [key, value] : object) {
      if (key == "id" ? !id.empty() : key == "features" && !features.empty())
        refuse(where + "." + printable(std::string(key)), "is there twice", "send one of them");
      if (key == "id")
        id = text_of_id(value, where + ".id");
      else if (key == "features")
        add_objects(value, where + ".features", of_action, features);
      else
        refuse(where + "." + printable(std::string(key)), "is unknown", "an action has an id and features");
    }
    if (id.empty()) refuse(where + ".id", "is missing", "give each action an id of its own");
    if (!numbers.emplace(id, request.names.size()).second)
      refuse(where + ".id", "'" + printable(id) + "' is that of an action before", "give each action an id of its own");
    if (features.empty()) features.push_back({extend(extend(of_action, "id"), id), 1});
    request.names.push_back(std::move(id));
  }

  void read_member(std::string_view key, const dom::element& value) {
    if (value.is_null()) return;
    if (!members.insert(key).second) refuse(printable(std::string(key)), "is there twice", "send one of them");
    if (key == "contextFeatures") return add_objects(value, "contextFeatures", of_context, context);
    if (key == "eventId") {
      request.event = text_of_id(value, "eventId");
    } else if (key == "deferActivation") {
      if (value.get(request.deferred) != simdjson::SUCCESS)
        refuse("deferActivation", "is neither true nor false", "leave it out for false");
    } else if (key == "actions") {
      const dom::array all = array_of(value, "actions");
      for (const dom::element one : all) {
        if (actions.size() == RankRequest::most_actions)
          refuse("actions", "are more than 1000", "leave those out that could not be chosen anyway");
        read_action(one, "actions[" + std::to_string(actions.size()) + "]");
      }
    } else if (key == "excludedActions") {
      excluded = value;
      has_excluded = true;
    } else {
      refuse(printable(std::string(key)), "is unknown",
             "the members are contextFeatures, actions, excludedActions, eventId, deferActivation");
    }
  }

  // One thread makes all choices: none may take long.
  void check_size() const {
    std::size_t sum = 0;
    for (const HashedFeatures& features : actions)
      sum += context.size() + features.size() + (products ? context.size() * features.size() : 0);
    if (sum > RankRequest::most_values)
      refuse("the request", "has " + std::to_string(sum) + " features and products of features",
             "send at most 1,000,000, or begin a log with " + option("no-products"));
  }

  void read(std::string_view json) {
    request.event.clear();
    request.names.clear();
    request.deferred = false;
    numbers.clear();
    context.clear();
    actions.clear();
    has_excluded = false;
    members.clear();
    dom::object object;
    if (const auto error = parser.parse(json.data(), json.size()).get(object); error != simdjson::SUCCESS)
      throw Error(ErrorKind::data, std::string("the request is no JSON object: ") + simdjson::error_message(error))
          .fix(R"(send {"actions": [{"id": "a"}, {"id": "b"}]})");
    for (const auto [key, value] : object) read_member(key, value);
    if (actions.empty()) refuse("actions", "are missing", R"(send {"actions": [{"id": "a"}, {"id": "b"}]})");
    request.excluded.assign(actions.size(), 0);
    if (has_excluded) {
      const dom::array all = array_of(excluded, "excludedActions");
      for (const dom::element one : all)
        request.excluded[action(text_of_id(one, "excludedActions"), "excludedActions")] = 1;
    }
    if (std::find(request.excluded.begin(), request.excluded.end(), 0) == request.excluded.end())
      refuse("excludedActions", "leaves no action to choose", "exclude fewer");
    check_size();
    rows.begin(context);
    for (const HashedFeatures& features : actions) rows.add(features);
    request.rows = rows.finish();
  }

  dom::parser parser;
  RankRequest request;
  std::unordered_map<std::string, std::size_t> numbers;  // of actions
  std::set<std::string_view> members;                    // of the request
  HashedFeatures context;
  std::vector<HashedFeatures> actions;
  dom::element excluded;
  bool has_excluded = false, products;
  ActionRows rows;
};

RankReader::RankReader(unsigned bits, bool products) : impl_(std::make_unique<Impl>(bits, products)) {}
RankReader::~RankReader() = default;
RankReader::RankReader(RankReader&&) noexcept = default;
RankReader& RankReader::operator=(RankReader&&) noexcept = default;

const RankRequest& RankReader::read(std::string_view json) {
  impl_->read(json);
  return impl_->request;
}

const RankRequest& RankReader::last() const noexcept { return impl_->request; }

}  // namespace halfspace::bandits
