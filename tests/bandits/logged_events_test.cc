// Vowpal Wabbit's logs: what each kind of line means, and that nothing vanishes, merges or becomes infinite.
#include "bandits/logged_events.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bandits/rank_request.h"
#include "halfspace/base/error.h"
#include "support/temporary_folder.h"

namespace halfspace::bandits {
namespace {

using halfspace::testing::TemporaryFolder;

class LoggedEventsTest : public ::testing::Test {
 public:
  struct Event {
    std::size_t action, actions;
    double cost, propensity, weight;
    std::vector<double> values;  // of the chosen action's row, in the order of the indices
    std::vector<std::uint32_t> indices;
    bool operator==(const Event&) const = default;
  };
  std::vector<Event> read(const std::string& text) {
    folder_.write("events", text);
    LoggedEvents events(folder_.path("events"), 18, true, nullptr);
    std::vector<Event> all;
    while (const LoggedEvent* const event = events.next()) {
      Event& one = all.emplace_back();
      one = {event->action, event->names.size(), event->cost, event->propensity, event->weight, {}, {}};
      EXPECT_EQ(event->rows.rows, event->names.size());
      event->rows.with_example(event->action, [&](const auto& x) {
        for (std::size_t i = 0; i < x.size; ++i) {
          one.values.push_back(x.value_at(i));
          one.indices.push_back(x.index[i]);
        }
      });
    }
    counts_ = events.left_out();
    return all;
  }
  std::string refusal(const std::string& text) {
    try {
      read(text);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  TemporaryFolder folder_;
  EventCounts counts_;
};

const std::string multi =
    R"("c":{"hour":9,"user":{"age":30,"vip":true,"old":false,"none":null},"_multi":[{"t":"a"},{"t":"b"}]})";

std::string event(const std::string& label) { return "{" + label + "," + multi + "}\n"; }

TEST_F(LoggedEventsTest, AnActionIsNamedInThreeWaysAndInAnyOrder) {
  const auto one = read(event(R"("_label_cost":-1,"_label_probability":0.25,"_labelIndex":1)"));
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one[0].action, 1U);
  EXPECT_EQ(one[0].actions, 2U);
  EXPECT_EQ(one[0].cost, -1);
  EXPECT_EQ(one[0].propensity, 0.25);
  EXPECT_EQ(read(event(R"("_label_cost":-1,"_label_probability":0.25,"_label_Action":2)")), one);
  EXPECT_EQ(read(event(R"("_label_cost":-1,"a":[2,1],"p":[0.25,0.75])")), one);
  EXPECT_EQ(read("{" + multi + R"(,"_labelIndex":1,"_label_probability":0.25,"_label_cost":-1})"), one);
  EXPECT_EQ(read(event(R"("_label_cost":-1,"_label_probability":0.25,"_labelIndex":1,"_label_Action":1)")), one);
}

TEST_F(LoggedEventsTest, AByteOrderMarkIsNoPartOfTheFirstEvent) {
  const std::string mark = "\xef\xbb\xbf",
                    json = event(R"("_label_cost":-1,"_label_probability":0.25,"_labelIndex":1)");
  const std::string text = "shared |u h:9\n|i t=a\n0:-1:0.5 |i t=b\n\n";
  for (const std::string& events : {json + json, text + text}) {
    EXPECT_TRUE(LoggedEvents::recognises(mark + events));
    EXPECT_EQ(read(mark + events), read(events));
    EXPECT_NE(refusal(events + mark + events), "") << "within a file it is not expected";
  }
}

TEST_F(LoggedEventsTest, WhatIsLeftOutIsCounted) {
  const auto good = event(R"("_label_cost":0,"_label_probability":0.5,"_labelIndex":0)");
  const std::string text = good + event(R"("_label_probability":0.5,"_labelIndex":0)") +
                           event(R"("_label_cost":null,"_label_probability":0.5,"_labelIndex":0)") +
                           event(R"("_label_cost":0,"_labelIndex":0)") +
                           event(R"("_label_cost":0,"_label_probability":0,"_labelIndex":0)") +
                           event(R"("_label_cost":0,"_label_probability":0.5)") +
                           event(R"("_skipLearn":true,"_label_cost":0,"_label_probability":0.5,"_labelIndex":0)") +
                           "{\"RewardValue\":1,\"EventId\":\"x\"}\n" + good;
  EXPECT_EQ(read(text).size(), 2U);
  EXPECT_EQ(counts_.no_cost, 2U);
  EXPECT_EQ(counts_.no_probability, 2U);
  EXPECT_EQ(counts_.no_action, 1U);
  EXPECT_EQ(counts_.skipped, 1U);
  EXPECT_EQ(counts_.not_events, 1U);
}

TEST_F(LoggedEventsTest, WhatIsNoNumberIsAnErrorWithItsLine) {
  const auto good = event(R"("_label_cost":0,"_label_probability":0.5,"_labelIndex":0)");
  for (const std::string& bad :
       {event(R"("_label_cost":"NaN","_label_probability":0.5,"_labelIndex":0)"),
        event(R"("_label_cost":0,"_label_probability":1.5,"_labelIndex":0)"),
        event(R"("_label_cost":0,"_label_probability":-0.5,"_labelIndex":0)"),
        event(R"("_label_cost":0,"_label_probability":0.5,"_labelIndex":2)"),
        event(R"("_label_cost":0,"_label_probability":0.5,"_label_Action":0)"),
        event(R"("_label_cost":0,"_label_probability":0.5,"_labelIndex":0,"pdrop":1)"),
        std::string("{\"_label_cost\":1e999}\n"), std::string("{\"c\":\n"),
        std::string(R"({"_label_cost":0,"_label_probability":0.5,"_labelIndex":0,"c":{"x":1e40,"_multi":[{}]}})") +
            "\n"}) {
    const std::string what = refusal(good + bad + good);
    EXPECT_NE(what.find("events:2"), std::string::npos) << bad << what;
  }
}

TEST_F(LoggedEventsTest, FeaturesAreThoseOfTheirPaths) {
  const auto of = [&](const std::string& c) {
    return read(R"({"_label_cost":0,"_label_probability":0.5,"_labelIndex":0,"c":)" + c + "}\n").at(0);
  };
  const Event plain = of(R"({"a":{"x":1,"y":2},"_multi":[{"t":"p"},{}]})");
  EXPECT_EQ(of(R"({"_multi":[{"t":"p"},{}],"a":{"y":2,"x":1}})"), plain);      // the order
  EXPECT_EQ(of(R"({"a":[{"x":1},{"y":2}],"_multi":[{"t":"p"},{}]})"), plain);  // objects in an array
  EXPECT_EQ(of(R"({"a":{"x":true,"y":2,"z":0,"n":null,"f":false},"_tag":"q","_multi":[{"t":"p"},{}]})"), plain);
  EXPECT_NE(of(R"({"a":{"x":2,"y":1},"_multi":[{"t":"p"},{}]})"), plain);
  EXPECT_NE(of(R"({"b":{"x":1,"y":2},"_multi":[{"t":"p"},{}]})"), plain);
  EXPECT_NE(of(R"({"a":{"x":1,"y":2},"_multi":[{"t":"q"},{}]})"), plain);
  EXPECT_NE(of(R"({"a":{"x":"1","y":2},"_multi":[{"t":"p"},{}]})"), plain);
  EXPECT_EQ(of(R"({"_text":"one two","_multi":[{}]})"), of(R"({"_text":" two  one ","_multi":[{}]})"));
}

TEST_F(LoggedEventsTest, TextIsEventsOfSeveralLines) {
  const std::string text =
      "shared |user age:30 vip\n"
      "|item t=a\n"
      "0:-1:0.25 |item t=b price:2\n"
      "\n"
      "shared |user age:20\n"
      "|item t=a\n"
      "|item t=b\n"
      "\n\n"
      "0:0.5:1 'tag|item:2 t=a\r\n"
      "|item t=b";
  const auto events = read(text);
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(counts_.no_cost, 1U);
  EXPECT_EQ(events[0].action, 1U);
  EXPECT_EQ(events[0].cost, -1);
  EXPECT_EQ(events[0].propensity, 0.25);
  EXPECT_EQ(events[0].values.size(), 1U + 2 + 2 + 4);
  EXPECT_EQ(events[1].action, 0U);
  std::vector<double> values = events[1].values;  // the constant, and the action's own, which its namespace doubles
  std::sort(values.begin(), values.end());
  EXPECT_EQ(values, (std::vector<double>{1, 2}));
  for (const char* bad : {"0:1 |a b\n\n", "0:1:0.5:1 |a b\n\n", "0:1:0.5 |a\n0:1:0.5 |b\n\n", "|a b\nshared |c d\n\n",
                          "0:x:0.5 |a\n\n", "|a b:x\n\n", "|a b:1e40\n\n", "no bar\n\n", "0:1:2 |a\n\n"})
    EXPECT_NE(refusal(bad), "") << bad;
}

TEST_F(LoggedEventsTest, KnowsItsFormats) {
  for (const char* begin : {"{\"c\":1}", "  {", "shared |a b", "|a b", "0:1:0.5 |a"})
    EXPECT_TRUE(LoggedEvents::recognises(begin)) << begin;
  for (const char* begin : {"", "arm,reward,propensity\n", "arm|reward|propensity\n", "a b"})
    EXPECT_FALSE(LoggedEvents::recognises(begin)) << begin;
}

// A choice that was asked for has the same features as when it is logged.
TEST_F(LoggedEventsTest, RequestsAndLogsMeanTheSame) {
  RankReader reader(18);
  const RankRequest& request = reader.read(
      R"({"contextFeatures": [{"hour": 9}, {"user": {"age": 30}}],
          "actions": [{"id": "x", "features": [{"t": "a"}]}, {"id": "y", "features": [{"t": "b"}, {"n": 2}]}]})");
  std::vector<std::uint32_t> indices;
  request.rows.with_example(1, [&](const auto& x) { indices.assign(x.index, x.index + x.size); });
  const auto logged = read(
      R"({"_label_cost":0,"_label_probability":0.5,"_labelIndex":1,"c":{"hour":9,"user":{"age":30},"_multi":[{"t":"a"},{"n":2,"t":"b"}]}})"
      "\n");
  EXPECT_EQ(logged.at(0).indices, indices);
}

}  // namespace
}  // namespace halfspace::bandits
