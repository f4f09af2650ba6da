// A computation that asks questions in its midst, in a thread of its own, in turn with whoever answers: one waits while the
// other goes on.
//
// Thread-safety: one thread besides the computation's.
#pragma once

#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

namespace halfspace::jobs {

template <class Question, class Answer>
class Search {
 public:
  ~Search() { stop(); }

  // Begins, and waits for its first question or its end. Throws what it throws.
  void begin(std::function<void()> computation) {
    computation_ = std::thread([this, computation = std::move(computation)] {
      try {
        computation();
      } catch (...) {
        failure_ = std::current_exception();
      }
      const std::lock_guard lock(mutex_);
      ended_ = true;
      turned_.notify_all();
    });
    wait();
  }
  bool asks() const { return !ended_ && question_.has_value(); }
  const Question& question() const { return *question_; }
  // Goes on with the answer until the next question or the end. Throws what the computation throws, then
  // and ever after; what `on_wait` throws ends it.
  void go_on(Answer answer) {
    demand();
    {
      const std::lock_guard lock(mutex_);
      question_.reset();
      answer_ = std::move(answer);
      turned_.notify_all();
    }
    wait();
  }
  // Throws what the computation has thrown.
  void demand() const {
    if (failure_) std::rethrow_exception(failure_);
  }
  // Ends it.
  void stop() {
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
      turned_.notify_all();
    }
    if (computation_.joinable()) computation_.join();
  }
  void set_on_wait(std::function<void()> on_wait) { on_wait_ = std::move(on_wait); }
  std::string stage() const {
    const std::lock_guard lock(mutex_);
    return stage_;
  }

  // Of the computation. Throw Stopped when the job is gone.
  Answer ask(Question question) {
    std::unique_lock lock(mutex_);
    question_ = std::move(question);
    turned_.notify_all();
    turned_.wait(lock, [&] { return answer_.has_value() || stopped_; });
    if (stopped_) throw Stopped{};
    return *std::exchange(answer_, std::nullopt);
  }
  void sign_of_life() const {
    const std::lock_guard lock(mutex_);
    if (stopped_) throw Stopped{};
  }
  void set_stage(const std::string& stage) {
    const std::lock_guard lock(mutex_);
    stage_ = stage;
  }

 private:
  struct Stopped {};

  void wait() {
    std::unique_lock lock(mutex_);
    while (!turned_.wait_for(lock, between_waits, [&] { return question_.has_value() || ended_; })) {
      lock.unlock();
      try {
        if (on_wait_) on_wait_();
      } catch (...) {
        stop();
        failure_ = std::current_exception();
      }
      lock.lock();
    }
    demand();
  }

  static constexpr std::chrono::milliseconds between_waits{100};

  mutable std::mutex mutex_;
  std::condition_variable turned_;
  std::optional<Question> question_;
  std::optional<Answer> answer_;
  std::string stage_ = "the search";
  bool ended_ = false, stopped_ = false;
  std::exception_ptr failure_;
  std::function<void()> on_wait_;
  std::thread computation_;
};

}  // namespace halfspace::jobs
