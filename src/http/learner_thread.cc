// Models in between groups of requests.
#include "http/learner_thread.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

namespace halfspace::http {
namespace {

// Publishing copies the weights: for large models it may take this share of the thread's time.
constexpr double publishing_share = 0.2;

}  // namespace

LearnerThread::LearnerThread(service::LiveLearner& learner, const LearnerOptions& options)
    : learner_(learner), answers_(learner), options_(options) {
  publish();
  thread_.emplace(static_cast<GroupThread::Work&>(*this), options.most_waiting);
}

LearnerThread::~LearnerThread() { finish(); }

std::shared_ptr<const service::Published> LearnerThread::published() const {
  const std::lock_guard lock(mutex_);
  return published_;
}

std::vector<service::Answer> LearnerThread::answer(std::vector<service::Request> group) {
  const Clock::time_point begin = Clock::now();
  is_stale_ = true;
  std::vector<service::Answer> answers = answers_.answer(group);
  for (const service::Answer& answer : answers) figures_.refused += answer.refused;
  const service::LiveCounts& counts = learner_.counts();
  figures_.version = learner_.events();
  figures_.learned = counts.learned;
  figures_.asked = counts.asked;
  figures_.truths = counts.truths;
  figures_.missing = counts.missing;
  figures_.forgotten = counts.forgotten;
  figures_.labels_awaited = learner_.waiting();
  figures_.writable = learner_.writable();
  figures_.snapshot_failed = !learner_.snapshot_error().empty();
  figures_.group_seconds = seconds_since(begin);
  ++figures_.groups;
  return answers;
}

std::optional<Clock::time_point> LearnerThread::due() const {
  return is_stale_ ? std::optional(publish_at_) : std::nullopt;
}

void LearnerThread::act() {
  try {
    publish();
  } catch (const std::exception&) {  // out of memory: the earlier model goes on
    publish_at_ = Clock::now() + std::chrono::seconds(1);
  }
}

void LearnerThread::publish() {
  const Clock::time_point begin = Clock::now();
  const std::shared_ptr<const service::Published> published = answers_.publish();
  std::shared_ptr<const service::Published> before = published;  // it ends outside the lock
  {
    const std::lock_guard lock(mutex_);
    published_.swap(before);
  }
  predictors_.publish(published);
  const double seconds = seconds_since(begin);
  figures_.version = published->version;
  figures_.publish_seconds = seconds;
  ++figures_.published;
  is_stale_ = false;
  publish_at_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(
                                   std::max(options_.publish_seconds, seconds / publishing_share)));
}

}  // namespace halfspace::http
