// Choices and rewards as requests: what is answered, in which order things may happen, and what the gate does.
#include "service/choice_answers.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "base/json.h"
#include "halfspace/base/error.h"
#include "halfspace/base/random.h"
#include "service/simulated_storage.h"

namespace halfspace::service {
namespace {

class ChoiceAnswersTest : public testing::Test {
 public:
  void begin(const ChooserSettings& settings, const std::string& better = {}, std::uint64_t most = 1000) {
    answers_.reset();
    chooser_.reset();
    storage_ = std::make_unique<SimulatedStorage>(draws_);
    chooser_ = std::make_unique<DurableChooser>(*storage_, &settings, ChooserLogOptions{.most_waiting = most});
    answers_ = std::make_unique<ChoosingAnswers>(*chooser_, better);
  }
  Answer ask(const std::string& method, const std::string& path, const std::string& body = {}) {
    const std::vector<Request> group{{method, path, {}, body}};
    if (auto refused = ChoosingAnswers::refuse(group[0])) return *refused;
    return answers_->answer(group, time_)[0];
  }
  Json json_of(const Answer& answer) { return Json::parse(answer.text()); }
  std::string rank(const std::string& id, const std::string& more = {}) {
    return R"({"eventId": ")" + id + R"(", "actions": [{"id": "x"}, {"id": "y"}])" + more + "}";
  }
  Json ledger() { return json_of(ask("GET", "/ledger")); }

  Generator draws_{1};
  std::unique_ptr<SimulatedStorage> storage_;
  std::unique_ptr<DurableChooser> chooser_;
  std::unique_ptr<ChoosingAnswers> answers_;
  std::uint64_t time_ = 1'000'000;
};

TEST_F(ChoiceAnswersTest, AChoiceAndItsReward) {
  begin({});
  const Answer made = ask("POST", "/rank", rank("v1"));
  EXPECT_EQ(made.status, 201);
  const Json j = json_of(made);
  EXPECT_EQ(j["eventId"], "v1");
  EXPECT_EQ(j["ranking"].size(), 2U);
  EXPECT_EQ(j["ranking"][0]["id"], j["rewardActionId"]);
  EXPECT_NEAR(j["ranking"][0]["probability"].get<double>() + j["ranking"][1]["probability"].get<double>(), 1, 1e-12);
  EXPECT_EQ(ledger()["waiting"], 1);
  EXPECT_EQ(ask("POST", "/events/v1/reward", R"({"value": 1})").status, 204);
  EXPECT_EQ(ledger()["rewards"], 1);
  EXPECT_EQ(ledger()["reward"], 1.0);
}

TEST_F(ChoiceAnswersTest, NothingTwice) {
  begin({});
  const Answer made = ask("POST", "/rank", rank("v1"));
  const Answer again = ask("POST", "/rank", rank("v1"));
  EXPECT_EQ(again.status, 200);
  EXPECT_EQ(again.text(), made.text());
  EXPECT_EQ(ask("POST", "/rank", rank("v1", R"(, "excludedActions": ["x"])")).status, 409);
  EXPECT_EQ(ask("POST", "/events/v1/reward", "1").status, 204);
  EXPECT_EQ(ask("POST", "/events/v1/reward", "0.5").status, 204);
  EXPECT_EQ(ask("POST", "/rank", rank("v1")).status, 409);
  EXPECT_EQ(ledger()["choices"], 1);
  EXPECT_EQ(ledger()["reward"], 1.0);
  EXPECT_EQ(ledger()["repeated_rewards"], 1);
}

TEST_F(ChoiceAnswersTest, WhatIsWrongIsRefusedAndChangesNothing) {
  begin({}, {}, 3);
  for (const char* body : {"",
                           "[]",
                           "{",
                           "{}",
                           R"({"actions": []})",
                           R"({"actions": [{"id": "a"}, {"id": "a"}]})",
                           R"({"actions": [{"features": []}]})",
                           R"({"actions": [{"id": ""}]})",
                           R"({"actions": [{"id": "a", "feature": 1}]})",
                           R"({"actions": [{"id": "a"}], "other": 1})",
                           R"({"actions": [{"id": "a"}], "excludedActions": ["b"]})",
                           R"({"actions": [{"id": "a"}], "eventId": "x", "eventId": "y"})",
                           R"({"actions": [{"id": "a"}], "excludedActions": [], "excludedActions": []})",
                           R"({"actions": [{"id": "a", "id": "b"}]})",
                           R"({"actions": [{"id": "a", "features": [{"x": 1}], "features": [{"x": 2}]}]})",
                           R"({"actions": [{"id": "a"}], "excludedActions": ["a"]})",
                           R"({"actions": [{"id": "a", "features": [{"x": 1e16}]}]})",
                           R"({"actions": [{"id": "a\u000a"}]})",
                           R"({"actions": [{"id": "a"}], "eventId": "\u0000"})",
                           R"({"actions": [{"id": "a"}], "actions": [{"id": "b"}]})",
                           R"({"actions": [{"id": "a", "features": "x"}]})",
                           R"({"actions": [{"id": "a", "features": [1]}]})",
                           R"({"actions": [{"id": "a"}], "contextFeatures": ["x"]})",
                           R"({"actions": [{"id": "a", "features": [{"x": 1e999}]}]})",
                           "\xff"}) {
    const Answer answer = ask("POST", "/rank", body);
    EXPECT_EQ(answer.status, 422) << body;
    EXPECT_FALSE(json_of(answer)["fix"].get<std::string>().empty());
  }
  EXPECT_EQ(chooser_->events(), 0U);
  for (const char* id : {"a", "b", "c"}) EXPECT_EQ(ask("POST", "/rank", rank(id)).status, 201);
  EXPECT_EQ(ask("POST", "/rank", rank("d")).status, 409);
  for (const char* body : {"", "x", "2", "-1", "NaN", R"({"value": "1"})", R"({"reward": 1})"})
    EXPECT_EQ(ask("POST", "/events/a/reward", body).status, 422) << body;
  EXPECT_EQ(ask("POST", "/events/none/reward", "1").status, 404);
  EXPECT_EQ(ask("POST", "/events/none/activate").status, 404);
  EXPECT_EQ(ask("PUT", "/run", "unknown").status, 409);
  EXPECT_EQ(ask("GET", "/rank").status, 405);
  EXPECT_EQ(ask("POST", "/learn", "1").status, 404);
  EXPECT_EQ(ask("POST", "/events//reward", "1").status, 404);
  EXPECT_EQ(chooser_->events(), 3U);
}

// Rounds that have their reward count after those before them, and take memory until then.
TEST_F(ChoiceAnswersTest, RoundsThatAreHeldCountAsWaiting) {
  begin({}, {}, 3);
  for (const char* id : {"open", "b", "c"}) EXPECT_EQ(ask("POST", "/rank", rank(id)).status, 201);
  for (const char* id : {"b", "c"}) EXPECT_EQ(ask("POST", std::string("/events/") + id + "/reward", "1").status, 204);
  EXPECT_EQ(ledger()["waiting"], 1);
  EXPECT_EQ(ledger()["held"], 2);
  EXPECT_EQ(ask("POST", "/rank", rank("d")).status, 409);
  EXPECT_EQ(ask("POST", "/events/open/reward", "1").status, 204);
  EXPECT_EQ(ledger()["held"], 0);
  EXPECT_EQ(ask("POST", "/rank", rank("d")).status, 201);
}

// One thread chooses for all.
TEST_F(ChoiceAnswersTest, ARequestHasAMillionProductsAtMost) {
  begin({});
  std::string features = "{\"f\": 1";
  for (int i = 0; i < 1100; ++i) features += ",\"f" + std::to_string(i) + "\":1";
  features += "}";
  const std::string both =
      R"({"contextFeatures": [)" + features + R"(], "actions": [{"id": "a", "features": [)" + features;
  EXPECT_EQ(ask("POST", "/rank", both + "]}]}").status, 422);
  EXPECT_EQ(ask("POST", "/rank", R"({"actions": [{"id": "a", "features": [)" + features + "]}]}").status, 201);
}

// A choice of a clock that was ahead does not keep later ones from ending.
TEST_F(ChoiceAnswersTest, WaitsEndWhateverTheClockDid) {
  ChooserSettings settings;
  settings.wait_seconds = 1;
  begin(settings);
  time_ += 1'000'000'000;
  ask("POST", "/rank", rank("ahead"));
  time_ -= 1'000'000'000;
  ask("POST", "/rank", rank("now"));
  ask("POST", "/rank", R"({"actions": [{"id": "x"}]})");
  time_ += 1000;
  answers_->expire(time_);
  EXPECT_EQ(ledger()["waiting"], 1);
  EXPECT_EQ(ask("POST", "/rank", rank("choice-4")).status, 201);
  ask("POST", "/events/choice-4/reward", "1");
  EXPECT_EQ(ask("POST", "/rank", R"({"actions": [{"id": "x"}]})").status, 201);
}

TEST_F(ChoiceAnswersTest, WaitsEndWithTheDefaultReward) {
  ChooserSettings settings;
  settings.wait_seconds = 60;
  settings.least_reward = -1;
  settings.default_reward = -0.5;
  begin(settings);
  ask("POST", "/rank", rank("seen"));
  ask("POST", "/rank", rank("deferred", R"(, "deferActivation": true)"));
  ask("POST", "/rank", rank("later", R"(, "deferActivation": true)"));
  EXPECT_EQ(ask("POST", "/events/later/activate").status, 204);
  time_ += 59'999;
  answers_->expire(time_);
  EXPECT_EQ(ledger()["waiting"], 3);
  time_ += 1;
  answers_->expire(time_);
  const Json now = ledger();
  EXPECT_EQ(now["waiting"], 0);
  EXPECT_EQ(now["defaults"], 2);
  EXPECT_EQ(now["never_activated"], 1);
  EXPECT_EQ(now["reward"], -1.0);
  EXPECT_EQ(ask("POST", "/events/seen/reward", "1").status, 204);
  EXPECT_EQ(ledger()["reward"], -1.0);
  EXPECT_EQ(json_of(ask("GET", "/policies"))["rewards"], 2);
}

// Clients of Personalizer find their paths, statuses and errors.
TEST_F(ChoiceAnswersTest, SpeaksAsPersonalizerDid) {
  begin({});
  const std::string base = "/personalizer/v1.1-preview.3";
  EXPECT_EQ(ask("POST", base + "/rank", rank("v1")).status, 201);
  EXPECT_EQ(ask("POST", "/personalizer/v1.0/events/v1/reward", R"({"value": 0.5})").status, 204);
  const Answer wrong = ask("POST", base + "/rank", "{}");
  EXPECT_EQ(wrong.status, 400);
  EXPECT_EQ(json_of(wrong)["error"]["code"], "BadRequest");
  EXPECT_EQ(json_of(ask("POST", base + "/events/none/reward", "1"))["error"]["code"], "EventNotFound");
  EXPECT_EQ(ask("POST", "/personalizer/v2.0/rank", rank("v2")).status, 404);
  EXPECT_EQ(ask("POST", "/personalizer/v1.0", "").status, 404);
}

// A policy that is much better is switched on, once; one that is worse never.
TEST_F(ChoiceAnswersTest, TheGateOpensForABetterPolicyAlone) {
  for (const bool better : {true, false}) {
    ChooserSettings settings;
    settings.chooser.policies = {"first", "arm:y"};
    settings.chooser.run = "first";
    settings.chooser.floor = 0.2;
    begin(settings, "arm:y");
    std::uint64_t switched = 0;
    for (int i = 0; i < 2000 && switched == 0; ++i) {
      const std::string id = "v" + std::to_string(i);
      const Json j = json_of(ask("POST", "/rank", rank(id)));
      const bool y = j["rewardActionId"].get<std::string>() == "y";
      ask("POST", "/events/" + id + "/reward", y == better ? "1" : "0");
      if (ledger()["run"].get<std::string>() == "arm:y") switched = chooser_->now().chooser().rewards();
    }
    EXPECT_EQ(switched > 0, better);
    if (!better) continue;
    EXPECT_LT(switched, 400U);
    EXPECT_EQ(ask("PUT", "/run", "first").status, 204);
    answers_.reset();
    chooser_.reset();  // it happens once, also after a restart
    chooser_ = std::make_unique<DurableChooser>(*storage_, nullptr, ChooserLogOptions{});
    answers_ = std::make_unique<ChoosingAnswers>(*chooser_, "arm:y");
    for (int i = 0; i < 300; ++i) {
      const std::string id = "w" + std::to_string(i);
      const Json j = json_of(ask("POST", "/rank", rank(id)));
      ask("POST", "/events/" + id + "/reward", j["rewardActionId"].get<std::string>() == "y" ? "1" : "0");
    }
    EXPECT_EQ(ledger()["run"], "first");
  }
}

TEST_F(ChoiceAnswersTest, BoundsAreInTheRewardsOwnUnits) {
  ChooserSettings plain, scaled;
  plain.chooser.policies = scaled.chooser.policies = {"first", "uniform"};
  scaled.least_reward = -10;
  scaled.most_reward = 30;
  std::vector<Json> found;
  for (const ChooserSettings& settings : {plain, scaled}) {
    begin(settings);
    for (int i = 0; i < 300; ++i) {
      const std::string id = "v" + std::to_string(i);
      ask("POST", "/rank", rank(id));
      const double reward = i % 3 == 0 ? settings.most_reward : settings.least_reward;
      ask("POST", "/events/" + id + "/reward", std::to_string(reward));
    }
    found.push_back(json_of(ask("GET", "/policies")));
  }
  for (std::size_t i = 0; i < 3; ++i) {
    for (const char* end : {"lower", "upper"}) {
      const double own = found[1]["policies"][i]["value"][end].get<double>();
      const double exact = -10 + 40 * found[0]["policies"][i]["value"][end].get<double>();
      EXPECT_NEAR(own, exact, 1e-9);
      EXPECT_TRUE(std::string(end) == "lower" ? own <= exact : own >= exact);
    }
  }
}

}  // namespace
}  // namespace halfspace::service
