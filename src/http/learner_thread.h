// The thread that owns the learner: it takes all requests that wait as one group, with one commit, and publishes the
// model for those who predict.
//
// Thread-safety: all functions may be called by any thread. Ownership: keeps a reference to the learner, which belongs
// to the thread until finish() has returned.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "http/group_thread.h"
#include "http/predictors.h"
#include "http/server.h"
#include "service/answers.h"
#include "service/live_learner.h"

namespace halfspace::http {

struct LearnerOptions {
  std::size_t most_waiting = 1000;  // requests that are not answered
  double publish_seconds = 0.1;     // between two published models, at least
};

// What the metrics report of the learner.
struct LearnerFigures {
  std::atomic<std::uint64_t> version{0}, learned{0}, asked{0}, truths{0}, missing{0}, forgotten{0}, labels_awaited{0};
  std::atomic<std::uint64_t> refused{0};                     // rows and labels, since the start
  std::atomic<std::uint64_t> groups{0};                      // of requests that were answered
  std::atomic<std::uint64_t> published{0};                   // models
  std::atomic<double> group_seconds{0}, publish_seconds{0};  // of the last one
  std::atomic<bool> writable{true}, snapshot_failed{false};
};

class LearnerThread final : GroupThread::Work {
 public:
  LearnerThread(service::LiveLearner& learner, const LearnerOptions& options);
  ~LearnerThread() override;
  LearnerThread(const LearnerThread&) = delete;
  LearnerThread& operator=(const LearnerThread&) = delete;

  // As GroupThread's.
  bool full() const { return thread_->full(); }
  std::size_t unanswered() const { return thread_->unanswered(); }
  void take(service::Request request, std::unique_ptr<Reply> reply) {
    thread_->take(std::move(request), std::move(reply));
  }
  void finish() { thread_->finish(); }

  std::shared_ptr<const service::Published> published() const;
  // Returns what answers from the published model.
  Predictors& predictors() noexcept { return predictors_; }
  const LearnerFigures& figures() const noexcept { return figures_; }

 private:
  std::vector<service::Answer> answer(std::vector<service::Request> group) override;
  std::optional<Clock::time_point> due() const override;
  void act() override;
  void publish();

  service::LiveLearner& learner_;
  service::LearningAnswers answers_;
  LearnerOptions options_;
  LearnerFigures figures_;
  Predictors predictors_;

  mutable std::mutex mutex_;  // of the published model
  std::shared_ptr<const service::Published> published_;

  bool is_stale_ = false;  // the published model; of the thread alone, as is the time
  Clock::time_point publish_at_ = Clock::now();
  std::optional<GroupThread> thread_;  // the last member: it ends first
};

}  // namespace halfspace::http
