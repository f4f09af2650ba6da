// What is particular to the log of a bandit. durable_test.cc tests the rest.
#include "service/live_bandit.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

#include "halfspace/base/error.h"
#include "halfspace/base/random.h"
#include "service/simulated_storage.h"

namespace halfspace::service {
namespace {

constexpr BanditOptions ix{.name = BanditName::exp3_ix_anytime, .arms = 4, .rounds = 0, .delta = 0.05};

// Asks, each answered by its loss.
void play(DurableBandit& bandit, int rounds) {
  for (int i = 0; i < rounds; ++i) {
    bandit.tell(bandit.ask().ticket, i % 3 / 2.0);
    bandit.commit();
  }
}

TEST(BanditLog, OtherOptionsAreRefused) {
  Generator draws(1);
  SimulatedStorage storage(draws);
  {
    DurableBandit bandit(storage, ix, 5, {});
    play(bandit, 1);
  }
  EXPECT_THROW(DurableBandit(storage, ix, 6, {}), Error);
  BanditOptions other = ix;
  other.arms = 3;
  EXPECT_THROW(DurableBandit(storage, other, 5, {}), Error);
  EXPECT_EQ(DurableBandit(storage, ix, 5, {.sync = true}).bandit().tells(), 1U);
}

TEST(BanditLog, RefusedFeedbackIsNoEvent) {
  Generator draws(1);
  SimulatedStorage storage(draws);
  DurableBandit bandit(storage, ix, 5, {});
  bandit.ask();
  EXPECT_THROW(bandit.tell(1, 2), Error);
  EXPECT_THROW(bandit.tell(9, 0), Error);
  bandit.commit();
  EXPECT_EQ(bandit.events(), 1U);
}

// It takes as much of the disk as its last events, and goes on if one of its two snapshots is damaged.
TEST(BanditLog, KeepsWhatItsLastTwoSnapshotsNeed) {
  Generator draws(1);
  SimulatedStorage storage(draws);
  constexpr BanditLogOptions options{.segment_bytes = 300, .snapshot_events = 20};
  std::vector<std::uint8_t> live;
  {
    DurableBandit bandit(storage, ix, 5, options);
    play(bandit, 500);
    live = bandit.bandit().save();
  }
  std::vector<std::string> snapshots;
  std::size_t bytes = 0;
  for (const std::string& name : storage.names()) {
    if (name.starts_with("snapshot-")) snapshots.push_back(name);
    if (name.ends_with(".log")) bytes += storage.read(name).size();
  }
  ASSERT_EQ(snapshots.size(), 2U);
  EXPECT_LT(bytes, 3000U);
  storage.replace(snapshots[1], "garbage");
  EXPECT_EQ(DurableBandit(storage, ix, 5, options).bandit().save(), live);
  storage.replace(snapshots[0], "garbage");
  EXPECT_THROW(DurableBandit(storage, ix, 5, options), Error) << "events are missing";
}

// Without sync, a kill loses nothing, and a power cut what came after the last snapshot at most.
TEST(BanditLog, SnapshotsAreSynced) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Generator draws(seed);
    SimulatedStorage storage(draws);
    {
      DurableBandit bandit(storage, ix, 5, {});
      play(bandit, 20);
      bandit.snapshot();
      play(bandit, 20);
    }
    const bool power_cut = seed % 2 == 0;
    if (power_cut) storage.crash();
    EXPECT_GE(DurableBandit(storage, ix, 5, {}).bandit().tells(), power_cut ? 20U : 40U);
  }
}

TEST(BanditLog, HasOneLockByWhateverName) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(testing::TempDir()) / ("bandit-log-" + std::to_string(::getpid()));
  fs::create_directories(folder);
  fs::create_directory_symlink("state", folder / "link");
  {
    const auto storage = log::open_folder((folder / "state").string());
    EXPECT_THROW(log::open_folder((folder / "state").string()), Error);
    EXPECT_THROW(log::open_folder((folder / "link").string()), Error);
    DurableBandit bandit(*storage, ix, 5, {});
    play(bandit, 1);
  }
  const auto storage = log::open_folder((folder / "link").string());
  EXPECT_EQ(DurableBandit(*storage, ix, 5, {}).bandit().asks(), 1U);
  fs::remove_all(folder);
}

// A bandit's bytes, and those of a snapshot with the segments after it, are the bandit; any others are damage.
TEST(BanditLog, IsReadAsBytes) {
  Generator draws(1);
  SimulatedStorage storage(draws);
  DurableBandit bandit(storage, ix, 5, {.segment_bytes = 300});
  play(bandit, 3);
  const std::string begin = storage.read(BanditState::begin_name);
  EXPECT_EQ(decode_bandit(begin, "b").save(), LiveBandit(ix, 5).save());
  EXPECT_EQ(encode_bandit(decode_bandit(begin, "b")), begin);
  bandit.snapshot();
  play(bandit, 9);
  std::string bytes = storage.read("snapshot-00000000000000000006");
  const std::vector<std::string> names = storage.names();
  for (const std::string& name : names) {
    if (name.ends_with(".log")) bytes += storage.read(name);
  }
  EXPECT_EQ(decode_bandit(bytes, "b").save(), bandit.bandit().save());
  const std::size_t snapshot = storage.read("snapshot-00000000000000000006").size();
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string bad = bytes;
    bad[at] = static_cast<char>(bad[at] ^ 1 << at % 8);
    EXPECT_THROW(decode_bandit(bad, "b"), Error) << at;
  }
  EXPECT_THROW(decode_bandit(bytes + std::string(1, '\0'), "b"), Error);
  const std::string last = *std::prev(
      std::find_if(names.begin(), names.end(), [](const std::string& name) { return name.starts_with("begin"); }));
  ASSERT_GT(log::EventLog::first_event(last), 7U);
  const std::string later = storage.read(last);
  EXPECT_THROW(decode_bandit(bytes.substr(0, snapshot) + later, "b"), Error) << "events are missing";
}

}  // namespace
}  // namespace halfspace::service
