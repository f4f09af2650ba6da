// Encodes the published model for GET /model, or draws the page of GET /, in a thread of its own, once for each model that
// is asked for: a large one takes far longer than a prediction may wait.
//
// Thread-safety: any thread. Ownership: keeps a reference to the learner's thread.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "http/learner_thread.h"
#include "http/server.h"
#include "service/answers.h"

namespace halfspace::http {

class ModelEncoder {
 public:
  using Encode = std::function<service::Answer(const service::Published&)>;

  explicit ModelEncoder(LearnerThread& learner, Encode encode = service::model_answer);
  // Answers what waits.
  ~ModelEncoder();
  ModelEncoder(const ModelEncoder&) = delete;
  ModelEncoder& operator=(const ModelEncoder&) = delete;

  // Answers with the model that is published when its turn comes.
  void take(std::unique_ptr<Reply> reply);

 private:
  void run();
  service::Answer answer();

  LearnerThread& learner_;
  Encode encode_;
  std::mutex mutex_;  // of the next two
  std::vector<std::unique_ptr<Reply>> waiting_;
  bool finishing_ = false;
  std::condition_variable changed_;
  std::weak_ptr<const service::Published> encoded_;  // of the thread alone, as is its answer
  service::Answer answer_;
  std::thread thread_;
};

}  // namespace halfspace::http
