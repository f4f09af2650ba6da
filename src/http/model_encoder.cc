// One model at a time.
#include "http/model_encoder.h"

#include <string>
#include <utility>

namespace halfspace::http {

using service::Answer;

ModelEncoder::ModelEncoder(LearnerThread& learner, Encode encode)
    : learner_(learner), encode_(std::move(encode)), thread_([this] { run(); }) {}

ModelEncoder::~ModelEncoder() {
  {
    const std::lock_guard lock(mutex_);
    finishing_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void ModelEncoder::take(std::unique_ptr<Reply> reply) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(reply));
  }
  changed_.notify_one();
}

void ModelEncoder::run() {
  for (;;) {
    std::vector<std::unique_ptr<Reply>> group;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return !waiting_.empty() || finishing_; });
      if (waiting_.empty()) return;
      group = std::exchange(waiting_, {});
    }
    for (const std::unique_ptr<Reply>& reply : group) reply->give(answer());
  }
}

Answer ModelEncoder::answer() {
  return answer_now([this] {
    const std::shared_ptr<const service::Published> published = learner_.published();
    if (encoded_.lock() != published) {
      encoded_.reset();
      answer_ = encode_(*published);
      answer_.shared = std::make_shared<const std::string>(std::exchange(answer_.body, {}));
      encoded_ = published;
    }
    return answer_;
  });
}

}  // namespace halfspace::http
