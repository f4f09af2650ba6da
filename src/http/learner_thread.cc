// Groups of requests, and models in between.
#include "http/learner_thread.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

namespace halfspace::http {
namespace {

using service::Answer;
using service::Request;

// Publishing copies the weights: for large models it may take this share of the thread's time.
constexpr double publishing_share = 0.2;

}  // namespace

LearnerThread::LearnerThread(service::LiveLearner& learner, const LearnerOptions& options)
    : learner_(learner), answers_(learner), options_(options) {
  publish();
  thread_ = std::thread([this] { run(); });
}

LearnerThread::~LearnerThread() { finish(); }

void LearnerThread::take(Request request, std::unique_ptr<Reply> reply) {
  {
    const std::lock_guard lock(mutex_);
    if (!finishing_) {
      waiting_.push_back({std::move(request), std::move(reply)});
      ++figures_.waiting;
    }
  }
  if (reply)
    reply->give(service::refusal(503, "the service is stopping", "send the request again to its successor"));
  else
    changed_.notify_one();
}

std::shared_ptr<const service::Published> LearnerThread::published() const {
  const std::lock_guard lock(mutex_);
  return published_;
}

void LearnerThread::finish() {
  {
    const std::lock_guard lock(mutex_);
    finishing_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void LearnerThread::run() {
  for (;;) {
    std::vector<Waiting> group = next_group();
    const bool was_last = group.empty() && !is_stale_;
    if (!group.empty()) answer(std::move(group));
    if (is_due()) {
      try {
        publish();
      } catch (const std::exception&) {  // out of memory: the earlier model goes on
        publish_at_ = Clock::now() + std::chrono::seconds(1);
      }
    }
    if (was_last) return;
  }
}

// Waits for requests. Returns none if a model is to be published, or after finish().
std::vector<LearnerThread::Waiting> LearnerThread::next_group() {
  std::unique_lock lock(mutex_);
  const auto awake = [this] { return !waiting_.empty() || finishing_; };
  if (is_stale_ && !finishing_)
    changed_.wait_until(lock, publish_at_, awake);
  else
    changed_.wait(lock, awake);
  if (waiting_.empty() && finishing_) is_stale_ = false;
  return std::exchange(waiting_, {});
}

void LearnerThread::answer(std::vector<Waiting> group) {
  const Clock::time_point begin = Clock::now();
  std::vector<Request> requests;
  std::vector<Answer> answers;
  try {
    requests.reserve(group.size());
    for (Waiting& each : group) requests.push_back(std::move(each.request));
    answers = answers_.answer(requests);
  } catch (const std::exception&) {  // out of memory, before any of them
  }
  for (const Answer& answer : answers) figures_.refused += answer.refused;
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
  figures_.waiting -= group.size();
  is_stale_ = true;
  for (std::size_t i = 0; i < group.size(); ++i)
    group[i].reply->give(i < answers.size() ? std::move(answers[i]) : service::memory_refusal(false));
}

bool LearnerThread::is_due() const { return is_stale_ && Clock::now() >= publish_at_; }

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
