// How much of a run is done.
#include "train/run/share_done.h"

#include "support/test.h"

namespace halfspace {
namespace {

Ledger after(std::uint64_t passes, std::uint64_t rounds_of_the_next) {
  constexpr std::uint64_t rows = 200;
  Ledger ledger;
  ledger.passes = passes;
  ledger.first_pass_rounds = passes > 0 ? rows : rounds_of_the_next;
  ledger.rounds = passes * rows + rounds_of_the_next;
  ledger.pass.back().rounds = rounds_of_the_next;
  return ledger;
}

TEST(ShareDone, OfAStreamIsWhatWasRead) {
  EXPECT_EQ(share_done(OrderName::stream, {}, after(0, 10), 0.25), 0.25);
  EXPECT_EQ(share_done(OrderName::stream, {}, after(0, 10), std::nullopt), std::nullopt);  // a pipe
}

TEST(ShareDone, OfPassesGoesOnWithinEach) {
  const Until until{.passes = 4};
  EXPECT_EQ(share_done(OrderName::cyclic, until, after(0, 100), 0.5), 0.125);  // trained on while they are read
  EXPECT_EQ(share_done(OrderName::shuffled, until, after(0, 100), 1), 0);      // how many there are is not known yet
  EXPECT_EQ(share_done(OrderName::shuffled, until, after(1, 0), 1), 0.25);
  EXPECT_EQ(share_done(OrderName::shuffled, until, after(3, 100), 1), 0.875);
  EXPECT_EQ(share_done(OrderName::shuffled, until, after(4, 0), 1), 1);
  EXPECT_EQ(share_done(OrderName::shuffled, until, after(9, 0), 1), 1);  // a resumed run had made more
}

TEST(ShareDone, OfUpdatesCountsThem) {
  Ledger ledger = after(2, 5);
  ledger.updates = 30;
  EXPECT_EQ(share_done(OrderName::random, {.updates = 120}, ledger, 1), 0.25);
}

TEST(ShareDone, IsUnknownWhereTheRunEndsBySomethingElse) {
  EXPECT_EQ(share_done(OrderName::cyclic, {.clean = Clean::pass}, after(3, 1), 1), std::nullopt);
}

}  // namespace
}  // namespace halfspace
