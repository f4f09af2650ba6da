// The learner's thread: groups, models in between, and an end that leaves nothing unanswered.
#include "http/learner_thread.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

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

struct Learning {
  Learning()
      : storage(draws), model(service::model_on("1 1:1 2:3\n-1 1:2 3:1\n", "averaged")), learner(storage, &model, {}) {}

  Generator draws{1};
  service::SimulatedStorage storage;
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
    EXPECT_EQ(thread.figures().waiting, 0U);
    EXPECT_EQ(thread.figures().learned, learning.learner.events());
  }
}

TEST(LearnerThread, PublishesWhatItHasLearned) {
  Learning learning;
  LearnerThread thread(learning.learner, {.publish_seconds = 0.01});
  EXPECT_EQ(thread.published()->version, 0U);
  Counts counts;
  for (int i = 1; i <= 5; ++i) {
    const std::uint64_t before = thread.publications();
    thread.take({"POST", "/learn", {}, "1 1:1 2:1"}, std::make_unique<CountedReply>(counts));
    while (thread.published()->version < static_cast<std::uint64_t>(i)) std::this_thread::yield();
    EXPECT_GT(thread.publications(), before);
  }
  const std::uint64_t publications = thread.publications();
  thread.finish();
  EXPECT_EQ(thread.publications(), publications);
}

TEST(LearnerThread, TellsOfADiskThatFails) {
  Learning learning;
  LearnerThread thread(learning.learner, {.publish_seconds = 0});
  Counts counts;
  learning.storage.fail_after(1);
  for (int i = 0; i < 3; ++i) thread.take({"POST", "/learn", {}, "1 1:1 2:1"}, std::make_unique<CountedReply>(counts));
  thread.finish();
  EXPECT_EQ(counts.given, 3);
  EXPECT_EQ(static_cast<std::uint64_t>(counts.good), learning.learner.events());
  EXPECT_LT(counts.good, 3);
  EXPECT_EQ(thread.figures().writable, learning.learner.writable());
}

}  // namespace
}  // namespace halfspace::http
