// The logs of a learner, a bandit and a chooser: whatever fails, what was acknowledged is there, and the state is that of its
// events, bit for bit.
#include "service/durable.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/frames.h"
#include "base/little_endian.h"
#include "halfspace/model/model_file.h"
#include "service/live_bandit.h"
#include "service/live_chooser.h"
#include "service/live_learner.h"
#include "service/models.h"
#include "service/simulated_storage.h"

namespace halfspace::service {
namespace {

struct Sizes {
  std::uint64_t segment_bytes = 400, snapshot_events = 6;
  bool sync = true;
};

// What the tests need of a kind of log: to open or begin one, event k of a fixed session, a request that is refused,
// the state as bytes, and what is wrong with its files.
struct OfLearner {
  static constexpr int least_cut = 100;  // files of 34 events, cut off in the last
  using Log = LiveLearner;
  static std::unique_ptr<Log> opened(log::Storage& storage, const Sizes& sizes) {
    static const Model begin = model_on("1 1:1 2:1\n-1 1:1 3:1\n1 2:1\n-1 4:1\n", "averaged");
    const std::vector<std::string> names = storage.names();
    const bool is_new = std::find(names.begin(), names.end(), log::begin_name) == names.end();
    return std::make_unique<Log>(
        storage, is_new ? &begin : nullptr,
        LiveOptions{.segment_bytes = sizes.segment_bytes, .snapshot_events = sizes.snapshot_events});
  }
  static void add(Log& log, std::uint64_t k) {
    const std::string id = "r" + std::to_string(k / 4);
    const std::string row = "1:" + std::to_string(k % 5) + " " + std::to_string(2 + k % 7) + ":1";
    if (k % 4 == 1)
      log.ask(id, row, "1");
    else if (k % 4 == 2)
      log.truth(id, k % 3 == 0 ? "1" : "-1");
    else
      log.learn((k % 3 == 0 ? "1 " : "-1 ") + row + "\n");
  }
  static void add_wrong(Log& log) { log.truth("nobody", "1"); }
  static std::string state(const Log& log) {
    const std::vector<std::uint8_t> model = encode(log.model());
    return std::string(model.begin(), model.end()) + std::to_string(log.waiting()) + " " +
           std::to_string(log.counts().mistakes) + " " + std::to_string(log.counts().asked);
  }
  static bool is_damaged(const Log& log) { return !log.damage().empty(); }
  static bool syncs(const Sizes&) { return true; }
};

struct OfBandit {
  static constexpr int least_cut = 100;  // files of 34 events, cut off in the last
  using Log = DurableBandit;
  static std::unique_ptr<Log> opened(log::Storage& storage, const Sizes& sizes) {
    constexpr BanditOptions ix{.name = BanditName::exp3_ix_anytime, .arms = 4, .rounds = 0, .delta = 0.05};
    return std::make_unique<Log>(storage, ix, 5,
                                 BanditLogOptions{sizes.segment_bytes, sizes.snapshot_events, sizes.sync});
  }
  // Every third event answers an open ticket, the latest but one.
  static void add(Log& log, std::uint64_t k) {
    if (k % 3 == 2)
      log.tell(k / 3 * 2 + 1, static_cast<double>(k % 7) / 7);
    else
      log.ask();
  }
  static void add_wrong(Log& log) { log.tell(1'000'000, 0.5); }
  static std::string state(const Log& log) { return BanditState::text_of(log.bandit()); }
  static bool is_damaged(const Log&) { return false; }
  static bool syncs(const Sizes& sizes) { return sizes.sync; }
};

struct OfChooser {
  static constexpr int least_cut = 50;  // files of 34 events, cut off in the last
  using Log = DurableChooser;
  static std::unique_ptr<Log> opened(log::Storage& storage, const Sizes& sizes) {
    ChooserSettings settings;
    settings.chooser.policies = {"squarecb", "thompson:samples=3", "exp3-ix", "first"};
    settings.bits = 5;
    settings.wait_seconds = 1;
    return std::make_unique<Log>(
        storage, &settings,
        ChooserLogOptions{.segment_bytes = sizes.segment_bytes, .snapshot_events = sizes.snapshot_events});
  }
  // Of five events the first two are choices; then the first gets its reward, and the second is activated and expires.
  static void add(Log& log, std::uint64_t k) {
    const std::uint64_t time = 1000 * k;
    const std::string round = std::to_string(k / 5);
    const auto request = [&](const char* id) {
      return R"({"contextFeatures": {"hour": )" + std::to_string(k % 7) + R"(}, "eventId": ")" + id + round +
             R"(", "deferActivation": true, "actions": [{"id": "x"}, {"id": "y", "features": {"long": true}}]})";
    };
    if (k % 5 == 0) log.rank(request("a"), "", time);
    if (k % 5 == 1) log.rank(request("b"), "", time);
    if (k % 5 == 2) log.reward("a" + round, static_cast<double>(k % 4) / 3, time);
    if (k % 5 == 3 && k % 10 == 3) log.activate("b" + round, time);
    if (k % 5 == 3 && k % 10 == 8) log.run(k % 20 == 8 ? "first" : "exp4", time);
    if (k % 5 == 4) log.expire(time + 1000, 10);
  }
  static void add_wrong(Log& log) { log.reward("nobody", 0.5, 0); }
  static std::string state(const Log& log) { return log.now().encoded(); }
  static bool is_damaged(const Log&) { return false; }
  static bool syncs(const Sizes&) { return true; }
};

template <class Of>
class DurableLog : public testing::Test {
 public:
  using Log = typename Of::Log;

  // The state after so many events of a log that nothing ever happened to.
  static const std::string& after(std::uint64_t events) {
    static std::vector<std::string> states;
    if (states.empty()) {
      Generator draws(1);
      SimulatedStorage storage(draws);
      const auto log = Of::opened(storage, {.segment_bytes = 1 << 20, .snapshot_events = 1 << 20});
      for (std::uint64_t k = 0; k < 400; ++k) {
        states.push_back(Of::state(*log));
        Of::add(*log, k);
      }
    }
    return states.at(events);
  }
  // Adds events by commits of one, two and three, up to so many.
  static void add_up_to(Log& log, std::uint64_t events) {
    for (std::uint64_t k = log.events(), commit = 0; k < events; ++commit) {
      for (std::uint64_t i = 0; i <= commit % 3 && k < events; ++i) Of::add(log, k++);
      log.commit();
    }
  }
};

using Logs = testing::Types<OfLearner, OfBandit, OfChooser>;
class LogNames {
 public:
  template <class Of>
  static std::string GetName(int) {
    return std::is_same_v<Of, OfLearner> ? "Learner" : std::is_same_v<Of, OfBandit> ? "Bandit" : "Chooser";
  }
};
TYPED_TEST_SUITE(DurableLog, Logs, LogNames);

// A life of commits, failures, kills and power cuts.
template <class Of>
class Life {
 public:
  explicit Life(std::uint64_t seed) : draws_(seed), storage_(draws_) {
    sizes_ = {100 + pick(draws_, 1000), 1 + pick(draws_, 12), pick(draws_, 4) != 0};
    log_ = Of::opened(storage_, sizes_);
  }

  template <class After>
  void live(int steps, const After& after) {
    for (int i = 0; i < steps && known_ < 300; ++i) {
      if (pick(draws_, 5) == 0) storage_.fail_after(1 + pick(draws_, 6));
      if (pick(draws_, 20) == 0) storage_.fail_reads_after(1 + pick(draws_, 4));
      if (pick(draws_, 40) == 0) storage_.lack_memory();
      if (pick(draws_, 8) == 0)
        restart(known_);
      else
        group();
      ASSERT_EQ(Of::state(*log_), after(known_)) << "step " << i;
    }
    restart(known_);
    ASSERT_EQ(Of::state(*log_), after(known_));
  }

 private:
  // Some events, and a commit that makes all of them durable, or none.
  void group() {
    std::uint64_t waiting = 0;
    try {
      for (std::uint64_t left = 1 + pick(draws_, 5); left > 0; --left) {
        Of::add(*log_, known_ + waiting);
        ++waiting;
        EXPECT_ANY_THROW(Of::add_wrong(*log_));
      }
      commit(waiting);
      if (pick(draws_, 8) == 0) log_->snapshot();
    } catch (const std::exception&) {
      if (!log_->writable()) return restart(known_ + waiting);
      EXPECT_TRUE(log_->current());
      EXPECT_EQ(log_->events(), known_);
      if (pick(draws_, 2) == 0) return restart(known_);
      storage_.fail_after(0);
      storage_.fail_reads_after(0);
      commit(waiting);
    }
  }

  void commit(std::uint64_t& waiting) {
    const std::uint64_t events = std::exchange(waiting, 0);  // of a commit that fails none waits any more
    try {
      log_->commit();
    } catch (...) {
      if (!log_->writable()) waiting = events;  // they may be there
      throw;
    }
    known_ += events;
  }

  // After a kill, or a power cut if everything was synced. At most so many events may be there.
  void restart(std::uint64_t most) {
    log_.reset();
    storage_.fail_after(0);
    storage_.fail_reads_after(0);
    if (Of::syncs(sizes_) && pick(draws_, 2) == 0) storage_.crash();
    log_ = Of::opened(storage_, sizes_);
    EXPECT_GE(log_->events(), known_) << "something acknowledged is gone";
    EXPECT_LE(log_->events(), most);
    known_ = log_->events();
  }

  Generator draws_;
  SimulatedStorage storage_;
  Sizes sizes_;
  std::unique_ptr<typename Of::Log> log_;
  std::uint64_t known_ = 0;  // acknowledged events
};

// Nothing acknowledged is lost, nothing counts twice, and a replay is the live state.
TYPED_TEST(DurableLog, LivesMeanWhatTheySay) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Life<TypeParam>(seed).live(40, [](std::uint64_t events) { return TestFixture::after(events); });
    if (testing::Test::HasFailure()) break;
  }
}

// Two processes, one after the other, each with so many commits. Returns how many events were acknowledged.
template <class Of>
std::uint64_t two_processes(SimulatedStorage& storage, std::uint64_t commits) {
  std::uint64_t known = 0;
  try {
    for (int start = 0; start < 2; ++start) {
      const auto log = Of::opened(storage, {});
      known = log->events();
      for (const std::uint64_t end = known + commits; known < end; known = log->events()) {
        Of::add(*log, known);
        log->commit();
      }
      log->snapshot();
    }
  } catch (const std::exception&) {
  }
  return known;
}

// Whatever operation of the disk fails, or finds no memory: what was acknowledged before is there, and it goes on.
TYPED_TEST(DurableLog, AnyOperationMayFail) {
  constexpr std::uint64_t commits = 20;
  Generator draws(1);
  SimulatedStorage whole(draws);
  ASSERT_EQ(two_processes<TypeParam>(whole, commits), 2 * commits);
  ASSERT_GT(whole.operations(), 80U);
  for (const auto& [reads, memory] : {std::pair(false, false), {false, true}, {true, false}, {true, true}}) {
    for (std::uint64_t at = 1; at <= whole.operations(); ++at) {
      SCOPED_TRACE(std::to_string(at) + (reads ? " read" : "") + (memory ? " memory" : ""));
      SimulatedStorage storage(draws);
      if (memory) storage.lack_memory();
      if (reads)
        storage.fail_reads_after(at);
      else
        storage.fail_after(at);
      const std::uint64_t known = two_processes<TypeParam>(storage, commits);
      storage.fail_after(0);
      storage.fail_reads_after(0);
      storage.crash();
      const auto log = TypeParam::opened(storage, {});
      ASSERT_GE(log->events(), known);
      ASSERT_LE(log->events(), known + 1);
      ASSERT_EQ(TypeParam::state(*log), TestFixture::after(log->events()));
      TestFixture::add_up_to(*log, 2 * commits + 3);
      ASSERT_EQ(TypeParam::state(*TypeParam::opened(storage, {})), TestFixture::after(2 * commits + 3));
    }
  }
}

// The bytes of a log whose last commit is of this many events.
template <class Of>
std::map<std::string, std::string> written_files(SimulatedStorage& storage, std::uint64_t events) {
  DurableLog<Of>::add_up_to(*Of::opened(storage, {}), events);
  std::map<std::string, std::string> files;
  for (const std::string& name : storage.names()) files[name] = storage.read(name);
  return files;
}

// Any byte changed, or a file cut off anywhere: an error, a warning, or an incomplete end that is cut off and kept;
// else nothing is different.
TYPED_TEST(DurableLog, DamageIsNamedOrHarmless) {
  constexpr std::uint64_t events = 34;
  Generator draws(1);
  SimulatedStorage written(draws);
  const std::map<std::string, std::string> files = written_files<TypeParam>(written, events);
  const std::string last = std::prev(files.lower_bound("begin"))->first;
  int named = 0, harmless = 0, cut_off = 0;
  const auto look = [&](const std::string& changed, const std::string& bytes, std::size_t at) {
    SimulatedStorage storage(draws);
    for (const auto& [name, text] : files) storage.replace(name, name == changed ? bytes : text);
    try {
      const auto log = TypeParam::opened(storage, {});
      ASSERT_EQ(TypeParam::state(*log), TestFixture::after(log->events())) << changed << " " << at;
      if (log->cut()) {
        ++cut_off;
        ASSERT_EQ(changed, last);
        ASSERT_TRUE(bytes.ends_with(storage.read(log->cut()->kept_in))) << at;
      } else if (log->events() == events) {
        ++(TypeParam::is_damaged(*log) ? named : harmless);
      } else {  // cut between two events, as before their commit
        ASSERT_EQ(changed, last) << at;
        ASSERT_LT(bytes.size(), files.at(last).size());
      }
      TestFixture::add_up_to(*log, events + 2);
      ASSERT_EQ(TypeParam::state(*TypeParam::opened(storage, {})), TestFixture::after(events + 2)) << changed << at;
    } catch (const Error& error) {
      ++named;
      ASSERT_TRUE(error.kind() == ErrorKind::data || error.kind() == ErrorKind::usage) << error.what();
      ASSERT_FALSE(error.file().empty()) << error.what();
    }
  };
  for (const auto& [name, text] : files) {
    for (std::size_t at = 0; at < text.size() && !testing::Test::HasFatalFailure(); ++at) {
      std::string bad = text;
      bad[at] = static_cast<char>(bad[at] ^ 1 << at % 8);
      look(name, bad, at);
      look(name, text.substr(0, at), at);
    }
  }
  EXPECT_GT(named, 100);
  EXPECT_GT(harmless, 100);
  EXPECT_GT(cut_off, TypeParam::least_cut);
}

// A process that died while it wrote: the whole events are there, whatever the byte it came to.
TYPED_TEST(DurableLog, ADeathAtAnyByteLosesNothingAcknowledged) {
  Generator draws(1);
  SimulatedStorage written(draws);
  {
    const auto log = TypeParam::opened(written, {.segment_bytes = 1 << 20, .snapshot_events = 100});
    TestFixture::add_up_to(*log, 20);
  }
  const std::string name = "00000000000000000001.log", text = written.read(name);
  std::uint64_t whole = 0;
  std::size_t end = 0;  // of the whole events
  for (std::size_t size = 0; size <= text.size(); ++size) {
    if (end + 8 <= text.size()) {
      const std::size_t next = end + frame_header + little_endian(text.data() + end + 4, 4);
      if (next == size) {
        end = next;
        ++whole;
      }
    }
    written.replace(name, text.substr(0, size));
    const auto log = TypeParam::opened(written, {});
    ASSERT_EQ(log->events(), whole);
    ASSERT_EQ(TypeParam::state(*log), TestFixture::after(whole)) << size;
    ASSERT_EQ(log->cut().has_value(), size > end) << size;
    if (log->cut()) {
      ASSERT_EQ(written.read(log->cut()->kept_in), text.substr(end, size - end));
    }
  }
  EXPECT_EQ(whole, 20U);
}

TYPED_TEST(DurableLog, WhatIsMissingIsNoticed) {
  Generator draws(1);
  SimulatedStorage written(draws);
  const std::map<std::string, std::string> files = written_files<TypeParam>(written, 34);
  for (const auto& [gone, text] : files) {
    SimulatedStorage storage(draws);
    for (const auto& [name, bytes] : files) {
      if (name != gone) storage.replace(name, bytes);
    }
    if (gone.ends_with(".log") || gone.starts_with("begin")) {
      EXPECT_THROW(TypeParam::opened(storage, {}), Error) << gone;
      const std::vector<std::string> names = storage.names();
      EXPECT_EQ(std::find(names.begin(), names.end(), gone), names.end()) << "it is made by nobody";
    } else {
      EXPECT_EQ(TypeParam::state(*TypeParam::opened(storage, {})), TestFixture::after(34)) << gone;
    }
  }
}

// A damaged snapshot costs time alone.
TYPED_TEST(DurableLog, ADamagedSnapshotIsPassedOver) {
  Generator draws(1);
  SimulatedStorage storage(draws);
  const std::map<std::string, std::string> files = written_files<TypeParam>(storage, 34);
  const std::string last = files.rbegin()->first;
  ASSERT_TRUE(last.starts_with("snapshot-")) << last;
  storage.replace(last, "garbage");
  EXPECT_EQ(TypeParam::state(*TypeParam::opened(storage, {})), TestFixture::after(34));
}

// A disk that is full for a while: what did not fit did not happen, and may be sent again.
TYPED_TEST(DurableLog, ACommitThatFailedMayBeTriedAgain) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / ("durable-" + std::to_string(::getpid()));
  std::filesystem::remove_all(folder);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  constexpr Sizes sizes{.segment_bytes = 1 << 20, .snapshot_events = 1000};
  {
    const auto storage = log::open_folder(folder.string());
    const auto log = TypeParam::opened(*storage, sizes);
    TestFixture::add_up_to(*log, 4);
    rlimit small = before;
    small.rlim_cur = std::filesystem::file_size(folder / "00000000000000000001.log") + 20;  // for half of an event
    ::signal(SIGXFSZ, SIG_IGN);
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    for (int tries = 0; tries < 3; ++tries) {
      EXPECT_THROW(TestFixture::add_up_to(*log, 6), Error);
      EXPECT_EQ(TypeParam::state(*log), TestFixture::after(4));
    }
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
    TestFixture::add_up_to(*log, 6);
  }
  const auto storage = log::open_folder(folder.string());
  const auto log = TypeParam::opened(*storage, sizes);
  EXPECT_FALSE(log->cut());
  EXPECT_EQ(TypeParam::state(*log), TestFixture::after(6));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace halfspace::service
