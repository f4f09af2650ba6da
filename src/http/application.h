// What a service does, behind what every service needs (front.h).
//
// Thread-safety: any thread.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "http/server.h"
#include "service/answers.h"

namespace halfspace::http {

class Application {
 public:
  virtual ~Application() = default;

  // Returns the answer to a request that it does not have.
  virtual std::optional<service::Answer> refuse(const service::Request& request) const = 0;
  // Returns whether the request changes what is served.
  virtual bool changes(const service::Request& request) const = 0;
  // Returns the answer, or nothing if answer_later() is to take the request.
  virtual std::optional<service::Answer> answer(const service::Request& request) = 0;
  virtual void answer_later(service::Request request, std::unique_ptr<Reply> reply) = 0;

  // Appends what /metrics reports of it.
  virtual void add_metrics(std::string& text) const = 0;
  // Return whether changes are possible, and whether the last snapshot could not be written.
  virtual bool writable() const = 0;
  virtual bool snapshot_failed() const = 0;
  // Answers what waits, and takes nothing more.
  virtual void finish() = 0;
};

}  // namespace halfspace::http
