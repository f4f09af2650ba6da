// What threads predict with: prepared by the learner's thread for each published model, so that a prediction waits for no
// copy of the weights.
//
// Thread-safety: publish() is for one thread, answer() for any.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "service/answers.h"

namespace halfspace::http {

class Predictors {
 public:
  // From now on answers come from this model. Prepares as many predictors as were in use at once, and takes those of
  // earlier models apart. If it throws, the earlier model goes on.
  void publish(std::shared_ptr<const service::Published> published);
  // Answers a request for which PredictionAnswers::answers().
  service::Answer answer(const service::Request& request);

 private:
  struct Predictor {
    std::shared_ptr<const service::Published> published;
    service::PredictionAnswers answers;
  };
  using Group = std::vector<std::unique_ptr<Predictor>>;

  static std::unique_ptr<Predictor> prepared(std::shared_ptr<const service::Published> published);

  std::mutex mutex_;  // of what follows
  std::shared_ptr<const service::Published> published_;
  Group idle_;     // of the published model
  Group retired_;  // of earlier ones, given back since the last publication
  std::size_t in_use_ = 0, most_in_use_ = 1;
};

}  // namespace halfspace::http
