// Routes requests.
#include "http/front.h"

#include <string_view>
#include <utility>

#include "service/routes.h"

namespace halfspace::http {
namespace {

using service::Answer;
using service::Request;

bool is_own_page(std::string_view path) { return path == "/healthz" || path == "/readyz" || path == "/metrics"; }

constexpr std::size_t few_rows = std::size_t{16} << 10;  // bytes that a thread of the server parses

// Returns whether the answer takes time with the size of the model.
bool is_large(const Request& request) {
  return request.method == "GET" && (request.path == "/model" || request.path == "/");
}

// Returns whether it is a prediction that takes longer than others may wait.
bool is_long(const Request& request) {
  return service::PredictionAnswers::answers(request) && request.body.size() > few_rows;
}

}  // namespace

bool same_secret(const std::string& a, const std::string& b) {
  if (b.empty()) return a.empty();
  volatile unsigned char difference = a.size() != b.size();
  for (std::size_t i = 0; i < a.size(); ++i)
    difference = static_cast<unsigned char>(difference | (a[i] ^ b[i % b.size()]));
  return difference == 0;
}

Front::Front(LearnerThread& learner, FrontOptions options)
    : learner_(learner),
      models_(learner),
      pages_(learner, service::page_answer),
      predictions_(learner.predictors(), options.prediction_threads),
      options_(std::move(options)),
      access_log_(options_.access_log) {}

std::optional<Answer> Front::refuse(const RequestHead& head) {
  if (!options_.hosts.allows(head.host))
    return service::refusal(421, "the service is not called " + head.host,
                            "use its address or localhost; other names are given when the service starts");
  if (std::optional<Answer> refused = service::refuse_target(head.request)) return refused;
  if (is_own_page(head.request.path)) return std::nullopt;
  const bool changes = !service::PredictionAnswers::answers(head.request);
  if (!options_.token.empty()) {
    if ((!changes && !options_.token_for_all) || same_secret("Bearer " + options_.token, head.authorization))
      return std::nullopt;
    const char* const what = changes ? "a change of the model needs a token" : "the service needs a token";
    return service::refusal(401, head.authorization.empty() ? what : "wrong token",
                            "send the header Authorization: Bearer TOKEN");
  }
  if (!changes || !head.has_origin) return std::nullopt;
  return service::refusal(403, "a web page may not change the model", "start the service with a token file");
}

std::optional<Answer> Front::answer(const Request& request) {
  if (is_own_page(request.path)) return own_page(request);
  if (is_large(request) || is_long(request)) return std::nullopt;
  if (service::PredictionAnswers::answers(request)) return learner_.predictors().answer(request);
  if (learner_.full())
    return service::refusal(429, "too many requests wait for the learner", "send the request again in a second");
  return std::nullopt;
}

void Front::answer_later(Request request, std::unique_ptr<Reply> reply) {
  if (is_large(request))
    (request.path == "/" ? pages_ : models_).take(std::move(reply));
  else if (is_long(request))
    predictions_.take(std::move(request), std::move(reply));
  else
    learner_.take(std::move(request), std::move(reply));
}

void Front::answered(const Answered& answered) noexcept {
  metrics_.count(answered.request.path, answered.status, answered.seconds);
  access_log_.add(answered);
}

std::optional<Answer> Front::own_page(const Request& request) const {
  if (request.path == "/healthz") return Answer{200, "ok\n", "text/plain; charset=utf-8"};
  if (request.path == "/metrics")
    return Answer{200, metrics_.text(learner_.figures(), connections_), "text/plain; version=0.0.4; charset=utf-8"};
  if (stopping_) return service::refusal(503, "the service is stopping", "ask its successor");
  if (!learner_.figures().writable)
    return service::refusal(503, "the disk failed: predictions go on, learning does not", "restart the service");
  return Answer{200, "ready\n", "text/plain; charset=utf-8"};
}

}  // namespace halfspace::http
