// Who answers which request.
#include "http/learner_application.h"

#include <cstddef>
#include <utility>

#include "http/metrics.h"
#include "service/routes.h"

namespace halfspace::http {
namespace {

using service::Answer;
using service::Request;

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

LearnerApplication::LearnerApplication(LearnerThread& learner, unsigned prediction_threads)
    : learner_(learner),
      models_(learner),
      pages_(learner, service::page_answer),
      predictions_(learner.predictors(), prediction_threads) {}

std::optional<Answer> LearnerApplication::refuse(const Request& request) const {
  return service::refuse_target(request, service::learner_routes());
}

bool LearnerApplication::changes(const Request& request) const { return !service::PredictionAnswers::answers(request); }

std::optional<Answer> LearnerApplication::answer(const Request& request) {
  if (is_large(request) || is_long(request)) return std::nullopt;
  if (service::PredictionAnswers::answers(request)) return learner_.predictors().answer(request);
  if (learner_.full())
    return service::refusal(429, "too many requests wait for the learner", "send the request again in a second");
  return std::nullopt;
}

void LearnerApplication::answer_later(Request request, std::unique_ptr<Reply> reply) {
  if (is_large(request))
    (request.path == "/" ? pages_ : models_).take(std::move(reply));
  else if (is_long(request))
    predictions_.take(std::move(request), std::move(reply));
  else
    learner_.take(std::move(request), std::move(reply));
}

void LearnerApplication::add_metrics(std::string& text) const {
  const LearnerFigures& learner = learner_.figures();
  const auto counter = [&](const char* name, const char* help, std::uint64_t value) {
    add_counter(text, name, help, value);
  };
  const auto gauge = [&](const char* name, const char* help, auto value) {
    add_gauge(text, name, help, static_cast<double>(value));
  };
  gauge("rows_learned", "Rows in the model, without forgotten ones.", learner.learned.load());
  counter("refused_total", "Rows and labels that were refused.", learner.refused);
  gauge("rows_asked", "Rows predicted with an id.", learner.asked.load());
  gauge("labels", "Labels that came for asked rows.", learner.truths.load());
  gauge("labels_missing", "Asked rows that gave way before their label came.", learner.missing.load());
  gauge("labels_awaited", "Asked rows that wait for their label.", learner.labels_awaited.load());
  gauge("rows_forgotten", "Rows that were learned once and are forgotten.", learner.forgotten.load());
  gauge("version", "Events in the log.", learner.version.load());
  gauge("writable", "0 after a failure of the disk: nothing is learned until a restart.", learner.writable.load());
  gauge("snapshot_failed", "1 after a snapshot that could not be written.", learner.snapshot_failed.load());
  gauge("requests_waiting", "Requests that wait for the learner.", learner_.unanswered());
  counter("commits_total", "Groups of requests that were committed.", learner.groups);
  gauge("commit_seconds", "Time of the last group of requests, with its commit.", learner.group_seconds.load());
  counter("models_published_total", "Models that predictions were made with.", learner.published);
  gauge("publish_seconds", "Time to publish the last model.", learner.publish_seconds.load());
}

}  // namespace halfspace::http
