// Models are encoded by a thread of their own, and predictors are prepared by the learner's.
#include "http/model_encoder.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/json.h"
#include "halfspace/base/random.h"
#include "http/front.h"
#include "http/learner_application.h"
#include "http/learner_thread.h"
#include "service/models.h"
#include "service/simulated_storage.h"

namespace halfspace::http {
namespace {

using service::Answer;
using service::Published;
using service::Request;

struct SmallLearner {
  SmallLearner()
      : storage(draws), model(service::model_on("1 1:1 2:3\n-1 1:2 3:1\n", "averaged")), learner(storage, &model, {}) {}

  Generator draws{1};
  service::SimulatedStorage storage;
  Model model;
  service::LiveLearner learner;
};

// Keeps the answers that are given, in order.
struct Kept {
  std::mutex mutex;
  std::vector<Answer> answers;

  std::size_t count() {
    const std::lock_guard lock(mutex);
    return answers.size();
  }
};

class KeptReply final : public Reply {
 public:
  explicit KeptReply(Kept& kept) : kept_(kept) {}
  void give(Answer answer) override {
    const std::lock_guard lock(kept_.mutex);
    kept_.answers.push_back(std::move(answer));
  }

 private:
  Kept& kept_;
};

// The encoding does not end before a prediction is answered, and several requests have one encoding.
TEST(ModelEncoder, LetsPredictionsGoOn) {
  SmallLearner small;
  LearnerThread thread(small.learner, {});
  std::atomic<bool> predicted{false};
  std::atomic<int> encodings{0};
  Kept kept;
  {
    ModelEncoder encoder(thread, [&](const Published& published) {
      ++encodings;
      while (!predicted) std::this_thread::yield();
      return service::model_answer(published);
    });
    for (int i = 0; i < 3; ++i) encoder.take(std::make_unique<KeptReply>(kept));
    EXPECT_EQ(thread.predictors().answer({"POST", "/predict", {}, "1:1"}).status, 200);
    predicted = true;
  }
  ASSERT_EQ(kept.count(), 3U);
  EXPECT_EQ(encodings, 1);
  for (const Answer& answer : kept.answers) EXPECT_EQ(answer.text(), service::model_answer(*thread.published()).body);
}

TEST(ModelEncoder, AnswersWithTheModelThatIsPublished) {
  SmallLearner small;
  LearnerThread thread(small.learner, {.publish_seconds = 0});
  ModelEncoder encoder(thread);
  Kept kept, learned;
  for (std::size_t i = 1; i <= 5; ++i) {
    thread.take({"POST", "/learn", {}, "1 1:1 2:1"}, std::make_unique<KeptReply>(learned));
    while (thread.published()->version < i) std::this_thread::yield();
    encoder.take(std::make_unique<KeptReply>(kept));
    while (kept.count() < i) std::this_thread::yield();
    EXPECT_EQ(kept.answers[i - 1].text(), service::model_answer(*thread.published()).body);
  }
}

TEST(Front, EncodesNoModelInTheThreadThatAsks) {
  SmallLearner small;
  LearnerThread thread(small.learner, {});
  LearnerApplication application(thread, 1);
  Front front(application, {});
  EXPECT_FALSE(front.answer({"GET", "/model", {}, {}}));
  EXPECT_FALSE(front.answer({"GET", "/", {}, {}}));
  EXPECT_TRUE(front.answer({"GET", "/ledger", {}, {}}));
  Kept kept;
  front.answer_later({"GET", "/model", {}, {}}, std::make_unique<KeptReply>(kept));
  while (kept.count() == 0) std::this_thread::yield();
  EXPECT_EQ(kept.answers[0].text(), service::model_answer(*thread.published()).body);
  front.answer_later({"GET", "/", {}, {}}, std::make_unique<KeptReply>(kept));
  while (kept.count() == 1) std::this_thread::yield();
  EXPECT_EQ(kept.answers[1].text(), service::page_answer(*thread.published()).body);
}

// Several threads predict while models are published: each sees no earlier model than before, and the last in the end.
TEST(Predictors, GoOnWithEachPublishedModel) {
  SmallLearner small;
  LearnerThread thread(small.learner, {.publish_seconds = 0});
  Kept learned;
  const auto version = [&] {
    const Answer answer = thread.predictors().answer({"POST", "/predict", {}, "1:1 2:1"});
    return Json::parse(answer.text()).at("version").get<std::uint64_t>();
  };
  constexpr std::uint64_t events = 5000;
  std::vector<std::thread> clients;
  for (int i = 0; i < 3; ++i) {
    clients.emplace_back([&] {
      for (std::uint64_t last = 0; last < events;) {
        const std::uint64_t now = version();
        EXPECT_GE(now, last);
        last = now;
      }
    });
  }
  for (std::uint64_t i = 0; i < events; ++i)
    thread.take({"POST", "/learn", {}, "1 1:1 2:1"}, std::make_unique<KeptReply>(learned));
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(version(), events);
}

}  // namespace
}  // namespace halfspace::http
