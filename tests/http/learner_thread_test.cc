// The learner's thread: groups, models in between, and an end that leaves nothing unanswered.
#include "http/learner_thread.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/log/storage.h"
#include "halfspace/base/random.h"
#include "service/models.h"
#include "service/simulated_storage.h"

namespace halfspace::http {
namespace {

using service::Answer;

struct Counts {
  std::atomic<int> given{0}, good{0}, late{0};
};

class CountedReply final : public Reply {
 public:
  explicit CountedReply(Counts& counts) : counts_(counts) {}
  void give(Answer answer) override {
    ++counts_.given;
    ++(answer.status == 200 ? counts_.good : counts_.late);
  }

 private:
  Counts& counts_;
};

// A disk whose syncs wait while it is shut.
class GatedStorage final : public log::Storage {
 public:
  explicit GatedStorage(Generator& draws) : disk(draws) {}

  std::vector<std::string> names() override { return disk.names(); }
  std::string read(const std::string& name) override { return disk.read(name); }
  void append(const std::string& name, std::string_view bytes) override { disk.append(name, bytes); }
  void sync(const std::string& name) override {
    syncing = true;
    while (shut) std::this_thread::yield();
    disk.sync(name);
  }
  void truncate(const std::string& name, std::uint64_t bytes) override { disk.truncate(name, bytes); }
  void replace(const std::string& name, std::string_view bytes) override { disk.replace(name, bytes); }
  void remove(const std::string& name) override { disk.remove(name); }

  service::SimulatedStorage disk;
  std::atomic<bool> shut{false}, syncing{false};
};

struct Learning {
  Learning()
      : storage(draws), model(service::model_on("1 1:1 2:3\n-1 1:2 3:1\n", "averaged")), learner(storage, &model, {}) {}

  Generator draws{1};
  GatedStorage storage;
  Model model;
  service::LiveLearner learner;
};

TEST(LearnerThread, AnswersEveryRequestOnceWheneverItEnds) {
  for (int round = 0; round < 20; ++round) {
    Learning learning;
    LearnerThread thread(learning.learner, {.publish_seconds = 0});
    Counts counts;
    std::vector<std::thread> clients;
    for (int client = 0; client < 3; ++client) {
      clients.emplace_back([&] {
        for (int i = 0; i < 100; ++i)
          thread.take({"POST", "/learn", {}, "1 1:1 2:1"}, std::make_unique<CountedReply>(counts));
      });
    }
    while (counts.given < round * 10) std::this_thread::yield();
    thread.finish();
    for (std::thread& client : clients) client.join();
    EXPECT_EQ(counts.given, 300);
    EXPECT_EQ(static_cast<std::uint64_t>(counts.good), learning.learner.events());
    EXPECT_EQ(thread.unanswered(), 0U);
    EXPECT_EQ(thread.figures().learned, learning.learner.events());
  }
}

TEST(LearnerThread, AnswersWhatWaitsAtItsEnd) {
  Learning learning;
  LearnerThread thread(learning.learner, {});
  Counts counts;
  const auto learn = [&] { thread.take({"POST", "/learn", {}, "1 1:1 2:1"}, std::make_unique<CountedReply>(counts)); };
  learning.storage.syncing = false;
  learning.storage.shut = true;
  learn();
  while (!learning.storage.syncing) std::this_thread::yield();
  for (int i = 0; i < 10; ++i) learn();  // one group, after the first request
  EXPECT_EQ(counts.given, 0);
  EXPECT_EQ(thread.unanswered(), 11U);
  std::thread end([&] { thread.finish(); });
  while (counts.late == 0) learn();  // until it takes no more
  learning.storage.shut = false;
  end.join();
  EXPECT_GE(counts.good, 11);
  EXPECT_EQ(counts.late, 1);
  EXPECT_EQ(static_cast<std::uint64_t>(counts.good), learning.learner.events());
  EXPECT_EQ(thread.figures().groups, 2U);
}

TEST(LearnerThread, PublishesWhatItHasLearned) {
  Learning learning;
  LearnerThread thread(learning.learner, {.publish_seconds = 0.01});
  EXPECT_EQ(thread.published()->version, 0U);
  Counts counts;
  for (int i = 1; i <= 5; ++i) {
    const std::uint64_t before = thread.figures().published;
    thread.take({"POST", "/learn", {}, "1 1:1 2:1"}, std::make_unique<CountedReply>(counts));
    while (thread.published()->version < static_cast<std::uint64_t>(i)) std::this_thread::yield();
    while (thread.figures().published == before) std::this_thread::yield();
  }
  const std::uint64_t publications = thread.figures().published;
  thread.finish();
  EXPECT_EQ(thread.figures().published, publications);
}

TEST(LearnerThread, CountsRefusedRowsAndLabels) {
  Learning learning;
  LearnerThread thread(learning.learner, {});
  Counts counts;
  for (const auto& [path, body] : {std::pair("/learn", "1 x\n1 1:1\n2 1:1"),
                                   {"/truth", "{\"id\":\"a\",\"label\":\"1\"}\nnonsense"},
                                   {"/learn", "1 2:1 {\"line\":1}"},
                                   {"/learn", "1 2:1"}})
    thread.take({"POST", path, {}, body}, std::make_unique<CountedReply>(counts));
  thread.finish();
  EXPECT_EQ(thread.figures().refused, 5U);
}

TEST(LearnerThread, TellsOfADiskThatFails) {
  Learning learning;
  LearnerThread thread(learning.learner, {.publish_seconds = 0});
  Counts counts;
  learning.storage.disk.fail_after(1);
  for (int i = 0; i < 3; ++i) thread.take({"POST", "/learn", {}, "1 1:1 2:1"}, std::make_unique<CountedReply>(counts));
  thread.finish();
  EXPECT_EQ(counts.given, 3);
  EXPECT_EQ(static_cast<std::uint64_t>(counts.good), learning.learner.events());
  EXPECT_LT(counts.good, 3);
  EXPECT_EQ(thread.figures().writable, learning.learner.writable());
}

}  // namespace
}  // namespace halfspace::http
