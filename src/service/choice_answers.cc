// Choices and rewards over HTTP.
#include "service/choice_answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/json.h"
#include "base/utf8.h"
#include "base/version.h"
#include "halfspace/base/error.h"
#include "report/pages/page.h"
#include "service/answer_group.h"
#include "service/routes.h"
#include "stream/text/text.h"

namespace halfspace::service {
namespace {

constexpr std::uint64_t most_expired = 1000;  // at a time

// Returns the path without the beginning that clients of Personalizer have; `foreign`: it had it.
std::string_view own_path(std::string_view path, bool* foreign = nullptr) {
  constexpr std::string_view begin = "/personalizer/v1.";
  if (!path.starts_with(begin)) return path;
  const std::size_t end = path.find('/', begin.size());
  if (end == std::string_view::npos) return path;
  const std::string_view version = path.substr(begin.size(), end - begin.size());
  if (version != "0" && version != "1" && !version.starts_with("1-preview.")) return path;
  if (foreign != nullptr) *foreign = true;
  return path.substr(end);
}

bool is_foreign(const Request& request) {
  bool foreign = false;
  own_path(request.path, &foreign);
  return foreign;
}

// Returns the answer as clients of Personalizer have it.
Answer foreign(Answer answer) {
  if (answer.status < 400) return answer;
  if (answer.status == 422) answer.status = 400;
  const Json own = Json::parse(answer.text());
  const char* const code = answer.status == 400   ? "BadRequest"
                           : answer.status == 404 ? "EventNotFound"
                           : answer.status == 405 ? "MethodNotAllowed"
                           : answer.status == 409 ? "Conflict"
                                                  : "InternalServerError";
  const Json j = {
      {"error",
       {{"code", code}, {"message", own.at("error").get<std::string>() + "; " + own.at("fix").get<std::string>()}}}};
  answer.body = j.dump() + "\n";
  answer.shared.reset();
  return answer;
}

// Returns the id in /events/ID/what.
std::string_view event_in(std::string_view path, std::string_view what) {
  constexpr std::string_view events = "/events/";
  if (!path.starts_with(events) || !path.ends_with(what)) return {};
  path.remove_prefix(events.size());
  path.remove_suffix(what.size());
  return path;
}

// Returns the reward in {"value": 1}, or in 1.
double reward_in(const std::string& body) {
  try {
    std::string repeated;
    const Json json = Json::parse(body, {.repeated_key = &repeated});
    if (!repeated.empty())
      throw Error(ErrorKind::data, "the reward has " + stream::quote(repeated) + " twice").fix(R"(send {"value": 1})");
    return (json.is_object() ? json.at("value") : json).get<double>();
  } catch (const Json::exception&) {
    throw Error(ErrorKind::data, "the reward is no number").fix(R"(send {"value": 1})");
  }
}

Answer empty_answer() { return {.status = 204, .body = {}}; }

std::string ranking_of(const bandits::RankRequest& request, const ChosenAction& chosen) {
  std::vector<std::size_t> order(request.names.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto rank = [&](std::size_t action) { return action == chosen.action ? 2.0 : chosen.probability[action]; };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rank(a) > rank(b); });
  std::string text = R"({"ranking":[)";
  for (const std::size_t i : order) {
    if (text.back() != '[') text += ',';
    fmt::format_to(std::back_inserter(text), R"({{"id":{},"probability":{}}})", Json(request.names[i]).dump(),
                   chosen.probability[i]);
  }
  return text + ']';
}

// `known`: there is an estimate.
Json json_of(const Interval& interval, bool known) {
  return {{"value", known ? Json(interval.value) : Json()}, {"lower", interval.lower}, {"upper", interval.upper}};
}

}  // namespace

ChoosingAnswers::ChoosingAnswers(DurableChooser& chooser, std::string better)
    : chooser_(chooser), better_(std::move(better)) {
  if (!better_.empty()) chooser.now().chooser().value(better_);  // a check
}

std::optional<Answer> ChoosingAnswers::refuse(const Request& request) {
  Request own = request;
  own.path = own_path(request.path);
  std::optional<Answer> refused = refuse_target(own, chooser_routes());
  return refused && is_foreign(request) ? foreign(*std::move(refused)) : refused;
}

std::vector<Answer> ChoosingAnswers::answer(std::span<const Request> group, std::uint64_t time) {
  std::vector<Answer> answers = answer_group(
      chooser_, group, [](const Request&) { return false; },
      [&](const Request& request) { return answer_one(request, time); });
  for (std::size_t i = 0; i < group.size(); ++i) {
    if (is_foreign(group[i])) answers[i] = foreign(std::move(answers[i]));
  }
  return answers;
}

bool ChoosingAnswers::expire(std::uint64_t time) {
  const std::uint64_t expired = chooser_.expire(time, most_expired);
  chooser_.commit();
  return expired == most_expired;
}

Answer ChoosingAnswers::answer_one(const Request& request, std::uint64_t time) {
  const std::string_view path = own_path(request.path);
  if (path == "/rank") return rank(request, time);
  if (path == "/run") {
    chooser_.run(request.body, time);
    return empty_answer();
  }
  for (const std::string_view what : {"/reward", "/activate"}) {
    const std::string_view id = event_in(path, what);
    if (id.empty()) continue;
    if (!chooser_.now().known(id))
      return refusal(404, "no choice waits with this id", "name the event id of a choice, within the time of a reward");
    if (what == "/reward") return reward(request, id, time);
    chooser_.activate(id, time);
    return empty_answer();
  }
  if (path == "/settings") return {200, halfspace::json_of(chooser_.now().settings()), "application/json"};
  if (path == "/policies") return {200, json_of_policies().dump() + "\n", "application/json"};
  if (path == "/ledger") return {200, json_of_ledger().dump() + "\n", "application/json"};
  const Json page = {
      {"command", "choose"}, {"version", kVersion}, {"policies", json_of_policies()}, {"ledger", json_of_ledger()}};
  return {200, report::page(page), "text/html; charset=utf-8"};
}

Json ChoosingAnswers::json_of_ledger() const {
  const ChooserState& now = chooser_.now();
  const ChooserCounts& counts = now.counts();
  return {{"version", chooser_.events()}, {"run", now.chooser().options().run},  {"choices", counts.choices},
          {"waiting", now.waiting()},     {"held", now.chooser().held_rounds()}, {"rewards", counts.rewards},
          {"defaults", counts.defaults},  {"never_activated", counts.inactive},  {"repeated_rewards", counts.repeated},
          {"reward", counts.reward},      {"writable", chooser_.writable()}};
}

Answer ChoosingAnswers::rank(const Request& request, std::uint64_t time) {
  std::string own;
  for (std::uint64_t i = chooser_.now().counts().choices; own.empty() || chooser_.now().known(own); ++i)
    own = fmt::format("choice-{}", i + 1);
  bool repeated = false;
  const ChooserState::Waiting& made = chooser_.rank(request.body, own, time, &repeated);
  std::string body = ranking_of(chooser_.last_request(), made.chosen);
  body += fmt::format(R"(,"eventId":{},"rewardActionId":{}}})", Json(made.id).dump(), Json(made.chosen.name).dump());
  return {repeated ? 200 : 201, body + "\n", "application/json"};
}

Answer ChoosingAnswers::reward(const Request& request, std::string_view id, std::uint64_t time) {
  if (chooser_.reward(id, reward_in(request.body), time)) open_the_gate(time);
  return empty_answer();
}

// Looked at after 1, 2 ... 16, 18 ... rewards: a bound that holds at any time holds then.
void ChoosingAnswers::open_the_gate(std::uint64_t time) {
  const Chooser& chooser = chooser_.now().chooser();
  if (better_.empty() || chooser_.now().gate_used() || chooser.rewards() < next_look_) return;
  next_look_ = chooser.rewards() + std::max<std::uint64_t>(1, chooser.rewards() / 16);
  if (chooser.options().run == better_ || !(chooser.value(better_).gain().lower > 0)) return;
  chooser_.run(better_, time, true);
}

Json ChoosingAnswers::json_of_policies() const {
  const ChooserSettings& settings = chooser_.now().settings();
  const Chooser& chooser = chooser_.now().chooser();
  Json j = {{"run", chooser.options().run},
            {"choices", chooser.choices()},
            {"rewards", chooser.rewards()},
            {"confidence", 1 - settings.chooser.delta},
            {"holds", "at any time, whatever drifts"}};
  const auto add = [&](const std::string& name, const PolicyValue& value, Json share) {
    Json one = {{"name", name}, {"share", std::move(share)}};
    const bool known = value.rounds() > 0;
    one["value"] = json_of(settings.in_units(value.value()), known);
    one["gain"] = json_of(settings.difference_in_units(value.gain()), known);
    one["snips"] = known ? Json(settings.in_units(value.estimate().snips()).value) : Json();
    one["doubly_robust"] = known ? Json(settings.in_units({value.doubly_robust(), 0, 1}).value) : Json();
    one["rounds_to_prove_a_gain"] = value.rounds_to_prove_a_gain();
    const PolicyValue::Change& change = value.change();
    const Interval ends = settings.in_units({0, change.high, change.low});
    one["changed"] = nullptr;
    if (change.proved())
      one["changed"] = {{"at_most", ends.upper},
                        {"until_reward", change.low_at},
                        {"at_least", ends.lower},
                        {"until_reward_of_that", change.high_at}};
    j["policies"].push_back(std::move(one));
  };
  const std::vector<double> shares = chooser.shares();
  for (std::size_t i = 0; i < shares.size(); ++i)
    add(settings.chooser.policies[i], chooser.value(settings.chooser.policies[i]), shares[i]);
  add(std::string(ChooserOptions::exp4), chooser.value(ChooserOptions::exp4), nullptr);
  const PolicyValue& ran = chooser.value_of_what_runs();
  j["what_runs"] = json_of(settings.in_units(ran.value()), ran.rounds() > 0);
  const std::optional<double> bound = chooser.regret_bound();
  j["regret_bound"] = bound ? Json(*bound) : Json();
  return j;
}

}  // namespace halfspace::service
