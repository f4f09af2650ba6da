// Groups of requests.
#include "http/group_thread.h"

#include <exception>

namespace halfspace::http {

GroupThread::GroupThread(Work& work, std::size_t most_waiting) : work_(work), most_waiting_(most_waiting) {
  thread_ = std::thread([this] { run(); });
}

GroupThread::~GroupThread() { finish(); }

void GroupThread::take(service::Request request, std::unique_ptr<Reply> reply) {
  {
    const std::lock_guard lock(mutex_);
    if (!finishing_) {
      waiting_.push_back({std::move(request), std::move(reply)});
      ++unanswered_;
    }
  }
  if (reply)
    reply->give(service::refusal(503, "the service is stopping", "send the request again to its successor"));
  else
    changed_.notify_one();
}

void GroupThread::finish() {
  {
    const std::lock_guard lock(mutex_);
    finishing_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void GroupThread::run() {
  for (;;) {
    auto [group, last] = next_group();
    if (!group.empty()) answer(std::move(group));
    if (const auto due = work_.due(); due && Clock::now() >= *due) work_.act();
    if (last) return;
  }
}

// Waits for requests, or for what is due. Returns also whether the group is the last, after finish().
std::pair<std::vector<GroupThread::Waiting>, bool> GroupThread::next_group() {
  const std::optional<Clock::time_point> due = work_.due();
  std::unique_lock lock(mutex_);
  const auto awake = [this] { return !waiting_.empty() || finishing_; };
  if (due)
    changed_.wait_until(lock, *due, awake);
  else
    changed_.wait(lock, awake);
  return {std::exchange(waiting_, {}), finishing_};
}

void GroupThread::answer(std::vector<Waiting> group) {
  std::vector<service::Request> requests;
  std::vector<service::Answer> answers;
  try {
    requests.reserve(group.size());
    for (Waiting& each : group) requests.push_back(std::move(each.request));
    answers = work_.answer(std::move(requests));
  } catch (const std::exception&) {  // out of memory, before any of them
  }
  unanswered_ -= group.size();
  for (std::size_t i = 0; i < group.size(); ++i)
    group[i].reply->give(i < answers.size() ? std::move(answers[i]) : service::memory_refusal(false));
}

}  // namespace halfspace::http
