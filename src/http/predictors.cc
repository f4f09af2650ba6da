// Predictors come from a pool and go back to it.
#include "http/predictors.h"

#include <utility>

namespace halfspace::http {

std::unique_ptr<Predictors::Predictor> Predictors::prepared(std::shared_ptr<const service::Published> published) {
  service::PredictionAnswers answers(published);
  return std::make_unique<Predictor>(Predictor{std::move(published), std::move(answers)});
}

void Predictors::publish(std::shared_ptr<const service::Published> published) {
  std::size_t count = 0;
  {
    const std::lock_guard lock(mutex_);
    count = most_in_use_;
  }
  Group fresh, retired;
  for (std::size_t i = 0; i < count; ++i) fresh.push_back(prepared(published));
  {
    const std::lock_guard lock(mutex_);
    published_.swap(published);
    idle_.swap(fresh);
    retired_.swap(retired);
  }
}  // here the earlier ones end, outside the lock

service::Answer Predictors::answer(const service::Request& request) {
  std::unique_ptr<Predictor> predictor;
  std::shared_ptr<const service::Published> published;
  {
    const std::lock_guard lock(mutex_);
    most_in_use_ = std::max(most_in_use_, ++in_use_);
    if (idle_.empty()) {
      published = published_;
    } else {
      predictor = std::move(idle_.back());
      idle_.pop_back();
    }
  }
  // A predictor that ran out of memory is not used again.
  const auto give_back = [&](bool good) {
    const std::lock_guard lock(mutex_);
    --in_use_;
    if (good) (predictor->published == published_ ? idle_ : retired_).push_back(std::move(predictor));
  };
  try {
    if (!predictor) predictor = prepared(std::move(published));
    service::Answer answer = predictor->answers.answer(request);
    give_back(true);
    return answer;
  } catch (...) {
    give_back(false);
    throw;
  }
}

}  // namespace halfspace::http
