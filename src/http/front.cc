// Routes requests.
#include "http/front.h"

#include <string_view>
#include <utility>

namespace halfspace::http {
namespace {

using service::Answer;
using service::Request;

std::uint64_t next_front() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

// What a thread predicts with.
struct Predictor {
  std::uint64_t front = 0, publications = 0;
  std::unique_ptr<service::PredictionAnswers> answers;
};

bool is_own_page(std::string_view path) {
  return path == "/healthz" || path == "/readyz" || path == "/metrics";
}

}  // namespace

bool same_secret(const std::string& a, const std::string& b) {
  if (b.empty()) return a.empty();
  volatile unsigned char difference = a.size() != b.size();
  for (std::size_t i = 0; i < a.size(); ++i)
    difference = static_cast<unsigned char>(difference | (a[i] ^ b[i % b.size()]));
  return difference == 0;
}

Front::Front(LearnerThread& learner, std::string token)
    : learner_(learner), token_(std::move(token)), number_(next_front()) {}

std::optional<Answer> Front::refuse(const RequestHead& head) {
  if (is_own_page(head.request.path) || service::PredictionAnswers::answers(head.request)) return std::nullopt;
  if (!token_.empty()) {
    if (same_secret("Bearer " + token_, head.authorization)) return std::nullopt;
    return service::refusal(401, head.authorization.empty() ? "a change of the model needs a token" : "wrong token",
                            "send the header Authorization: Bearer TOKEN");
  }
  if (!head.has_origin) return std::nullopt;
  return service::refusal(403, "a web page may not change the model", "start the service with a token file");
}

std::optional<Answer> Front::answer(const Request& request) {
  if (is_own_page(request.path)) return own_page(request);
  if (service::PredictionAnswers::answers(request)) return predict(request);
  if (learner_.full())
    return service::refusal(429, "too many requests wait for the learner", "send the request again in a second");
  return std::nullopt;
}

void Front::answer_later(Request request, std::unique_ptr<Reply> reply) {
  learner_.take(std::move(request), std::move(reply));
}

void Front::answered(const Request& request, int status, double seconds) noexcept {
  metrics_.count(request.path, status, seconds);
}

std::optional<Answer> Front::own_page(const Request& request) const {
  if (request.method != "GET") return service::refusal(405, "this page is read", "send GET " + request.path);
  if (request.path == "/healthz") return Answer{200, "ok\n", "text/plain; charset=utf-8"};
  if (request.path == "/metrics")
    return Answer{200, metrics_.text(learner_.figures(), connections_), "text/plain; version=0.0.4; charset=utf-8"};
  if (stopping_) return service::refusal(503, "the service is stopping", "ask its successor");
  if (!learner_.figures().writable)
    return service::refusal(503, "the disk failed: predictions go on, learning does not", "restart the service");
  return Answer{200, "ready\n", "text/plain; charset=utf-8"};
}

// Takes no lock unless a model has been published since the thread's last prediction.
Answer Front::predict(const Request& request) {
  thread_local Predictor predictor;
  const std::uint64_t publications = learner_.publications();
  if (predictor.front != number_ || predictor.publications != publications) {
    std::shared_ptr<const service::Published> published = learner_.published();
    if (predictor.front == number_ && predictor.answers)
      predictor.answers->take(std::move(published));
    else
      predictor.answers = std::make_unique<service::PredictionAnswers>(std::move(published));
    predictor.front = number_;
    predictor.publications = publications;
  }
  return predictor.answers->answer(request);
}

}  // namespace halfspace::http
