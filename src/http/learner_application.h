// A learner as a service: predictions of a few rows by the threads of the server, of more by other threads, the model and
// the page by threads that make them, changes by the learner's thread.
//
// Thread-safety: any thread. Ownership: keeps a reference to the learner's thread.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "http/application.h"
#include "http/learner_thread.h"
#include "http/model_encoder.h"
#include "http/prediction_threads.h"

namespace halfspace::http {

class LearnerApplication final : public Application {
 public:
  LearnerApplication(LearnerThread& learner, unsigned prediction_threads);

  std::optional<service::Answer> refuse(const service::Request& request) const override;
  bool changes(const service::Request& request) const override;
  std::optional<service::Answer> answer(const service::Request& request) override;
  void answer_later(service::Request request, std::unique_ptr<Reply> reply) override;
  void add_metrics(std::string& text) const override;
  bool writable() const override { return learner_.figures().writable; }
  bool snapshot_failed() const override { return learner_.figures().snapshot_failed; }
  void finish() override { learner_.finish(); }

 private:
  LearnerThread& learner_;
  ModelEncoder models_, pages_;
  PredictionThreads predictions_;
};

}  // namespace halfspace::http
