// A queue of requests.
#include "http/prediction_threads.h"

#include <utility>

namespace halfspace::http {

PredictionThreads::PredictionThreads(Predictors& predictors, unsigned threads) : predictors_(predictors) {
  try {
    for (unsigned i = 0; i < threads; ++i) threads_.emplace_back([this] { run(); });
  } catch (...) {  // too many threads
    finish();
    throw;
  }
}

PredictionThreads::~PredictionThreads() { finish(); }

void PredictionThreads::finish() {
  {
    const std::lock_guard lock(mutex_);
    finishing_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void PredictionThreads::take(service::Request request, std::unique_ptr<Reply> reply) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back({std::move(request), std::move(reply)});
  }
  changed_.notify_one();
}

void PredictionThreads::run() {
  for (;;) {
    Waiting next;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return !waiting_.empty() || finishing_; });
      if (waiting_.empty()) return;
      next = std::move(waiting_.front());
      waiting_.pop_front();
    }
    next.reply->give(answer_now([&] { return predictors_.answer(next.request); }));
  }
}

}  // namespace halfspace::http
