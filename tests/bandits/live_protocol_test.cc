// The live protocol without a transport: a line in, a line out.
#include "bandits/live_protocol.h"

#include <gtest/gtest.h>

#include "base/json.h"

namespace halfspace {
namespace {

constexpr BanditOptions two_arms{.name = BanditName::exp3_ix_anytime, .arms = 2, .rounds = 0, .delta = 0.05};

std::string refused_arms(const std::string& text) {
  try {
    live_arms(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(LiveProtocolTest, AnswersEachLine) {
  LiveBandit bandit(two_arms, 3), twin(two_arms, 3);
  LiveProtocol protocol(live_arms("red,gr\xc3\xbcn"), bandit);
  const auto first = twin.ask();
  const std::string arms[] = {"\"red\"", "\"gr\\u00fcn\""};
  EXPECT_EQ(protocol.answer("{\"ask\":\"visitor 7\"}\r"),
            "{\"ask\":\"visitor 7\",\"arm\":" + arms[first.arm] + ",\"p\":0.5,\"ticket\":1}");
  EXPECT_EQ(protocol.answer(" \t"), "");
  EXPECT_EQ(protocol.answer("{\"ticket\":1,\"gain\":0.75}"), "{\"ticket\":1,\"learned\":true}");
  EXPECT_EQ(protocol.answer("{\"status\":true}"), "{\"asks\":1,\"learned\":1,\"open\":0,\"loss\":0.25}");
}

// Lines are counted, blank ones too.
TEST(LiveProtocolTest, RefusesALineByAnAnswer) {
  LiveBandit bandit(two_arms, 3);
  LiveProtocol protocol(live_arms("2"), bandit);
  const auto before = bandit.save();
  EXPECT_EQ(protocol.answer(""), "");
  EXPECT_EQ(protocol.answer("{\"ask\":true,\"loss\":1}"),
            "{\"error\":\"an ask has only the key \\\"ask\\\"\",\"line\":2}");
  EXPECT_EQ(Json::parse(protocol.answer("{\"ticket\":1,\"loss\":0}"))["line"], 3);
  EXPECT_TRUE(Json::parse(protocol.answer(std::string(LiveProtocol::longest_line + 1, ' '))).contains("error"));
  EXPECT_EQ(bandit.save(), before);
}

// Whatever keeps a bandit's events stands in for it.
TEST(LiveProtocolTest, AsksWhoeverHasABandit) {
  struct Counting {
    LiveBandit own{two_arms, 3};
    int events = 0;
    LiveBandit::Answer ask() {
      ++events;
      return own.ask();
    }
    void tell(std::uint64_t ticket, double loss) {
      own.tell(ticket, loss);
      ++events;
    }
    const LiveBandit& bandit() const { return own; }
  } counting;
  LiveProtocol protocol(live_arms("2"), counting);
  protocol.answer("{\"ask\":1}");
  protocol.answer("{\"ticket\":1,\"loss\":1}");
  protocol.answer("{\"ticket\":1,\"loss\":1}");
  EXPECT_EQ(counting.events, 2);
  EXPECT_EQ(Json::parse(protocol.answer("{\"status\":true}"))["learned"], 1);
}

// The disk is no fault of a line.
TEST(LiveProtocolTest, ThrowsWhatIsNoFaultOfTheLine) {
  struct Full {
    LiveBandit own{two_arms, 3};
    LiveBandit::Answer ask() { throw Error(ErrorKind::input_output, "the disk is full"); }
    void tell(std::uint64_t, double) {}
    const LiveBandit& bandit() const { return own; }
  } full;
  LiveProtocol protocol(live_arms("2"), full);
  EXPECT_THROW(protocol.answer("{\"ask\":1}"), Error);
}

TEST(LiveProtocolTest, ReadsArms) {
  EXPECT_EQ(live_arms("3"), (std::vector<std::string>{"0", "1", "2"}));
  EXPECT_EQ(live_arms("a,\"b\""), (std::vector<std::string>{"\"a\"", "\"\\\"b\\\"\""}));
  for (const char* wrong : {"", "0", "-1", "1.5", "1e3", "a", "10000000000", "a,", ",", "a,b,a"})
    EXPECT_NE(refused_arms(wrong), "accepted") << wrong;
  EXPECT_NE(refused_arms("x").find("arms takes 1 to"), std::string::npos) << refused_arms("x");
}

}  // namespace
}  // namespace halfspace
