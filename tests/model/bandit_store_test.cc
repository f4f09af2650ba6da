// Snapshot and journal: whatever the moment of death, what was committed is there, and the run continues bit for bit.
#include "halfspace/model/bandit_store.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "halfspace/base/error.h"

namespace halfspace {
namespace {

namespace fs = std::filesystem;

constexpr BanditOptions ix{.name = BanditName::exp3_ix_anytime, .arms = 4, .rounds = 0, .delta = 0.05};

class BanditStoreTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) / ("halfspace-store-" + std::to_string(::getpid()) + "-" +
                                                ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
    path_ = (folder_ / "arms.state").string();
  }
  void TearDown() override { fs::remove_all(folder_); }

  static std::string read(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static void write(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
  }
  // Event k of a fixed session: every third event answers an open ticket, the latest but one.
  template <class Bandit>
  static void event(Bandit& bandit, int k) {
    if (k % 3 == 2) {
      bandit.tell(static_cast<std::uint64_t>(k / 3 * 2 + 1), (k % 7) / 7.0);
    } else {
      bandit.ask();
    }
  }
  static std::vector<std::uint8_t> state_after(int events) {
    LiveBandit live(ix, 5);
    for (int k = 0; k < events; ++k) event(live, k);
    return live.save();
  }

  fs::path folder_;
  std::string path_;
};

TEST_F(BanditStoreTest, ADeathAtAnyByteOfTheJournalLosesNothingCommitted) {
  std::vector<std::pair<std::uintmax_t, int>> commits{{0, 0}};  // journal size, events
  {
    BanditStore store(path_, ix, 5);
    for (int k = 0; k < 40; ++k) {
      event(store, k);
      if (k % 4 == 1) {
        store.commit();
        if (k == 1) commits.clear();  // the first is a snapshot
        commits.emplace_back(fs::file_size(path_ + ".journal"), k + 1);
      }
    }
  }  // dies without a last commit
  const std::string journal = read(path_ + ".journal");
  ASSERT_EQ(journal.size(), commits.back().first);
  const std::size_t head = commits.front().first;  // is there before anything is acknowledged
  ASSERT_EQ(head, 24U);
  for (std::size_t size = 0; size < head; ++size) {
    write(path_ + ".journal", journal.substr(0, size));
    for (int i = 0; i < 2; ++i) EXPECT_THROW(BanditStore(path_, ix, 5), Error) << size;
    EXPECT_EQ(fs::file_size(path_ + ".journal"), size) << "what is left of it stays";
  }
  for (std::size_t size = head; size <= journal.size(); ++size) {
    write(path_ + ".journal", journal.substr(0, size));
    int expected = 0;
    for (const auto& [bytes, events] : commits) {
      if (bytes <= size) expected = events;
    }
    {
      BanditStore store(path_, ix, 5);
      ASSERT_EQ(store.resumed_events(), static_cast<std::uint64_t>(expected)) << size;
      ASSERT_EQ(store.bandit().save(), state_after(expected)) << size;
      const bool whole = std::any_of(commits.begin(), commits.end(), [&](const auto& c) { return c.first == size; });
      ASSERT_EQ(store.cut().has_value(), !whole) << size;
      if (store.cut()) {
        const std::string kept = read(store.cut()->kept_in);
        ASSERT_EQ(kept.size(), store.cut()->bytes);
        ASSERT_EQ(kept, journal.substr(size - kept.size(), kept.size()));
        fs::remove(store.cut()->kept_in);
      }
      // And on: what is appended behind a torn frame must be found, too.
      event(store, expected);
      store.commit();
    }
    BanditStore again(path_, ix, 5);
    ASSERT_EQ(again.bandit().save(), state_after(expected + 1)) << size;
  }
}

TEST_F(BanditStoreTest, ADeathBetweenSnapshotAndEmptyJournalRepeatsNothing) {
  {
    BanditStore store(path_, ix, 5);
    for (int k = 0; k < 10; ++k) {
      event(store, k);
      store.commit();  // the first commit writes a snapshot, the others a frame each
    }
  }
  const std::string journal = read(path_ + ".journal");
  {
    BanditStore store(path_, ix, 5);
    store.close();
  }
  EXPECT_EQ(fs::file_size(path_ + ".journal"), 0U);
  write(path_ + ".journal", journal);
  BanditStore store(path_, ix, 5);
  EXPECT_EQ(store.resumed_events(), 10U);
  EXPECT_EQ(store.bandit().save(), state_after(10));
}

TEST_F(BanditStoreTest, DamageIsNamedNotSwallowed) {
  {
    BanditStore store(path_, ix, 5);
    for (int k = 0; k < 6; ++k) {
      event(store, k);
      store.commit();
    }
  }
  const std::string snapshot = read(path_);
  const std::string journal = read(path_ + ".journal");
  for (std::size_t at = 0; at < snapshot.size(); ++at) {
    std::string bad = snapshot;
    bad[at] = static_cast<char>(bad[at] ^ 0x10);
    write(path_, bad);
    EXPECT_THROW(BanditStore(path_, ix, 5), Error) << at;
  }
  write(path_, snapshot);
  // Any changed bit: in the last frame what is cut is told and kept, before it is damage and no death.
  const std::size_t last = journal.size() - (24 + 17);
  for (std::size_t bit = 0; bit < 8 * journal.size(); ++bit) {
    std::string bad = journal;
    bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ 1 << bit % 8);
    write(path_ + ".journal", bad);
    if (bit / 8 < last) {
      EXPECT_THROW(BanditStore(path_, ix, 5), Error) << bit;
      EXPECT_EQ(read(path_ + ".journal"), bad) << bit;
      continue;
    }
    BanditStore store(path_, ix, 5);
    EXPECT_EQ(store.resumed_events(), 5U) << bit;
    ASSERT_TRUE(store.cut()) << bit;
    EXPECT_EQ(read(store.cut()->kept_in), bad.substr(last)) << bit;
    fs::remove(store.cut()->kept_in);
  }
  // A frame taken out of the middle.
  write(path_ + ".journal", journal.substr(0, 24) + journal.substr(24 + 25));
  EXPECT_THROW(BanditStore(path_, ix, 5), Error);
  write(path_ + ".journal", journal);
  EXPECT_EQ(BanditStore(path_, ix, 5).resumed_events(), 6U);
  // One of the two gone: refused, and refused again.
  for (const std::string& gone : {path_, path_ + ".journal"}) {
    const std::string kept = read(gone);
    fs::remove(gone);
    for (int i = 0; i < 2; ++i) EXPECT_THROW(BanditStore(path_, ix, 5), Error);
    EXPECT_FALSE(fs::exists(gone));
    write(gone, kept);
  }
  // Once closed, the snapshot has everything.
  BanditStore(path_, ix, 5).close();
  fs::remove(path_ + ".journal");
  EXPECT_EQ(BanditStore(path_, ix, 5).resumed_events(), 6U);
}

// A program of before wrote a snapshot with a journal that may be empty, and frames without a head.
TEST_F(BanditStoreTest, AJournalWithoutAHeadIsGoneOnWith) {
  {
    BanditStore store(path_, ix, 5);
    for (int k = 0; k < 6; ++k) {
      event(store, k);
      store.commit();
    }
  }
  std::string snapshot = read(path_);
  const std::string journal = read(path_ + ".journal");
  snapshot[20] = 1;
  const std::uint64_t sum =
      XXH3_64bits_withSeed(snapshot.data() + 20, snapshot.size() - 20, XXH3_64bits(snapshot.data(), 12));
  for (std::size_t i = 0; i < 8; ++i) snapshot[12 + i] = static_cast<char>(sum >> (8 * i) & 0xff);
  for (const std::string& frames : {std::string(), journal.substr(24)}) {
    write(path_, snapshot);
    write(path_ + ".journal", frames);
    const int events = frames.empty() ? 1 : 6;
    {
      BanditStore store(path_, ix, 5);
      EXPECT_EQ(store.resumed_events(), static_cast<std::uint64_t>(events));
      for (int k = events; k < 9; ++k) {
        event(store, k);
        store.commit();
      }
    }
    EXPECT_EQ(BanditStore(path_, ix, 5).bandit().save(), state_after(9));
    write(path_ + ".journal", "");
    EXPECT_THROW(BanditStore(path_, ix, 5), Error) << "from now on it has a head";
  }
}

TEST_F(BanditStoreTest, AJournalIsAFile) {
  ASSERT_EQ(::mkfifo((path_ + ".journal").c_str(), 0600), 0);
  EXPECT_THROW(BanditStore(path_, ix, 5), Error);
}

TEST_F(BanditStoreTest, HasOneLockByWhateverName) {
  const std::string link = (folder_ / "link").string(), far = (folder_ / "far").string();
  fs::create_symlink("arms.state", link);
  fs::create_symlink("link", far);
  {
    BanditStore store(far, ix, 5);  // made through links that lead nowhere yet
    store.ask();
    for (const std::string& name : {path_, link, far}) EXPECT_THROW(BanditStore(name, ix, 5), Error) << name;
    store.commit();
    store.ask();
    store.commit();
  }
  EXPECT_FALSE(fs::is_symlink(path_));
  EXPECT_TRUE(fs::is_symlink(link));
  for (const std::string& name : {path_, link, far}) EXPECT_EQ(BanditStore(name, ix, 5).resumed_events(), 2U) << name;
  fs::create_hard_link(path_, folder_ / "hard");
  EXPECT_THROW(BanditStore(path_, ix, 5), Error);
}

TEST_F(BanditStoreTest, ACommitThatFailedMayBeTriedAgain) {
  struct rlimit before {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  struct rlimit small = before;
  {
    BanditStore store(path_, ix, 5);
    for (int k = 0; k < 4; ++k) {
      event(store, k);
      store.commit();
    }
    event(store, 4);
    event(store, 5);
    // Room for half of a frame.
    small.rlim_cur = fs::file_size(path_ + ".journal") + 20;
    ::signal(SIGXFSZ, SIG_IGN);
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    EXPECT_THROW(store.commit(), Error);
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
    store.commit();
  }
  BanditStore store(path_, ix, 5);
  EXPECT_FALSE(store.cut());
  EXPECT_EQ(store.bandit().save(), state_after(6));
}

TEST_F(BanditStoreTest, OtherOptionsAndOtherProcessesAreRefused) {
  {
    BanditStore store(path_, ix, 5);
    EXPECT_THROW(BanditStore(path_, ix, 5), Error);  // in use
    store.ask();
    store.close();
  }
  EXPECT_THROW(BanditStore(path_, ix, 6), Error);
  BanditOptions other = ix;
  other.arms = 3;
  EXPECT_THROW(BanditStore(path_, other, 5), Error);
  EXPECT_EQ(BanditStore(path_, ix, 5, true).bandit().asks(), 1U);
}

TEST_F(BanditStoreTest, RefusedFeedbackIsNotJournalled) {
  {
    BanditStore store(path_, ix, 5);
    store.ask();
    EXPECT_THROW(store.tell(1, 2), Error);
    EXPECT_THROW(store.tell(9, 0), Error);
    store.commit();
  }
  EXPECT_EQ(BanditStore(path_, ix, 5).resumed_events(), 1U);
}

}  // namespace
}  // namespace halfspace
