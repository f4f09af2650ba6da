// The thread that owns the learner: it takes all requests that wait as one group, with one commit, and publishes the
// model for those who predict.
//
// Thread-safety: all functions may be called by any thread. Ownership: keeps a reference to the learner, which belongs
// to the thread until finish() has returned.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "http/predictors.h"
#include "http/server.h"
#include "service/answers.h"
#include "service/live_learner.h"

namespace halfspace::http {

struct LearnerOptions {
  std::size_t most_waiting = 1000;  // requests that are not answered
  double publish_seconds = 0.1;     // between two published models, at least
};

// What the metrics tell of the learner.
struct LearnerFigures {
  std::atomic<std::uint64_t> version{0}, learned{0}, asked{0}, truths{0}, missing{0}, forgotten{0}, labels_awaited{0};
  std::atomic<std::uint64_t> refused{0};                     // rows and labels, since the start
  std::atomic<std::uint64_t> waiting{0};                     // requests that are not answered
  std::atomic<std::uint64_t> groups{0};                      // of requests that were answered
  std::atomic<std::uint64_t> published{0};                   // models
  std::atomic<double> group_seconds{0}, publish_seconds{0};  // of the last one
  std::atomic<bool> writable{true}, snapshot_failed{false};
};

class LearnerThread {
 public:
  LearnerThread(service::LiveLearner& learner, const LearnerOptions& options);
  ~LearnerThread();
  LearnerThread(const LearnerThread&) = delete;
  LearnerThread& operator=(const LearnerThread&) = delete;

  // Returns whether as many requests wait as may.
  bool full() const { return figures_.waiting >= options_.most_waiting; }
  // Adds a request; after finish() it is answered 503.
  void take(service::Request request, std::unique_ptr<Reply> reply);

  std::shared_ptr<const service::Published> published() const;
  // Returns what answers from the published model.
  Predictors& predictors() noexcept { return predictors_; }
  const LearnerFigures& figures() const noexcept { return figures_; }

  // Answers what waits, and ends the thread.
  void finish();

 private:
  struct Waiting {
    service::Request request;
    std::unique_ptr<Reply> reply;
  };

  void run();
  std::vector<Waiting> next_group();
  void answer(std::vector<Waiting> group);
  bool is_due() const;
  void publish();

  service::LiveLearner& learner_;
  service::LearningAnswers answers_;
  LearnerOptions options_;
  LearnerFigures figures_;
  Predictors predictors_;

  mutable std::mutex mutex_;  // of the requests and the published model
  std::condition_variable changed_;
  std::vector<Waiting> waiting_;
  bool finishing_ = false;
  std::shared_ptr<const service::Published> published_;

  bool is_stale_ = false;  // the published model; of the thread alone, as are these
  Clock::time_point publish_at_ = Clock::now();
  std::thread thread_;
};

}  // namespace halfspace::http
