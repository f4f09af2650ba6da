// A thread that takes all requests that wait as one group: their changes have one commit.
//
// Thread-safety: all functions may be called by any thread. Ownership: keeps a reference to its work, which belongs to
// the thread until finish() has returned; its owner calls finish() before the work ends.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "http/server.h"
#include "service/answers.h"

namespace halfspace::http {

class GroupThread {
 public:
  class Work {
   public:
    virtual ~Work() = default;
    // Returns an answer to each request; fewer: memory was short.
    virtual std::vector<service::Answer> answer(std::vector<service::Request> group) = 0;
    // Returns when act() is to be called, though no request comes.
    virtual std::optional<Clock::time_point> due() const = 0;
    virtual void act() = 0;
  };

  // `most_waiting`: requests that are not answered.
  GroupThread(Work& work, std::size_t most_waiting);
  ~GroupThread();
  GroupThread(const GroupThread&) = delete;
  GroupThread& operator=(const GroupThread&) = delete;

  // Returns whether as many requests wait as may.
  bool full() const { return unanswered_ >= most_waiting_; }
  std::size_t unanswered() const { return unanswered_; }
  // Adds a request; after finish() it is answered 503.
  void take(service::Request request, std::unique_ptr<Reply> reply);
  // Answers what waits, and ends the thread.
  void finish();

 private:
  struct Waiting {
    service::Request request;
    std::unique_ptr<Reply> reply;
  };

  void run();
  std::pair<std::vector<Waiting>, bool> next_group();
  void answer(std::vector<Waiting> group);

  Work& work_;
  std::size_t most_waiting_;
  std::atomic<std::size_t> unanswered_{0};
  std::mutex mutex_;  // of the requests
  std::condition_variable changed_;
  std::vector<Waiting> waiting_;
  bool finishing_ = false;
  std::thread thread_;
};

}  // namespace halfspace::http
