// Answers predictions of many rows, in threads of their own: those of the server go on with what is answered at once.
//
// Thread-safety: any thread. Ownership: keeps a reference to the predictors.
#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "http/predictors.h"
#include "http/server.h"
#include "service/answers.h"

namespace halfspace::http {

class PredictionThreads {
 public:
  PredictionThreads(Predictors& predictors, unsigned threads);
  // Answers what waits.
  ~PredictionThreads();
  PredictionThreads(const PredictionThreads&) = delete;
  PredictionThreads& operator=(const PredictionThreads&) = delete;

  void take(service::Request request, std::unique_ptr<Reply> reply);

 private:
  struct Waiting {
    service::Request request;
    std::unique_ptr<Reply> reply;
  };
  void run();
  void finish();

  Predictors& predictors_;
  std::mutex mutex_;  // of the next two
  std::deque<Waiting> waiting_;
  bool finishing_ = false;
  std::condition_variable changed_;
  std::vector<std::thread> threads_;
};

}  // namespace halfspace::http
