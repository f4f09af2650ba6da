// What every service has over HTTP, before its application (application.h): hosts and tokens, its log of requests, and its
// own pages: /healthz (the server answers), /readyz (it may also change), /metrics (for Prometheus).
//
// With a token, whatever changes what is served needs "Authorization: Bearer TOKEN"; if wanted, also what reads it.
// Without one, requests that a browser sends for a page of another site are refused: any page could change a model on the
// reader's own machine. Requests that name another host are refused (hosts.h).
//
// Thread-safety: any thread. Ownership: keeps a reference to the application.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "http/access_log.h"
#include "http/application.h"
#include "http/hosts.h"
#include "http/metrics.h"
#include "http/server.h"
#include "service/answers.h"

namespace halfspace::http {

struct FrontOptions {
  std::string token{};         // empty: none is needed
  bool token_for_all = false;  // for what reads as well, but for /healthz, /readyz and /metrics
  Hosts hosts{};
  std::string access_log{};  // a file, or "-"; empty: none
};

class Front final : public Handler {
 public:
  Front(Application& application, FrontOptions options);

  std::optional<service::Answer> refuse(const RequestHead& head) override;
  std::optional<service::Answer> answer(const service::Request& request) override;
  void answer_later(service::Request request, std::unique_ptr<Reply> reply) override;
  void answered(const Answered& answered) noexcept override;

  // Tells /readyz that it ends.
  void stop() { stopping_ = true; }
  // Tells /metrics the number of open connections.
  void set_connections(unsigned connections) { connections_ = connections; }

 private:
  std::optional<service::Answer> own_page(const service::Request& request) const;

  Application& application_;
  FrontOptions options_;
  AccessLog access_log_;
  RequestMetrics metrics_;
  std::atomic<bool> stopping_{false};
  std::atomic<unsigned> connections_{0};
};

// Compares in a time that depends on the lengths alone.
bool same_secret(const std::string& a, const std::string& b);

}  // namespace halfspace::http
