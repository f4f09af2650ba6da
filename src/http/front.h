// What the service answers over HTTP: predictions by the threads of the server, the model and the page by threads that
// make them, changes by the learner's thread, and its own pages: /healthz (the server answers), /readyz (it may also learn), /metrics
// (for Prometheus).
//
// With a token, whatever changes the model needs "Authorization: Bearer TOKEN". Without one, requests that a browser
// sends for a page of another site are refused: any page could change a model on the reader's own machine.
//
// Thread-safety: any thread. Ownership: keeps a reference to the learner's thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "http/learner_thread.h"
#include "http/metrics.h"
#include "http/model_encoder.h"
#include "http/server.h"
#include "service/answers.h"

namespace halfspace::http {

class Front final : public Handler {
 public:
  // `token`: empty: none is needed.
  Front(LearnerThread& learner, std::string token);

  std::optional<service::Answer> refuse(const RequestHead& head) override;
  std::optional<service::Answer> answer(const service::Request& request) override;
  void answer_later(service::Request request, std::unique_ptr<Reply> reply) override;
  void answered(const service::Request& request, int status, double seconds) noexcept override;

  // Tells /readyz that it ends.
  void stop() { stopping_ = true; }
  // Tells /metrics the number of open connections.
  void set_connections(unsigned connections) { connections_ = connections; }

 private:
  std::optional<service::Answer> own_page(const service::Request& request) const;

  LearnerThread& learner_;
  ModelEncoder models_, pages_;
  std::string token_;
  RequestMetrics metrics_;
  std::atomic<bool> stopping_{false};
  std::atomic<unsigned> connections_{0};
};

// Compares in a time that depends on the lengths alone.
bool same_secret(const std::string& a, const std::string& b);

}  // namespace halfspace::http
