// Tickets: late, out of order, unknown, twice; and the state as bytes.
#include "halfspace/bandits/live.h"

#include <gtest/gtest.h>

#include <cmath>

#include "halfspace/base/error.h"

namespace halfspace {
namespace {

constexpr BanditOptions ix{.name = BanditName::exp3_ix_anytime, .arms = 5, .rounds = 0, .delta = 0.05};

// A session as a function of a seed: asks and feedback in random order, some of it never.
template <class Bandit>
std::vector<std::uint32_t> play(Bandit& live, Generator& draws, std::vector<std::uint64_t>& open, int events) {
  std::vector<std::uint32_t> arms;
  for (int i = 0; i < events; ++i) {
    if (open.empty() || draws.next() < 0.55) {
      const auto answer = live.ask();
      arms.push_back(answer.arm);
      open.push_back(answer.ticket);
    } else {
      const std::size_t at = pick(draws, open.size());
      live.tell(open[at], draws.next());
      open.erase(open.begin() + static_cast<std::ptrdiff_t>(at));
    }
  }
  return arms;
}

TEST(LiveBandit, ContinuesBitForBitForEveryAlgorithm) {
  for (const BanditName name : values<BanditName>()) {
    const BanditOptions options{.name = name, .arms = 5, .rounds = 400, .delta = 0.05};
    LiveBandit whole(options, 7);
    Generator whole_draws(3);
    std::vector<std::uint64_t> whole_open;
    play(whole, whole_draws, whole_open, 200);
    LiveBandit broken = LiveBandit::restore(whole.save(), "state");
    Generator broken_draws = whole_draws;
    auto broken_open = whole_open;
    EXPECT_EQ(play(whole, whole_draws, whole_open, 200), play(broken, broken_draws, broken_open, 200)) << name_of(name);
    EXPECT_EQ(whole.save(), broken.save()) << name_of(name);
  }
}

TEST(LiveBandit, OutOfOrderFeedbackCountsForItsOwnAsk) {
  LiveBandit live(ix, 1);
  const auto first = live.ask();
  const auto second = live.ask();
  EXPECT_EQ(second.ticket, first.ticket + 1);
  live.tell(second.ticket, 1);
  live.tell(first.ticket, 0.5);
  EXPECT_EQ(live.open(), 0U);
  EXPECT_EQ(live.loss(), 1.5);
  EXPECT_EQ(live.tells(), 2U);
}

TEST(LiveBandit, WhatIsRefusedChangesNothing) {
  LiveBandit live(ix, 1);
  live.ask();
  live.ask();
  live.tell(2, 1);
  const auto before = live.save();
  EXPECT_THROW(live.tell(0, 0.5), Error);
  EXPECT_THROW(live.tell(2, 0.5), Error);  // twice
  EXPECT_THROW(live.tell(3, 0.5), Error);  // not yet
  EXPECT_THROW(live.tell(1, 1.5), Error);
  EXPECT_THROW(live.tell(1, -0x1p-60), Error);
  EXPECT_THROW(live.tell(1, std::nan("")), Error);
  EXPECT_EQ(live.save(), before);
  live.tell(1, 0);
}

TEST(LiveBandit, StatesThatAreNotWholeAreRefused) {
  LiveBandit live(ix, 9);
  Generator draws(1);
  std::vector<std::uint64_t> open;
  play(live, draws, open, 60);
  const auto good = live.save();
  for (std::size_t size = 0; size < good.size(); ++size) {
    EXPECT_THROW(LiveBandit::restore({good.data(), size}, "state"), Error) << size;
  }
  auto longer = good;
  longer.push_back(0);
  EXPECT_THROW(LiveBandit::restore(longer, "state"), Error);
  // Any byte changed: refused, or a state that can be played. Never a crash, never a huge allocation.
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (const int flip : {0x01, 0x80, 0xff}) {
      auto bad = good;
      bad[at] = static_cast<std::uint8_t>(bad[at] ^ flip);
      try {
        LiveBandit other = LiveBandit::restore(bad, "state");
        EXPECT_LT(other.ask().arm, 5U);
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::data) << at << " " << error.what();
      }
    }
  }
}

}  // namespace
}  // namespace halfspace
